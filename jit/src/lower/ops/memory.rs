//! Memory: scratch vectors and constant buffers.

use attila_isa::{Component, Inst, MemoryOp, ScratchArray};
use attila_machine::arith::Arith;

use crate::ir::Op;
use crate::lower::Lower;

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn memory_op(&mut self, op: MemoryOp, inst: &Inst) {
        match op {
            MemoryOp::Ldt => self.ldt(inst),
            MemoryOp::Stt => self.stt(inst),
            MemoryOp::Ldc => self.ldc(inst),
        }
    }

    fn ldt(&mut self, inst: &Inst) {
        let (array, index) = (array(inst), self.int(inst, 0, Component::X));
        self.write(inst, |l, c| match array.size {
            0 => l.b.f32(0.0),
            _ => l.b.push(Op::LoadScratch(array, c), [index]),
        });
    }

    /// Values of all components are there before the first is stored.
    fn stt(&mut self, inst: &Inst) {
        let (array, index) = (array(inst), self.int(inst, 0, Component::X));
        if array.size == 0 {
            return;
        }
        let mask = self.effective();
        for component in inst.written().components() {
            let value = self.float(inst, 1, component);
            let store = Op::StoreScratch(array, component);
            self.b.push(store, [index, value, mask]);
        }
    }

    fn ldc(&mut self, inst: &Inst) {
        let index = self.int(inst, 0, Component::X);
        let Some(buffer) = inst.buffer() else {
            unreachable!("{} names a buffer", inst.op)
        };
        self.write(inst, |l, c| l.b.push(Op::Buffer(buffer, c), [index]));
    }
}

fn array(inst: &Inst) -> ScratchArray {
    let Some(array) = inst.scratch() else {
        unreachable!("{} names scratch memory", inst.op)
    };
    array
}
