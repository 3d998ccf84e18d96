//! Textures as code reads them: a descriptor for each, with a record for each level.

use std::fmt;
use std::mem::offset_of;

use attila_texture::{Decoded, DecodedLevel, Texture};

use super::{Address, letter, word};
use crate::ir::Type;
use crate::runtime::Vector;

/// Levels of a descriptor: a power of two, so that no index is outside, and more than a texture has.
pub(crate) const LEVELS: usize = 16;

const _: () = assert!(attila_texture::MAX_LEVELS < LEVELS);

/// A texture as emitted code reads it, through the offsets of the fields.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Descriptor {
    /// The index of the last texel, in all lanes: nothing past it is read.
    pub(crate) last_texel: Vector,
    /// The index of the last texel that may be a blend's first, in all lanes: the texels below it and
    /// to the right of both exist, on every level.
    pub(crate) last_blend: Vector,
    /// The address of the first texel's words.
    pub(crate) texels: Address<u32>,
    base_level: i32,
    last_level: i32,
    layers: i32,
    lod_bias: f32,
    lod_min: f32,
    lod_max: f32,
    max_anisotropy: f32,
    to_texels: [f32; 3],
    border: [f32; 4],
    denominators: [f32; 4],
    units: [f32; 4],
    /// Those that are used, at least one after them that has no texels, and more of these.
    pub(crate) levels: [LevelRecord; LEVELS],
}

/// A level as emitted code reads it. All of its [parts](LevelPart) are aligned vectors in one cache line.
#[derive(Clone, Copy, Default, Debug)]
#[repr(C, align(64))]
pub(crate) struct LevelRecord {
    size: [i32; 2],
    offset: i32,
    slice: i32,
    to_level: [f32; 2],
    half: [f32; 2],
    depth: i32,
    to_level_r: f32,
    half_r: f32,
}

impl LevelRecord {
    /// log2 of its bytes.
    pub(crate) const SHIFT: u32 = size_of::<LevelRecord>().trailing_zeros();

    fn new(level: &DecodedLevel) -> LevelRecord {
        let [s, t, r] = level.axes;
        LevelRecord {
            size: [s.size as i32, t.size as i32],
            offset: level.offset as i32,
            slice: level.slice as i32,
            to_level: [s.to_level, t.to_level],
            half: [s.half, t.half],
            depth: r.size as i32,
            to_level_r: r.to_level,
            half_r: r.half,
        }
    }
}

const _: () = assert!(size_of::<LevelRecord>() == 1 << LevelRecord::SHIFT);

impl Descriptor {
    /// Bytes from the first descriptor to that number `texture`.
    pub(crate) fn offset(texture: u8) -> usize {
        usize::from(texture) * size_of::<Descriptor>()
    }

    /// Bytes from the first descriptor to the index of this one's last texel.
    pub(crate) fn last_texel_of(texture: u8) -> usize {
        Descriptor::offset(texture) + offset_of!(Descriptor, last_texel)
    }

    /// Bytes from the first descriptor to the index of this one's last texel that may be a blend's
    /// first.
    pub(crate) fn last_blend_of(texture: u8) -> usize {
        Descriptor::offset(texture) + offset_of!(Descriptor, last_blend)
    }

    /// Bytes from the first descriptor to the address of this one's texels.
    pub(crate) fn texels_of(texture: u8) -> usize {
        Descriptor::offset(texture) + offset_of!(Descriptor, texels)
    }

    /// The texture as code reads it; `decoded` has its texels.
    pub(crate) fn new(texture: &Texture, decoded: &Decoded) -> Descriptor {
        let sampler = texture.sampler();
        let texels = decoded.words().len() / decoded.storage().words();
        let mut levels = [LevelRecord::default(); LEVELS];
        let last_level = sampler.max_level.min(decoded.levels().len() - 1);
        for (record, level) in levels.iter_mut().zip(&decoded.levels()[..=last_level]) {
            *record = LevelRecord::new(level);
        }
        let pitch = decoded.levels()[0].pitch();
        let denominators = decoded.denominators().unwrap_or([1.0; 4]);
        Descriptor {
            last_texel: Vector::splat(texels as u32 - 1),
            last_blend: Vector::splat(texels as u32 - pitch - 2),
            texels: Address::of(decoded.words().as_ptr()),
            base_level: sampler.base_level as i32,
            last_level: last_level as i32,
            layers: decoded.layers() as i32,
            lod_bias: sampler.lod_bias,
            lod_min: sampler.lod_min,
            lod_max: sampler.lod_max,
            max_anisotropy: sampler.max_anisotropy as f32,
            to_texels: texture.to_texels(),
            border: decoded.border(),
            denominators,
            units: denominators.map(|denominator| 1.0 / denominator),
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
    /// i32: layers, or cubes, of an array; 1 otherwise.
    Layers,
    /// f32: added to every level of detail.
    LodBias,
    /// f32: the least level of detail.
    LodMin,
    /// f32: the greatest.
    LodMax,
    /// f32: the most samples along the longer axis of a footprint.
    MaxAnisotropy,
    /// f32: the factor from a coordinate along the axis to texels.
    ToTexels { axis: u8 },
    /// f32: a component of the colour outside of the image.
    Border { component: u8 },
    /// f32: the number that a channel of texels is divided by; 1 if texels are colours.
    Denominator { component: u8 },
    /// f32: 1 divided by it.
    Unit { component: u8 },
}

impl TextureField {
    /// Name, index in an array, type, and place in the descriptor in bytes.
    fn row(self) -> (&'static str, Option<u8>, Type, usize) {
        use Type::{F32, I32};
        match self {
            TextureField::BaseLevel => ("base", None, I32, offset_of!(Descriptor, base_level)),
            TextureField::LastLevel => ("last", None, I32, offset_of!(Descriptor, last_level)),
            TextureField::Layers => ("layers", None, I32, offset_of!(Descriptor, layers)),
            TextureField::LodBias => ("lod_bias", None, F32, offset_of!(Descriptor, lod_bias)),
            TextureField::LodMin => ("lod_min", None, F32, offset_of!(Descriptor, lod_min)),
            TextureField::LodMax => ("lod_max", None, F32, offset_of!(Descriptor, lod_max)),
            TextureField::MaxAnisotropy => (
                "max_anisotropy",
                None,
                F32,
                offset_of!(Descriptor, max_anisotropy),
            ),
            TextureField::ToTexels { axis } => (
                "to_texels",
                Some(axis),
                F32,
                offset_of!(Descriptor, to_texels),
            ),
            TextureField::Border { component } => (
                "border",
                Some(component),
                F32,
                offset_of!(Descriptor, border),
            ),
            TextureField::Denominator { component } => (
                "denominator",
                Some(component),
                F32,
                offset_of!(Descriptor, denominators),
            ),
            TextureField::Unit { component } => {
                ("unit", Some(component), F32, offset_of!(Descriptor, units))
            }
        }
    }

    /// The type.
    pub(crate) fn ty(self) -> Type {
        self.row().2
    }

    /// Its place in the descriptor, in bytes.
    pub(crate) fn offset(self) -> usize {
        let (_, index, _, offset) = self.row();
        offset + word(index.unwrap_or(0))
    }

    /// Bytes from the first descriptor to the field of that number `texture`.
    pub(crate) fn offset_of(self, texture: u8) -> usize {
        Descriptor::offset(texture) + self.offset()
    }
}

/// A number of a [`LevelRecord`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum LevelField {
    /// i32: texels along the axis.
    Size { axis: u8 },
    /// f32: the factor from a coordinate along the axis to units of the level.
    ToLevel { axis: u8 },
    /// f32: half a texel along the axis, in these units.
    Half { axis: u8 },
    /// i32: the first texel.
    Offset,
    /// i32: texels of a layer or face.
    Slice,
}

/// Numbers of a [`LevelRecord`] that stand side by side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum LevelPart {
    /// The size along s and t, the first texel, and the texels of a slice: i32.
    Texels,
    /// The factor and the half of a texel along s and t: f32.
    Scale,
    /// The size along r, i32, the factor and the half of a texel.
    Depth,
}

impl LevelPart {
    /// The numbers in their order.
    pub(crate) fn fields(self) -> &'static [LevelField] {
        match self {
            LevelPart::Texels => &[
                LevelField::Size { axis: 0 },
                LevelField::Size { axis: 1 },
                LevelField::Offset,
                LevelField::Slice,
            ],
            LevelPart::Scale => &[
                LevelField::ToLevel { axis: 0 },
                LevelField::ToLevel { axis: 1 },
                LevelField::Half { axis: 0 },
                LevelField::Half { axis: 1 },
            ],
            LevelPart::Depth => &[
                LevelField::Size { axis: 2 },
                LevelField::ToLevel { axis: 2 },
                LevelField::Half { axis: 2 },
            ],
        }
    }

    /// The types of the numbers.
    pub(crate) fn types(self) -> &'static [Type] {
        match self {
            LevelPart::Texels => &[Type::I32; 4],
            LevelPart::Scale => &[Type::F32; 4],
            LevelPart::Depth => &[Type::I32, Type::F32, Type::F32],
        }
    }

    /// The part that has a number, and the number's place there.
    pub(crate) fn with(field: LevelField) -> (LevelPart, u8) {
        match field {
            LevelField::Size { axis: 2 } => (LevelPart::Depth, 0),
            LevelField::ToLevel { axis: 2 } => (LevelPart::Depth, 1),
            LevelField::Half { axis: 2 } => (LevelPart::Depth, 2),
            LevelField::Size { axis } => (LevelPart::Texels, axis),
            LevelField::Offset => (LevelPart::Texels, 2),
            LevelField::Slice => (LevelPart::Texels, 3),
            LevelField::ToLevel { axis } => (LevelPart::Scale, axis),
            LevelField::Half { axis } => (LevelPart::Scale, 2 + axis),
        }
    }
}

impl Descriptor {
    /// A number as code reads it.
    pub(crate) fn number(&self, field: TextureField) -> u32 {
        match field {
            TextureField::BaseLevel => self.base_level.cast_unsigned(),
            TextureField::LastLevel => self.last_level.cast_unsigned(),
            TextureField::Layers => self.layers.cast_unsigned(),
            TextureField::LodBias => self.lod_bias.to_bits(),
            TextureField::LodMin => self.lod_min.to_bits(),
            TextureField::LodMax => self.lod_max.to_bits(),
            TextureField::MaxAnisotropy => self.max_anisotropy.to_bits(),
            TextureField::ToTexels { axis } => self.to_texels[usize::from(axis)].to_bits(),
            TextureField::Border { component } => self.border[usize::from(component)].to_bits(),
            TextureField::Denominator { component } => {
                self.denominators[usize::from(component)].to_bits()
            }
            TextureField::Unit { component } => self.units[usize::from(component)].to_bits(),
        }
    }
}

impl LevelRecord {
    /// A number as code reads it.
    pub(crate) fn number(&self, field: LevelField) -> u32 {
        match field {
            LevelField::Size { axis: 2 } => self.depth.cast_unsigned(),
            LevelField::ToLevel { axis: 2 } => self.to_level_r.to_bits(),
            LevelField::Half { axis: 2 } => self.half_r.to_bits(),
            LevelField::Size { axis } => self.size[usize::from(axis)].cast_unsigned(),
            LevelField::ToLevel { axis } => self.to_level[usize::from(axis)].to_bits(),
            LevelField::Half { axis } => self.half[usize::from(axis)].to_bits(),
            LevelField::Offset => self.offset.cast_unsigned(),
            LevelField::Slice => self.slice.cast_unsigned(),
        }
    }
}

impl LevelField {
    /// Name, index in an array, type, and place in the record in bytes.
    fn row(self) -> (&'static str, Option<u8>, Type, usize) {
        use Type::{F32, I32};
        match self {
            LevelField::Size { axis } => {
                let fields = [
                    offset_of!(LevelRecord, size),
                    offset_of!(LevelRecord, depth),
                ];
                ("size", Some(axis), I32, along(axis, fields))
            }
            LevelField::ToLevel { axis } => {
                let fields = [
                    offset_of!(LevelRecord, to_level),
                    offset_of!(LevelRecord, to_level_r),
                ];
                ("to_level", Some(axis), F32, along(axis, fields))
            }
            LevelField::Half { axis } => {
                let fields = [
                    offset_of!(LevelRecord, half),
                    offset_of!(LevelRecord, half_r),
                ];
                ("half", Some(axis), F32, along(axis, fields))
            }
            LevelField::Offset => ("offset", None, I32, offset_of!(LevelRecord, offset)),
            LevelField::Slice => ("slice", None, I32, offset_of!(LevelRecord, slice)),
        }
    }

    /// The type.
    pub(crate) fn ty(self) -> Type {
        self.row().2
    }

    /// Its place in the record, in bytes.
    pub(crate) fn offset(self) -> usize {
        self.row().3
    }

    /// Bytes from the first descriptor to the field of level 0 of that number `texture`.
    pub(crate) fn offset_of(self, texture: u8) -> usize {
        Descriptor::offset(texture) + offset_of!(Descriptor, levels) + self.offset()
    }
}

/// The place of an axis: s and t are in an array, r has a field.
fn along(axis: u8, [flat, deep]: [usize; 2]) -> usize {
    match axis {
        2 => deep,
        _ => flat + word(axis),
    }
}

fn write_field(f: &mut fmt::Formatter<'_>, name: &str, index: Option<u8>) -> fmt::Result {
    f.write_str(name)?;
    index.map_or(Ok(()), |index| write!(f, ".{}", letter(index)))
}

impl fmt::Display for TextureField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, index, ..) = self.row();
        write_field(f, name, index)
    }
}

impl fmt::Display for LevelField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, index, ..) = self.row();
        write_field(f, name, index)
    }
}
