//! A draw as code reads it: its numbers, its spans with their planes, its fragments, and where the
//! pixels of its surfaces are.

use attila_isa::Inputs;
use std::fmt;
use std::mem::offset_of;

use attila_machine::pipeline::{Batch, Pipeline, Plane, Span, Surface, Surfaces, TARGETS};
use attila_machine::{QuadReg, SAMPLES, SamplePositions};

use super::{Address, letter, word};
use crate::ir::Type;

/// A number of the draw, the same in all lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum DrawField {
    /// f32: the reference of the alpha test.
    AlphaReference,
    /// f32: a component of the constant colour.
    BlendConstant(u8),
    /// f32: from a pixel's centre to one of its samples, in pixels along an axis.
    Sample { sample: u8, axis: u8 },
    /// f32: the same to the sample that the program runs for.
    Own { axis: u8 },
    /// i32: the number of the sample that the program runs for.
    OwnIndex,
    /// i32: its bit in words of samples.
    OwnBit,
}

/// A number of a span of quads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum SpanField {
    /// f32: column and row of the primitive's anchor.
    Anchor(u8),
    /// f32: rows from the anchor to the pixels' centres.
    Y,
    /// f32: a number of the primitive's plane.
    Plane(u8, PlaneField),
}

/// A number of a plane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PlaneField {
    At,
    Dx,
    Dy,
}

/// A vector of a quad that is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum FragmentField {
    /// f32: columns from the anchor to the pixels' centres.
    X,
    /// Mask: the fragments that are covered.
    Coverage,
    /// i32: the samples of each that are covered, bit n = sample n.
    Samples,
    /// f32: a component of an input that comes from an array.
    Input { reg: u8, component: u8 },
}

/// The surfaces of a draw: its colour targets, and its depths.
pub(crate) const SURFACES: usize = TARGETS + 1;

/// The surface that holds depths.
pub(crate) const DEPTH_SURFACE: u8 = TARGETS as u8;

/// Pixels of a surface, one sample of each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Pixels {
    pub(crate) surface: u8,
    /// The sample, or 0 of code that runs for each sample: planes change from one run to the next.
    pub(crate) sample: u8,
    /// Bytes of a pixel: 1, 4, 8 or 16.
    pub(crate) bytes: u8,
}

/// A surface as emitted code reads it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Memory {
    /// The pixel at the origin, for each sample.
    pixels: [Address<u8>; SAMPLES],
    /// Bytes from one row to the next.
    pitch: u64,
    /// Its column.
    left: u32,
    /// Its row.
    top: u32,
}

impl Memory {
    /// A surface that no code touches.
    const NONE: Memory = Memory {
        pixels: [Address::NULL; SAMPLES],
        pitch: 0,
        left: 0,
        top: 0,
    };

    /// A surface, or of each plane that of `own` alone.
    fn of(surface: &mut Surface<'_>, own: Option<usize>) -> Memory {
        let [left, top] = surface.origin;
        let mut memory = Memory {
            pitch: surface.pitch as u64,
            left,
            top,
            ..Memory::NONE
        };
        let planes = surface.planes.iter_mut().skip(own.unwrap_or(0));
        for (pixels, plane) in memory.pixels.iter_mut().zip(planes) {
            *pixels = Address::of(plane.as_mut_ptr());
        }
        memory
    }
}

/// A draw. Emitted code reads the fields through their offsets.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Drawing {
    /// The planes of all primitives.
    planes: Address<Plane>,
    /// Bytes from the planes of one primitive to those of the next.
    plane_stride: u64,
    /// Each primitive's anchor.
    anchors: Address<[f32; 2]>,
    /// A byte per quad, or eight.
    coverage: Address<u8>,
    /// The samples' positions, in pixels from the centre.
    samples: [[f32; 2]; SAMPLES],
    /// That of the sample that the program runs for.
    own: [f32; 2],
    own_index: u32,
    own_bit: u32,
    /// The samples' positions, packed.
    positions: [u32; SAMPLES],
    surfaces: [Memory; SURFACES],
    alpha_reference: f32,
    blend_constant: [f32; 4],
    /// A register per quad for each input.
    arrays: Inputs<Address<QuadReg>>,
}

impl Drawing {
    /// Bytes to the packed positions of the samples.
    pub(crate) const POSITIONS: usize = offset_of!(Drawing, positions);

    /// The draw of a batch to `surfaces`, which [has been checked](Batch::check): emitted code does
    /// not look. Code that runs for each sample is drawn with for each, `own`.
    pub(crate) fn new(
        pipeline: &Pipeline,
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
        own: Option<usize>,
    ) -> Drawing {
        let mut memory = [Memory::NONE; SURFACES];
        for (memory, surface) in memory.iter_mut().zip(&mut surfaces.colours) {
            if let Some(surface) = surface {
                *memory = Memory::of(surface, own);
            }
        }
        if let Some(surface) = &mut surfaces.depth {
            memory[usize::from(DEPTH_SURFACE)] = Memory::of(surface, own);
        }
        let samples = sample_offsets(&batch.positions);
        let own_index = own.unwrap_or(0);
        Drawing {
            samples,
            own: samples[own_index],
            own_index: own_index as u32,
            own_bit: 1 << own_index,
            positions: batch.positions.packed(),
            planes: Address::of(batch.planes.as_ptr()),
            plane_stride: (pipeline.plane_count() * size_of::<Plane>()) as u64,
            anchors: Address::of(batch.anchors.as_ptr()),
            coverage: Address::of(batch.coverage.as_ptr()),
            arrays: (*batch.arrays).map(|array| Address::of(array.as_ptr())),
            surfaces: memory,
            alpha_reference: batch.alpha_reference,
            blend_constant: batch.blend_constant,
        }
    }
}

/// The positions of samples, in pixels from the centre.
fn sample_offsets(positions: &SamplePositions) -> [[f32; 2]; SAMPLES] {
    let mut offsets = [[0.0; 2]; SAMPLES];
    for (offset, position) in offsets.iter_mut().zip(positions.positions()) {
        *offset = position.map(|sixteenths| f32::from(sixteenths) / 16.0);
    }
    offsets
}

/// A number of the draw of a batch: for each sample, `own`, if code runs for each.
pub(crate) fn draw_number(batch: &Batch<'_>, own: Option<usize>, field: DrawField) -> u32 {
    let own = own.unwrap_or(0);
    let offset = |sample: usize, axis: u8| {
        let offsets = sample_offsets(&batch.positions);
        offsets[sample][usize::from(axis)].to_bits()
    };
    match field {
        DrawField::AlphaReference => batch.alpha_reference.to_bits(),
        DrawField::BlendConstant(component) => {
            batch.blend_constant[usize::from(component)].to_bits()
        }
        DrawField::Sample { sample, axis } => offset(sample.into(), axis),
        DrawField::Own { axis } => offset(own, axis),
        DrawField::OwnIndex => own as u32,
        DrawField::OwnBit => 1 << own,
    }
}

impl DrawField {
    /// The type.
    pub(crate) fn ty(self) -> Type {
        match self {
            DrawField::AlphaReference
            | DrawField::BlendConstant(_)
            | DrawField::Sample { .. }
            | DrawField::Own { .. } => Type::F32,
            DrawField::OwnIndex | DrawField::OwnBit => Type::I32,
        }
    }

    /// Its place in the draw, in bytes.
    pub(crate) fn offset(self) -> usize {
        match self {
            DrawField::AlphaReference => offset_of!(Drawing, alpha_reference),
            DrawField::BlendConstant(component) => {
                offset_of!(Drawing, blend_constant) + word(component)
            }
            DrawField::Sample { sample, axis } => {
                offset_of!(Drawing, samples) + word(2 * sample + axis)
            }
            DrawField::Own { axis } => offset_of!(Drawing, own) + word(axis),
            DrawField::OwnIndex => offset_of!(Drawing, own_index),
            DrawField::OwnBit => offset_of!(Drawing, own_bit),
        }
    }
}

/// A word of a [`Drawing`], as large as an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DrawWord {
    /// The address of the first primitive's planes.
    Planes,
    /// Bytes from the planes of one primitive to those of the next.
    PlaneStride,
    /// The address of the first primitive's anchor.
    Anchors,
    /// The address of the first quad's coverage.
    Coverage,
    /// The address of the first quad's input register.
    Array(u8),
}

impl DrawWord {
    /// Its place in the draw, in bytes.
    pub(crate) fn offset(self) -> usize {
        match self {
            DrawWord::Planes => offset_of!(Drawing, planes),
            DrawWord::PlaneStride => offset_of!(Drawing, plane_stride),
            DrawWord::Anchors => offset_of!(Drawing, anchors),
            DrawWord::Coverage => offset_of!(Drawing, coverage),
            DrawWord::Array(reg) => {
                offset_of!(Drawing, arrays) + usize::from(reg) * Address::<QuadReg>::SIZE
            }
        }
    }
}

/// A word about a surface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SurfaceWord {
    /// The address of the pixel at the origin, of a sample.
    Pixels { sample: u8 },
    /// Bytes from one row to the next, as large as an address.
    Pitch,
    /// u32: the column of the origin.
    Left,
    /// u32: its row.
    Top,
}

impl SurfaceWord {
    /// Its place in the draw for surface number `surface`, in bytes.
    pub(crate) fn offset(self, surface: u8) -> usize {
        let within = match self {
            SurfaceWord::Pixels { sample } => {
                offset_of!(Memory, pixels) + usize::from(sample) * Address::<u8>::SIZE
            }
            SurfaceWord::Pitch => offset_of!(Memory, pitch),
            SurfaceWord::Left => offset_of!(Memory, left),
            SurfaceWord::Top => offset_of!(Memory, top),
        };
        offset_of!(Drawing, surfaces) + usize::from(surface) * size_of::<Memory>() + within
    }
}

/// A u32 of a [`Span`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SpanWord {
    /// Column of the first quad's left pixels.
    X,
    /// Row of its upper pixels.
    Y,
    /// Quads.
    Quads,
    /// The primitive's number.
    Primitive,
    /// The first quad's place in coverage and arrays.
    First,
}

impl SpanWord {
    /// Its place in the span, in bytes.
    pub(crate) fn offset(self) -> usize {
        match self {
            SpanWord::X => offset_of!(Span, x),
            SpanWord::Y => offset_of!(Span, y),
            SpanWord::Quads => offset_of!(Span, quads),
            SpanWord::Primitive => offset_of!(Span, primitive),
            SpanWord::First => offset_of!(Span, first),
        }
    }
}

impl SpanField {
    /// Bytes from one primitive's anchor to the next.
    pub(crate) const ANCHOR: usize = size_of::<[f32; 2]>();

    /// Bytes from a primitive's anchor to its column (0) or row (1).
    pub(crate) fn anchor_offset(axis: u8) -> usize {
        word(axis)
    }

    /// Bytes from a primitive's first plane to a number of one of its planes.
    pub(crate) fn plane_offset(plane: u8, number: PlaneField) -> usize {
        let within = match number {
            PlaneField::At => offset_of!(Plane, at),
            PlaneField::Dx => offset_of!(Plane, dx),
            PlaneField::Dy => offset_of!(Plane, dy),
        };
        usize::from(plane) * size_of::<Plane>() + within
    }
}

impl FragmentField {
    /// The type.
    pub(crate) fn ty(self) -> Type {
        match self {
            FragmentField::X | FragmentField::Input { .. } => Type::F32,
            FragmentField::Coverage => Type::Mask,
            FragmentField::Samples => Type::I32,
        }
    }
}

impl Pixels {
    /// Bytes of a pixel.
    pub(crate) fn size(self) -> usize {
        self.bytes.into()
    }

    /// Words that code has of a pixel. A byte is the lowest of a word, whose other bytes are read as 0 and not stored.
    pub(crate) fn words(self) -> usize {
        self.size().div_ceil(size_of::<u32>())
    }
}

impl fmt::Display for DrawField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DrawField::AlphaReference => f.write_str("alpha_reference"),
            DrawField::BlendConstant(component) => {
                write!(f, "constant.{}", letter(*component))
            }
            DrawField::Sample { sample, axis } => write!(f, "sample{sample}.{}", letter(*axis)),
            DrawField::Own { axis } => write!(f, "own.{}", letter(*axis)),
            DrawField::OwnIndex => f.write_str("own_index"),
            DrawField::OwnBit => f.write_str("own_bit"),
        }
    }
}

impl fmt::Display for FragmentField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            FragmentField::X => f.write_str("x"),
            FragmentField::Coverage => f.write_str("coverage"),
            FragmentField::Samples => f.write_str("samples"),
            FragmentField::Input { reg, component } => {
                write!(f, "i{reg}.{}", letter(component))
            }
        }
    }
}

impl fmt::Display for SpanField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpanField::Anchor(axis) => write!(f, "anchor.{}", letter(*axis)),
            SpanField::Y => f.write_str("y"),
            SpanField::Plane(plane, PlaneField::At) => write!(f, "plane{plane}.at"),
            SpanField::Plane(plane, PlaneField::Dx) => write!(f, "plane{plane}.dx"),
            SpanField::Plane(plane, PlaneField::Dy) => write!(f, "plane{plane}.dy"),
        }
    }
}

impl fmt::Display for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.surface == DEPTH_SURFACE {
            f.write_str("depth")?;
        } else {
            write!(f, "target{}", self.surface)?;
        }
        if self.sample > 0 {
            write!(f, ".s{}", self.sample)?;
        }
        match self.bytes {
            1 => f.write_str(":byte"),
            _ => write!(f, ":{}", self.words()),
        }
    }
}
