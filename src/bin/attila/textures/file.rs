//! Images from files: PNG, JPEG and DDS, told apart by their first bytes.

use std::io::{self, Cursor};
use std::path::Path;

use attila_shader::texture::{Dimension, Format, Image, ImageError, MAX_SIZE, SamplerError, Size};
use png::{BitDepth, ColorType, Transformations};
use thiserror::Error;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::dds;

/// The most bytes that are read of a file.
const LIMIT: u64 = 1 << 30;

/// Why a texture cannot be made of a file.
#[derive(Debug, Error)]
pub(crate) enum TextureError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// The file is longer than what is read.
    #[error("the file has more than {LIMIT} bytes")]
    FileTooLarge,
    /// The first bytes are not those of an image.
    #[error("neither a PNG nor a JPEG nor a DDS file")]
    NotAnImage,
    /// The file ends too early.
    #[error("the file is cut short")]
    Truncated,
    /// A PNG file that is not right.
    #[error("{0}")]
    Png(png::DecodingError),
    /// A JPEG file that is not right.
    #[error("{0}")]
    Jpeg(String),
    /// A DDS file that is not right, or beyond what is understood.
    #[error("{0}")]
    Dds(String),
    /// The texels do not make an image.
    #[error("{0}")]
    Image(#[from] ImageError),
    /// A DDS file with several levels, slices or faces where one picture is needed.
    #[error("a face of a cube has to be a plain picture")]
    NotAFace,
    /// A face that is no square.
    #[error("the face is {width}x{height}, which is no square")]
    NotSquare {
        /// Texels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A face that does not fit the first one.
    #[error("the face has {given} texels along each side, the first one {expected}")]
    FaceSize {
        /// Its side.
        given: u32,
        /// The first one's.
        expected: u32,
    },
    /// A face with other bits than the first one.
    #[error("the face is in format {given}, the first one in {expected}")]
    FaceFormat {
        /// Its format.
        given: Format,
        /// The first one's.
        expected: Format,
    },
    /// The sampler does not fit.
    #[error("{0}")]
    Sampler(#[from] SamplerError),
    /// Directions do not count texels.
    #[error("a cube has no coordinates that count texels")]
    TexelsOfCube,
    /// The program samples something else.
    #[error("{}, but the program samples {} here", describe(*given), describe(*wanted))]
    Dimension {
        /// What the image is.
        given: Dimension,
        /// What the program says it needs.
        wanted: Dimension,
    },
}

/// A dimension in messages.
pub(crate) fn describe(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::D1 => "a 1D image",
        Dimension::D2 => "a 2D image",
        Dimension::D3 => "a 3D image",
        Dimension::Cube => "a cube",
    }
}

/// An image as its file has it.
pub(super) struct Read {
    pub(super) image: Image,
    /// Whether the file says that its texels are sRGB.
    pub(super) srgb: bool,
}

/// A decoded picture.
pub(super) struct Picture {
    width: u32,
    height: u32,
    format: Format,
    texels: Vec<u8>,
}

/// Reads an image.
pub(super) fn read(path: &Path) -> Result<Read, TextureError> {
    let bytes = bytes(path)?;
    if bytes.starts_with(dds::MAGIC) {
        return dds::decode(&bytes);
    }
    let picture = decode(&bytes)?;
    let size = Size::d2(picture.width, picture.height);
    let levels = [picture.texels.as_slice()];
    Ok(Read {
        image: Image::from_levels(Dimension::D2, picture.format, size, &levels)?,
        srgb: false,
    })
}

/// Reads a picture that is to be a face of a cube.
pub(super) fn read_face(path: &Path) -> Result<Picture, TextureError> {
    let bytes = bytes(path)?;
    if bytes.starts_with(dds::MAGIC) {
        return Err(TextureError::NotAFace);
    }
    decode(&bytes)
}

/// Makes a cube of six pictures. An error comes with the face that is to blame.
pub(super) fn cube(faces: &[Picture]) -> Result<Image, (usize, TextureError)> {
    let first = &faces[0];
    for (index, face) in faces.iter().enumerate() {
        let &Picture { width, height, .. } = face;
        if width != height {
            return Err((index, TextureError::NotSquare { width, height }));
        }
        let (given, expected) = (width, first.width);
        if given != expected {
            return Err((index, TextureError::FaceSize { given, expected }));
        }
        let (given, expected) = (face.format, first.format);
        if given != expected {
            return Err((index, TextureError::FaceFormat { given, expected }));
        }
    }
    let levels: Vec<[&[u8]; 1]> = faces.iter().map(|face| [face.texels.as_slice()]).collect();
    let levels: Vec<&[&[u8]]> = levels.iter().map(<[_; 1]>::as_slice).collect();
    Image::from_faces(first.format, first.width, &levels).map_err(|error| (0, error.into()))
}

fn bytes(path: &Path) -> Result<Vec<u8>, TextureError> {
    use std::io::Read;

    let mut bytes = Vec::new();
    let file = std::fs::File::open(path)?;
    file.take(LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LIMIT {
        return Err(TextureError::FileTooLarge);
    }
    Ok(bytes)
}

fn decode(bytes: &[u8]) -> Result<Picture, TextureError> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        decode_png(bytes)
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        decode_jpeg(bytes)
    } else {
        Err(TextureError::NotAnImage)
    }
}

/// Refuses a picture before there is room made for it.
fn check_size(width: u32, height: u32) -> Result<(), TextureError> {
    if width.max(height) > MAX_SIZE {
        return Err(ImageError::Size(Size::d2(width, height)).into());
    }
    Ok(())
}

fn decode_png(bytes: &[u8]) -> Result<Picture, TextureError> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND | Transformations::ALPHA);
    let (width, height) = decoder.read_header_info().map_err(png_error)?.size();
    check_size(width, height)?;
    let mut reader = decoder.read_info().map_err(png_error)?;
    let mut texels = vec![
        0;
        reader
            .output_buffer_size()
            .ok_or(TextureError::FileTooLarge)?
    ];
    let info = reader.next_frame(&mut texels).map_err(png_error)?;
    reader.finish().map_err(png_error)?;
    texels.truncate(info.buffer_size());
    let format = match info.bit_depth {
        BitDepth::One | BitDepth::Two | BitDepth::Four | BitDepth::Eight => Format::Rgba8,
        BitDepth::Sixteen => {
            // A PNG has the high byte first.
            texels
                .as_chunks_mut::<2>()
                .0
                .iter_mut()
                .for_each(|word| word.reverse());
            Format::Rgba16
        }
    };
    let texels = match info.color_type {
        ColorType::GrayscaleAlpha => replicate(&texels, format),
        ColorType::Grayscale | ColorType::Rgb | ColorType::Indexed | ColorType::Rgba => texels,
    };
    Ok(Picture {
        width,
        height,
        format,
        texels,
    })
}

/// Red, green and blue from grey, so that the faces of a cube may be grey and coloured.
fn replicate(texels: &[u8], format: Format) -> Vec<u8> {
    let texels = texels.chunks_exact(usize::from(format.layout().bytes) / 2);
    let colours = texels.map(|texel| {
        let (grey, alpha) = texel.split_at(texel.len() / 2);
        [grey, grey, grey, alpha].concat()
    });
    colours.flatten().collect()
}

fn png_error(error: png::DecodingError) -> TextureError {
    if let png::DecodingError::IoError(source) = &error
        && source.kind() == io::ErrorKind::UnexpectedEof
    {
        return TextureError::Truncated;
    }
    TextureError::Png(error)
}

fn decode_jpeg(bytes: &[u8]) -> Result<Picture, TextureError> {
    let options = DecoderOptions::default()
        .set_strict_mode(true)
        .set_max_width(MAX_SIZE as usize)
        .set_max_height(MAX_SIZE as usize)
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
    let texels = decoder
        .decode()
        .map_err(|error| jpeg_error(bytes, &error))?;
    let info = decoder.info().ok_or(TextureError::Truncated)?;
    Ok(Picture {
        width: u32::from(info.width),
        height: u32::from(info.height),
        format: Format::Rgba8,
        texels,
    })
}

fn jpeg_error(bytes: &[u8], error: &DecodeErrors) -> TextureError {
    /// What a complete file ends with.
    const END_OF_IMAGE: &[u8] = b"\xff\xd9";

    if bytes
        .windows(END_OF_IMAGE.len())
        .any(|two| two == END_OF_IMAGE)
    {
        // The decoder quotes some of its messages, and breaks lines after others.
        let message = error.to_string();
        let message = message.trim_matches(|c: char| c == '"' || c.is_whitespace());
        TextureError::Jpeg(message.to_owned())
    } else {
        TextureError::Truncated
    }
}
