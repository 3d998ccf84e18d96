//! [`Many`]: numbers of triangles side by side, and the steps of setting them up in a form that becomes vector code.
//!
//! Each step is a loop over the triangles without branches, in the order of operations that single triangles have. Of small
//! ones the centres of pixels are tested, sixteen rows side by side; of tiny ones those of sixteen triangles.

use super::bins::{Bins, PairOfQuads, covered};
use super::outline::{CENTRE, LIMIT, Outline, Point, first_centre};
use super::planes::{MOST_TERMS, PIXELS};
use super::spans::pairs;
use super::{Area, Rules, SUB};

/// Triangles at once: their numbers stay in the first cache.
pub(super) const AT_ONCE: usize = 64;

/// Lanes of the widest vectors of numbers of 32 bits. Loops go over a multiple of it.
pub(super) const LANES: usize = 16;

/// Pixels along either side of what is seen of a small triangle, from even ones on.
const SMALL: i32 = 16;

/// Pairs of rows of a small triangle.
const PAIRS: usize = SMALL as usize / 2;

/// Pixels along either side of all of it: values of its edges fit.
const MOST: i32 = 32;

/// Pixels along either side of tiny triangles, from an even one on. It takes less to test as many of each of some
/// triangles side by side than those of one that count.
const TINY: i32 = 4;

/// The most sub-pixels along either side: products of them are exact.
const MOST_ACROSS: i32 = 1 << 26;

pub(super) type Each<T> = [T; AT_ONCE];

/// All bits of numbers for which something holds.
pub(super) type Flags = Each<i32>;

/// An edge: what it is worth at the first pixel, and how much that grows to the right and down. Below 0 on the outside.
#[derive(Clone, Copy, Debug)]
struct Edge {
    first: Each<i32>,
    right: Each<i32>,
    down: Each<i32>,
}

/// Numbers of triangles.
#[derive(Clone, Debug)]
pub(super) struct Many {
    /// The places of the vertices.
    pub(super) places: Each<[u32; 3]>,
    /// The vertices, in pixels, and 1/w there.
    pub(super) window: [[Each<f32>; 2]; 3],
    pub(super) depths: [Each<f32>; 3],
    pub(super) reciprocals: [Each<f32>; 3],
    /// In sub-pixels.
    pub(super) points: [[Each<i32>; 2]; 3],
    /// Twice the area.
    pub(super) cross: Each<f64>,
    follows_clock: Flags,
    /// The pixels that may be covered.
    start: [Each<i32>; 2],
    end: [Each<i32>; 2],
    /// Whether the vertices are where they can be drawn, and whether the triangle is not steep.
    pub(super) is_plain: Flags,
    /// Whether nothing of it can be seen.
    pub(super) is_hidden: Flags,
    pub(super) is_small: Flags,
    edges: [Edge; 3],
    /// The quads of small triangles that have fragments, for each pair of rows, and the fragments of each quad.
    quads: Each<[u32; PAIRS]>,
    fragments: Each<[u64; PAIRS]>,
    /// The two pairs of quads of tiny triangles, and which those are.
    tiny: [Each<u32>; 2],
    is_tiny: Flags,
    pub(super) dx: [Each<f64>; 2],
    pub(super) dy: [Each<f64>; 2],
    pub(super) at: [Each<f64>; 2],
    pub(super) anchors: Each<[f32; 2]>,
    /// The planes of depth and of 1/w.
    pub(super) planes: [[Each<f32>; 3]; 2],
}

impl Many {
    pub(super) fn new() -> Box<Many> {
        let edge = Edge {
            first: [0; AT_ONCE],
            right: [0; AT_ONCE],
            down: [0; AT_ONCE],
        };
        Box::new(Many {
            places: [[0; 3]; AT_ONCE],
            window: [[[0.0; AT_ONCE]; 2]; 3],
            depths: [[0.0; AT_ONCE]; 3],
            reciprocals: [[0.0; AT_ONCE]; 3],
            points: [[[0; AT_ONCE]; 2]; 3],
            cross: [0.0; AT_ONCE],
            follows_clock: [0; AT_ONCE],
            start: [[0; AT_ONCE]; 2],
            end: [[0; AT_ONCE]; 2],
            is_plain: [0; AT_ONCE],
            is_hidden: [0; AT_ONCE],
            is_small: [0; AT_ONCE],
            edges: [edge; 3],
            quads: [[0; PAIRS]; AT_ONCE],
            fragments: [[0; PAIRS]; AT_ONCE],
            tiny: [[0; AT_ONCE]; 2],
            is_tiny: [0; AT_ONCE],
            dx: [[0.0; AT_ONCE]; 2],
            dy: [[0.0; AT_ONCE]; 2],
            at: [[0.0; AT_ONCE]; 2],
            anchors: [[0.0; 2]; AT_ONCE],
            planes: [[[0.0; AT_ONCE]; 3]; 2],
        })
    }
}

/// All bits if something holds.
#[inline(always)]
pub(super) fn flag(holds: bool) -> i32 {
    -i32::from(holds)
}

#[inline(always)]
fn less(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

#[inline(always)]
fn more(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The centres of a row of a tiny triangle that are inside: a bit for each column.
#[inline(always)]
fn test_row(edges: &[Edge; 3], lane: usize, row: i32) -> i32 {
    let first = |edge: &Edge| {
        let down = edge.down[lane].wrapping_mul(row);
        edge.first[lane].wrapping_add(down)
    };
    let [a, b, c] = edges;
    let mut values = [first(a), first(b), first(c)];
    let mut inside = 0;
    for column in 0..TINY {
        let [a, b, c] = values;
        inside |= (!(a | b | c) >> 31) & 1 << column;
        for (value, edge) in values.iter_mut().zip(edges) {
            *value = value.wrapping_add(edge.right[lane]);
        }
    }
    inside
}

impl Many {
    /// The first `count` vertices to sub-pixels.
    #[inline(always)]
    pub(super) fn snap(&mut self, count: usize) {
        // Between 2^52 and 2^53 numbers are whole, and their lowest bits those of the number added.
        const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;
        for (window, points) in self.window.iter().zip(&mut self.points) {
            for (window, points) in window.iter().zip(points) {
                let is_plain = &mut self.is_plain[..count];
                let numbers = window[..count].iter().zip(&mut points[..count]);
                for ((&at, point), is_plain) in numbers.zip(is_plain) {
                    let scaled = f64::from(at) * f64::from(SUB) + WHOLE;
                    let snapped = scaled - WHOLE;
                    *point = scaled.to_bits() as i32;
                    *is_plain &= flag(snapped.abs() <= f64::from(LIMIT));
                }
            }
        }
        for reciprocals in &self.reciprocals {
            let numbers = reciprocals[..count].iter().zip(&mut self.is_plain);
            for (reciprocal, is_plain) in numbers {
                *is_plain &= flag(reciprocal.abs() <= f32::MAX);
            }
        }
    }

    /// Which pixels may be covered.
    #[inline(always)]
    pub(super) fn surround(&mut self, count: usize, rules: &Rules) {
        let drawn = [&rules.drawn.columns, &rules.drawn.rows];
        let reach = rules.reach();
        let is_tested = flag(rules.positions.is_none());
        for lane in 0..count {
            self.is_small[lane] = is_tested;
            self.is_hidden[lane] = 0;
        }
        for (axis, seen) in drawn.into_iter().enumerate() {
            let [a, b, c] = self.points.each_ref().map(|point| &point[axis]);
            let (starts, ends) = (&mut self.start[axis], &mut self.end[axis]);
            for lane in 0..count {
                let least = a[lane].min(b[lane]).min(c[lane]);
                let most = a[lane].max(b[lane]).max(c[lane]);
                let across = most.wrapping_sub(least).cast_unsigned();
                let start = first_centre(least.wrapping_sub(reach)).max(seen.start);
                let end = first_centre(most.wrapping_add(reach)).min(seen.end);
                (starts[lane], ends[lane]) = (start, end);
                self.is_plain[lane] &= flag(across <= MOST_ACROSS as u32);
                self.is_small[lane] &= flag(across <= (MOST * SUB) as u32);
                self.is_small[lane] &= flag(end.wrapping_sub(start & !1) <= SMALL);
                self.is_hidden[lane] |= flag(start >= end);
            }
        }
    }

    /// The area, and which side it shows.
    #[inline(always)]
    pub(super) fn measure(&mut self, count: usize, rules: &Rules) {
        let [with_clock, against] = [1.0, -1.0].map(|cross| flag(!rules.shows(cross)));
        let [[ax, ay], [bx, by], [cx, cy]] = &self.points;
        for lane in 0..count {
            let side =
                |to: &Each<i32>, from: &Each<i32>| f64::from(to[lane].wrapping_sub(from[lane]));
            let cross = side(bx, ax) * side(cy, ay) - side(by, ay) * side(cx, ax);
            self.cross[lane] = cross;
            self.follows_clock[lane] = flag(cross > 0.0);
            let is_culled = flag(cross > 0.0) & with_clock | flag(cross < 0.0) & against;
            self.is_hidden[lane] |= flag(cross == 0.0) | is_culled;
        }
    }

    /// The edges of small triangles, from the first pixel of the first quad on.
    #[inline(always)]
    pub(super) fn find_edges(&mut self, count: usize) {
        let [[ax, ay], [bx, by], [cx, cy]] = &self.points;
        for lane in 0..count {
            let [x, y] = [0, 1].map(|axis: usize| {
                let first = self.start[axis][lane] & !1;
                first.wrapping_mul(SUB).wrapping_add(CENTRE)
            });
            let follows = self.follows_clock[lane] != 0;
            let (b, c) = ([bx[lane], by[lane]], [cx[lane], cy[lane]]);
            let pick = |one: i32, other: i32| if follows { one } else { other };
            let corners = [
                [ax[lane], ay[lane]],
                [pick(b[0], c[0]), pick(b[1], c[1])],
                [pick(c[0], b[0]), pick(c[1], b[1])],
            ];
            for edge in 0..3 {
                let ([fx, fy], [tx, ty]) = (corners[edge], corners[(edge + 1) % 3]);
                let (dx, dy) = (tx.wrapping_sub(fx), ty.wrapping_sub(fy));
                // Left edges go up, and those with the inside below go to the right.
                let counts = flag(dy < 0) | flag(dy == 0) & flag(dx > 0);
                let value = dx
                    .wrapping_mul(y.wrapping_sub(fy))
                    .wrapping_sub(dy.wrapping_mul(x.wrapping_sub(fx)));
                let edge = &mut self.edges[edge];
                edge.first[lane] = value.wrapping_sub(1).wrapping_sub(counts);
                edge.right[lane] = 0i32.wrapping_sub(dy).wrapping_mul(SUB);
                edge.down[lane] = dx.wrapping_mul(SUB);
            }
        }
    }

    /// How what is given at the vertices changes, from the point on that is next to the farthest. `divides` says that
    /// planes are divided by that of 1/w.
    #[inline(always)]
    pub(super) fn find_slopes<const IN_PERSPECTIVE: bool>(
        &mut self,
        count: usize,
        area: &Area,
        divides: bool,
    ) {
        let seen = [&area.columns, &area.rows].map(|range| [range.start * SUB, range.end * SUB]);
        let within = |axis: usize, position: i32| position.max(seen[axis][0]).min(seen[axis][1]);
        let [[ax, ay], [bx, by], [cx, cy]] = &self.points;
        let [ra, rb, rc] = &self.reciprocals;
        let ([dx0, dx1], [dy0, dy1], [at0, at1]) = (&mut self.dx, &mut self.dy, &mut self.at);
        for lane in 0..count {
            let x = [ax[lane], bx[lane], cx[lane]];
            let y = [ay[lane], by[lane], cy[lane]];
            let side = |of: [i32; 3], vertex: usize| f64::from(of[vertex].wrapping_sub(of[0]));
            // Rounded once, as multiples of powers of two are exact.
            let scale = f64::from(SUB) / self.cross[lane];
            let dx = [side(y, 2) * scale, -side(y, 1) * scale];
            let dy = [-side(x, 2) * scale, side(x, 1) * scale];
            (dx0[lane], dx1[lane]) = (dx[0], dx[1]);
            (dy0[lane], dy1[lane]) = (dy[0], dy[1]);
            let mut farthest = [x[0], y[0]];
            let mut terms_by = 1.0;
            if IN_PERSPECTIVE {
                let sizes = [ra, rb, rc].map(|it| it[lane].abs());
                let second = sizes[1] < sizes[0];
                let third = sizes[2] < if second { sizes[1] } else { sizes[0] };
                farthest = [x, y].map(|of| {
                    let two = if second { of[1] } else { of[0] };
                    if third { of[2] } else { two }
                });
                let [a, b, c] = sizes.map(f64::from);
                let ratio = more(more(a, b), c) / less(less(a, b), c);
                terms_by = if divides { ratio } else { 1.0 };
            }
            let anchor = [within(0, farthest[0]), within(1, farthest[1])];
            self.anchors[lane] = anchor.map(|at| at as f32 * PIXELS as f32);
            let [right, down] = [anchor[0].wrapping_sub(x[0]), anchor[1].wrapping_sub(y[0])]
                .map(|distance| f64::from(distance) * PIXELS);
            at0[lane] = right * dx[0] + down * dy[0];
            at1[lane] = right * dx[1] + down * dy[1];
            let size = |axis: usize, [a, b, c]: [i32; 3]| {
                let most = within(axis, a.max(b).max(c));
                f64::from(most - within(axis, a.min(b).min(c))) * PIXELS
            };
            let growth = |by: [f64; 2]| by[0].abs() + by[1].abs() + (by[0] + by[1]).abs();
            let terms = 1.0 + size(0, x) * growth(dx) + size(1, y) * growth(dy);
            let is_steep = flag(terms * terms_by > MOST_TERMS);
            self.is_plain[lane] &= !is_steep | self.is_hidden[lane];
        }
    }

    /// The planes of depth and of 1/w.
    #[inline(always)]
    pub(super) fn find_planes(&mut self, count: usize) {
        let ([dx0, dx1], [dy0, dy1], [at0, at1]) = (&self.dx, &self.dy, &self.at);
        for (values, planes) in [&self.depths, &self.reciprocals]
            .into_iter()
            .zip(&mut self.planes)
        {
            let [first, second, third] = values;
            let [at, dx, dy] = planes;
            for lane in 0..count {
                let first = f64::from(first[lane]);
                let (second, third) = (
                    f64::from(second[lane]) - first,
                    f64::from(third[lane]) - first,
                );
                at[lane] = (first + (second * at0[lane] + third * at1[lane])) as f32;
                dx[lane] = (second * dx0[lane] + third * dx1[lane]) as f32;
                dy[lane] = (second * dy0[lane] + third * dy1[lane]) as f32;
            }
        }
    }

    /// Tests the centres of small triangles. Not as they are appended: what is covered decides branches there, which
    /// would be predicted wrongly so much later.
    #[inline(always)]
    pub(super) fn test_all(&mut self, count: usize) {
        let mut any = 0;
        for lane in 0..count {
            let across =
                [0, 1].map(|axis: usize| self.end[axis][lane] - (self.start[axis][lane] & !1));
            let is_tiny = flag(across[0] <= TINY) & flag(across[1] <= TINY);
            let is_tested = self.is_small[lane] & self.is_plain[lane] & !self.is_hidden[lane];
            self.is_small[lane] = is_tested;
            self.is_tiny[lane] = is_tiny & is_tested;
            any |= is_tiny & is_tested;
        }
        if any != 0 {
            self.test_tiny(count);
        }
        for lane in 0..count {
            if self.is_small[lane] & !self.is_tiny[lane] != 0 {
                self.test_small(lane);
            }
        }
    }

    /// Tests the centres of tiny triangles, side by side.
    #[inline(always)]
    fn test_tiny(&mut self, count: usize) {
        let [left, top] = &self.start;
        let [right, bottom] = &self.end;
        for (pair, quads) in self.tiny.iter_mut().enumerate() {
            for (lane, quads) in quads[..count].iter_mut().enumerate() {
                let (x, y) = (left[lane] & 1, top[lane] & !1);
                let columns = (-1 << x) & !(-1 << ((right[lane] - left[lane] + x) & 31));
                // Not by `map`, which is not inlined.
                let covered = |row: i32| {
                    let is_drawn = flag(y + row >= top[lane]) & flag(y + row < bottom[lane]);
                    test_row(&self.edges, lane, row) & columns & is_drawn
                };
                let upper = 2 * pair as i32;
                *quads = PairOfQuads::new(covered(upper), covered(upper + 1)).0;
            }
        }
    }

    /// Tests the centres that a small triangle may cover.
    #[inline(always)]
    fn test_small(&mut self, lane: usize) {
        const ALL: usize = SMALL as usize;
        let is_half =
            |axis: usize| self.end[axis][lane] - (self.start[axis][lane] & !1) <= SMALL / 2;
        match (is_half(0), is_half(1)) {
            (true, true) => self.test::<{ ALL / 2 }, { PAIRS / 2 }>(lane),
            (true, false) => self.test::<{ ALL / 2 }, PAIRS>(lane),
            (false, true) => self.test::<ALL, { PAIRS / 2 }>(lane),
            (false, false) => self.test::<ALL, PAIRS>(lane),
        }
    }

    /// Tests the centres of so many columns and pairs of rows.
    #[inline(always)]
    fn test<const COLUMNS: usize, const COUNT: usize>(&mut self, lane: usize) {
        let value = |of: &Edge| [of.first[lane], of.right[lane], of.down[lane]];
        let [a, b, c] = &self.edges;
        let edges = [value(a), value(b), value(c)];
        let ([left, top], [right, bottom]) = (&self.start, &self.end);
        let ([left, right], [top, bottom]) = ([left[lane], right[lane]], [top[lane], bottom[lane]]);
        let columns = (-1 << (left & 1)) & !(-1 << ((right - (left & !1)) & 31));
        // The upper rows of all pairs, and the lower ones.
        let mut rows = [[0; COUNT]; 2];
        for (index, bits) in rows.as_flattened_mut().iter_mut().enumerate() {
            let row = (2 * (index % COUNT) + index / COUNT) as i32;
            let [a, b, c] = &edges;
            let first = |edge: &[i32; 3]| edge[0] + edge[2] * row;
            let mut values = [first(a), first(b), first(c)];
            let mut inside = 0;
            for column in 0..COLUMNS {
                inside |= (!(values[0] | values[1] | values[2]) >> 31) & 1 << column;
                for (value, edge) in values.iter_mut().zip(&edges) {
                    *value += edge[1];
                }
            }
            let y = (top & !1) + row;
            let is_drawn = flag(y >= top) & flag(y < bottom);
            *bits = (inside & columns & is_drawn).cast_unsigned();
        }
        let [upper, lower] = rows;
        let (quads, fragments) = (&mut self.quads[lane], &mut self.fragments[lane]);
        for (pair, quads) in quads[..COUNT].iter_mut().enumerate() {
            *quads = covered(upper[pair] | lower[pair]);
        }
        for (pair, fragments) in fragments[..COUNT].iter_mut().enumerate() {
            *fragments = pairs(upper[pair].into()) | pairs(lower[pair].into()) << 2;
        }
    }

    /// Appends what a small triangle covers; whether that is anything.
    #[inline(always)]
    pub(super) fn push_small(&self, lane: usize, primitive: u32, bins: &mut Bins) -> bool {
        let place = [self.start[0][lane] & !1, self.start[1][lane] & !1];
        if self.is_tiny[lane] != 0 {
            let [upper, lower] = &self.tiny;
            let quads = [PairOfQuads(upper[lane]), PairOfQuads(lower[lane])];
            return bins.push_tiny(place, quads, primitive);
        }
        // Two pairs of rows at a time, as half as many ends of the loop are predicted wrongly.
        let count = (self.end[1][lane] - place[1] + 3).cast_unsigned() as usize / 4 * 2;
        let rows = (&self.quads[lane][..count], &self.fragments[lane][..count]);
        bins.push(place, rows, primitive)
    }

    /// The outline of a large triangle.
    pub(super) fn outline(&self, lane: usize, primitive: u32, rules: &Rules) -> Option<Outline> {
        let points = self.points.each_ref().map(|[x, y]| Point {
            x: x[lane],
            y: y[lane],
        });
        Outline::new(points, self.cross[lane] as i64, primitive, rules)
    }
}
