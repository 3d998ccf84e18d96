//! [`Outline`]: the fragments that a triangle covers.

use std::ops::Range;

use attila_machine::SamplePositions;

use super::samples::SampleWalk;
use super::small::Near;
use super::spans::{Interval, Spans};
use super::walk::Walk;
use super::{Area, Rules, SUB};

/// The distance of a pixel's centre from its upper left corner, in sub-pixels.
pub(super) const CENTRE: i32 = SUB / 2;

/// Coordinates in sub-pixels are at most this, so that nothing below overflows 64 bits: 2^20
/// pixels.
pub(super) const LIMIT: i32 = 1 << 28;

/// A position in sub-pixels.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Point {
    pub(super) x: i32,
    pub(super) y: i32,
}

/// Twice the area of a triangle, in sub-pixels. Positive if its vertices follow the clock as seen
/// with the first row at the top.
pub(super) fn cross([a, b, c]: [Point; 3]) -> i64 {
    let [bx, by] = [b.x - a.x, b.y - a.y].map(i64::from);
    let [cx, cy] = [c.x - a.x, c.y - a.y].map(i64::from);
    bx * cy - by * cx
}

/// The first column or row whose centres are at `position` or after it. Where triangles are set up side by side,
/// positions of those that do not fit may be any numbers.
#[inline(always)]
pub(super) const fn first_centre(position: i32) -> i32 {
    position.wrapping_add(CENTRE - 1) >> SUB.trailing_zeros()
}

/// Does something with the positions as an array: code for each number of samples is several times as fast as
/// code for any.
macro_rules! for_count {
    ($all:expr, |$positions:ident| $body:expr) => {{
        let all = $all.positions();
        if let Some($positions) = all.as_array::<2>() {
            $body
        } else if let Some($positions) = all.as_array::<4>() {
            $body
        } else if let Some($positions) = all.as_array::<8>() {
            $body
        } else if let Some($positions) = all.as_array::<16>() {
            $body
        } else if let Some($positions) = all.first_chunk::<1>() {
            $body
        }
    }};
}

/// A triangle to be walked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outline {
    /// The vertices from the top down.
    pub(super) points: [Point; 3],
    /// Whether the edge from the first point to the last is on the left.
    pub(super) long_is_left: bool,
    /// How far from the centre a point of a pixel may be that counts, in sub-pixels.
    reach: i32,
    /// The primitive it is a part of, or the first of them.
    primitive: u32,
    /// The row of the first pair of rows, if each pair is a separate primitive.
    pairs_from: Option<i32>,
}

impl Outline {
    /// The triangle, unless no point of the pixels of `rules` can be inside. `cross` is that of the
    /// points, and not 0.
    pub(super) fn new(
        mut points: [Point; 3],
        cross: i64,
        primitive: u32,
        rules: &Rules,
    ) -> Option<Outline> {
        let (area, reach) = (&rules.drawn, rules.reach());
        let columns = points.map(|point| point.x);
        let left = first_centre(columns[0].min(columns[1]).min(columns[2]) - reach);
        let right = first_centre(columns[0].max(columns[1]).max(columns[2]) + reach);
        if left.max(area.columns.start) >= right.min(area.columns.end) {
            return None;
        }
        let mut clockwise = cross > 0;
        for (upper, lower) in [(0, 1), (1, 2), (0, 1)] {
            if points[upper].y > points[lower].y {
                points.swap(upper, lower);
                clockwise = !clockwise;
            }
        }
        let outline = Outline {
            points,
            long_is_left: clockwise,
            reach,
            primitive,
            pairs_from: None,
        };
        (!outline.rows(area).is_empty()).then_some(outline)
    }

    /// How far from the centre a point of a pixel may be that counts, in sub-pixels.
    pub(super) fn reach(&self) -> i32 {
        self.reach
    }

    /// The rows of `area` in which a point may be inside.
    pub(super) fn rows(&self, area: &Area) -> Range<i32> {
        let [top, _, bottom] = self.points;
        let first = first_centre(top.y - self.reach).max(area.rows.start);
        first..first_centre(bottom.y + self.reach).min(area.rows.end)
    }

    /// Whether there may be long runs of quads that are covered as a whole.
    pub(crate) fn is_large(&self) -> bool {
        const LEAST: i64 = (64 * SUB) as i64 * (64 * SUB) as i64;
        cross(self.points).abs() > LEAST
    }

    /// Appends the spans of the fragments within `area`, row by row.
    pub(crate) fn spans(&self, area: &Area, spans: &mut Spans) {
        self.pairs(area, |row, upper, lower| {
            spans.push(row, upper, lower, self.primitive_at(row));
        });
    }

    /// Appends the spans of the samples within `area`, row by row.
    pub(crate) fn sample_spans(&self, area: &Area, positions: &SamplePositions, spans: &mut Spans) {
        for_count!(positions, |positions| {
            match Near::new(self, area, positions) {
                Some(near) => near.vectorised_spans(|row| self.primitive_at(row), spans),
                None => self.sample_pairs(area, positions, |row, pair| {
                    spans.push_samples(row, pair, self.primitive_at(row));
                }),
            }
        });
    }

    /// The primitive of the pair of rows from `row` on.
    fn primitive_at(&self, row: i32) -> u32 {
        match self.pairs_from {
            Some(first) => self.primitive + (row - first).cast_unsigned() / 2,
            None => self.primitive,
        }
    }

    /// Makes a primitive of every pair of rows in `area`, from `primitive` on. Gives for each the
    /// leftmost and the rightmost pixel that is covered in one of the rows.
    pub(super) fn split(
        &mut self,
        rules: &Rules,
        primitive: u32,
        mut each: impl FnMut([[i32; 2]; 2]),
    ) {
        self.primitive = primitive;
        self.pairs_from = Some(self.rows(&rules.area).start & !1);
        let mut each = |row: i32, upper: Interval, lower: Interval| {
            let (row, covered) = if upper.is_empty() {
                (row + 1, lower)
            } else {
                (row, upper)
            };
            each(covered.ends().map(|column| [column, row]));
        };
        match &rules.positions {
            None => self.pairs(&rules.area, each),
            Some(positions) => for_count!(positions, |positions| {
                self.sample_pairs(&rules.area, positions, |row, pair| {
                    let [upper, lower] = pair.map(|samples| Interval::around(&samples));
                    each(row, upper, lower);
                });
            }),
        }
    }

    /// Walks pairs of rows, the upper of which are even: what is covered of either for each sample.
    fn sample_pairs<const N: usize>(
        &self,
        area: &Area,
        positions: &[[i8; 2]; N],
        mut each: impl FnMut(i32, [[Interval; N]; 2]),
    ) {
        let rows = self.rows(area);
        if rows.is_empty() {
            return;
        }
        let mut walk = SampleWalk::new(self, &rows, positions);
        for row in (rows.start & !1..rows.end).step_by(2) {
            each(row, [row, row + 1].map(|row| walk.row(row, &area.columns)));
        }
    }

    /// Walks pairs of rows, the upper of which are even: what is covered of either.
    fn pairs(&self, area: &Area, mut each: impl FnMut(i32, Interval, Interval)) {
        let rows = self.rows(area);
        if rows.is_empty() {
            return;
        }
        let mut walk = Walk::new(self, rows.start);
        let mut row = rows.start;
        if row % 2 != 0 {
            each(row - 1, Interval::EMPTY, walk.next(&area.columns));
            row += 1;
        }
        while row + 1 < rows.end {
            let upper = walk.next(&area.columns);
            each(row, upper, walk.next(&area.columns));
            row += 2;
        }
        if row < rows.end {
            each(row, walk.next(&area.columns), Interval::EMPTY);
        }
    }
}
