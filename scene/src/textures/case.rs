//! Images in the lines of a case, as `attila fuzz` writes them.

use std::ops::Range;
use std::sync::Arc;

use crate::directives::Extension;
use crate::images::{self, ImageBytes, LineError};
use attila_shader::texture::{Sampler, Texture};

use super::Fault;
use super::file::TextureError;
use super::memory::Memory;
use crate::error::Error;

/// The images and samplers of a text, by their numbers.
#[derive(Default)]
pub(super) struct CaseImages {
    images: Vec<(ImageBytes, Sampler)>,
    /// The places of the `image` lines in the text.
    places: Vec<Option<Range<usize>>>,
}

impl CaseImages {
    /// Reads a directive, which stands at `place` of the text.
    pub(super) fn read(
        &mut self,
        directive: &Extension,
        place: Option<Range<usize>>,
    ) -> Result<(), LineError> {
        let read = images::read(directive, &mut self.images);
        self.places.resize(self.images.len(), place);
        read
    }

    /// Whether the text has none.
    pub(super) fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    /// Makes the textures, and returns those that it could make and the errors about the others.
    pub(super) fn load(&self, memory: &mut Memory) -> (Vec<Arc<Texture>>, Vec<Fault>) {
        let mut textures = Vec::new();
        let mut faults = Vec::new();
        for (number, ((image, sampler), place)) in self.images.iter().zip(&self.places).enumerate()
        {
            match texture(image, *sampler, memory) {
                Ok(texture) => textures.push(Arc::new(texture)),
                Err(source) => faults.push(Fault {
                    error: Error::Texture {
                        unit: number,
                        name: format!("image {number}"),
                        source,
                    },
                    place: place.clone(),
                }),
            }
        }
        (textures, faults)
    }
}

fn texture(
    image: &ImageBytes,
    sampler: Sampler,
    memory: &mut Memory,
) -> Result<Texture, TextureError> {
    memory.take(&image.shape(), &sampler)?;
    Ok(Texture::new(Arc::new(image.image()?), sampler)?)
}
