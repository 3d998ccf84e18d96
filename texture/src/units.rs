//! [`Textures`]: the units of a program.

use std::any::Any;
use std::sync::Arc;

use attila_isa::TextureShape;
use attila_machine::{QuadReg, TextureQuery, TextureUnit};
use thiserror::Error;

use crate::texture::Texture;

/// The number of units. Base programs name the first 16.
pub const UNITS: usize = 32;

/// There is no such texture unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("there is no texture unit {0}; there are {UNITS}")]
pub struct NoSuchUnit(pub usize);

/// Textures at the units of a program.
///
/// ```
/// use std::sync::Arc;
///
/// use attila_machine::{Bindings, TextureUnit};
/// use attila_texture::{Image, Sampler, Texture, Textures};
///
/// let image = Image::from_rgba8(1, 1, &[255, 128, 0, 255])?;
/// let mut textures = Textures::new();
/// textures.bind(3, Texture::new(Arc::new(image), Sampler::default())?)?;
/// assert!(textures.has_unit(3));
/// let bindings = Bindings::new().with_textures(&textures);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Textures {
    units: [Option<Arc<Texture>>; UNITS],
}

impl Textures {
    /// Nothing at any unit.
    pub fn new() -> Textures {
        Textures::default()
    }

    /// Puts a texture to a unit.
    ///
    /// # Errors
    ///
    /// There are [`UNITS`] units.
    pub fn bind(
        &mut self,
        unit: usize,
        texture: impl Into<Arc<Texture>>,
    ) -> Result<(), NoSuchUnit> {
        let slot = self.units.get_mut(unit).ok_or(NoSuchUnit(unit))?;
        *slot = Some(texture.into());
        Ok(())
    }

    /// The texture at a unit.
    pub fn get(&self, unit: usize) -> Option<&Arc<Texture>> {
        self.units.get(unit)?.as_ref()
    }
}

impl TextureUnit for Textures {
    fn has_unit(&self, unit: u8) -> bool {
        self.get(usize::from(unit)).is_some()
    }

    fn kind(&self, unit: u8) -> Option<TextureShape> {
        let texture = self.get(usize::from(unit))?;
        Some(texture.image().dimension().kind())
    }

    /// Zeros if nothing is bound.
    fn answer(&self, query: &TextureQuery) -> QuadReg {
        match self.get(usize::from(query.unit)) {
            Some(texture) => texture.answer(query),
            None => QuadReg::default(),
        }
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn in_any_order(&self) -> bool {
        true
    }
}
