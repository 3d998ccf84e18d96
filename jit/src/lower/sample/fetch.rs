//! From indices to the colour of a texel.

use attila_machine::arith::Arith;
use attila_texture::{MARGIN, Storage};

use super::wrap::Texel;
use super::{Colour, Level, Point, Sample};
use crate::abi::{LevelField, TextureField};
use crate::ir::{Op, Value};
use crate::sampling::INVERSE_255;

impl Sample<'_> {
    /// The colour of a texel, or the border's where it is outside along either axis.
    pub(super) fn texel(&mut self, level: Level, point: &Point, [s, t]: [Texel; 2]) -> Colour {
        let index = self.index(level, point.slice, [s.index, t.index]);
        let colour = self.colour_at(index);
        let outside = match (s.outside, t.outside) {
            (Some(s), Some(t)) => Some(self.b.either(s, t)),
            (one, other) => one.or(other),
        };
        let Some(outside) = outside else {
            return colour;
        };
        let mut component = 0..4;
        colour.map(|inside| {
            let component = component.next().unwrap_or_default();
            let border = self.field(TextureField::Border { component });
            self.b.select(outside, border, inside)
        })
    }

    /// The colour of the texel at a place in the texture, of the last one past the end.
    pub(super) fn colour_at(&mut self, index: Value) -> Colour {
        let op = Op::Texel(self.texture, self.how.storage);
        let texel = self.b.push(op, [index]);
        match self.how.storage {
            Storage::Rgba8 => self.bytes(texel),
            Storage::Rgba32F => self.columns(texel),
        }
    }

    /// The components of the colours that are the parts of `pixels`, one for each lane.
    pub(super) fn columns(&mut self, pixels: Value) -> Colour {
        let pixels = self.parts(pixels);
        let components = self.b.push(Op::Transpose, pixels);
        self.parts(components)
    }

    fn parts(&mut self, whole: Value) -> [Value; 4] {
        [0, 1, 2, 3].map(|part| self.b.extract(whole, part))
    }

    /// The texel's place in the texture.
    pub(super) fn index(
        &mut self,
        level: Level,
        slice: Option<Value>,
        [i, j]: [Value; 2],
    ) -> Value {
        let mut start = self.level_field(level, LevelField::Offset);
        if let Some(slice) = slice {
            let texels = self.level_field(level, LevelField::Slice);
            let before = self.b.imul(slice, texels);
            start = self.b.iadd(start, before);
        }
        let pitch = self.pitch(level);
        let rows = self.b.imul(j, pitch);
        let row = self.b.iadd(start, rows);
        self.b.iadd(row, i)
    }

    /// Texels from a row to the next.
    pub(super) fn pitch(&mut self, level: Level) -> Value {
        let width = self.level_field(level, LevelField::Size { axis: 0 });
        let margins = self.b.i32(2 * MARGIN as i32);
        self.b.iadd(width, margins)
    }

    /// The four bytes of a texel, each divided by 255.
    fn bytes(&mut self, texel: Value) -> Colour {
        let word = self.b.extract(texel, 0);
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
