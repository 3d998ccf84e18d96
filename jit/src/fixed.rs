//! The fixed-point arithmetic of FXMUL, FXMAD and FXMAD2 (numerics.md 9).
//!
//! ```text
//! input     sign and magnitude, 16.F bits      F = Bindings::fixed_bits
//! product   sign and magnitude, 32.2F bits     what the accumulator holds
//! ```
//!
//! Everything is exact until [`to_f32`]. Integer parts wrap where the format ends: an input's at
//! 2^16, a product's or a sum's at 2^32. Signs are separate from magnitudes: zero has one too.

use attila_machine::Fixed;

/// Finite inputs from here on are not converted but count as [`LARGE`]: ATTILA's shifter
/// ends.
const LARGE_FROM: f32 = 16_777_216.0;

/// The value that a finite input of at least [`LARGE_FROM`] counts as.
const LARGE: u64 = 32_767;

/// The magnitude of a converted input.
#[derive(Clone, Copy, PartialEq)]
enum Magnitude {
    /// In units of 2^-F, below 2^(16 + F).
    Finite(u64),
    /// Fills any format.
    Infinite,
}

impl Magnitude {
    /// The magnitude of any number but NaN.
    fn of(v: f32, bits: u32) -> Magnitude {
        let v = v.abs();
        if v.is_infinite() {
            Magnitude::Infinite
        } else if v >= LARGE_FROM {
            Magnitude::Finite(LARGE << bits)
        } else {
            // Scaling by a power of two is exact in f64, and the cast drops what is below the
            // last bit.
            let scaled = f64::from(v) * f64::from(1u32 << bits);
            Magnitude::Finite(scaled as u64 % (1 << (16 + bits)))
        }
    }
}

/// All bits of a product's magnitude.
const fn full(bits: u32) -> u64 {
    u64::MAX >> (32 - 2 * bits)
}

/// FXMUL: `a * b`. NaN makes it +0.
pub(crate) fn mul(a: f32, b: f32, bits: u32) -> Fixed {
    if a.is_nan() || b.is_nan() {
        return Fixed::default();
    }
    let magnitude = match (Magnitude::of(a, bits), Magnitude::of(b, bits)) {
        (Magnitude::Finite(0), _) | (_, Magnitude::Finite(0)) => 0,
        (Magnitude::Finite(a), Magnitude::Finite(b)) => a * b,
        (Magnitude::Infinite, _) | (_, Magnitude::Infinite) => full(bits),
    };
    Fixed {
        magnitude,
        negative: u64::from((a.to_bits() ^ b.to_bits()) >> 31),
    }
}

/// FXMAD2: `a * b + c`. NaN counts as +0.
pub(crate) fn mul_add(a: f32, b: f32, c: f32, bits: u32) -> Fixed {
    let summand = if c.is_nan() {
        Fixed::default()
    } else {
        Fixed {
            magnitude: match Magnitude::of(c, bits) {
                Magnitude::Finite(c) => c << bits,
                Magnitude::Infinite => full(bits),
            },
            negative: u64::from(c.to_bits() >> 31),
        }
    };
    add(mul(a, b, bits), summand, bits)
}

/// FXMAD: `a * b + accumulator` as f32.
pub(crate) fn result(a: f32, b: f32, accumulator: Fixed, bits: u32) -> f32 {
    to_f32(add(mul(a, b, bits), accumulator, bits), bits)
}

/// The larger one gives the sign, the first one if they are equal.
fn add(a: Fixed, b: Fixed, bits: u32) -> Fixed {
    let opposite = a.negative != b.negative;
    let negative = if opposite && b.magnitude > a.magnitude {
        b.negative
    } else {
        a.negative
    };
    let magnitude = if opposite {
        a.magnitude.abs_diff(b.magnitude)
    } else {
        a.magnitude.wrapping_add(b.magnitude) & full(bits)
    };
    Fixed {
        magnitude,
        negative,
    }
}

/// The integer part and the fraction, each rounded, and their sum rounded again.
fn to_f32(value: Fixed, bits: u32) -> f32 {
    let unit = 2.0f32.powi(-2 * bits.cast_signed());
    let whole = (value.magnitude >> (2 * bits)) as f32;
    let fraction = (value.magnitude % (1 << (2 * bits))) as f32 * unit;
    if value.negative == 0 {
        whole + fraction
    } else {
        -whole + -fraction
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use attila_machine::MAX_FIXED_BITS;

    const BITS: u32 = 8;

    fn product(a: f32, b: f32) -> f32 {
        to_f32(mul(a, b, BITS), BITS)
    }

    #[test]
    fn products_are_those_of_the_original() {
        let cases = [
            (1.5, 2.0, 3.0),
            (-2.25, 3.5, -7.875),
            (1.0 / 256.0, 1.0 / 256.0, 1.0 / 65536.0),
            (300.7, 300.7, f32::from_bits(0x47b0_9a03)),
            (0.3, 1.0, 0.296_875),
            (100_000.0, 1.0, 34_464.0),
            (70_000.5, 1.0, 4464.5),
            (2e7, 1.0, 32_767.0),
            (-0.001, 1.0, -0.0),
            (-1.7, 1.0, -1.699_218_8),
            (32_767.5, 1.0, 32_767.5),
            (-40_000.0, 1.0, -40_000.0),
            (f32::NAN, 1.0, 0.0),
            (1e-40, 1.0, 0.0),
        ];
        for (a, b, expected) in cases {
            assert_eq!(product(a, b).to_bits(), expected.to_bits(), "{a} * {b}");
        }
    }

    #[test]
    fn infinity_sets_all_bits_unless_it_meets_zero() {
        let all = Fixed {
            magnitude: 0xffff_ffff_ffff,
            negative: 1,
        };
        assert_eq!(mul(f32::NEG_INFINITY, 1e-2, BITS), all);
        assert_eq!(mul(f32::INFINITY, f32::NEG_INFINITY, BITS), all);
        assert_eq!(mul_add(0.0, 1.0, f32::NEG_INFINITY, BITS), all);
        assert_eq!(mul(f32::INFINITY, 1e-3, BITS), Fixed::default());
        assert_eq!(mul(f32::INFINITY, f32::NAN, BITS), Fixed::default());
    }

    #[test]
    fn sums_have_the_larger_magnitudes_sign_or_the_products() {
        let negative_zero = Fixed {
            magnitude: 0,
            negative: 1,
        };
        assert_eq!(mul_add(2.0, -3.0, 6.0, BITS), negative_zero);
        assert_eq!(mul_add(-2.0, -3.0, -6.0, BITS), Fixed::default());
        assert_eq!(mul_add(2.0, -3.0, 5.5, BITS), mul(-0.5, 1.0, BITS));
        assert_eq!(mul_add(2.0, -3.0, 7.0, BITS), mul(1.0, 1.0, BITS));
        assert_eq!(result(2.0, -3.0, mul(5.5, 1.0, BITS), BITS), -0.5);
        assert_eq!(result(0.5, 0.5, mul(0.0, -1.0, BITS), BITS), 0.25);
    }

    #[test]
    fn a_sum_wraps_at_the_end_of_its_integer_part() {
        let top = mul(65_535.0, 65_535.0, BITS);
        let sum = add(top, top, BITS);
        let expected = (2 * 65_535u64 * 65_535) % (1 << 32);
        assert_eq!(sum.magnitude >> (2 * BITS), expected);
    }

    #[test]
    fn any_number_of_fraction_bits_works() {
        for bits in 0..=MAX_FIXED_BITS {
            assert_eq!(to_f32(mul(-3.0, 5.0, bits), bits), -15.0, "{bits}");
            assert_eq!(
                to_f32(mul_add(40_000.0, 2.0, 1.0, bits), bits),
                80_001.0,
                "{bits}"
            );
        }
    }
}
