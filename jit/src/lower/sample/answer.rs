//! Answers without a filter: texels at integers, and sizes (textures.md 3).

use attila_isa::TextureShape;
use attila_machine::arith::Arith;
use attila_texture::{CUBE_FACES, Storage};
use smallvec::SmallVec;

use super::{Colour, Level, Sample};
use crate::abi::{LevelField, TextureField};
use crate::ir::{Binary, Value};

/// A texel as the program asks for it.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Fetch {
    /// Column, row and slice as far as the image has them, and the level as the fourth.
    pub(in crate::lower) at: [Value; 4],
    /// Added along the axes of the image.
    pub(in crate::lower) offset: Option<[Value; 3]>,
}

impl Sample<'_> {
    /// The texels of the lanes, 0 outside of the image.
    pub(in crate::lower) fn fetch(&mut self, fetch: &Fetch) -> Colour {
        let axes = self.how.axes();
        let (level, missing) = self.level_or_empty(fetch.at[3]);
        let mut at = SmallVec::<[Value; 3]>::from_slice(&fetch.at[..axes]);
        let mut outside = missing;
        for (axis, index) in (0..).zip(&mut at) {
            if let Some(offset) = fetch.offset {
                *index = self.b.iadd(*index, offset[usize::from(axis)]);
            }
            let size = self.level_field(level, LevelField::Size { axis });
            let is_past = self.outside(*index, size);
            outside = self.also(outside, is_past);
        }
        let slices = self.slices();
        let slice = slices.map(|slices| {
            let slice = fetch.at[axes];
            let is_past = self.outside(slice, slices);
            outside = self.also(outside, is_past);
            slice
        });
        let index = self.index(level, slice, &at);
        let Some(outside) = outside else {
            let colour = self.colour_at(index);
            return self.plain(colour);
        };
        // The last texel is padding, which is 0. All bits of an index name it.
        let beyond = self.b.to_bits(outside);
        let index = self.b.ior(index, beyond);
        let colour = self.colour_at(index);
        let [red, green, blue, alpha] = self.plain(colour);
        let alpha = match self.how.storage {
            Storage::Rgba8 | Storage::Rgba32F => alpha,
            Storage::Red32F => {
                let zero = self.b.f32(0.0);
                self.b.select(outside, zero, alpha)
            }
        };
        [red, green, blue, alpha]
    }

    /// The lanes of either mask.
    fn also(&mut self, one: Option<Value>, other: Value) -> Option<Value> {
        Some(one.map_or(other, |one| self.b.either(one, other)))
    }

    /// Width, height and depth as far as the image has them, the layers of an array, and the number of
    /// levels; 0 where the level does not exist.
    pub(in crate::lower) fn size(&mut self, number: Value) -> [Value; 4] {
        let (level, missing) = self.level_at(number);
        let zero = self.b.i32(0);
        let axes = self.how.axes();
        let mut answer = [zero; 4];
        for (axis, size) in (0..).zip(&mut answer[..axes]) {
            *size = self.level_field(level, LevelField::Size { axis });
        }
        if self.how.kind.layers() {
            answer[axes] = self.field(TextureField::Layers);
        }
        answer[3] = self.levels_in_use();
        answer.map(|number| match missing {
            Some(missing) => self.b.iselect(missing, zero, number),
            None => number,
        })
    }

    /// The slices of a level; `None` if it has just one.
    fn slices(&mut self) -> Option<Value> {
        let kind = self.how.kind;
        let faces = self.b.i32(CUBE_FACES as i32);
        match (kind.layers(), kind.has_faces()) {
            (false, false) => None,
            (false, true) => Some(faces),
            (true, false) => Some(self.field(TextureField::Layers)),
            (true, true) => {
                let cubes = self.field(TextureField::Layers);
                Some(self.b.imul(cubes, faces))
            }
        }
    }

    /// The level with a number that counts from the base level, and the lanes in which it does not exist;
    /// `None` if all numbers are those of a rectangle's one level.
    fn level_at(&mut self, number: Value) -> (Level, Option<Value>) {
        if self.how.kind == TextureShape::Rect {
            return (self.base_level(), None);
        }
        if self.how.has_one_level {
            let one = self.b.i32(1);
            return (self.base_level(), Some(self.outside(number, one)));
        }
        let levels = self.levels_in_use();
        let base = self.field(TextureField::BaseLevel);
        let level = Level(self.b.iadd(base, number));
        (level, Some(self.outside(number, levels)))
    }

    /// The same. If the level is one of several, a level without texels stands for those that do not exist,
    /// and no lanes are given.
    fn level_or_empty(&mut self, number: Value) -> (Level, Option<Value>) {
        let (level, missing) = self.level_at(number);
        if self.how.kind == TextureShape::Rect || self.how.has_one_level {
            return (level, missing);
        }
        // The record after the last level is empty.
        let (base, levels) = (self.field(TextureField::BaseLevel), self.levels_in_use());
        let number = self.b.binary(Binary::Umin, number, levels);
        (Level(self.b.iadd(base, number)), None)
    }

    /// The number of levels from the base level on.
    fn levels_in_use(&mut self) -> Value {
        let base = self.field(TextureField::BaseLevel);
        let last = self.field(TextureField::LastLevel);
        let after_base = self.b.isub(last, base);
        let one = self.b.i32(1);
        self.b.iadd(after_base, one)
    }

    /// The lanes in which an index is negative or not below `size`, which is not negative. The opposite,
    /// [`Binary::Ult`], is twice as many instructions.
    fn outside(&mut self, index: Value, size: Value) -> Value {
        let lesser = self.b.binary(Binary::Umin, index, size);
        self.b.ieq(lesser, size)
    }
}
