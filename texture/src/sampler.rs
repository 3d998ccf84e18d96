//! Sampler state: how an image is looked at.

use attila_machine::pipeline::Compare;
use thiserror::Error;

use crate::dimension::Dimension;
use crate::format::Format;
use crate::image::Image;
use crate::shape::MAX_LEVELS;

/// How texels of one level become a sample.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Filter {
    /// The texel in which the coordinates lie.
    Nearest,
    /// The 2, 4 or 8 texels around, weighted by their distance along each axis.
    Linear,
}

/// How levels become a sample where the image is minified.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum MipMode {
    /// The base level only.
    #[default]
    None,
    /// The level nearest to the level of detail; halves choose the larger image.
    Nearest,
    /// The two levels around the level of detail, weighted.
    Linear,
}

/// The texels past the ends of an axis.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wrap {
    /// The image again.
    Repeat,
    /// The coordinate stays between the ends of the image. A linear filter still reaches half a texel
    /// beyond them, and meets the border colour there.
    Clamp,
    /// The outermost texels.
    ClampToEdge,
    /// The border colour.
    ClampToBorder,
    /// The image again, every other time reversed.
    MirroredRepeat,
}

impl Wrap {
    /// All modes.
    pub const ALL: [Wrap; 5] = [
        Wrap::Repeat,
        Wrap::Clamp,
        Wrap::ClampToEdge,
        Wrap::ClampToBorder,
        Wrap::MirroredRepeat,
    ];

    /// Whether the image comes again and again.
    const fn repeats(self) -> bool {
        match self {
            Wrap::Repeat | Wrap::MirroredRepeat => true,
            Wrap::Clamp | Wrap::ClampToEdge | Wrap::ClampToBorder => false,
        }
    }
}

/// The unit of coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Coordinates {
    /// The image reaches from 0 to 1.
    #[default]
    Normalised,
    /// The image reaches from 0 to its size: texels of level 0.
    Texels,
}

/// How red, green and blue of a texel become linear. Alpha is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Srgb {
    /// They are.
    #[default]
    Linear,
    /// v^2.2, as in ATTILA.
    Power,
    /// The curve of the sRGB standard: v / 12.92 up to 0.04045, then ((v + 0.055) / 1.055)^2.4.
    Standard,
}

/// The level in whose texels the level of detail is measured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum LodOrigin {
    /// The texels of level 0, and the base level is added to it, as in ATTILA: with base level 1
    /// and two texels of level 0 for a pixel, level 2 is sampled.
    #[default]
    Level0,
    /// The texels of the base level, as in OpenGL.
    Base,
}

/// Which faces of a cube a quad samples.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum CubeFaces {
    /// Each lane the face that it points at. Derivatives are those on the face of most lanes.
    #[default]
    PerLane,
    /// All lanes the face of most lanes, as in ATTILA: coordinates leave the face then.
    PerQuad,
}

/// The colour of a depth texture, of whose depths or comparisons `v` is one: 1 where a comparison holds and 0 where
/// not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum DepthMode {
    /// Every component is compared separately, as in ATTILA. A depth is v, v, v, 1.
    #[default]
    Components,
    /// v, v, v, 1, as in OpenGL: red is compared with the third coordinate, clamped to [0, 1]. The
    /// modes that follow compare in the same way.
    Luminance,
    /// v, v, v, v.
    Intensity,
    /// 0, 0, 0, v.
    Alpha,
}

impl DepthMode {
    /// All modes.
    pub const ALL: [DepthMode; 4] = [
        DepthMode::Components,
        DepthMode::Luminance,
        DepthMode::Intensity,
        DepthMode::Alpha,
    ];

    /// The places of `v` in a colour, and those of 0 and 1; `None` if the components are what they are.
    pub const fn colour<T: Copy>(self, v: T, zero: T, one: T) -> Option<[T; 4]> {
        match self {
            DepthMode::Components => None,
            DepthMode::Luminance => Some([v, v, v, one]),
            DepthMode::Intensity => Some([v; 4]),
            DepthMode::Alpha => Some([zero, zero, zero, v]),
        }
    }
}

/// The state of a sampler.
///
/// ```
/// use attila_texture::{MipMode, Sampler};
///
/// let trilinear = Sampler {
///     mip: MipMode::Linear,
///     ..Sampler::default()
/// };
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sampler {
    /// The filter where the level of detail is 0 or less: linear.
    pub mag: Filter,
    /// The filter elsewhere: linear.
    pub min: Filter,
    /// Whether and how smaller levels are used where `min` is: not.
    pub mip: MipMode,
    /// Along s, t and r: repeat.
    pub wrap: [Wrap; 3],
    /// The least level of detail: 0.
    pub lod_min: f32,
    /// The greatest: that of the last possible level, 14.
    pub lod_max: f32,
    /// Added to the level of detail: 0. It is the sum of what ATTILA keeps as the bias of the
    /// sampler and that of the unit.
    pub lod_bias: f32,
    /// The level that counts as the largest: 0.
    pub base_level: usize,
    /// The last level to use, if the image has as many: the last possible one, 14.
    pub max_level: usize,
    /// The most samples along the longer axis of a pixel's footprint, 1 to 16: 1. More than 1 is for 2D
    /// and cube images.
    pub max_anisotropy: u32,
    /// The colour outside of the image, already linear: (0, 0, 0, 0). For images of integers it is
    /// truncated and limited to 32 bits.
    pub border: [f32; 4],
    /// Compares texels, on the left, with the third coordinate (T08) or with the reference of an
    /// instruction's target, and samples 1 where it holds and 0 where not: off.
    pub compare: Option<Compare>,
    /// The colour of a depth or of a comparison: its own for each component. Colours that are not compared stay as
    /// they are.
    pub depth_mode: DepthMode,
    /// The unit of coordinates: normalised.
    pub coordinates: Coordinates,
    /// How texels become linear: they are.
    pub srgb: Srgb,
    /// The texels that the level of detail is counted from: those of level 0.
    pub lod_origin: LodOrigin,
    /// The faces of a quad: one for each lane.
    pub cube_faces: CubeFaces,
}

/// The largest [`Sampler::max_anisotropy`].
pub const MAX_ANISOTROPY: u32 = 16;

impl Sampler {
    /// ATTILA's state after a reset, but for the border colour, which is transparent black there too in effect: the
    /// nearest texel of the first level, [`Wrap::Clamp`].
    pub const RESET: Sampler = Sampler {
        mag: Filter::Nearest,
        min: Filter::Nearest,
        mip: MipMode::None,
        wrap: [Wrap::Clamp; 3],
        lod_min: 0.0,
        lod_max: (MAX_LEVELS - 1) as f32,
        lod_bias: 0.0,
        base_level: 0,
        max_level: MAX_LEVELS - 1,
        max_anisotropy: 1,
        border: [0.0; 4],
        compare: None,
        depth_mode: DepthMode::Components,
        coordinates: Coordinates::Normalised,
        srgb: Srgb::Linear,
        lod_origin: LodOrigin::Level0,
        cube_faces: CubeFaces::PerLane,
    };

    /// The default for images of a dimension: that of all, but that cubes and rectangles, which cannot be repeated, are
    /// clamped to the edge.
    pub const fn of(dimension: Dimension) -> Sampler {
        let wrap = match dimension {
            Dimension::Cube | Dimension::CubeArray { .. } | Dimension::Rect => Wrap::ClampToEdge,
            Dimension::D1
            | Dimension::D2
            | Dimension::D3
            | Dimension::Buffer
            | Dimension::D1Array { .. }
            | Dimension::D2Array { .. }
            | Dimension::D2Ms { .. }
            | Dimension::D2MsArray { .. } => Wrap::Repeat,
        };
        Sampler {
            mag: Filter::Linear,
            min: Filter::Linear,
            wrap: [wrap; 3],
            ..Sampler::RESET
        }
    }
}

/// That of [2D images](Sampler::of): linear filters without smaller levels, repeated.
impl Default for Sampler {
    fn default() -> Self {
        Sampler::of(Dimension::D2)
    }
}

/// Why a sampler cannot sample an image.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum SamplerError {
    /// A level of detail or the bias is infinite or NaN.
    #[error("the {name} is {value}, which is not a finite number")]
    NotFinite {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: f32,
    },
    /// `lod_min` is above `lod_max`.
    #[error("the least level of detail, {min}, is above the greatest, {max}")]
    LodRange {
        /// The least.
        min: f32,
        /// The greatest.
        max: f32,
    },
    /// The image does not have the base level.
    #[error("the base level is {base}, but the image's last level is {last}")]
    BaseLevel {
        /// The base level.
        base: usize,
        /// The last level that the image has.
        last: usize,
    },
    /// `max_level` is below `base_level`.
    #[error("the last level to use, {max}, is below the base level, {base}")]
    LevelRange {
        /// The base level.
        base: usize,
        /// The last level.
        max: usize,
    },
    /// `max_anisotropy` is 0 or above [`MAX_ANISOTROPY`].
    #[error("an anisotropy of {0}; it has to be from 1 to {MAX_ANISOTROPY}")]
    Anisotropy(u32),
    /// A [`Dimension::Rect`] image is repeated along s or t.
    #[error("an image of the kind rect cannot be repeated, as it is along {axis}")]
    RepeatedRect {
        /// s or t.
        axis: char,
    },
}

impl Sampler {
    /// Whether samples depend on the level of detail or on the footprint: not if all of them are made the
    /// same way.
    pub fn scale_matters(&self) -> bool {
        self.mag != self.min || self.mip != MipMode::None || self.max_anisotropy > 1
    }

    /// Whether the sampler can sample `image`.
    pub(crate) fn check(&self, image: &Image) -> Result<(), SamplerError> {
        let numbers = [
            ("least level of detail", self.lod_min),
            ("greatest level of detail", self.lod_max),
            ("bias of the level of detail", self.lod_bias),
        ];
        if let Some(&(name, value)) = numbers.iter().find(|(_, value)| !value.is_finite()) {
            return Err(SamplerError::NotFinite { name, value });
        }
        let (min, max) = (self.lod_min, self.lod_max);
        if min > max {
            return Err(SamplerError::LodRange { min, max });
        }
        let (base, last) = (self.base_level, image.levels().len() - 1);
        if base > last {
            return Err(SamplerError::BaseLevel { base, last });
        }
        if self.max_level < base {
            let max = self.max_level;
            return Err(SamplerError::LevelRange { base, max });
        }
        if !(1..=MAX_ANISOTROPY).contains(&self.max_anisotropy) {
            return Err(SamplerError::Anisotropy(self.max_anisotropy));
        }
        if image.dimension() == Dimension::Rect {
            let mut axes = ['s', 't'].into_iter().zip(self.wrap);
            if let Some((axis, _)) = axes.find(|(_, wrap)| wrap.repeats()) {
                return Err(SamplerError::RepeatedRect { axis });
            }
        }
        Ok(())
    }

    /// The sampler as far as it applies to images of this kind and format: coordinates of
    /// [`Dimension::Rect`] images are texels, and integers are neither filtered nor compared.
    pub(crate) fn applied(&self, dimension: Dimension, format: Format) -> Sampler {
        let mut sampler = *self;
        if dimension == Dimension::Rect {
            sampler.coordinates = Coordinates::Texels;
            sampler.mip = MipMode::None;
        }
        if format.is_integer() {
            sampler.mag = Filter::Nearest;
            sampler.min = Filter::Nearest;
            sampler.mip = match sampler.mip {
                MipMode::None => MipMode::None,
                MipMode::Nearest | MipMode::Linear => MipMode::Nearest,
            };
            sampler.max_anisotropy = 1;
            sampler.compare = None;
            sampler.srgb = Srgb::Linear;
        }
        sampler
    }
}
