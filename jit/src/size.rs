//! Sizes of floats, as exponents of powers of two.

use crate::float::FloatFormat;

/// The grain of zero, infinities and NaN: more than that of any other float. A product with a factor of this grain
/// has more than any float has.
pub(crate) const WHOLE: i32 = 300;

/// The least size of numbers among which is zero: less than that of any other.
pub(crate) const NONE: i32 = -300;

const FRACTION: u32 = 0x007f_ffff;

const LEAST: i32 = FloatFormat::BINARY32.least();

/// The significand as an integer, and the exponent of its last bit; `None` for infinities and NaN.
const fn parts(bits: u32) -> Option<(u32, i32)> {
    match (bits >> 23 & 0xff) as i32 {
        0xff => None,
        0 => Some((bits & FRACTION, LEAST)),
        exponent => Some(((bits & FRACTION) | (FRACTION + 1), LEAST + exponent - 1)),
    }
}

/// The exponent of the greatest power of two that a float is a multiple of; [`WHOLE`] for zero and what is no number.
pub(crate) const fn grain(bits: u32) -> i32 {
    match parts(bits) {
        None | Some((0, _)) => WHOLE,
        Some((significand, last)) => last + significand.trailing_zeros() as i32,
    }
}

/// The exponent of the greatest power of two that is no greater than a float's magnitude; [`NONE`] for zero. What is
/// no number is as great as any.
pub(crate) const fn least(bits: u32) -> i32 {
    match parts(bits) {
        None => FloatFormat::BINARY32.above,
        Some((0, _)) => NONE,
        Some((significand, last)) => last + significand.ilog2() as i32,
    }
}

/// The exponent of the least power of two that a float's magnitude is below; [`NONE`] for zero, and [`WHOLE`] for what is
/// no number.
pub(crate) const fn most(bits: u32) -> i32 {
    match parts(bits) {
        None => WHOLE,
        Some((0, _)) => NONE,
        Some(_) => least(bits) + 1,
    }
}

/// Whether a float is a power of two, or one with a sign.
pub(crate) const fn is_power_of_two(bits: u32) -> bool {
    grain(bits) == least(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_exponents() {
        let of = |value: f32| (grain(value.to_bits()), least(value.to_bits()));
        let below = [0.0, -0.75, 1.0, f32::MAX, f32::NAN].map(|value| most(value.to_bits()));
        assert_eq!(below, [NONE, 0, 1, 128, WHOLE]);
        assert_eq!(of(1.0), (0, 0));
        assert_eq!(of(-0.75), (-2, -1));
        assert_eq!(of(96.0), (5, 6));
        assert_eq!(of(0.1), (-27, -4));
        assert_eq!(of(f32::MIN_POSITIVE), (-126, -126));
        assert_eq!(of(f32::from_bits(1)), (-149, -149));
        assert_eq!(of(f32::from_bits(6)), (-148, -147));
        assert_eq!(of(f32::MAX), (104, 127));
        assert_eq!(of(-0.0), (WHOLE, NONE));
        assert_eq!(of(f32::INFINITY), (WHOLE, 128));
        assert_eq!(of(f32::NAN), (WHOLE, 128));
    }
}
