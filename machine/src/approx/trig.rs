//! Sine and cosine.
//!
//! sin x = (-1)^k sin(x - kπ) and cos x = (-1)^k sin(x - (k - ½)π) for every integer k: a single
//! polynomial for sin on [-π/2, π/2] serves both, without computing two and choosing.

use super::polynomial;
use crate::arith::{Arith, SlowPath};
use std::f32::consts::FRAC_1_PI;

/// Beyond this, `sin_large` and `cos_large` take over.
const LIMIT: f32 = 131_072.0;

/// Where the polynomial is centred. Well inside the range, so that the rounding of r² - `CENTRE`
/// matters little at either end.
const CENTRE: f32 = 0.754_150_4;

/// sin(r)/r - 1 in r² - `CENTRE`, |r| up to π/2 + 0.005; degree 4, the relative error of 1 + SIN is
/// 0.14 · 2^-24.
///
/// The centre is one of those where the first coefficient happens to be an f32 almost exactly.
/// Among them it is one whose polynomial *evaluates* to a tiny positive number at r = 0, not to 0
/// or less: so sin -0 = -0 without further ado (-0 · tiny + -0). The result is nowhere above 1, and
/// cos 0 = 1.
const SIN: [f32; 5] = [
    -0.121_036_43,
    -0.154_431_34,
    0.007_893_777,
    -0.000_190_247_7,
    0.000_002_610_871_7,
];

/// π in three parts of 24 bits, none of them negative: that too keeps -0.
const PI: [f32; 3] = [3.141_592_5, 1.509_957_9e-7, 1.078_060_5e-14];

/// 1.5 · 2^23: adding it rounds to an integer, which is then in the low bits.
const SHIFTER: f32 = 12_582_912.0;

/// sin x, x in radians: at most 2 ulp from the exact value for every finite x.
///
/// sin ±0 = ±0; inf and NaN give NaN.
pub fn sin<A: Arith>(a: &mut A, x: A::F) -> A::F {
    let shifter = a.f32(SHIFTER);
    let inverse = a.f32(FRAC_1_PI);
    let shifted = a.fma(x, inverse, shifter);
    let k = a.sub(shifted, shifter);
    let sine = sin_from(a, x, k);
    let fast = flip_if_odd(a, sine, shifted);
    let magnitude = a.abs(x);
    beyond_limit(a, SlowPath::Sin, x, magnitude, fast)
}

/// cos x, x in radians: at most 2 ulp from the exact value for every finite x.
///
/// inf and NaN give NaN.
pub fn cos<A: Arith>(a: &mut A, x: A::F) -> A::F {
    // The magnitude is needed for the limit anyway, and makes sure that cos -x is cos x to the bit.
    let x = a.abs(x);
    let shifter = a.f32(SHIFTER);
    let inverse = a.f32(FRAC_1_PI);
    let half = a.f32(0.5);
    let half_turns = a.fma(x, inverse, half);
    let shifted = a.add(half_turns, shifter);
    let k = a.sub(shifted, shifter);
    let k = a.sub(k, half);
    let sine = sin_from(a, x, k);
    let fast = flip_if_odd(a, sine, shifted);
    beyond_limit(a, SlowPath::Cos, x, x, fast)
}

/// sin(x - kπ), that difference being at most a little over π/2.
fn sin_from<A: Arith>(a: &mut A, x: A::F, k: A::F) -> A::F {
    let mut r = x;
    for part in PI {
        let minus_part = a.f32(-part);
        r = a.fma(k, minus_part, r);
    }
    let minus_centre = a.f32(-CENTRE);
    let z = a.fma(r, r, minus_centre);
    let factor = polynomial(a, z, &SIN);
    a.fma(r, factor, r)
}

/// x, negated where the integer in the low bits of `shifted` is odd.
fn flip_if_odd<A: Arith>(a: &mut A, x: A::F, shifted: A::F) -> A::F {
    let bits = a.to_bits(shifted);
    let sign = a.shl(bits, 31);
    let bits = a.to_bits(x);
    let bits = a.ixor(bits, sign);
    a.from_bits(bits)
}

/// `fast`, or the slow path's answer for arguments beyond the limit. NaN stays on the fast path.
fn beyond_limit<A: Arith>(a: &mut A, path: SlowPath, x: A::F, magnitude: A::F, fast: A::F) -> A::F {
    let limit = a.f32(LIMIT);
    let large = a.lt(limit, magnitude);
    a.slow_path(path, large, x, fast)
}
