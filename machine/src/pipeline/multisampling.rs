//! The samples of a draw's pixels (drawing.md 7).

use super::Pipeline;
use crate::samples::SampleCount;

/// The point of a pixel at which an input is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Location {
    /// The centre.
    #[default]
    Centre,
    /// A covered point: the centre if all samples are covered or none is, else the covered sample with
    /// the lowest number. Samples that the draw's mask leaves out are not covered.
    Centroid,
    /// The sample. It makes the program run for each sample.
    Sample,
}

/// The properties of a draw whose pixels have several samples, or one that is not the whole pixel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Multisampling {
    /// Samples of a pixel: what spans cover.
    pub samples: SampleCount,
    /// Samples that targets store: as many, or one, which is kept if any is covered.
    pub stored: SampleCount,
    /// Whether the program runs for each sample, with inputs at its position, and not once for all.
    pub sample_shading: bool,
    /// Whether `o1.w` chooses samples, too: the first floor(a·N + 0.5) of N, a limited to [0, 1] and 1
    /// for a NaN.
    pub alpha_to_coverage: bool,
}

impl Pipeline {
    /// Samples of a pixel.
    pub fn samples(&self) -> SampleCount {
        self.multisampling.map_or(SampleCount::One, |it| it.samples)
    }

    /// Samples that targets store.
    pub fn stored(&self) -> SampleCount {
        self.multisampling.map_or(SampleCount::One, |it| it.stored)
    }

    /// Bytes of a quad's coverage in a [`Batch`](super::Batch). Without multisampling one: bit n = lane
    /// n. With it eight, a little-endian u64: 16 bits for each lane, lane 0 in the lowest, and in them
    /// bit n = sample n.
    pub fn coverage_bytes(&self) -> usize {
        match self.multisampling {
            None => size_of::<u8>(),
            Some(_) => size_of::<u64>(),
        }
    }
}
