//! Shapes of images: sizes, levels, and where their texels are.

use thiserror::Error;

use crate::dimension::{Dimension, MAX_BUFFER_TEXELS, MAX_LAYERS, MAX_SAMPLES};
use crate::format::Format;

/// The most texels along an axis.
pub const MAX_SIZE: u32 = 16_384;

/// The most levels of an image: those of the largest.
pub const MAX_LEVELS: usize = MAX_SIZE.ilog2() as usize + 1;

/// The most bytes of an image as it is kept, so that code can count them in an i32.
pub const MAX_BYTES: usize = i32::MAX as usize;

/// Texels along each axis. The size along an axis that an image does not have is 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    /// Along s.
    pub width: u32,
    /// Along t.
    pub height: u32,
    /// Along r; 1 for cubes and arrays.
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

/// An image without its texels, as the header of a file describes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// The kind of its coordinates.
    pub dimension: Dimension,
    /// The format in which the texels are given.
    pub format: Format,
    /// The size of level 0.
    pub size: Size,
    /// The number of levels.
    pub levels: usize,
}

impl Shape {
    /// The bytes that [`Image::from_levels`](crate::Image::from_levels) makes of it: compressed texels
    /// are kept decoded.
    ///
    /// # Errors
    ///
    /// A size or a number of levels that does not fit, or more than [`MAX_BYTES`].
    pub fn image_bytes(&self) -> Result<usize, ImageError> {
        let (_, bytes) = self.layout(self.format.stored())?;
        Ok(bytes)
    }

    /// The places of the levels if texels are kept in the format `stored`, and the bytes that they take
    /// together.
    pub(crate) fn layout(&self, stored: Format) -> Result<(Vec<Level>, usize), ImageError> {
        let &Shape {
            dimension,
            format,
            size,
            levels: given,
        } = self;
        check_shape(dimension, size, format)?;
        let most = dimension.most_levels(size);
        if !(1..=most).contains(&given) {
            return Err(ImageError::Levels { given, size, most });
        }
        layout(dimension, stored, size, given)
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
        /// The wanted dimension of the image.
        dimension: Dimension,
        /// The size.
        size: Size,
    },
    /// A buffer has no texels, or more than [`MAX_BUFFER_TEXELS`].
    #[error("a buffer of {0} texels; it has to have from 1 to {MAX_BUFFER_TEXELS}")]
    Buffer(u32),
    /// An array has no layers, or more than [`MAX_LAYERS`].
    #[error("an array of {0} layers; it has to have from 1 to {MAX_LAYERS}")]
    Layers(u32),
    /// Texels have no samples, or more than [`MAX_SAMPLES`].
    #[error("texels of {0} samples; they have to have from 1 to {MAX_SAMPLES}")]
    Samples(u32),
    /// A kind of image that has no compressed texels.
    #[error("a {dimension:?} image cannot have texels in the compressed format {format}")]
    Compressed {
        /// The wanted dimension of the image.
        dimension: Dimension,
        /// The format.
        format: Format,
    },
    /// No levels, or more than the size has.
    #[error("{given} levels, but an image of {size} has 1 to {most}")]
    Levels {
        /// Levels that were given.
        given: usize,
        /// Size of level 0.
        size: Size,
        /// Levels down to 1x1x1, or 1 for images that have no others.
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
#[non_exhaustive]
pub struct Level {
    /// Its size.
    pub size: Size,
    /// Its first byte in [`crate::Image::bytes`].
    pub offset: usize,
    /// Bytes from a row to the next.
    pub row_bytes: usize,
    /// Bytes from a slice to the next.
    pub slice_bytes: usize,
}

impl Level {
    /// The first byte of the texel (column, row, slice), each of `bytes` bytes.
    #[inline]
    pub(crate) fn texel_offset(&self, [i, j, slice]: [u32; 3], bytes: usize) -> usize {
        let (i, j, slice) = (i as usize, j as usize, slice as usize);
        self.offset + slice * self.slice_bytes + j * self.row_bytes + i * bytes
    }
}

/// Whether an image of this dimension can have this size and this format.
pub(crate) fn check_shape(
    dimension: Dimension,
    size: Size,
    format: Format,
) -> Result<(), ImageError> {
    check_size(dimension, size)?;
    let (layers, samples) = (dimension.layers(), dimension.samples());
    if !(1..=MAX_LAYERS).contains(&layers) {
        return Err(ImageError::Layers(layers));
    }
    if !(1..=MAX_SAMPLES).contains(&samples) {
        return Err(ImageError::Samples(samples));
    }
    if format.is_compressed() && !dimension.kind().is_sampled() {
        return Err(ImageError::Compressed { dimension, format });
    }
    Ok(())
}

fn check_size(dimension: Dimension, size: Size) -> Result<(), ImageError> {
    let row = size.height == 1 && size.depth == 1;
    let square = size.height == size.width && size.depth == 1;
    let fits = match dimension {
        Dimension::D1 | Dimension::D1Array { .. } | Dimension::Buffer => row,
        Dimension::D2
        | Dimension::Rect
        | Dimension::D2Array { .. }
        | Dimension::D2Ms { .. }
        | Dimension::D2MsArray { .. } => size.depth == 1,
        Dimension::D3 => true,
        Dimension::Cube | Dimension::CubeArray { .. } => square,
    };
    if dimension == Dimension::Buffer {
        if !(1..=MAX_BUFFER_TEXELS).contains(&size.width) {
            return Err(ImageError::Buffer(size.width));
        }
    } else if size.axes().iter().any(|n| !(1..=MAX_SIZE).contains(n)) {
        return Err(ImageError::Size(size));
    }
    if fits {
        Ok(())
    } else {
        Err(ImageError::Shape { dimension, size })
    }
}

/// Whether a level of this many slices takes as many bytes as were given.
pub(crate) fn expect_bytes(
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
pub(crate) fn layout(
    dimension: Dimension,
    format: Format,
    size: Size,
    count: usize,
) -> Result<(Vec<Level>, usize), ImageError> {
    let mut levels = Vec::with_capacity(count);
    let mut offset = 0_usize;
    for size in (0..count).map(|level| size.level(level)) {
        let row_bytes = size.width as usize * format.layout().bytes as usize;
        let slice_bytes = row_bytes.saturating_mul(size.height as usize);
        levels.push(Level {
            size,
            offset,
            row_bytes,
            slice_bytes,
        });
        offset = offset.saturating_add(slice_bytes.saturating_mul(dimension.slices(size)));
    }
    if offset > MAX_BYTES {
        return Err(ImageError::TooLarge { bytes: offset });
    }
    Ok((levels, offset))
}
