//! From indices to the colour of a texel.

use attila_machine::arith::Arith;
use attila_texture::{MARGIN, Storage};
use smallvec::SmallVec;

use super::wrap::Texel;
use super::{Colour, Level, Point, Sample};
use crate::abi::{LevelField, TextureField};
use crate::ir::{Op, Value};
use crate::sampling::{Denominators, INVERSE_255};

impl Sample<'_> {
    /// The colour of a texel, or the border's where it is outside along any axis.
    pub(super) fn texel(&mut self, level: Level, point: &Point, at: &[Texel]) -> Colour {
        let colour = self.uncompared(level, point, at);
        self.compared(colour, point)
    }

    /// The same, not compared.
    pub(super) fn uncompared(&mut self, level: Level, point: &Point, at: &[Texel]) -> Colour {
        let index = self.index_of(level, point, at);
        let colour = self.colour_at(index);
        self.or_border(at, colour, |sample, component| {
            sample.field(TextureField::Border { component })
        })
    }

    /// The same as a linear filter mixes it: before its division.
    pub(super) fn numerators(&mut self, level: Level, point: &Point, at: &[Texel]) -> Colour {
        let index = self.index_of(level, point, at);
        let numerators = self.numerators_at(index);
        let numerators = self.or_border(at, numerators, |sample, component| {
            let border = sample.field(TextureField::Border { component });
            match sample.denominator(component) {
                Some(denominator) => sample.b.mul(border, denominator),
                None => border,
            }
        });
        self.compared(numerators, point)
    }

    /// A texel as a linear filter mixes it, but for comparisons.
    pub(super) fn numerators_at(&mut self, index: Value) -> Colour {
        let texel = self.texel_at(index);
        match self.how.storage {
            Storage::Rgba8 | Storage::Red32F => {
                let word = self.b.extract(texel, 0);
                self.numerators_of(word)
            }
            Storage::Rgba32F => self.columns(texel),
        }
    }

    /// The same of a texel's one word.
    pub(super) fn numerators_of(&mut self, word: Value) -> Colour {
        match self.how.storage {
            Storage::Rgba8 => self.bytes(word),
            Storage::Red32F | Storage::Rgba32F => self.luminance(word),
        }
    }

    /// The colour that has a texel's one word as red, green and blue.
    fn luminance(&mut self, red: Value) -> Colour {
        [red, red, red, self.b.f32(1.0)]
    }

    /// The components of a texel, or others where it is outside along any axis.
    fn or_border(
        &mut self,
        at: &[Texel],
        inside: Colour,
        border: impl Fn(&mut Self, u8) -> Value,
    ) -> Colour {
        let outside = at.iter().filter_map(|texel| texel.outside);
        let Some(outside) = outside.reduce(|one, other| self.b.either(one, other)) else {
            return inside;
        };
        let mut components = 0..4;
        inside.map(|inside| {
            let border = border(self, components.next().unwrap_or_default());
            self.b.select(outside, border, inside)
        })
    }

    /// The colour of the texel at a place in the texture, of the last one past the end.
    pub(super) fn colour_at(&mut self, index: Value) -> Colour {
        let texel = self.texel_at(index);
        match self.how.storage {
            Storage::Rgba8 | Storage::Red32F => {
                let word = self.b.extract(texel, 0);
                self.colour_of(word)
            }
            Storage::Rgba32F => {
                let numerators = self.columns(texel);
                self.divided(numerators)
            }
        }
    }

    /// The same of a texel's one word.
    pub(super) fn colour_of(&mut self, word: Value) -> Colour {
        match self.how.storage {
            Storage::Rgba8 => self.divided_bytes(word),
            Storage::Red32F | Storage::Rgba32F => self.luminance(word),
        }
    }

    fn texel_at(&mut self, index: Value) -> Value {
        let op = Op::Texel(self.texture, self.how.storage);
        self.b.push(op, [index])
    }

    /// The number that a component of texels is divided by, if they are not colours.
    fn denominator(&mut self, component: u8) -> Option<Value> {
        match self.how.denominators {
            Denominators::None => None,
            Denominators::Alike(number) => Some(self.b.f32(number as f32)),
            Denominators::Each => Some(self.field(TextureField::Denominator { component })),
        }
    }

    /// The colour of numerators: one division.
    pub(super) fn divided(&mut self, numerators: Colour) -> Colour {
        let fused = self.fused;
        if self.how.denominators == Denominators::Alike(255) {
            return numerators.map(|number| by_255(self.b, fused, number, 0));
        }
        let mut components = 0..4;
        numerators.map(|number| {
            let component = components.next().unwrap_or_default();
            match self.denominator(component) {
                Some(denominator) => self.b.div(number, denominator),
                None => number,
            }
        })
    }

    /// The colour that a linear filter has mixed: its last product.
    pub(super) fn mixed(&mut self, numerators: Colour) -> Colour {
        let mut components = 0..4;
        numerators.map(|number| {
            let component = components.next().unwrap_or_default();
            let unit = match self.how.denominators {
                Denominators::None => return number,
                Denominators::Alike(denominator) => self.b.f32(1.0 / denominator as f32),
                Denominators::Each => self.field(TextureField::Unit { component }),
            };
            self.b.mul(number, unit)
        })
    }

    /// The components of the colours that are the parts of `pixels`, one for each lane.
    pub(super) fn columns(&mut self, pixels: Value) -> Colour {
        let pixels = self.parts(pixels);
        let components = self.b.push(Op::Transpose, pixels);
        self.parts(components)
    }

    pub(super) fn parts(&mut self, whole: Value) -> [Value; 4] {
        [0, 1, 2, 3].map(|part| self.b.extract(whole, part))
    }

    /// The place in the texture of a texel at these indices along the axes.
    fn index_of(&mut self, level: Level, point: &Point, at: &[Texel]) -> Value {
        let indices: SmallVec<[Value; 3]> = at.iter().map(|texel| texel.index).collect();
        self.index(level, point.slice, &indices)
    }

    /// The same at a column, and a row and a layer as far as the image has them.
    pub(super) fn index(&mut self, level: Level, slice: Option<Value>, at: &[Value]) -> Value {
        let mut start = self.level_field(level, LevelField::Offset);
        if let Some(slice) = slice.or(at.get(2).copied()) {
            let texels = self.level_field(level, LevelField::Slice);
            let before = self.b.imul(slice, texels);
            start = self.b.iadd(start, before);
        }
        if let Some(&row) = at.get(1) {
            let pitch = self.pitch(level);
            let rows = self.b.imul(row, pitch);
            start = self.b.iadd(start, rows);
        }
        self.b.iadd(start, at[0])
    }

    /// Texels from a row to the next.
    pub(super) fn pitch(&mut self, level: Level) -> Value {
        let width = self.level_field(level, LevelField::Size { axis: 0 });
        let margins = self.b.i32(2 * MARGIN as i32);
        self.b.iadd(width, margins)
    }

    /// The four bytes of a texel.
    fn bytes(&mut self, word: Value) -> Colour {
        let low = self.b.i32(0xff);
        [0, 8, 16, 24].map(|place| {
            let byte = match place {
                0 => self.b.iand(word, low),
                24 => self.b.shr_u(word, place),
                _ => {
                    let shifted = self.b.shr_u(word, place);
                    self.b.iand(shifted, low)
                }
            };
            self.b.to_f32(byte)
        })
    }

    /// The same, each divided by 255.
    fn divided_bytes(&mut self, word: Value) -> Colour {
        let fused = self.fused;
        let [r, g, b] = [0, 8, 16].map(|place| {
            let field = self.b.i32(0xff << place);
            let byte = self.b.iand(word, field);
            let number = self.b.to_f32(byte);
            by_255(self.b, fused, number, place)
        });
        let byte = self.b.shr_u(word, 24);
        let number = self.b.to_f32(byte);
        [r, g, b, by_255(self.b, fused, number, 0)]
    }
}

/// A byte divided by 255; `number` is the byte shifted to the left by `place`.
///
/// Two products and a sum take less time than a division. The first product is exact. The second
/// one and the sum round off too little to change the result for any byte. Because the first is
/// exact, it may be `fused` with the sum where that is one instruction.
fn by_255<A: Arith>(a: &mut A, fused: bool, number: A::F, place: u32) -> A::F {
    let unit = 1.0 / (1 << place) as f32;
    let [upper, lower] = INVERSE_255.map(|part| a.f32(part * unit));
    let small = a.mul(number, lower);
    if fused {
        return a.fma(number, upper, small);
    }
    let large = a.mul(number, upper);
    a.add(large, small)
}

#[cfg(test)]
mod tests {
    use super::*;
    use attila_machine::arith::HostLanes;

    #[test]
    fn every_byte_is_divided_by_255_exactly() {
        for place in [0, 8, 16] {
            for byte in 0..=u8::MAX {
                let number = (u32::from(byte) << place) as f32;
                let want = f32::from(byte) / 255.0;
                for fused in [false, true] {
                    let [got] = by_255(&mut HostLanes::<1>, fused, [number], place);
                    assert_eq!(got.to_bits(), want.to_bits(), "{byte} at {place}");
                }
            }
        }
    }
}
