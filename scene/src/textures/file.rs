//! Images from files: PNG, JPEG, BMP, TGA and DDS, distinguished by their first bytes.
//!
//! A file is opened first, which reads its header, and decoded when it is known that there is room for
//! its texels.

use std::io::{self, Read};
use std::path::Path;

use attila_shader::texture::{
    CUBE_FACES, Dimension, Format, Image, ImageError, SamplerError, Shape, Size,
};
use thiserror::Error;

use super::arrangement::Arrangement;
#[cfg(feature = "dds")]
use super::dds;
#[cfg(feature = "jpeg")]
use super::jpeg;
#[cfg(feature = "png")]
use super::png;
use super::raster::{Raster, is_tga, not_tga};
use crate::foreign;
use crate::host::Host;

/// The most bytes that are read of a file.
const LIMIT: u64 = 1 << 30;

/// Why a texture cannot be made of a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TextureError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The file is longer than what is read.
    #[error("the file is too large; the limit is {LIMIT} bytes")]
    FileTooLarge,
    /// The first bytes are not those of an image.
    #[error("the file is not a {IMAGES} file")]
    NotAnImage,
    /// They are those of something else.
    #[error("the file is {0}; textures are {IMAGES} files")]
    Foreign(&'static str),
    /// The kind of file is a feature that this program is built without: its name, and that of the feature.
    #[error("{0} files are not built in; the feature `{1}` of attila-scene adds them")]
    NotBuiltIn(&'static str, &'static str),
    /// The file ends too early.
    #[error("the file is cut short")]
    Truncated,
    /// A file that is not right: its format, and why.
    #[error("the {0} cannot be read: {1}")]
    Unreadable(&'static str, String),
    /// A DDS file that is not right, or beyond what is understood.
    #[error("{0}")]
    Dds(String),
    /// The texels do not make an image.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// A DDS file with several levels, slices or faces where one picture is needed.
    #[error("a face of a cube must be a single 2D image")]
    NotAFace,
    /// A picture of one row, slices or faces is none.
    #[error("the file holds {}, not a picture", describe(*.0))]
    NotAPicture(Dimension),
    /// A picture of slices or faces with smaller levels.
    #[error("the file has {0} levels; a picture of slices or faces has one")]
    LevelsOfParts(usize),
    /// A picture for a 1D image that has other rows.
    #[error("the picture has {0} rows; that of a 1D image has one")]
    NotARow(u32),
    /// A picture for a 3D image without a number of slices.
    #[error("the number of slices is missing; write it like `3d:FILE*16`")]
    NoSlices,
    /// Slices of different sizes.
    #[error("the picture has {height} rows, which are not {slices} slices, one below the other")]
    Slices {
        /// Rows of the picture.
        height: u32,
        /// The number of slices.
        slices: u32,
    },
    /// A picture for a cube that has no room for its faces.
    #[error(
        "the picture of {width}x{height} texels has no six faces: \
         they are strips of 6x1 or 1x6 squares, or crosses of 4x3 or 3x4"
    )]
    Faces {
        /// Texels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
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
    #[error("the textures take {needed} MiB with this one, and the limit is {limit} MiB")]
    Memory {
        /// The memory of all of them, in MiB.
        needed: u64,
        /// The limit, in MiB.
        limit: u64,
    },
    /// The program samples something else.
    #[error(
        "{}, but the program samples {} here: {}",
        describe(*given),
        describe(*wanted),
        advice(*wanted)
    )]
    Dimension {
        /// The image's dimension.
        given: Dimension,
        /// The dimension that the program asks for.
        wanted: Dimension,
    },
}

/// A dimension in messages.
pub fn describe(dimension: Dimension) -> &'static str {
    dimension.kind().noun()
}

/// How a setting names an image of a dimension, after `tN=`, and the files that hold one.
pub fn source_of(dimension: Dimension) -> [&'static str; 2] {
    match dimension {
        Dimension::D1 => [
            "1d:FILE",
            "a picture of one row, or a DDS file of a 1D texture",
        ],
        Dimension::D3 => [
            "3d:FILE*N",
            "a picture of N slices, one below the other; `3d:FILE` is a DDS file of a volume",
        ],
        Dimension::Cube => [
            "cube:FILE",
            "a picture of six faces in a strip or a cross, or a DDS file of a cube; \
             `cube:` may have six pictures, too",
        ],
        Dimension::D2
        | Dimension::Rect
        | Dimension::Buffer
        | Dimension::D1Array { .. }
        | Dimension::D2Array { .. }
        | Dimension::CubeArray { .. }
        | Dimension::D2Ms { .. }
        | Dimension::D2MsArray { .. } => ["FILE", "a picture"],
    }
}

/// The files that hold an image of a dimension, as a sentence.
pub fn advice(dimension: Dimension) -> String {
    let [source, files] = source_of(dimension);
    format!("`{source}` is {files}")
}

/// The formats of files that are read.
const IMAGES: &str = "PNG, JPEG, TGA, BMP or DDS";

/// The kinds of files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Png,
    Jpeg,
    Raster(Raster),
    Dds,
}

/// The first bytes of files of each kind that has some.
const MAGIC: [(&[u8], Kind); 4] = [
    (b"\x89PNG\r\n\x1a\n", Kind::Png),
    (b"\xff\xd8\xff", Kind::Jpeg),
    (b"BM", Kind::Raster(Raster::Bmp)),
    (b"DDS ", Kind::Dds),
];

/// The first bytes that tell the kind of any file, those of a tar archive among them.
const BEGINNING: u64 = 512;

impl Kind {
    /// The kind of a file that begins with these bytes. TGA files have no magic bytes, but may have a name.
    fn of(bytes: &[u8], path: &Path) -> Result<Kind, TextureError> {
        if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
            return Ok(*kind);
        }
        let is_named_tga = path
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("tga"));
        match foreign::kind_of_bytes(bytes) {
            _ if is_tga(bytes) => Ok(Kind::Raster(Raster::Tga)),
            Some(kind) => Err(TextureError::Foreign(kind)),
            None if is_named_tga => Err(not_tga(bytes)),
            None => Err(TextureError::NotAnImage),
        }
    }
}

/// An image whose header has been read, and whose texels have not been decoded.
pub(super) struct ImageFile {
    /// The image that it becomes.
    pub(super) shape: Shape,
    /// The image that the header describes.
    file_shape: Shape,
    /// Whether the file says that its texels are sRGB.
    pub(super) srgb: bool,
    content: Content,
    bytes: Vec<u8>,
}

/// Decodes the texels of a picture, in a format.
type Decode = fn(&[u8], Format) -> Result<Vec<u8>, TextureError>;

/// How the texels become an image.
enum Content {
    Picture(Decode),
    #[cfg(feature = "dds")]
    Dds(dds::Header),
}

impl ImageFile {
    /// Opens an image that is to be arranged.
    pub(super) fn open(
        path: &Path,
        arrangement: Arrangement,
        host: &dyn Host,
    ) -> Result<ImageFile, TextureError> {
        let (kind, bytes) = read(path, host, |_| Ok(()))?;
        let mut file = ImageFile::new(kind, bytes)?;
        file.arrange(arrangement)?;
        Ok(file)
    }

    /// Arranges the image that the file holds.
    pub(super) fn arrange(&mut self, arrangement: Arrangement) -> Result<(), TextureError> {
        self.shape = arrangement.shape(self.file_shape)?;
        self.shape.image_bytes()?;
        Ok(())
    }

    /// Opens a picture that is to be a face of a cube.
    pub(super) fn open_face(path: &Path, host: &dyn Host) -> Result<ImageFile, TextureError> {
        let (kind, bytes) = read(path, host, |kind| match kind {
            Kind::Png | Kind::Jpeg | Kind::Raster(_) => Ok(()),
            Kind::Dds => Err(TextureError::NotAFace),
        })?;
        ImageFile::new(kind, bytes)
    }

    /// An image from the bytes of a file.
    pub(super) fn new(kind: Kind, bytes: Vec<u8>) -> Result<ImageFile, TextureError> {
        let (shape, srgb, content) = match kind {
            #[cfg(feature = "png")]
            Kind::Png => (png::header(&bytes)?, false, Content::Picture(png::decode)),
            #[cfg(not(feature = "png"))]
            Kind::Png => return Err(TextureError::NotBuiltIn("PNG", "png")),
            #[cfg(feature = "jpeg")]
            Kind::Jpeg => (jpeg::header(&bytes)?, false, Content::Picture(jpeg::decode)),
            #[cfg(not(feature = "jpeg"))]
            Kind::Jpeg => return Err(TextureError::NotBuiltIn("JPEG", "jpeg")),
            Kind::Raster(raster) => {
                let decode: Decode = match raster {
                    Raster::Bmp => |bytes, _| Raster::Bmp.decode(bytes),
                    Raster::Tga => |bytes, _| Raster::Tga.decode(bytes),
                };
                (raster.shape(&bytes)?, false, Content::Picture(decode))
            }
            #[cfg(feature = "dds")]
            Kind::Dds => {
                let header = dds::header(&bytes)?;
                (header.shape, header.srgb, Content::Dds(header))
            }
            #[cfg(not(feature = "dds"))]
            Kind::Dds => return Err(TextureError::NotBuiltIn("DDS", "dds")),
        };
        // A file that says what no image is need not be read further.
        shape.image_bytes()?;
        Ok(ImageFile {
            shape,
            file_shape: shape,
            srgb,
            content,
            bytes,
        })
    }

    /// Decodes the texels.
    pub(super) fn image(self) -> Result<Image, TextureError> {
        let (shape, file_shape) = (self.shape, self.file_shape);
        let image = match &self.content {
            #[cfg(feature = "dds")]
            Content::Dds(header) => dds::image(header, &self.bytes)?,
            Content::Picture(_) => {
                let texels = self.texels()?;
                Image::from_texels(Dimension::D2, file_shape.format, file_shape.size, texels)?
            }
        };
        Ok(Arrangement::image(&shape, image)?)
    }

    /// The texels of a plain picture.
    fn texels(self) -> Result<Vec<u8>, TextureError> {
        match self.content {
            Content::Picture(decode) => decode(&self.bytes, self.shape.format),
            #[cfg(feature = "dds")]
            Content::Dds(_) => Err(TextureError::NotAFace),
        }
    }
}

/// The shape of a plain picture.
pub(super) fn picture(width: u32, height: u32, format: Format) -> Shape {
    Shape {
        dimension: Dimension::D2,
        format,
        size: Size::d2(width, height),
        levels: 1,
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
    host: &dyn Host,
    will_do: impl Fn(Kind) -> Result<(), TextureError>,
) -> Result<(Kind, Vec<u8>), TextureError> {
    let mut bytes = Vec::new();
    let mut file = host.open(path)?;
    file.by_ref().take(BEGINNING).read_to_end(&mut bytes)?;
    let kind = Kind::of(&bytes, path)?;
    will_do(kind)?;
    file.take(LIMIT).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LIMIT {
        return Err(TextureError::FileTooLarge);
    }
    Ok((kind, bytes))
}

/// A decoder's message as the end of another one: some are quoted, end with a stop or break the line.
#[cfg(any(feature = "jpeg", feature = "png"))]
pub(super) fn sentence(message: &str) -> String {
    let around = |c: char| c == '"' || c == '.' || c.is_whitespace();
    message.trim_matches(around).to_owned()
}
