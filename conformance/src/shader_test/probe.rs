//! Looking at pictures.

use std::fmt;

use super::command::{Place, Probe};
use super::{Line, WINDOW};
use attila_shader::draw::{ColourImage, DepthImage};

/// How far a probe of a pixel may be off.
const TOLERANCE: f32 = 0.01;

/// How many of 255 steps a probe of all pixels may be off.
const STEPS: u32 = 3;

/// A probe, and what it saw.
pub type ProbeResult = crate::script::ProbeResult<Mismatch>;

/// The value that was seen where another was expected, at the first such pixel from below.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch {
    /// The pixel.
    pub place: Place,
    /// Three or four components, or a depth.
    pub expected: Vec<f32>,
    /// As many.
    pub seen: Vec<f32>,
    /// How many pixels were looked at, and not what was expected.
    pub pixels: usize,
}

/// As `at (1, 2): expected 1 0 0 1, seen 1 0.502 0 1`.
impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {}", self.place)?;
        if self.pixels > 1 {
            write!(f, " and {} more pixels", self.pixels - 1)?;
        }
        write!(f, ": expected {}", Numbers(&self.expected))?;
        write!(f, ", seen {}", Numbers(&self.seen))
    }
}

/// Numbers to three places.
struct Numbers<'a>(&'a [f32]);

impl fmt::Display for Numbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, number) in self.0.iter().enumerate() {
            let blank = if index == 0 { "" } else { " " };
            write!(f, "{blank}{}", (number * 1000.0).round() / 1000.0)?;
        }
        Ok(())
    }
}

/// A colour as it is stored in a byte per channel.
pub(crate) fn to_bytes(colour: [f32; 4]) -> [u8; 4] {
    // Where sums are whole numbers: rounds as `round_ties_even` does, which may be a call.
    const WHOLE: f32 = (1 << 23) as f32;
    colour.map(|channel| (channel.clamp(0.0, 1.0) * 255.0 + WHOLE - WHOLE) as u8)
}

/// The picture that commands have drawn so far.
pub(super) struct Canvas {
    /// Floats; what is stored in bytes is made of them when it is looked at.
    pub(super) colour: ColourImage,
    pub(super) depth: DepthImage,
}

impl Canvas {
    /// The colour of a pixel, in bytes.
    pub(super) fn bytes(&self, place: Place) -> [u8; 4] {
        let colour = self.colour.pixel(place.x, place.y);
        to_bytes(colour.expect("probes are within the window"))
    }

    /// The value that a probe sees.
    pub(super) fn probe(&self, line: &Line, probe: &Probe) -> ProbeResult {
        let mismatch = match *probe {
            Probe::All(expected) => self.all(expected),
            Probe::Rgb(place, expected) => self.pixel(place, &expected),
            Probe::Rgba(place, expected) => self.pixel(place, &expected),
            Probe::Depth(place, expected) => {
                let seen: Option<f32> = self.depth.pixel(place.x, place.y);
                let seen = seen.expect("probes are within the window");
                let near = (seen - expected).abs() < TOLERANCE;
                (!near).then(|| Mismatch {
                    place,
                    expected: vec![expected],
                    seen: vec![seen],
                    pixels: 1,
                })
            }
        };
        line.probed(mismatch)
    }

    fn pixel(&self, place: Place, expected: &[f32]) -> Option<Mismatch> {
        let seen = self.bytes(place).map(fraction);
        let mut pairs = seen.iter().zip(expected);
        let near = pairs.all(|(seen, expected)| (seen - expected).abs() <= TOLERANCE);
        (!near).then(|| Mismatch {
            place,
            expected: expected.to_vec(),
            seen: seen[..expected.len()].to_vec(),
            pixels: 1,
        })
    }

    fn all(&self, expected: [f32; 4]) -> Option<Mismatch> {
        let bytes = expected.map(|channel| (channel * 255.0) as i32);
        let wrong = |pixel: &[u8; 16]| {
            let colour = bytemuck::pod_read_unaligned(pixel);
            let pairs = to_bytes(colour).into_iter().zip(bytes);
            pairs.fold(false, |wrong, (seen, expected)| {
                wrong | (i32::from(seen).abs_diff(expected) > STEPS)
            })
        };
        // Row by row from below, four floats each.
        let (pixels, _) = self.colour.bytes().as_chunks();
        let first = pixels.iter().position(wrong)?;
        let (x, y) = (first as u32 % WINDOW, first as u32 / WINDOW);
        let place = Place { x, y };
        Some(Mismatch {
            place,
            expected: expected.to_vec(),
            seen: self.bytes(place).map(fraction).to_vec(),
            pixels: pixels[first..].iter().filter(|pixel| wrong(pixel)).count(),
        })
    }
}

fn fraction(byte: u8) -> f32 {
    f32::from(byte) / 255.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_become_the_nearest_bytes_and_ties_the_even_ones() {
        let sweep = (0..=510 * 64).map(|n| n as f32 / (510.0 * 64.0));
        let beside = sweep.flat_map(|x| [x.next_down(), x, x.next_up()]);
        let odd = [-0.0, -1.0, 2.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
        for x in beside.chain(odd) {
            let expected = (x.clamp(0.0, 1.0) * 255.0).round_ties_even() as u8;
            assert_eq!(to_bytes([x; 4]), [expected; 4], "{x}");
        }
    }
}
