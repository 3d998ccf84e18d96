//! Anchors: the points that planes start from.
//!
//! Engines subtract them from the centres of pixels, and expect the difference to be exact. So
//! they become multiples of 1/256 as far as 2^15 from the corner of the targets, and of twice as
//! much whenever the distances may be twice as large, up to 1/2: that is where f32 ends. In a picture
//! that is larger than a target, distances may be larger, and planes are moved to a point that fits them.

use super::MAX_SIZE;
use super::error::DrawError;

/// The farthest that an anchor may be from the upper left corner of the targets, in pixels along either
/// axis.
pub const MAX_ANCHOR: f32 = (1 << 24) as f32;

/// Numbers of 24 bits reach this far, as a multiple of their last place.
const REACH: u32 = 1 << 24;

/// An anchor as draws keep it.
///
/// # Errors
///
/// It is too far away, or not a number.
pub(super) fn snapped(anchor: [f32; 2]) -> Result<[f32; 2], DrawError> {
    // Written so that a NaN fails.
    if anchor.iter().all(|at| at.abs() <= MAX_ANCHOR) {
        Ok(anchor.map(|at| rounded(at, at.abs().ceil() as u32 + MAX_SIZE)))
    } else {
        Err(DrawError::Anchor { at: anchor })
    }
}

/// The nearest multiple of 1/256, or of as much more as distances up to `farthest` need.
fn rounded(at: f32, farthest: u32) -> f32 {
    let last_place = farthest.next_power_of_two() as f32 / REACH as f32;
    let unit = last_place.clamp(1.0 / 256.0, 0.5);
    // Exact, as the unit is a power of two.
    (at / unit).round_ties_even() * unit
}

/// The point next to a snapped anchor from which distances within a picture are exact: mostly itself.
pub(super) fn near(anchor: [f32; 2], picture: [u32; 2]) -> [f32; 2] {
    std::array::from_fn(|axis| {
        let side = picture[axis].max(MAX_SIZE);
        let last = (REACH / 2 - side) as f32;
        let at = anchor[axis].clamp(-last, last);
        let away = at.abs().ceil() as u32;
        rounded(
            at,
            if at < 0.0 {
                away + side
            } else {
                away.max(side)
            },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::MAX_PICTURE;
    use super::*;

    #[test]
    fn distances_from_near_anchors_to_all_centres_are_exact() {
        let mut at = 1.0_f32 / 3.0;
        while at <= MAX_ANCHOR {
            for anchor in [at, -at, at.ceil()] {
                let snapped = snapped([anchor; 2]).unwrap();
                for side in [1, MAX_SIZE, MAX_SIZE + 1, 50_000, MAX_PICTURE] {
                    let [near, _] = near(snapped, [side; 2]);
                    for column in [0, 1, 2, 77, 16_383, side - 1].map(|it| it.min(side - 1)) {
                        let centre = column as f32 + 0.5;
                        let exact = f64::from(centre) - f64::from(near);
                        assert_eq!(f64::from(centre - near), exact, "{centre} from {near}");
                    }
                }
            }
            at *= 1.37;
        }
    }

    #[test]
    fn whole_anchors_are_kept() {
        for at in [0, 1, 32_768, 32_769, 65_535, 1_000_001, 8_388_607, 1 << 24] {
            let at = at as f32;
            assert_eq!(snapped([at, -at]).unwrap(), [at, -at]);
        }
    }

    #[test]
    fn anchors_are_kept_where_distances_fit() {
        for (at, side) in [
            (0.25, MAX_SIZE),
            (-8_322.004, MAX_SIZE),
            (65_535.99, MAX_PICTURE),
        ] {
            let snapped = snapped([at; 2]).unwrap();
            assert_eq!(near(snapped, [side; 2]), snapped);
        }
        let snapped = snapped([-8_322.004; 2]).unwrap();
        assert_eq!(snapped, [-8_322.0 - 1.0 / 256.0; 2]);
        assert_eq!(
            near(snapped, [MAX_SIZE, MAX_PICTURE]),
            [snapped[0], -8_322.0]
        );
    }
}
