//! Pixels that draws store to: [`ColourBuffer`] and [`DepthBuffer`] borrow them.

use attila_machine::SampleCount;
use attila_machine::pipeline::{ColourFormat, DepthFormat, SamplePlanes, Surface, TargetName};
use bytemuck::Pod;

use super::error::DrawError;

/// The most pixels along a side of a target.
pub const MAX_SIZE: u32 = 1 << 15;

/// The most bytes that memory can have.
const FARTHEST: usize = isize::MAX.cast_unsigned();

/// How the pixels of a buffer are stored.
pub trait PixelFormat: Copy {
    /// Bytes of a pixel, or of one of its samples.
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

/// Rows of pixels in somebody's memory: a plane of them for each sample.
///
/// Words of pixels are little-endian on every host. No alignment is asked for.
#[derive(Debug)]
pub struct Buffer<'a, F> {
    format: F,
    width: u32,
    height: u32,
    pitch: usize,
    memory: Memory<'a>,
}

/// The memory of a buffer.
#[derive(Debug)]
enum Memory<'a> {
    /// Planes one after another.
    Joined {
        bytes: &'a mut [u8],
        samples: SampleCount,
        /// Bytes from one plane to the next; `None` if there is no gap.
        sample_pitch: Option<usize>,
    },
    /// A piece for each plane.
    Separate(Box<[&'a mut [u8]]>),
    /// None yet.
    Absent(SampleCount),
}

/// A colour target.
pub type ColourBuffer<'a> = Buffer<'a, ColourFormat>;

/// The format of a target whose pixels come with each frame, for [`Draw::prepare`](super::Draw::prepare).
impl<F: PixelFormat> From<F> for Buffer<'_, F> {
    fn from(format: F) -> Self {
        Buffer {
            format,
            width: 0,
            height: 0,
            pitch: 0,
            memory: Memory::Absent(SampleCount::One),
        }
    }
}

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
            memory: Memory::Joined {
                bytes: bytemuck::cast_slice_mut(pixels),
                samples: SampleCount::One,
                sample_pitch: None,
            },
        }
    }

    /// The same with several samples, each in memory of its own: 1, 2, 4, 8 or 16 pieces. It allocates a
    /// list of them.
    pub fn from_planes<T: Pod>(
        format: F,
        width: u32,
        height: u32,
        planes: impl IntoIterator<Item = &'a mut [T]>,
    ) -> Self {
        let planes = planes.into_iter().map(bytemuck::cast_slice_mut);
        Buffer {
            width,
            height,
            pitch: width as usize * format.bytes(),
            memory: Memory::Separate(planes.collect()),
            ..Buffer::from(format)
        }
    }

    /// With `samples` samples for each pixel: as many planes, one after another in the same memory. Of a
    /// buffer [of separate planes](Buffer::from_planes) these stay the samples.
    #[must_use]
    pub fn with_samples(mut self, count: SampleCount) -> Self {
        if let Memory::Joined { samples, .. } | Memory::Absent(samples) = &mut self.memory {
            *samples = count;
        }
        self
    }

    /// With `bytes` bytes from one sample's plane to the next, which must not overlap. Unless it is set
    /// they are [`Buffer::with_pitch`] times the height.
    #[must_use]
    pub fn with_sample_pitch(mut self, bytes: usize) -> Self {
        if let Memory::Joined { sample_pitch, .. } = &mut self.memory {
            *sample_pitch = Some(bytes);
        }
        self
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

    /// How pixels are stored, if there are any.
    pub(crate) fn stored(&self) -> Option<F> {
        match self.memory {
            Memory::Joined { .. } | Memory::Separate(_) => Some(self.format),
            Memory::Absent(_) => None,
        }
    }

    /// Pixels in a row, and rows.
    pub(crate) fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// Samples of a pixel; one of a buffer with another number of planes, which draws refuse.
    pub fn samples(&self) -> SampleCount {
        match &self.memory {
            Memory::Joined { samples, .. } | Memory::Absent(samples) => *samples,
            Memory::Separate(planes) => SampleCount::of(planes.len()).unwrap_or_default(),
        }
    }

    /// As an engine sees it, after [a check](Buffer::check).
    pub(crate) fn surface(&mut self) -> Surface<'_> {
        let apart = self.plane_pitch();
        let planes = match &mut self.memory {
            Memory::Separate(planes) => planes.iter_mut().map(|plane| &mut **plane).collect(),
            Memory::Joined { bytes, samples, .. } => {
                let mut rest = &mut **bytes;
                let before = (1..samples.count()).map(|_| {
                    let at = rest.len().min(apart);
                    rest.split_off_mut(..at).unwrap_or_default()
                });
                let mut planes: SamplePlanes<'_> = before.collect();
                planes.push(rest);
                planes
            }
            Memory::Absent(_) => SamplePlanes::new(),
        };
        Surface {
            planes,
            pitch: self.pitch,
            origin: [0, 0],
        }
    }

    /// Bytes from one plane to the next in joined memory.
    fn plane_pitch(&self) -> usize {
        match self.memory {
            Memory::Joined {
                sample_pitch: Some(bytes),
                ..
            } => bytes,
            Memory::Joined { .. } | Memory::Separate(_) | Memory::Absent(_) => {
                self.pitch.saturating_mul(self.height as usize)
            }
        }
    }

    /// Checks that all pixels are there, and that neither rows nor planes overlap and all are within
    /// the reach of memory.
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
        self.check_planes(target, self.needed(row))?;
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

    /// Checks that planes have `plane` bytes each and do not overlap.
    fn check_planes(&self, target: TargetName, plane: usize) -> Result<(), DrawError> {
        let (bytes, needed) = match &self.memory {
            Memory::Joined { bytes, samples, .. } => {
                let apart = self.plane_pitch();
                if *samples > SampleCount::One && apart < plane {
                    return Err(DrawError::SamplePitch {
                        target,
                        sample_pitch: apart,
                        plane,
                    });
                }
                let before = match plane {
                    0 => 0,
                    _ => apart.saturating_mul(samples.count() - 1),
                };
                (bytes.len(), before.saturating_add(plane))
            }
            Memory::Separate(planes) => {
                if SampleCount::of(planes.len()).is_none() {
                    return Err(DrawError::Planes {
                        target,
                        planes: planes.len(),
                    });
                }
                let shortest = planes.iter().map(|plane| plane.len()).min();
                (shortest.unwrap_or(0), plane)
            }
            Memory::Absent(_) => (0, 0),
        };
        if needed > bytes {
            return Err(DrawError::TooShort {
                target,
                bytes,
                needed,
            });
        }
        Ok(())
    }

    /// Bytes up to the end of the last pixel of a plane.
    fn needed(&self, row: usize) -> usize {
        if self.width == 0 || self.height == 0 {
            return 0;
        }
        let above = self.pitch.saturating_mul(self.height as usize - 1);
        above.saturating_add(row)
    }
}
