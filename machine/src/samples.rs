//! Samples: the points of a pixel at which it is covered or not, and has a colour and a depth each.

use crate::quad::{LANES, Lanes};
use crate::state::SAMPLES;

/// The number of samples that a pixel has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum SampleCount {
    /// One, at the pixel's centre unless its position is set.
    #[default]
    One,
    /// Two.
    Two,
    /// Four.
    Four,
    /// Eight.
    Eight,
    /// Sixteen.
    Sixteen,
}

impl SampleCount {
    /// All of them, by their number.
    pub const ALL: [SampleCount; 5] = [
        SampleCount::One,
        SampleCount::Two,
        SampleCount::Four,
        SampleCount::Eight,
        SampleCount::Sixteen,
    ];

    /// The sample count of that number: 1, 2, 4, 8 or 16.
    pub fn of(count: usize) -> Option<SampleCount> {
        SampleCount::ALL.into_iter().find(|it| it.count() == count)
    }

    /// The number.
    pub const fn count(self) -> usize {
        match self {
            SampleCount::One => 1,
            SampleCount::Two => 2,
            SampleCount::Four => 4,
            SampleCount::Eight => 8,
            SampleCount::Sixteen => 16,
        }
    }

    /// The coverage of a pixel whose samples are all covered: bit n = sample n.
    pub const fn all(self) -> u32 {
        (1 << self.count()) - 1
    }
}

/// The positions of a pixel's samples, in 1/16 pixel from its centre, x to the right and y in the
/// raster's direction: -8 to 7.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SamplePositions {
    count: SampleCount,
    /// Those past the last are at the centre.
    positions: [[i8; 2]; SAMPLES],
}

/// The least and the greatest coordinate of a sample, in 1/16 pixel from the centre.
pub const SAMPLE_RANGE: [i8; 2] = [-8, 7];

impl Default for SamplePositions {
    fn default() -> Self {
        SamplePositions::standard(SampleCount::One)
    }
}

impl SamplePositions {
    /// The positions that Direct3D defines, and OpenGL drivers have (numerics.md 12).
    pub const fn standard(count: SampleCount) -> SamplePositions {
        const TWO: [[i8; 2]; 2] = [[4, 4], [-4, -4]];
        const FOUR: [[i8; 2]; 4] = [[-2, -6], [6, -2], [-6, 2], [2, 6]];
        const EIGHT: [[i8; 2]; 8] = [
            [1, -3],
            [-1, 3],
            [5, 1],
            [-3, -5],
            [-5, 5],
            [-7, -1],
            [3, 7],
            [7, -7],
        ];
        const SIXTEEN: [[i8; 2]; 16] = [
            [1, 1],
            [-1, -3],
            [-3, 2],
            [4, -1],
            [-5, -2],
            [2, 5],
            [5, 3],
            [3, -5],
            [-2, 6],
            [0, -7],
            [-4, -6],
            [-6, 4],
            [-8, 0],
            [7, -4],
            [6, 7],
            [-7, -8],
        ];
        let positions: &[[i8; 2]] = match count {
            SampleCount::One => &[[0, 0]],
            SampleCount::Two => &TWO,
            SampleCount::Four => &FOUR,
            SampleCount::Eight => &EIGHT,
            SampleCount::Sixteen => &SIXTEEN,
        };
        let mut standard = [[0; 2]; SAMPLES];
        standard
            .split_at_mut(positions.len())
            .0
            .copy_from_slice(positions);
        SamplePositions {
            count,
            positions: standard,
        }
    }

    /// These positions, as many as a pixel has samples. `None` if no pixel has as many, or one is
    /// outside of [`SAMPLE_RANGE`].
    pub fn new(positions: &[[i8; 2]]) -> Option<SamplePositions> {
        let count = SampleCount::of(positions.len())?;
        let [least, greatest] = SAMPLE_RANGE;
        let within = |coordinate: &i8| (least..=greatest).contains(coordinate);
        if !positions.as_flattened().iter().all(within) {
            return None;
        }
        let mut set = [[0; 2]; SAMPLES];
        set[..positions.len()].copy_from_slice(positions);
        Some(SamplePositions {
            count,
            positions: set,
        })
    }

    /// The number of samples.
    pub fn count(&self) -> SampleCount {
        self.count
    }

    /// The positions, sample by sample.
    pub fn positions(&self) -> &[[i8; 2]] {
        &self.positions[..self.count.count()]
    }

    /// The positions packed as programs see them: x in bits 0 to 15, y in bits 16 to 31, both with a
    /// sign. 0 past the last sample.
    pub fn packed(&self) -> [u32; SAMPLES] {
        self.positions
            .map(|position| packed_offset(position.map(i16::from)))
    }
}

/// [`QuadSamples::own`] of a program that does not run for one sample alone.
pub const NO_SAMPLE: u32 = u32::MAX;

/// The samples of a quad's pixels, as its program sees them (machine.md 3.9).
///
/// Without a draw there is one sample, all of it covered.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(16))]
pub struct QuadSamples {
    /// Samples of a pixel, the same in all lanes: 1, 2, 4, 8 or 16.
    pub count: Lanes<u32>,
    /// Covered samples of each lane, bit n = sample n; of a helper lane, none.
    pub coverage: Lanes<u32>,
    /// The sample that the program runs for, the same in all lanes; [`NO_SAMPLE`] if it runs for the
    /// whole pixel.
    pub own: Lanes<u32>,
    /// [Packed](SamplePositions::packed).
    pub positions: [u32; SAMPLES],
}

impl Default for QuadSamples {
    fn default() -> Self {
        QuadSamples {
            count: [1; LANES],
            coverage: [1; LANES],
            own: [NO_SAMPLE; LANES],
            positions: [0; SAMPLES],
        }
    }
}

/// The offset that a word [packs](SamplePositions::packed).
pub const fn offset_of_packed(word: u32) -> [i16; 2] {
    [
        (word as u16).cast_signed(),
        ((word >> 16) as u16).cast_signed(),
    ]
}

/// An offset as a word [packs](SamplePositions::packed) it.
pub const fn packed_offset([x, y]: [i16; 2]) -> u32 {
    x.cast_unsigned() as u32 | (y.cast_unsigned() as u32) << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_positions_are_in_range_and_no_two_are_the_same() {
        for count in SampleCount::ALL {
            let standard = SamplePositions::standard(count);
            let positions = standard.positions();
            assert_eq!(SamplePositions::new(positions), Some(standard));
            for (index, position) in positions.iter().enumerate() {
                assert!(!positions[..index].contains(position), "{count:?}: {index}");
            }
        }
    }

    #[test]
    fn positions_that_no_pixel_has_are_refused() {
        assert_eq!(SamplePositions::new(&[]), None);
        assert_eq!(SamplePositions::new(&[[0, 0]; 5]), None);
        assert_eq!(SamplePositions::new(&[[0, 0], [8, 0]]), None);
        assert_eq!(SamplePositions::new(&[[0, 0], [0, -9]]), None);
        assert!(SamplePositions::new(&[[-8, 7]; 16]).is_some());
    }

    #[test]
    fn packed_positions_have_signed_halves() {
        let packed = SamplePositions::standard(SampleCount::Two).packed();
        assert_eq!(packed[..3], [0x0004_0004, 0xfffc_fffc, 0]);
        for word in [0, 0xfffc_0004, 0x8000_7fff, u32::MAX] {
            assert_eq!(packed_offset(offset_of_packed(word)), word);
        }
    }

    #[test]
    fn all_samples_are_as_many_bits() {
        for count in SampleCount::ALL {
            assert_eq!(count.all().count_ones() as usize, count.count());
            assert_eq!(SampleCount::of(count.count()), Some(count));
        }
        assert_eq!(SampleCount::of(5), None);
    }
}
