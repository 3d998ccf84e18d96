//! Answers without a filter: texels at integers, and sizes (textures.md 3).

use attila_isa::TextureShape;
use attila_machine::arith::Arith;
use attila_texture::CUBE_FACES;

use super::{Colour, Level, Sample};
use crate::abi::{LevelField, TextureField};
use crate::ir::{Binary, Value};

/// A texel as the program asks for it.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Fetch {
    /// Column, row and slice as far as the image has them, and the level as the fourth.
    pub(in crate::lower) at: [Value; 4],
    /// Added to column and row.
    pub(in crate::lower) offset: Option<[Value; 2]>,
}

impl Sample<'_> {
    /// The texels of the lanes, 0 outside of the image.
    pub(in crate::lower) fn fetch(&mut self, fetch: &Fetch) -> Colour {
        let [column, row, slice, number] = fetch.at;
        let at = match fetch.offset {
            Some([right, down]) => [self.b.iadd(column, right), self.b.iadd(row, down)],
            None => [column, row],
        };
        let (level, missing) = self.level_or_empty(number);
        let [beside, below] = [0, 1].map(|axis| {
            let size = self.level_field(level, LevelField::Size { axis });
            self.outside(at[usize::from(axis)], size)
        });
        let mut outside = self.b.either(beside, below);
        if let Some(missing) = missing {
            outside = self.b.either(outside, missing);
        }
        let slices = self.slices();
        if let Some(slices) = slices {
            let is_past = self.outside(slice, slices);
            outside = self.b.either(outside, is_past);
        }
        let index = self.index(level, slices.map(|_| slice), at);
        // The last texel is padding, which is 0. All bits of an index name it.
        let outside = self.b.to_bits(outside);
        let index = self.b.ior(index, outside);
        self.colour_at(index)
    }

    /// Width, height, the layers of an array, and the number of levels; 0 where the level does not exist.
    pub(in crate::lower) fn size(&mut self, number: Value) -> [Value; 4] {
        let (level, missing) = self.level_at(number);
        let [width, height] = [0, 1].map(|axis| self.level_field(level, LevelField::Size { axis }));
        let zero = self.b.i32(0);
        let layers = match self.how.kind.layers() {
            true => self.field(TextureField::Layers),
            false => zero,
        };
        let levels = self.levels_in_use();
        [width, height, layers, levels].map(|number| match missing {
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
        let level = Level {
            index: self.b.iadd(base, number),
            alike: self.b.constant(number).is_some(),
        };
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
        let index = self.b.iadd(base, number);
        (Level { index, ..level }, None)
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
