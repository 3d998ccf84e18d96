//! The meaning of lane IR: every operation in the plainest way, one quad at a time.
//!
//! A vector of any type is four words: floats and masks are their bits, and halves are two to a
//! word, the lower first. Folding asks here for the values of constants. The evaluator of functions is
//! an engine when [an emitter](crate::emit::eval) runs it, which others are compared with.

mod double;
mod function;
mod textures;

pub(crate) use double::compute;
use double::double;
pub(crate) use function::{Environment, Evaluation, Quad, Spent, Vector};

use attila_machine::arith::{self, trunc_to_i32};
use attila_machine::half;

use super::{Binary, Shift, Unary};
use crate::float::FloatFormat;

/// The NaN of [`Unary::OneNan`].
pub(super) const ONE_NAN: u32 = 0x7fff_ffff;

/// The word of a mask.
fn truth(set: bool) -> u32 {
    if set { u32::MAX } else { 0 }
}

/// A lane of an operation with one operand.
pub(super) fn unary(format: FloatFormat, op: Unary, bits: u32) -> u32 {
    let a = f32::from_bits(bits);
    let round = |value: f32| format.round(value).to_bits();
    match op {
        Unary::Fneg => bits ^ 1 << 31,
        Unary::Fabs => bits & !(1 << 31),
        Unary::Sqrt => round(a.sqrt()),
        Unary::Floor => a.floor().to_bits(),
        Unary::Nearest => a.round_ties_even().to_bits(),
        Unary::Ceil => a.ceil().to_bits(),
        Unary::TowardZero => a.trunc().to_bits(),
        Unary::Flush if format.is_denormal(a) => bits & 1 << 31,
        Unary::FlushToPlus if format.is_denormal(a) || a == 0.0 => 0,
        Unary::OneNan if a.is_nan() => ONE_NAN,
        Unary::Flush | Unary::FlushToPlus | Unary::OneNan => bits,
        Unary::Trunc => trunc_to_i32(a).cast_unsigned(),
        Unary::ToF32 => round(bits.cast_signed() as f32),
        Unary::ToBits | Unary::FromBits => bits,
        Unary::ToHalf => half::from_f32(a).into(),
        Unary::FromHalf => half::to_f32(bits as u16).to_bits(),
        Unary::Iabs => bits.cast_signed().wrapping_abs().cast_unsigned(),
        Unary::Not => !bits,
    }
}

/// A lane of an operation with two operands.
pub(super) fn binary(format: FloatFormat, op: Binary, x_bits: u32, y_bits: u32) -> u32 {
    let (x, y) = (f32::from_bits(x_bits), f32::from_bits(y_bits));
    let round = |value: f32| format.round(value).to_bits();
    let (i, j) = (x_bits.cast_signed(), y_bits.cast_signed());
    match op {
        Binary::Fadd => round(x + y),
        Binary::Fsub => round(x - y),
        Binary::Fmul => round(x * y),
        Binary::Fdiv => round(x / y),
        Binary::Fmin => select(truth(x < y), x_bits, y_bits),
        Binary::Fmax => select(truth(x > y), x_bits, y_bits),
        Binary::Flt => truth(x < y),
        Binary::Fle => truth(x <= y),
        Binary::Feq => truth(x == y),
        Binary::Iadd => i.wrapping_add(j).cast_unsigned(),
        Binary::Isub => i.wrapping_sub(j).cast_unsigned(),
        Binary::Imul => i.wrapping_mul(j).cast_unsigned(),
        Binary::UmulHigh => ((u64::from(x_bits) * u64::from(y_bits)) >> 32) as u32,
        Binary::Idiv if j == 0 => 0,
        Binary::Idiv => i.wrapping_div(j).cast_unsigned(),
        Binary::Udiv | Binary::Irem | Binary::Urem if j == 0 => u32::MAX,
        Binary::Udiv => x_bits / y_bits,
        Binary::Irem => i.wrapping_rem(j).cast_unsigned(),
        Binary::Urem => x_bits % y_bits,
        Binary::Imin => i.min(j).cast_unsigned(),
        Binary::Imax => i.max(j).cast_unsigned(),
        Binary::Umin => x_bits.min(y_bits),
        Binary::Umax => x_bits.max(y_bits),
        Binary::LeftBy => x_bits.wrapping_shl(y_bits),
        Binary::RightUnsignedBy => x_bits.wrapping_shr(y_bits),
        Binary::RightSignedBy => i.wrapping_shr(y_bits).cast_unsigned(),
        Binary::And => x_bits & y_bits,
        Binary::Or => x_bits | y_bits,
        Binary::Xor => x_bits ^ y_bits,
        Binary::Ilt => truth(i < j),
        Binary::Ult => truth(x_bits < y_bits),
        Binary::Ieq => truth(i == j),
    }
}

/// A lane of a shift.
pub(super) fn shift(op: Shift, bits: u32, by: u8) -> u32 {
    match op {
        Shift::Left => bits << by,
        Shift::RightUnsigned => bits >> by,
        Shift::RightSigned => (bits.cast_signed() >> by).cast_unsigned(),
    }
}

/// A lane of [`Op::Fma`](super::Op::Fma).
pub(super) fn fma(format: FloatFormat, [a, b, c]: [u32; 3]) -> u32 {
    let [a, b, c] = [a, b, c].map(f32::from_bits);
    format.round(arith::fma(a, b, c)).to_bits()
}

/// A lane of [`Op::Select`](super::Op::Select).
fn select(mask: u32, a: u32, b: u32) -> u32 {
    if mask != 0 { a } else { b }
}
