//! JPEG files.

use std::io::Cursor;

use attila_shader::texture::{Format, Shape};
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::file::{TextureError, picture, sentence};

fn decoder(bytes: &[u8]) -> JpegDecoder<Cursor<&[u8]>> {
    let options = DecoderOptions::default()
        .set_strict_mode(true)
        // All that a file can say: what is too large is refused by its shape.
        .set_max_width(u16::MAX.into())
        .set_max_height(u16::MAX.into())
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    JpegDecoder::new_with_options(Cursor::new(bytes), options)
}

/// The picture that the header describes.
pub(super) fn header(bytes: &[u8]) -> Result<Shape, TextureError> {
    let mut decoder = decoder(bytes);
    let read = decoder.decode_headers();
    read.map_err(|error| error_in(bytes, &error))?;
    let info = decoder.info().ok_or(TextureError::Truncated)?;
    let [width, height] = [info.width, info.height].map(u32::from);
    Ok(picture(width, height, Format::Rgba8))
}

/// The texels.
pub(super) fn decode(bytes: &[u8], _: Format) -> Result<Vec<u8>, TextureError> {
    let texels = decoder(bytes).decode();
    texels.map_err(|error| error_in(bytes, &error))
}

fn error_in(bytes: &[u8], error: &DecodeErrors) -> TextureError {
    /// The end of every complete file.
    const END_OF_IMAGE: &[u8] = b"\xff\xd9";

    if bytes
        .windows(END_OF_IMAGE.len())
        .any(|two| two == END_OF_IMAGE)
    {
        TextureError::Unreadable("JPEG", sentence(&error.to_string()))
    } else {
        TextureError::Truncated
    }
}
