//! IEEE binary16: as pixels and texels are stored.

/// 2^112, the distance of the exponents of binary16 and binary32.
const REBIAS: f32 = f32::from_bits((112 + 127) << 23);

/// Exponent and fraction.
const MAGNITUDE: u16 = 0x7fff;
/// The exponent of infinities and NaNs.
const EXPONENT: u16 = 0x7c00;
const NAN: u16 = 0x7e00;

/// The value of a binary16, exactly.
///
/// Exponent and fraction move to their places in a binary32; the multiplication by a power of two,
/// exact for denormals too, corrects the exponent.
#[must_use]
pub fn to_f32(half: u16) -> f32 {
    let magnitude = half & MAGNITUDE;
    let value = f32::from_bits(u32::from(magnitude) << 13) * REBIAS;
    let special = if magnitude >= EXPONENT {
        0x7f80_0000
    } else {
        0
    };
    let sign = u32::from(half & !MAGNITUDE) << 16;
    f32::from_bits(value.to_bits() | special | sign)
}

/// The nearest binary16, ties to even; a NaN is 0x7e00.
#[must_use]
pub fn from_f32(value: f32) -> u16 {
    /// Between the largest binary16 and what would follow it.
    const OVERFLOW: f32 = 65_520.0;
    /// The smallest normal binary16.
    const NORMAL: f32 = f32::from_bits((127 - 14) << 23);
    /// Added to a value below `NORMAL`, it leaves the fraction of the denormal in the low bits.
    const SHIFTER: f32 = 0.5;
    let sign = (value.to_bits() >> 16) as u16 & !MAGNITUDE;
    let magnitude = value.abs();
    let bits = if magnitude.is_nan() {
        return NAN;
    } else if magnitude >= OVERFLOW {
        EXPONENT
    } else if magnitude < NORMAL {
        ((magnitude + SHIFTER).to_bits() - SHIFTER.to_bits()) as u16
    } else {
        let bits = magnitude.to_bits();
        let to_even = 0xfff + (bits >> 13 & 1);
        ((bits - (112 << 23) + to_even) >> 13) as u16
    };
    sign | bits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value by the definition of the format.
    fn defined(half: u16) -> f64 {
        let fraction = f64::from(half & 0x3ff);
        let magnitude = match half >> 10 & 31 {
            0 => fraction * 2f64.powi(-24),
            31 if fraction == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            exponent => (1.0 + fraction / 1024.0) * 2f64.powi(i32::from(exponent) - 15),
        };
        if half >> 15 == 0 {
            magnitude
        } else {
            -magnitude
        }
    }

    #[test]
    fn every_half_converts_exactly_and_back() {
        for half in 0..=u16::MAX {
            let (got, want) = (to_f32(half), defined(half));
            if want.is_nan() {
                assert!(got.is_nan());
                assert_eq!(from_f32(got), NAN);
            } else {
                assert_eq!(f64::from(got), want, "{half:#06x}");
                assert_eq!(got.is_sign_negative(), half >> 15 == 1);
                assert_eq!(from_f32(got), half);
            }
        }
    }

    #[test]
    fn what_lies_between_two_halves_goes_to_the_nearer_one_and_ties_to_the_even_one() {
        for half in 0..0x7bff {
            let middle = (to_f32(half) + to_f32(half + 1)) / 2.0;
            assert_eq!(from_f32(middle), half + (half & 1), "{half:#06x}");
            assert_eq!(from_f32(middle.next_down()), half);
            assert_eq!(from_f32(-middle.next_up()), 0x8000 | (half + 1));
        }
        assert_eq!(from_f32(65_519.9), 0x7bff);
        assert_eq!(from_f32(-65_520.0), 0xfc00);
        assert_eq!(from_f32(1e-30), 0);
    }
}
