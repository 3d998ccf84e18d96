//! Products with powers of two.

use attila_machine::arith::Arith;

use crate::ir::{Binary, Builder, Value};

/// The bits of 1.0.
const ONE: i32 = 0x3f80_0000;
/// Sign and fraction.
const ALL_BUT_EXPONENT: i32 = 0x807f_ffffu32.cast_signed();
/// Added to exponents, in words.
const BIAS: i32 = 127;
/// Denormals are multiplied by 2^24, which makes them normal.
const DENORMAL_SHIFT: i32 = 24;
/// An exponent of results beyond which all are 0 or infinite. Half of it is an exponent that a
/// normal number has.
const FARTHEST: i32 = 250;

/// `a * 2^exponent`, rounded once.
///
/// The number is m * 2^e with m from 1 to 2, and so is the result, with another e. The two halves of
/// that are exponents of normal numbers: the first product is exact.
pub(super) fn by_power_of_two(b: &mut Builder, a: Value, exponent: Value) -> Value {
    let magnitude = b.abs(a);
    let smallest_normal = b.f32(f32::MIN_POSITIVE);
    let is_denormal = b.lt(magnitude, smallest_normal);
    let shift = b.f32((1u32 << DENORMAL_SHIFT) as f32);
    let shifted = b.mul(a, shift);
    let normal = b.choose(is_denormal, shifted, a);
    let bits = b.to_bits(normal);

    // Exponents that differ by more than 278 cannot both be those of a number: so far is enough.
    let exponent = limit(b, exponent, 278);
    let own = own_exponent(b, bits, is_denormal);
    let sum = b.iadd(own, exponent);
    let sum = limit(b, sum, FARTHEST);
    let first = b.shr_s(sum, 1);
    let second = b.isub(sum, first);

    let (rest, one) = (b.i32(ALL_BUT_EXPONENT), b.i32(ONE));
    let mantissa = b.iand(bits, rest);
    let mantissa = b.ior(mantissa, one);
    let mantissa = b.from_bits(mantissa);
    let (first, second) = (power_of_two(b, first), power_of_two(b, second));
    let product = b.mul(mantissa, first);
    let product = b.mul(product, second);

    let (zero, infinity) = (b.f32(0.0), b.f32(f32::INFINITY));
    let (is_zero, is_finite) = (b.eq(a, zero), b.lt(magnitude, infinity));
    let product = b.choose(is_finite, product, a);
    b.choose(is_zero, a, product)
}

/// The exponent of a number that has these bits, after denormals have been made normal.
fn own_exponent(b: &mut Builder, bits: Value, is_denormal: Value) -> Value {
    let field = b.shr_u(bits, 23);
    let mask = b.i32(255);
    let field = b.iand(field, mask);
    let (bias, denormal_bias) = (b.i32(BIAS), b.i32(BIAS + DENORMAL_SHIFT));
    let bias = b.choose(is_denormal, denormal_bias, bias);
    b.isub(field, bias)
}

/// An integer limited to -most..=most.
fn limit(b: &mut Builder, value: Value, most: i32) -> Value {
    let (low, high) = (b.i32(-most), b.i32(most));
    let value = b.binary(Binary::Imax, value, low);
    b.binary(Binary::Imin, value, high)
}

/// `2^exponent` for an exponent of normal numbers.
fn power_of_two(b: &mut Builder, exponent: Value) -> Value {
    let bias = b.i32(BIAS);
    let field = b.iadd(exponent, bias);
    let bits = b.shl(field, 23);
    b.from_bits(bits)
}
