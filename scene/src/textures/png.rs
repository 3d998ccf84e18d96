//! PNG files.

use std::io::{Cursor, ErrorKind};

use attila_shader::texture::{Format, Shape};
use png::{BitDepth, ColorType, Transformations};

use super::file::{TextureError, picture, sentence};

fn decoder(bytes: &[u8]) -> png::Decoder<Cursor<&[u8]>> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND | Transformations::ALPHA);
    decoder
}

/// The picture that the header describes.
pub(super) fn header(bytes: &[u8]) -> Result<Shape, TextureError> {
    let mut decoder = decoder(bytes);
    let header = decoder.read_header_info().map_err(error)?;
    let (width, height) = header.size();
    let format = match header.bit_depth {
        BitDepth::One | BitDepth::Two | BitDepth::Four | BitDepth::Eight => Format::Rgba8,
        BitDepth::Sixteen => Format::Rgba16,
    };
    Ok(picture(width, height, format))
}

/// The texels, in the format of the header.
pub(super) fn decode(bytes: &[u8], format: Format) -> Result<Vec<u8>, TextureError> {
    let mut reader = decoder(bytes).read_info().map_err(error)?;
    let mut texels = vec![
        0;
        reader
            .output_buffer_size()
            .ok_or(TextureError::FileTooLarge)?
    ];
    let info = reader.next_frame(&mut texels).map_err(error)?;
    reader.finish().map_err(error)?;
    texels.truncate(info.buffer_size());
    if info.bit_depth == BitDepth::Sixteen {
        // A PNG has the high byte first.
        let (words, _) = texels.as_chunks_mut::<2>();
        words.iter_mut().for_each(|word| word.reverse());
    }
    Ok(match info.color_type {
        ColorType::GrayscaleAlpha => replicate(&texels, format),
        ColorType::Grayscale | ColorType::Rgb | ColorType::Indexed | ColorType::Rgba => texels,
    })
}

/// Red, green and blue from grey, so that the faces of a cube may be grey and coloured.
fn replicate(texels: &[u8], format: Format) -> Vec<u8> {
    let mut colours = Vec::with_capacity(2 * texels.len());
    for texel in texels.chunks_exact(usize::from(format.layout().bytes) / 2) {
        let (grey, alpha) = texel.split_at(texel.len() / 2);
        for channel in [grey, grey, grey, alpha] {
            colours.extend_from_slice(channel);
        }
    }
    colours
}

fn error(error: png::DecodingError) -> TextureError {
    if let png::DecodingError::IoError(source) = &error
        && source.kind() == ErrorKind::UnexpectedEof
    {
        return TextureError::Truncated;
    }
    TextureError::Unreadable("PNG", sentence(&error.to_string()))
}
