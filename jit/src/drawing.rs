//! What the code of a draw is handed: where inputs are, and where pixels are.

use std::mem::offset_of;

use attila_isa::QuadReg;
use attila_isa::pipeline::{Batch, InputKind, Pipeline, Plane, Span, Surface, Surfaces};

use crate::ir::{DEPTH_SURFACE, DrawField, SURFACES};

/// A surface as emitted code reads it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Memory {
    /// The pixel at the origin.
    pub(crate) pixels: *mut u8,
    /// Bytes from one row to the next.
    pub(crate) pitch: usize,
    /// Its column.
    pub(crate) left: u32,
    /// Its row.
    pub(crate) top: u32,
}

impl Memory {
    /// A surface that no code touches.
    const NONE: Memory = Memory {
        pixels: std::ptr::null_mut(),
        pitch: 0,
        left: 0,
        top: 0,
    };

    fn of(surface: &mut Surface<'_>) -> Memory {
        let [left, top] = surface.origin;
        Memory {
            pixels: surface.bytes.as_mut_ptr(),
            pitch: surface.pitch,
            left,
            top,
        }
    }
}

/// A draw. Emitted code reads the fields through their offsets.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Drawing {
    /// The planes of all primitives.
    pub(crate) planes: *const Plane,
    /// Bytes from the planes of one primitive to those of the next.
    pub(crate) plane_stride: usize,
    /// Each primitive's anchor.
    pub(crate) anchors: *const [f32; 2],
    /// A byte per quad.
    pub(crate) coverage: *const u8,
    /// A register per quad for each input.
    pub(crate) arrays: [*const QuadReg; 16],
    pub(crate) surfaces: [Memory; SURFACES],
    alpha_reference: f32,
    blend_constant: [f32; 4],
}

impl Drawing {
    /// The draw of a batch to `surfaces`.
    ///
    /// # Panics
    ///
    /// If the batch names anything that it does not have, or a pixel that no surface has.
    pub(crate) fn new(
        pipeline: &Pipeline,
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
    ) -> Drawing {
        check_inputs(pipeline, batch);
        let mut memory = [Memory::NONE; SURFACES];
        for (n, target) in pipeline.targets.iter().enumerate() {
            if let Some(target) = target {
                let surface = surfaces.colours[n].as_mut();
                let surface = surface.expect("every target has a surface");
                memory[n] = checked(surface, batch.spans, target.format.size());
            }
        }
        if let Some(depth) = pipeline.depth {
            let surface = surfaces.depth.as_mut().expect("depths have a surface");
            memory[usize::from(DEPTH_SURFACE)] = checked(surface, batch.spans, depth.format.size());
        }
        Drawing {
            planes: batch.planes.as_ptr(),
            plane_stride: pipeline.planes().count() * size_of::<Plane>(),
            anchors: batch.anchors.as_ptr(),
            coverage: batch.coverage.as_ptr(),
            arrays: batch.arrays.map(<[QuadReg]>::as_ptr),
            surfaces: memory,
            alpha_reference: batch.alpha_reference,
            blend_constant: batch.blend_constant,
        }
    }

    /// The offset of a number.
    pub(crate) fn offset(field: DrawField) -> usize {
        match field {
            DrawField::AlphaReference => offset_of!(Drawing, alpha_reference),
            DrawField::BlendConstant(component) => {
                offset_of!(Drawing, blend_constant) + usize::from(component) * size_of::<f32>()
            }
        }
    }
}

fn checked(surface: &mut Surface<'_>, spans: &[Span], size: usize) -> Memory {
    let outside = spans.iter().find(|span| !surface.holds(span, size));
    assert!(outside.is_none(), "pixels of {outside:?} have no memory");
    Memory::of(surface)
}

/// Everything that spans refer to has to be there: emitted code does not look.
fn check_inputs(pipeline: &Pipeline, batch: &Batch<'_>) {
    let planes = pipeline.planes().count();
    let uses_array = |register: usize| pipeline.inputs[register].contains(&InputKind::Array);
    let arrays = (0..16).filter(|&register| uses_array(register));
    let shortest = arrays.map(|register| batch.arrays[register].len()).min();
    let coverage = pipeline.coverage.then_some(batch.coverage.len());
    let quads = shortest.into_iter().chain(coverage).min();
    let primitives = batch.anchors.len();
    assert!(
        primitives * planes <= batch.planes.len(),
        "planes are missing"
    );
    for span in batch.spans {
        let end = span.first as usize + span.quads as usize;
        assert!(
            (span.primitive as usize) < primitives && span.quads > 0,
            "{span:?} is of no primitive, or empty"
        );
        assert!(
            quads.is_none_or(|quads| end <= quads),
            "inputs of {span:?} are missing"
        );
        assert!(
            pipeline.coverage || span.quads >= Span::MIN_UNCOVERED,
            "{span:?} is too short to go without a coverage"
        );
    }
}
