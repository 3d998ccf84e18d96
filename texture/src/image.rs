//! Images: the texels of a texture, level by level.
//!
//! ```text
//!   bytes  | level 0                        | level 1         | …
//!          | slice 0 | slice 1 | …          | slice 0 | …
//!          | row 0 | row 1 | …
//! ```
//!
//! Slices are the layers of a 3D image or of an array, the faces of cubes, or the samples of
//! multisampled images ([`Dimension::slices`]); rows and slices follow each other without gaps. Level n measures `max(size >> n, 1)` texels along each axis. Compressed blocks are
//! kept decoded, see [`Format::stored`].

use crate::blocks;
use crate::channel::load;
use crate::dimension::{AxisCount, CUBE_FACES, Dimension};
use crate::format::Format;
use crate::mipmap;
use crate::shape::{ImageError, Level, Shape, Size, check_shape, expect_bytes, layout};

/// An image: what a texture unit samples. It does not change once it is made.
///
/// ```
/// use attila_texture::{Format, Image};
///
/// let board = [[0; 4], [255; 4], [255; 4], [0; 4]].concat();
/// let image = Image::from_rgba8(2, 2, &board)?.with_mipmaps()?;
/// assert_eq!(image.texel(1, [0, 0, 0]), Some([128.0 / 255.0; 4]));
/// # Ok::<(), attila_texture::ImageError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Image {
    dimension: Dimension,
    format: Format,
    texel_bytes: usize,
    levels: Vec<Level>,
    bytes: Vec<u8>,
}

/// The treatment of compressed blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blocks {
    /// ATTILA's bytes.
    Truncated,
    /// Floats.
    Exact,
}

impl Image {
    /// An image from the bytes of its levels, the largest first. A level is its slices (layers,
    /// faces in the order +X, -X, +Y, -Y, +Z, -Z, or samples), a slice its rows, a row its texels or
    /// blocks, all without gaps. Levels that are left out are not sampled.
    ///
    /// Compressed texels are kept with the 8 bits that ATTILA keeps (T10).
    ///
    /// # Errors
    ///
    /// A size, a number of levels or a number of bytes that does not fit.
    pub fn from_levels(
        dimension: Dimension,
        format: Format,
        size: Size,
        levels: &[&[u8]],
    ) -> Result<Image, ImageError> {
        let shape = Shape {
            dimension,
            format,
            size,
            levels: levels.len(),
        };
        Image::upload(shape, |level| [levels[level]], Blocks::Truncated)
    }

    /// As [`Image::from_levels`], but compressed texels are kept as floats, as exact as the format's
    /// definition.
    ///
    /// # Errors
    ///
    /// As [`Image::from_levels`].
    pub fn from_levels_exact(
        dimension: Dimension,
        format: Format,
        size: Size,
        levels: &[&[u8]],
    ) -> Result<Image, ImageError> {
        let shape = Shape {
            dimension,
            format,
            size,
            levels: levels.len(),
        };
        Image::upload(shape, |level| [levels[level]], Blocks::Exact)
    }

    /// A cube from its six faces in the order +X, -X, +Y, -Y, +Z, -Z, each with its levels, the
    /// largest first.
    ///
    /// # Errors
    ///
    /// As [`Image::from_levels`]; not six faces, or faces with different numbers of levels.
    pub fn from_faces(format: Format, side: u32, faces: &[&[&[u8]]]) -> Result<Image, ImageError> {
        let [first, rest @ ..] = faces else {
            return Err(ImageError::Faces(0));
        };
        if faces.len() != CUBE_FACES {
            return Err(ImageError::Faces(faces.len()));
        }
        check_shape(Dimension::Cube, Size::cube(side), format)?;
        let (given, expected) = (|face: &&[&[u8]]| face.len(), first.len());
        if let Some(odd) = rest.iter().position(|face| given(face) != expected) {
            let (face, given) = (odd + 1, given(&rest[odd]));
            return Err(ImageError::FaceLevels {
                face,
                given,
                expected,
            });
        }
        // Checked face by face, so that two wrong lengths cannot make up for each other.
        for (level, size) in (0..expected).map(|level| (level, Size::cube(side).level(level))) {
            for face in faces {
                expect_bytes(level, size, format, 1, face[level].len())?;
            }
        }
        let shape = Shape {
            dimension: Dimension::Cube,
            format,
            size: Size::cube(side),
            levels: expected,
        };
        let level = |level: usize| faces.iter().map(move |face| face[level]);
        Image::upload(shape, level, Blocks::Truncated)
    }

    /// An image of one level from the bytes of its texels, as [`Image::from_levels`] takes them. They
    /// are kept, and not copied, unless they are compressed.
    ///
    /// # Errors
    ///
    /// As [`Image::from_levels`].
    pub fn from_texels(
        dimension: Dimension,
        format: Format,
        size: Size,
        texels: Vec<u8>,
    ) -> Result<Image, ImageError> {
        if format.is_compressed() {
            return Image::from_levels(dimension, format, size, &[&texels]);
        }
        let shape = Shape {
            dimension,
            format,
            size,
            levels: 1,
        };
        let (levels, _) = shape.layout(format)?;
        expect_bytes(0, size, format, dimension.slices(size), texels.len())?;
        Ok(Image {
            dimension,
            format,
            texel_bytes: usize::from(format.layout().bytes),
            levels,
            bytes: texels,
        })
    }

    /// A 2D image of one level from a decoded picture: four bytes for each texel, rows in the
    /// direction of t.
    ///
    /// # Errors
    ///
    /// As [`Image::from_levels`].
    pub fn from_rgba8(width: u32, height: u32, texels: &[u8]) -> Result<Image, ImageError> {
        let size = Size::d2(width, height);
        Image::from_levels(Dimension::D2, Format::Rgba8, size, &[texels])
    }

    /// An image of one level from floats: red, green, blue and alpha of each texel.
    ///
    /// # Errors
    ///
    /// As [`Image::from_levels`].
    pub fn from_rgba32f(
        dimension: Dimension,
        size: Size,
        texels: &[[f32; 4]],
    ) -> Result<Image, ImageError> {
        let bytes: Vec<u8> = texels
            .iter()
            .flatten()
            .flat_map(|c| c.to_le_bytes())
            .collect();
        Image::from_levels(dimension, Format::Rgba32F, size, &[&bytes])
    }

    /// The image with a full chain of levels, down to 1x1x1, made from its level 0. Images that cannot
    /// have more than one level stay as they are.
    ///
    /// A texel is the average of the texels under it: of two along an axis whose size is even, of
    /// three where it is odd, each with the share of it that is covered. Stored values are averaged
    /// as they are, also if they are to be sampled as sRGB; integers round halves up, floats to even.
    ///
    /// # Errors
    ///
    /// The chain would be larger than [`crate::MAX_BYTES`].
    pub fn with_mipmaps(self) -> Result<Image, ImageError> {
        let size = self.size();
        let count = self.dimension.most_levels(size);
        let (levels, total) = layout(self.dimension, self.format, size, count)?;
        let mut bytes = self.bytes;
        bytes.truncate(levels.get(1).map_or(total, |level| level.offset));
        bytes.resize(total, 0);
        // The layers of a box are reduced together.
        let slices = match self.dimension.axis_count() {
            AxisCount::One | AxisCount::Two => self.dimension.slices(size),
            AxisCount::Three => 1,
        };
        for (above, below) in levels.iter().zip(levels.iter().skip(1)) {
            for slice in 0..slices {
                mipmap::reduce(&mut bytes, self.format.layout(), above, below, slice);
            }
        }
        Ok(Image {
            levels,
            bytes,
            ..self
        })
    }

    /// The image without its texels.
    pub fn shape(&self) -> Shape {
        Shape {
            dimension: self.dimension,
            format: self.format,
            size: self.size(),
            levels: self.levels.len(),
        }
    }

    /// The kind of the image's coordinates.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// The format in which the texels are kept. It is not a compressed one.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The size of level 0.
    pub fn size(&self) -> Size {
        self.levels[0].size
    }

    /// The levels, the largest first; at least one.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The texels of all levels.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The colour of a texel of a level, before any sampler: at (column, row, slice). `None`
    /// outside the image. Integers are rounded to floats.
    pub fn texel(&self, level: usize, at: [u32; 3]) -> Option<[f32; 4]> {
        let word = self.texel_word(level, at)?;
        Some(self.format.layout().channels.map(|it| it.value(word)))
    }

    /// The raw words of a texel, as [`Image::texel`] finds it: integers, or the bits of floats.
    pub fn texel_bits(&self, level: usize, at: [u32; 3]) -> Option<[u32; 4]> {
        let word = self.texel_word(level, at)?;
        Some(self.format.layout().decode(word).map(f32::to_bits))
    }

    fn texel_word(&self, level: usize, at: [u32; 3]) -> Option<u128> {
        let size = self.levels.get(level)?.size;
        let slices = self.dimension.slices(size) as u32;
        let limits = [size.width, size.height, slices];
        let inside = at.iter().zip(limits).all(|(&at, limit)| at < limit);
        inside.then(|| load(self.texel_bytes(level, at)))
    }

    /// The bytes of the texel (column, row, slice).
    #[inline]
    pub(crate) fn texel_bytes(&self, level: usize, at: [u32; 3]) -> &[u8] {
        let offset = self.levels[level].texel_offset(at, self.texel_bytes);
        &self.bytes[offset..offset + self.texel_bytes]
    }

    /// An image whose level n has the bytes of `given(n)`, one piece after the other; each piece is
    /// whole slices.
    fn upload<'a, P: IntoIterator<Item = &'a [u8]>>(
        shape: Shape,
        given: impl Fn(usize) -> P,
        blocks: Blocks,
    ) -> Result<Image, ImageError> {
        let Shape {
            dimension, format, ..
        } = shape;
        let stored = match blocks {
            Blocks::Exact if format.is_compressed() => Format::Rgba32F,
            Blocks::Exact | Blocks::Truncated => format.stored(),
        };
        let (levels, total) = shape.layout(stored)?;
        for (index, level) in levels.iter().enumerate() {
            let slices = dimension.slices(level.size);
            let bytes = given(index).into_iter().map(<[u8]>::len).sum();
            expect_bytes(index, level.size, format, slices, bytes)?;
        }
        let mut bytes = Vec::with_capacity(total);
        for (index, level) in levels.iter().enumerate() {
            for piece in given(index) {
                match format.block() {
                    Some(block) => blocks::append(&mut bytes, block, stored, level, piece),
                    None => bytes.extend_from_slice(piece),
                }
            }
        }
        Ok(Image {
            dimension,
            format: stored,
            texel_bytes: usize::from(stored.layout().bytes),
            levels,
            bytes,
        })
    }
}
