//! [`Targets`]: the pixels that a draw stores to.

use attila_machine::SampleCount;
use attila_machine::pipeline::{Surface, Surfaces, TARGETS, TargetName};

use super::buffer::{Buffer, ColourBuffer, DepthBuffer, PixelFormat};
use super::error::DrawError;
use super::rectangle::Rectangle;

/// The most pixels along a side of a picture that targets are [a tile of](super::Draw::origin).
pub const MAX_PICTURE: u32 = 1 << 16;

/// The buffers that are drawn to.
#[derive(Default, Debug)]
pub(crate) struct Targets<'a> {
    pub(crate) colours: [Option<ColourBuffer<'a>>; TARGETS],
    pub(crate) depth: Option<DepthBuffer<'a>>,
}

impl Targets<'_> {
    /// Checks that there is one, and that all are complete, equally large, and have equally many samples.
    pub(crate) fn check(&self) -> Result<(), DrawError> {
        let mut first = None;
        let colours = self.colours.iter().enumerate().filter_map(|(index, it)| {
            let buffer = it.as_ref()?;
            let name = TargetName::Colour(index);
            Some((name, (buffer.size(), buffer.samples()), buffer.check(name)))
        });
        let depth = self.depth.iter().map(|buffer| {
            let name = TargetName::Depth;
            (name, (buffer.size(), buffer.samples()), buffer.check(name))
        });
        for (target, (size, samples), checked) in colours.chain(depth) {
            checked?;
            let (other, other_size, other_samples) = *first.get_or_insert((target, size, samples));
            if size != other_size {
                return Err(DrawError::Sizes {
                    target,
                    size,
                    other,
                    other_size,
                });
            }
            if samples != other_samples {
                return Err(DrawError::Samples {
                    target,
                    samples: samples.count(),
                    other,
                    other_samples: other_samples.count(),
                });
            }
        }
        first.map(|_| ()).ok_or(DrawError::NoTarget)
    }

    /// Columns and rows; all targets have the same.
    pub(super) fn size(&self) -> [u32; 2] {
        let mut colours = self.colours.iter().flatten().map(ColourBuffer::size);
        let depth = self.depth.as_ref().map(DepthBuffer::size);
        colours.next().or(depth).unwrap_or_default()
    }

    /// The name of one that there is.
    pub(super) fn first(&self) -> TargetName {
        let colour = self.colours.iter().position(Option::is_some);
        colour.map_or(TargetName::Depth, TargetName::Colour)
    }

    /// Samples of a pixel; all targets have the same.
    pub(super) fn samples(&self) -> SampleCount {
        let mut colours = self.colours.iter().flatten().map(ColourBuffer::samples);
        let depth = self.depth.as_ref().map(DepthBuffer::samples);
        colours.next().or(depth).unwrap_or_default()
    }

    /// Bytes of a pixel of each target.
    pub(super) fn pixel_bytes(&self) -> [usize; TARGETS + 1] {
        std::array::from_fn(|index| match self.colours.get(index) {
            Some(colour) => colour.as_ref().map_or(0, |it| it.format().size()),
            None => self.depth.as_ref().map_or(0, |it| it.format().size()),
        })
    }

    /// As an engine sees them, after [a check](Targets::check): where in a picture, and without the columns and rows
    /// that are not in it.
    pub(super) fn surfaces(&mut self, tile: Tile) -> Surfaces<'_> {
        Surfaces {
            colours: self
                .colours
                .each_mut()
                .map(|colour| colour.as_mut().map(|it| tile.surface(it))),
            depth: self.depth.as_mut().map(|it| tile.surface(it)),
        }
    }
}

/// The place of targets in a larger picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile {
    /// The place of their first pixel.
    pub(crate) origin: [i32; 2],
    /// Columns and rows of the picture.
    pub(crate) picture: [u32; 2],
}

impl Tile {
    /// The pixels of the picture that targets of a size have.
    pub(super) fn bounds(&self, [width, height]: [u32; 2]) -> Rectangle {
        let range = |axis: usize, side: u32| {
            let start = i64::from(self.origin[axis]);
            start..start + i64::from(side)
        };
        Rectangle::all(self.picture).intersection(range(0, width), range(1, height))
    }

    /// A buffer without the columns and rows before the picture.
    fn surface<'b, F: PixelFormat>(self, buffer: &'b mut Buffer<'_, F>) -> Surface<'b> {
        let pixel = buffer.format().bytes();
        let mut surface = buffer.surface();
        let [columns, rows] = self.origin.map(|at| at.min(0).unsigned_abs() as usize);
        let before = rows
            .saturating_mul(surface.pitch)
            .saturating_add(columns * pixel);
        for plane in &mut surface.planes {
            let bytes = std::mem::take(plane);
            *plane = bytes.split_at_mut(before.min(bytes.len())).1;
        }
        surface.origin = self.origin.map(|at| at.max(0).cast_unsigned());
        surface
    }
}
