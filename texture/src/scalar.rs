//! The f32 steps that sampling is made of: each is one or two steps of [`attila_machine::arith`], so
//! that generated code can take the same ones.

use attila_machine::approx;
use attila_machine::arith::{HostLanes, number_or};

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
    // MIN would do so too, if compilers kept it that way where `high` is a constant.
    max(min(number_or(x, high), high), low)
}

/// The instruction LG2.
pub(crate) fn log2(x: f32) -> f32 {
    approx::lg2(&mut HostLanes::<1>, [x])[0]
}

/// x^y for x >= 0, by LIT's power. NaN for x < 0.
pub(crate) fn power(x: f32, y: f32) -> f32 {
    approx::lit_power(&mut HostLanes::<1>, [x], [y])[0]
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn limits_that_are_constants_keep_their_way_with_every_nan() {
        for nan in [0x7fc0_0000, 0x7f80_0001, 0xffc0_0000, 0xff80_0001] {
            let x = black_box(f32::from_bits(nan));
            assert_eq!(clamp_or_high(x, -3.0, 3.0), 3.0, "{nan:#x}");
            assert!(clamp(x, -3.0, 3.0).is_nan(), "{nan:#x}");
        }
        for x in black_box([-4.0, 0.5, 4.0]) {
            assert_eq!(clamp_or_high(x, -3.0, 3.0), clamp(x, -3.0, 3.0));
        }
    }
}
