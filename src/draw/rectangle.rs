//! Rectangles of pixels.

use std::ops::Range;

use attila_machine::pipeline::{Span, SpanError};

use super::bands::Shape;
use super::sink::{Coverage, FEWEST_WHOLE, Sink};

/// Pixels between edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rectangle {
    pub(crate) columns: Range<u32>,
    pub(crate) rows: Range<u32>,
}

impl Rectangle {
    /// The whole of a target.
    pub(crate) fn all([width, height]: [u32; 2]) -> Rectangle {
        Rectangle {
            columns: 0..width,
            rows: 0..height,
        }
    }

    /// The part of the rectangle in these columns and rows.
    pub(crate) fn intersection(&self, columns: Range<i64>, rows: Range<i64>) -> Rectangle {
        let both = |a: &Range<u32>, b: Range<i64>| {
            let inside = |at: i64| at.clamp(a.start.into(), a.end.into()) as u32;
            let start = inside(b.start);
            start..inside(b.end).max(start)
        };
        Rectangle {
            columns: both(&self.columns, columns),
            rows: both(&self.rows, rows),
        }
    }

    pub(crate) fn pixels(&self) -> u64 {
        self.columns.len() as u64 * self.rows.len() as u64
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.columns.is_empty() || self.rows.is_empty()
    }

    /// The fragments of the quad at (x, y) that are inside, bit n = lane n.
    pub(crate) fn mask(&self, x: u32, y: u32) -> u8 {
        row_mask(&self.rows, y) & column_mask(&self.columns, x)
    }
}

/// The lanes of a quad whose upper row is `y` that are in `rows`.
fn row_mask(rows: &Range<u32>, y: u32) -> u8 {
    let upper = if rows.contains(&y) { 0b0011 } else { 0 };
    upper | if rows.contains(&(y + 1)) { 0b1100 } else { 0 }
}

/// The lanes of a quad whose left column is `x` that are in `columns`.
fn column_mask(columns: &Range<u32>, x: u32) -> u8 {
    let left = if columns.contains(&x) { 0b0101 } else { 0 };
    left | if columns.contains(&(x + 1)) {
        0b1010
    } else {
        0
    }
}

/// A rectangle to be drawn.
pub(crate) struct Filled {
    area: Rectangle,
}

impl Filled {
    /// `area`, within a target of that size. Pixels beyond an odd-sized target's edge do not
    /// matter, so the area may go as far as that, and most have no need of coverage.
    pub(crate) fn new(mut area: Rectangle, [width, height]: [u32; 2]) -> Filled {
        if area.columns.end == width {
            area.columns.end = width.next_multiple_of(2);
        }
        if area.rows.end == height {
            area.rows.end = height.next_multiple_of(2);
        }
        Filled { area }
    }

    /// Whether there are spans without coverage.
    pub(crate) fn has_whole(&self) -> bool {
        !self.whole_columns().is_empty() && !whole(&self.area.rows).is_empty()
    }

    /// Whether there are spans with coverage.
    pub(crate) fn has_masked(&self) -> bool {
        let Rectangle { columns, rows } = &self.area;
        let edges = [columns.start, columns.end, rows.start, rows.end];
        edges.iter().any(|edge| edge % 2 != 0) || self.whole_columns().is_empty()
    }

    /// The columns between ragged ends; none if they are too few.
    fn whole_columns(&self) -> Range<u32> {
        let columns = whole(&self.area.columns);
        if columns.len() >= 2 * FEWEST_WHOLE as usize {
            columns
        } else {
            0..0
        }
    }

    /// The span of the quads in `columns`.
    fn span(columns: &Range<u32>, y: u32) -> Span {
        Span {
            x: columns.start,
            y,
            quads: columns.len() as u32 / 2,
            ..Span::default()
        }
    }

    /// All quads of a row, with coverage.
    fn ragged_row(&self, y: u32, sink: &mut Sink<'_, '_>) -> Result<(), SpanError> {
        let mut masks = [0; 64];
        let columns = touched(&self.area.columns);
        for start in columns.clone().step_by(2 * masks.len()) {
            let columns = start..columns.end.min(start + 2 * masks.len() as u32);
            let span = Filled::span(&columns, y);
            let masks = &mut masks[..span.quads as usize];
            for (x, mask) in columns.step_by(2).zip(&mut *masks) {
                *mask = self.area.mask(x, y);
            }
            sink.push(span, Coverage::Masks(masks))?;
        }
        Ok(())
    }

    /// The quads at the ends of a row of which only one column is covered.
    fn ragged_ends(&self, y: u32, sink: &mut Sink<'_, '_>) -> Result<(), SpanError> {
        let Range { start, end } = self.area.columns;
        let left = (start % 2 != 0).then_some(start - start % 2);
        let right = (end % 2 != 0).then_some(end - 1);
        for x in left.into_iter().chain(right) {
            let mask = self.area.mask(x, y);
            sink.push(Filled::span(&(x..x + 2), y), Coverage::Masks(&[mask]))?;
        }
        Ok(())
    }
}

impl Shape for Filled {
    fn cover<'s>(&'s self, rows: Range<u32>, sink: &mut Sink<'s, '_>) -> Result<(), SpanError> {
        let touched = touched(&self.area.rows);
        let rows = rows.start.max(touched.start)..rows.end.min(touched.end);
        let (whole_rows, whole_columns) = (whole(&self.area.rows), self.whole_columns());
        for y in rows.step_by(2) {
            if whole_rows.contains(&y) && !whole_columns.is_empty() {
                sink.push(Filled::span(&whole_columns, y), Coverage::Whole)?;
                self.ragged_ends(y, sink)?;
            } else {
                self.ragged_row(y, sink)?;
            }
        }
        Ok(())
    }
}

/// From the first even place in `range` to the last.
fn whole(range: &Range<u32>) -> Range<u32> {
    range.start.next_multiple_of(2)..range.end - range.end % 2
}

/// `range` widened to even places.
fn touched(range: &Range<u32>) -> Range<u32> {
    range.start - range.start % 2..range.end.next_multiple_of(2)
}
