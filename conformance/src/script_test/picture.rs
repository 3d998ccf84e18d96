//! Pictures that tests draw.

use std::slice;

use attila_shader::draw::{ColourImage, DepthImage};
use attila_shader::machine::pipeline::ColourFormat;

use super::script::ProbeResult;

/// The results of a test.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Its probes, in their order.
    pub probes: Vec<ProbeResult>,
    /// Its targets in the end.
    pub targets: Vec<Picture>,
    /// The depths in the end, if there are any.
    pub depth: Option<DepthImage>,
}

impl Report {
    /// Whether all probes saw what they expected.
    pub fn passed(&self) -> bool {
        self.probes.iter().all(|probe| probe.mismatch.is_none())
    }
}

/// A target of a test.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    pixels: Pixels,
    /// Whether the first row is the lowest.
    rows_up: bool,
}

/// The pixels of a target, by what it keeps of a program's colours.
#[derive(Clone, PartialEq, Debug)]
enum Pixels {
    /// A byte for each channel.
    Bytes(ColourImage),
    /// Floats. Every NaN is the same one, as its sign and payload are unspecified.
    Floats(ColourImage),
    /// Words as they are. No format has them, so their lower and upper halves are floats in two images.
    Words([ColourImage; 2]),
}

impl Picture {
    /// A target with a byte for each channel, all 0.
    pub(super) fn bytes([width, height]: [u32; 2]) -> Picture {
        let image = ColourImage::new(ColourFormat::Rgba8, width, height);
        Picture {
            pixels: Pixels::Bytes(image),
            rows_up: false,
        }
    }

    /// A target with floats, all 0.
    pub(super) fn floats([width, height]: [u32; 2], rows_up: bool) -> Picture {
        let image = ColourImage::new(ColourFormat::Rgba32F, width, height);
        Picture {
            pixels: Pixels::Floats(image),
            rows_up,
        }
    }

    /// A target with words, all 0.
    pub(super) fn words([width, height]: [u32; 2]) -> Picture {
        let image = ColourImage::new(ColourFormat::Rgba32F, width, height);
        Picture {
            pixels: Pixels::Words([image.clone(), image]),
            rows_up: false,
        }
    }

    /// Whether it keeps words.
    pub(super) fn has_words(&self) -> bool {
        matches!(self.pixels, Pixels::Words(_))
    }

    /// The images that are drawn to: one, or those of the lower and the upper halves of words.
    pub(super) fn images(&mut self) -> &mut [ColourImage] {
        match &mut self.pixels {
            Pixels::Bytes(image) | Pixels::Floats(image) => slice::from_mut(image),
            Pixels::Words(halves) => halves,
        }
    }

    fn first(&self) -> &ColourImage {
        match &self.pixels {
            Pixels::Bytes(image) | Pixels::Floats(image) | Pixels::Words([image, _]) => image,
        }
    }

    /// Pixels in a row.
    pub fn width(&self) -> u32 {
        self.first().width()
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.first().height()
    }

    /// Makes all pixels have these words, or the floats of which they are the bits.
    pub(super) fn fill(&mut self, words: [u32; 4]) {
        match &mut self.pixels {
            Pixels::Bytes(image) => image.fill(to_bytes(words.map(f32::from_bits))),
            Pixels::Floats(image) => image.fill(words),
            Pixels::Words(halves) => {
                for (image, half) in halves.iter_mut().zip(Half::BOTH) {
                    image.fill(words.map(|word| half.of(word)));
                }
            }
        }
    }

    /// The words of a pixel, or the bits of its floats.
    pub(super) fn pixel(&self, [x, y]: [u32; 2]) -> [u32; 4] {
        let floats =
            |image: &ColourImage| -> [f32; 4] { image.pixel(x, y).expect("it is on the target") };
        match &self.pixels {
            Pixels::Bytes(_) => self.rgba([x, y]).map(|byte| f32::from(byte).to_bits()),
            Pixels::Floats(image) => floats(image).map(f32::to_bits),
            Pixels::Words([lower, upper]) => {
                let (lower, upper) = (floats(lower), floats(upper));
                std::array::from_fn(|channel| lower[channel] as u32 | (upper[channel] as u32) << 16)
            }
        }
    }

    /// A pixel with a byte for each channel: floats from 0 to 1, and the low bytes of words.
    pub(super) fn rgba(&self, [x, y]: [u32; 2]) -> [u8; 4] {
        match &self.pixels {
            Pixels::Bytes(image) => image.pixel(x, y).expect("it is on the target"),
            Pixels::Floats(_) => to_bytes(self.pixel([x, y]).map(f32::from_bits)),
            Pixels::Words(_) => self.pixel([x, y]).map(|word| word as u8),
        }
    }

    /// The pixels with a byte for each channel, rows from the top.
    pub fn pixels(&self) -> Vec<[u8; 4]> {
        let [width, height] = [self.width(), self.height()];
        let rows = (0..height).map(|row| match self.rows_up {
            true => height - 1 - row,
            false => row,
        });
        let places = rows.flat_map(|y| (0..width).map(move |x| [x, y]));
        places.map(|place| self.rgba(place)).collect()
    }
}

/// A half of a word, which every float format keeps.
#[derive(Clone, Copy)]
pub(super) enum Half {
    Lower,
    Upper,
}

impl Half {
    pub(super) const BOTH: [Half; 2] = [Half::Lower, Half::Upper];

    /// The bits of the float with the half's value.
    pub(super) fn of(self, word: u32) -> u32 {
        let half = match self {
            Half::Lower => word & 0xffff,
            Half::Upper => word >> 16,
        };
        (half as f32).to_bits()
    }
}

/// A colour as it is stored in a byte per channel.
pub(super) fn to_bytes(colour: [f32; 4]) -> [u8; 4] {
    // Where sums are whole numbers: rounds as `round_ties_even` does, which may be a call.
    const WHOLE: f32 = (1 << 23) as f32;
    colour.map(|channel| (channel.clamp(0.0, 1.0) * 255.0 + WHOLE - WHOLE) as u8)
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

    #[test]
    fn targets_of_words_keep_all_of_them() {
        let mut picture = Picture::words([1, 1]);
        let words = [0xffff_ffff, 0x7fc0_0001, 0x8000_0000, 0x1234_5678];
        picture.fill(words);
        assert_eq!(picture.pixel([0, 0]), words);
    }
}
