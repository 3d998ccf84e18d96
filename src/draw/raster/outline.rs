//! [`Outline`]: the fragments that a triangle covers.

use std::ops::Range;

use super::guard::snapped;
use super::spans::{Interval, Spans};
use super::{Area, SUB};

/// The distance of a pixel's centre from its upper left corner, in sub-pixels.
const CENTRE: i32 = SUB / 2;

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

/// The first column or row whose centres are at `position` or after it.
const fn first_centre(position: i32) -> i32 {
    (position + CENTRE - 1) >> SUB.trailing_zeros()
}

/// A triangle to be walked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outline {
    /// The vertices from the top down.
    points: [Point; 3],
    /// Whether the edge from the first point to the last is on the left.
    long_is_left: bool,
    /// The primitive it is a part of, or the first of them.
    primitive: u32,
    /// The row of the first pair of rows, if each pair is a separate primitive.
    pairs_from: Option<i32>,
}

impl Outline {
    /// The triangle, unless no centre of `area` can be inside. `cross` is that of the points, and
    /// not 0.
    pub(super) fn new(
        mut points: [Point; 3],
        cross: i64,
        primitive: u32,
        area: &Area,
    ) -> Option<Outline> {
        let columns = points.map(|point| point.x);
        let left = first_centre(columns[0].min(columns[1]).min(columns[2]));
        let right = first_centre(columns[0].max(columns[1]).max(columns[2]));
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
            primitive,
            pairs_from: None,
        };
        (!outline.rows(area).is_empty()).then_some(outline)
    }

    /// The same, with so many more primitives before it.
    #[cfg(feature = "threads")]
    pub(super) fn behind(&self, primitives: u32) -> Outline {
        Outline {
            primitive: self.primitive + primitives,
            ..*self
        }
    }

    /// The rows of `area` whose centres may be inside.
    pub(super) fn rows(&self, area: &Area) -> Range<i32> {
        let [top, _, bottom] = self.points;
        let first = first_centre(top.y).max(area.rows.start);
        first..first_centre(bottom.y).min(area.rows.end)
    }

    /// Appends the spans of the fragments within `area`, row by row.
    pub(crate) fn spans(&self, area: &Area, spans: &mut Spans) {
        self.pairs(area, |row, upper, lower| {
            let primitive = match self.pairs_from {
                Some(first) => self.primitive + (row - first).cast_unsigned() / 2,
                None => self.primitive,
            };
            spans.push(row, upper, lower, primitive);
        });
    }

    /// Makes a primitive of every pair of rows in `area`, from `primitive` on. Gives for each the
    /// leftmost and the rightmost pixel that is covered in one of the rows.
    pub(super) fn split(
        &mut self,
        area: &Area,
        primitive: u32,
        mut each: impl FnMut([[i32; 2]; 2]),
    ) {
        self.primitive = primitive;
        self.pairs_from = Some(self.rows(area).start & !1);
        self.pairs(area, |row, upper, lower| {
            let (row, covered) = if upper.is_empty() {
                (row + 1, lower)
            } else {
                (row, upper)
            };
            each(covered.ends().map(|column| [column, row]));
        });
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

/// Walks down the rows of an outline.
struct Walk {
    /// The edge from the top to the bottom.
    long: Crossing,
    /// The edge from the top to the middle, and from `turn` on that from the middle to the bottom.
    short: Crossing,
    lower: [Point; 2],
    row: i32,
    turn: i32,
    long_is_left: bool,
}

impl Walk {
    fn new(outline: &Outline, row: i32) -> Walk {
        let [top, middle, bottom] = outline.points;
        let turn = first_centre(middle.y);
        // The lower edge has to be divided for once, here or at the turn. An edge without a row of
        // its own may be horizontal.
        let (short, turn) = if row < turn {
            (Crossing::new(top, middle, row), turn)
        } else {
            (Crossing::new(middle, bottom, row), i32::MIN)
        };
        Walk {
            long: Crossing::new(top, bottom, row),
            short,
            lower: [middle, bottom],
            row,
            turn,
            long_is_left: outline.long_is_left,
        }
    }

    /// The columns covered in the current row; then goes to the next.
    fn next(&mut self, columns: &Range<i32>) -> Interval {
        if self.row == self.turn {
            let [middle, bottom] = self.lower;
            self.short = Crossing::new(middle, bottom, self.row);
        }
        self.row += 1;
        let (long, short) = (self.long.next(), self.short.next());
        let (left, right) = if self.long_is_left {
            (long, short)
        } else {
            (short, long)
        };
        Interval::new(left.max(columns.start), right.min(columns.end))
    }
}

/// Where an edge crosses a row of centres: the first column whose centre is there or to the right.
/// It is the first column inside a left edge, and the first outside a right one.
///
/// One division to begin with, none per row: the column is kept with the remainder.
struct Crossing {
    column: i32,
    column_step: i32,
    remainder: i64,
    remainder_step: i64,
    divisor: i64,
}

impl Crossing {
    /// The crossing of the line through `upper` and `lower`, which is not horizontal, in `row`.
    fn new(upper: Point, lower: Point, row: i32) -> Crossing {
        let [dx, dy] = [lower.x - upper.x, lower.y - upper.y].map(i64::from);
        let divisor = dy * i64::from(SUB);
        let down = i64::from(row * SUB + CENTRE - upper.y);
        // With 29 bits for each difference this is less than 2^60. Rounded up, as the divisor is
        // positive.
        let dividend = i64::from(upper.x - CENTRE) * dy + dx * down + (divisor - 1);
        let reciprocal = 1.0 / divisor as f64;
        let (column, remainder) = divided(dividend, divisor, reciprocal);
        let (column_step, remainder_step) = divided(dx * i64::from(SUB), divisor, reciprocal);
        Crossing {
            column,
            column_step,
            remainder,
            remainder_step,
            divisor,
        }
    }

    fn next(&mut self) -> i32 {
        let column = self.column;
        self.column += self.column_step;
        self.remainder += self.remainder_step;
        if self.remainder >= self.divisor {
            self.remainder -= self.divisor;
            self.column += 1;
        }
        column
    }
}

/// The quotient, rounded down, and the remainder. The quotient has to be within 32 bits, and the
/// divisor positive.
///
/// This is several times as fast as dividing integers of 64 bits. The product is off by far less than
/// 1/2, so that what it is rounded to is right, or 1 too much.
fn divided(dividend: i64, divisor: i64, reciprocal: f64) -> (i32, i64) {
    let quotient = snapped(dividend as f64 * reciprocal) as i32;
    let remainder = dividend - i64::from(quotient) * divisor;
    if remainder < 0 {
        (quotient - 1, remainder + divisor)
    } else {
        (quotient, remainder)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::*;

    #[test]
    fn quotients_and_remainders_are_those_of_whole_numbers() {
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        for round in 0..200_000 {
            let bits = dice.random_range(0..38);
            let divisor = dice.random_range(1..=1_i64 << bits);
            let quotient = dice.random_range(-(1_i64 << 21)..1 << 21);
            // Where rounding matters, and anywhere.
            let rest = match round % 4 {
                0 => 0,
                1 => divisor - 1,
                2 => 1.min(divisor - 1),
                _ => dice.random_range(0..divisor),
            };
            let dividend = quotient * divisor + rest;
            let (is, remains) = divided(dividend, divisor, 1.0 / divisor as f64);
            assert_eq!(
                (i64::from(is), remains),
                (quotient, rest),
                "{dividend} / {divisor}"
            );
        }
    }
}
