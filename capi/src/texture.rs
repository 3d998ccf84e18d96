//! Textures
//!
//! A texture is an image with a sampler. Textures do not change, so that any number of threads and bindings may use
//! one.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Arc;

use ::attila_shader::texture::{
    Coordinates, CubeFaces, DepthMode, Dimension, Filter, Format, Image, LodOrigin, MAX_LEVELS,
    MipMode, Sampler, Size, Srgb, Texture, Wrap,
};

use crate::basics::{compare, one_of};
use crate::error::attila_error;
use crate::failure::{Failure, Outcome};
use crate::handle::{self, handle};
use crate::memory::{Call, call, plain_call};
use crate::status::*;
use crate::{attila_bytes, attila_compare, attila_text};

/// An image with a sampler.
pub struct attila_texture {
    _opaque: [u8; 0],
}

handle!(attila_texture, 4, "a texture", Arc<Texture>);

/// The kind of an image's coordinates.
pub type attila_dimension = u32;

pub const ATTILA_DIMENSION_2D: attila_dimension = 0;
pub const ATTILA_DIMENSION_1D: attila_dimension = 1;
pub const ATTILA_DIMENSION_3D: attila_dimension = 2;
/// Six faces: +X, -X, +Y, -Y, +Z, -Z.
pub const ATTILA_DIMENSION_CUBE: attila_dimension = 3;
/// 2D, at coordinates in texels.
pub const ATTILA_DIMENSION_RECT: attila_dimension = 4;
/// A row of texels that are fetched.
pub const ATTILA_DIMENSION_BUFFER: attila_dimension = 5;
pub const ATTILA_DIMENSION_1D_ARRAY: attila_dimension = 6;
pub const ATTILA_DIMENSION_2D_ARRAY: attila_dimension = 7;
pub const ATTILA_DIMENSION_CUBE_ARRAY: attila_dimension = 8;
/// 2D, with several samples for each texel.
pub const ATTILA_DIMENSION_2D_MS: attila_dimension = 9;
pub const ATTILA_DIMENSION_2D_MS_ARRAY: attila_dimension = 10;

/// Called once when the library no longer needs memory that it was lent, from the thread that made it so. Must not
/// throw.
pub type attila_release = Option<extern "C" fn(user: *mut c_void)>;

/// The texels of an image.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_image_data {
    pub size: usize,
    pub dimension: attila_dimension,
    pub width: u32,
    /// 1 where there is only one axis.
    pub height: u32,
    /// Layers of a 3D image, else 1.
    pub depth: u32,
    /// Layers of an array, or cubes; else 1.
    pub layers: u32,
    /// Of a texel, in a multisampled image; else 1.
    pub samples: u32,
    /// The name of the format, as docs/textures.md lists them: "rgba8" if it is empty, "bgra8", "dxt1", "rgba16f", …
    pub format: attila_text,
    /// Bytes for each level, the largest first: slices, of rows, of texels or blocks, all without gaps.
    pub levels: *const attila_bytes,
    pub level_count: usize,
    /// 1: makes the smaller levels from the first.
    pub make_mipmaps: u32,
    /// 1: keeps compressed texels as exact as their format defines them, and not with 8 bits.
    pub exact: u32,
    /// If it is set, the bytes are lent until it is called with `user`. If not, they are copied before the call ends.
    /// If the texture is not made, it is not called.
    pub release: attila_release,
    pub user: *mut c_void,
}

impl Default for attila_image_data {
    fn default() -> attila_image_data {
        attila_image_data {
            size: size_of::<attila_image_data>(),
            dimension: ATTILA_DIMENSION_2D,
            width: 1,
            height: 1,
            depth: 1,
            layers: 1,
            samples: 1,
            format: attila_text::default(),
            levels: null(),
            level_count: 1,
            make_mipmaps: 0,
            exact: 0,
            release: None,
            user: null_mut(),
        }
    }
}

/// How texels of one level become a sample.
pub type attila_filter = u32;

pub const ATTILA_FILTER_LINEAR: attila_filter = 0;
pub const ATTILA_FILTER_NEAREST: attila_filter = 1;

/// How levels become a sample where the image is minified.
pub type attila_mip = u32;

/// The base level only.
pub const ATTILA_MIP_NONE: attila_mip = 0;
pub const ATTILA_MIP_NEAREST: attila_mip = 1;
pub const ATTILA_MIP_LINEAR: attila_mip = 2;

/// The texels past the ends of an axis.
pub type attila_wrap = u32;

/// Clamp to the edge for cubes and rectangles, repeat for others.
pub const ATTILA_WRAP_DEFAULT: attila_wrap = 0;
pub const ATTILA_WRAP_REPEAT: attila_wrap = 1;
/// OpenGL's CLAMP, which meets the border halfway.
pub const ATTILA_WRAP_CLAMP: attila_wrap = 2;
pub const ATTILA_WRAP_CLAMP_TO_EDGE: attila_wrap = 3;
pub const ATTILA_WRAP_CLAMP_TO_BORDER: attila_wrap = 4;
pub const ATTILA_WRAP_MIRRORED_REPEAT: attila_wrap = 5;

/// How red, green and blue become linear.
pub type attila_srgb = u32;

/// They are.
pub const ATTILA_SRGB_LINEAR: attila_srgb = 0;
/// v^2.2, as in ATTILA.
pub const ATTILA_SRGB_POWER: attila_srgb = 1;
pub const ATTILA_SRGB_STANDARD: attila_srgb = 2;

/// The colour of a depth texture.
pub type attila_depth_mode = u32;

/// Each component is compared, as in ATTILA.
pub const ATTILA_DEPTH_MODE_COMPONENTS: attila_depth_mode = 0;
pub const ATTILA_DEPTH_MODE_LUMINANCE: attila_depth_mode = 1;
pub const ATTILA_DEPTH_MODE_INTENSITY: attila_depth_mode = 2;
pub const ATTILA_DEPTH_MODE_ALPHA: attila_depth_mode = 3;

/// How an image is sampled.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_sampler {
    pub size: usize,
    pub mag: attila_filter,
    pub min: attila_filter,
    pub mip: attila_mip,
    /// Along s, t and r.
    pub wrap: [attila_wrap; 3],
    pub lod_min: f32,
    pub lod_max: f32,
    pub lod_bias: f32,
    pub base_level: u32,
    pub max_level: u32,
    /// 1 to 16.
    pub max_anisotropy: u32,
    /// The colour of the border.
    pub border: [f32; 4],
    /// Compares texels, on the left, with a reference; ATTILA_COMPARE_OFF does not.
    pub compare: attila_compare,
    pub depth_mode: attila_depth_mode,
    pub srgb: attila_srgb,
    /// 1: coordinates are texels.
    pub texel_coordinates: u32,
    /// 1: the level of detail counts from the base level, as in OpenGL, and not from level 0.
    pub lod_from_base: u32,
    /// 1: all lanes of a quad sample the same face of a cube, as in ATTILA.
    pub cube_face_per_quad: u32,
}

impl Default for attila_sampler {
    fn default() -> attila_sampler {
        attila_sampler {
            size: size_of::<attila_sampler>(),
            mag: ATTILA_FILTER_LINEAR,
            min: ATTILA_FILTER_LINEAR,
            mip: ATTILA_MIP_NONE,
            wrap: [ATTILA_WRAP_DEFAULT; 3],
            lod_min: 0.0,
            lod_max: (MAX_LEVELS - 1) as f32,
            lod_bias: 0.0,
            base_level: 0,
            max_level: MAX_LEVELS as u32 - 1,
            max_anisotropy: 1,
            border: [0.0; 4],
            compare: 0,
            depth_mode: ATTILA_DEPTH_MODE_COMPONENTS,
            srgb: ATTILA_SRGB_LINEAR,
            texel_coordinates: 0,
            lod_from_base: 0,
            cube_face_per_quad: 0,
        }
    }
}

fn dimension(data: &attila_image_data) -> Outcome<Dimension> {
    let (layers, samples) = (data.layers, data.samples);
    let all = [
        Dimension::D2,
        Dimension::D1,
        Dimension::D3,
        Dimension::Cube,
        Dimension::Rect,
        Dimension::Buffer,
        Dimension::D1Array { layers },
        Dimension::D2Array { layers },
        Dimension::CubeArray { cubes: layers },
        Dimension::D2Ms { samples },
        Dimension::D2MsArray { samples, layers },
    ];
    one_of("`data.dimension`", data.dimension, &all)
}

fn format(name: &str) -> Outcome<Format> {
    let name = if name.is_empty() { "rgba8" } else { name };
    let found = Format::ALL.iter().find(|format| format.name() == name);
    let unknown = || Failure::range(format!("there is no format `{name}` of textures"));
    found.copied().ok_or_else(unknown)
}

fn image(call: &Call, data: &attila_image_data) -> Outcome<Image> {
    let dimension = dimension(data)?;
    let format = format(call.text("data.format", data.format)?)?;
    let size = Size {
        width: data.width,
        height: data.height,
        depth: data.depth,
    };
    if data.level_count > MAX_LEVELS {
        let count = data.level_count;
        return Err(Failure::range(format!(
            "{count} levels; the limit is {MAX_LEVELS}"
        )));
    }
    let levels = call.slice("data.levels", data.levels, data.level_count)?;
    let levels = levels.iter().map(|level| call.bytes("data.levels", *level));
    let levels = levels.collect::<Outcome<Vec<_>>>()?;
    let make = match data.exact {
        0 => Image::from_levels,
        _ => Image::from_levels_exact,
    };
    let image = make(dimension, format, size, &levels)?;
    match data.make_mipmaps {
        0 => Ok(image),
        _ => Ok(image.with_mipmaps()?),
    }
}

fn filter(what: &str, number: attila_filter) -> Outcome<Filter> {
    one_of(what, number, &[Filter::Linear, Filter::Nearest])
}

fn wrap(number: attila_wrap, default: Wrap) -> Outcome<Wrap> {
    let [repeat, clamp, edge, border, mirror] = Wrap::ALL;
    one_of(
        "`sampler.wrap`",
        number,
        &[default, repeat, clamp, edge, border, mirror],
    )
}

fn sampler(given: &attila_sampler, dimension: Dimension) -> Outcome<Sampler> {
    let default = Sampler::of(dimension);
    let mut wraps = default.wrap;
    for (wraps, number) in wraps.iter_mut().zip(given.wrap) {
        *wraps = wrap(number, *wraps)?;
    }
    Ok(Sampler {
        mag: filter("`sampler.mag`", given.mag)?,
        min: filter("`sampler.min`", given.min)?,
        mip: one_of(
            "`sampler.mip`",
            given.mip,
            &[MipMode::None, MipMode::Nearest, MipMode::Linear],
        )?,
        wrap: wraps,
        lod_min: given.lod_min,
        lod_max: given.lod_max,
        lod_bias: given.lod_bias,
        base_level: given.base_level as usize,
        max_level: given.max_level as usize,
        max_anisotropy: given.max_anisotropy,
        border: given.border,
        compare: compare("`sampler.compare`", given.compare)?,
        depth_mode: one_of("`sampler.depth_mode`", given.depth_mode, &DepthMode::ALL)?,
        coordinates: match given.texel_coordinates {
            0 => Coordinates::Normalised,
            _ => Coordinates::Texels,
        },
        srgb: one_of(
            "`sampler.srgb`",
            given.srgb,
            &[Srgb::Linear, Srgb::Power, Srgb::Standard],
        )?,
        lod_origin: match given.lod_from_base {
            0 => LodOrigin::Level0,
            _ => LodOrigin::Base,
        },
        cube_faces: match given.cube_face_per_quad {
            0 => CubeFaces::PerLane,
            _ => CubeFaces::PerQuad,
        },
    })
}

/// Makes a texture. `state` may be null for the defaults, and `error` may be null. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_texture_new(
    data: *const attila_image_data,
    state: *const attila_sampler,
    out: *mut *mut attila_texture,
    error: *mut *mut attila_error,
) -> attila_status {
    call(error, |call| {
        call.put("out", out, null_mut())?;
        let data = call.given("data", data)?;
        let state = call.options("sampler", state)?;
        let image = image(call, &data)?;
        let sampler = sampler(&state, image.dimension())?;
        let texture = handle::insert(Arc::new(Texture::new(image, sampler)?))?;
        call.put("out", out, texture)?;
        // Images have memory of their own, so what was lent is not needed any more.
        if let Some(release) = data.release {
            release(data.user);
        }
        Ok(())
    })
}

/// Frees a texture. Bindings that have it keep it. Null is allowed. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_texture_free(texture: *mut attila_texture) -> attila_status {
    plain_call(|_| handle::free(texture))
}
