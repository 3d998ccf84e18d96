//! Comparisons that give all bits or none.

use attila_isa::{Inst, MaskOp};
use attila_machine::arith::Arith;

use crate::ir::{Binary, Builder, Value};
use crate::lower::Lower;

/// `a != b`, true with NaN.
fn not_equal(b: &mut Builder, x: Value, y: Value) -> Value {
    let equal = b.eq(x, y);
    b.invert(equal)
}

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn mask_op(&mut self, op: MaskOp, inst: &Inst) {
        match op {
            MaskOp::Fseq => self.float_mask(inst, |b, x, y| b.eq(x, y)),
            MaskOp::Fsne => self.float_mask(inst, not_equal),
            MaskOp::Fslt => self.float_mask(inst, |b, x, y| b.lt(x, y)),
            MaskOp::Islt => self.integers(inst, |b, x, y| b.ilt(x, y)),
            MaskOp::Isge => self.integers(inst, |b, x, y| {
                let less = b.ilt(x, y);
                b.invert(less)
            }),
            MaskOp::Uslt => self.integers(inst, |b, x, y| b.binary(Binary::Ult, x, y)),
            MaskOp::Usge => self.integers(inst, |b, x, y| {
                let less = b.binary(Binary::Ult, x, y);
                b.invert(less)
            }),
            MaskOp::Useq => self.integers(inst, |b, x, y| b.ieq(x, y)),
            MaskOp::Usne => self.integers(inst, |b, x, y| {
                let equal = b.ieq(x, y);
                b.invert(equal)
            }),
            MaskOp::Fsge => self.float_mask(inst, |b, x, y| b.le(y, x)),
        }
    }

    /// `f` of each component of two operands, a mask.
    fn float_mask(&mut self, inst: &Inst, f: impl Fn(&mut Builder, Value, Value) -> Value) {
        self.write(inst, |l, c| {
            let (x, y) = (l.float(inst, 0, c), l.float(inst, 1, c));
            f(&mut l.b, x, y)
        });
    }
}
