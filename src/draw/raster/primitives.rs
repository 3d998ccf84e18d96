//! [`Primitives`]: triangles that are set up, to be drawn in any number of bands.

use std::ops::Range;

use attila_machine::SamplePositions;
use attila_machine::pipeline::Plane;

use super::guard::{Polygon, Position, snapped};
use super::outline::{LIMIT, Point, cross};
use super::planes::Slopes;
use super::{Area, Cull, FrontFace, Outline, PlaneLayout, SUB};

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
}

/// The rules by which triangles are set up.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// The pixels that may be drawn to.
    pub(crate) area: Area,
    /// Which triangles are left out.
    pub(crate) cull: Cull,
    /// Which side is the front.
    pub(crate) front: FrontFace,
    /// The samples of pixels; `None` is the centre alone.
    pub(crate) positions: Option<SamplePositions>,
}

/// Triangles that may cover something, in the order in which they were pushed.
#[derive(Clone, Default, Debug)]
pub(crate) struct Primitives {
    /// The number of the triangle that is pushed next, within its draw.
    pub(crate) number: u32,
    /// The pixels that each covers; a primitive may have several outlines.
    pub(crate) outlines: Vec<Outline>,
    /// Where the planes of each start from.
    pub(crate) anchors: Vec<[f32; 2]>,
    /// The planes of each in turn.
    pub(crate) planes: Vec<Plane>,
    /// Whether 1/w is something else than 1 at any vertex.
    pub(crate) in_perspective: bool,
}

impl Primitives {
    /// Removes them, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.outlines.clear();
        self.anchors.clear();
        self.planes.clear();
        self.in_perspective = false;
    }

    /// Appends others.
    #[cfg(feature = "threads")]
    pub(crate) fn append(&mut self, other: &Primitives) {
        let first = self.next();
        let outlines = other.outlines.iter();
        self.outlines
            .extend(outlines.map(|outline| outline.behind(first)));
        self.anchors.extend_from_slice(&other.anchors);
        self.planes.extend_from_slice(&other.planes);
        self.in_perspective |= other.in_perspective;
    }

    /// Appends a triangle, unless it is culled, has no area, covers nothing for certain, or is
    /// somewhere that is no place: infinitely far, or not a number.
    pub(crate) fn push(
        &mut self,
        rules: &Rules,
        layout: &PlaneLayout,
        vertices: [&impl Vertex; 3],
    ) {
        let window = vertices.map(|vertex| vertex.position());
        let place = |[x, y, ..]: [f32; 4]| [x, y].map(|c| snapped(f64::from(c) * f64::from(SUB)));
        let positions = window.map(place);
        let near = |coordinate: &f64| coordinate.abs() <= f64::from(LIMIT);
        let outlines = self.outlines.len();
        let cross = if positions.as_flattened().iter().all(near) {
            self.outline(rules, positions)
        } else {
            self.outline_far(rules, positions)
        };
        if outlines == self.outlines.len() {
            return;
        }
        let reciprocals = window.map(|[.., reciprocal]| reciprocal);
        self.in_perspective |= reciprocals != [1.0; 3];
        let front = rules.front == FrontFace::Clockwise;
        let mut slopes = Slopes::new(positions, reciprocals, cross, front);
        let seen = Seen::new(&rules.area, positions);
        if slopes.too_steep(seen.size(), layout.perspective()) {
            self.push_rows(outlines, rules, layout, &mut slopes, vertices);
        } else {
            // The farthest vertex: 1/w bears the least error where it is smallest.
            let sizes = reciprocals.map(f32::abs);
            let farthest = (1..3).fold(0, |far, v| if sizes[v] < sizes[far] { v } else { far });
            slopes.anchor_at(seen.nearest(positions[farthest]));
            self.anchors.push(slopes.anchor());
            layout.push(&slopes, vertices, self.number, &mut self.planes);
        }
    }

    /// Makes a primitive of every pair of rows of each outline from `first` on.
    ///
    /// Along a row of a triangle inputs stay between those of the vertices. So planes that start
    /// there are never steep, but for the one step down to the second row.
    fn push_rows(
        &mut self,
        first: usize,
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
            in_perspective: _,
        } = self;
        for outline in &mut outlines[first..] {
            let primitive = anchors.len() as u32;
            outline.split(rules, primitive, |ends| {
                slopes.anchor_at_farther(ends.map(|pixel| pixel.map(|c| c as f32 + 0.5)));
                anchors.push(slopes.anchor());
                layout.push(slopes, vertices, *number, planes);
            });
        }
    }

    /// The index of the primitive that is being pushed.
    fn next(&self) -> u32 {
        self.anchors.len() as u32
    }

    /// Appends the outline of a triangle near the window, if anything is to be seen of it; returns
    /// twice its area with the clock.
    fn outline(&mut self, rules: &Rules, positions: [Position; 3]) -> f64 {
        let points = positions.map(|[x, y]| Point {
            x: x as i32,
            y: y as i32,
        });
        let cross = cross(points);
        if rules.shows(cross as f64) {
            let outline = Outline::new(points, cross, self.next(), rules);
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
        for points in Polygon::within_limit(positions).fan() {
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

impl Rules {
    /// How far from the centre of a pixel a point of it may be that counts, in sub-pixels.
    pub(super) fn reach(&self) -> i32 {
        match self.positions {
            None => 0,
            Some(_) => SUB / 2,
        }
    }

    /// Whether a triangle with this area, positive with the clock, is drawn.
    fn shows(&self, cross: f64) -> bool {
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
