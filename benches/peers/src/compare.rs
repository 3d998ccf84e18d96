//! Comparing two pictures, within a tolerance.

use std::fmt;

use serde::Serialize;

/// One pixel in this many may be on the other side of an edge, which a kill or a comparison of the
/// program draws.
const EDGES: usize = 500;

/// Differences between two pictures.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub(crate) struct Agreement {
    /// Pixels that at least one of the two has drawn.
    pixels: usize,
    /// The tolerance of channels, in steps of 255, or of depths, in steps of 65535.
    tolerance: u8,
    /// The largest difference in pixels that both have drawn, in these steps.
    worst: u8,
    /// Pixels with a channel beyond the tolerance.
    beyond: usize,
    /// Pixels that only one of the two has killed, or not drawn.
    killed_by_one: usize,
}

impl Agreement {
    /// Compares RGBA8 pictures. A pixel that is all 0 was not drawn, or killed.
    pub(crate) fn of(a: &[u8], b: &[u8], tolerance: u8) -> Agreement {
        let pairs = a.as_chunks::<4>().0.iter().zip(b.as_chunks::<4>().0);
        let pairs = pairs.map(|(a, b)| ([a, b].map(|it| *it != [0; 4]), apart(a, b)));
        Agreement::of_pixels(pairs, tolerance)
    }

    /// Compares depths. A pixel with depth 1 was not drawn.
    pub(crate) fn of_depths(a: &[f32], b: &[f32], tolerance: u8) -> Agreement {
        let apart = |a: f32, b: f32| (65535.0 * (a - b).abs()).round() as u8;
        let pairs = a.iter().zip(b);
        let pairs = pairs.map(|(a, b)| ([a, b].map(|it| *it < 1.0), apart(*a, *b)));
        Agreement::of_pixels(pairs, tolerance)
    }

    /// Compares pixels: which of the two have drawn it, and how far apart they are.
    fn of_pixels(pixels: impl Iterator<Item = ([bool; 2], u8)>, tolerance: u8) -> Agreement {
        let mut seen = Agreement {
            tolerance,
            ..Agreement::default()
        };
        for (drawn, apart) in pixels {
            seen.pixels += usize::from(drawn != [false; 2]);
            if apart > tolerance && drawn != [true; 2] {
                seen.killed_by_one += 1;
            } else {
                seen.worst = seen.worst.max(apart);
                seen.beyond += usize::from(apart > tolerance);
            }
        }
        seen
    }

    /// Pixels that one or both have drawn, and those that differ.
    pub(crate) fn counts(&self) -> [usize; 2] {
        [self.pixels, self.beyond + self.killed_by_one]
    }

    /// True if the pictures are the same but for edges.
    pub(crate) fn is_close(&self) -> bool {
        let [pixels, different] = self.counts();
        different * EDGES <= pixels
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_close() {
            f.write_str("DIFFERENT: ")?;
        }
        match self.beyond {
            0 => write!(f, "within {}", self.worst)?,
            beyond => {
                let (tolerance, worst) = (self.tolerance, self.worst);
                write!(f, "{beyond} pixels beyond {tolerance}, by up to {worst}")?;
            }
        }
        match self.killed_by_one {
            0 => Ok(()),
            killed => write!(f, "; {killed} killed by one only"),
        }
    }
}

/// The largest difference of a channel.
fn apart(a: &[u8; 4], b: &[u8; 4]) -> u8 {
    let differences = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
    differences.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_that_one_has_killed_are_counted_apart() {
        let a = [1, 2, 3, 4, 0, 0, 0, 0, 9, 9, 9, 9];
        let b = [1, 4, 3, 4, 7, 7, 7, 7, 9, 9, 6, 9];
        let seen = Agreement::of(&a, &b, 2).to_string();
        assert_eq!(
            seen,
            "DIFFERENT: 1 pixels beyond 2, by up to 3; 1 killed by one only"
        );
    }

    #[test]
    fn depths_are_compared_where_something_was_drawn() {
        let a = [0.25, 0.5, 1.0, 1.0, 0.75];
        let b = [0.25, 0.5 + 3.0 / 65535.0, 0.5, 1.0, 0.75 - 2.0 / 65535.0];
        let seen = Agreement::of_depths(&a, &b, 2);
        assert_eq!(seen.counts(), [4, 2]);
        assert_eq!((seen.worst, seen.killed_by_one), (3, 1));
    }

    #[test]
    fn a_picture_may_have_edges() {
        let a = vec![9; 4 * 1000];
        let mut b = a.clone();
        for (pixel, is_close) in [(0, true), (1, true), (2, false)] {
            b[4 * pixel] = 200;
            assert_eq!(Agreement::of(&a, &b, 2).is_close(), is_close);
        }
    }
}
