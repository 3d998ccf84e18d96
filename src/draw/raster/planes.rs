//! The planes of a triangle's inputs.

use attila_isa::{Component, Inputs, PRIMITIVE_ID, Slots};
use attila_machine::pipeline::{InputKind, Pipeline, Plane};

use super::guard::Position;
use super::many::AT_ONCE;
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

/// Triangles whose planes are computed side by side. All of it has to be inlined.
pub(super) trait Abreast {
    /// Their vertices.
    type Vertex<'v>: Vertex
    where
        Self: 'v;

    /// How many there are.
    fn count(&self) -> usize;

    /// The vertices of one.
    fn vertices(&self, index: usize) -> [Self::Vertex<'_>; 3];

    /// The places of its vertices.
    fn places(&self, index: usize) -> [u32; 3];

    /// An attribute of all vertices, by their places; `None` if it is not a list.
    fn attribute(&self, register: usize) -> Option<&[[f32; 4]]>;

    /// Its number.
    fn number(&self, index: usize) -> u32;

    /// Its slopes.
    fn slopes(&self, index: usize) -> Slopes;

    /// The plane of its depth, or of 1/w.
    fn plane(&self, index: usize, is_depth: bool) -> Plane;
}

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

    /// Adds a plane at the end that no input has: the number of the triangle, as raw bits.
    pub(crate) fn add_number(&mut self) {
        self.sources.push(Source::Number);
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
    #[inline(always)]
    fn attribute(&self, register: usize, slopes: &Slopes) -> usize {
        match slopes.area < 0.0 && self.with_backs[register] {
            true => register + TO_BACK,
            false => register,
        }
    }

    /// The sources, each with the place of its first plane among those of a primitive.
    fn places(&self) -> impl Iterator<Item = (Source, usize)> {
        let mut next = 0;
        self.sources.iter().map(move |&source| {
            let place = next;
            next += source.planes();
            (source, place)
        })
    }

    /// Planes of a primitive.
    pub(super) fn count(&self) -> usize {
        self.sources.iter().map(|source| source.planes()).sum()
    }

    /// Appends the planes of a triangle with these vertices.
    pub(super) fn push<V: Vertex>(
        &self,
        slopes: &Slopes,
        vertices: [&V; 3],
        number: u32,
        planes: &mut Vec<Plane>,
    ) {
        let first = planes.len();
        planes.resize(first + self.count(), Plane::default());
        for (source, place) in self.places() {
            self.fill(
                source,
                slopes,
                vertices,
                number,
                &mut planes[first + place..],
            );
        }
    }

    /// Appends the planes of triangles, source by source.
    #[inline(always)]
    pub(super) fn push_all<A: Abreast>(&self, triangles: &A, planes: &mut Vec<Plane>) {
        let count = triangles.count();
        if count == 0 {
            return;
        }
        let of_each = self.count();
        let first = planes.len();
        planes.resize(first + count * of_each, Plane::default());
        let planes = &mut planes[first..];
        let mut registers = [Register::default(); AT_ONCE];
        for (source, place) in self.places() {
            let places = planes[place..].chunks_mut(of_each).take(count).enumerate();
            if let Source::Depth | Source::ReciprocalW = source {
                for (index, planes) in places {
                    planes[0] = triangles.plane(index, source == Source::Depth);
                }
            } else if let Some((attribute, divides)) = self.plain(source, triangles) {
                for (index, register) in registers[..count].iter_mut().enumerate() {
                    let [a, b, c] = triangles.places(index);
                    // Not by `map`, which is not inlined.
                    let value = |place: u32| attribute[place as usize];
                    let mut values = [wide(value(a)), wide(value(b)), wide(value(c))];
                    let slopes = triangles.slopes(index);
                    if divides {
                        slopes.divide(&mut values);
                    }
                    *register = slopes.planes(values);
                }
                for (index, planes) in places {
                    interleave(&registers[index], planes);
                }
            } else {
                for (index, planes) in places {
                    let (vertices, number) = (triangles.vertices(index), triangles.number(index));
                    let slopes = triangles.slopes(index);
                    self.fill(source, &slopes, vertices.each_ref(), number, planes);
                }
            }
        }
    }

    /// The attribute of a source that takes all of its components as they are, and whether they are divided by w.
    #[inline(always)]
    fn plain<'t, A: Abreast>(
        &self,
        source: Source,
        triangles: &'t A,
    ) -> Option<(&'t [[f32; 4]], bool)> {
        let (Source::Linear(register, slots) | Source::Perspective(register, slots)) = source
        else {
            return None;
        };
        let is_plain =
            slots == Slots::all() && self.wraps[register].is_empty() && !self.with_backs[register];
        let attribute = is_plain.then(|| triangles.attribute(register))??;
        Some((attribute, matches!(source, Source::Perspective(..))))
    }

    /// Writes the planes of a source.
    #[inline(always)]
    fn fill<V: Vertex>(
        &self,
        source: Source,
        slopes: &Slopes,
        vertices: [&V; 3],
        number: u32,
        planes: &mut [Plane],
    ) {
        match source {
            Source::Depth => {
                let [a, b, c] = vertices;
                let depth = |vertex: &V| f64::from(vertex.position()[2]);
                planes[0] = slopes.plane([depth(a), depth(b), depth(c)]);
            }
            Source::ReciprocalW => planes[0] = slopes.plane(slopes.reciprocals),
            Source::Area => planes[0] = flat(slopes.area as f32),
            Source::Number => planes[0] = flat(f32::from_bits(number)),
            Source::Flat(register, slots) => {
                let [.., last] = vertices;
                let value = last.flat(self.attribute(register, slopes));
                pick(&[value, [0.0; 4], [0.0; 4]], slots, planes);
            }
            Source::Linear(register, slots) | Source::Perspective(register, slots) => {
                let is_linear = matches!(source, Source::Linear(..));
                let spread = Spread {
                    wraps: self.wraps[register],
                    is_linear,
                };
                let register = self.attribute(register, slopes);
                let mut values = V::attributes(vertices, register, spread);
                if !is_linear {
                    slopes.divide(&mut values);
                }
                pick(&slopes.planes(values), slots, planes);
            }
            Source::Fixed(at) => planes[0] = flat(at),
            Source::Given(plane, from) => planes[0] = plane.moved(from, slopes.anchor),
        }
    }
}

impl Source {
    /// How many planes it gives.
    fn planes(self) -> usize {
        match self {
            Source::Flat(_, slots) | Source::Linear(_, slots) | Source::Perspective(_, slots) => {
                slots.components().count()
            }
            Source::Depth
            | Source::ReciprocalW
            | Source::Area
            | Source::Number
            | Source::Given(..)
            | Source::Fixed(_) => 1,
        }
    }
}

/// The four planes of a register: what they are at the anchor, and by how much they grow along and down the rows.
type Register = [[f32; 4]; 3];

/// A value with more digits.
#[inline(always)]
pub(super) fn wide([x, y, z, w]: [f32; 4]) -> [f64; 4] {
    [f64::from(x), f64::from(y), f64::from(z), f64::from(w)]
}

fn plane([at, dx, dy]: &Register, component: usize) -> Plane {
    Plane {
        at: at[component],
        dx: dx[component],
        dy: dy[component],
    }
}

/// Writes the planes of a register.
#[inline(always)]
fn interleave(register: &Register, planes: &mut [Plane]) {
    for (component, to) in planes[..4].iter_mut().enumerate() {
        *to = plane(register, component);
    }
}

/// Writes those of the planes of a register that are wanted.
fn pick(register: &Register, slots: Slots, planes: &mut [Plane]) {
    for (to, component) in planes.iter_mut().zip(slots.components()) {
        *to = plane(register, component.index());
    }
}

/// A plane with this many times the range of its values as its terms is off by less than 1e-5 of
/// it: each term has been rounded to 24 bits twice.
pub(super) const MOST_TERMS: f64 = 64.0;

/// Pixels of a sub-pixel.
pub(super) const PIXELS: f64 = 1.0 / SUB as f64;

/// The same everywhere.
fn flat(at: f32) -> Plane {
    Plane {
        at,
        dx: 0.0,
        dy: 0.0,
    }
}

/// The area of a triangle in pixels, negative for a back, of twice the one in sub-pixels and with the clock.
#[inline(always)]
fn area(cross: f64, clockwise_is_front: bool) -> f64 {
    cross / f64::from(SUB * SUB) * if clockwise_is_front { 0.5 } else { -0.5 }
}

/// How what is given at a triangle's vertices changes over the window.
#[derive(Clone, Copy)]
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
        let scale = 1.0 / (cross / f64::from(SUB * SUB));
        Slopes {
            origin,
            reciprocals: reciprocals.map(f64::from),
            area: area(cross, clockwise_is_front),
            dx: [y2 * scale, -y1 * scale],
            dy: [-x2 * scale, x1 * scale],
            at: [0.0; 2],
            anchor: [0.0; 2],
        }
    }

    /// Slopes that are known, from the anchor on: those along a row, down the rows, and at the anchor.
    #[inline(always)]
    pub(super) fn from_parts(
        origin: Position,
        reciprocals: [f64; 3],
        (cross, clockwise_is_front): (f64, bool),
        [dx, dy, at]: [[f64; 2]; 3],
        anchor: [f32; 2],
    ) -> Slopes {
        Slopes {
            origin,
            reciprocals,
            area: area(cross, clockwise_is_front),
            dx,
            dy,
            at,
            anchor,
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

    #[inline(always)]
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
    #[inline(always)]
    fn planes(&self, [first, mut second, mut third]: [[f64; 4]; 3]) -> Register {
        let [mut at, mut dx, mut dy] = [[0.0f32; 4]; 3];
        for c in 0..4 {
            second[c] -= first[c];
            third[c] -= first[c];
        }
        for c in 0..4 {
            at[c] = (first[c] + (second[c] * self.at[0] + third[c] * self.at[1])) as f32;
        }
        for c in 0..4 {
            dx[c] = (second[c] * self.dx[0] + third[c] * self.dx[1]) as f32;
        }
        for c in 0..4 {
            dy[c] = (second[c] * self.dy[0] + third[c] * self.dy[1]) as f32;
        }
        [at, dx, dy]
    }

    /// Divides the values at the vertices by w.
    #[inline(always)]
    fn divide(&self, values: &mut [[f64; 4]; 3]) {
        for (value, reciprocal) in values.iter_mut().zip(self.reciprocals) {
            for component in value {
                *component *= reciprocal;
            }
        }
    }

    /// At the anchor, what has these values at the vertices.
    #[inline(always)]
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
