//! [`FloatFormat`]: what the rewrites of lane IR know of floats.

use crate::size::least;

/// A format as IEEE 754 has them. Its floats are written as the floats of binary32 that they are equal to. Code computes with
/// [`FloatFormat::BINARY32`]; tests try all floats of formats of few bits, and all that the rewrites of lane IR know of
/// the format is derived from here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FloatFormat {
    /// Bits of a significand after the first.
    pub(crate) fraction_bits: i32,
    /// The exponent of the least power of two that is too great for a float.
    pub(crate) above: i32,
}

impl FloatFormat {
    pub(crate) const BINARY32: FloatFormat = FloatFormat {
        fraction_bits: f32::MANTISSA_DIGITS as i32 - 1,
        above: f32::MAX_EXP,
    };

    /// The exponent of the least float that is no denormal.
    pub(crate) const fn normal(self) -> i32 {
        2 - self.above
    }

    /// The exponent of the least float.
    pub(crate) const fn least(self) -> i32 {
        self.normal() - self.fraction_bits
    }

    /// The exponent of the last bit of the least root that is not zero.
    pub(crate) const fn root(self) -> i32 {
        self.least().div_euclid(2) - self.fraction_bits
    }

    /// A float of at least 2^n is not changed by adding less than 2 to the power of n minus this: half the distance to the
    /// next float, which is least below a power of two.
    pub(crate) const fn absorbs(self) -> i32 {
        self.fraction_bits + 2
    }

    /// Floats below 2 to this power have the square 0: it is less than half of the least float.
    pub(crate) const fn square_is_zero(self) -> i32 {
        (self.least() - 1).div_euclid(2)
    }

    /// The greatest factor that is joined with another: their product has to be a float.
    pub(crate) const fn greatest_joined(self) -> f32 {
        power_of_two(self.above / 8)
    }

    /// The least float that is no denormal.
    pub(crate) const fn min_positive(self) -> f32 {
        power_of_two(self.normal())
    }

    /// Whether a float is one, and no zero.
    pub(crate) const fn is_denormal(self, value: f32) -> bool {
        value != 0.0 && value.abs() < self.min_positive()
    }

    /// Whether a float is a number, and neither a denormal nor zero.
    pub(crate) const fn is_normal(self, value: f32) -> bool {
        let magnitude = value.abs();
        magnitude >= self.min_positive() && magnitude < power_of_two(self.above)
    }

    /// The float nearest to a result of binary32: the result of the same operation in this format, if that has so few bits
    /// that rounding twice makes no difference.
    pub(crate) fn round(self, value: f32) -> f32 {
        let is_exact = self == FloatFormat::BINARY32 || value == 0.0 || !value.is_finite();
        if is_exact {
            return value;
        }
        let last = least(value.to_bits()).max(self.normal()) - self.fraction_bits;
        let unit = power_of_two(last);
        let rounded = (value / unit).round_ties_even() * unit;
        if rounded.abs() < power_of_two(self.above) {
            rounded
        } else {
            f32::INFINITY.copysign(value)
        }
    }
}

/// A power of two that is no denormal of binary32, or the infinity after the last.
const fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits(((exponent + f32::MAX_EXP - 1) as u32) << (f32::MANTISSA_DIGITS - 1))
}

#[cfg(test)]
mod tests {
    use super::FloatFormat;

    #[test]
    fn binary32_has_the_limits_of_f32() {
        let format = FloatFormat::BINARY32;
        assert_eq!(f32::from_bits(1), f32::exp2(format.least() as f32));
        assert_eq!(format.min_positive(), f32::MIN_POSITIVE);
        let last_bit_of_root = f32::exp2(format.root() as f32);
        assert_eq!(f32::from_bits(1).sqrt() % last_bit_of_root, 0.0);
        assert_ne!(f32::from_bits(1).sqrt() % (2.0 * last_bit_of_root), 0.0);
        assert_eq!(format.absorbs(), 25);
        assert_eq!(format.square_is_zero(), -75);
        assert_eq!(format.greatest_joined(), 65536.0);
        for value in [
            f32::MIN_POSITIVE,
            -f32::MAX,
            f32::from_bits(1),
            0.0,
            f32::INFINITY,
        ] {
            assert_eq!(format.is_denormal(value), value.is_subnormal());
            assert_eq!(format.is_normal(value), value.is_normal());
            assert_eq!(format.round(value), value);
        }
    }
}
