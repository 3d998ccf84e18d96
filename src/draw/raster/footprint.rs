//! [`Footprint`]: the fragments that a primitive covers.

use std::ops::Range;

use attila_machine::SamplePositions;

use super::block::Block;
use super::spans::Spans;
use super::{Area, Outline};

/// The fragments that a primitive covers, or a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Footprint {
    /// To be walked.
    Outline(Outline),
    /// Known, where the centre counts.
    Block(Block),
}

impl Footprint {
    /// The same, with so many more primitives before it.
    #[cfg(feature = "threads")]
    pub(super) fn behind(&self, primitives: u32) -> Footprint {
        match *self {
            Footprint::Outline(outline) => Footprint::Outline(outline.behind(primitives)),
            Footprint::Block(block) => Footprint::Block(block.behind(primitives)),
        }
    }

    /// The rows of `area` in which there may be fragments, never none.
    pub(super) fn rows(&self, area: &Area) -> Range<i32> {
        match self {
            Footprint::Outline(outline) => outline.rows(area),
            Footprint::Block(block) => block.rows(),
        }
    }

    /// Whether there may be long runs of quads that are covered as a whole.
    pub(crate) fn is_large(&self) -> bool {
        match self {
            Footprint::Outline(outline) => outline.is_large(),
            Footprint::Block(_) => false,
        }
    }

    /// Appends the spans of the fragments within `area`, row by row. Of a block, `area` has whole pairs of rows.
    pub(crate) fn spans(&self, area: &Area, spans: &mut Spans) {
        match self {
            Footprint::Outline(outline) => outline.spans(area, spans),
            Footprint::Block(block) => block.spans(&area.rows, spans),
        }
    }

    /// Appends the spans of the samples within `area`, row by row.
    pub(crate) fn sample_spans(&self, area: &Area, positions: &SamplePositions, spans: &mut Spans) {
        match self {
            Footprint::Outline(outline) => outline.sample_spans(area, positions, spans),
            Footprint::Block(_) => unreachable!("a block has no samples"),
        }
    }
}
