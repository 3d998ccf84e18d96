//! [`Many`]: triangles that are set up side by side, in a form that becomes vector code.
//!
//! Each step is a loop over the triangles without branches, in the order of operations that single triangles have.
//! Rare ones are set up by themselves: large triangles, steep ones, those that have to be cut.

use attila_machine::pipeline::Plane;

use super::block::{Block, MOST, QUADS, within};
use super::outline::{CENTRE, LIMIT, first_centre};
use super::planes::{Abreast, MOST_TERMS, PIXELS, Slopes};
use super::{Area, Footprint, FrontFace, PlaneLayout, Primitives, Rules, SUB, Vertex};
use crate::processor::{Vectorised, vectorised};

/// Triangles at once: their numbers stay in the first cache.
const AT_ONCE: usize = 64;

/// Lanes of the widest vectors of numbers of 32 bits. Loops go over a multiple of it.
const LANES: usize = 16;

type Each<T> = [T; AT_ONCE];

/// All bits of numbers for which something holds.
type Flags = Each<i32>;

/// An edge: what it is worth at the first pixel, one to the right and one below. Positive on the inside.
#[derive(Clone, Copy, Debug)]
struct Edge {
    first: Each<i32>,
    right: Each<i32>,
    down: Each<i32>,
}

/// Numbers of triangles.
#[derive(Clone, Debug)]
pub(super) struct Many {
    /// The vertices, in pixels, and 1/w there.
    window: [[Each<f32>; 2]; 3],
    depths: [Each<f32>; 3],
    reciprocals: [Each<f32>; 3],
    /// In sub-pixels.
    points: [[Each<i32>; 2]; 3],
    /// Twice the area.
    cross: Each<i32>,
    /// The pixels that may be covered: the first of the first quad, and the quads.
    first: [Each<i32>; 2],
    quads: [Each<i32>; 2],
    /// Whether the vertices are where they can be drawn.
    is_plain: Flags,
    /// Whether the numbers here are those of the triangle, and whether nothing of it can be seen.
    fits: Flags,
    is_hidden: Flags,
    /// Whether parts are outside of what is drawn.
    is_clipped: Flags,
    edges: [Edge; 3],
    /// The fragments outside of rows of quads.
    outside: [Each<u32>; QUADS],
    dx: [Each<f64>; 2],
    dy: [Each<f64>; 2],
    at: [Each<f64>; 2],
    anchor: [Each<f64>; 2],
    terms: Each<f64>,
    /// The planes of depth and of 1/w.
    planes: [[Each<f32>; 3]; 2],
}

impl Many {
    fn new() -> Box<Many> {
        let edge = Edge {
            first: [0; AT_ONCE],
            right: [0; AT_ONCE],
            down: [0; AT_ONCE],
        };
        Box::new(Many {
            window: [[[0.0; AT_ONCE]; 2]; 3],
            depths: [[0.0; AT_ONCE]; 3],
            reciprocals: [[0.0; AT_ONCE]; 3],
            points: [[[0; AT_ONCE]; 2]; 3],
            cross: [0; AT_ONCE],
            first: [[0; AT_ONCE]; 2],
            quads: [[0; AT_ONCE]; 2],
            is_plain: [0; AT_ONCE],
            fits: [0; AT_ONCE],
            is_hidden: [0; AT_ONCE],
            is_clipped: [0; AT_ONCE],
            edges: [edge; 3],
            outside: [[0; AT_ONCE]; QUADS],
            dx: [[0.0; AT_ONCE]; 2],
            dy: [[0.0; AT_ONCE]; 2],
            at: [[0.0; AT_ONCE]; 2],
            anchor: [[0.0; AT_ONCE]; 2],
            terms: [0.0; AT_ONCE],
            planes: [[[0.0; AT_ONCE]; 3]; 2],
        })
    }
}

/// All bits if something holds.
#[inline(always)]
fn flag(holds: bool) -> i32 {
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

impl Many {
    /// The first `count` vertices to sub-pixels.
    #[inline(always)]
    fn snap(&mut self, count: usize) {
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
    fn surround(&mut self, count: usize, rules: &Rules) {
        let drawn = [&rules.drawn.columns, &rules.drawn.rows];
        for lane in 0..count {
            self.fits[lane] = self.is_plain[lane];
            self.is_hidden[lane] = 0;
            self.is_clipped[lane] = 0;
        }
        for (axis, seen) in drawn.into_iter().enumerate() {
            let [a, b, c] = self.points.each_ref().map(|point| &point[axis]);
            let (firsts, quads) = (&mut self.first[axis], &mut self.quads[axis]);
            for lane in 0..count {
                let least = a[lane].min(b[lane]).min(c[lane]);
                let most = a[lane].max(b[lane]).max(c[lane]);
                let (from, to) = (first_centre(least), first_centre(most));
                let (start, end) = (from.max(seen.start), to.min(seen.end));
                let first = start & !1;
                let across = end.wrapping_sub(first).wrapping_add(1) >> 1;
                firsts[lane] = first;
                quads[lane] = across;
                self.fits[lane] &=
                    flag(most.wrapping_sub(least).cast_unsigned() <= (MOST * SUB) as u32);
                self.fits[lane] &= flag(across <= QUADS as i32);
                self.is_hidden[lane] |= flag(start >= end);
                self.is_clipped[lane] |= flag(start != from) | flag(end != to);
            }
        }
    }

    /// The edges from the first pixel on, and the area.
    #[inline(always)]
    fn find_edges(&mut self, count: usize, rules: &Rules) {
        let [with_clock, against] = [1.0, -1.0].map(|cross| flag(!rules.shows(cross)));
        let [[ax, ay], [bx, by], [cx, cy]] = &self.points;
        for lane in 0..count {
            let [x, y] = [0, 1].map(|axis: usize| {
                let first = self.first[axis][lane];
                first.wrapping_mul(SUB).wrapping_add(CENTRE)
            });
            let [right, down] = [
                [
                    bx[lane].wrapping_sub(ax[lane]),
                    by[lane].wrapping_sub(ay[lane]),
                ],
                [
                    cx[lane].wrapping_sub(ax[lane]),
                    cy[lane].wrapping_sub(ay[lane]),
                ],
            ];
            let cross = right[0]
                .wrapping_mul(down[1])
                .wrapping_sub(right[1].wrapping_mul(down[0]));
            self.cross[lane] = cross;
            let is_culled = flag(cross > 0) & with_clock | flag(cross < 0) & against;
            self.is_hidden[lane] |= flag(cross == 0) | is_culled;
            let follows = cross > 0;
            let (sx, sy) = if follows {
                (bx[lane], by[lane])
            } else {
                (cx[lane], cy[lane])
            };
            let (tx, ty) = if follows {
                (cx[lane], cy[lane])
            } else {
                (bx[lane], by[lane])
            };
            let corners = [[ax[lane], ay[lane]], [sx, sy], [tx, ty]];
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

    /// The fragments outside of a row of so many quads; then goes to the next row.
    #[inline(always)]
    #[allow(
        clippy::needless_range_loop,
        reason = "all loops over triangles are alike"
    )]
    fn test_row<const ACROSS: usize>(&mut self, count: usize, row: usize) {
        let [a, b, c] = &mut self.edges;
        let outside = &mut self.outside[row];
        for lane in 0..count {
            let mut bits = 0u32;
            let edges = [&*a, &*b, &*c];
            let mut values = edges.map(|edge| edge.first[lane]);
            for column in 0..2 * ACROSS {
                let below =
                    [0, 1, 2].map(|edge: usize| values[edge].wrapping_add(edges[edge].down[lane]));
                let place = column / 2 * 4 + column % 2;
                for (values, place) in [(values, place), (below, place + 2)] {
                    let sign = (values[0] | values[1] | values[2]) >> 31;
                    bits |= sign.cast_unsigned() & 1 << place;
                }
                for edge in 0..3 {
                    values[edge] = values[edge].wrapping_add(edges[edge].right[lane]);
                }
            }
            outside[lane] = bits;
        }
        for edge in [a, b, c] {
            for lane in 0..count {
                let down = edge.down[lane];
                edge.first[lane] = edge.first[lane].wrapping_add(down.wrapping_add(down));
            }
        }
    }

    /// The fragments outside of all quads that any triangle may cover.
    #[inline(always)]
    fn test(&mut self, count: usize) {
        let [mut across, mut down] = [0, 0];
        for lane in 0..count {
            let counts = self.fits[lane] & !self.is_hidden[lane];
            across = across.max(self.quads[0][lane] & counts);
            down = down.max(self.quads[1][lane] & counts);
        }
        for row in 0..QUADS {
            if row as i32 >= down {
                self.outside[row] = [0xffff; AT_ONCE];
            } else if across <= 2 {
                self.test_row::<2>(count, row);
                for lane in 0..count {
                    self.outside[row][lane] |= 0xff00;
                }
            } else {
                self.test_row::<QUADS>(count, row);
            }
        }
    }

    /// How what is given at the vertices changes, from the point on that is next to the farthest.
    #[inline(always)]
    fn find_slopes(&mut self, count: usize, area: &Area, perspective: bool) {
        let seen =
            [&area.columns, &area.rows].map(|range| [f64::from(range.start), f64::from(range.end)]);
        let [[ax, ay], [bx, by], [cx, cy]] = &self.points;
        let [ra, rb, rc] = &self.reciprocals;
        let ([dx0, dx1], [dy0, dy1], [at0, at1]) = (&mut self.dx, &mut self.dy, &mut self.at);
        let [anchor_x, anchor_y] = &mut self.anchor;
        for lane in 0..count {
            let x = [ax, bx, cx].map(|x| f64::from(x[lane]));
            let y = [ay, by, cy].map(|y| f64::from(y[lane]));
            let [ox, sx, tx] = x.map(|x| x * PIXELS);
            let [oy, sy, ty] = y.map(|y| y * PIXELS);
            let ([x1, y1], [x2, y2]) = ([sx - ox, sy - oy], [tx - ox, ty - oy]);
            let scale = 1.0 / (f64::from(self.cross[lane]) / f64::from(SUB * SUB));
            let (dx, dy) = ([y2 * scale, -y1 * scale], [-x2 * scale, x1 * scale]);
            let sizes = [ra, rb, rc].map(|it| it[lane].abs());
            let far = if sizes[1] < sizes[0] {
                [sizes[1], 1.0]
            } else {
                [sizes[0], 0.0]
            };
            let second = far[1] != 0.0;
            let third = sizes[2] < far[0];
            let farthest = |of: [f64; 3]| {
                let two = if second { of[1] } else { of[0] };
                if third { of[2] } else { two }
            };
            let near = |axis: usize, position: f64| {
                let [start, end] = seen[axis];
                f64::from(less(more(position / f64::from(SUB), start), end) as f32)
            };
            let anchor = [near(0, farthest(x)), near(1, farthest(y))];
            let (right, down) = (anchor[0] - ox, anchor[1] - oy);
            (anchor_x[lane], anchor_y[lane]) = (anchor[0], anchor[1]);
            (dx0[lane], dx1[lane]) = (dx[0], dx[1]);
            (dy0[lane], dy1[lane]) = (dy[0], dy[1]);
            at0[lane] = right * dx[0] + down * dy[0];
            at1[lane] = right * dx[1] + down * dy[1];
            let size = |axis: usize, of: [f64; 3]| {
                let [start, end] = seen[axis];
                let least = less(less(of[0], of[1]), of[2]) / f64::from(SUB);
                let most = more(more(of[0], of[1]), of[2]) / f64::from(SUB);
                less(more(most, start), end) - less(more(least, start), end)
            };
            let growth = |by: [f64; 2]| by[0].abs() + by[1].abs() + (by[0] + by[1]).abs();
            let terms = 1.0 + size(0, x) * growth(dx) + size(1, y) * growth(dy);
            self.terms[lane] = terms;
        }
        if perspective {
            for lane in 0..count {
                let [a, b, c] = [ra, rb, rc].map(|it| f64::from(it[lane]).abs());
                let (least, most) = (less(less(a, b), c), more(more(a, b), c));
                self.terms[lane] *= most / least;
            }
        }
    }

    /// The planes of depth and of 1/w.
    #[inline(always)]
    fn find_planes(&mut self, count: usize) {
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

    /// The fragments that a triangle covers.
    #[inline(always)]
    fn block(&self, lane: usize, primitive: u32, rules: &Rules) -> Block {
        let mut fragments = 0;
        for row in 0..QUADS {
            fragments |= u64::from(!self.outside[row][lane] & 0xffff) << (16 * row);
        }
        let first = [self.first[0][lane], self.first[1][lane]];
        if self.is_clipped[lane] != 0 {
            fragments &= within(
                first,
                &[rules.drawn.columns.clone(), rules.drawn.rows.clone()],
            );
        }
        Block::of(first, primitive, fragments)
    }

    #[inline(always)]
    fn slopes(&self, lane: usize, clockwise_is_front: bool) -> Slopes {
        let [ax, ay] = self.points[0].each_ref().map(|axis| f64::from(axis[lane]));
        Slopes::from_parts(
            [ax * PIXELS, ay * PIXELS],
            self.reciprocals.each_ref().map(|it| f64::from(it[lane])),
            (f64::from(self.cross[lane]), clockwise_is_front),
            [&self.dx, &self.dy, &self.at].map(|it| [it[0][lane], it[1][lane]]),
            self.anchor.each_ref().map(|it| it[lane] as f32),
        )
    }
}

/// Triangles to be set up.
struct SetUp<'a, C, W, O> {
    primitives: &'a mut Primitives,
    rules: &'a Rules,
    layout: &'a PlaneLayout,
    triangles: &'a [[u32; 3]],
    corners: C,
    is_whole: W,
    other: O,
}

impl<V, C, W, O> Vectorised for SetUp<'_, C, W, O>
where
    V: Vertex,
    C: Fn([u32; 3]) -> [V; 3],
    W: Fn(&[V; 3]) -> bool,
    O: Fn([u32; 3], &mut Primitives),
{
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let mut many = self.primitives.many.take().unwrap_or_else(Many::new);
        for triangles in self.triangles.chunks(AT_ONCE) {
            for (lane, &triangle) in triangles.iter().enumerate() {
                let corners = (self.corners)(triangle);
                many.is_plain[lane] = flag((self.is_whole)(&corners));
                for (vertex, corner) in corners.iter().enumerate() {
                    let [x, y, depth, reciprocal] = corner.position();
                    many.depths[vertex][lane] = depth;
                    many.window[vertex][0][lane] = x;
                    many.window[vertex][1][lane] = y;
                    many.reciprocals[vertex][lane] = reciprocal;
                }
            }
            let count = triangles.len().next_multiple_of(LANES);
            many.snap(count);
            many.surround(count, self.rules);
            many.find_edges(count, self.rules);
            for lane in triangles.len()..count {
                many.fits[lane] = 0;
            }
            many.test(count);
            many.find_slopes(count, &self.rules.area, self.layout.perspective());
            many.find_planes(count);
            self.push(&many, triangles);
        }
        self.primitives.many = Some(many);
    }
}

impl<V, C, W, O> SetUp<'_, C, W, O>
where
    V: Vertex,
    C: Fn([u32; 3]) -> [V; 3],
    O: Fn([u32; 3], &mut Primitives),
{
    /// Appends those of which something is to be seen.
    #[inline(always)]
    fn push(&mut self, many: &Many, triangles: &[[u32; 3]]) {
        let first = self.primitives.number;
        let mut kept = Kept {
            many,
            triangles,
            corners: &self.corners,
            clockwise_is_front: self.rules.front == FrontFace::Clockwise,
            first,
            lanes: [0; AT_ONCE],
            count: 0,
        };
        let mut lane = 0;
        while lane < triangles.len() {
            let from = lane;
            kept.count = 0;
            // Up to one that is set up by itself. A NaN is not steep, as it is not there.
            while lane < triangles.len() {
                let is_steep = many.terms[lane] > MOST_TERMS;
                if many.fits[lane] == 0 || many.is_hidden[lane] == 0 && is_steep {
                    break;
                }
                let primitive = self.primitives.next() + kept.count as u32;
                let block = many.block(lane, primitive, self.rules);
                kept.lanes[kept.count] = lane as u8;
                if many.is_hidden[lane] == 0 && !block.is_empty() {
                    kept.count += 1;
                    self.primitives.footprints.push(Footprint::Block(block));
                }
                lane += 1;
            }
            if lane > from {
                kept.push(self.layout, self.primitives);
            }
            if let Some(&triangle) = triangles.get(lane) {
                self.primitives.number = first + lane as u32;
                (self.other)(triangle, self.primitives);
                lane += 1;
            }
        }
        self.primitives.number = first + triangles.len() as u32;
    }
}

/// Triangles of which something is to be seen.
struct Kept<'a, C> {
    many: &'a Many,
    triangles: &'a [[u32; 3]],
    corners: &'a C,
    clockwise_is_front: bool,
    /// The number of the first of all triangles.
    first: u32,
    lanes: [u8; AT_ONCE],
    count: usize,
}

impl<V: Vertex, C: Fn([u32; 3]) -> [V; 3]> Kept<'_, C> {
    #[inline(always)]
    fn lane(&self, index: usize) -> usize {
        usize::from(self.lanes[index])
    }

    /// Appends anchors and planes.
    #[inline(always)]
    fn push(&self, layout: &PlaneLayout, primitives: &mut Primitives) {
        for index in 0..self.count {
            let lane = self.lane(index);
            for reciprocals in &self.many.reciprocals {
                primitives.in_perspective |= reciprocals[lane] != 1.0;
            }
            let [x, y] = &self.many.anchor;
            primitives.anchors.push([x[lane] as f32, y[lane] as f32]);
        }
        layout.push_all(self, &mut primitives.planes);
    }
}

impl<V: Vertex, C: Fn([u32; 3]) -> [V; 3]> Abreast for Kept<'_, C> {
    type Vertex = V;

    #[inline(always)]
    fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn vertices(&self, index: usize) -> [V; 3] {
        (self.corners)(self.triangles[self.lane(index)])
    }

    #[inline(always)]
    fn number(&self, index: usize) -> u32 {
        self.first + self.lane(index) as u32
    }

    #[inline(always)]
    fn slopes(&self, index: usize) -> Slopes {
        self.many.slopes(self.lane(index), self.clockwise_is_front)
    }

    #[inline(always)]
    fn plane(&self, index: usize, is_depth: bool) -> Plane {
        let [at, dx, dy] = &self.many.planes[usize::from(!is_depth)];
        let lane = self.lane(index);
        Plane {
            at: at[lane],
            dx: dx[lane],
            dy: dy[lane],
        }
    }
}

impl Primitives {
    /// Appends triangles in their order. `corners` gives the vertices, `is_whole` says whether none of them is outside of
    /// the view volume, and `other` appends any triangle.
    pub(crate) fn push_all<V: Vertex>(
        &mut self,
        rules: &Rules,
        layout: &PlaneLayout,
        triangles: &[[u32; 3]],
        (corners, is_whole): (impl Fn([u32; 3]) -> [V; 3], impl Fn(&[V; 3]) -> bool),
        other: impl Fn([u32; 3], &mut Primitives),
    ) {
        if rules.positions.is_some() || rules.distances.registers().next().is_some() {
            for &triangle in triangles {
                other(triangle, self);
                self.number += 1;
            }
            return;
        }
        vectorised(SetUp {
            primitives: self,
            rules,
            layout,
            triangles,
            corners,
            is_whole,
            other,
        });
    }
}
