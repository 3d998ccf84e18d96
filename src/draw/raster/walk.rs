//! [`Walk`]: the columns that an outline covers, row after row.

use std::ops::Range;

use super::SUB;
use super::guard::snapped;
use super::outline::{CENTRE, Outline, Point, first_centre};
use super::spans::Interval;

/// Walks down the rows of an outline, at the centre of each pixel.
pub(super) struct Walk {
    edges: TwoEdges,
    lower: [Point; 2],
    row: i32,
    /// The row from which on the short edge is that from the middle to the bottom.
    turn: i32,
}

impl Walk {
    /// A walk from `row` on, which is not above the outline.
    pub(super) fn new(outline: &Outline, row: i32) -> Walk {
        let [top, middle, bottom] = outline.points;
        let turn = first_centre(middle.y);
        let crossing =
            |upper: Point, lower: Point| Edge::new(upper, lower).crossing(row, Point::default());
        // The lower edge has to be divided for once, here or at the turn. An edge without a row of
        // its own may be horizontal.
        let (short, turn) = if row < turn {
            (crossing(top, middle), turn)
        } else {
            (crossing(middle, bottom), i32::MIN)
        };
        Walk {
            edges: TwoEdges {
                long: crossing(top, bottom),
                short,
                long_is_left: outline.long_is_left,
            },
            lower: [middle, bottom],
            row,
            turn,
        }
    }

    /// The columns covered in the current row; then goes to the next.
    pub(super) fn next(&mut self, columns: &Range<i32>) -> Interval {
        if self.row == self.turn {
            let [middle, bottom] = self.lower;
            self.edges.short = Edge::new(middle, bottom).crossing(self.row, Point::default());
        }
        self.row += 1;
        self.edges.next(columns)
    }
}

/// The edges that a row is between.
pub(super) struct TwoEdges {
    /// The edge from the top to the bottom.
    pub(super) long: Crossing,
    /// The edge from the top to the middle, or from there to the bottom.
    pub(super) short: Crossing,
    pub(super) long_is_left: bool,
}

impl TwoEdges {
    /// The columns covered in the current row; then goes to the next.
    pub(super) fn next(&mut self, columns: &Range<i32>) -> Interval {
        let (long, short) = (self.long.next(), self.short.next());
        let (left, right) = if self.long_is_left {
            (long, short)
        } else {
            (short, long)
        };
        Interval::new(left.max(columns.start), right.min(columns.end))
    }
}

/// An edge, from its upper end to its lower.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    upper: Point,
    dx: i64,
    dy: i64,
    divisor: i64,
    reciprocal: f64,
    column_step: i32,
    remainder_step: i64,
}

impl Edge {
    /// The edge from `upper` to `lower`. One that is horizontal crosses no row.
    pub(super) fn new(upper: Point, lower: Point) -> Edge {
        let [dx, dy] = [lower.x - upper.x, lower.y - upper.y].map(i64::from);
        let divisor = (dy * i64::from(SUB)).max(1);
        let reciprocal = 1.0 / divisor as f64;
        let (column_step, remainder_step) = match dy {
            0 => (0, 0),
            _ => divided(dx * i64::from(SUB), divisor, reciprocal),
        };
        Edge {
            upper,
            dx,
            dy,
            divisor,
            reciprocal,
            column_step,
            remainder_step,
        }
    }

    /// Where it crosses `row`, if centres are moved by that much.
    pub(super) fn crossing(&self, row: i32, moved: Point) -> Crossing {
        let down = i64::from(row * SUB + CENTRE + moved.y - self.upper.y);
        let across = i64::from(self.upper.x - CENTRE - moved.x);
        // With 29 bits for each difference this is less than 2^60. Rounded up, as the divisor is
        // positive.
        let dividend = across * self.dy + self.dx * down + (self.divisor - 1);
        let (column, remainder) = divided(dividend, self.divisor, self.reciprocal);
        Crossing {
            column,
            column_step: self.column_step,
            remainder,
            remainder_step: self.remainder_step,
            divisor: self.divisor,
        }
    }
}

/// Where an edge crosses a row of centres: the first column whose centre is there or to the right.
/// It is the first column inside a left edge, and the first outside a right one.
///
/// One division to begin with, none per row: the column is kept with the remainder.
#[derive(Default)]
pub(super) struct Crossing {
    column: i32,
    column_step: i32,
    remainder: i64,
    remainder_step: i64,
    divisor: i64,
}

impl Crossing {
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
    fn edges_cross_a_row_at_the_first_centre_that_is_not_left_of_them() {
        for (dy, dx, x) in (1..=4).flat_map(|dy| {
            let all = (-9..=9).flat_map(|dx| (0..SUB).map(move |x| (dx, x)));
            all.map(move |(dx, x)| (dy, dx, x))
        }) {
            for above in 0..dy {
                let upper = Point {
                    x,
                    y: CENTRE - above,
                };
                let lower = Point {
                    x: x + dx,
                    y: upper.y + dy,
                };
                let column = Edge::new(upper, lower).crossing(0, Point::default()).next();
                let is_left = |column: i32| (column * SUB + CENTRE - x) * dy < dx * above;
                assert!(
                    is_left(column - 1) && !is_left(column),
                    "{upper:?} {lower:?}"
                );
            }
        }
    }

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
