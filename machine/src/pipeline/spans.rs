//! The data that a draw hands to an engine: rows of quads, their inputs, and the pixels to store
//! to.

use attila_isa::Inputs;
use smallvec::{SmallVec, smallvec};
use thiserror::Error;

use crate::bindings::Bindings;
use crate::engine::{PrepareError, RunError};
use crate::pipeline::{SpanFault, TARGETS, TargetName};
use crate::samples::{SampleCount, SamplePositions};
use crate::state::QuadReg;

/// A value that changes linearly over the window: `at` at the primitive's anchor, and how much it
/// grows per pixel along x and y.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
#[repr(C)]
pub struct Plane {
    /// The value at the anchor.
    pub at: f32,
    /// Per pixel to the right.
    pub dx: f32,
    /// Per row.
    pub dy: f32,
}

impl Plane {
    /// The plane that starts from `to` instead of `from`, rounded once.
    #[must_use]
    pub fn moved(self, from: [f32; 2], to: [f32; 2]) -> Plane {
        let [right, down] = [0, 1].map(|axis| f64::from(to[axis]) - f64::from(from[axis]));
        let [at, dx, dy] = [self.at, self.dx, self.dy].map(f64::from);
        Plane {
            at: (at + right * dx + down * dy) as f32,
            ..self
        }
    }
}

/// Quads next to each other in a row.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub struct Span {
    /// Column of the first quad's left pixels.
    pub x: u32,
    /// Row of its upper pixels.
    pub y: u32,
    /// The number of quads: at least 1, and at most [`Span::MOST_QUADS`].
    pub quads: u32,
    /// The primitive that they belong to.
    pub primitive: u32,
    /// Place of the first quad in [`Batch::coverage`] and [`Batch::arrays`].
    pub first: u32,
}

impl Span {
    /// The most quads of a span: engines number them with 24 bits.
    pub const MOST_QUADS: u32 = (1 << 24) - 1;
}

/// Spans to be shaded in their order, and their inputs.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The spans. No two quads of one span are the same.
    pub spans: &'a [Span],
    /// The fragments or samples to keep of each quad, [in so many
    /// bytes](super::Pipeline::coverage_bytes). Empty if the pipeline does not ask.
    pub coverage: &'a [u8],
    /// The positions of the pipeline's samples.
    pub positions: SamplePositions,
    /// For each primitive the point that its planes start from. Its distances to the centres of
    /// pixels have to be exact: multiples of 1/256 within 2^15 are, and of 1/2 within 2^22.
    pub anchors: &'a [[f32; 2]],
    /// The planes of each primitive in turn, as many as [`Pipeline::planes`](super::Pipeline::planes) has.
    pub planes: &'a [Plane],
    /// One register per quad for each input that has [`InputKind::Array`](super::InputKind::Array)
    /// components.
    pub arrays: &'a Inputs<&'a [QuadReg]>,
    /// The reference of [`Pipeline::alpha_test`](super::Pipeline::alpha_test).
    pub alpha_reference: f32,
    /// The constant colour of blending.
    pub blend_constant: [f32; 4],
}

/// A plane of pixels for each sample. One alone is not allocated for, and small: frames hand surfaces on often.
pub type SamplePlanes<'a> = SmallVec<[&'a mut [u8]; 1]>;

/// Rows of pixels in memory, once for each sample of a pixel.
#[derive(Debug)]
pub struct Surface<'a> {
    /// The pixels.
    pub planes: SamplePlanes<'a>,
    /// Bytes from one row to the next, in every plane.
    pub pitch: usize,
    /// Column and row of the pixel that planes begin with. Spans may be to the right and below.
    pub origin: [u32; 2],
}

impl<'a> Surface<'a> {
    /// A surface with one sample for each pixel.
    pub fn new(bytes: &'a mut [u8], pitch: usize, origin: [u32; 2]) -> Surface<'a> {
        Surface {
            planes: smallvec![bytes],
            pitch,
            origin,
        }
    }

    /// Whether every pixel of the span, `size` bytes each, is in the first `samples` planes. The right
    /// ends of rows are not looked at: the next row follows there.
    pub fn holds(&self, span: &Span, size: usize, samples: SampleCount) -> bool {
        let [left, top] = self.origin.map(|start| start as usize);
        let column = (span.x as usize).checked_sub(left);
        let row = (span.y as usize).checked_sub(top);
        let (Some(column), Some(row)) = (column, row) else {
            return false;
        };
        // With 32-bit coordinates, and pitches that are no longer than a slice, nothing overflows
        // 128 bits.
        let end = (row as u128 + 1) * self.pitch as u128
            + (column as u128 + 2 * u128::from(span.quads)) * size as u128;
        let planes = self.planes.get(..samples.count());
        planes.is_some_and(|planes| planes.iter().all(|bytes| end <= bytes.len() as u128))
    }
}

/// The surfaces that a draw stores to.
#[derive(Default, Debug)]
pub struct Surfaces<'a> {
    /// A surface for each of [`Pipeline::targets`](super::Pipeline::targets).
    pub colours: [Option<Surface<'a>>; TARGETS],
    /// The surface of [`Pipeline::depth`](super::Pipeline::depth).
    pub depth: Option<Surface<'a>>,
}

/// The reason why spans could not be finished. Everything earlier in the batch is stored.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SpanError {
    /// A lane took more backward jumps than it may.
    #[error(
        "the jump at instruction {pc} took more than {budget} backward jumps \
         in the 2x2 pixels at ({x}, {y})"
    )]
    LoopBudget {
        /// Index of the jump that was one too many.
        pc: usize,
        /// The budget.
        budget: u32,
        /// Column of the quad's left pixels.
        x: u32,
        /// Row of its upper pixels.
        y: u32,
    },
    /// Textures of other kinds are bound than the pipeline was prepared for, and the engine cannot
    /// compile the program for them.
    #[error("no code for textures of these kinds")]
    Compile(#[source] PrepareError),
    /// A target of the pipeline has no surface. Nothing was shaded.
    #[error("{0} has no surface")]
    MissingSurface(TargetName),
    /// Primitives have too few planes. Nothing was shaded.
    #[error("{primitives} primitives have {needed} planes each; there are {planes}")]
    MissingPlanes {
        /// Primitives of the batch.
        primitives: usize,
        /// Planes of each in this pipeline.
        needed: usize,
        /// Planes of the batch.
        planes: usize,
    },
    /// A span is too short, too long, or refers to something that is not there. Nothing was shaded.
    #[error("span {index} {fault}")]
    Span {
        /// Index of the span in its batch.
        index: usize,
        /// Its fault.
        fault: SpanFault,
    },
    /// The run stopped for a reason that has nothing to do with a pixel.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// A program within a [`Pipeline`](super::Pipeline), ready to shade spans. Threads may share it.
pub trait SpanShader: Send + Sync {
    /// Shades the spans of `batch` in their order.
    ///
    /// # Errors
    ///
    /// Something that the batch [has to have](Batch::check) is missing, and nothing was shaded. Or the
    /// first quad in order that could not be finished; quads before it are stored, it and those
    /// after it are not.
    ///
    /// # Panics
    ///
    /// If a texture unit or attribute source does. Which quads are stored is unspecified.
    fn shade(
        &self,
        bindings: &Bindings<'_>,
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
    ) -> Result<(), SpanError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surface_holds_exactly_its_pixels() {
        let mut bytes = [0; 4 * 8 * 6];
        let surface = Surface::new(&mut bytes, 4 * 8, [10, 20]);
        let span = |x, y, quads| Span {
            x,
            y,
            quads,
            ..Span::default()
        };
        for (span, holds) in [
            (span(10, 20, 4), true),
            (span(10, 24, 4), true),
            (span(16, 24, 1), true),
            (span(18, 24, 1), false),
            (span(10, 26, 1), false),
            (span(8, 20, 1), false),
            (span(10, 18, 1), false),
            (span(u32::MAX, u32::MAX, u32::MAX), false),
        ] {
            assert_eq!(surface.holds(&span, 4, SampleCount::One), holds, "{span:?}");
            assert!(!surface.holds(&span, 4, SampleCount::Two), "{span:?}");
        }
    }
}
