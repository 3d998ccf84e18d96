//! The planes of a triangle's inputs.

use attila_isa::pipeline::{InputKind, Pipeline, Plane};

use super::guard::Position;
use super::{SUB, Vertex};

/// What a plane is made of.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Source {
    /// z of the position, for `i0.z`.
    Depth,
    /// 1/w, for `i0.w`.
    ReciprocalW,
    /// The triangle's signed area, for `i15.w`.
    Area,
    /// An attribute's component, that of the last vertex.
    Flat(usize, usize),
    /// An attribute's component.
    Linear(usize, usize),
    /// An attribute's component, divided by w.
    Perspective(usize, usize),
    /// A plane that the draw has for everything, and what it starts from.
    Given(Plane, [f32; 2]),
}

/// The planes that a pipeline wants of each primitive, in their order.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Layout {
    sources: Vec<Source>,
    perspective: bool,
}

impl Layout {
    /// Becomes the layout of triangles in `pipeline`. Attributes of the vertices are the components
    /// for which `given` has no plane, starting from `anchor`.
    pub(crate) fn set(
        &mut self,
        pipeline: &Pipeline,
        anchor: [f32; 2],
        given: impl Fn(usize, usize) -> Option<Plane>,
    ) {
        self.sources.clear();
        let sources = pipeline.planes().map(|(register, component)| {
            let component = component.index();
            match (register, component) {
                (0, 2) => Source::Depth,
                (0, 3) => Source::ReciprocalW,
                (15, 3) => Source::Area,
                _ => match given(register, component) {
                    Some(plane) => Source::Given(plane, anchor),
                    None => match pipeline.inputs[register][component] {
                        InputKind::Perspective => Source::Perspective(register, component),
                        InputKind::Linear => Source::Linear(register, component),
                        // The others have no plane.
                        InputKind::Flat
                        | InputKind::Unused
                        | InputKind::Position
                        | InputKind::Array => Source::Flat(register, component),
                    },
                },
            }
        });
        self.sources.extend(sources);
        let kinds = pipeline.inputs.as_flattened();
        self.perspective = kinds.contains(&InputKind::Perspective);
    }

    /// Whether planes are divided by that of 1/w.
    pub(super) fn perspective(&self) -> bool {
        self.perspective
    }

    /// Appends the planes of a triangle with these vertices.
    pub(super) fn push(
        &self,
        slopes: &Slopes,
        vertices: [&impl Vertex; 3],
        planes: &mut Vec<Plane>,
    ) {
        planes.extend(self.sources.iter().map(|&source| match source {
            Source::Depth => slopes.plane(vertices.map(|vertex| vertex.position()[2].into())),
            Source::ReciprocalW => slopes.plane(slopes.reciprocals),
            Source::Area => flat(slopes.area as f32),
            Source::Flat(register, component) => {
                let [.., last] = vertices;
                flat(last.flat(register)[component])
            }
            Source::Linear(register, component) => {
                let values = vertices.map(|vertex| vertex.attribute(register)[component]);
                slopes.plane(values.map(f64::from))
            }
            Source::Perspective(register, component) => {
                let values = vertices.map(|vertex| vertex.attribute(register)[component]);
                let [a, b, c] = values.map(f64::from);
                let [p, q, r] = slopes.reciprocals;
                slopes.plane([a * p, b * q, c * r])
            }
            Source::Given(plane, from) => moved(plane, from, slopes.anchor),
        }));
    }
}

/// A plane with this many times the range of its values as its terms is off by less than 1e-5 of
/// it: each term has been rounded to 24 bits twice.
const MOST_TERMS: f64 = 64.0;

/// The same everywhere.
fn flat(at: f32) -> Plane {
    Plane {
        at,
        dx: 0.0,
        dy: 0.0,
    }
}

/// The plane that starts from `to` instead of `from`.
fn moved(plane: Plane, from: [f32; 2], to: [f32; 2]) -> Plane {
    let [right, down] = [0, 1].map(|axis| f64::from(to[axis]) - f64::from(from[axis]));
    let [at, dx, dy] = [plane.at, plane.dx, plane.dy].map(f64::from);
    Plane {
        at: (at + right * dx + down * dy) as f32,
        ..plane
    }
}

/// How what is given at a triangle's vertices changes over the window.
pub(super) struct Slopes {
    /// The first vertex, in pixels.
    origin: Position,
    /// 1/w of the vertices.
    reciprocals: [f64; 3],
    /// In pixels, positive for a front.
    area: f64,
    /// By how much what is 1 at the second or third vertex, and 0 at the others, grows per pixel.
    dx: [f64; 2],
    dy: [f64; 2],
    /// And how much it is at the anchor.
    at: [f64; 2],
    anchor: [f32; 2],
}

impl Slopes {
    /// Those of a triangle with the vertices at `positions`, in sub-pixels. `cross` is twice its
    /// area, in sub-pixels and with the clock, and not 0.
    pub(super) fn new(
        positions: [Position; 3],
        reciprocals: [f32; 3],
        cross: f64,
        clockwise_is_front: bool,
    ) -> Slopes {
        let [origin, second, third] = positions.map(|at| at.map(|c| c / f64::from(SUB)));
        let side = |to: Position| [to[0] - origin[0], to[1] - origin[1]];
        let ([x1, y1], [x2, y2]) = (side(second), side(third));
        let twice = cross / f64::from(SUB * SUB);
        let sign = if clockwise_is_front { 0.5 } else { -0.5 };
        Slopes {
            origin,
            reciprocals: reciprocals.map(f64::from),
            area: twice * sign,
            dx: [y2 / twice, -y1 / twice],
            dy: [-x2 / twice, x1 / twice],
            at: [0.0; 2],
            anchor: [0.0; 2],
        }
    }

    /// What its planes start from.
    pub(super) fn anchor(&self) -> [f32; 2] {
        self.anchor
    }

    /// Starts planes from `anchor`.
    pub(super) fn anchor_at(&mut self, anchor: [f32; 2]) {
        let [right, down] = [0, 1].map(|axis| f64::from(anchor[axis]) - self.origin[axis]);
        self.at = [0, 1].map(|v| right * self.dx[v] + down * self.dy[v]);
        self.anchor = anchor;
    }

    /// Starts planes from that of two points at which 1/w is smaller, so that it bears the lesser
    /// error there.
    pub(super) fn anchor_at_farther(&mut self, points: [[f32; 2]; 2]) {
        let [one, other] = points.map(|point| {
            self.anchor_at(point);
            self.value(self.reciprocals).abs()
        });
        self.anchor_at(points[usize::from(other < one)]);
    }

    /// Whether f32 planes are too coarse for an area of `size` pixels that is far from the anchor:
    /// if what they add up to, and cancels, is large against what comes out.
    pub(super) fn too_steep(&self, size: [f64; 2], perspective: bool) -> bool {
        let growth = |by: [f64; 2]| by[0].abs() + by[1].abs() + (by[0] + by[1]).abs();
        let terms = 1.0 + size[0] * growth(self.dx) + size[1] * growth(self.dy);
        let sizes = self.reciprocals.map(f64::abs);
        let [least, most] = [
            sizes[0].min(sizes[1]).min(sizes[2]),
            sizes[0].max(sizes[1]).max(sizes[2]),
        ];
        let terms = if perspective {
            terms * (most / least)
        } else {
            terms
        };
        terms > MOST_TERMS
    }

    fn plane(&self, values: [f64; 3]) -> Plane {
        let [first, second, third] = values;
        let (second, third) = (second - first, third - first);
        let grown = |by: [f64; 2]| (second * by[0] + third * by[1]) as f32;
        Plane {
            at: self.value(values) as f32,
            dx: grown(self.dx),
            dy: grown(self.dy),
        }
    }

    /// At the anchor, what has these values at the vertices.
    fn value(&self, [first, second, third]: [f64; 3]) -> f64 {
        first + (second - first) * self.at[0] + (third - first) * self.at[1]
    }
}
