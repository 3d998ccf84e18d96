//! Binary16.

/// Bits of binary32 that are 2^-14, the smallest normal binary16.
const SMALLEST_NORMAL: u32 = 0x3880_0000;
/// 2^16, from which on everything is infinite.
const TOO_LARGE: u32 = 0x4780_0000;
const INFINITY: u32 = 0x7f80_0000;
/// The difference of the exponents' biases, in place.
const REBIAS: u32 = (127 - 15) << 23;
const NAN: u16 = 0x7e00;

/// The nearest binary16, ties to even; a NaN is 0x7e00.
pub(super) fn from_f32(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let magnitude = bits & !(1 << 31);
    let rounded = if magnitude > INFINITY {
        return NAN;
    } else if magnitude >= TOO_LARGE {
        0x7c00
    } else if magnitude >= SMALLEST_NORMAL {
        // Half of the last place, minus the correction that makes ties even; a carry goes into the
        // exponent, up to infinity.
        let odd = magnitude >> 13 & 1;
        ((magnitude - REBIAS + 0xfff + odd) >> 13) as u16
    } else {
        // Denormals are multiples of 2^-24; the product is exact.
        (value.abs() * 16_777_216.0).round_ties_even() as u16
    };
    sign | rounded
}

/// As binary32, exactly.
pub(super) fn to_f32(half: u16) -> f32 {
    let magnitude = u32::from(half & 0x7fff);
    let value = match magnitude >> 10 {
        0 => magnitude as f32 / 16_777_216.0,
        31 => f32::from_bits(INFINITY | (magnitude & 0x3ff) << 13),
        _ => f32::from_bits((magnitude << 13) + REBIAS),
    };
    if half >> 15 == 0 { value } else { -value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_binary16_comes_back() {
        for half in 0..=u16::MAX {
            let value = to_f32(half);
            if value.is_nan() {
                assert_eq!(from_f32(value), NAN);
            } else {
                assert_eq!(from_f32(value), half, "{half:#06x} is {value}");
            }
        }
    }

    #[test]
    fn what_lies_between_goes_to_the_nearer_one_and_ties_to_even() {
        for half in 0..0x7bff_u16 {
            let [low, high] = [half, half + 1].map(|half| f64::from(to_f32(half)));
            let middle = ((low + high) / 2.0) as f32;
            assert_eq!(from_f32(middle), half + half % 2, "{middle}");
            assert_eq!(from_f32(middle.next_down()), half);
            assert_eq!(from_f32(-middle.next_up()), 0x8000 | (half + 1));
        }
        assert_eq!(from_f32(65519.996), 0x7bff);
        assert_eq!(from_f32(65520.0), 0x7c00);
        assert_eq!(from_f32(-1e30), 0xfc00);
        assert_eq!(from_f32(f32::from_bits(1)), 0);
    }
}
