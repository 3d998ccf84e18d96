//! sRGB's curve and its inverse (IEC 61966-2-1).

use super::{ex2, lg2, lit_power};
use crate::arith::Arith;

/// The linear value up to which the curve is a straight line.
const LINEAR_END: f32 = 0.003_130_8;
/// The same, encoded.
const ENCODED_END: f32 = 0.040_45;
const SLOPE: f32 = 12.92;
const SCALE: f32 = 1.055;
const OFFSET: f32 = 0.055;
const EXPONENT: f32 = 2.4;

/// A linear value in [0, 1], encoded; within 1e-6 of the exact value.
pub fn to_srgb<A: Arith>(a: &mut A, x: A::F) -> A::F {
    let (slope, scale) = (a.f32(SLOPE), a.f32(SCALE));
    let (offset, exponent) = (a.f32(-OFFSET), a.f32(1.0 / EXPONENT));
    let line = a.mul(x, slope);
    let log = lg2(a, x);
    let log = a.mul(log, exponent);
    let power = ex2(a, log);
    let curve = a.fma(power, scale, offset);
    let end = a.f32(LINEAR_END);
    let is_line = a.le(x, end);
    a.select(is_line, line, curve)
}

/// An encoded value in [0, 1], linear; within 1e-6 of the exact value, relatively.
pub fn from_srgb<A: Arith>(a: &mut A, x: A::F) -> A::F {
    let (slope, scale) = (a.f32(SLOPE), a.f32(SCALE));
    let (offset, exponent) = (a.f32(OFFSET), a.f32(EXPONENT));
    let line = a.div(x, slope);
    let sum = a.add(x, offset);
    let base = a.div(sum, scale);
    let curve = lit_power(a, base, exponent);
    let end = a.f32(ENCODED_END);
    let is_line = a.le(x, end);
    a.select(is_line, line, curve)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::HostLanes;

    fn encoded(x: f32) -> f32 {
        to_srgb(&mut HostLanes::<1>, [x])[0]
    }

    fn decoded(x: f32) -> f32 {
        from_srgb(&mut HostLanes::<1>, [x])[0]
    }

    fn exactly_encoded(x: f64) -> f64 {
        if x <= 0.003_130_8 {
            x * 12.92
        } else {
            1.055 * x.powf(1.0 / 2.4) - 0.055
        }
    }

    fn exactly_decoded(x: f64) -> f64 {
        if x <= 0.040_45 {
            x / 12.92
        } else {
            ((x + 0.055) / 1.055).powf(2.4)
        }
    }

    #[test]
    fn both_directions_are_close_to_the_exact_curve() {
        for step in 0..=100_000 {
            let x = step as f32 / 100_000.0;
            let error = f64::from(encoded(x)) - exactly_encoded(x.into());
            assert!(error.abs() < 1e-6, "{x} is encoded {error} off");
            let exact = exactly_decoded(x.into());
            let error = f64::from(decoded(x)) - exact;
            assert!(error.abs() <= 1e-6 * exact, "{x} is decoded {error} off");
        }
    }

    #[test]
    fn the_ends_are_exact() {
        assert_eq!([encoded(0.0), decoded(0.0), decoded(1.0)], [0.0, 0.0, 1.0]);
        assert!((encoded(1.0) * 255.0 - 255.0).abs() < 1e-4);
    }

    #[test]
    fn every_byte_comes_back() {
        for byte in 0..=255_u8 {
            let again = encoded(decoded(f32::from(byte) / 255.0)) * 255.0;
            assert_eq!(again.round_ties_even() as u8, byte);
        }
    }
}
