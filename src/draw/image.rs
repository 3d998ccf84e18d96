//! Pixels that draws store to: [`ColourImage`] and [`DepthImage`] own them.

use attila_machine::SampleCount;
use attila_machine::pipeline::{ColourFormat, DepthFormat};
use bytemuck::Pod;

use super::buffer::{Buffer, MAX_SIZE, PixelFormat};

/// Bytes between the planes of samples. Planes would often begin at the same place of a cache's sets, and
/// drive each other out of it: with 16 samples a draw took five times as long.
const GAP: usize = 256;

/// Pixels in memory that the image owns, rows from the top and without gaps: a plane of them for each
/// sample, [one after another](TargetImage::sample_pitch).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetImage<F> {
    format: F,
    width: u32,
    height: u32,
    samples: SampleCount,
    bytes: Vec<u8>,
}

/// Colours in memory that the image owns.
pub type ColourImage = TargetImage<ColourFormat>;

/// Depths in memory that the image owns.
pub type DepthImage = TargetImage<DepthFormat>;

impl<F: PixelFormat> TargetImage<F> {
    /// With all bytes 0. An image with a side longer than [`MAX_SIZE`], which draws refuse, has no bytes.
    pub fn new(format: F, width: u32, height: u32) -> TargetImage<F> {
        TargetImage::multisampled(format, width, height, SampleCount::One)
    }

    /// With several samples for each pixel, and all bytes 0. An image with a side longer than
    /// [`MAX_SIZE`] has no bytes, and neither has one for which there is no memory: draws refuse both.
    pub fn multisampled(
        format: F,
        width: u32,
        height: u32,
        samples: SampleCount,
    ) -> TargetImage<F> {
        let bytes = match width.max(height) <= MAX_SIZE {
            true => memory([width, height], format.bytes(), samples).unwrap_or(usize::MAX),
            false => 0,
        };
        TargetImage {
            format,
            width,
            height,
            samples,
            bytes: zeros(bytes),
        }
    }

    /// Makes every sample of every pixel the given one.
    ///
    /// # Panics
    ///
    /// If `pixel` is not as large as a pixel of the image.
    pub fn fill<T: Pod>(&mut self, pixel: T) {
        let pixel = bytemuck::bytes_of(&pixel);
        assert_eq!(pixel.len(), self.format.bytes(), "bytes of a pixel");
        // A copy of one pixel would be a call, and one of many is, too.
        let pixels = pixel.repeat(256);
        for places in self.bytes.chunks_mut(pixels.len()) {
            places.copy_from_slice(&pixels[..places.len()]);
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

    /// Samples of a pixel.
    pub fn samples(&self) -> SampleCount {
        self.samples
    }

    /// The pixels, row by row; of an image with several samples, its [planes](TargetImage::sample) and what lies
    /// between.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same bytes, owned: those of sample 0 first.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Bytes from one sample's plane to the next, or to the end.
    pub fn sample_pitch(&self) -> usize {
        self.bytes.len() / self.samples.count()
    }

    /// The pixel in a column of a row, of sample 0. `None` outside the image, or if it is not as large
    /// as a `T`.
    pub fn pixel<T: Pod>(&self, x: u32, y: u32) -> Option<T> {
        self.sample(0).pixel(x, y)
    }

    /// One sample of all pixels. A sample that pixels do not have has no bytes.
    pub fn sample(&self, sample: usize) -> SamplePlane<'_, F> {
        let plane = self.width as usize * self.height as usize * self.format.bytes();
        let from = sample.saturating_mul(self.sample_pitch());
        let bytes = self.bytes.get(from..).and_then(|rest| rest.get(..plane));
        SamplePlane {
            format: self.format,
            width: self.width,
            bytes: bytes.unwrap_or_default(),
        }
    }
}

/// Bytes of all planes and gaps, if they can be counted.
fn memory(size: [u32; 2], pixel: usize, samples: SampleCount) -> Option<usize> {
    let [width, height] = size.map(|side| side as usize);
    let plane = width.checked_mul(height)?.checked_mul(pixel)?;
    match samples {
        SampleCount::One => Some(plane),
        SampleCount::Two | SampleCount::Four | SampleCount::Eight | SampleCount::Sixteen => {
            plane.checked_add(GAP)?.checked_mul(samples.count())
        }
    }
}

/// Zeros, or nothing where there is no memory for them.
fn zeros(bytes: usize) -> Vec<u8> {
    // Asked for first, as the macro does not return where there is none. It is the macro that gets
    // zeros from the system without writing them.
    let mut asked: Vec<u8> = Vec::new();
    match asked.try_reserve_exact(bytes) {
        Ok(()) => {
            drop(asked);
            vec![0; bytes]
        }
        Err(_) => asked,
    }
}

impl<'a, F: PixelFormat> From<&'a mut TargetImage<F>> for Buffer<'a, F> {
    fn from(image: &'a mut TargetImage<F>) -> Self {
        let (samples, pitch) = (image.samples, image.sample_pitch());
        let buffer = Buffer::new(image.format, image.width, image.height, &mut image.bytes);
        match samples {
            SampleCount::One => buffer,
            SampleCount::Two | SampleCount::Four | SampleCount::Eight | SampleCount::Sixteen => {
                buffer.with_samples(samples).with_sample_pitch(pitch)
            }
        }
    }
}

/// One sample of all pixels of an [`TargetImage`].
#[derive(Clone, Copy, Debug)]
pub struct SamplePlane<'a, F> {
    format: F,
    width: u32,
    bytes: &'a [u8],
}

impl<'a, F: PixelFormat> SamplePlane<'a, F> {
    /// The pixels, row by row.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
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
