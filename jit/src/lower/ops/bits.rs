//! Operations on the bits of integers.

use attila_isa::{BitsOp, Inst};
use attila_machine::arith::Arith;

use crate::ir::{Binary, Builder, Value};
use crate::lower::Lower;

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn bits_op(&mut self, op: BitsOp, inst: &Inst) {
        match op {
            BitsOp::And => self.integers(inst, |b, x, y| b.iand(x, y)),
            BitsOp::Or => self.integers(inst, |b, x, y| b.ior(x, y)),
            BitsOp::Xor => self.integers(inst, |b, x, y| b.ixor(x, y)),
            BitsOp::Not => self.integer(inst, complement),
            BitsOp::Shl => self.integers(inst, |b, x, y| b.binary(Binary::LeftBy, x, y)),
            BitsOp::Ishr => self.integers(inst, |b, x, y| b.binary(Binary::RightSignedBy, x, y)),
            BitsOp::Ushr => {
                self.integers(inst, |b, x, y| b.binary(Binary::RightUnsignedBy, x, y));
            }
        }
    }
}

/// `~a`.
fn complement(b: &mut Builder, a: Value) -> Value {
    let all = b.i32(-1);
    b.ixor(a, all)
}
