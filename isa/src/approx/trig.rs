//! Sine and cosine.
//!
//! sin x = (-1)^k sin(x - kπ) and cos x = (-1)^k sin(x - (k - ½)π) for every integer k: a single
//! polynomial for sin on [-π/2, π/2] serves both, without computing two and choosing.

use super::polynomial;
use crate::arith::{Arith, SlowPath};

/// Beyond this, `sin_large` and `cos_large` take over.
const LIMIT: f32 = 131_072.0;

/// (sin(r)/r - 1) / r² in r², |r| up to π/2 + 0.005, degree 3; as part of r + r³·SIN(r²) its
/// relative error is 0.11 · 2^-24.
const SIN: [f32; 4] = [
    -0.166_666_6,
    0.008_333_067,
    -0.000_198_095_54,
    0.000_002_605_466_5,
];

/// π in three parts of 24 bits each.
const PI: [f32; 3] = [std::f32::consts::PI, -8.742_278e-8, -3.430_249e-15];

/// 1.5 · 2^23: adding it rounds to an integer, which is then in the low bits.
const SHIFTER: f32 = 12_582_912.0;

/// sin x, x in radians: at most 2 ulp from the exact value for every finite x.
///
/// sin ±0 = ±0; inf and NaN give NaN.
pub fn sin<A: Arith>(a: &mut A, x: A::F) -> A::F {
    let magnitude = a.abs(x);
    let shifter = a.f32(SHIFTER);
    let inverse = a.f32(std::f32::consts::FRAC_1_PI);
    let shifted = a.fma(magnitude, inverse, shifter);
    let k = a.sub(shifted, shifter);
    let sine = sin_from(a, magnitude, k);
    // The sign of x is put on at the end: -0 would not live through the sums.
    let parity = parity_sign(a, shifted);
    let bits = a.to_bits(x);
    let sign = a.ixor(bits, parity);
    let sign_bit = a.i32(i32::MIN);
    let sign = a.iand(sign, sign_bit);
    let fast = flip(a, sine, sign);
    beyond_limit(a, SlowPath::Sin, magnitude, x, fast)
}

/// cos x, x in radians: at most 2 ulp from the exact value for every finite x.
///
/// inf and NaN give NaN.
pub fn cos<A: Arith>(a: &mut A, x: A::F) -> A::F {
    let magnitude = a.abs(x);
    let shifter = a.f32(SHIFTER);
    let inverse = a.f32(std::f32::consts::FRAC_1_PI);
    let half = a.f32(0.5);
    let turns = a.fma(magnitude, inverse, half);
    let shifted = a.add(turns, shifter);
    let k = a.sub(shifted, shifter);
    let k = a.sub(k, half);
    let sine = sin_from(a, magnitude, k);
    let sign = parity_sign(a, shifted);
    let fast = flip(a, sine, sign);
    beyond_limit(a, SlowPath::Cos, magnitude, x, fast)
}

/// sin(x - kπ), that difference being at most a little over π/2.
fn sin_from<A: Arith>(a: &mut A, x: A::F, k: A::F) -> A::F {
    let mut r = x;
    for part in PI {
        let minus_part = a.f32(-part);
        r = a.fma(k, minus_part, r);
    }
    let square = a.mul(r, r);
    let factor = polynomial(a, square, &SIN);
    let cube = a.mul(square, r);
    a.fma(cube, factor, r)
}

/// The sign bit of (-1)^k, k being the integer in the low bits of `shifted`.
fn parity_sign<A: Arith>(a: &mut A, shifted: A::F) -> A::I {
    let bits = a.to_bits(shifted);
    a.shl(bits, 31)
}

/// x with its sign flipped where `sign` has the sign bit.
fn flip<A: Arith>(a: &mut A, x: A::F, sign: A::I) -> A::F {
    let bits = a.to_bits(x);
    let bits = a.ixor(bits, sign);
    a.from_bits(bits)
}

/// `fast`, or the slow path's answer for arguments beyond the limit. NaN stays on the fast path.
fn beyond_limit<A: Arith>(a: &mut A, path: SlowPath, magnitude: A::F, x: A::F, fast: A::F) -> A::F {
    let limit = a.f32(LIMIT);
    let large = a.lt(limit, magnitude);
    a.slow_path(path, large, x, fast)
}
