//! Images: the texels of a texture, level by level.
//!
//! ```text
//!   bytes  | level 0                        | level 1         | …
//!          | slice 0 | slice 1 | …          | slice 0 | …
//!          | row 0 | row 1 | …
//! ```
//!
//! Slices are the layers of a 3D image or the faces of a cube; rows and slices follow each other
//! without gaps. Level n measures `max(size >> n, 1)` texels along each axis. What was uploaded in
//! compressed blocks is kept decoded, see [`Format::stored`].

use thiserror::Error;

use crate::blocks;
use crate::format::{BLOCK_SIDE, Format, load};
use crate::mipmap;

/// The most texels along an axis.
pub const MAX_SIZE: u32 = 16_384;

/// The most levels of an image: those of the largest.
pub const MAX_LEVELS: usize = MAX_SIZE.ilog2() as usize + 1;

/// The most bytes of an image as it is kept, so that code can count them in an i32.
pub const MAX_BYTES: usize = i32::MAX as usize;

/// Faces of a cube: +X, -X, +Y, -Y, +Z, -Z.
pub const CUBE_FACES: usize = 6;

/// What the coordinates of an image are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dimension {
    /// A row of texels, at s.
    D1,
    /// A rectangle of texels, at (s, t).
    D2,
    /// A box of texels, at (s, t, r).
    D3,
    /// Six squares around a point, in the direction (s, t, r).
    Cube,
}

/// Texels along each axis. What an image does not have is 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    /// Along s.
    pub width: u32,
    /// Along t.
    pub height: u32,
    /// Along r; 1 for cubes.
    pub depth: u32,
}

impl Size {
    /// The size of a 1D image.
    pub const fn d1(width: u32) -> Size {
        Size::d3(width, 1, 1)
    }

    /// The size of a 2D image.
    pub const fn d2(width: u32, height: u32) -> Size {
        Size::d3(width, height, 1)
    }

    /// The size of a 3D image.
    pub const fn d3(width: u32, height: u32, depth: u32) -> Size {
        Size {
            width,
            height,
            depth,
        }
    }

    /// The size of a cube, or rather of a face.
    pub const fn cube(side: u32) -> Size {
        Size::d3(side, side, 1)
    }

    /// Texels along s, t and r.
    pub const fn axes(self) -> [u32; 3] {
        [self.width, self.height, self.depth]
    }

    /// The size of level `level` of an image whose level 0 has this size.
    #[must_use]
    pub fn level(self, level: usize) -> Size {
        let [width, height, depth] = self
            .axes()
            .map(|n| n.checked_shr(level as u32).unwrap_or(0).max(1));
        Size::d3(width, height, depth)
    }

    /// Levels from this size down to 1x1x1.
    pub fn levels(self) -> usize {
        let longest = self.width.max(self.height).max(self.depth);
        longest.max(1).ilog2() as usize + 1
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}x{}", self.width, self.height, self.depth)
    }
}

/// Why bytes are not an image.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ImageError {
    /// A side is 0 or above [`MAX_SIZE`].
    #[error("an image of {0} texels: each side has to be from 1 to {MAX_SIZE}")]
    Size(Size),
    /// A side that this dimension does not have, or a cube whose faces are not square.
    #[error("a size of {size} does not fit a {dimension:?} image")]
    Shape {
        /// What the image was to be.
        dimension: Dimension,
        /// The size.
        size: Size,
    },
    /// No levels, or more than the size has.
    #[error("{given} levels, but an image of {size} has 1 to {most}")]
    Levels {
        /// Levels that were given.
        given: usize,
        /// Size of level 0.
        size: Size,
        /// Levels down to 1x1x1.
        most: usize,
    },
    /// A level with too few bytes or too many.
    #[error("level {level} of {size} in format {format} takes {expected} bytes, not {given}")]
    Bytes {
        /// The level.
        level: usize,
        /// Its size.
        size: Size,
        /// The format.
        format: Format,
        /// Bytes that it takes, with all slices.
        expected: usize,
        /// Bytes that were given.
        given: usize,
    },
    /// The image would take more than [`MAX_BYTES`].
    #[error("the image would take {bytes} bytes; the limit is {MAX_BYTES}")]
    TooLarge {
        /// Bytes that it would take.
        bytes: usize,
    },
    /// A cube does not have six faces.
    #[error("a cube has 6 faces, not {0}")]
    Faces(usize),
    /// The faces of a cube do not have the same number of levels.
    #[error("face {face} has {given} levels, the first one {expected}")]
    FaceLevels {
        /// The face that differs.
        face: usize,
        /// Its levels.
        given: usize,
        /// Levels of the first face.
        expected: usize,
    },
}

/// Where a level is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Its size.
    pub size: Size,
    /// Its first byte in [`Image::bytes`].
    pub offset: usize,
    /// Bytes from a row to the next.
    pub row_bytes: usize,
    /// Bytes from a slice to the next.
    pub slice_bytes: usize,
}

/// An image: what a texture unit samples. It does not change once it is made.
///
/// ```
/// use attila_texture::{Format, Image};
///
/// let board = [[0; 4], [255; 4], [255; 4], [0; 4]].concat();
/// let image = Image::from_rgba8(2, 2, &board)?.with_mipmaps()?;
/// assert_eq!(image.texel(1, 0, [0, 0, 0]), [128.0 / 255.0; 4]);
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

/// What becomes of compressed blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blocks {
    /// The bytes of the original.
    Truncated,
    /// Floats.
    Exact,
}

impl Image {
    /// An image from the bytes of its levels, the largest first. A level is its slices (layers,
    /// or faces in the order +X, -X, +Y, -Y, +Z, -Z), a slice its rows, a row its texels or blocks,
    /// all without gaps. Levels that are left out are not sampled.
    ///
    /// Compressed texels are kept with the 8 bits that the original keeps (isa.md T10).
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
        Image::upload(dimension, format, size, levels, Blocks::Truncated)
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
        Image::upload(dimension, format, size, levels, Blocks::Exact)
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
        let level = |level: usize| -> Vec<u8> {
            faces.iter().flat_map(|face| face[level]).copied().collect()
        };
        let levels: Vec<Vec<u8>> = (0..expected).map(level).collect();
        let levels: Vec<&[u8]> = levels.iter().map(Vec::as_slice).collect();
        Image::from_levels(Dimension::Cube, format, Size::cube(side), &levels)
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

    /// The image with a full chain of levels, down to 1x1x1, made from its level 0.
    ///
    /// A texel is the average of the texels under it: of two along an axis whose size is even, of
    /// three where it is odd, each with the share of it that is covered. Stored values are averaged
    /// as they are, also if they are to be sampled as sRGB; integers round halves up, floats to even.
    ///
    /// # Errors
    ///
    /// The chain would be larger than [`MAX_BYTES`].
    pub fn with_mipmaps(self) -> Result<Image, ImageError> {
        let size = self.size();
        let (levels, total) = layout(self.dimension, self.format, size, size.levels())?;
        let mut bytes = self.bytes;
        bytes.truncate(levels.get(1).map_or(total, |level| level.offset));
        bytes.resize(total, 0);
        let slices = match self.dimension {
            Dimension::Cube => CUBE_FACES,
            Dimension::D1 | Dimension::D2 | Dimension::D3 => 1,
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

    /// What the image's coordinates are.
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

    /// The colour of the texel (column, row, layer or face) of a level, before any sampler.
    ///
    /// # Panics
    ///
    /// If there is no such texel.
    pub fn texel(&self, level: usize, slice: u32, [i, j, k]: [u32; 3]) -> [f32; 4] {
        let size = self.levels[level].size;
        assert!(
            i < size.width && j < size.height,
            "texel ({i}, {j}) of {size}"
        );
        let word = load(self.texel_bytes(level, [i, j, slice + k]));
        self.format.layout().decode(word)
    }

    /// The bytes of the texel (column, row, slice).
    #[inline]
    pub(crate) fn texel_bytes(&self, level: usize, at: [u32; 3]) -> &[u8] {
        let offset = self.levels[level].texel_offset(at, self.texel_bytes);
        &self.bytes[offset..offset + self.texel_bytes]
    }

    fn upload(
        dimension: Dimension,
        format: Format,
        size: Size,
        given: &[&[u8]],
        blocks: Blocks,
    ) -> Result<Image, ImageError> {
        check_shape(dimension, size)?;
        let most = size.levels();
        if !(1..=most).contains(&given.len()) {
            let given = given.len();
            return Err(ImageError::Levels { given, size, most });
        }
        let stored = match blocks {
            Blocks::Exact if format.is_compressed() => Format::Rgba32F,
            Blocks::Exact | Blocks::Truncated => format.stored(),
        };
        let (levels, total) = layout(dimension, stored, size, given.len())?;
        for (index, (level, bytes)) in levels.iter().zip(given).enumerate() {
            let slices = slices(dimension, level.size);
            expect_bytes(index, level.size, format, slices, bytes.len())?;
        }
        let mut bytes = Vec::with_capacity(total);
        for (level, given) in levels.iter().zip(given) {
            append(&mut bytes, format, stored, level, given);
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

impl Level {
    /// The first byte of the texel (column, row, slice), each of `bytes` bytes.
    #[inline]
    pub(crate) fn texel_offset(&self, [i, j, slice]: [u32; 3], bytes: usize) -> usize {
        let (i, j, slice) = (i as usize, j as usize, slice as usize);
        self.offset + slice * self.slice_bytes + j * self.row_bytes + i * bytes
    }
}

fn check_shape(dimension: Dimension, size: Size) -> Result<(), ImageError> {
    if size.axes().iter().any(|n| !(1..=MAX_SIZE).contains(n)) {
        return Err(ImageError::Size(size));
    }
    let fits = match dimension {
        Dimension::D1 => size.height == 1 && size.depth == 1,
        Dimension::D2 => size.depth == 1,
        Dimension::D3 => true,
        Dimension::Cube => size.height == size.width && size.depth == 1,
    };
    if fits {
        Ok(())
    } else {
        Err(ImageError::Shape { dimension, size })
    }
}

/// Layers or faces of a level of this size.
fn slices(dimension: Dimension, size: Size) -> usize {
    match dimension {
        Dimension::Cube => CUBE_FACES,
        Dimension::D1 | Dimension::D2 | Dimension::D3 => size.depth as usize,
    }
}

fn expect_bytes(
    level: usize,
    size: Size,
    format: Format,
    slices: usize,
    given: usize,
) -> Result<(), ImageError> {
    let expected = format
        .slice_bytes(size.width, size.height)
        .checked_mul(slices);
    let expected = expected.unwrap_or(usize::MAX);
    if given == expected {
        return Ok(());
    }
    Err(ImageError::Bytes {
        level,
        size,
        format,
        expected,
        given,
    })
}

/// Where the levels are, and how many bytes they take together.
fn layout(
    dimension: Dimension,
    format: Format,
    size: Size,
    count: usize,
) -> Result<(Vec<Level>, usize), ImageError> {
    let mut levels = Vec::with_capacity(count);
    let mut offset = 0_usize;
    for size in (0..count).map(|level| size.level(level)) {
        let row_bytes = size.width as usize * format.layout().bytes as usize;
        let slice_bytes = row_bytes * size.height as usize;
        levels.push(Level {
            size,
            offset,
            row_bytes,
            slice_bytes,
        });
        offset = offset.saturating_add(slice_bytes.saturating_mul(slices(dimension, size)));
    }
    if offset > MAX_BYTES {
        return Err(ImageError::TooLarge { bytes: offset });
    }
    Ok((levels, offset))
}

/// Appends a level as it is stored.
fn append(bytes: &mut Vec<u8>, format: Format, stored: Format, level: &Level, given: &[u8]) {
    let Some((block, block_bytes)) = format.block() else {
        bytes.extend_from_slice(given);
        return;
    };
    let Size { width, height, .. } = level.size;
    let texel_bytes = stored.layout().bytes as usize;
    let columns = width.div_ceil(BLOCK_SIDE) as usize;
    for slice in given.chunks_exact(format.slice_bytes(width, height)) {
        let start = bytes.len();
        bytes.resize(start + level.slice_bytes, 0);
        for (index, encoded) in slice.chunks_exact(block_bytes).enumerate() {
            let corner = [index % columns, index / columns].map(|at| at as u32 * BLOCK_SIDE);
            let texels: [[u8; 16]; 16] = if stored == Format::Rgba32F {
                blocks::decode_exact(block, encoded).map(float_bytes)
            } else {
                blocks::decode(block, encoded)
                    .map(|[a, b, c, d]| [a, b, c, d, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
            };
            for (texel, value) in (0..).zip(&texels) {
                let (i, j) = (
                    corner[0] + texel % BLOCK_SIDE,
                    corner[1] + texel / BLOCK_SIDE,
                );
                if i < width && j < height {
                    let at = start + j as usize * level.row_bytes + i as usize * texel_bytes;
                    bytes[at..at + texel_bytes].copy_from_slice(&value[..texel_bytes]);
                }
            }
        }
    }
}

fn float_bytes(texel: [f32; 4]) -> [u8; 16] {
    std::array::from_fn(|byte| texel[byte / 4].to_le_bytes()[byte % 4])
}
