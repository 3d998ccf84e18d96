//! The f32 steps that sampling is made of: each is one or two steps of [`attila_isa::arith`], so
//! that generated code can take the same ones.

use attila_isa::approx;
use attila_isa::arith::HostLanes;

/// The instruction MIN: `b` if either is NaN.
#[inline]
pub(crate) fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The instruction MAX: `b` if either is NaN.
#[inline]
pub(crate) fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// x between `low` and `high`; NaN stays NaN.
#[inline]
pub(crate) fn clamp(x: f32, low: f32, high: f32) -> f32 {
    min(high, max(low, x))
}

/// x between `low` and `high`; NaN becomes `high`.
#[inline]
pub(crate) fn clamp_or_high(x: f32, low: f32, high: f32) -> f32 {
    max(min(x, high), low)
}

/// The instruction LG2.
pub(crate) fn log2(x: f32) -> f32 {
    approx::lg2(&mut HostLanes::<1>, [x])[0]
}

/// x^y for x >= 0, by LIT's power. NaN for x < 0.
pub(crate) fn power(x: f32, y: f32) -> f32 {
    approx::lit_power(&mut HostLanes::<1>, [x], [y])[0]
}
