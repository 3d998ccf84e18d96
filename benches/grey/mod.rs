//! Texture units for programs of which only the time counts.

use attila_shader::TextureUnit;
use attila_shader::machine::{QuadReg, TextureQuery, from_floats};

/// Units that are all grey.
pub(crate) struct Grey;

impl TextureUnit for Grey {
    fn has_unit(&self, _: u8) -> bool {
        true
    }

    fn answer(&self, _: &TextureQuery) -> QuadReg {
        from_floats([[0.5; 4]; 4])
    }
}
