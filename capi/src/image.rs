//! Images
//!
//! Images are memory of the caller that draws store to, lent for the length of a call. Only pixels are touched, never the
//! bytes between rows or between samples: threads may draw to different columns of the same rows.

use std::ffi::c_void;
use std::ptr::null_mut;

use ::attila_shader::SampleCount;
use ::attila_shader::draw::{Buffer, PixelFormat};
use ::attila_shader::{ColourFormat, DepthFormat};

use crate::basics::one_of;
use crate::failure::{Failure, Outcome};
use crate::memory::{Call, Regions};

/// How pixels are stored, words little-endian.
pub type attila_format = u32;

/// A byte each, truncated as ATTILA does it.
pub const ATTILA_FORMAT_RGBA8: attila_format = 0;
pub const ATTILA_FORMAT_BGRA8: attila_format = 1;
/// Red, green and blue are encoded as sRGB.
pub const ATTILA_FORMAT_RGBA8_SRGB: attila_format = 2;
pub const ATTILA_FORMAT_RGBA16F: attila_format = 3;
pub const ATTILA_FORMAT_RGBA32F: attila_format = 4;
pub const ATTILA_FORMAT_R32F: attila_format = 5;
/// Red in the lowest 10 bits, alpha in the highest 2.
pub const ATTILA_FORMAT_RGB10A2: attila_format = 6;
pub const ATTILA_FORMAT_R8: attila_format = 7;
/// A depth of 32 bits.
pub const ATTILA_FORMAT_D32F: attila_format = 256;
/// A depth of 24 bits in the low bytes of a word.
pub const ATTILA_FORMAT_D24: attila_format = 257;

/// Pixels in memory, the upper row first.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_image {
    pub size: usize,
    pub pixels: *mut c_void,
    /// The bytes that there are at `pixels`; 0: exactly as many as the image needs.
    pub bytes: usize,
    pub width: u32,
    pub height: u32,
    pub format: attila_format,
    /// Of a pixel: 1, 2, 4, 8 or 16. Each sample has a plane of its own.
    pub samples: u32,
    /// Bytes from one row to the next; 0: no gap.
    pub pitch: usize,
    /// Bytes from one sample's plane to the next; 0: no gap.
    pub sample_pitch: usize,
}

impl Default for attila_image {
    fn default() -> attila_image {
        attila_image {
            size: size_of::<attila_image>(),
            pixels: null_mut(),
            bytes: 0,
            width: 0,
            height: 0,
            format: ATTILA_FORMAT_RGBA8,
            samples: 1,
            pitch: 0,
            sample_pitch: 0,
        }
    }
}

pub(crate) fn colour_format(image: &attila_image) -> Outcome<ColourFormat> {
    one_of(
        "the format of a colour image",
        image.format,
        &ColourFormat::ALL,
    )
}

pub(crate) fn depth_format(image: &attila_image) -> Outcome<DepthFormat> {
    match image.format {
        ATTILA_FORMAT_D32F => Ok(DepthFormat::D32F),
        ATTILA_FORMAT_D24 => Ok(DepthFormat::D24),
        other => Err(Failure::range(format!("{other} is not a format of depths"))),
    }
}

pub(crate) fn samples(image: &attila_image) -> Outcome<SampleCount> {
    let count = SampleCount::of(image.samples as usize);
    count.ok_or_else(|| {
        Failure::range(format!(
            "{} samples; it has to be 1, 2, 4, 8 or 16",
            image.samples
        ))
    })
}

/// The bytes that an image needs, if it has a number that says so.
fn needed(image: &attila_image, pixel: usize) -> usize {
    let row = (image.width as usize).saturating_mul(pixel);
    if row == 0 || image.height == 0 {
        return 0;
    }
    let pitch = if image.pitch == 0 { row } else { image.pitch };
    let plane = match image.sample_pitch {
        0 => pitch.saturating_mul(image.height as usize),
        bytes => bytes,
    };
    let above = pitch.saturating_mul(image.height as usize - 1);
    let before = plane.saturating_mul(image.samples.max(1) as usize - 1);
    before.saturating_add(above).saturating_add(row)
}

fn bytes(image: &attila_image, pixel: usize) -> usize {
    match image.bytes {
        0 => needed(image, pixel),
        bytes => bytes,
    }
}

/// Adds the memory of an image, which is written.
pub(crate) fn note<F: PixelFormat>(
    name: &'static str,
    image: &attila_image,
    format: F,
    regions: &mut Regions,
) {
    let bytes = bytes(image, format.bytes());
    regions.writes(name, image.pixels.cast::<u8>().cast_const(), bytes);
}

/// The memory of an image as a target of draws, which check it. It [overlaps](note) nothing.
pub(crate) fn buffer<'a, F: PixelFormat>(
    call: &'a Call,
    name: &'static str,
    image: &attila_image,
    format: F,
) -> Outcome<Buffer<'a, F>> {
    let pixels = image.pixels.cast::<u8>();
    let pixels = call.slice_mut(name, pixels, bytes(image, format.bytes()))?;
    let buffer = Buffer::new(format, image.width, image.height, pixels);
    let mut buffer = buffer.with_samples(samples(image)?);
    if image.pitch != 0 {
        buffer = buffer.with_pitch(image.pitch);
    }
    if image.sample_pitch != 0 {
        buffer = buffer.with_sample_pitch(image.sample_pitch);
    }
    Ok(buffer)
}
