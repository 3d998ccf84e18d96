//! [`Block`]: the fragments that a small triangle covers, known when it is set up.
//!
//! To walk along edges takes a division for each and a step for each row. Of a triangle of a few pixels it is faster to
//! test every centre around it, a quad at a time, with values of edges that fit 32 bits.

use std::ops::Range;

use attila_machine::LANES;
use attila_machine::pipeline::Span;

use super::outline::{Point, first_centre};
use super::small::{Half, halves};
use super::spans::Spans;
use super::{Area, SUB};

/// Quads along either side.
pub(super) const QUADS: usize = 4;

/// Pixels along either side of a triangle whose values of edges fit: parts of it may be outside of what is drawn.
pub(super) const MOST: i32 = 32;

/// Quads next to each other, and which fragments of each are covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// The first quad's column and row.
    x: u16,
    y: u16,
    primitive: u32,
    /// Four bits for each quad, row by row; bit n is lane n.
    fragments: u64,
}

impl Block {
    /// What a triangle covers of an area, if that is small. `cross` is that of the points, and not 0.
    pub(super) fn new(
        points: [Point; 3],
        cross: i64,
        primitive: u32,
        area: &Area,
    ) -> Option<Block> {
        let [a, b, c] = points;
        let [left, right] = [a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x)];
        let [top, bottom] = [a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y)];
        if right - left > MOST * SUB || bottom - top > MOST * SUB {
            return None;
        }
        let centres = |from: i32, to: i32| first_centre(from)..first_centre(to);
        let all = [centres(left, right), centres(top, bottom)];
        let seen = [&area.columns, &area.rows];
        let seen = [0, 1].map(|axis| {
            let (all, seen) = (&all[axis], seen[axis]);
            all.start.max(seen.start)..all.end.min(seen.end)
        });
        let [x, y] = seen.each_ref().map(|pixels| pixels.start & !1);
        let quads = |from: i32, pixels: &Range<i32>| (pixels.end - from + 1) >> 1;
        let [columns, rows] = [quads(x, &seen[0]), quads(y, &seen[1])];
        if columns.max(rows) > QUADS as i32 {
            return None;
        }
        let mut fragments = 0;
        if seen.iter().all(|pixels| !pixels.is_empty()) {
            let around = if cross > 0 { [a, b, c] } else { [a, c, b] };
            fragments = covered(&halves(around, [x, y], &[[0, 0]]), rows);
            if seen != all {
                fragments &= within([x, y], &seen);
            }
        }
        Some(Block::of([x, y], primitive, fragments))
    }

    /// These fragments, from the quad of a pixel on.
    #[inline(always)]
    pub(super) fn of([x, y]: [i32; 2], primitive: u32, fragments: u64) -> Block {
        Block {
            x: x as u16,
            y: y as u16,
            primitive,
            fragments,
        }
    }

    /// The same, with so many more primitives before it.
    #[cfg(feature = "threads")]
    pub(super) fn behind(&self, primitives: u32) -> Block {
        Block {
            primitive: self.primitive + primitives,
            ..*self
        }
    }

    /// Whether no fragment is covered.
    pub(super) fn is_empty(&self) -> bool {
        self.fragments == 0
    }

    /// The rows of a pair, by the number of the pair.
    fn pair(&self, number: u32) -> Range<i32> {
        let first = i32::from(self.y) + 2 * number.cast_signed();
        first..first + 2
    }

    /// The rows with fragments, and perhaps one before or after them.
    pub(super) fn rows(&self) -> Range<i32> {
        let bits = u64::BITS / QUADS as u32;
        let first = self.fragments.trailing_zeros() / bits;
        let last = (u64::BITS - 1 - self.fragments.leading_zeros()) / bits;
        self.pair(first).start..self.pair(last).end
    }

    /// Appends the spans of the fragments in pairs of rows that reach into `rows`.
    pub(super) fn spans(&self, rows: &Range<i32>, spans: &mut Spans) {
        let mut rest = self.fragments;
        for number in 0..QUADS as u32 {
            let pair = self.pair(number);
            let mut quads = rest as u16;
            rest >>= u16::BITS;
            if quads == 0 || pair.end <= rows.start || pair.start >= rows.end {
                continue;
            }
            let mut x = u32::from(self.x);
            while quads != 0 {
                let skipped = quads.trailing_zeros() / LANES as u32;
                quads >>= skipped * LANES as u32;
                x += 2 * skipped;
                let count = run(quads);
                spans.spans.push(Span {
                    x,
                    y: pair.start.cast_unsigned(),
                    quads: count,
                    primitive: self.primitive,
                    first: spans.coverage.len() as u32,
                });
                let fragments = apart(quads);
                spans
                    .coverage
                    .extend_from_slice(&fragments[..count as usize]);
                x += 2 * count;
                quads = (u32::from(quads) >> (count * LANES as u32)) as u16;
            }
        }
    }
}

/// The quads with fragments before the first without.
fn run(quads: u16) -> u32 {
    let any = quads | quads >> 1;
    let any = (any | any >> 2) & 0x1111;
    (u32::from(any) ^ 0x1_1111).trailing_zeros() / LANES as u32
}

/// The fragments of each quad.
fn apart(quads: u16) -> [u8; QUADS] {
    let all = u32::from(quads);
    let pairs = (all | all << 8) & 0x00ff_00ff;
    ((pairs | pairs << 4) & 0x0f0f_0f0f).to_le_bytes()
}

/// The fragments of a row of quads, quad by quad.
type Row<T> = [[T; LANES]; QUADS];

/// The fragments of so many rows of quads whose centres are inside all edges.
fn covered(edges: &[Half<1>; 3], rows: i32) -> u64 {
    let mut fragments = 0;
    let mut values: [Row<i32>; 3] = edges.each_ref().map(|edge| {
        let [lanes] = edge.places.map(|lanes| lanes.map(|lane| edge.first + lane));
        std::array::from_fn(|quad| lanes.map(|value| value + edge.right * quad as i32))
    });
    for row in 0..rows {
        let [a, b, c] = &values;
        let mut outside: Row<u8> = Default::default();
        for (quad, lanes) in outside.iter_mut().enumerate() {
            for (lane, outside) in lanes.iter_mut().enumerate() {
                *outside = ((a[quad][lane] | b[quad][lane] | c[quad][lane]) >> 31) as u8;
            }
        }
        fragments |= u64::from(!bits(outside.as_flattened())) << (16 * row);
        for (values, edge) in values.iter_mut().zip(edges) {
            for value in values.as_flattened_mut() {
                *value += edge.down;
            }
        }
    }
    fragments
}

/// A bit for each byte, of sixteen, all of whose bits are the same.
fn bits(bytes: &[u8]) -> u16 {
    let (halves, _) = bytes.as_chunks::<8>();
    let [low, high] = [0, 1].map(|half: usize| {
        let each = u64::from_le_bytes(halves[half]) & 0x8040_2010_0804_0201;
        each.wrapping_mul(0x0101_0101_0101_0101) >> 56
    });
    (low | high << 8) as u16
}

/// The fragments of a block that are within these columns and rows.
pub(super) fn within([x, y]: [i32; 2], [columns, rows]: &[Range<i32>; 2]) -> u64 {
    let has = |range: &Range<i32>, pixel: i32| u64::from(range.contains(&pixel));
    let mut fragments = 0;
    for quad in 0..QUADS as i32 {
        let left = has(columns, x + 2 * quad) | has(columns, x + 2 * quad + 1) << 1;
        fragments |= (left | left << 2) << (4 * quad);
    }
    let upper = (0..QUADS as i32).map(|pair| (has(rows, y + 2 * pair) * 0x3333) << (16 * pair));
    let lower = (0..QUADS as i32).map(|pair| (has(rows, y + 2 * pair + 1) * 0xcccc) << (16 * pair));
    let rows: u64 = upper.chain(lower).sum();
    (fragments * 0x0001_0001_0001_0001) & rows
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::super::outline::{CENTRE, cross};
    use super::super::{Outline, tests::within};
    use super::*;

    #[test]
    fn fragments_are_those_of_walks() {
        let mut dice = ChaCha8Rng::seed_from_u64(7);
        let (mut blocks, mut covering) = (0, 0);
        for _ in 0..200_000 {
            let mut range = || {
                let start = dice.random_range(0..20);
                start..start + dice.random_range(1..40)
            };
            let area = Area {
                columns: range(),
                rows: range(),
            };
            // Where centres may be, edges pass through them.
            let grid = [1, 16, CENTRE][dice.random_range(0..3)];
            let most = [10, MOST + 2][dice.random_range(0..2)];
            let reach = dice.random_range(1..=most) * SUB / grid;
            let corner = [(); 2].map(|()| dice.random_range(-5 * SUB / grid..50 * SUB / grid));
            let points = [(); 3].map(|()| {
                let [x, y] = corner.map(|from| (from + dice.random_range(0..reach)) * grid);
                Point { x, y }
            });
            let cross = cross(points);
            if cross == 0 {
                continue;
            }
            let Some(block) = Block::new(points, cross, 3, &area) else {
                continue;
            };
            blocks += 1;
            let (mut tested, mut walked) = (Spans::default(), Spans::default());
            if !block.is_empty() {
                block.spans(&area.rows, &mut tested);
                let rows = block.rows();
                assert!(
                    tested
                        .spans
                        .iter()
                        .all(|span| rows.contains(&(span.y as i32)))
                );
            }
            if let Some(outline) = Outline::new(points, cross, 3, &within(area.clone())) {
                outline.spans(&area, &mut walked);
            }
            let quads = |spans: &Spans| -> Vec<(u32, u32, u8)> {
                let quads = spans.spans.iter().flat_map(|span| {
                    let coverage = &spans.coverage[span.first as usize..];
                    (0..span.quads).map(|quad| (span.x + 2 * quad, span.y, coverage[quad as usize]))
                });
                quads.filter(|quad| quad.2 != 0).collect()
            };
            assert_eq!(quads(&tested), quads(&walked), "{points:?} in {area:?}");
            covering += u32::from(!tested.spans.is_empty());
        }
        assert!(blocks > 80_000 && covering > 15_000, "{blocks} {covering}");
    }
}
