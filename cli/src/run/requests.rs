//! Texture requests that can be looked at.

use std::sync::{Mutex, PoisonError};

use attila_shader::TextureUnit;
use attila_shader::machine::{Lanes, TextureRequest};
use attila_shader::texture::{Dimension, Texture, Textures};

use super::print::float_text;

/// Texture units that remember the last request.
pub(super) struct Requests<'a> {
    units: &'a Textures,
    last: Mutex<Option<TextureRequest>>,
}

impl<'a> Requests<'a> {
    pub(super) fn new(units: &'a Textures) -> Requests<'a> {
        Requests {
            units,
            last: Mutex::new(None),
        }
    }

    /// The request that has come since the last call, in words for each lane.
    pub(super) fn take(&self, hex: bool) -> Option<Lanes<String>> {
        let last = self
            .last
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let request = last?;
        let texture = self.units.get(request.unit.into())?;
        let levels = texture.levels(&request);
        let axes = axes(texture);
        Some(std::array::from_fn(|lane| {
            let coordinate = |axis: &[f32; 4]| float_text(axis[lane].to_bits(), hex);
            let coordinates: Vec<String> = request.coords[..axes].iter().map(coordinate).collect();
            let level = levels[lane];
            format!(
                "t{} at ({}), level {level}",
                request.unit,
                coordinates.join(", ")
            )
        }))
    }
}

/// How many coordinates a texture looks at.
fn axes(texture: &Texture) -> usize {
    match texture.image().dimension() {
        // The third coordinate is compared with.
        Dimension::D1 | Dimension::D2 if texture.sampler().compare.is_some() => 3,
        Dimension::D1 => 1,
        Dimension::D2 => 2,
        Dimension::D3 | Dimension::Cube => 3,
    }
}

impl TextureUnit for Requests<'_> {
    fn has_unit(&self, unit: u8) -> bool {
        self.units.has_unit(unit)
    }

    fn sample(&self, request: &TextureRequest) -> [Lanes<f32>; 4] {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some(*request);
        self.units.sample(request)
    }
}
