//! Integer operations.

use attila_isa::{Inst, IntegerOp};
use attila_machine::arith::Arith;

use crate::ir::{Binary, Builder, Value};
use crate::lower::Lower;

/// The high half of the signed product: a negative factor counts as 2^32 too much in the unsigned one.
fn signed_product_high(b: &mut Builder, x: Value, y: Value) -> Value {
    let high = b.binary(Binary::UmulHigh, x, y);
    let (x_sign, y_sign) = (b.shr_s(x, 31), b.shr_s(y, 31));
    let (x_excess, y_excess) = (b.iand(x_sign, y), b.iand(y_sign, x));
    let high = b.isub(high, x_excess);
    b.isub(high, y_excess)
}

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn integer_op(&mut self, op: IntegerOp, inst: &Inst) {
        match op {
            IntegerOp::Addi => self.integers(inst, |b, x, y| b.iadd(x, y)),
            IntegerOp::Muli => self.integers(inst, |b, x, y| b.imul(x, y)),
            IntegerOp::Imin => self.integers(inst, |b, x, y| b.binary(Binary::Imin, x, y)),
            IntegerOp::Imax => self.integers(inst, |b, x, y| b.binary(Binary::Imax, x, y)),
            IntegerOp::Umin => self.integers(inst, |b, x, y| b.binary(Binary::Umin, x, y)),
            IntegerOp::Umax => self.integers(inst, |b, x, y| b.binary(Binary::Umax, x, y)),
            IntegerOp::Idiv => self.integers(inst, |b, x, y| b.binary(Binary::Idiv, x, y)),
            IntegerOp::Udiv => self.integers(inst, |b, x, y| b.binary(Binary::Udiv, x, y)),
            IntegerOp::Imod => self.integers(inst, |b, x, y| b.binary(Binary::Irem, x, y)),
            IntegerOp::Umod => self.integers(inst, |b, x, y| b.binary(Binary::Urem, x, y)),
            IntegerOp::Imulh => self.integers(inst, signed_product_high),
            IntegerOp::Umulh => self.integers(inst, |b, x, y| b.binary(Binary::UmulHigh, x, y)),
            IntegerOp::Arl => self.arl(inst),
        }
    }

    /// `f` of each component of an integer operand.
    pub(super) fn integer(&mut self, inst: &Inst, f: impl Fn(&mut Builder, Value) -> Value) {
        self.write(inst, |l, c| {
            let a = l.int(inst, 0, c);
            f(&mut l.b, a)
        });
    }

    /// `f` of each component of two integer operands.
    pub(super) fn integers(
        &mut self,
        inst: &Inst,
        f: impl Fn(&mut Builder, Value, Value) -> Value,
    ) {
        self.write(inst, |l, c| {
            let (x, y) = (l.int(inst, 0, c), l.int(inst, 1, c));
            f(&mut l.b, x, y)
        });
    }

    fn arl(&mut self, inst: &Inst) {
        self.write(inst, |l, c| {
            let a = l.float(inst, 0, c);
            let floor = l.b.floor(a);
            l.b.trunc_to_i32(floor)
        });
    }
}
