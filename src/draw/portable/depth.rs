//! The depth test.

use attila_machine::pipeline::{D24_ONE, DepthFormat, DepthSource, DepthTarget, Surfaces};
use attila_machine::{LANES, LaneMask, Lanes};

use super::{Place, pixel};
use crate::draw::history::DepthStep;
use crate::draw::quads::QuadView;

/// The depth test, and where the depths of fragments come from.
pub(super) struct Depths {
    pub(super) state: DepthTarget,
    pub(super) source: DepthSource,
}

impl Depths {
    /// The lanes of `asked` whose depth at a sample, on the plane of depth that of `plane`, is as the
    /// test wants it.
    pub(super) fn kept(
        &self,
        (quad, plane): (&QuadView<'_>, Lanes<f32>),
        (place, sample): (Place, usize),
        asked: LaneMask,
        surfaces: &mut Surfaces<'_>,
    ) -> LaneMask {
        let depths = self.depths(quad, plane, sample);
        let kept = |lane: &usize| {
            asked.has(*lane) && {
                let there = u32::from_le_bytes(*word(place.lane(*lane), sample, surfaces));
                self.holds(depths[*lane], there)
            }
        };
        (0..LANES).filter(kept).map(LaneMask::only).collect()
    }

    /// Stores the depths of the lanes that are kept.
    pub(super) fn store(
        &self,
        (quad, plane): (&QuadView<'_>, Lanes<f32>),
        (place, sample): (Place, usize),
        kept: LaneMask,
        surfaces: &mut Surfaces<'_>,
    ) {
        if !self.state.write {
            return;
        }
        let depths = self.depths(quad, plane, sample);
        for lane in (0..LANES).filter(|&lane| kept.has(lane)) {
            let stored = match self.state.format {
                DepthFormat::D32F => depths[lane].to_bits(),
                DepthFormat::D24 => to_d24(depths[lane]),
            };
            *word(place.lane(lane), sample, surfaces) = stored.to_le_bytes();
        }
    }

    /// What the test of a lane's sample compared. `kept` are the lanes that passed it.
    pub(super) fn step(
        &self,
        (quad, plane): (&QuadView<'_>, Lanes<f32>),
        (place, lane, sample): (Place, usize, usize),
        kept: LaneMask,
        surfaces: &mut Surfaces<'_>,
    ) -> DepthStep {
        let there = u32::from_le_bytes(*word(place.lane(lane), sample, surfaces));
        DepthStep {
            sample,
            depth: self.depths(quad, plane, sample)[lane],
            there: stored(self.state.format, there),
            passed: kept.has(lane),
        }
    }

    /// The depths of lanes at a sample, in [0, 1].
    fn depths(&self, quad: &QuadView<'_>, plane: Lanes<f32>, sample: usize) -> Lanes<f32> {
        let depths = match self.source {
            DepthSource::Plane => plane,
            DepthSource::Output => quad.outputs[0][2].map(f32::from_bits),
            DepthSource::Export => quad.depth[0].map(f32::from_bits),
            DepthSource::SampleExports => quad.depth[sample].map(f32::from_bits),
        };
        depths.map(pixel::unit)
    }

    /// Whether a depth compares as it should with the word that is stored.
    fn holds(&self, depth: f32, there: u32) -> bool {
        let compare = self.state.compare;
        match self.state.format {
            DepthFormat::D32F => compare.holds(depth, f32::from_bits(there)),
            DepthFormat::D24 => compare.holds(to_d24(depth), there & D24_ONE),
        }
    }
}

/// The depth that a word stores.
pub(in crate::draw) fn stored(format: DepthFormat, word: u32) -> f32 {
    match format {
        DepthFormat::D32F => f32::from_bits(word),
        DepthFormat::D24 => (word & D24_ONE) as f32 / D24_ONE as f32,
    }
}

/// A depth in [0, 1] as 24 bits.
fn to_d24(depth: f32) -> u32 {
    (depth * D24_ONE as f32).round_ties_even() as u32
}

/// The stored depth of a sample.
fn word<'w>(place: Place, sample: usize, surfaces: &'w mut Surfaces<'_>) -> &'w mut [u8; 4] {
    let surface = surfaces.depth.as_mut().expect("a depth test has a surface");
    let offset = place.offset(surface, DepthFormat::D32F.size());
    let bytes = surface.planes[sample][offset..].first_chunk_mut();
    bytes.expect("the pixel is within its surface")
}
