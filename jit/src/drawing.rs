//! What the code of a draw is handed: where inputs are, and where pixels are.

use std::mem::offset_of;

use attila_isa::QuadReg;
use attila_isa::pipeline::{Batch, Pipeline, Plane, Surface, Surfaces};

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
    /// The draw of a batch to `surfaces`, which [has been checked](Batch::check): emitted code does
    /// not look.
    pub(crate) fn new(
        pipeline: &Pipeline,
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
    ) -> Drawing {
        let mut memory = [Memory::NONE; SURFACES];
        for (memory, surface) in memory.iter_mut().zip(&mut surfaces.colours) {
            if let Some(surface) = surface {
                *memory = Memory::of(surface);
            }
        }
        if let Some(surface) = &mut surfaces.depth {
            memory[usize::from(DEPTH_SURFACE)] = Memory::of(surface);
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
