//! What a program's texture units hold: patterns, and images from files.
//!
//! ```text
//!   --texture t0=wall.png,mips ─► Setting (setting.rs, options.rs) ─► Image (file.rs, dds.rs) ─► Texture
//! ```
//!
//! A setting is only text that has been understood. Files are read when all settings are known, and
//! before a program runs.

mod dds;
mod file;
mod options;
mod setting;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use attila_shader::texture::{Dimension, Image, MipMode, Texture, Textures};
use attila_shader::{Pattern, TEXTURE_UNITS};

use crate::error::CliError;
pub(crate) use file::{TextureError, describe};
use options::Options;
use setting::Source;
pub(crate) use setting::{SettingError, TextureSetting};

/// What has been said about the texture units.
#[derive(Default)]
pub(crate) struct Units {
    settings: BTreeMap<usize, Said>,
    /// What the program itself says that its units are.
    wanted: BTreeMap<usize, Dimension>,
}

/// A setting, and where it stands if it is in a text.
struct Said {
    setting: TextureSetting,
    place: Option<Range<usize>>,
}

/// A texture that cannot be had.
pub(crate) struct Fault {
    /// Why.
    pub(crate) error: CliError,
    /// Where the text asks for it, if it does.
    pub(crate) place: Option<Range<usize>>,
}

/// A unit that the program samples, and that only an option can fill.
pub(crate) struct Unfilled {
    pub(crate) unit: usize,
    /// What it is to hold.
    pub(crate) wanted: Dimension,
    /// Where the text says so.
    pub(crate) place: Option<Range<usize>>,
}

impl Units {
    /// What the program's own directive says, and where. Its files are sought in `folder`.
    pub(crate) fn declare(
        &mut self,
        setting: TextureSetting,
        folder: &Path,
        place: Option<Range<usize>>,
    ) {
        let unit = setting.unit;
        match setting.source.dimension() {
            Some(dimension) => self.wanted.insert(unit, dimension),
            // What a file holds is not known before it is read.
            None => self.wanted.remove(&unit),
        };
        let setting = setting.within(folder);
        self.settings.insert(unit, Said { setting, place });
    }

    /// What an option says instead.
    pub(crate) fn set(&mut self, setting: TextureSetting) {
        let place = None;
        self.settings.insert(setting.unit, Said { setting, place });
    }

    /// The units of the bit mask `used` that wait for an option.
    pub(crate) fn unfilled(&self, used: u16) -> Vec<Unfilled> {
        let said = self.settings.iter();
        let used = said.filter(|(unit, _)| used >> **unit & 1 != 0);
        let unfilled = used.filter_map(|(&unit, said)| match said.setting.source {
            Source::Wanted(wanted) => Some(Unfilled {
                unit,
                wanted,
                place: said.place.clone(),
            }),
            Source::Pattern(_) | Source::File(_) | Source::Cube(_) => None,
        });
        unfilled.collect()
    }

    /// Reads all images, but for units that wait for an option. Units of the bit mask `used` about
    /// which nothing was said hold patterns, as far as there are any.
    ///
    /// # Errors
    ///
    /// Every texture that cannot be had.
    pub(crate) fn load(&self, used: u16) -> Result<Textures, Vec<Fault>> {
        let mut textures = Textures::new();
        let mut faults = Vec::new();
        for unit in 0..usize::from(TEXTURE_UNITS) {
            let said = self.settings.get(&unit);
            let texture = match said {
                Some(said) => self.texture(&said.setting),
                None if used >> unit & 1 == 0 => continue,
                None => match Pattern::ALL.get(unit) {
                    Some(&pattern) => self.texture(&TextureSetting::pattern(unit, pattern)),
                    None => continue,
                },
            };
            match texture {
                Ok(Some(texture)) => textures
                    .bind(unit, texture)
                    .expect("the number of a unit was checked"),
                Ok(None) => {}
                Err(error) => faults.push(Fault {
                    error,
                    place: said.and_then(|said| said.place.clone()),
                }),
            }
        }
        if faults.is_empty() {
            Ok(textures)
        } else {
            Err(faults)
        }
    }

    /// The texture, unless an option is to say which.
    fn texture(&self, setting: &TextureSetting) -> Result<Option<Texture>, CliError> {
        let unit = setting.unit;
        let failed = |name: &str, source: TextureError| CliError::Texture {
            unit,
            name: name.to_owned(),
            source,
        };
        let (image, srgb) = match &setting.source {
            Source::Wanted(_) => return Ok(None),
            Source::Pattern(pattern) => (pattern.image(), false),
            Source::File(path) => {
                let name = path.display().to_string();
                let read = file::read(path).map_err(|source| failed(&name, source))?;
                (read.image, read.srgb)
            }
            Source::Cube(paths) => {
                let faces = paths.iter().map(|path| {
                    let name = path.display().to_string();
                    file::read_face(path).map_err(|source| failed(&name, source))
                });
                let faces = faces.collect::<Result<Vec<_>, _>>()?;
                let cube = file::cube(&faces);
                let image = cube
                    .map_err(|(face, source)| failed(&paths[face].display().to_string(), source))?;
                (image, false)
            }
        };
        let name = setting.source.to_string();
        let texture = self.finish(setting, image, srgb);
        texture.map(Some).map_err(|source| failed(&name, source))
    }

    fn finish(
        &self,
        setting: &TextureSetting,
        image: Image,
        srgb: bool,
    ) -> Result<Texture, TextureError> {
        if let Some(&wanted) = self.wanted.get(&setting.unit)
            && wanted != image.dimension()
        {
            let given = image.dimension();
            return Err(TextureError::Dimension { given, wanted });
        }
        let options = &setting.options;
        let sampler = options.sampler(&image, srgb)?;
        let image = if needs_levels(options, sampler.mip, &image) {
            image.with_mipmaps()?
        } else {
            image
        };
        Ok(Texture::new(Arc::new(image), sampler)?)
    }
}

/// Whether levels are to be sampled that the image does not have yet.
fn needs_levels(options: &Options, mip: MipMode, image: &Image) -> bool {
    options.mips || (mip != MipMode::None && image.levels().len() == 1)
}
