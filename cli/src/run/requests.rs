//! Texture queries that can be looked at.

use std::sync::{Mutex, PoisonError};

use attila_shader::TextureUnit;
use attila_shader::machine::{Lanes, Lookup, TextureQuery};
use attila_shader::texture::{Dimension, Texture, Textures};

use super::print::float_text;

/// Texture units that remember the last query.
pub(super) struct Requests<'a> {
    units: &'a Textures,
    last: Mutex<Option<TextureQuery>>,
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
        let query = last?;
        let texture = self.units.get(query.unit.into())?;
        let levels = texture.levels(&query);
        let Lookup::Sample { coords, .. } = query.lookup;
        let axes = axes(texture);
        Some(std::array::from_fn(|lane| {
            let coordinate = |axis: &[f32; 4]| float_text(axis[lane].to_bits(), hex);
            let coordinates: Vec<String> = coords[..axes].iter().map(coordinate).collect();
            let level = levels[lane];
            format!(
                "t{} at ({}), level {level}",
                query.unit,
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

    fn sample(&self, query: &TextureQuery) -> [Lanes<f32>; 4] {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some(*query);
        self.units.sample(query)
    }
}
