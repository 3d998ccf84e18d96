//! [`SampleWalk`]: the columns that an outline covers, row after row, for each sample.

use std::ops::Range;

use super::SUB;
use super::outline::{Outline, Point, first_centre};
use super::spans::Interval;
use super::walk::{Crossing, Edge, TwoEdges};

/// Sub-pixels of the unit of sample positions, a sixteenth of a pixel.
pub(super) const UNIT: i32 = SUB / 16;

/// Walks down the rows of an outline, at every sample of each pixel: a sample is where a centre would be
/// if the outline were moved the other way.
pub(super) struct SampleWalk<const N: usize> {
    samples: [Descent; N],
    /// The edge from the middle to the bottom.
    lower: Edge,
}

/// The way of one sample.
struct Descent {
    edges: TwoEdges,
    /// The rows in which it may be covered.
    rows: Range<i32>,
    /// The row in which the lower edge follows the upper one, if the way begins above.
    turn: i32,
    /// The place of the sample.
    moved: Point,
}

impl<const N: usize> SampleWalk<N> {
    /// A walk through `rows` at these positions.
    pub(super) fn new(
        outline: &Outline,
        rows: &Range<i32>,
        positions: &[[i8; 2]; N],
    ) -> SampleWalk<N> {
        let [top, middle, bottom] = outline.points;
        let edges = [(top, bottom), (top, middle), (middle, bottom)];
        let [long, upper, lower] = edges.map(|(upper, lower)| Edge::new(upper, lower));
        let descent = |[x, y]: [i8; 2]| {
            let moved = Point {
                x: i32::from(x) * UNIT,
                y: i32::from(y) * UNIT,
            };
            let first = |point: Point| first_centre(point.y - moved.y);
            let rows = first(top).max(rows.start)..first(bottom).min(rows.end);
            let turn = first(middle);
            // An edge without a row of its own may be horizontal, and is not asked for any.
            let (short, turn) = match rows.start < turn {
                true => (&upper, turn),
                false => (&lower, i32::MIN),
            };
            let crossing = |edge: &Edge| match rows.is_empty() {
                true => Crossing::default(),
                false => edge.crossing(rows.start, moved),
            };
            Descent {
                edges: TwoEdges {
                    long: crossing(&long),
                    short: crossing(short),
                    long_is_left: outline.long_is_left,
                },
                rows,
                turn,
                moved,
            }
        };
        SampleWalk {
            samples: positions.map(descent),
            lower,
        }
    }

    /// The columns covered in `row`, for each sample. Rows have to be asked for one after another, from
    /// the first of the walk or the one before it on.
    pub(super) fn row(&mut self, row: i32, columns: &Range<i32>) -> [Interval; N] {
        let mut intervals = [Interval::EMPTY; N];
        for (interval, sample) in intervals.iter_mut().zip(&mut self.samples) {
            if sample.rows.contains(&row) {
                if row == sample.turn {
                    sample.edges.short = self.lower.crossing(row, sample.moved);
                }
                *interval = sample.edges.next(columns);
            }
        }
        intervals
    }
}
