//! [`DrawError`]: what can be wrong with a draw.

use std::fmt;
use std::ops::Range;

use attila_isa::{INPUTS, Slots, Stage};
use attila_machine::pipeline::{SpanError, TargetName};
use attila_machine::{PrepareError, RunError};
use thiserror::Error;

use super::buffer::MAX_SIZE;
use super::raster::MAX_DISTANCES;
use super::targets::MAX_PICTURE;
use super::vertices::VertexError;

/// A mixture that no engine draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// The program is not for fragments.
    #[error("the program is a {0} program")]
    Stage(Stage),
    /// The program writes storage buffers. Draws shade lanes that no pixel is behind, and in no
    /// certain order.
    #[error("the program writes storage buffers, which only runs do")]
    StorageWrites,
    /// Depth is tested, and `i0.z` does not come from a plane.
    #[error("depth is tested, but i0.z is not a linear or flat input")]
    DepthWithoutPlane,
    /// An input is perspective, and `i0.w` does not come from a plane.
    #[error("the draw has perspective inputs, but i0.w is not a linear or flat input")]
    PerspectiveWithoutPlane,
    /// The position of pixels as an input other than `i0`.
    #[error("input i{0} is set to the position; only i0 can be")]
    PositionElsewhere(usize),
    /// More samples for coverage than targets have, with a depth target.
    #[error("the raster has samples of its own, but there is a depth target")]
    RasterSamplesWithDepth,
    /// The same with targets that have several samples themselves.
    #[error("the raster has samples of its own, but the targets have several, too")]
    RasterSamplesOfSamples,
    /// The same with a program that runs for each sample.
    #[error("the raster has samples of its own, which the program cannot run for")]
    RasterSamplesShaded,
    /// Attributes of vertices in a draw without vertices.
    #[error("input i{0} is a vertex attribute, but the draw has no triangles")]
    AttributeWithoutVertices(usize),
    /// Clip or cull distances in a draw without vertices.
    #[error("attribute {0} is a distance of vertices, but the draw has no triangles")]
    DistanceWithoutVertices(usize),
    /// An input that goes round a cylinder, and does not come from vertices.
    #[error("input i{0} goes round a cylinder, but is not a vertex attribute")]
    WrapWithoutVertices(usize),
    /// Arrays of quads where there is no list of quads.
    #[error("input i{0} is an array over quads, but the draw has no list of quads")]
    ArrayWithoutQuads(usize),
    /// An input that the program asks for at other places of pixels than their centres, of which arrays
    /// know nothing.
    #[error("input i{0} is an array over quads; `evalo`, `evalc` and `evals` cannot read it")]
    EvaluatedArray(usize),
}

/// Why a draw was not made, or could not be finished.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DrawError {
    /// There is neither a colour target nor a depth target.
    #[error("the draw has no target")]
    NoTarget,
    /// There are eight colour targets.
    #[error("colour target {0} does not exist; the last is 7")]
    TargetIndex(usize),
    /// There are more clip distances, or cull distances, than a draw may have.
    #[error("the limit is {MAX_DISTANCES} clip distances and {MAX_DISTANCES} cull distances")]
    Distances,
    /// There are fewer inputs.
    #[error("input i{0} does not exist; the last is i{last}", last = INPUTS - 1)]
    InputIndex(usize),
    /// The [anchor](super::Draw::anchor) is farther away than [`MAX_ANCHOR`](super::MAX_ANCHOR), or
    /// not a number.
    #[error(
        "the anchor is at ({}, {}); the limit is 16777216 pixels along either axis",
        at[0], at[1]
    )]
    Anchor {
        /// The point that was given.
        at: [f32; 2],
    },
    /// The picture that targets are [a tile of](super::Draw::origin) is larger than
    /// [`MAX_PICTURE`](super::MAX_PICTURE).
    #[error("the picture has {}x{} pixels; no side may be longer than {MAX_PICTURE}", size[0], size[1])]
    Picture {
        /// Its size.
        size: [u32; 2],
    },
    /// A target that blending, a write mask or a prepared draw asks for, but that is not given.
    #[error("{0} is not given")]
    MissingTarget(TargetName),
    /// A target that the prepared draw does not have.
    #[error("{0} was missing when the draw was prepared")]
    UnexpectedTarget(TargetName),
    /// A target of another format than the draw was prepared for.
    #[error("the format of {0} has changed since the draw was prepared")]
    FormatChanged(TargetName),
    /// Targets are not equally large.
    #[error(
        "{target} has {}x{} pixels, but {other} has {}x{}",
        size[0], size[1], other_size[0], other_size[1]
    )]
    Sizes {
        /// A target.
        target: TargetName,
        /// Its size.
        size: [u32; 2],
        /// Another target.
        other: TargetName,
        /// The size of that.
        other_size: [u32; 2],
    },
    /// A target is larger than [`MAX_SIZE`](super::MAX_SIZE).
    #[error("{target} has {}x{} pixels; no side may be longer than {MAX_SIZE}", size[0], size[1])]
    TooLarge {
        /// The target.
        target: TargetName,
        /// Its size.
        size: [u32; 2],
    },
    /// Rows overlap.
    #[error("rows of {target} have {row} bytes, but a pitch of {pitch} bytes")]
    Pitch {
        /// The target.
        target: TargetName,
        /// Bytes from one row to the next.
        pitch: usize,
        /// Bytes of a row.
        row: usize,
    },
    /// The pitch of rows is more than any memory has bytes.
    #[error("rows of {target} have a pitch of {pitch} bytes; the limit is {limit}")]
    PitchTooLarge {
        /// The target.
        target: TargetName,
        /// Bytes from one row to the next.
        pitch: usize,
        /// The most that there may be.
        limit: usize,
    },
    /// The planes of samples overlap.
    #[error("planes of {target} have {plane} bytes, but begin {sample_pitch} bytes apart")]
    SamplePitch {
        /// The target.
        target: TargetName,
        /// Bytes from one plane to the next.
        sample_pitch: usize,
        /// Bytes up to the end of a plane's last pixel.
        plane: usize,
    },
    /// No pixel has as many samples as the target has planes.
    #[error("{target} has {planes} planes; a pixel has 1, 2, 4, 8 or 16 samples")]
    Planes {
        /// The target.
        target: TargetName,
        /// Its planes.
        planes: usize,
    },
    /// Targets have different numbers of samples.
    #[error("{target} has {samples} samples per pixel, but {other} has {other_samples}")]
    Samples {
        /// A target.
        target: TargetName,
        /// Samples of its pixels.
        samples: usize,
        /// Another target.
        other: TargetName,
        /// Samples of its pixels.
        other_samples: usize,
    },
    /// A target has another number of samples than the draw was prepared for.
    #[error("the number of samples of {0} has changed since the draw was prepared")]
    SamplesChanged(TargetName),
    /// The positions of samples are more or less than there are samples.
    #[error("the draw has {positions} sample positions for {samples} samples")]
    SamplePositions {
        /// Positions that were given.
        positions: usize,
        /// Samples of a pixel.
        samples: usize,
    },
    /// A sample is outside of its pixel.
    #[error(
        "sample {sample} is at ({}, {}) sixteenths of a pixel from the centre; the limits are -8 and 7",
        at[0], at[1]
    )]
    SamplePosition {
        /// The sample.
        sample: usize,
        /// Its position.
        at: [i8; 2],
    },
    /// Pixels are missing.
    #[error("{target} needs {needed} bytes, but has {bytes}")]
    TooShort {
        /// The target.
        target: TargetName,
        /// Bytes that there are.
        bytes: usize,
        /// Bytes up to the end of the last pixel.
        needed: usize,
    },
    /// The program reads an input that is not given.
    #[error("the program reads {}, which is not given", Components(*register, *components))]
    MissingVarying {
        /// The input.
        register: usize,
        /// The components that it reads.
        components: Slots,
    },
    /// An input of another kind than the draw was prepared for.
    #[error("the kind of input i{0} has changed since the draw was prepared")]
    KindChanged(usize),
    /// An array has fewer registers than there are quads.
    #[error("input i{register} has {registers} registers for {quads} quads")]
    ArrayTooShort {
        /// The input.
        register: usize,
        /// Registers of the array.
        registers: usize,
        /// Quads of the list.
        quads: usize,
    },
    /// A quad does not begin at an even column of an even row.
    #[error("quad {index} is at ({x}, {y}); both coordinates must be even")]
    OddQuad {
        /// Index of the quad within its list.
        index: usize,
        /// Its column.
        x: u32,
        /// Its row.
        y: u32,
    },
    /// The program samples a texture unit that has nothing bound.
    #[error("the program samples texture unit {0}, which is not bound")]
    UnboundTexture(u8),
    /// The bindings [have a fault](attila_machine::Bindings::check), or an image [of another
    /// kind](attila_machine::Bindings::check_units) than the program reads.
    #[error(transparent)]
    Bindings(RunError),
    /// Something is wrong with the vertices of triangles.
    #[error(transparent)]
    Vertices(#[from] VertexError),
    /// A mixture that no engine draws.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The engine's compiler failed.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// The topmost of the quads that could not be finished, roughly: of the topmost band of rows
    /// that has any, the first that was shaded. It comes after something was drawn. The error and the drawn
    /// pixels do not depend on the number of threads.
    #[error(transparent)]
    Span(#[from] SpanError),
    /// The pixel that [`Draw::watch`](super::Draw::watch) looks at is not one of the targets'.
    #[error(
        "pixel ({}, {}) is outside of the targets, which have columns {} to {} and rows {} to {}",
        pixel[0], pixel[1], columns.start, columns.end, rows.start, rows.end
    )]
    WatchedPixel {
        /// Column and row of the pixel.
        pixel: [u32; 2],
        /// Columns of the picture that targets have.
        columns: Range<u32>,
        /// Rows of the picture that targets have.
        rows: Range<u32>,
    },
    /// The listener of [`Draw::progress`](super::Draw::progress) has stopped the draw. Pixels are either drawn or as
    /// they were.
    #[error("the draw was stopped before its end")]
    Stopped,
}

/// `i6.xy`.
struct Components(usize, Slots);

impl fmt::Display for Components {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "i{}.", self.0)?;
        let letters = self.1.components().map(|component| component.letter());
        write!(f, "{}", letters.collect::<String>())
    }
}
