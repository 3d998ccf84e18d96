//! Pictures in files: what a draw has stored, written as PNG, PPM, PFM, EXR or TIFF, read again and put together.
//!
//! ```
//! use attila_scene::Loader;
//! use attila_scene::picture::{Depth, FileKind, Picture};
//! use attila_shader::Engine;
//! use attila_shader::draw::ColourImage;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let scene = Loader::new().read("bright.attila", b"mul o1, i1, 8.0")?;
//! let depth = Depth::Float;
//! let mut image = ColourImage::new(depth.target(), 64, 64);
//! scene.draw(&Engine::auto(), &mut image)?;
//! let picture = Picture::new(image, depth).opaque();
//! let file = picture.to_file(FileKind::Pfm)?;
//! assert_eq!(Picture::from_file(FileKind::Pfm, &file)?, picture);
//! # Ok(())
//! # }
//! ```

mod join;
mod kind;
mod netpbm;

use std::fs;
use std::io::Cursor;
use std::path::Path;

use attila_shader::draw::{ColourImage, DepthImage};
use attila_shader::machine::pipeline::DepthFormat;
use image::{ColorType, ExtendedColorType, ImageReader, Limits};
use thiserror::Error;

pub use join::{JoinError, Part, join};
pub use kind::{Depth, FileKind, UnknownKind};

/// Why a picture is not written to a file, or read from one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The kind is a feature that this program is built without.
    #[error("{} files are not built in; the feature `{}` of attila-scene adds them", .0.name(), .0.suffix())]
    NotBuiltIn(FileKind),
    /// The kind has no components with so many bits.
    #[error("{} files have {} bits per component, not {}", .kind.name(), .kind.depths_in_words(), .depth.bits())]
    Depth {
        /// The kind.
        kind: FileKind,
        /// The picture's depth.
        depth: Depth,
    },
    /// The kind has no alpha.
    #[error("{} files have no alpha", .0.name())]
    Alpha(FileKind),
    /// The file cannot be written or read.
    #[error("the {} cannot be {doing}: {reason}", .kind.name())]
    File {
        /// The kind.
        kind: FileKind,
        /// `written` or `read`.
        doing: &'static str,
        /// Why.
        reason: String,
    },
    /// The name of a file says no kind.
    #[error(transparent)]
    Kind(#[from] UnknownKind),
    /// The pixels of a file are grey, or of another kind than those of pictures.
    #[error("the pixels are not red, green and blue of 8, 16 or 32 bits")]
    Pixels,
}

/// Red, green and blue, and alpha or not, rows from the top and without gaps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    size: [u32; 2],
    depth: Depth,
    has_alpha: bool,
    /// Words are the host's.
    bytes: Vec<u8>,
}

impl Picture {
    /// The pixels that an image with [the target's format](Depth::target) of a depth has in its first sample.
    ///
    /// Floats become 16 bits as the nearest of 65,536 fractions: 65,535 times the component clamped to [0, 1] (a NaN
    /// to 1), a half to even. Bytes and floats stay what they are.
    ///
    /// # Panics
    ///
    /// The image has another format.
    pub fn new(image: ColourImage, depth: Depth) -> Picture {
        assert_eq!(image.format(), depth.target(), "the format of a picture");
        let size = [image.width(), image.height()];
        Picture::of_bytes(size, image.into_bytes(), depth)
    }

    /// The depths of an image, in its first sample, as grey pixels without alpha.
    ///
    /// # Panics
    ///
    /// The image has another format than binary32, or `depth` is 8 bits.
    pub fn of_depths(image: DepthImage, depth: Depth) -> Picture {
        assert_eq!(image.format(), DepthFormat::D32F, "the format of depths");
        assert_ne!(depth, Depth::Eight, "the depth of depths");
        let size = [image.width(), image.height()];
        let opaque = 1.0_f32.to_le_bytes();
        let words = image.into_bytes();
        let words = words.as_chunks::<4>().0.iter();
        let pixels = words.flat_map(|&word| [word, word, word, opaque]).flatten();
        Picture::of_bytes(size, pixels.collect(), depth).opaque()
    }

    /// The pixels of an image with the target's format.
    fn of_bytes(size: [u32; 2], mut bytes: Vec<u8>, depth: Depth) -> Picture {
        match depth {
            Depth::Eight => {}
            Depth::Sixteen => repack(&mut bytes, |word: [u8; 4]| {
                let fraction = f32::from_le_bytes(word);
                let fraction = match fraction.is_nan() {
                    true => 1.0,
                    false => f64::from(fraction.clamp(0.0, 1.0)),
                };
                ((fraction * 65535.0).round_ties_even() as u16).to_ne_bytes()
            }),
            Depth::Float => repack(&mut bytes, |word| u32::from_le_bytes(word).to_ne_bytes()),
        }
        Picture {
            size,
            depth,
            has_alpha: true,
            bytes,
        }
    }

    /// Bytes of red, green, blue and alpha, in rows of that width.
    pub fn from_pixels(width: usize, pixels: Vec<[u8; 4]>) -> Picture {
        let height = pixels.len().checked_div(width).unwrap_or(0);
        Picture {
            size: [width as u32, height as u32],
            depth: Depth::Eight,
            has_alpha: true,
            bytes: pixels.into_flattened(),
        }
    }

    /// The same without alpha.
    #[must_use]
    pub fn opaque(mut self) -> Picture {
        if self.has_alpha {
            match self.depth {
                Depth::Eight => repack(&mut self.bytes, |[r, g, b, _]: [u8; 4]| [r, g, b]),
                Depth::Sixteen => repack(&mut self.bytes, |pixel: [u8; 8]| first::<6>(&pixel)),
                Depth::Float => repack(&mut self.bytes, |pixel: [u8; 16]| first::<12>(&pixel)),
            }
            self.has_alpha = false;
        }
        self
    }

    /// Pixels in a row, and rows.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The bits of a component.
    pub fn depth(&self) -> Depth {
        self.depth
    }

    /// Whether pixels have alpha.
    pub fn has_alpha(&self) -> bool {
        self.has_alpha
    }

    /// The pixels, with the words of this host.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of a row.
    fn row(&self) -> usize {
        let pixel = colour(self.depth, self.has_alpha).bytes_per_pixel();
        self.size[0] as usize * usize::from(pixel)
    }

    /// The bytes of a file with the picture. Every bit is kept.
    ///
    /// # Errors
    ///
    /// The kind is not built in, or does not hold such pixels.
    pub fn to_file(&self, kind: FileKind) -> Result<Vec<u8>, PictureError> {
        kind.check(self.depth, self.has_alpha)?;
        let mut file = Cursor::new(Vec::new());
        let [width, height] = self.size;
        let colour: ExtendedColorType = colour(self.depth, self.has_alpha).into();
        let written = match kind {
            FileKind::Pfm | FileKind::Ppm => return Ok(netpbm::write(self)),
            #[cfg(feature = "png")]
            FileKind::Png => {
                use image::ImageEncoder;
                use image::codecs::png::{CompressionType, FilterType, PngEncoder};

                let (compression, filter) = (CompressionType::Default, FilterType::Adaptive);
                let encoder = PngEncoder::new_with_quality(&mut file, compression, filter);
                encoder.write_image(&self.bytes, width, height, colour)
            }
            #[cfg(not(feature = "png"))]
            FileKind::Png => return Err(PictureError::NotBuiltIn(kind)),
            FileKind::Exr | FileKind::Tiff => {
                let format = kind.format();
                image::write_buffer_with_format(
                    &mut file,
                    &self.bytes,
                    width,
                    height,
                    colour,
                    format,
                )
            }
        };
        written.map_err(|error| kind.failed("written", &error))?;
        Ok(file.into_inner())
    }

    /// Writes a file of the kind that its name ends in.
    ///
    /// # Errors
    ///
    /// As [`Picture::to_file`], or the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), PictureError> {
        let kind = FileKind::of(path.as_ref())?;
        let written = fs::write(path, self.to_file(kind)?);
        written.map_err(|error| PictureError::File {
            kind,
            doing: "written",
            reason: error.to_string(),
        })
    }

    /// The picture in a file.
    ///
    /// # Errors
    ///
    /// The kind is not built in, the file is not right, or it has other pixels than pictures.
    pub fn from_file(kind: FileKind, file: &[u8]) -> Result<Picture, PictureError> {
        kind.check_built_in()?;
        if kind.is_netpbm() {
            return netpbm::read(kind, file);
        }
        let mut reader = ImageReader::with_format(Cursor::new(file), kind.format());
        reader.limits(Limits::no_limits());
        let image = reader
            .decode()
            .map_err(|error| kind.failed("read", &error))?;
        let has_alpha = image.color().has_alpha();
        let mut depths = Depth::ALL.into_iter();
        let depth = depths.find(|depth| colour(*depth, has_alpha) == image.color());
        Ok(Picture {
            size: [image.width(), image.height()],
            depth: depth.ok_or(PictureError::Pixels)?,
            has_alpha,
            bytes: image.into_bytes(),
        })
    }
}

fn colour(depth: Depth, has_alpha: bool) -> ColorType {
    match (depth, has_alpha) {
        (Depth::Eight, false) => ColorType::Rgb8,
        (Depth::Eight, true) => ColorType::Rgba8,
        (Depth::Sixteen, false) => ColorType::Rgb16,
        (Depth::Sixteen, true) => ColorType::Rgba16,
        (Depth::Float, false) => ColorType::Rgb32F,
        (Depth::Float, true) => ColorType::Rgba32F,
    }
}

/// Makes each of the pieces that bytes consist of one that is not longer, in their place.
fn repack<const FROM: usize, const TO: usize>(
    bytes: &mut Vec<u8>,
    convert: impl Fn([u8; FROM]) -> [u8; TO],
) {
    let count = bytes.len() / FROM;
    for index in 0..count {
        let mut piece = [0; FROM];
        piece.copy_from_slice(&bytes[index * FROM..][..FROM]);
        bytes[index * TO..][..TO].copy_from_slice(&convert(piece));
    }
    bytes.truncate(count * TO);
}

fn first<const N: usize>(pixel: &[u8]) -> [u8; N] {
    *pixel.first_chunk().expect("a pixel has four components")
}

#[cfg(test)]
mod tests;
