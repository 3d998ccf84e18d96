//! Layers of arrays.

use attila_machine::arith::Arith;
use attila_texture::CUBE_FACES;

use super::Sample;
use crate::abi::TextureField;
use crate::ir::Value;

impl Sample<'_> {
    /// The layers or cubes that lanes sample; `None` if the image has none. The layer is the one nearest to
    /// the component after the coordinates, halves go up, NaN is layer 0.
    pub(super) fn layer(&mut self, coords: [Value; 4]) -> Option<Value> {
        let kind = self.how.kind;
        if !kind.layers() {
            return None;
        }
        let number = coords[kind.coordinates()];
        let (zero, half, one) = (self.b.f32(0.0), self.b.f32(0.5), self.b.i32(1));
        let layers = self.field(TextureField::Layers);
        let last = self.b.isub(layers, one);
        let last = self.b.to_f32(last);
        let up = self.b.add(number, half);
        let nearest = self.b.floor(up);
        let raised = self.max(nearest, zero);
        let layer = self.min(raised, last);
        Some(self.b.trunc_to_i32(layer))
    }

    /// The slice of a face of a cube of an array.
    pub(super) fn face_of_cube(&mut self, cube: Value, face: Value) -> Value {
        let faces = self.b.i32(CUBE_FACES as i32);
        let before = self.b.imul(cube, faces);
        self.b.iadd(before, face)
    }
}
