//! Images from files: PNG, JPEG and DDS, told apart by their first bytes.

use std::io::{self, Cursor};
use std::path::Path;

use attila_shader::texture::{
    CUBE_FACES, Dimension, Format, Image, ImageError, MAX_BYTES, MAX_SIZE, SamplerError, Size,
};
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
    #[error("the PNG cannot be read: {0}")]
    Png(String),
    /// A JPEG file that is not right.
    #[error("the JPEG cannot be read: {0}")]
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
    let picture = decode(&bytes, 1)?;
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
    decode(&bytes, CUBE_FACES)
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

/// Reads one of the pictures of an image, of which there are `slices`.
fn decode(bytes: &[u8], slices: usize) -> Result<Picture, TextureError> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        decode_png(bytes, slices)
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        decode_jpeg(bytes, slices)
    } else {
        Err(TextureError::NotAnImage)
    }
}

/// Refuses a picture before there is room made for it, and for as many as an image has slices.
fn check_size(width: u32, height: u32, format: Format, slices: usize) -> Result<(), TextureError> {
    if width.max(height) > MAX_SIZE {
        return Err(ImageError::Size(Size::d2(width, height)).into());
    }
    let bytes = format.slice_bytes(width, height).saturating_mul(slices);
    if bytes > MAX_BYTES {
        return Err(ImageError::TooLarge { bytes }.into());
    }
    Ok(())
}

fn decode_png(bytes: &[u8], slices: usize) -> Result<Picture, TextureError> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND | Transformations::ALPHA);
    let header = decoder.read_header_info().map_err(png_error)?;
    let (width, height) = header.size();
    let format = match header.bit_depth {
        BitDepth::One | BitDepth::Two | BitDepth::Four | BitDepth::Eight => Format::Rgba8,
        BitDepth::Sixteen => Format::Rgba16,
    };
    check_size(width, height, format, slices)?;
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
    if info.bit_depth == BitDepth::Sixteen {
        // A PNG has the high byte first.
        let (words, _) = texels.as_chunks_mut::<2>();
        words.iter_mut().for_each(|word| word.reverse());
    }
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
    let mut colours = Vec::with_capacity(2 * texels.len());
    for texel in texels.chunks_exact(usize::from(format.layout().bytes) / 2) {
        let (grey, alpha) = texel.split_at(texel.len() / 2);
        for channel in [grey, grey, grey, alpha] {
            colours.extend_from_slice(channel);
        }
    }
    colours
}

fn png_error(error: png::DecodingError) -> TextureError {
    if let png::DecodingError::IoError(source) = &error
        && source.kind() == io::ErrorKind::UnexpectedEof
    {
        return TextureError::Truncated;
    }
    TextureError::Png(sentence(&error.to_string()))
}

fn decode_jpeg(bytes: &[u8], slices: usize) -> Result<Picture, TextureError> {
    let options = DecoderOptions::default()
        .set_strict_mode(true)
        // All that a file can say: what is too large is refused below.
        .set_max_width(u16::MAX.into())
        .set_max_height(u16::MAX.into())
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
    let failed = |error| jpeg_error(bytes, &error);
    decoder.decode_headers().map_err(failed)?;
    let info = decoder.info().ok_or(TextureError::Truncated)?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    check_size(width, height, Format::Rgba8, slices)?;
    Ok(Picture {
        width,
        height,
        format: Format::Rgba8,
        texels: decoder.decode().map_err(failed)?,
    })
}

fn jpeg_error(bytes: &[u8], error: &DecodeErrors) -> TextureError {
    /// What a complete file ends with.
    const END_OF_IMAGE: &[u8] = b"\xff\xd9";

    if bytes
        .windows(END_OF_IMAGE.len())
        .any(|two| two == END_OF_IMAGE)
    {
        TextureError::Jpeg(sentence(&error.to_string()))
    } else {
        TextureError::Truncated
    }
}

/// A decoder's message as the end of another one: some are quoted, end with a stop or break the line.
fn sentence(message: &str) -> String {
    let around = |c: char| c == '"' || c == '.' || c.is_whitespace();
    message.trim_matches(around).to_owned()
}
