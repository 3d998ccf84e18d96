//! The depth test.

use attila_machine::pipeline::{D24_ONE, DepthFormat, DepthSource, DepthTarget, Surfaces};
use attila_machine::{LANES, LaneMask};

use super::{Place, pixel};
use crate::draw::quads::QuadView;

/// The depth test, and where the depths of fragments come from.
pub(super) struct Depths {
    pub(super) state: DepthTarget,
    pub(super) source: DepthSource,
}

impl Depths {
    /// The lanes of `asked` whose depth is as the test wants it.
    pub(super) fn kept(
        &self,
        quad: &QuadView<'_>,
        place: Place,
        asked: LaneMask,
        surfaces: &mut Surfaces<'_>,
    ) -> LaneMask {
        let kept = |lane: &usize| {
            asked.has(*lane) && {
                let there = u32::from_le_bytes(*word(place.lane(*lane), surfaces));
                self.holds(self.depth(quad, *lane), there)
            }
        };
        (0..LANES).filter(kept).map(LaneMask::only).collect()
    }

    /// Stores the depths of the lanes that are kept.
    pub(super) fn store(
        &self,
        quad: &QuadView<'_>,
        place: Place,
        kept: LaneMask,
        surfaces: &mut Surfaces<'_>,
    ) {
        for lane in (0..LANES).filter(|&lane| self.state.write && kept.has(lane)) {
            let stored = match self.state.format {
                DepthFormat::D32F => self.depth(quad, lane).to_bits(),
                DepthFormat::D24 => to_d24(self.depth(quad, lane)),
            };
            *word(place.lane(lane), surfaces) = stored.to_le_bytes();
        }
    }

    /// The depth of a lane, in [0, 1].
    fn depth(&self, quad: &QuadView<'_>, lane: usize) -> f32 {
        let bits = match self.source {
            DepthSource::Plane => quad.inputs[0][2][lane],
            DepthSource::Output => quad.outputs[0][2][lane],
            DepthSource::Export => quad.depth[0][lane],
        };
        pixel::unit(f32::from_bits(bits))
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

/// A depth in [0, 1] as 24 bits.
fn to_d24(depth: f32) -> u32 {
    (depth * D24_ONE as f32).round_ties_even() as u32
}

/// The stored depth of a pixel.
fn word<'w>(place: Place, surfaces: &'w mut Surfaces<'_>) -> &'w mut [u8; 4] {
    let surface = surfaces.depth.as_mut().expect("a depth test has a surface");
    let offset = place.offset(surface, DepthFormat::D32F.size());
    let bytes = surface.bytes[offset..].first_chunk_mut();
    bytes.expect("the pixel is within its surface")
}
