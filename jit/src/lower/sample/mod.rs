//! Inline sampling of a texture: the steps of the reference sampler in `attila-texture`, file for
//! file and operation for operation, so that every bit of the result is the same.
//!
//! Where the reference decides lane by lane, both ways are computed here and one is selected. Where
//! it decides by the sampler, the decision is made now.

mod answer;
mod compare;
mod cube;
mod fetch;
mod filter;
mod footprint;
mod gather;
mod layer;
mod lod;
mod wrap;

pub(super) use answer::Fetch;

use attila_isa::Stage;
use attila_machine::arith::Arith;

use crate::abi::{LevelField, LevelPart, TextureField};
use crate::ir::{Binary, Builder, Op, Value};
use crate::sampling::Sampling;

/// Red, green, blue, alpha.
pub(super) type Colour = [Value; 4];

/// A sample as the program asks for it.
#[derive(Clone, Copy)]
pub(super) struct Request {
    pub(super) level: LevelOfDetail,
    pub(super) stage: Stage,
    /// The four components of the coordinates, divided if need be: s, t, r as far as the image has them,
    /// then the layer.
    pub(super) coords: [Value; 4],
    /// The value that texels are compared with, if the target says that they are.
    pub(super) reference: Option<Value>,
    /// Texels along s, t and r that are added.
    pub(super) offset: Option<[Value; 3]>,
}

/// How a sample finds its level of detail.
#[derive(Clone, Copy)]
pub(super) enum LevelOfDetail {
    /// From the derivatives of the coordinates, and this is added.
    Implicit(Value),
    /// As given.
    Explicit(Value),
    /// From these derivatives along x and along y.
    Gradients([[Value; 3]; 2]),
}

/// Appends what samples one texture to a function.
pub(super) struct Sample<'a> {
    pub(super) b: &'a mut Builder,
    /// The texture's number.
    pub(super) texture: u8,
    pub(super) how: Sampling,
    /// Whether a product and a sum are one instruction.
    pub(super) fused: bool,
}

/// The number of a level, lane by lane.
#[derive(Clone, Copy)]
struct Level(Value);

/// Where lanes sample.
#[derive(Clone, Copy)]
struct Point {
    /// s, t and r as far as the image has them; s and t on the face if it is a cube's.
    coords: [Value; 3],
    /// The layer of an array, the face of a cube, or the face among those of all cubes.
    slice: Option<Value>,
    /// The value that texels are compared with, if they are.
    reference: Option<Value>,
    /// Texels that are added to the coordinates.
    offset: Option<[Value; 3]>,
}

/// Coordinates on the image.
struct Placed {
    point: Point,
    /// The coordinates that derivatives are taken of.
    derived: [Value; 3],
    /// If coordinates are directions, the faces of the lanes, and the directions.
    directed: Option<(Value, [Value; 3])>,
}

impl Sample<'_> {
    /// The colours of the lanes.
    pub(super) fn colour(&mut self, request: &Request) -> Colour {
        let placed = self.place(request);
        let point = &placed.point;
        if !self.how.needs_lod() {
            let level = self.base_level();
            return self.level_alone(self.how.mag, level, point);
        }
        let footprint = self.footprint(request, &placed);
        let lod = self.level_of_detail(request, &placed, footprint.as_ref());
        let selection = self.select(lod);
        match footprint {
            Some(footprint) => self.average(&footprint, &selection, point),
            None => self.levels(&selection, point),
        }
    }

    fn base_level(&mut self) -> Level {
        Level(self.field(TextureField::BaseLevel))
    }

    fn field(&mut self, field: TextureField) -> Value {
        self.b.push(Op::TextureField(self.texture, field), [])
    }

    fn level_field(&mut self, Level(number): Level, field: LevelField) -> Value {
        if self.b.is_alike(number) {
            let op = Op::LevelField(self.texture, field);
            return self.b.push(op, [number]);
        }
        let (part, place) = LevelPart::with(field);
        let numbers = Op::LevelPart(self.texture, part);
        let numbers = self.b.push(numbers, [number]);
        self.b.extract(numbers, place)
    }

    /// `b` if either is NaN.
    fn min(&mut self, a: Value, b: Value) -> Value {
        self.b.binary(Binary::Fmin, a, b)
    }

    /// `b` if either is NaN.
    fn max(&mut self, a: Value, b: Value) -> Value {
        self.b.binary(Binary::Fmax, a, b)
    }

    /// NaN stays NaN.
    fn clamp(&mut self, x: Value, low: Value, high: Value) -> Value {
        let raised = self.max(low, x);
        self.min(high, raised)
    }

    /// NaN becomes `high`.
    fn clamp_or_high(&mut self, x: Value, low: Value, high: Value) -> Value {
        let lowered = self.min(x, high);
        self.max(lowered, low)
    }

    /// The smallest integer not below: -floor(-x).
    fn ceil(&mut self, x: Value) -> Value {
        let opposite = self.b.neg(x);
        let floor = self.b.floor(opposite);
        self.b.neg(floor)
    }

    fn floor_to_i32(&mut self, x: Value) -> Value {
        let whole = self.b.floor(x);
        self.b.trunc_to_i32(whole)
    }

    /// The greater i32.
    fn imax(&mut self, a: Value, b: Value) -> Value {
        self.b.binary(Binary::Imax, a, b)
    }

    /// The lesser i32.
    fn imin(&mut self, a: Value, b: Value) -> Value {
        self.b.binary(Binary::Imin, a, b)
    }
}
