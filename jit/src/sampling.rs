//! Textures that generated code samples by itself: how each is sampled, which the code is made
//! for, and the numbers that the code is handed in every run.

use std::fmt;
use std::mem::offset_of;

use attila_isa::{Bindings, TEXTURE_UNITS};
use attila_texture::{
    Coordinates, CubeFaces, Dimension, Filter, MipMode, Plain, PlainLevel, Storage, Texture,
    Textures, Wrap,
};
use smallvec::SmallVec;

use crate::runtime::Vector;

/// 1/255 in two parts: the first 16 bits, which a byte times is exact, and the rest.
pub(crate) const INVERSE_255: [f32; 2] = [f32::from_bits(0x3b80_8000), f32::from_bits(0x3380_8081)];

/// How a unit is sampled, as far as code is specialised by it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sampling {
    /// The texture unit.
    pub(crate) unit: u8,
    /// The faces that a cube's lanes sample; `None` for a 2D image.
    pub(crate) cube: Option<CubeFaces>,
    pub(crate) storage: Storage,
    pub(crate) mag: Filter,
    pub(crate) min: Filter,
    pub(crate) mip: MipMode,
    /// Along s and t.
    pub(crate) wrap: [Wrap; 2],
    pub(crate) coordinates: Coordinates,
}

impl Sampling {
    /// That of `texture` at `unit`, if code can sample it.
    fn of(unit: u8, texture: &Texture) -> Option<Sampling> {
        let (sampler, image) = (texture.sampler(), texture.image());
        let cube = match image.dimension() {
            Dimension::D2 => None,
            Dimension::Cube => Some(sampler.cube_faces),
            Dimension::D1 | Dimension::D3 => return None,
        };
        let is_single = sampler.max_level.min(image.levels().len() - 1) == sampler.base_level;
        let mip = match sampler.mip {
            MipMode::Nearest if is_single => MipMode::None,
            // With a single level, two samples of it are mixed, which rounds.
            mip @ (MipMode::None | MipMode::Nearest | MipMode::Linear) => mip,
        };
        let [s, t, _] = sampler.wrap;
        Some(Sampling {
            unit,
            cube,
            storage: texture.plain()?.storage(),
            mag: sampler.mag,
            min: sampler.min,
            mip,
            wrap: [s, t],
            coordinates: sampler.coordinates,
        })
    }

    /// Whether the level of detail makes a difference.
    pub(crate) fn needs_lod(&self) -> bool {
        self.mag != self.min || self.mip != MipMode::None
    }
}

/// Of all units at most. No draw has to allocate for them.
pub(crate) type Samplings = SmallVec<[Sampling; TEXTURE_UNITS as usize]>;
/// The same, for what code is handed.
pub(crate) type Descriptors = SmallVec<[Descriptor; TEXTURE_UNITS as usize]>;

/// How code can sample those of the units `used` (bit n = unit n) that are bound to textures which
/// it knows, by ascending unit, and what it has to be handed for that. A texture's place here is
/// its number in the code.
pub(crate) fn bound(bindings: &Bindings<'_>, used: u16) -> (Samplings, Descriptors) {
    let Some(textures) = known(bindings) else {
        return Default::default();
    };
    let used = (0..TEXTURE_UNITS).filter(|unit| used >> unit & 1 != 0);
    let known = used.filter_map(|unit| {
        let texture = textures.get(usize::from(unit))?;
        let sampling = Sampling::of(unit, texture)?;
        Some((sampling, Descriptor::new(texture, texture.plain()?)))
    });
    known.unzip()
}

fn known<'a>(bindings: &Bindings<'a>) -> Option<&'a Textures> {
    bindings.textures()?.as_any()?.downcast_ref()
}

/// Levels of a descriptor: a power of two, so that no index is outside.
pub(crate) const LEVELS: usize = 16;

const _: () = assert!(attila_texture::MAX_LEVELS <= LEVELS);

/// What emitted code reads about a texture, through the offsets of the fields.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Descriptor {
    /// The index of the last texel, in all lanes: nothing behind it is read.
    pub(crate) last_texel: Vector,
    /// The index of the last texel that may be a blend's first, likewise: those below, and those to
    /// the right of both, are there, whatever level it is of.
    pub(crate) last_blend: Vector,
    /// The words of the first.
    pub(crate) texels: *const u32,
    base_level: i32,
    last_level: i32,
    lod_bias: f32,
    lod_min: f32,
    lod_max: f32,
    to_texels: [f32; 2],
    border: [f32; 4],
    pub(crate) levels: [LevelRecord; LEVELS],
}

/// What emitted code reads about a level.
#[derive(Clone, Copy, Default, Debug)]
#[repr(C)]
pub(crate) struct LevelRecord {
    size: [i32; 2],
    to_level: [f32; 2],
    half: [f32; 2],
    offset: i32,
    slice: i32,
}

impl LevelRecord {
    /// log2 of its bytes.
    pub(crate) const SHIFT: u32 = size_of::<LevelRecord>().trailing_zeros();

    fn new(level: &PlainLevel) -> LevelRecord {
        let [s, t] = level.axes;
        LevelRecord {
            size: [s.size as i32, t.size as i32],
            to_level: [s.to_level, t.to_level],
            half: [s.half, t.half],
            offset: level.offset as i32,
            slice: level.slice as i32,
        }
    }
}

const _: () = assert!(size_of::<LevelRecord>() == 1 << LevelRecord::SHIFT);

impl Descriptor {
    fn new(texture: &Texture, plain: &Plain) -> Descriptor {
        let sampler = texture.sampler();
        let texels = plain.words().len() / plain.storage().words();
        let [s, t, _] = texture.to_texels();
        let mut levels = [LevelRecord::default(); LEVELS];
        for (record, level) in levels.iter_mut().zip(plain.levels()) {
            *record = LevelRecord::new(level);
        }
        let pitch = plain.levels()[0].pitch();
        Descriptor {
            last_texel: Vector::splat(texels as u32 - 1),
            last_blend: Vector::splat(texels as u32 - pitch - 2),
            texels: plain.words().as_ptr(),
            base_level: sampler.base_level as i32,
            last_level: sampler.max_level.min(plain.levels().len() - 1) as i32,
            lod_bias: sampler.lod_bias,
            lod_min: sampler.lod_min,
            lod_max: sampler.lod_max,
            to_texels: [s, t],
            border: sampler.border,
            levels,
        }
    }
}

/// A number of a [`Descriptor`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TextureField {
    /// i32: the largest level.
    BaseLevel,
    /// i32: the smallest.
    LastLevel,
    /// f32.
    LodBias,
    /// f32.
    LodMin,
    /// f32.
    LodMax,
    /// f32: what a coordinate along the axis is multiplied by to be in texels.
    ToTexels { axis: u8 },
    /// f32: what is outside of the image.
    Border { component: u8 },
}

impl TextureField {
    /// Its place in the descriptor, in bytes.
    pub(crate) fn offset(self) -> usize {
        match self {
            TextureField::BaseLevel => offset_of!(Descriptor, base_level),
            TextureField::LastLevel => offset_of!(Descriptor, last_level),
            TextureField::LodBias => offset_of!(Descriptor, lod_bias),
            TextureField::LodMin => offset_of!(Descriptor, lod_min),
            TextureField::LodMax => offset_of!(Descriptor, lod_max),
            TextureField::ToTexels { axis } => offset_of!(Descriptor, to_texels) + word(axis),
            TextureField::Border { component } => offset_of!(Descriptor, border) + word(component),
        }
    }
}

/// A number of a [`LevelRecord`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum LevelField {
    /// i32: texels along the axis.
    Size { axis: u8 },
    /// f32: what a coordinate along the axis is multiplied by to be in units of the level.
    ToLevel { axis: u8 },
    /// f32: half a texel along the axis, in these units.
    Half { axis: u8 },
    /// i32: the first texel.
    Offset,
    /// i32: texels of a face.
    Slice,
}

impl LevelField {
    /// Its place in the record, in bytes.
    pub(crate) fn offset(self) -> usize {
        match self {
            LevelField::Size { axis } => offset_of!(LevelRecord, size) + word(axis),
            LevelField::ToLevel { axis } => offset_of!(LevelRecord, to_level) + word(axis),
            LevelField::Half { axis } => offset_of!(LevelRecord, half) + word(axis),
            LevelField::Offset => offset_of!(LevelRecord, offset),
            LevelField::Slice => offset_of!(LevelRecord, slice),
        }
    }
}

/// Bytes before word `index` of an array.
fn word(index: u8) -> usize {
    usize::from(index) * size_of::<u32>()
}

const AXES: [char; 2] = ['s', 't'];

impl fmt::Display for TextureField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TextureField::BaseLevel => f.write_str("base"),
            TextureField::LastLevel => f.write_str("last"),
            TextureField::LodBias => f.write_str("bias"),
            TextureField::LodMin => f.write_str("lodmin"),
            TextureField::LodMax => f.write_str("lodmax"),
            TextureField::ToTexels { axis } => write!(f, "totexels.{}", AXES[usize::from(axis)]),
            TextureField::Border { component } => write!(f, "border.{component}"),
        }
    }
}

impl fmt::Display for LevelField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            LevelField::Size { axis } => write!(f, "size.{}", AXES[usize::from(axis)]),
            LevelField::ToLevel { axis } => write!(f, "tolevel.{}", AXES[usize::from(axis)]),
            LevelField::Half { axis } => write!(f, "half.{}", AXES[usize::from(axis)]),
            LevelField::Offset => f.write_str("offset"),
            LevelField::Slice => f.write_str("slice"),
        }
    }
}
