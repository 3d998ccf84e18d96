//! Conversions between floats, integers and packed numbers.

use attila_isa::{ConvertOp, Inst};
use attila_machine::arith::Arith;

use crate::ir::{Builder, Value};
use crate::lower::Lower;

const TWO_TO_16: f32 = 65_536.0;
const TWO_TO_31: f32 = 2_147_483_648.0;
const TWO_TO_32: f32 = 4_294_967_296.0;

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn convert_op(&mut self, op: ConvertOp, inst: &Inst) {
        match op {
            ConvertOp::F2i => self.each1(inst, |b, a| b.trunc_to_i32(a)),
            ConvertOp::F2u => self.each1(inst, to_unsigned),
            ConvertOp::I2f => self.integer(inst, |b, a| b.to_f32(a)),
            ConvertOp::U2f => self.integer(inst, from_unsigned),
        }
    }
}

/// An unsigned integer: 0 for NaN and all that is below 1, all bits from 2^32 on.
fn to_unsigned(b: &mut Builder, a: Value) -> Value {
    let (half, end) = (b.f32(TWO_TO_31), b.f32(TWO_TO_32));
    let lower = b.trunc_to_i32(a);
    // Exact, as both are multiples of 2^8.
    let beyond = b.sub(a, half);
    let upper = b.trunc_to_i32(beyond);
    let sign = b.i32(i32::MIN);
    let upper = b.ixor(upper, sign);
    let (is_lower, fits) = (b.lt(a, half), b.lt(a, end));
    let all = b.i32(-1);
    let upper = b.iselect(fits, upper, all);
    let whole = b.iselect(is_lower, lower, upper);
    let (zero, none) = (b.f32(0.0), b.i32(0));
    let is_positive = b.lt(zero, a);
    b.iselect(is_positive, whole, none)
}

/// The halves are exact, and their sum is rounded once.
fn from_unsigned(b: &mut Builder, a: Value) -> Value {
    let low = b.i32(0xffff);
    let (high, low) = (b.shr_u(a, 16), b.iand(a, low));
    let (high, low) = (b.to_f32(high), b.to_f32(low));
    let scale = b.f32(TWO_TO_16);
    let high = b.mul(high, scale);
    b.add(high, low)
}
