//! Images from files: PNG, JPEG and DDS, distinguished by their first bytes.
//!
//! A file is opened first, which reads its header, and decoded when it is known that there is room for
//! its texels.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use attila_shader::texture::{
    CUBE_FACES, Dimension, Format, Image, ImageError, SamplerError, Shape, Size,
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
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The file is longer than what is read.
    #[error("the file is too large; the limit is {LIMIT} bytes")]
    FileTooLarge,
    /// The first bytes are not those of an image.
    #[error("the file is not a PNG, JPEG or DDS file")]
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
    #[error(transparent)]
    Image(#[from] ImageError),
    /// A DDS file with several levels, slices or faces where one picture is needed.
    #[error("a face of a cube must be a single 2D image")]
    NotAFace,
    /// A face that is no square.
    #[error("the face is {width}x{height}, which is not square")]
    NotSquare {
        /// Texels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A face that does not fit the first one.
    #[error("the face has {given} texels along each side; the first has {expected}")]
    FaceSize {
        /// Its side.
        given: u32,
        /// The first one's.
        expected: u32,
    },
    /// A face with other bits than the first one.
    #[error("the face is in format {given}; the first is in {expected}")]
    FaceFormat {
        /// Its format.
        given: Format,
        /// The first one's.
        expected: Format,
    },
    /// The sampler does not fit.
    #[error(transparent)]
    Sampler(#[from] SamplerError),
    /// Directions do not count texels.
    #[error("a cube cannot use texel coordinates")]
    TexelsOfCube,
    /// All textures together would take too much memory.
    #[error(
        "the textures take {needed} MiB with this one, and the limit is {limit} MiB; \
         `--texture-memory` raises it"
    )]
    Memory {
        /// The memory of all of them, in MiB.
        needed: u64,
        /// The limit, in MiB.
        limit: u64,
    },
    /// The program samples something else.
    #[error("{}, but the program samples {} here", describe(*given), describe(*wanted))]
    Dimension {
        /// The image's dimension.
        given: Dimension,
        /// The dimension that the program asks for.
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
        Dimension::Rect => "a 2D image in texels",
        Dimension::Buffer => "a buffer",
        Dimension::D1Array { .. } => "an array of 1D images",
        Dimension::D2Array { .. } => "an array of 2D images",
        Dimension::CubeArray { .. } => "an array of cubes",
        Dimension::D2Ms { .. } => "a multisampled image",
        Dimension::D2MsArray { .. } => "an array of multisampled images",
    }
}

/// The three kinds of files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Png,
    Jpeg,
    Dds,
}

/// The first bytes of files of each kind.
const MAGIC: [(&[u8], Kind); 3] = [
    (b"\x89PNG\r\n\x1a\n", Kind::Png),
    (b"\xff\xd8\xff", Kind::Jpeg),
    (b"DDS ", Kind::Dds),
];

/// The length of the longest of these beginnings.
const LONGEST_MAGIC: u64 = 8;

/// An image whose header has been read, and whose texels have not been decoded.
pub(super) struct ImageFile {
    /// The image, as the header describes it.
    pub(super) shape: Shape,
    /// Whether the file says that its texels are sRGB.
    pub(super) srgb: bool,
    content: Content,
    bytes: Vec<u8>,
}

/// The form of the texels.
enum Content {
    Png,
    Jpeg,
    Dds(dds::Header),
}

impl ImageFile {
    /// Opens an image.
    pub(super) fn open(path: &Path) -> Result<ImageFile, TextureError> {
        let (kind, bytes) = read(path, |_| Ok(()))?;
        ImageFile::new(kind, bytes)
    }

    /// Opens a picture that is to be a face of a cube.
    pub(super) fn open_face(path: &Path) -> Result<ImageFile, TextureError> {
        let (kind, bytes) = read(path, |kind| match kind {
            Kind::Png | Kind::Jpeg => Ok(()),
            Kind::Dds => Err(TextureError::NotAFace),
        })?;
        ImageFile::new(kind, bytes)
    }

    fn new(kind: Kind, bytes: Vec<u8>) -> Result<ImageFile, TextureError> {
        let picture = |(size, format): (Size, Format)| Shape {
            dimension: Dimension::D2,
            format,
            size,
            levels: 1,
        };
        let (shape, srgb, content) = match kind {
            Kind::Png => (picture(png_header(&bytes)?), false, Content::Png),
            Kind::Jpeg => (picture(jpeg_header(&bytes)?), false, Content::Jpeg),
            Kind::Dds => {
                let header = dds::header(&bytes)?;
                (header.shape, header.srgb, Content::Dds(header))
            }
        };
        // A file that says what no image is need not be read further.
        shape.image_bytes()?;
        Ok(ImageFile {
            shape,
            srgb,
            content,
            bytes,
        })
    }

    /// Decodes the texels.
    pub(super) fn image(self) -> Result<Image, TextureError> {
        if let Content::Dds(header) = &self.content {
            return dds::image(header, &self.bytes);
        }
        let Shape {
            dimension,
            format,
            size,
            ..
        } = self.shape;
        let texels = self.texels()?;
        Ok(Image::from_texels(dimension, format, size, texels)?)
    }

    /// The texels of a plain picture.
    fn texels(self) -> Result<Vec<u8>, TextureError> {
        match self.content {
            Content::Png => decode_png(&self.bytes, self.shape.format),
            Content::Jpeg => decode_jpeg(&self.bytes),
            Content::Dds(_) => Err(TextureError::NotAFace),
        }
    }
}

/// The faces of a cube, which fit each other.
pub(super) struct Faces {
    /// The cube.
    pub(super) shape: Shape,
    faces: Vec<ImageFile>,
}

impl Faces {
    /// Checks six pictures. An error comes with the face that is to blame.
    pub(super) fn new(faces: Vec<ImageFile>) -> Result<Faces, (usize, TextureError)> {
        let first = faces[0].shape;
        for (index, face) in faces.iter().enumerate() {
            let Size { width, height, .. } = face.shape.size;
            if width != height {
                return Err((index, TextureError::NotSquare { width, height }));
            }
            let (given, expected) = (width, first.size.width);
            if given != expected {
                return Err((index, TextureError::FaceSize { given, expected }));
            }
            let (given, expected) = (face.shape.format, first.format);
            if given != expected {
                return Err((index, TextureError::FaceFormat { given, expected }));
            }
        }
        let shape = Shape {
            dimension: Dimension::Cube,
            ..first
        };
        shape.image_bytes().map_err(|error| (0, error.into()))?;
        Ok(Faces { shape, faces })
    }

    /// Decodes the texels. An error comes with the face that is to blame.
    pub(super) fn image(self) -> Result<Image, (usize, TextureError)> {
        let Shape { format, size, .. } = self.shape;
        let face_bytes = format.slice_bytes(size.width, size.height);
        let mut texels = Vec::with_capacity(CUBE_FACES * face_bytes);
        for (index, face) in self.faces.into_iter().enumerate() {
            texels.extend(face.texels().map_err(|error| (index, error))?);
        }
        let image = Image::from_texels(Dimension::Cube, format, size, texels);
        image.map_err(|error| (0, error.into()))
    }
}

/// Reads a file of a kind that will do. A file that is not an image is not read to its end, as it may
/// never end.
fn read(
    path: &Path,
    will_do: impl Fn(Kind) -> Result<(), TextureError>,
) -> Result<(Kind, Vec<u8>), TextureError> {
    let mut bytes = Vec::new();
    let mut file = File::open(path)?;
    file.by_ref().take(LONGEST_MAGIC).read_to_end(&mut bytes)?;
    let known = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic));
    let &(_, kind) = known.ok_or(TextureError::NotAnImage)?;
    will_do(kind)?;
    file.take(LIMIT).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LIMIT {
        return Err(TextureError::FileTooLarge);
    }
    Ok((kind, bytes))
}

fn png_decoder(bytes: &[u8]) -> png::Decoder<Cursor<&[u8]>> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND | Transformations::ALPHA);
    decoder
}

fn png_header(bytes: &[u8]) -> Result<(Size, Format), TextureError> {
    let mut decoder = png_decoder(bytes);
    let header = decoder.read_header_info().map_err(png_error)?;
    let (width, height) = header.size();
    let format = match header.bit_depth {
        BitDepth::One | BitDepth::Two | BitDepth::Four | BitDepth::Eight => Format::Rgba8,
        BitDepth::Sixteen => Format::Rgba16,
    };
    Ok((Size::d2(width, height), format))
}

fn decode_png(bytes: &[u8], format: Format) -> Result<Vec<u8>, TextureError> {
    let mut reader = png_decoder(bytes).read_info().map_err(png_error)?;
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

fn png_error(error: png::DecodingError) -> TextureError {
    if let png::DecodingError::IoError(source) = &error
        && source.kind() == io::ErrorKind::UnexpectedEof
    {
        return TextureError::Truncated;
    }
    TextureError::Png(sentence(&error.to_string()))
}

fn jpeg_decoder(bytes: &[u8]) -> JpegDecoder<Cursor<&[u8]>> {
    let options = DecoderOptions::default()
        .set_strict_mode(true)
        // All that a file can say: what is too large is refused by its shape.
        .set_max_width(u16::MAX.into())
        .set_max_height(u16::MAX.into())
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    JpegDecoder::new_with_options(Cursor::new(bytes), options)
}

fn jpeg_header(bytes: &[u8]) -> Result<(Size, Format), TextureError> {
    let mut decoder = jpeg_decoder(bytes);
    let read = decoder.decode_headers();
    read.map_err(|error| jpeg_error(bytes, &error))?;
    let info = decoder.info().ok_or(TextureError::Truncated)?;
    let size = Size::d2(info.width.into(), info.height.into());
    Ok((size, Format::Rgba8))
}

fn decode_jpeg(bytes: &[u8]) -> Result<Vec<u8>, TextureError> {
    let texels = jpeg_decoder(bytes).decode();
    texels.map_err(|error| jpeg_error(bytes, &error))
}

fn jpeg_error(bytes: &[u8], error: &DecodeErrors) -> TextureError {
    /// The end of every complete file.
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
