//! LIT's power, and POW's.
//!
//! y^w = 2^(w · log2 y). An absolute error in the exponent is a relative one in the result, and the
//! exponent may be as large as 150: so the logarithm and the product are carried in two f32 each.
//! log2 y = e + log2((1+s)/(1-s)) with s = (m-1)/(m+1), a series in s² that converges quickly; only
//! its first two terms need two parts.

use super::exp::{LOWEST, clamp, power_of_parts, split_even};
use super::{log, polynomial};
use crate::arith::Arith;

/// 2/ln 2, the first coefficient of log2((1+s)/(1-s)) = 2/ln 2 · (s + s³/3 + s⁵/5 + …), in two
/// parts.
const FIRST: [f32; 2] = [2.885_39, 3.851_926e-8];
/// 2/(3 ln 2), the second, in two parts.
const SECOND: [f32; 2] = [0.961_796_7, -7.028_462e-9];
/// The coefficients from s⁵ on, in s², |s| up to (√2-1)/(√2+1); degree 2, the relative error of the
/// whole logarithm is below 2^-36.
const TAIL: [f32; 3] = [0.577_080_2, 0.411_849_92, 0.337_820_83];

/// An unevaluated sum of two f32, the second at most half an ulp of the first.
type Double<A> = (<A as Arith>::F, <A as Arith>::F);

/// x^y, at most 2 ulp from the exact value for all x >= 0 and all y.
///
/// 1 for y = ±0, whatever x is; otherwise NaN if an operand is NaN or x is below 0; otherwise as C's
/// `pow`, where -0 counts as +0.
pub fn pow<A: Arith>(a: &mut A, x: A::F, y: A::F) -> A::F {
    let power = lit_power(a, x, y);
    // The product of the logarithm of 1 and infinity is NaN.
    let one = a.f32(1.0);
    let (of_one, is_number) = (a.eq(x, one), a.eq(y, y));
    let is_one = a.both(of_one, is_number);
    a.select(is_one, one, power)
}

/// y^w for y >= 0 or NaN and |w| <= 128, at most 2 ulp from the exact value.
///
/// Special values are those of C's `pow`: y^0 = 1 for every y, NaN included; 0^w is inf for w < 0
/// and 0 for w > 0; inf^w the other way round.
pub fn lit_power<A: Arith>(a: &mut A, y: A::F, w: A::F) -> A::F {
    let (high, low) = log2_double(a, y);
    let t = a.mul(w, high);
    let minus_t = a.neg(t);
    let t_low = a.fma(w, high, minus_t);
    let t_low = a.fma(w, low, t_low);
    let power = ex2_double(a, (t, t_low));
    let (zero, one) = (a.f32(0.0), a.f32(1.0));
    let no_power = a.eq(w, zero);
    a.select(no_power, one, power)
}

/// log2 y in two parts; infinite or NaN in the first part where y is not positive and finite.
fn log2_double<A: Arith>(a: &mut A, y: A::F) -> Double<A> {
    let (e, m) = log::split(a, y);
    let s = atanh_argument(a, m);
    let factor = atanh_factor(a, s);
    let (high, low) = multiply(a, s, factor);
    let (sum, rest) = fast_two_sum(a, e, high);
    let low = a.add(rest, low);
    (log::special(a, y, sum), low)
}

/// s = (m - 1)/(m + 1) in two parts.
fn atanh_argument<A: Arith>(a: &mut A, m: A::F) -> Double<A> {
    let (one, two) = (a.f32(1.0), a.f32(2.0));
    let top = a.sub(m, one);
    let (bottom, bottom_low) = fast_two_sum(a, two, top);
    let inverse = a.div(one, bottom);
    let s = a.mul(top, inverse);
    let minus_s = a.neg(s);
    let rest = a.fma(minus_s, bottom, top);
    let rest = a.fma(minus_s, bottom_low, rest);
    (s, a.mul(rest, inverse))
}

/// log2((1+s)/(1-s)) / s in two parts.
fn atanh_factor<A: Arith>(a: &mut A, s: Double<A>) -> Double<A> {
    let square = multiply(a, s, s);
    let tail = polynomial(a, square.0, &TAIL);
    let tail = a.mul(tail, square.0);
    let second = add_constant(a, SECOND, (tail, None));
    let product = multiply(a, square, second);
    add_constant(a, FIRST, (product.0, Some(product.1)))
}

/// `c` + x where |c| >= |x|, in two parts.
fn add_constant<A: Arith>(a: &mut A, c: [f32; 2], x: (A::F, Option<A::F>)) -> Double<A> {
    let (high, c_low) = (a.f32(c[0]), a.f32(c[1]));
    let (sum, mut rest) = fast_two_sum(a, high, x.0);
    if let Some(x_low) = x.1 {
        rest = a.add(rest, x_low);
    }
    (sum, a.add(rest, c_low))
}

/// x · y, without the product of the low parts.
fn multiply<A: Arith>(a: &mut A, x: Double<A>, y: Double<A>) -> Double<A> {
    let high = a.mul(x.0, y.0);
    let minus_high = a.neg(high);
    let low = a.fma(x.0, y.0, minus_high);
    let low = a.fma(x.0, y.1, low);
    (high, a.fma(x.1, y.0, low))
}

/// x + y and its rounding error, exactly, if |x| >= |y| or x = 0.
fn fast_two_sum<A: Arith>(a: &mut A, x: A::F, y: A::F) -> Double<A> {
    let sum = a.add(x, y);
    let y_part = a.sub(sum, x);
    (sum, a.sub(y, y_part))
}

/// 2 to the power of a sum of two f32.
fn ex2_double<A: Arith>(a: &mut A, x: Double<A>) -> A::F {
    let t = clamp(a, x.0, LOWEST, 129.0);
    // Infinities have nothing useful in the second part.
    let unclamped = a.eq(t, x.0);
    let zero = a.f32(0.0);
    let low = a.select(unclamped, x.1, zero);
    let (scale, f) = split_even(a, t);
    let f = a.add(f, low);
    power_of_parts(a, scale, f)
}
