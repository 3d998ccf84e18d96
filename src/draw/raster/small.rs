//! [`Near`]: the samples that a small outline covers, quad by quad.
//!
//! Walking along edges costs a division for each edge and sample before the first row, and a few steps for
//! each row. An outline of a few quads is faster tested at every sample of the rectangle around it, all lanes
//! of a quad at once, with values of edges that fit 32 bits.

use std::ops::Range;

use attila_machine::LANES;
use attila_machine::pipeline::Span;

use super::outline::{CENTRE, Outline, Point, first_centre};
use super::samples::UNIT;
use super::spans::Spans;
use super::{Area, SUB};
use crate::processor::{Vectorised, vectorised};

/// Pixels along either side of the rectangle around an outline that is small. With 40 and more, walking along
/// edges is faster. The values of edges would fit up to 64.
const MOST: i32 = 32;

/// The values of an edge: positive on the inside, and less by 1 where points on the edge do not count. So 0 is
/// inside.
struct Half<const N: usize> {
    /// The value at the centre of a quad's first pixel.
    first: i32,
    /// By how much it grows from quad to quad.
    right: i32,
    /// By how much it grows from one pair of rows to the next.
    down: i32,
    /// What has to be added for each sample of each lane.
    places: [[i32; LANES]; N],
}

/// The edges between points that follow the clock, from the quad of a pixel on.
fn halves<const N: usize>(
    around: [Point; 3],
    pixel: [i32; 2],
    positions: &[[i8; 2]; N],
) -> [Half<N>; 3] {
    let [x, y] = pixel.map(|pixel| pixel * SUB + CENTRE);
    let [a, b, c] = around;
    [[a, b], [b, c], [c, a]].map(|edge| Half::new(edge, Point { x, y }, positions))
}

impl<const N: usize> Half<N> {
    /// The edge from one point to another, with the clock around the outline, beginning at a point.
    fn new([from, to]: [Point; 2], first: Point, positions: &[[i8; 2]; N]) -> Half<N> {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        // Left edges go up, and those with the inside below go to the right.
        let counts = dy < 0 || dy == 0 && dx > 0;
        let value = |x: i32, y: i32| dx * y - dy * x;
        let lanes = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[x, y]| value(x * SUB, y * SUB));
        Half {
            first: value(first.x - from.x, first.y - from.y) - i32::from(!counts),
            right: value(2 * SUB, 0),
            down: value(0, 2 * SUB),
            places: positions.map(|[x, y]| {
                let sample = value(i32::from(x) * UNIT, i32::from(y) * UNIT);
                lanes.map(|lane| lane + sample)
            }),
        }
    }
}

/// A small outline, at every sample of each pixel.
pub(super) struct Near<const N: usize> {
    halves: [Half<N>; 3],
    /// Rows of pixels, and columns of quads.
    rows: Range<i32>,
    quads: Range<i32>,
    /// The samples within the area, of the first and of the last quad of a row.
    ends: [u64; 2],
}

impl<const N: usize> Near<N> {
    /// The outline within `area`; `None` if it is not small.
    pub(super) fn new(outline: &Outline, area: &Area, positions: &[[i8; 2]; N]) -> Option<Near<N>> {
        let [top, middle, bottom] = outline.points;
        let least = top.x.min(middle.x).min(bottom.x);
        let most = top.x.max(middle.x).max(bottom.x);
        if most - least > MOST * SUB || bottom.y - top.y > MOST * SUB {
            return None;
        }
        let rows = outline.rows(area);
        let left = first_centre(least - outline.reach()).max(area.columns.start);
        let right = first_centre(most + outline.reach()).min(area.columns.end);
        let quads = left >> 1..(right + 1) >> 1;
        let around = match outline.long_is_left {
            true => [top, middle, bottom],
            false => [top, bottom, middle],
        };
        Some(Near {
            halves: halves(around, [2 * quads.start, rows.start & !1], positions),
            rows,
            ends: [
                if left % 2 == 0 { ALL } else { !LEFT },
                if right % 2 == 0 { ALL } else { LEFT },
            ],
            quads,
        })
    }

    /// Appends the spans of its samples, row by row, by code for the processor's vectors.
    pub(super) fn vectorised_spans(self, primitive_at: impl Fn(i32) -> u32, spans: &mut Spans) {
        vectorised(Test {
            near: self,
            primitive_at,
            spans,
        });
    }

    /// Appends the spans of its samples, row by row.
    #[inline(always)]
    fn spans(self, primitive_at: impl Fn(i32) -> u32, spans: &mut Spans) {
        let Near {
            mut halves,
            rows,
            quads,
            ends: [first, last],
        } = self;
        for row in (rows.start & !1..rows.end).step_by(2) {
            let mut within = ALL;
            if row < rows.start {
                within &= !UPPER;
            }
            if row + 1 >= rows.end {
                within &= UPPER;
            }
            let mut values = halves.each_ref().map(|half| half.first);
            let mut open = None;
            for quad in quads.clone() {
                let mut samples = covered(&halves, values) & within;
                if quad == quads.start {
                    samples &= first;
                }
                if quad == quads.end - 1 {
                    samples &= last;
                }
                for (value, half) in values.iter_mut().zip(&halves) {
                    *value += half.right;
                }
                if samples == 0 {
                    open = None;
                    continue;
                }
                let place = spans.samples.len() as u32;
                spans.samples.push(samples);
                match open {
                    None => {
                        open = Some(spans.spans.len());
                        spans.spans.push(Span {
                            x: (2 * quad).cast_unsigned(),
                            y: row.cast_unsigned(),
                            quads: 1,
                            primitive: primitive_at(row),
                            first: place,
                        });
                    }
                    Some(span) => spans.spans[span].quads += 1,
                }
            }
            for half in &mut halves {
                half.first += half.down;
            }
        }
    }
}

/// A test of an outline's samples.
struct Test<'a, P, const N: usize> {
    near: Near<N>,
    primitive_at: P,
    spans: &'a mut Spans,
}

impl<P: Fn(i32) -> u32, const N: usize> Vectorised for Test<'_, P, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.near.spans(self.primitive_at, self.spans);
    }
}

/// Samples of a quad: all, those of its left and those of its upper pixels.
const ALL: u64 = u64::MAX;
const LEFT: u64 = 0x0000_ffff_0000_ffff;
const UPPER: u64 = 0x0000_0000_ffff_ffff;

/// The samples of a quad that are inside all three edges, which have these values there.
#[inline(always)]
fn covered<const N: usize>(halves: &[Half<N>; 3], values: [i32; 3]) -> u64 {
    let mut lanes = [0; LANES];
    for sample in 0..N {
        for (lane, covered) in lanes.iter_mut().enumerate() {
            let [a, b, c] =
                [0, 1, 2].map(|edge: usize| values[edge] + halves[edge].places[sample][lane]);
            *covered |= !((a | b | c) >> 31) & 1 << sample;
        }
    }
    let [a, b, c, d] = lanes.map(|lane: i32| u64::from(lane.cast_unsigned()));
    a | b << 16 | c << 32 | d << 48
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::super::outline::cross;
    use super::super::samples::SampleWalk;
    use super::super::{FrontFace, Rules, tests::count_of};
    use super::*;
    use crate::processor::tests::by_each;

    /// Spans and the samples of their quads.
    fn listed(spans: &Spans) -> Vec<([u32; 4], &[u64])> {
        let list = spans.spans.iter().map(|span| {
            let quads = span.first as usize..(span.first + span.quads) as usize;
            let place = [span.x, span.y, span.quads, span.primitive];
            (place, &spans.samples[quads])
        });
        list.collect()
    }

    fn compare<const N: usize>(dice: &mut ChaCha8Rng) -> bool {
        let positions: [[i8; 2]; N] =
            std::array::from_fn(|_| [(); 2].map(|()| dice.random_range(-8..=7)));
        let mut range = || {
            let start = dice.random_range(0..20);
            start..start + dice.random_range(1..40)
        };
        let area = Area {
            columns: range(),
            rows: range(),
        };
        // Where samples may be, edges pass through them.
        let grid = [1, UNIT, 8 * UNIT][dice.random_range(0..3)];
        let reach = dice.random_range(1..=(MOST + 2) * SUB / grid);
        let corner = [(); 2].map(|()| dice.random_range(-5 * SUB / grid..50 * SUB / grid));
        let points = [(); 3].map(|()| {
            let [x, y] = corner.map(|from| (from + dice.random_range(0..reach)) * grid);
            Point { x, y }
        });
        let rules = Rules {
            front: FrontFace::Clockwise,
            positions: Some(attila_machine::SamplePositions::standard(
                attila_machine::SampleCount::Four,
            )),
            ..super::super::tests::within(area.clone())
        };
        let cross = cross(points);
        let outline = (cross != 0).then(|| Outline::new(points, cross, 7, &rules));
        let Some(outline) = outline.flatten() else {
            return false;
        };
        if Near::new(&outline, &area, &positions).is_none() {
            return false;
        }
        let tested = by_each(|| {
            let mut tested = Spans::default();
            let near = Near::new(&outline, &area, &positions).unwrap();
            near.vectorised_spans(|row| 7 + row.cast_unsigned(), &mut tested);
            tested
        });
        let mut walked = Spans::default();
        let rows = outline.rows(&area);
        let mut walk = SampleWalk::new(&outline, &rows, &positions);
        for row in (rows.start & !1..rows.end).step_by(2) {
            let pair = [row, row + 1].map(|row| walk.row(row, &area.columns));
            walked.push_samples(row, pair, 7 + row.cast_unsigned());
        }
        for (by, tested) in tested {
            let tested = listed(&tested);
            assert_eq!(tested, listed(&walked), "{by:?}: {points:?} in {area:?}");
        }
        !walked.spans.is_empty()
    }

    #[test]
    fn outlines_are_small_up_to_the_limit_along_either_axis() {
        let area = Area {
            columns: 0..200,
            rows: 0..200,
        };
        let rules = Rules {
            positions: Some(attila_machine::SamplePositions::default()),
            ..super::super::tests::within(area.clone())
        };
        let is_small = |right: i32, down: i32| {
            let corner = |x: i32, y: i32| Point {
                x: 7 * SUB + x,
                y: 9 * SUB + y,
            };
            let points = [corner(0, 0), corner(right, 0), corner(0, down)];
            let outline = Outline::new(points, cross(points), 0, &rules).unwrap();
            Near::new(&outline, &area, &[[0, 0]]).is_some()
        };
        let most = MOST * SUB;
        assert!(is_small(most, most));
        assert!(!is_small(most + 1, SUB));
        assert!(!is_small(SUB, most + 1));
        // Values of edges fit 32 bits on the quads around the outline, samples included.
        let farthest = i64::from(most + 4 * SUB);
        assert!(2 * i64::from(most) * farthest < i64::from(i32::MAX));
    }

    #[test]
    fn samples_are_those_of_walks() {
        let mut dice = ChaCha8Rng::seed_from_u64(6);
        let (count, mut covering) = (count_of(100_000), 0);
        for _ in 0..count / 5 {
            covering += usize::from(compare::<1>(&mut dice));
            covering += usize::from(compare::<2>(&mut dice));
            covering += usize::from(compare::<4>(&mut dice));
            covering += usize::from(compare::<8>(&mut dice));
            covering += usize::from(compare::<16>(&mut dice));
        }
        assert!(covering > count / 8, "{covering} of {count}");
    }
}
