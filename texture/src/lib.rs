//! Textures for ATTILA shader programs: images in all formats of ATTILA, samplers, the
//! reference texture unit, decoded texels, and test patterns.
//!
//! [`Textures`] is what a program's texture units are bound to; it implements
//! [`attila_machine::TextureUnit`]. Every step of sampling is one IEEE binary32 operation or an integer
//! one, in a fixed order, so a sample is the same on every host; section 5 of the page `machine` in `attila_shader::docs`
//! lists the steps, and is cited as `machine.md 5`.
//!
//! ```text
//!   answer ─► place ─► lod ─► filter ─► wrap ─► image ─► colour
//!   of a      faces,   levels  weights   texels   words    compare, sRGB
//!   query     layers
//! ```
#![forbid(unsafe_code)]

mod answer;
mod blocks;
mod channel;
mod colour;
mod cube;
mod decoded;
mod dimension;
mod filter;
mod format;
mod image;
mod lod;
mod mipmap;
mod patterns;
mod place;
mod sampler;
mod scalar;
mod shape;
mod texture;
mod units;
mod wrap;

pub use answer::Tap;
pub use attila_machine::pipeline::Compare;
pub use channel::{Channel, Layout};
pub use decoded::{Decoded, DecodedAxis, DecodedLevel, Decoding, MARGIN, Storage};
pub use dimension::{CUBE_FACES, Dimension, MAX_BUFFER_TEXELS, MAX_LAYERS, MAX_SAMPLES};
pub use format::Format;
pub use image::Image;
pub use patterns::{Pattern, UnknownPattern};
pub use sampler::{
    Coordinates, CubeFaces, DepthMode, Filter, LodOrigin, MAX_ANISOTROPY, MipMode, Sampler,
    SamplerError, Srgb, Wrap,
};
pub use shape::{ImageError, Level, MAX_BYTES, MAX_LEVELS, MAX_SIZE, Shape, Size};
pub use texture::Texture;
pub use units::{NoSuchUnit, Textures, UNITS};
