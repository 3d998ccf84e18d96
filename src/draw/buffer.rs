//! Pixels that draws store to: [`ColourBuffer`] and [`DepthBuffer`] borrow them, [`ColourImage`] and
//! [`DepthImage`] own them.

use attila_machine::pipeline::{ColourFormat, DepthFormat, Surface, TargetName};
use bytemuck::Pod;

use super::error::DrawError;

/// The most pixels along a side of a target.
pub const MAX_SIZE: u32 = 1 << 15;

/// The most bytes that memory can have.
const FARTHEST: usize = isize::MAX.cast_unsigned();

/// How the pixels of a buffer are stored.
pub trait PixelFormat: Copy {
    /// Bytes of a pixel.
    fn bytes(self) -> usize;
}

impl PixelFormat for ColourFormat {
    fn bytes(self) -> usize {
        self.size()
    }
}

impl PixelFormat for DepthFormat {
    fn bytes(self) -> usize {
        self.size()
    }
}

/// Rows of pixels in somebody's memory.
///
/// Words of pixels are little-endian on every host. No alignment is asked for.
#[derive(Debug)]
pub struct Buffer<'a, F> {
    format: F,
    width: u32,
    height: u32,
    pitch: usize,
    bytes: &'a mut [u8],
}

/// A colour target.
pub type ColourBuffer<'a> = Buffer<'a, ColourFormat>;

/// A depth target.
pub type DepthBuffer<'a> = Buffer<'a, DepthFormat>;

impl<'a, F: PixelFormat> Buffer<'a, F> {
    /// `width` times `height` pixels, rows from the top and without gaps. `pixels` may be bytes,
    /// words, or arrays of them, such as `[u8; 4]`, `f32` or `[f32; 4]`. Whether there are enough is
    /// found out by the draw.
    pub fn new<T: Pod>(format: F, width: u32, height: u32, pixels: &'a mut [T]) -> Self {
        Buffer {
            format,
            width,
            height,
            pitch: width as usize * format.bytes(),
            bytes: bytemuck::cast_slice_mut(pixels),
        }
    }

    /// With `pitch` bytes from one row to the next: at least those of a row, even if there is only
    /// one.
    #[must_use]
    pub fn with_pitch(mut self, pitch: usize) -> Self {
        self.pitch = pitch;
        self
    }

    /// How pixels are stored.
    pub fn format(&self) -> F {
        self.format
    }

    /// Pixels in a row, and rows.
    pub(crate) fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// The same pixels, for a while.
    pub(crate) fn reborrow(&mut self) -> Buffer<'_, F> {
        Buffer {
            format: self.format,
            width: self.width,
            height: self.height,
            pitch: self.pitch,
            bytes: self.bytes,
        }
    }

    /// As an engine sees it.
    pub(crate) fn surface(self) -> Surface<'a> {
        Surface {
            bytes: self.bytes,
            pitch: self.pitch,
            origin: [0, 0],
        }
    }

    /// Checks that all pixels are there, and that rows do not overlap and are within the reach of
    /// memory.
    pub(crate) fn check(&self, target: TargetName) -> Result<(), DrawError> {
        let row = self.width as usize * self.format.bytes();
        if self.width.max(self.height) > MAX_SIZE {
            return Err(DrawError::TooLarge {
                target,
                size: self.size(),
            });
        }
        if self.height > 0 && self.pitch < row {
            return Err(DrawError::Pitch {
                target,
                pitch: self.pitch,
                row,
            });
        }
        let needed = self.needed(row);
        if needed > self.bytes.len() {
            return Err(DrawError::TooShort {
                target,
                bytes: self.bytes.len(),
                needed,
            });
        }
        // With several rows, pixels would be missing.
        if self.pitch > FARTHEST {
            return Err(DrawError::PitchTooLarge {
                target,
                pitch: self.pitch,
                limit: FARTHEST,
            });
        }
        Ok(())
    }

    /// Bytes up to the end of the last pixel.
    fn needed(&self, row: usize) -> usize {
        if self.width == 0 || self.height == 0 {
            return 0;
        }
        let above = self.pitch.saturating_mul(self.height as usize - 1);
        above.saturating_add(row)
    }
}

/// Pixels in memory that the image owns, rows from the top and without gaps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image<F> {
    format: F,
    width: u32,
    height: u32,
    bytes: Vec<u8>,
}

/// Colours in memory that the image owns.
pub type ColourImage = Image<ColourFormat>;

/// Depths in memory that the image owns.
pub type DepthImage = Image<DepthFormat>;

impl<F: PixelFormat> Image<F> {
    /// With all bytes 0. An image with a side longer than [`MAX_SIZE`], which draws refuse, has no bytes.
    pub fn new(format: F, width: u32, height: u32) -> Image<F> {
        let bytes = if width.max(height) <= MAX_SIZE {
            width as usize * height as usize * format.bytes()
        } else {
            0
        };
        Image {
            format,
            width,
            height,
            bytes: vec![0; bytes],
        }
    }

    /// Makes every pixel the given one.
    ///
    /// # Panics
    ///
    /// If `pixel` is not as large as a pixel of the image.
    pub fn fill<T: Pod>(&mut self, pixel: T) {
        let pixel = bytemuck::bytes_of(&pixel);
        for place in self.bytes.chunks_exact_mut(self.format.bytes()) {
            place.copy_from_slice(pixel);
        }
    }

    /// How pixels are stored.
    pub fn format(&self) -> F {
        self.format
    }

    /// Pixels in a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The pixels, row by row.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The pixel in a column of a row. `None` outside the image, or if it is not as large as a `T`.
    pub fn pixel<T: Pod>(&self, x: u32, y: u32) -> Option<T> {
        let size = self.format.bytes();
        if x >= self.width {
            return None;
        }
        let at = (y as usize * self.width as usize + x as usize) * size;
        let bytes = self.bytes.get(at..at + size)?;
        bytemuck::try_pod_read_unaligned(bytes).ok()
    }
}

impl<'a, F: PixelFormat> From<&'a mut Image<F>> for Buffer<'a, F> {
    fn from(image: &'a mut Image<F>) -> Self {
        Buffer::new(image.format, image.width, image.height, &mut image.bytes)
    }
}
