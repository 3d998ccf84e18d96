//! Texture queries that can be looked at.

use std::sync::{Mutex, PoisonError};

use attila_shader::TextureUnit;
use attila_shader::isa::TextureShape;
use attila_shader::machine::{Lanes, Lookup, QuadReg, TextureQuery};
use attila_shader::texture::{Texture, Textures};

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
        let words: Lanes<String> = std::array::from_fn(|lane| {
            let coordinates = |coords: &[Lanes<f32>; 4]| {
                let coords = coords[..coordinates(texture)].iter();
                let words = coords.map(|axis| float_text(axis[lane].to_bits(), hex));
                format!("at ({})", words.collect::<Vec<_>>().join(", "))
            };
            match &query.lookup {
                Lookup::Sample { coords, .. } => {
                    let level = texture.levels(&query).unwrap_or_default()[lane];
                    format!("{}, level {level}", coordinates(coords))
                }
                Lookup::Gather { coords, .. } => format!("around {}", coordinates(coords)),
                Lookup::LevelOfDetail { coords } => {
                    format!("level of detail {}", coordinates(coords))
                }
                Lookup::Fetch { at, .. } => {
                    let [x, y, z, w] = at.map(|axis| axis[lane]);
                    format!("texel ({x}, {y}, {z}, {w})")
                }
                Lookup::Size { level } => format!("size of level {}", level[lane]),
                Lookup::Samples => "samples".to_owned(),
            }
        });
        Some(words.map(|words| format!("t{} {words}", query.unit)))
    }
}

/// How many coordinates a texture looks at: layers are one, and so is the third if texels are compared
/// with it.
fn coordinates(texture: &Texture) -> usize {
    let kind = texture.image().dimension().kind();
    let coordinates = kind.coordinates() + usize::from(kind.layers());
    if texture.sampler().compare.is_some() {
        coordinates.max(3)
    } else {
        coordinates
    }
}

impl TextureUnit for Requests<'_> {
    fn has_unit(&self, unit: u8) -> bool {
        self.units.has_unit(unit)
    }

    fn kind(&self, unit: u8) -> Option<TextureShape> {
        self.units.kind(unit)
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some(*query);
        self.units.answer(query)
    }
}
