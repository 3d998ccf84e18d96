//! Numbers with 16 bits: binary16.

use attila_machine::arith::Arith;

use crate::ir::{Builder, Value};

/// The NaN that every NaN becomes.
const HALF_NAN: i32 = 0x7e00;
/// Infinity as a binary16.
const HALF_INFINITY: i32 = 0x7c00;
/// The bits of 2^-14, the smallest binary16 that is not denormal.
const HALF_NORMAL: i32 = 0x3880_0000;
/// The bits of 65520, which and above which numbers round to infinity.
const HALF_OVERFLOW: i32 = 0x477f_f000;
/// The difference between the exponents of a binary32 and a binary16, in place.
const HALF_BIAS: i32 = (127 - 15) << 23;
/// The bits of ½: its last place is that of denormal binary16.
const HALF_BITS: i32 = 0x3f00_0000;

/// A binary16, rounded to nearest even; 7e00h for NaN.
pub(super) fn to_half(b: &mut Builder, value: Value) -> Value {
    let magnitude = b.abs(value);
    let bits = b.to_bits(magnitude);
    let normal = to_normal_half(b, bits);
    // Adding ½ rounds a denormal to its last place.
    let (half, half_bits) = (b.f32(0.5), b.i32(HALF_BITS));
    let denormal = b.add(magnitude, half);
    let denormal = b.to_bits(denormal);
    let denormal = b.isub(denormal, half_bits);
    let smallest = b.i32(HALF_NORMAL);
    let is_denormal = b.ilt(bits, smallest);
    let rounded = b.iselect(is_denormal, denormal, normal);
    let (overflow, infinity) = (b.i32(HALF_OVERFLOW), b.i32(HALF_INFINITY));
    let fits = b.ilt(bits, overflow);
    let rounded = b.iselect(fits, rounded, infinity);
    let sign = b.to_bits(value);
    let sign = b.shr_u(sign, 16);
    let sign_bit = b.i32(0x8000);
    let sign = b.iand(sign, sign_bit);
    let signed = b.ior(rounded, sign);
    let (nan, is_number) = (b.i32(HALF_NAN), b.eq(value, value));
    b.iselect(is_number, signed, nan)
}

/// The bits of a normal binary16, of those of a binary32 without sign.
fn to_normal_half(b: &mut Builder, bits: Value) -> Value {
    // Half of the last place minus one, and one more if the last place is odd.
    let (one, below_half) = (b.i32(1), b.i32(0xfff - HALF_BIAS));
    let last = b.shr_u(bits, 13);
    let odd = b.iand(last, one);
    let rounded = b.iadd(bits, below_half);
    let rounded = b.iadd(rounded, odd);
    b.shr_u(rounded, 13)
}

/// The binary16 in the bits of a word from `shift` on.
pub(super) fn from_half(b: &mut Builder, word: Value, shift: u32) -> Value {
    let word = b.shr_u(word, shift);
    let (magnitude, sign) = (b.i32(0x7fff), b.i32(0x8000));
    let (magnitude, sign) = (b.iand(word, magnitude), b.iand(word, sign));
    let (bias, infinity) = (b.i32(HALF_BIAS), b.i32(HALF_INFINITY - 1));
    let bits = b.shl(magnitude, 13);
    let normal = b.iadd(bits, bias);
    let special = b.iadd(normal, bias);
    let is_special = b.ilt(infinity, magnitude);
    let normal = b.iselect(is_special, special, normal);
    let unit = b.f32(f32::from_bits(0x3380_0000));
    let denormal = b.to_f32(magnitude);
    let denormal = b.mul(denormal, unit);
    let denormal = b.to_bits(denormal);
    let smallest = b.i32(0x400);
    let is_denormal = b.ilt(magnitude, smallest);
    let bits = b.iselect(is_denormal, denormal, normal);
    let sign = b.shl(sign, 16);
    let bits = b.ior(bits, sign);
    b.from_bits(bits)
}
