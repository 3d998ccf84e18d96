//! [`SampleWalk`]: the columns that an outline covers, row after row, for each sample.

use std::ops::Range;

use attila_machine::{SAMPLES, SamplePositions};

use super::SUB;
use super::outline::{Outline, Point, first_centre};
use super::spans::Interval;
use super::walk::{Edge, TwoEdges};

/// Sub-pixels of the unit of sample positions, a sixteenth of a pixel.
const UNIT: i32 = SUB / 16;

/// Walks down the rows of an outline, at every sample of each pixel: a sample is where a centre would be
/// if the outline were moved the other way.
pub(super) struct SampleWalk {
    samples: [Option<Descent>; SAMPLES],
}

/// The way of one sample.
struct Descent {
    /// The rows in which it may be covered.
    rows: Range<i32>,
    /// The first row of the lower short edge.
    turn: i32,
    /// The lower short edge at that row, if the way begins above.
    lower: Option<(Edge, Point)>,
    edges: TwoEdges,
}

impl SampleWalk {
    /// A walk through `rows`.
    pub(super) fn new(
        outline: &Outline,
        rows: Range<i32>,
        positions: &SamplePositions,
    ) -> SampleWalk {
        let [top, middle, bottom] = outline.points;
        let edges = [(top, bottom), (top, middle), (middle, bottom)]
            .map(|(upper, lower)| Edge::new(upper, lower));
        let mut samples = [const { None }; SAMPLES];
        for (sample, [x, y]) in samples.iter_mut().zip(positions.positions()) {
            let moved = Point {
                x: i32::from(*x) * UNIT,
                y: i32::from(*y) * UNIT,
            };
            let first = |point: Point| first_centre(point.y - moved.y);
            let rows = first(top).max(rows.start)..first(bottom).min(rows.end);
            if rows.is_empty() {
                continue;
            }
            // An edge without a row of its own may be horizontal, and is not asked for any.
            let turn = first(middle);
            let [long, upper, lower] = &edges;
            let short = if rows.start < turn { upper } else { lower };
            *sample = Some(Descent {
                edges: TwoEdges {
                    long: long.crossing(rows.start, moved),
                    short: short.crossing(rows.start, moved),
                    long_is_left: outline.long_is_left,
                },
                lower: (rows.start < turn).then_some((*lower, moved)),
                rows,
                turn,
            });
        }
        SampleWalk { samples }
    }

    /// The columns covered in `row`, for each sample. Rows have to be asked for one after another, from
    /// the first of the walk or the one before it on.
    pub(super) fn row(&mut self, row: i32, columns: &Range<i32>) -> [Interval; SAMPLES] {
        self.samples.each_mut().map(|sample| match sample {
            Some(descent) if descent.rows.contains(&row) => descent.next(row, columns),
            Some(_) | None => Interval::EMPTY,
        })
    }
}

impl Descent {
    fn next(&mut self, row: i32, columns: &Range<i32>) -> Interval {
        if let Some((lower, moved)) = self.lower.filter(|_| row == self.turn) {
            self.edges.short = lower.crossing(row, moved);
        }
        self.edges.next(columns)
    }
}
