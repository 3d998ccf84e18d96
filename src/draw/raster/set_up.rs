//! Setting up many triangles: side by side, in their order, but for rare ones, which are steep, have to be cut or are far
//! away. Those are set up by themselves.

use attila_machine::pipeline::Plane;

use super::many::{AT_ONCE, LANES, Many, flag};
use super::planes::{Abreast, PIXELS, PlaneLayout, Slopes};
use super::{FrontFace, Primitives, Rules, Vertex};
use crate::processor::{Vectorised, vectorised};

/// Triangles to be set up.
struct SetUp<'a, C> {
    primitives: &'a mut Primitives,
    rules: &'a Rules,
    layout: &'a PlaneLayout,
    triangles: &'a [[u32; 3]],
    corners: &'a C,
}

impl<C: Corners> Vectorised for SetUp<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let mut many = self.primitives.many.take().unwrap_or_else(Many::new);
        for triangles in self.triangles.chunks(AT_ONCE) {
            let in_perspective = self.gather(triangles, &mut many);
            let count = triangles.len().next_multiple_of(LANES).min(AT_ONCE);
            many.snap(count);
            many.surround(count, self.rules);
            many.measure(count, self.rules);
            many.find_edges(count);
            self.primitives.in_perspective |= in_perspective;
            let (area, divides) = (&self.rules.area, self.layout.perspective());
            match in_perspective {
                true => many.find_slopes::<true>(count, area, divides),
                false => many.find_slopes::<false>(count, area, divides),
            }
            many.find_planes(count);
            many.test_all(count);
            self.push(&many, triangles);
        }
        self.primitives.many = Some(many);
    }
}

impl<C: Corners> SetUp<'_, C> {
    /// Takes the vertices; whether 1/w is something else than 1 at any.
    #[inline(always)]
    fn gather(&self, triangles: &[[u32; 3]], many: &mut Many) -> bool {
        let windows = self.corners.windows();
        let mut others = 0;
        for (lane, &[a, b, c]) in triangles.iter().enumerate() {
            let place = |index| self.corners.place(index);
            let places = [place(a), place(b), place(c)];
            many.places[lane] = places;
            many.is_plain[lane] = flag(self.corners.is_whole(places));
            for (vertex, place) in places.into_iter().enumerate() {
                let [x, y, depth, reciprocal] = windows[place as usize];
                many.depths[vertex][lane] = depth;
                many.window[vertex][0][lane] = x;
                many.window[vertex][1][lane] = y;
                many.reciprocals[vertex][lane] = reciprocal;
                others |= reciprocal.to_bits() ^ 1.0_f32.to_bits();
            }
        }
        others != 0
    }

    /// Appends those of which something is to be seen.
    #[inline(always)]
    fn push(&mut self, many: &Many, triangles: &[[u32; 3]]) {
        let first = self.primitives.number;
        let mut kept = Kept {
            many,
            corners: self.corners,
            clockwise_is_front: self.rules.front == FrontFace::Clockwise,
            first,
            lanes: [0; AT_ONCE],
            count: 0,
        };
        for (lane, &triangle) in triangles.iter().enumerate() {
            if many.is_plain[lane] == 0 {
                kept.push(self.layout, self.primitives);
                kept.count = 0;
                self.primitives.number = first + lane as u32;
                self.corners.push(triangle, self.primitives);
                continue;
            }
            if many.is_hidden[lane] != 0 {
                continue;
            }
            let primitive = self.primitives.next() + kept.count as u32;
            let is_kept = if many.is_small[lane] != 0 {
                many.push_small(lane, primitive, &mut self.primitives.bins)
            } else {
                let outline = many.outline(lane, primitive, self.rules);
                self.primitives.push_outline(self.rules, outline)
            };
            kept.lanes[kept.count] = lane as u8;
            kept.count += usize::from(is_kept);
        }
        kept.push(self.layout, self.primitives);
        self.primitives.number = first + triangles.len() as u32;
    }
}

/// Triangles of which something is to be seen.
struct Kept<'a, C> {
    many: &'a Many,
    corners: &'a C,
    clockwise_is_front: bool,
    /// The number of the first of all triangles.
    first: u32,
    lanes: [u8; AT_ONCE],
    count: usize,
}

impl<C: Corners> Kept<'_, C> {
    #[inline(always)]
    fn lane(&self, index: usize) -> usize {
        usize::from(self.lanes[index]) % AT_ONCE
    }

    /// Appends anchors and planes.
    #[inline(always)]
    fn push(&self, layout: &PlaneLayout, primitives: &mut Primitives) {
        let lanes = (0..self.count).map(|index| self.lane(index));
        let anchors = lanes.map(|lane| self.many.anchors[lane]);
        primitives.anchors.extend(anchors);
        layout.push_all(self, &mut primitives.planes);
    }
}

impl<C: Corners> Abreast for Kept<'_, C> {
    type Vertex<'v>
        = C::Vertex<'v>
    where
        Self: 'v;

    #[inline(always)]
    fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn vertices(&self, index: usize) -> [C::Vertex<'_>; 3] {
        let [a, b, c] = self.places(index);
        let vertex = |place: u32| self.corners.vertex(place);
        [vertex(a), vertex(b), vertex(c)]
    }

    #[inline(always)]
    fn places(&self, index: usize) -> [u32; 3] {
        self.many.places[self.lane(index)]
    }

    #[inline(always)]
    fn attribute(&self, register: usize) -> Option<&[[f32; 4]]> {
        self.corners.attribute(register)
    }

    #[inline(always)]
    fn number(&self, index: usize) -> u32 {
        self.first + self.lane(index) as u32
    }

    #[inline(always)]
    fn slopes(&self, index: usize) -> Slopes {
        let (many, lane) = (self.many, self.lane(index));
        let [x, y] = many.points[0].each_ref().map(|it| f64::from(it[lane]));
        Slopes::from_parts(
            [x * PIXELS, y * PIXELS],
            many.reciprocals.each_ref().map(|it| f64::from(it[lane])),
            (many.cross[lane], self.clockwise_is_front),
            [&many.dx, &many.dy, &many.at].map(|it| [it[0][lane], it[1][lane]]),
            many.anchors[lane],
        )
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

/// The vertices of many triangles.
pub(crate) trait Corners {
    /// One of them.
    type Vertex<'v>: Vertex
    where
        Self: 'v;

    /// The place of the vertex with an index.
    fn place(&self, index: u32) -> u32;

    /// The vertex at a place.
    fn vertex(&self, place: u32) -> Self::Vertex<'_>;

    /// [`Vertex::position`] of each.
    fn windows(&self) -> &[[f32; 4]];

    /// [`Vertex::attribute`] of each; `None` if it is not a list.
    fn attribute(&self, register: usize) -> Option<&[[f32; 4]]>;

    /// Whether none of three vertices is outside of the view volume.
    fn is_whole(&self, places: [u32; 3]) -> bool;

    /// Appends any triangle.
    fn push(&self, triangle: [u32; 3], primitives: &mut Primitives);
}

impl Primitives {
    /// Appends triangles in their order.
    pub(crate) fn push_all(
        &mut self,
        rules: &Rules,
        layout: &PlaneLayout,
        triangles: &[[u32; 3]],
        corners: &impl Corners,
    ) {
        if rules.distances.registers().next().is_some() {
            for &triangle in triangles {
                corners.push(triangle, self);
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
        });
    }
}
