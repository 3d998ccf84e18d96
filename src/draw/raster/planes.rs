//! The planes of a triangle's inputs.

use attila_isa::{Component, Inputs, PRIMITIVE_ID, Slots};
use attila_machine::pipeline::{InputKind, Pipeline, Plane};

use super::guard::Position;
use super::primitives::Spread;
use super::{SUB, Vertex};

/// The values that planes are made of.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Source {
    /// z of the position, for `i0.z`.
    Depth,
    /// 1/w, for `i0.w`.
    ReciprocalW,
    /// The triangle's signed area, for `i15.w`.
    Area,
    /// The triangle's number, raw bits.
    Number,
    /// Components of an attribute, those of the last vertex.
    Flat(usize, Slots),
    /// Components of an attribute.
    Linear(usize, Slots),
    /// Components of an attribute, divided by w.
    Perspective(usize, Slots),
    /// A plane that the draw has for everything, and what it starts from.
    Given(Plane, [f32; 2]),
    /// A number that the draw has for everything.
    Fixed(f32),
}

/// The inputs that are colours of the front (machine.md 2.4).
pub(crate) const FRONT_COLOURS: [usize; 2] = [1, 2];

/// From the register of a front's colour to that of the back's.
pub(crate) const TO_BACK: usize = 2;

/// The planes that a pipeline wants of each primitive, in their order.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct PlaneLayout {
    sources: Vec<Source>,
    perspective: bool,
    /// The inputs that are, in triangles that show their back, the attributes [`TO_BACK`] after them.
    pub(crate) with_backs: Inputs<bool>,
    /// Components of inputs that go the shorter way round a cylinder.
    pub(crate) wraps: Inputs<Slots>,
}

impl PlaneLayout {
    /// Becomes the layout of triangles in `pipeline`. Attributes of the vertices are the components
    /// for which `given` has no plane, starting from `anchor`. With `numbered`, the number of the
    /// triangle is an input.
    pub(crate) fn set(
        &mut self,
        pipeline: &Pipeline,
        anchor: [f32; 2],
        numbered: bool,
        given: impl Fn(usize, usize) -> Option<Plane>,
    ) {
        self.sources.clear();
        for (register, component) in pipeline.planes() {
            let slots = Slots::only(component);
            let kind = pipeline.inputs[register][component.index()];
            self.add(match (register, component) {
                (0, Component::Z) => Source::Depth,
                (0, Component::W) => Source::ReciprocalW,
                (15, Component::W) => Source::Area,
                (PRIMITIVE_ID, Component::X) if numbered => Source::Number,
                _ => match (given(register, component.index()), kind) {
                    (Some(plane), InputKind::Flat) => Source::Fixed(plane.at),
                    (Some(plane), _) => Source::Given(plane, anchor),
                    (None, InputKind::Perspective) => Source::Perspective(register, slots),
                    (None, InputKind::Linear) => Source::Linear(register, slots),
                    // The others have no plane.
                    (
                        None,
                        InputKind::Flat
                        | InputKind::Unused
                        | InputKind::Position
                        | InputKind::Array,
                    ) => Source::Flat(register, slots),
                },
            });
        }
        self.perspective = pipeline.has_perspective();
    }

    /// Adds a source; components of the same register are one.
    fn add(&mut self, source: Source) {
        match (self.sources.last_mut(), source) {
            (Some(Source::Flat(register, slots)), Source::Flat(same, more))
            | (Some(Source::Linear(register, slots)), Source::Linear(same, more))
            | (Some(Source::Perspective(register, slots)), Source::Perspective(same, more))
                if *register == same =>
            {
                *slots |= more;
            }
            _ => self.sources.push(source),
        }
    }

    /// Whether planes are divided by that of 1/w.
    pub(super) fn perspective(&self) -> bool {
        self.perspective
    }

    /// The attribute that an input of a triangle with these slopes is made of.
    fn attribute(&self, register: usize, slopes: &Slopes) -> usize {
        match slopes.area < 0.0 && self.with_backs[register] {
            true => register + TO_BACK,
            false => register,
        }
    }

    /// Appends the planes of a triangle with these vertices.
    pub(super) fn push<V: Vertex>(
        &self,
        slopes: &Slopes,
        vertices: [&V; 3],
        number: u32,
        planes: &mut Vec<Plane>,
    ) {
        let values = |register: usize, is_linear: bool| {
            let spread = Spread {
                wraps: self.wraps[register],
                is_linear,
            };
            V::attributes(vertices, self.attribute(register, slopes), spread)
        };
        for &source in &self.sources {
            match source {
                Source::Depth => {
                    let depths = vertices.map(|vertex| vertex.position()[2].into());
                    planes.push(slopes.plane(depths));
                }
                Source::ReciprocalW => planes.push(slopes.plane(slopes.reciprocals)),
                Source::Area => planes.push(flat(slopes.area as f32)),
                Source::Number => planes.push(flat(f32::from_bits(number))),
                Source::Flat(register, slots) => {
                    let [.., last] = vertices;
                    let value = last.flat(self.attribute(register, slopes));
                    pick(value.map(flat), slots, planes);
                }
                Source::Linear(register, slots) => {
                    pick(slopes.planes(values(register, true)), slots, planes);
                }
                Source::Perspective(register, slots) => {
                    let mut values = values(register, false);
                    for (value, reciprocal) in values.iter_mut().zip(slopes.reciprocals) {
                        *value = value.map(|component| component * reciprocal);
                    }
                    pick(slopes.planes(values), slots, planes);
                }
                Source::Fixed(at) => planes.push(flat(at)),
                Source::Given(plane, from) => planes.push(plane.moved(from, slopes.anchor)),
            }
        }
    }
}

/// Appends those of the four planes of a register that are wanted.
fn pick(register: [Plane; 4], slots: Slots, planes: &mut Vec<Plane>) {
    if slots == Slots::all() {
        planes.extend(register);
    } else {
        let picked = slots.components();
        planes.extend(picked.map(|component| register[component.index()]));
    }
}

/// A plane with this many times the range of its values as its terms is off by less than 1e-5 of
/// it: each term has been rounded to 24 bits twice.
const MOST_TERMS: f64 = 64.0;

/// Pixels of a sub-pixel.
const PIXELS: f64 = 1.0 / SUB as f64;

/// The same everywhere.
fn flat(at: f32) -> Plane {
    Plane {
        at,
        dx: 0.0,
        dy: 0.0,
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
    /// The slopes of a triangle with the vertices at `positions`, in sub-pixels. `cross` is twice
    /// its area, in sub-pixels and with the clock, and not 0.
    pub(super) fn new(
        positions: [Position; 3],
        reciprocals: [f32; 3],
        cross: f64,
        clockwise_is_front: bool,
    ) -> Slopes {
        let [origin, second, third] = positions.map(|at| at.map(|c| c * PIXELS));
        let side = |to: Position| [to[0] - origin[0], to[1] - origin[1]];
        let ([x1, y1], [x2, y2]) = (side(second), side(third));
        let twice = cross / f64::from(SUB * SUB);
        let scale = 1.0 / twice;
        let sign = if clockwise_is_front { 0.5 } else { -0.5 };
        Slopes {
            origin,
            reciprocals: reciprocals.map(f64::from),
            area: twice * sign,
            dx: [y2 * scale, -y1 * scale],
            dy: [-x2 * scale, x1 * scale],
            at: [0.0; 2],
            anchor: [0.0; 2],
        }
    }

    /// The point that its planes start from.
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

    /// The planes of all components of a register. The same as [`Slopes::plane`] of each, in a form
    /// that becomes vector code.
    fn planes(&self, [first, second, third]: [[f64; 4]; 3]) -> [Plane; 4] {
        let less = |from: [f64; 4]| std::array::from_fn(|c| from[c] - first[c]);
        let (second, third): ([f64; 4], [f64; 4]) = (less(second), less(third));
        let grown = |by: [f64; 2]| -> [f64; 4] {
            std::array::from_fn(|c| second[c] * by[0] + third[c] * by[1])
        };
        let (at, dx, dy) = (grown(self.at), grown(self.dx), grown(self.dy));
        std::array::from_fn(|c| Plane {
            at: (first[c] + at[c]) as f32,
            dx: dx[c] as f32,
            dy: dy[c] as f32,
        })
    }

    /// At the anchor, what has these values at the vertices.
    fn value(&self, [first, second, third]: [f64; 3]) -> f64 {
        first + ((second - first) * self.at[0] + (third - first) * self.at[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_start_from_the_end_at_which_the_reciprocal_of_w_is_smaller() {
        // A triangle of sixteen pixels a side, farther away to the right.
        let side = f64::from(16 * SUB);
        let positions = [[0.0, 0.0], [side, 0.0], [0.0, side]];
        let mut slopes = Slopes::new(positions, [1.0, 0.25, 1.0], side * side, false);
        let (near, far) = ([0.5, 0.5], [12.5, 2.5]);
        for points in [[near, far], [far, near]] {
            slopes.anchor_at_farther(points);
            assert_eq!(slopes.anchor(), far);
        }
    }
}
