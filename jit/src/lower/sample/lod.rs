//! Level of detail, and the levels and the filter that follow from it.

use attila_isa::Stage;
use attila_machine::approx;
use attila_machine::arith::Arith;
use attila_texture::MipMode;

use super::footprint::Footprint;
use super::{Level, LevelOfDetail, Placed, Request, Sample};
use crate::abi::TextureField;
use crate::ir::Value;

/// The most that biases change the level of detail by.
const MAX_BIAS: f32 = 1000.0;

/// The levels that lanes sample.
pub(super) struct Selection {
    /// The lanes that use the filter for magnification.
    pub(super) magnified: Value,
    pub(super) level: Level,
    pub(super) second: Option<Second>,
}

/// The level to mix in.
#[derive(Clone, Copy)]
pub(super) struct Second {
    pub(super) level: Level,
    pub(super) weight: Value,
    /// The lanes that mix.
    pub(super) lanes: Value,
}

impl Sample<'_> {
    /// The level of detail of a sample at these places.
    pub(super) fn level_of_detail(
        &mut self,
        request: &Request,
        placed: &Placed,
        footprint: Option<&Footprint>,
    ) -> Value {
        let unlimited = self.unlimited_level_of_detail(request, placed, footprint);
        self.limited(unlimited)
    }

    /// The same before it is limited to the range of the sampler.
    pub(super) fn unlimited_level_of_detail(
        &mut self,
        request: &Request,
        placed: &Placed,
        footprint: Option<&Footprint>,
    ) -> Value {
        let (log2_scale, param) = match request.level {
            LevelOfDetail::Explicit(level) => (self.b.f32(0.0), level),
            LevelOfDetail::Implicit(bias) => {
                let scale = match (footprint, request.stage) {
                    (Some(footprint), _) => Some(footprint.scale),
                    (None, Stage::Vertex | Stage::Geometry | Stage::Compute) => None,
                    (None, Stage::Fragment) => Some(self.scale(placed.derived)),
                };
                let log2_scale = match scale {
                    Some(scale) => approx::lg2(self.b, scale),
                    None => self.b.f32(0.0),
                };
                (log2_scale, bias)
            }
            LevelOfDetail::Gradients(gradients) => {
                let scale = match footprint {
                    Some(footprint) => footprint.scale,
                    None => self.given_scale(gradients, placed),
                };
                (approx::lg2(self.b, scale), self.b.f32(0.0))
            }
        };
        let bias = self.field(TextureField::LodBias);
        let bias = self.b.add(bias, param);
        let (least, most) = (self.b.f32(-MAX_BIAS), self.b.f32(MAX_BIAS));
        let bias = self.clamp_or_high(bias, least, most);
        self.b.add(log2_scale, bias)
    }

    /// A level of detail within the range of the sampler.
    pub(super) fn limited(&mut self, lod: Value) -> Value {
        let min = self.field(TextureField::LodMin);
        let max = self.field(TextureField::LodMax);
        self.clamp_or_high(lod, min, max)
    }

    /// The longer of the movements that the instruction gives for each lane.
    fn given_scale(&mut self, gradients: [[Value; 3]; 2], placed: &Placed) -> Value {
        let [x, y] = gradients.map(|change| {
            let movement = self.given_movement(change, placed);
            self.length(movement)
        });
        self.max(x, y)
    }

    /// A movement that the instruction gives, in texels. That of a direction counts on its face.
    pub(super) fn given_movement(&mut self, change: [Value; 3], placed: &Placed) -> [Value; 3] {
        let on_image = match placed.directed {
            Some(directed) => {
                let [s, t] = self.derivative(directed, change);
                [s, t, change[2]]
            }
            None => change,
        };
        [0, 1, 2].map(|axis| {
            let to_texels = self.field(TextureField::ToTexels { axis });
            self.b.mul(on_image[usize::from(axis)], to_texels)
        })
    }

    /// The length of a movement along the axes that the image has.
    pub(super) fn length(&mut self, movement: [Value; 3]) -> Value {
        let (first, others) = (movement[0], &movement[1..self.how.axes()]);
        if others.is_empty() {
            return self.b.abs(first);
        }
        let square = self.b.mul(first, first);
        let sum = others.iter().fold(square, |sum, &other| {
            let square = self.b.mul(other, other);
            self.b.add(sum, square)
        });
        self.b.sqrt(sum)
    }

    /// The longer of the movements from lane 0 to lane 1 and from lane 0 to lane 2, in texels, in
    /// all lanes.
    fn scale(&mut self, derived: [Value; 3]) -> Value {
        // Both movements at once: lanes 0 and 2 hold the first one, 1 and 3 the second one.
        let movement = [0, 1, 2].map(|axis| {
            let to_texels = self.field(TextureField::ToTexels { axis });
            let texels = self.b.mul(derived[usize::from(axis)], to_texels);
            let to = self.b.shuffle(texels, [1, 2, 1, 2]);
            let from = self.b.shuffle(texels, [0; 4]);
            self.b.sub(to, from)
        });
        let length = self.length(movement);
        let (x, y) = (
            self.b.shuffle(length, [0; 4]),
            self.b.shuffle(length, [1; 4]),
        );
        self.max(x, y)
    }

    /// The selection at a level of detail.
    pub(super) fn select(&mut self, lod: Value) -> Selection {
        let zero = self.b.f32(0.0);
        let magnified = self.b.le(lod, zero);
        let base = self.field(TextureField::BaseLevel);
        let last = self.field(TextureField::LastLevel);
        let (minified, second) = match self.how.mip {
            MipMode::None => {
                return Selection {
                    magnified,
                    level: self.base_level(),
                    second: None,
                };
            }
            MipMode::Nearest => (self.nearest_level(base, last, lod), None),
            MipMode::Linear => {
                let whole = self.b.floor(lod);
                let (base, end) = (self.b.to_f32(base), self.b.to_f32(last));
                let level = self.b.add(base, whole);
                let level = self.min(level, end);
                let level = self.b.trunc_to_i32(level);
                let weight = self.b.sub(lod, whole);
                (level, Some((level, weight)))
            }
        };
        let second = second.map(|(first, weight)| {
            let one = self.b.i32(1);
            let next = self.b.iadd(first, one);
            let next = self.imin(next, last);
            let mixes = self.b.lt(zero, weight);
            let minified = self.b.not(magnified);
            Second {
                level: Level(next),
                weight,
                lanes: self.b.both(mixes, minified),
            }
        });
        let first = self.b.iselect(magnified, base, minified);
        Selection {
            magnified,
            level: Level(first),
            second,
        }
    }

    /// The level nearest to the level of detail above `base`; halves give the larger image.
    fn nearest_level(&mut self, base: Value, last: Value, lod: Value) -> Value {
        let (half, one) = (self.b.f32(0.5), self.b.i32(1));
        let above_base = self.b.to_f32(base);
        let level = self.b.add(above_base, lod);
        let up = self.b.add(level, half);
        let ceil = self.ceil(up);
        let ceil = self.b.trunc_to_i32(ceil);
        let nearest = self.b.isub(ceil, one);
        let end = self.b.to_f32(last);
        let end = self.b.add(end, half);
        let is_before_end = self.b.le(level, end);
        let nearest = self.b.iselect(is_before_end, nearest, last);
        let is_base = self.b.le(lod, half);
        self.b.iselect(is_base, base, nearest)
    }
}
