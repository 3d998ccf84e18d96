//! 2 to the power of x.
//!
//! x = k + f with k an *even* integer and f in [-1, 1], so that 2^x = (2^(k/2))² · 2^f: one factor,
//! multiplied twice, reaches from the smallest denormal to infinity without ever being out of
//! range itself, and the second multiplication is the one rounding of a denormal result.

use super::polynomial;
use crate::arith::Arith;

/// (2^f - 1) / f on [-1, 1], degree 6; the relative error of 1 + f·FACTOR is 0.23 · 2^-24.
///
/// At f = ±1 it evaluates to 1 and ½ exactly, so that odd integers have exact powers (a test holds
/// it to that).
const FACTOR: [f32; 7] = [
    0.693_147_24,
    0.240_226_69,
    0.055_503_66,
    0.009_616_844,
    0.001_334_171_9,
    0.000_156_452_94,
    0.000_014_917_102,
];

/// 1.5 · 2^24 + 254. In this binade the floats are the even integers: adding rounds to one, and
/// leaves k/2 + 127, which is the exponent field of 2^(k/2), in the low bits.
const SHIFTER: f32 = 25_166_078.0;

/// The smallest exponent that is computed with. 2^-150 is 0 already, but some processors are slow with
/// products between 2^-158 and 2^-126. 2^-250 is far below, and its first factor still normal.
pub(super) const LOWEST: f32 = -250.0;

/// 2^x: at most 2 ulp from the exact value, denormal results included; exact for integers.
///
/// NaN stays NaN, 2^inf = inf, 2^-inf = +0.
pub fn ex2<A: Arith>(a: &mut A, x: A::F) -> A::F {
    let x = clamp(a, x, LOWEST, 128.0);
    let (scale, f) = split_even(a, x);
    power_of_parts(a, scale, f)
}

/// `scale`² · 2^f with f in [-1, 1].
pub(super) fn power_of_parts<A: Arith>(a: &mut A, scale: A::F, f: A::F) -> A::F {
    let one = a.f32(1.0);
    let factor = polynomial(a, f, &FACTOR);
    let power = a.fma(f, factor, one);
    let power = a.mul(power, scale);
    a.mul(power, scale)
}

/// 2^(k/2) for the even integer k next to x, and x - k, which is exact (NaN for NaN). |x| is at most
/// 2^8.
pub(super) fn split_even<A: Arith>(a: &mut A, x: A::F) -> (A::F, A::F) {
    let shifter = a.f32(SHIFTER);
    let shifted = a.add(x, shifter);
    let k = a.sub(shifted, shifter);
    let f = a.sub(x, k);
    let bits = a.to_bits(shifted);
    let exponent = a.shl(bits, 23);
    (a.from_bits(exponent), f)
}

/// x between `low` and `high`; NaN stays NaN.
pub(super) fn clamp<A: Arith>(a: &mut A, x: A::F, low: f32, high: f32) -> A::F {
    let (low, high) = (a.f32(low), a.f32(high));
    let above = a.lt(high, x);
    let x = a.select(above, high, x);
    let below = a.lt(x, low);
    a.select(below, low, x)
}
