//! Contents of a program's texture units: patterns, and images from files.
//!
//! ```text
//!   t0=wall.png,mips ─► Setting ─► Texels, not decoded ─► room for them? ─► Image ─► Texture
//!             (setting.rs,        (file.rs, png.rs, ...,  (memory.rs)
//!              options.rs)         arrangement.rs)
//! ```
//!
//! A setting is only text that has been understood. Files are read when all settings are known, and
//! before a program runs. Cases have their images in their texts (`case.rs`).

mod arrangement;
mod cache;
mod case;
#[cfg(test)]
mod damaged;
#[cfg(feature = "dds")]
mod dds;
mod file;
#[cfg(feature = "jpeg")]
mod jpeg;
mod memory;
mod options;
#[cfg(feature = "png")]
mod png;
mod raster;
mod setting;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::directives::Extension;
use crate::images::LineError;
use attila_shader::front;
use attila_shader::isa::{TEXTURE_UNITS, TextureShape, TextureTarget, Usage};
use attila_shader::texture::Pattern;
use attila_shader::texture::{Dimension, Image, MipMode, Sampler, Shape, Texture, Textures};

use crate::error::Error;
use crate::host::Host;
use arrangement::Arrangement;
use cache::Known;
pub use cache::TextureCache;
use case::CaseImages;
use file::{Faces, ImageFile};
pub use file::{TextureError, advice, describe, source_of};
pub use memory::DEFAULT_LIMIT;
use memory::Memory;
use options::Options;
use setting::Source;
pub use setting::{TextureSetting, TextureSettingError};

/// Options about texture units.
#[derive(Clone, Debug)]
pub struct TextureOptions {
    /// The contents of units, in place of what the program says.
    pub settings: Vec<TextureSetting>,
    /// Textures in memory, by their units, in place of all else.
    pub bound: BTreeMap<usize, Arc<Texture>>,
    /// The limit of the memory for all textures together, in MiB, with levels and decoded texels. Those that are bound
    /// do not count.
    pub memory: u64,
    /// Textures that were read before.
    pub cache: Option<TextureCache>,
}

impl Default for TextureOptions {
    fn default() -> TextureOptions {
        TextureOptions {
            settings: Vec::new(),
            bound: BTreeMap::new(),
            memory: DEFAULT_LIMIT,
            cache: None,
        }
    }
}

/// The settings of the texture units.
#[derive(Default)]
pub struct Units {
    settings: BTreeMap<usize, Said>,
    bound: BTreeMap<usize, Arc<Texture>>,
    /// The dimensions that the program itself gives its units.
    wanted: BTreeMap<usize, Dimension>,
    /// The images for units without a setting.
    images: CaseImages,
    /// The memory for them.
    memory: Memory,
    cache: Option<TextureCache>,
}

/// A setting, and where it stands if it is in a text.
struct Said {
    setting: TextureSetting,
    place: Option<Range<usize>>,
}

/// A texture that cannot be had.
#[non_exhaustive]
pub struct Fault {
    /// Why.
    pub error: Error,
    /// Where the text asks for it, if it does.
    pub place: Option<Range<usize>>,
}

/// A unit that the program samples, and that only an option can fill.
#[non_exhaustive]
pub struct Unfilled {
    /// The unit.
    pub unit: usize,
    /// The kind of image that it is to hold.
    pub wanted: Dimension,
    /// Where the text says so.
    pub place: Option<Range<usize>>,
}

impl Units {
    /// Takes over the program's own directive, which stands at `place` of the text. Its files are sought in `folder`.
    pub fn declare(&mut self, setting: TextureSetting, folder: &Path, place: Option<Range<usize>>) {
        let unit = setting.unit;
        match setting.source.dimension() {
            Some(dimension) => self.wanted.insert(unit, dimension),
            // The content of a file is not known before it is read.
            None => self.wanted.remove(&unit),
        };
        let setting = setting.within(folder);
        self.settings.insert(unit, Said { setting, place });
    }

    /// Takes over what a translated text says of its units, and the kinds of images if base instructions sample them;
    /// others say it themselves.
    pub fn expect_images(&mut self, textures: &[front::Texture]) {
        for texture in textures {
            if let Some(setting) = TextureSetting::of(texture) {
                self.declare(setting, Path::new(""), None);
            }
            let dimension = match texture.shape {
                TextureShape::D1 => Dimension::D1,
                TextureShape::D2 => Dimension::D2,
                TextureShape::D3 => Dimension::D3,
                TextureShape::Cube => Dimension::Cube,
                TextureShape::Rect => Dimension::Rect,
                TextureShape::Buffer
                | TextureShape::D1Array
                | TextureShape::D2Array
                | TextureShape::CubeArray
                | TextureShape::D2Ms
                | TextureShape::D2MsArray => continue,
            };
            self.wanted.insert(texture.unit as usize, dimension);
        }
    }

    /// Reads a directive about an image of a case, which stands at `place` of the text.
    pub fn read_image(
        &mut self,
        directive: &Extension,
        place: Option<Range<usize>>,
    ) -> Result<(), LineError> {
        self.images.read(directive, place)
    }

    /// Puts options in place of what the program says.
    pub fn set(&mut self, options: &TextureOptions) {
        let said = |setting: &TextureSetting| Said {
            setting: setting.clone(),
            place: None,
        };
        let settings = options.settings.iter();
        self.settings
            .extend(settings.map(|setting| (setting.unit, said(setting))));
        self.bound.clone_from(&options.bound);
        self.memory = Memory::new(options.memory);
        self.cache.clone_from(&options.cache);
    }

    /// Takes over the kind of image that all instructions name which read a unit, where nothing else says what it is to
    /// hold.
    pub fn want(&mut self, usage: &Usage) {
        if !self.images.is_empty() {
            return;
        }
        for targets in usage.texture_targets.chunk_by(|(a, _), (b, _)| a == b) {
            let unit = usize::from(targets[0].0);
            let mut dimensions = targets.iter().map(|(_, target)| dimension_of(*target));
            let Some(Some(dimension)) = dimensions.next() else {
                continue;
            };
            if dimensions.any(|other| other != Some(dimension)) {
                continue;
            }
            self.wanted.entry(unit).or_insert(dimension);
            self.settings.entry(unit).or_insert_with(|| Said {
                setting: TextureSetting::wanted(unit, dimension),
                place: None,
            });
        }
    }

    /// The units of the bit mask `used` that wait for an option.
    pub fn unfilled(&self, used: u32) -> Vec<Unfilled> {
        let said = self.settings.iter();
        let used = said.filter(|(unit, _)| used >> **unit & 1 != 0);
        let used = used.filter(|(unit, _)| !self.bound.contains_key(unit));
        let unfilled = used.filter_map(|(&unit, said)| match said.setting.source {
            Source::Wanted(wanted) => Some(Unfilled {
                unit,
                wanted,
                place: said.place.clone(),
            }),
            Source::Pattern(_) | Source::File(..) | Source::Cube(_) => None,
        });
        unfilled.collect()
    }

    /// Reads all images, but for units that wait for an option. Units without a setting hold the images
    /// of a case; without such images, those of the bit mask `used` hold patterns, as far as there are
    /// any.
    ///
    /// # Errors
    ///
    /// Every texture that cannot be had.
    pub fn load(&self, used: u32, host: &dyn Host) -> Result<Textures, Vec<Fault>> {
        let mut textures = Textures::new();
        let mut memory = self.memory;
        let mut known = Vec::new();
        let (images, mut faults) = self.images.load(&mut memory);
        for unit in 0..usize::from(TEXTURE_UNITS) {
            let said = self.settings.get(&unit);
            let bound = self.bound.get(&unit);
            let texture = match (said, images.is_empty()) {
                _ if bound.is_some() => bound.map(|it| self.checked(unit, it)).transpose(),
                (Some(said), _) => self.texture(&said.setting, (&mut memory, &mut known), host),
                (None, false) => Ok(Some(images[unit % images.len()].clone())),
                (None, true) => self.pattern(unit, used, (&mut memory, &mut known), host),
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
        if !faults.is_empty() {
            return Err(faults);
        }
        if let Some(cache) = &self.cache {
            cache.keep(known);
        }
        Ok(textures)
    }

    /// A texture in memory, unless the program samples something else.
    fn checked(&self, unit: usize, texture: &Arc<Texture>) -> Result<Arc<Texture>, Error> {
        let given = texture.image().dimension();
        match self.wanted.get(&unit) {
            Some(&wanted) if !wanted.kind().takes(given.kind()) => Err(Error::Texture {
                unit,
                name: "the texture in memory".to_owned(),
                source: TextureError::Dimension { given, wanted },
            }),
            Some(_) | None => Ok(texture.clone()),
        }
    }

    /// The pattern of a unit, if the bit mask `used` has the unit and there is a pattern for it.
    fn pattern(
        &self,
        unit: usize,
        used: u32,
        loading: (&mut Memory, &mut Vec<Known>),
        host: &dyn Host,
    ) -> Result<Option<Arc<Texture>>, Error> {
        match Pattern::ALL.get(unit) {
            Some(&pattern) if used >> unit & 1 != 0 => {
                self.texture(&TextureSetting::pattern(unit, pattern), loading, host)
            }
            Some(_) | None => Ok(None),
        }
    }

    /// The texture, unless an option is to say which: the one that the last scene had, or a new one.
    fn texture(
        &self,
        setting: &TextureSetting,
        (memory, known): (&mut Memory, &mut Vec<Known>),
        host: &dyn Host,
    ) -> Result<Option<Arc<Texture>>, Error> {
        let Some(cache) = &self.cache else {
            return self.read(setting, memory, host);
        };
        let wanted = self.wanted.get(&setting.unit).copied();
        let texture = match cache.find(setting, wanted) {
            Some(texture) => {
                let taken = memory.take(&texture.image().shape(), texture.sampler());
                taken.map_err(|source| setting.failed(&setting.source.to_string(), source))?;
                Some(texture)
            }
            None => self.read(setting, memory, host)?,
        };
        known.extend(texture.clone().map(|texture| Known {
            setting: setting.clone(),
            wanted,
            texture,
        }));
        Ok(texture)
    }

    /// The texture from its files, unless an option is to say which.
    fn read(
        &self,
        setting: &TextureSetting,
        memory: &mut Memory,
        host: &dyn Host,
    ) -> Result<Option<Arc<Texture>>, Error> {
        let Some(mut texels) = Texels::open(setting, host)? else {
            return Ok(None);
        };
        let name = setting.source.to_string();
        let failed = |source| setting.failed(&name, source);
        let (shape, sampler) = self.plan(setting, &mut texels).map_err(failed)?;
        memory.take(&shape, &sampler).map_err(failed)?;
        let image = texels.image(setting)?;
        let image = if image.levels().len() < shape.levels {
            image.with_mipmaps().map_err(|error| failed(error.into()))?
        } else {
            image
        };
        match Texture::new(Arc::new(image), sampler) {
            Ok(texture) => Ok(Some(Arc::new(texture))),
            Err(error) => Err(failed(error.into())),
        }
    }

    /// The image with the levels that are to be sampled, and the sampler.
    fn plan(
        &self,
        setting: &TextureSetting,
        texels: &mut Texels,
    ) -> Result<(Shape, Sampler), TextureError> {
        if let Some(&wanted) = self.wanted.get(&setting.unit) {
            texels.expect(wanted)?;
        }
        let (mut shape, srgb) = texels.shape();
        let options = &setting.options;
        let sampler = options.sampler(&shape, srgb)?;
        if needs_levels(options, sampler.mip, &shape) {
            shape.levels = shape.size.levels();
        }
        Ok((shape, sampler))
    }
}

/// The dimension of the images that a target reads, if it is one that no pattern has and that files have.
fn dimension_of(target: TextureTarget) -> Option<Dimension> {
    let TextureTarget::Named { shape, .. } = target else {
        return None;
    };
    match shape {
        TextureShape::D1 => Some(Dimension::D1),
        TextureShape::D3 => Some(Dimension::D3),
        TextureShape::Cube => Some(Dimension::Cube),
        TextureShape::D2
        | TextureShape::Rect
        | TextureShape::Buffer
        | TextureShape::D1Array
        | TextureShape::D2Array
        | TextureShape::CubeArray
        | TextureShape::D2Ms
        | TextureShape::D2MsArray => None,
    }
}

/// Whether levels are to be sampled that the image does not have yet.
fn needs_levels(options: &Options, mip: MipMode, shape: &Shape) -> bool {
    options.mips || (mip != MipMode::None && shape.levels == 1)
}

/// The texels of a texture before they are decoded.
enum Texels {
    Pattern(Image),
    File(ImageFile),
    Faces(Faces),
}

impl Texels {
    /// Opens the files of a setting, unless an option is to say which.
    fn open(setting: &TextureSetting, host: &dyn Host) -> Result<Option<Texels>, Error> {
        let texels = match &setting.source {
            Source::Wanted(_) => return Ok(None),
            Source::Pattern(pattern) => Texels::Pattern(pattern.image()),
            Source::File(path, arrangement) => {
                let file = ImageFile::open(path, *arrangement, host);
                Texels::File(file.map_err(|source| setting.failed_file(path, source))?)
            }
            Source::Cube(paths) => {
                let faces = paths.iter().map(|path| {
                    let face = ImageFile::open_face(path, host);
                    face.map_err(|source| setting.failed_file(path, source))
                });
                let faces = Faces::new(faces.collect::<Result<_, _>>()?);
                let failed = |(face, source): (usize, _)| setting.failed_file(&paths[face], source);
                Texels::Faces(faces.map_err(failed)?)
            }
        };
        Ok(Some(texels))
    }

    /// Refuses those of another dimension than the program samples. A picture of one row is a 1D image then.
    fn expect(&mut self, wanted: Dimension) -> Result<(), TextureError> {
        let (shape, _) = self.shape();
        if let Texels::File(file) = self
            && (shape.dimension, shape.size.height, wanted) == (Dimension::D2, 1, Dimension::D1)
        {
            return file.arrange(Arrangement::Row);
        }
        let given = shape.dimension;
        match wanted.kind().takes(given.kind()) {
            true => Ok(()),
            false => Err(TextureError::Dimension { given, wanted }),
        }
    }

    /// The image that they make, and whether it says that it is sRGB.
    fn shape(&self) -> (Shape, bool) {
        match self {
            Texels::Pattern(image) => (image.shape(), false),
            Texels::File(file) => (file.shape, file.srgb),
            Texels::Faces(faces) => (faces.shape, false),
        }
    }

    /// Decodes them.
    fn image(self, setting: &TextureSetting) -> Result<Image, Error> {
        let name = |face: usize| match &setting.source {
            Source::Cube(paths) => paths[face].display().to_string(),
            source @ (Source::File(..) | Source::Pattern(_) | Source::Wanted(_)) => {
                source.to_string()
            }
        };
        let image = match self {
            Texels::Pattern(image) => Ok(image),
            Texels::File(file) => file.image().map_err(|source| (0, source)),
            Texels::Faces(faces) => faces.image(),
        };
        image.map_err(|(face, source)| setting.failed(&name(face), source))
    }
}
