//! Textures that know how often they were asked.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};

use attila_shader::isa::TextureShape;
use attila_shader::machine::{QuadReg, TextureQuery, TextureUnit};
use attila_shader::texture::Textures;

/// Textures, and how often they were asked for a sample rather than sampled by an engine's own code.
pub(crate) struct Counted {
    textures: Textures,
    asked: AtomicU64,
}

impl Counted {
    pub(crate) fn new(textures: Textures) -> Counted {
        Counted {
            textures,
            asked: AtomicU64::new(0),
        }
    }

    pub(crate) fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }
}

impl TextureUnit for Counted {
    fn has_unit(&self, unit: u8) -> bool {
        self.textures.has_unit(unit)
    }

    fn kind(&self, unit: u8) -> Option<TextureShape> {
        self.textures.kind(unit)
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.textures.answer(query)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        self.textures.as_any()
    }

    fn in_any_order(&self) -> bool {
        self.textures.in_any_order()
    }
}
