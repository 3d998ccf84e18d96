//! Comparing two pictures, within a tolerance.

use std::fmt;

use serde::Serialize;

/// One pixel in this many may be on the other side of an edge, which a kill or a comparison of the
/// program draws.
const EDGES: usize = 500;

/// Differences between two pictures.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub(crate) struct Agreement {
    pixels: usize,
    /// The tolerance of channels, in steps of 255.
    tolerance: u8,
    /// The largest difference of a channel in pixels that both have drawn, in steps of 255.
    worst: u8,
    /// Pixels with a channel beyond the tolerance.
    beyond: usize,
    /// Pixels that only one of the two has killed.
    killed_by_one: usize,
}

impl Agreement {
    /// Compares RGBA8 pictures. A pixel that is all 0 was killed.
    pub(crate) fn of(a: &[u8], b: &[u8], tolerance: u8) -> Agreement {
        let mut seen = Agreement {
            pixels: a.len() / 4,
            tolerance,
            ..Agreement::default()
        };
        for (a, b) in a.as_chunks::<4>().0.iter().zip(b.as_chunks::<4>().0) {
            let apart = apart(a, b);
            if apart > tolerance && (*a == [0; 4] || *b == [0; 4]) {
                seen.killed_by_one += 1;
            } else {
                seen.worst = seen.worst.max(apart);
                seen.beyond += usize::from(apart > tolerance);
            }
        }
        seen
    }

    /// True if the pictures are the same but for edges.
    pub(crate) fn is_close(&self) -> bool {
        (self.beyond + self.killed_by_one) * EDGES <= self.pixels
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
    fn a_picture_may_have_edges() {
        let a = vec![9; 4 * 1000];
        let mut b = a.clone();
        for (pixel, is_close) in [(0, true), (1, true), (2, false)] {
            b[4 * pixel] = 200;
            assert_eq!(Agreement::of(&a, &b, 2).is_close(), is_close);
        }
    }
}
