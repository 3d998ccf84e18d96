//! BMP and TGA files, by the readers of the crate `image`.

use std::error::Error;
use std::io::{Cursor, ErrorKind};

use attila_shader::texture::{Format, Shape};
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::file::{TextureError, picture};

/// The bytes of a TGA file's header.
const TGA_HEADER: usize = 18;

/// The two formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Raster {
    Bmp,
    Tga,
}

/// Whether bytes begin like a TGA file, which has no mark of its own: every field has one of few values.
pub(super) fn is_tga(bytes: &[u8]) -> bool {
    let Some(header) = bytes.first_chunk::<TGA_HEADER>() else {
        return false;
    };
    let [_, has_map, kind, .., depth, descriptor] = *header;
    let map_depth = header[7];
    let (is_known, is_mapped) = match kind {
        1 | 9 => (matches!(depth, 8 | 16), true),
        2 | 10 => (matches!(depth, 15 | 16 | 24 | 32), false),
        3 | 11 => (matches!(depth, 8 | 16), false),
        _ => (false, false),
    };
    let fits_map = match has_map {
        0 => !is_mapped,
        1 => matches!(map_depth, 15 | 16 | 24 | 32),
        _ => false,
    };
    // The two highest bits once said that rows are interleaved.
    is_known && fits_map && descriptor < 0x40
}

/// Why bytes are no TGA file although they are called one.
pub(super) fn not_tga(bytes: &[u8]) -> TextureError {
    match bytes.first_chunk::<TGA_HEADER>() {
        Some([_, has_map, kind, _, _, _, _, map_bits, .., bits, _]) => {
            let map = match has_map {
                0 => "no map of colours".to_owned(),
                _ => format!("a map of colours of {map_bits} bits"),
            };
            let message = format!(
                "pictures of type {kind} with {bits} bits in a texel and {map} are not understood"
            );
            TextureError::Unreadable(Raster::Tga.name(), message)
        }
        None => TextureError::Truncated,
    }
}

impl Raster {
    fn name(self) -> &'static str {
        match self {
            Raster::Bmp => "BMP",
            Raster::Tga => "TGA",
        }
    }

    /// The picture, as the header describes it.
    pub(super) fn shape(self, bytes: &[u8]) -> Result<Shape, TextureError> {
        let [width, height] = self.sides(bytes).ok_or(TextureError::Truncated)?;
        let shape = picture(width, height, Format::Rgba8);
        // The readers have other limits, and no sides to show.
        shape.image_bytes()?;
        self.decoder(bytes)?;
        Ok(shape)
    }

    /// The width and the height in a header.
    fn sides(self, bytes: &[u8]) -> Option<[u32; 2]> {
        let short = |at: usize| {
            let bytes = bytes.get(at..)?.first_chunk()?;
            Some(u32::from(u16::from_le_bytes(*bytes)))
        };
        let long = |at: usize| {
            let bytes = bytes.get(at..)?.first_chunk()?;
            Some(i32::from_le_bytes(*bytes).unsigned_abs())
        };
        match (self, short(14)?) {
            (Raster::Tga, height) => Some([short(12)?, height]),
            // The header of OS/2, and later ones, in which the height has a sign.
            (Raster::Bmp, 12) => Some([short(18)?, short(20)?]),
            (Raster::Bmp, _) => Some([long(18)?, long(22)?]),
        }
    }

    /// Red, green, blue and alpha of the texels.
    pub(super) fn decode(self, bytes: &[u8]) -> Result<Vec<u8>, TextureError> {
        let picture = DynamicImage::from_decoder(self.decoder(bytes)?);
        let picture = picture.map_err(|error| self.error(&error))?;
        Ok(picture.into_rgba8().into_raw())
    }

    fn decoder(self, bytes: &[u8]) -> Result<impl ImageDecoder, TextureError> {
        let (format, feature) = match self {
            Raster::Bmp => (ImageFormat::Bmp, "bmp"),
            Raster::Tga => (ImageFormat::Tga, "tga"),
        };
        if !format.reading_enabled() {
            return Err(TextureError::NotBuiltIn(self.name(), feature));
        }
        let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
        reader.limits(Limits::no_limits());
        reader.into_decoder().map_err(|error| self.error(&error))
    }

    fn error(self, error: &ImageError) -> TextureError {
        if let ImageError::IoError(source) = error
            && source.kind() == ErrorKind::UnexpectedEof
        {
            return TextureError::Truncated;
        }
        let reason = error
            .source()
            .map_or(error.to_string(), ToString::to_string);
        TextureError::Unreadable(self.name(), reason)
    }
}
