//! The logarithm to base 2.
//!
//! x = m · 2^e with m in [√½, √2), so that log2 x = e + log2 m does not cancel: where e is not 0,
//! the sum is at least ½. Near x = 1 the result is r · polynomial(r) with r = m - 1, which is exact.

use super::polynomial;
use crate::arith::Arith;

/// log2(1 + r) / r on [√½ - 1, √2 - 1], degree 8, relative error 0.57 · 2^-24.
///
/// Fitted with up to 1.8 times the weight on the right: there the rounding of the factor (between 1
/// and 2) is relatively large, and results just below ½ leave the least room for it.
pub(super) const LOG2: [f32; 9] = [
    std::f32::consts::LOG2_E,
    -0.721_347_63,
    0.480_909_73,
    -0.360_679_42,
    0.287_907_72,
    -0.239_468_13,
    0.216_403_34,
    -0.204_004_6,
    0.119_892_55,
];

/// The bits of √½.
const HALF_ROOT: i32 = 0x3f35_04f3;
/// The fraction field.
const FRACTION: i32 = 0x007f_ffff;

/// log2 x: at most 2 ulp from the exact value; exact for powers of two, denormal ones included.
///
/// ±0 gives -inf, negative numbers and NaN give NaN, inf gives inf.
pub fn lg2<A: Arith>(a: &mut A, x: A::F) -> A::F {
    let (e, m) = split(a, x);
    let one = a.f32(1.0);
    let r = a.sub(m, one);
    let factor = polynomial(a, r, &LOG2);
    let log = a.fma(r, factor, e);
    special(a, x, log)
}

/// e and m for a positive finite x: x = m · 2^e, m in [√½, √2).
pub(super) fn split<A: Arith>(a: &mut A, x: A::F) -> (A::F, A::F) {
    // Counted from √½, the exponent field is e and the fraction field is m's place in its range.
    let half_root = a.i32(HALF_ROOT);
    let (x, start) = if a.is_never_denormal(x) {
        (x, half_root)
    } else {
        let smallest_normal = a.f32(f32::MIN_POSITIVE);
        let denormal = a.lt(x, smallest_normal);
        let two_to_23 = a.f32(8_388_608.0);
        let scaled = a.mul(x, two_to_23);
        let scaled_half_root = a.i32(HALF_ROOT + (23 << 23));
        let start = a.iselect(denormal, scaled_half_root, half_root);
        (a.select(denormal, scaled, x), start)
    };
    let bits = a.to_bits(x);
    let offset = a.isub(bits, start);
    let e = a.shr_s(offset, 23);
    let e = a.to_f32(e);
    let fraction = a.i32(FRACTION);
    let place = a.iand(offset, fraction);
    let m = a.iadd(place, half_root);
    (e, a.from_bits(m))
}

/// `log`, or what the logarithm of x is where x is not positive and finite.
pub(super) fn special<A: Arith>(a: &mut A, x: A::F, log: A::F) -> A::F {
    let (zero, infinity) = (a.f32(0.0), a.f32(f32::INFINITY));
    let (nan, minus_infinity) = (a.f32(f32::NAN), a.f32(f32::NEG_INFINITY));
    let negative = a.lt(x, zero);
    let not_positive = a.select(negative, nan, minus_infinity);
    let positive = a.lt(zero, x);
    let log = a.select(positive, log, not_positive);
    // A number that is not below infinity is infinity or NaN, and its own logarithm.
    let below_infinity = a.lt(x, infinity);
    a.select(below_infinity, log, x)
}
