//! From a coordinate to texels along one axis.

use attila_machine::arith::Arith;
use attila_texture::{Coordinates, Wrap};

use super::{Level, Sample};
use crate::abi::LevelField;
use crate::ir::{Binary, Value};

/// A texel's index along an axis.
#[derive(Clone, Copy)]
pub(super) struct Texel {
    /// Within the level, also where it is outside.
    pub(super) index: Value,
    /// The lanes in which it is outside, if it may be.
    pub(super) outside: Option<Value>,
}

/// The two texels that a linear filter mixes, and the weight of the second.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) texels: [Texel; 2],
    pub(super) weight: Value,
}

/// An axis of a level.
#[derive(Clone, Copy)]
struct Axis {
    number: u8,
    level: Level,
    wrap: Wrap,
    /// Texels, i32.
    size: Value,
}

impl Sample<'_> {
    /// The texel in which `coordinate` lies.
    pub(super) fn nearest(&mut self, level: Level, number: u8, coordinate: Value) -> Texel {
        let axis = self.axis(level, number);
        let place = self.place_on(&axis, coordinate);
        let index = self.floor_to_i32(place);
        match axis.wrap {
            Wrap::Repeat => self.around(&axis, index),
            Wrap::ClampToBorder => self.inside(&axis, index),
            Wrap::Clamp | Wrap::ClampToEdge | Wrap::MirroredRepeat => self.clamped(&axis, index),
        }
    }

    /// The first of the two texels on either side of `coordinate`, and the weight of the second.
    pub(super) fn first_of_two(
        &mut self,
        level: Level,
        number: u8,
        coordinate: Value,
    ) -> [Value; 2] {
        let axis = self.axis(level, number);
        let place = self.place_on(&axis, coordinate);
        let half = self.b.f32(0.5);
        let u = self.b.sub(place, half);
        let whole = self.b.floor(u);
        [self.b.trunc_to_i32(whole), self.b.sub(u, whole)]
    }

    /// The texels on either side of `coordinate`, where they may be anywhere.
    pub(super) fn linear(&mut self, level: Level, number: u8, coordinate: Value) -> Pair {
        let [first, weight] = self.first_of_two(level, number, coordinate);
        let axis = self.axis(level, number);
        let one = self.b.i32(1);
        let second = self.b.iadd(first, one);
        let texels = [first, second].map(|index| match axis.wrap {
            Wrap::Repeat => self.around(&axis, index),
            Wrap::Clamp | Wrap::ClampToBorder => self.inside(&axis, index),
            Wrap::ClampToEdge | Wrap::MirroredRepeat => self.clamped(&axis, index),
        });
        Pair { texels, weight }
    }

    fn axis(&mut self, level: Level, number: u8) -> Axis {
        Axis {
            number,
            level,
            wrap: self.how.wrap[usize::from(number)],
            size: self.level_field(level, LevelField::Size { axis: number }),
        }
    }

    /// The texels of a level that a unit of coordinates along an axis has, f32.
    pub(super) fn texels_of_unit(&mut self, level: Level, axis: u8) -> Value {
        match self.how.coordinates {
            Coordinates::Normalised => {
                let size = self.level_field(level, LevelField::Size { axis });
                self.b.to_f32(size)
            }
            Coordinates::Texels => self.level_field(level, LevelField::ToLevel { axis }),
        }
    }

    /// Where `coordinate` is, in texels from the image's start; 0 for NaN.
    fn place_on(&mut self, axis: &Axis, coordinate: Value) -> Value {
        let texels = self.b.to_f32(axis.size);
        let one = self.b.f32(1.0);
        let (c, end, to_texels) = match self.how.coordinates {
            Coordinates::Normalised => (coordinate, one, texels),
            Coordinates::Texels => {
                let field = LevelField::ToLevel { axis: axis.number };
                let to_level = self.level_field(axis.level, field);
                (self.b.mul(coordinate, to_level), texels, one)
            }
        };
        let wrapped = self.wrapped(axis, c, end);
        if axis.wrap == Wrap::Repeat && self.how.coordinates == Coordinates::Normalised {
            // From 0 to 1: no number becomes another.
            let zero = self.b.f32(0.0);
            let wrapped = self.max(wrapped, zero);
            return self.b.mul(wrapped, to_texels);
        }
        let is_number = self.b.eq(wrapped, wrapped);
        let (place, zero) = (self.b.mul(wrapped, to_texels), self.b.f32(0.0));
        self.b.select(is_number, place, zero)
    }

    fn wrapped(&mut self, axis: &Axis, c: Value, end: Value) -> Value {
        let half = self.level_field(axis.level, LevelField::Half { axis: axis.number });
        match axis.wrap {
            Wrap::Repeat => {
                let period = self.period(c, end);
                self.rest(c, end, period)
            }
            Wrap::Clamp => {
                let zero = self.b.f32(0.0);
                self.clamp(c, zero, end)
            }
            Wrap::ClampToEdge => {
                let high = self.b.sub(end, half);
                self.clamp(c, half, high)
            }
            Wrap::ClampToBorder => {
                let (low, high) = (self.b.neg(half), self.b.add(end, half));
                self.clamp(c, low, high)
            }
            Wrap::MirroredRepeat => {
                let period = self.period(c, end);
                let rest = self.rest(c, end, period);
                let one_half = self.b.f32(0.5);
                let halved = self.b.mul(period, one_half);
                let floor = self.b.floor(halved);
                let is_even = self.b.eq(floor, halved);
                let reversed = self.b.sub(end, rest);
                let folded = self.b.select(is_even, rest, reversed);
                let high = self.b.sub(end, half);
                self.clamp(folded, half, high)
            }
        }
    }

    /// How many times the image lies before `c`.
    fn period(&mut self, c: Value, end: Value) -> Value {
        let periods = self.b.div(c, end);
        self.b.floor(periods)
    }

    /// The rest of `c` after these images.
    fn rest(&mut self, c: Value, end: Value, period: Value) -> Value {
        let before = self.b.mul(end, period);
        self.b.sub(c, before)
    }

    /// The texel `i`, unless it is outside.
    fn inside(&mut self, axis: &Axis, i: Value) -> Texel {
        let zero = self.b.i32(0);
        let below = self.b.ilt(i, zero);
        let inside = self.b.ilt(i, axis.size);
        let above = self.b.not(inside);
        Texel {
            outside: Some(self.b.either(below, above)),
            ..self.clamped(axis, i)
        }
    }

    /// The texel nearest to `i`.
    fn clamped(&mut self, axis: &Axis, i: Value) -> Texel {
        let (zero, one) = (self.b.i32(0), self.b.i32(1));
        let last = self.b.isub(axis.size, one);
        let raised = self.imax(i, zero);
        Texel {
            index: self.imin(raised, last),
            outside: None,
        }
    }

    /// The texel `i`, once around from either end.
    fn around(&mut self, axis: &Axis, i: Value) -> Texel {
        match self.how.coordinates {
            // Within a period rounded to either end: one turn is enough.
            Coordinates::Normalised => Texel {
                index: self.turned(axis, i),
                outside: None,
            },
            Coordinates::Texels => {
                let index = self.turned_if_outside(axis, i);
                self.clamped(axis, index)
            }
        }
    }

    /// `i`, which is from -1 to the size, once around from the ends: what is below 0 is more than
    /// anything else without a sign.
    fn turned(&mut self, axis: &Axis, i: Value) -> Value {
        let after = self.b.iadd(i, axis.size);
        let index = self.b.binary(Binary::Umin, i, after);
        let before = self.b.isub(index, axis.size);
        self.b.binary(Binary::Umin, index, before)
    }

    /// Any `i`, once around from either end.
    fn turned_if_outside(&mut self, axis: &Axis, i: Value) -> Value {
        let zero = self.b.i32(0);
        let below = self.b.ilt(i, zero);
        let after = self.b.iadd(i, axis.size);
        let index = self.b.iselect(below, after, i);
        let inside = self.b.ilt(index, axis.size);
        let before = self.b.isub(index, axis.size);
        self.b.iselect(inside, index, before)
    }
}
