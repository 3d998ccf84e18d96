//! Storage buffers.

use attila_isa::{Component, Inst, Slots, StorageOp};
use attila_machine::arith::Arith;

use crate::abi::{StorageAccess, StorageKind};
use crate::ir::{Op, Value};
use crate::lower::Lower;

use Component::{X, Y};

/// The operand that is a value.
const VALUE: usize = 2;

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn storage_op(&mut self, op: StorageOp, inst: &Inst) {
        let kind = match op {
            StorageOp::Ldb => return self.ldb(inst),
            StorageOp::Stb => return self.stb(inst),
            StorageOp::Bufsize => return self.bufsize(inst),
            StorageOp::Atomadd => StorageKind::Add,
            StorageOp::Atomxchg => StorageKind::Exchange,
            StorageOp::Atomcas => StorageKind::Compare,
            StorageOp::Atomand => StorageKind::And,
            StorageOp::Atomor => StorageKind::Or,
            StorageOp::Atomxor => StorageKind::Xor,
            StorageOp::Atomumin => StorageKind::Umin,
            StorageOp::Atomumax => StorageKind::Umax,
            StorageOp::Atomimin => StorageKind::Imin,
            StorageOp::Atomimax => StorageKind::Imax,
        };
        let (address, none) = (self.int(inst, 0, X), self.b.i32(0));
        let value = self.int(inst, VALUE, X);
        let other = match op == StorageOp::Atomcas {
            true => self.int(inst, VALUE, Y),
            false => none,
        };
        let whole = self.access(inst, kind, address, [value, other, none, none]);
        let old = self.b.extract(whole, 0);
        self.write(inst, |_, _| old);
    }

    fn ldb(&mut self, inst: &Inst) {
        let (address, none) = (self.int(inst, 0, X), self.b.i32(0));
        let whole = self.access(inst, StorageKind::Load, address, [none; 4]);
        self.write(inst, |l, c| l.b.extract(whole, c as u8));
    }

    fn stb(&mut self, inst: &Inst) {
        let address = self.int(inst, 0, X);
        let written = inst.written();
        let values = Component::ALL.map(|component| match written.has(component) {
            true => self.int(inst, VALUE, component),
            false => self.b.i32(0),
        });
        self.access(inst, StorageKind::Store, address, values);
    }

    fn bufsize(&mut self, inst: &Inst) {
        let none = self.b.i32(0);
        let whole = self.access(inst, StorageKind::Size, none, [none; 4]);
        let size = self.b.extract(whole, 0);
        self.write(inst, |_, _| size);
    }

    fn access(
        &mut self,
        inst: &Inst,
        kind: StorageKind,
        address: Value,
        values: [Value; 4],
    ) -> Value {
        let Some(buffer) = inst.storage() else {
            unreachable!("{} names a storage buffer", inst.op)
        };
        let written = match kind == StorageKind::Store {
            true => inst.written(),
            false => Slots::empty(),
        };
        let access = StorageAccess {
            kind,
            buffer,
            written,
        };
        let mask = self.effective();
        let [a, b, c, d] = values;
        self.b
            .push(Op::Storage(access), [address, mask, a, b, c, d])
    }
}
