//! [`Bins`]: what each band of rows draws, sorted when triangles are set up.
//!
//! Of a small triangle these are its spans already; others are outlines, to be walked when the band is drawn.

use std::ops::Range;

use attila_machine::pipeline::Span;

use super::spans::pairs;
use super::{Area, Outline};

/// What a band draws, in the order of its triangles.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Bin {
    /// Spans, which lie in what is drawn.
    pub(crate) spans: Vec<Span>,
    /// The covered fragments of each quad of the spans, never none.
    pub(crate) coverage: Vec<u8>,
    /// Outlines, each with the number of spans before it.
    pub(crate) outlines: Vec<(u32, Outline)>,
}

impl Bin {
    fn clear(&mut self) {
        self.spans.clear();
        self.coverage.clear();
        self.outlines.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.spans.is_empty() && self.outlines.is_empty()
    }

    /// Appends the quads with fragments in a pair of rows: a bit for each column of either, from `x`, an even one, on.
    #[inline(always)]
    fn push(&mut self, [x, y]: [u32; 2], [upper, lower]: [u32; 2], primitive: u32) {
        let either = upper | lower;
        let left = (either | either >> 1) & 0x5555_5555;
        let mut quads = left | left << 1;
        while quads != 0 {
            let skipped = quads.trailing_zeros();
            let count = (quads >> skipped).trailing_ones() / 2;
            self.spans.push(Span {
                x: x + skipped,
                y,
                quads: count,
                primitive,
                first: self.coverage.len() as u32,
            });
            let [upper, lower] = [upper, lower].map(|row| u64::from(row >> skipped));
            let fragments = |row: u32| (pairs(upper >> row) | pairs(lower >> row) << 2).to_le_bytes();
            let first = self.coverage.len();
            self.coverage.extend_from_slice(&fragments(0));
            if count > 8 {
                self.coverage.extend_from_slice(&fragments(16));
            }
            self.coverage.truncate(first + count as usize);
            // The carry runs through the quads of the span.
            quads &= quads.wrapping_add(1 << skipped);
        }
    }
}

/// What each band draws.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bins {
    bands: Vec<Bin>,
    /// Rows of a band: two to the power of this.
    rows_log2: u32,
    /// Whether there are outlines with long runs of quads that are covered as a whole.
    pub(crate) has_large: bool,
}

impl Bins {
    /// Makes room for bands of `height` rows each, a power of two, down to the end of the area, and keeps the memory.
    pub(crate) fn clear(&mut self, area: &Area, height: u32) {
        self.rows_log2 = height.trailing_zeros();
        self.has_large = false;
        self.bands.iter_mut().for_each(Bin::clear);
        let bands = area.rows.end.cast_unsigned().div_ceil(height) as usize;
        if bands > self.bands.len() {
            self.bands.resize_with(bands, Bin::default);
        }
    }

    /// What a band draws.
    pub(crate) fn band(&self, band: usize) -> &Bin {
        &self.bands[band]
    }

    /// Whether no band draws anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.bands.iter().all(Bin::is_empty)
    }

    fn of(&self, row: i32) -> usize {
        (row.cast_unsigned() >> self.rows_log2) as usize
    }

    /// Appends a pair of rows of a small triangle, as bits of the columns from that of the first pixel on.
    #[inline(always)]
    pub(super) fn push(&mut self, [x, y]: [i32; 2], rows: [u32; 2], primitive: u32) {
        let band = self.of(y);
        let place = [x, y].map(i32::cast_unsigned);
        self.bands[band].push(place, rows, primitive);
    }

    /// Appends an outline to the bands of its rows, which are in this range.
    pub(super) fn push_outline(&mut self, outline: &Outline, rows: Range<i32>) {
        self.has_large |= outline.is_large();
        for band in self.of(rows.start)..=self.of(rows.end - 1) {
            let bin = &mut self.bands[band];
            bin.outlines.push((bin.spans.len() as u32, *outline));
        }
    }
}

impl Default for Bins {
    fn default() -> Bins {
        Bins {
            bands: Vec::new(),
            rows_log2: 0,
            has_large: false,
        }
    }
}
