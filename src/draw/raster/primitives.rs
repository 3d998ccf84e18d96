//! [`Primitives`]: triangles that are set up, to be drawn in any number of bands.

use std::ops::Range;

use attila_isa::Slots;
use attila_machine::SamplePositions;
use attila_machine::pipeline::Plane;

use super::bins::Bins;
use super::cylinder::wrap;
use super::distances::Extent;
use super::guard::{self, Position, snapped};
use super::many::Many;
use super::outline::{LIMIT, Point, cross};
use super::planes::{Slopes, wide};
use super::polygon::{Homogeneous, Polygon};
use super::{Area, Cull, Distances, FrontFace, Outline, PlaneLayout, SUB};

/// A vertex of a triangle in the window.
pub(crate) trait Vertex {
    /// x and y in pixels, depth, and 1/w.
    fn position(&self) -> [f32; 4];

    /// The attribute that becomes fragment input `register`.
    fn attribute(&self, register: usize) -> [f32; 4];

    /// The attribute of the whole primitive of which this is the last vertex.
    fn flat(&self, register: usize) -> [f32; 4] {
        self.attribute(register)
    }

    /// An attribute of a triangle's corners.
    #[inline(always)]
    fn attributes(corners: [&Self; 3], register: usize, spread: Spread) -> [[f64; 4]; 3]
    where
        Self: Sized,
    {
        let [a, b, c] = corners;
        let value = |corner: &Self| wide(corner.attribute(register));
        // Not by `map`, which is not inlined.
        let mut values = [value(a), value(b), value(c)];
        if !spread.wraps.is_empty() {
            wrap(&mut values, spread.wraps);
        }
        values
    }
}

/// How an attribute is spread over a triangle.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spread {
    /// Components that go the shorter way round a cylinder.
    pub(super) wraps: Slots,
    /// Whether it is linear in the window, and not in space.
    pub(super) is_linear: bool,
}

/// A corner of what is left of a triangle that has been cut.
struct Between<'a, V> {
    vertices: [&'a V; 3],
    position: [f32; 4],
    /// The weight of each of the vertices in attributes here.
    weights: [f64; 3],
    /// The same of those that are linear in the window.
    linear_weights: [f64; 3],
}

impl<V: Vertex> Between<'_, V> {
    fn spread(&self, register: usize, spread: Spread) -> [f32; 4] {
        let values = V::attributes(self.vertices, register, spread);
        let weights = match spread.is_linear {
            true => self.linear_weights,
            false => self.weights,
        };
        std::array::from_fn(|component| {
            let weighted = values.iter().zip(weights);
            weighted
                .map(|(value, weight)| value[component] * weight)
                .sum::<f64>() as f32
        })
    }
}

impl<V: Vertex> Vertex for Between<'_, V> {
    fn position(&self) -> [f32; 4] {
        self.position
    }

    fn attribute(&self, register: usize) -> [f32; 4] {
        self.spread(register, Spread::default())
    }

    fn flat(&self, register: usize) -> [f32; 4] {
        let [.., last] = self.vertices;
        last.flat(register)
    }

    /// Wraps the values of the whole triangle, so that its parts fit together.
    fn attributes(corners: [&Self; 3], register: usize, spread: Spread) -> [[f64; 4]; 3] {
        corners.map(|corner| corner.spread(register, spread).map(f64::from))
    }
}

/// The rules by which triangles are set up.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// The pixels that may be drawn to.
    pub(crate) area: Area,
    /// The part of them that is drawn this time: triangles elsewhere are left out.
    pub(crate) drawn: Area,
    /// Which triangles are left out.
    pub(crate) cull: Cull,
    /// Which side is the front.
    pub(crate) front: FrontFace,
    /// The samples of pixels; `None` is the centre alone.
    pub(crate) positions: Option<SamplePositions>,
    /// The attributes that triangles are cut by.
    pub(crate) distances: Distances,
}

/// Triangles that may cover something, in the order in which they were pushed.
#[derive(Clone, Default, Debug)]
pub(crate) struct Primitives {
    /// The number of the triangle that is pushed next, within its draw.
    pub(crate) number: u32,
    /// What they cover; a primitive may have several outlines.
    pub(crate) bins: Bins,
    /// The outlines of the triangle that is being pushed.
    outlines: Vec<Outline>,
    /// Where the planes of each start from.
    pub(crate) anchors: Vec<[f32; 2]>,
    /// The planes of each in turn.
    pub(crate) planes: Vec<Plane>,
    /// Whether 1/w is something else than 1 at any vertex.
    pub(crate) in_perspective: bool,
    /// Where triangles are set up side by side.
    pub(super) many: Option<Box<Many>>,
}

impl Primitives {
    /// Removes them, and makes room for those in an area that is drawn in bands of `height` rows each, a power of two.
    pub(crate) fn clear(&mut self, area: &Area, height: u32) {
        self.bins.clear(area, height);
        self.anchors.clear();
        self.planes.clear();
        self.in_perspective = false;
    }

    /// Appends the part of a triangle that its distances leave, unless it is culled, has no area, covers
    /// nothing for certain, or is somewhere that is no place: infinitely far, or not a number.
    pub(crate) fn push(
        &mut self,
        rules: &Rules,
        layout: &PlaneLayout,
        vertices: [&impl Vertex; 3],
    ) {
        match rules.distances.extent(vertices) {
            Extent::All => self.push_whole(rules, layout, vertices),
            Extent::Nothing => {}
            Extent::Part => {
                let whole = Polygon::whole(vertices.map(|vertex| unprojected(vertex.position())));
                let part = rules.distances.cut(whole, vertices);
                self.push_corners(rules, layout, vertices, (&part, projected));
            }
        }
    }

    /// The same for a triangle of which `polygon` is left already, in a space that `window` leads out of.
    pub(crate) fn push_cut(
        &mut self,
        rules: &Rules,
        layout: &PlaneLayout,
        vertices: [&impl Vertex; 3],
        (polygon, window): (Polygon, impl Fn(Homogeneous) -> [f32; 4]),
    ) {
        let part = match rules.distances.extent(vertices) {
            Extent::All => polygon,
            Extent::Nothing => return,
            Extent::Part => rules.distances.cut(polygon, vertices),
        };
        self.push_corners(rules, layout, vertices, (&part, window));
    }

    /// Appends a polygon, as triangles around its first corner.
    fn push_corners<V: Vertex>(
        &mut self,
        rules: &Rules,
        layout: &PlaneLayout,
        vertices: [&V; 3],
        (polygon, window): (&Polygon, impl Fn(Homogeneous) -> [f32; 4]),
    ) {
        let [first, rest @ ..] = polygon.corners() else {
            return;
        };
        for pair in rest.windows(2) {
            let corners = [first, &pair[0], &pair[1]].map(|corner| Between {
                vertices,
                position: window(corner.position),
                weights: corner.weights,
                linear_weights: polygon.linear_weights(corner),
            });
            self.push_whole(rules, layout, corners.each_ref());
        }
    }

    fn push_whole(&mut self, rules: &Rules, layout: &PlaneLayout, vertices: [&impl Vertex; 3]) {
        let window = vertices.map(|vertex| vertex.position());
        let place = |[x, y, ..]: [f32; 4]| [x, y].map(|c| snapped(f64::from(c) * f64::from(SUB)));
        let positions = window.map(place);
        let near = |coordinate: &f64| coordinate.abs() <= f64::from(LIMIT);
        let cross = if positions.as_flattened().iter().all(near) {
            self.outline(rules, positions)
        } else {
            self.outline_far(rules, positions)
        };
        if self.outlines.is_empty() {
            return;
        }
        let reciprocals = window.map(|[.., reciprocal]| reciprocal);
        self.in_perspective |= reciprocals != [1.0; 3];
        let front = rules.front == FrontFace::Clockwise;
        let mut slopes = Slopes::new(positions, reciprocals, cross, front);
        let seen = Seen::new(&rules.area, positions);
        if slopes.too_steep(seen.size(), layout.perspective()) {
            self.push_rows(rules, layout, &mut slopes, vertices);
        } else {
            // The farthest vertex: 1/w bears the least error where it is smallest.
            let sizes = reciprocals.map(f32::abs);
            let farthest = (1..3).fold(0, |far, v| if sizes[v] < sizes[far] { v } else { far });
            slopes.anchor_at(seen.nearest(positions[farthest]));
            self.anchors.push(slopes.anchor());
            layout.push(&slopes, vertices, self.number, &mut self.planes);
        }
        for outline in self.outlines.drain(..) {
            self.bins.push_outline(&outline, outline.rows(&rules.drawn));
        }
    }

    /// Appends the outline of a triangle that has been set up, if there is one; whether there is.
    pub(super) fn push_outline(&mut self, rules: &Rules, outline: Option<Outline>) -> bool {
        if let Some(outline) = &outline {
            self.bins.push_outline(outline, outline.rows(&rules.drawn));
        }
        outline.is_some()
    }

    /// Makes a primitive of every pair of rows of each outline.
    ///
    /// Along a row of a triangle inputs stay between those of the vertices. So planes that start
    /// there are never steep, but for the one step down to the second row.
    fn push_rows(
        &mut self,
        rules: &Rules,
        layout: &PlaneLayout,
        slopes: &mut Slopes,
        vertices: [&impl Vertex; 3],
    ) {
        let Primitives {
            number,
            outlines,
            anchors,
            planes,
            bins: _,
            in_perspective: _,
            many: _,
        } = self;
        for outline in outlines {
            let primitive = anchors.len() as u32;
            outline.split(rules, primitive, |ends| {
                slopes.anchor_at_farther(ends.map(|pixel| pixel.map(|c| c as f32 + 0.5)));
                anchors.push(slopes.anchor());
                layout.push(slopes, vertices, *number, planes);
            });
        }
    }

    /// The index of the primitive that is being pushed.
    #[inline(always)]
    pub(super) fn next(&self) -> u32 {
        self.anchors.len() as u32
    }

    /// Appends the outline of a triangle near the window, if anything is to be seen of it; returns
    /// twice its area with the clock.
    fn outline(&mut self, rules: &Rules, positions: [Position; 3]) -> f64 {
        let points = points(positions);
        let cross = cross(points);
        if rules.shows(cross as f64) {
            let primitive = self.next();
            let outline = Outline::new(points, cross, primitive, rules);
            self.outlines.extend(outline);
        }
        cross as f64
    }

    /// The same for a primitive of which a part is beyond the reach of integers.
    fn outline_far(&mut self, rules: &Rules, positions: [Position; 3]) -> f64 {
        let [a, b, c] = positions;
        let twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if !twice.is_finite() || !rules.shows(twice) {
            return twice;
        }
        for points in guard::Polygon::within_limit(positions).fan() {
            let part = cross(points);
            // Parts that rounding has turned over would cover again what others do.
            if part != 0 && (part > 0) == (twice > 0.0) {
                let outline = Outline::new(points, part, self.next(), rules);
                self.outlines.extend(outline);
            }
        }
        twice
    }
}

/// Positions near the window, as integers.
fn points(positions: [Position; 3]) -> [Point; 3] {
    positions.map(|[x, y]| Point {
        x: x as i32,
        y: y as i32,
    })
}

/// A position in the window in a space in which attributes are linear.
fn unprojected(window: [f32; 4]) -> Homogeneous {
    let [x, y, z, reciprocal] = window.map(f64::from);
    let w = 1.0 / reciprocal;
    [x * w, y * w, z * w, w]
}

/// The way back.
fn projected([x, y, z, w]: Homogeneous) -> [f32; 4] {
    [x / w, y / w, z / w, 1.0 / w].map(|component| component as f32)
}

impl Rules {
    /// How far from the centre of a pixel a point of it may be that counts, in sub-pixels.
    pub(super) fn reach(&self) -> i32 {
        match self.positions {
            None => 0,
            Some(_) => SUB / 2,
        }
    }

    /// Whether a triangle with this area, positive with the clock, is drawn.
    pub(super) fn shows(&self, cross: f64) -> bool {
        let front = (cross > 0.0) == (self.front == FrontFace::Clockwise);
        let culled = match self.cull {
            Cull::None => false,
            Cull::Front => front,
            Cull::Back => !front,
        };
        cross != 0.0 && !culled
    }
}

/// The rectangle, in pixels, in which a triangle may be seen.
struct Seen([[f64; 2]; 2]);

impl Seen {
    fn new(area: &Area, positions: [Position; 3]) -> Seen {
        let [a, b, c] = positions;
        let axis = |axis: usize, range: &Range<i32>| {
            let (start, end) = (f64::from(range.start), f64::from(range.end));
            let least = a[axis].min(b[axis]).min(c[axis]) / f64::from(SUB);
            let most = a[axis].max(b[axis]).max(c[axis]) / f64::from(SUB);
            [least.clamp(start, end), most.clamp(start, end)]
        };
        Seen([axis(0, &area.columns), axis(1, &area.rows)])
    }

    fn size(&self) -> [f64; 2] {
        self.0.map(|[start, end]| end - start)
    }

    /// The point of it next to `position`.
    fn nearest(&self, position: Position) -> [f32; 2] {
        [0, 1].map(|axis| {
            let [start, end] = self.0[axis];
            (position[axis] / f64::from(SUB)).clamp(start, end) as f32
        })
    }
}
