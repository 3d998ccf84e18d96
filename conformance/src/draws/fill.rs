//! The content of targets before a draw.

use attila_shader::machine::pipeline::{ColourFormat, D24_ONE, DepthFormat, Encoding};

use crate::dice::Dice;
use crate::recorder::{SplitMix, mix};
use crate::values;

/// The contents of a target before a draw, and the layout of its rows in memory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Fill {
    /// Bytes between a row and the next. There are none behind the last row.
    pub gap: usize,
    /// The seed of the pixels; 0: all bytes are 0.
    pub seed: u32,
}

impl Fill {
    /// Bytes from one row to the next.
    pub(super) fn pitch(self, width: u32, pixel: usize) -> usize {
        width as usize * pixel + self.gap
    }

    /// The memory of a colour target.
    pub(super) fn colours(self, format: ColourFormat, size: [u32; 2]) -> Vec<u8> {
        self.rows(size, format.size(), |dice, bytes| {
            for word in bytes.chunks_mut(4) {
                let filled = match format.fields()[0].encoding {
                    Encoding::Truncated | Encoding::Nearest | Encoding::Srgb => dice.word(),
                    Encoding::Half => half(dice) | half(dice) << 16,
                    Encoding::Float => float(dice),
                };
                word.copy_from_slice(&filled.to_le_bytes()[..word.len()]);
            }
        })
    }

    /// The memory of a depth target.
    pub(super) fn depths(self, format: DepthFormat, size: [u32; 2]) -> Vec<u8> {
        self.rows(size, format.size(), |dice, bytes| {
            // Round numbers are met by those of planes.
            let round = dice.percent(70);
            let unit = match round {
                true => dice.below(17) as f32 / 16.0,
                false => (dice.word() >> 8) as f32 / D24_ONE as f32,
            };
            let word = match format {
                DepthFormat::D32F if dice.percent(10) => values::float(dice),
                DepthFormat::D32F => unit.to_bits(),
                DepthFormat::D24 => {
                    let depth = (unit * D24_ONE as f32).round_ties_even() as u32;
                    depth | dice.pick(&[0, 0xff, 0x5a]) << 24
                }
            };
            bytes.copy_from_slice(&word.to_le_bytes());
        })
    }

    /// Pixels that follow from their place, so that they are the same in a smaller target.
    fn rows(
        self,
        [width, height]: [u32; 2],
        pixel: usize,
        fill: impl Fn(&mut Dice<'_>, &mut [u8]),
    ) -> Vec<u8> {
        let pitch = self.pitch(width, pixel);
        let mut bytes = vec![0; (pitch * height as usize).saturating_sub(self.gap)];
        if self.seed == 0 {
            return bytes;
        }
        for (y, row) in bytes.chunks_mut(pitch.max(1)).enumerate() {
            let (row, gap) = row.split_at_mut(width as usize * pixel);
            for (x, bytes) in row.chunks_exact_mut(pixel).enumerate() {
                let place = (x as u64) << 32 | y as u64;
                let mut rng = SplitMix(mix(place ^ mix(u64::from(self.seed))));
                fill(&mut Dice::new(&mut rng), bytes);
            }
            gap.fill(0xa5);
        }
        bytes
    }
}

/// A binary16, mostly an ordinary one.
fn half(dice: &mut Dice<'_>) -> u32 {
    match dice.below(8) {
        0 => dice.word() & 0xffff,
        1 => dice.pick(&[
            0, 0x8000, 0x3c00, 0x7c00, 0xfc00, 0x7e00, 0xfd55, 1, 0x3ff, 0x400,
        ]),
        2 => 0xb000 + (dice.word() & 0xfff),
        _ => 0x3000 + (dice.word() & 0xfff),
    }
}

/// A binary32, mostly an ordinary one.
fn float(dice: &mut Dice<'_>) -> u32 {
    if dice.percent(25) {
        values::float(dice)
    } else {
        dice.unit().to_bits()
    }
}
