//! Which samples of a quad are left.

use attila_machine::pipeline::{Batch, Pipeline};
use attila_machine::{
    KILL_ALL, LANES, LaneMask, Lanes, NO_SAMPLE, QuadSamples, SampleCount, SamplePositions,
};

use super::pixel;

/// The samples of each lane that are left, bit n = sample n.
#[derive(Clone, Copy)]
pub(super) struct Alive(Lanes<u32>);

impl Alive {
    /// The covered samples of a quad, by its place in the batch's coverage.
    pub(super) fn covered(pipeline: &Pipeline, batch: &Batch<'_>, quad: usize) -> Alive {
        let all = pipeline.samples().all();
        if !pipeline.coverage {
            return Alive([all; LANES]);
        }
        let bytes = &batch.coverage[quad * pipeline.coverage_bytes()..];
        match pipeline.multisampling {
            None => Alive([0, 1, 2, 3].map(|lane| u32::from(bytes[0] >> lane & 1))),
            Some(_) => Alive([0, 1, 2, 3].map(|lane| {
                let word = u16::from_le_bytes([bytes[2 * lane], bytes[2 * lane + 1]]);
                u32::from(word) & all
            })),
        }
    }

    /// As the program sees them.
    pub(super) fn queried(
        &self,
        pipeline: &Pipeline,
        positions: &SamplePositions,
        own: Option<usize>,
    ) -> QuadSamples {
        QuadSamples {
            count: [pipeline.samples().count() as u32; LANES],
            coverage: self.0,
            own: [own.map_or(NO_SAMPLE, |own| own as u32); LANES],
            positions: positions.packed(),
        }
    }

    /// This sample alone.
    pub(super) fn only(self, sample: usize) -> Alive {
        Alive(self.0.map(|samples| samples & 1 << sample))
    }

    /// Those of each lane, bit n = sample n.
    pub(super) fn samples(&self) -> Lanes<u32> {
        self.0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; LANES]
    }

    /// The lanes of which a sample is left.
    pub(super) fn lanes(&self, sample: usize) -> LaneMask {
        LaneMask::from_lanes(self.0.map(|samples| samples >> sample & 1 != 0))
    }

    /// The lanes of which any sample is left.
    pub(super) fn any(&self) -> LaneMask {
        LaneMask::from_lanes(self.0.map(|samples| samples != 0))
    }

    /// Leaves only these lanes.
    pub(super) fn keep(&mut self, lanes: LaneMask) {
        self.each(|lane, samples| if lanes.has(lane) { samples } else { 0 });
    }

    /// Leaves a sample in only these lanes.
    pub(super) fn keep_of(&mut self, sample: usize, lanes: LaneMask) {
        self.each(|lane, samples| match lanes.has(lane) {
            true => samples,
            false => samples & !(1 << sample),
        });
    }

    /// Takes the samples that the program has killed. One sample is killed with the fragment.
    pub(super) fn kill(&mut self, killed: &Lanes<u32>, count: SampleCount) {
        self.each(|lane, samples| match count {
            SampleCount::One if killed[lane] == KILL_ALL => 0,
            SampleCount::One => samples,
            SampleCount::Two | SampleCount::Four | SampleCount::Eight | SampleCount::Sixteen => {
                samples & !killed[lane]
            }
        });
    }

    /// Takes the samples that alpha does not cover.
    pub(super) fn choose(&mut self, alphas: Lanes<f32>, count: SampleCount) {
        let count = count.count() as f32;
        self.each(|lane, samples| {
            let chosen = (pixel::unit(alphas[lane]) * count + 0.5).floor() as u32;
            samples & ((1 << chosen) - 1)
        });
    }

    /// The centroids: the centre where all samples are covered or none is, else the covered sample with
    /// the lowest number.
    pub(super) fn centroids(&self, positions: &SamplePositions) -> Lanes<[i16; 2]> {
        let all = positions.count().all();
        self.0.map(|samples| match samples {
            0 => [0, 0],
            _ if samples == all => [0, 0],
            _ => positions.positions()[samples.trailing_zeros() as usize].map(i16::from),
        })
    }

    fn each(&mut self, change: impl Fn(usize, u32) -> u32) {
        for (lane, samples) in self.0.iter_mut().enumerate() {
            *samples = change(lane, *samples);
        }
    }
}
