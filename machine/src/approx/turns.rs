//! Sine and cosine of turns: of 2π a.
//!
//! a - nearest(a) is exact for every f32, so large arguments need no path of their own. The rest is
//! folded to w in [-1/4, 1/4], where a single polynomial for sin 2πw serves both.
//!
//! sin 2πw = 4w + w (w² - 1/16) Q(w² - 1/16). The first term is exact. The second is 0 at a quarter
//! turn, where the sine is 4w = 1 to the bit, and makes 2π of 4 at w = 0: 4 has two bits of 2π, so
//! the 24 bits of the other term are enough there.

use super::polynomial;
use crate::arith::Arith;

/// A quarter turn, and its square.
const QUARTER: f32 = 0.25;
const SIXTEENTH: f32 = 0.0625;

/// Q: (sin(2πw)/w - 4)/z in z = w² - 1/16, |w| up to 1/4; degree 3, the relative error of the sine is
/// 0.10 · 2^-24.
///
/// Q(0) is a little above -32, where the slope at a quarter turn would be 0: the result is nowhere
/// above 1.
const Q: [f32; 4] = [-31.999_987, 68.174_835, -66.654_11, 39.660_927];

/// The sine of x turns: at most 2 ulp from the exact value for every finite x.
///
/// An odd number of quarter turns gives ±1, an even number the zero of x's sign; inf and NaN give
/// NaN.
pub fn sin_turns<A: Arith>(a: &mut A, x: A::F) -> A::F {
    let magnitude = a.abs(x);
    let whole = a.nearest(magnitude);
    let r = a.sub(magnitude, whole);

    // Beyond a quarter turn the sine is that of ±1/2 - r. At a half turn this is +0, like every r
    // that is 0: the sign of a zero is left to x.
    let sign = a.i32(i32::MIN);
    let half = a.i32(0.5f32.to_bits().cast_signed());
    let bits = a.to_bits(r);
    let bits = a.iand(bits, sign);
    let bits = a.ior(bits, half);
    let half = a.from_bits(bits);
    let other = a.sub(half, r);
    let distance = a.abs(r);
    let quarter = a.f32(QUARTER);
    let is_far = a.lt(quarter, distance);
    let w = a.select(is_far, other, r);
    let sine = sin_from(a, w);

    let bits = a.to_bits(x);
    let sign = a.iand(bits, sign);
    let bits = a.to_bits(sine);
    let bits = a.ixor(bits, sign);
    a.from_bits(bits)
}

/// The cosine of x turns: at most 2 ulp from the exact value for every finite x.
///
/// An even number of quarter turns gives ±1, an odd number +0; inf and NaN give NaN.
pub fn cos_turns<A: Arith>(a: &mut A, x: A::F) -> A::F {
    let whole = a.nearest(x);
    let r = a.sub(x, whole);
    let distance = a.abs(r);
    let quarter = a.f32(QUARTER);
    let w = a.sub(quarter, distance);
    sin_from(a, w)
}

/// sin 2πw, |w| up to 1/4.
fn sin_from<A: Arith>(a: &mut A, w: A::F) -> A::F {
    let minus_sixteenth = a.f32(-SIXTEENTH);
    let z = a.fma(w, w, minus_sixteenth);
    let q = polynomial(a, z, &Q);
    let factor = a.mul(z, q);
    let four = a.f32(4.0);
    let first = a.mul(w, four);
    a.fma(w, factor, first)
}
