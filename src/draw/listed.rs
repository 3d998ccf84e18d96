//! Lists of quads, for renderers with their own rasteriser.

use std::ops::Range;

use attila_machine::pipeline::{Span, SpanError};
use attila_machine::{LaneMask, Lanes};

use super::bands::{BAND_ROWS, Shape};
use super::coverage::{self, CoverageFormat};
use super::error::DrawError;
use super::rectangle::Rectangle;
use super::sink::{Coverage, Sink};

/// The covered part of a quad: fragments, or samples of each.
pub trait QuadCoverage: Copy + Sync {
    /// The covered samples of each lane, bit n = sample n. Samples that pixels do not have do not matter.
    fn samples(self) -> Lanes<u16>;
}

impl QuadCoverage for LaneMask {
    /// All of the lanes in the set.
    fn samples(self) -> Lanes<u16> {
        self.to_lanes().map(|lane| if lane { u16::MAX } else { 0 })
    }
}

impl QuadCoverage for Lanes<u16> {
    fn samples(self) -> Lanes<u16> {
        self
    }
}

/// 2x2 pixels to be shaded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Quad<C = LaneMask> {
    /// Column of the left pixels, an even number.
    pub x: u32,
    /// Row of the upper pixels, an even number.
    pub y: u32,
    /// The fragments to keep, or their samples.
    pub coverage: C,
}

/// 2x2 pixels to be shaded, with the samples to keep of each lane, bit n = sample n.
pub type SampleQuad = Quad<Lanes<u16>>;

/// A list of quads, sorted into bands.
#[derive(Default)]
pub(crate) struct Listed {
    /// The part of each quad's coverage within the area, as batches have it.
    coverage: Vec<u8>,
    /// Places in the list, band by band, each in the order of the list.
    order: Vec<u32>,
    /// Where each band begins in `order`, and the end.
    starts: Vec<u32>,
}

impl Listed {
    /// Sorts the quads, as far as they are within `area`.
    pub(super) fn sort<C: QuadCoverage>(
        &mut self,
        quads: &[Quad<C>],
        area: &Rectangle,
        format: CoverageFormat,
    ) -> Result<(), DrawError> {
        let odd = quads.iter().position(|quad| (quad.x | quad.y) % 2 != 0);
        if let Some(index) = odd {
            let Quad { x, y, .. } = quads[index];
            return Err(DrawError::OddQuad { index, x, y });
        }
        self.coverage.clear();
        for quad in quads {
            let inside = LaneMask::from_bits_truncate(area.mask(quad.x, quad.y));
            let kept = coverage::joined(quad.coverage.samples()) & coverage::of_lanes(inside);
            format.push(kept, &mut self.coverage);
        }
        let bytes = format.bytes();
        let covered = |coverage: &[u8]| coverage.iter().any(|byte| *byte != 0);
        // A counting sort.
        let bands = area.rows.end.div_ceil(BAND_ROWS) as usize;
        self.starts.clear();
        self.starts.resize(bands + 1, 0);
        let band = |quad: &Quad<C>| (quad.y / BAND_ROWS) as usize;
        for (quad, coverage) in quads.iter().zip(self.coverage.chunks_exact(bytes)) {
            if covered(coverage) {
                self.starts[band(quad)] += 1;
            }
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.order.clear();
        self.order.resize(end as usize, 0);
        // From the end of each band to its start, so the list is gone through backwards.
        for (index, quad) in quads.iter().enumerate().rev() {
            if covered(&self.coverage[index * bytes..][..bytes]) {
                let place = &mut self.starts[band(quad)];
                *place -= 1;
                self.order[*place as usize] = index as u32;
            }
        }
        Ok(())
    }

    /// The part of each quad's coverage within the area, in the order of the list.
    pub(crate) fn coverage(&self) -> &[u8] {
        &self.coverage
    }

    /// The quads that have been sorted.
    pub(crate) fn shape<'a, C: QuadCoverage>(&'a self, quads: &'a [Quad<C>]) -> impl Shape + 'a {
        ListedQuads {
            quads,
            listed: self,
        }
    }
}

struct ListedQuads<'a, C> {
    quads: &'a [Quad<C>],
    listed: &'a Listed,
}

impl<C: QuadCoverage> Shape for ListedQuads<'_, C> {
    fn cover<'s>(&'s self, rows: Range<u32>, sink: &mut Sink<'s, '_>) -> Result<(), SpanError> {
        let band = (rows.start / BAND_ROWS) as usize;
        let [from, to] = [band, band + 1].map(|band| self.listed.starts[band] as usize);
        // Neighbours in the list that are neighbours in a row are one span.
        let mut pending: Option<Span> = None;
        for &index in &self.listed.order[from..to] {
            let Quad { x, y, .. } = self.quads[index as usize];
            if let Some(span) = &mut pending {
                let next = (span.x + 2 * span.quads, span.y, span.first + span.quads);
                if next == (x, y, index) {
                    span.quads += 1;
                    continue;
                }
                sink.push(*span, Coverage::Listed)?;
            }
            pending = Some(Span {
                x,
                y,
                quads: 1,
                first: index,
                ..Span::default()
            });
        }
        pending.map_or(Ok(()), |span| sink.push(span, Coverage::Listed))
    }
}
