//! The context of a run, and the constants that it points to.

use std::fmt;
use std::mem::offset_of;

use super::{letter, word};
use crate::runtime::{Context, Stop};

/// A field of the [`Context`] that code reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ContextField {
    /// The address of the shader's literals.
    Literals,
    /// The address of the table for values of the run.
    Uniforms,
    /// The address of the constants.
    Constants,
    /// The address of the first texture's descriptor.
    Textures,
    /// The address of the scratch memory of a quad.
    Scratch,
    /// The address of the first constant buffer's [`BufferRecord`](super::BufferRecord).
    Buffers,
    /// The address of the first storage buffer's [`StorageRecord`](super::StorageRecord).
    Storage,
    /// The address of the draw, or null.
    Drawing,
    /// The address of the addresses of columns, by their places.
    Columns,
    /// u32: backward jumps that a lane may take.
    LoopBudget,
    /// u32: not 0 when the code has to return.
    Stopped,
}

impl ContextField {
    /// Its place in the context, in bytes.
    pub(crate) fn offset(self) -> usize {
        match self {
            ContextField::Literals => offset_of!(Context<'_>, literals),
            ContextField::Uniforms => offset_of!(Context<'_>, uniforms),
            ContextField::Constants => offset_of!(Context<'_>, constants),
            ContextField::Textures => offset_of!(Context<'_>, textures),
            ContextField::Scratch => offset_of!(Context<'_>, scratch),
            ContextField::Buffers => offset_of!(Context<'_>, buffers),
            ContextField::Storage => offset_of!(Context<'_>, storage),
            ContextField::Drawing => offset_of!(Context<'_>, drawing),
            ContextField::Columns => offset_of!(Context<'_>, columns),
            ContextField::LoopBudget => offset_of!(Context<'_>, loop_budget),
            ContextField::Stopped => offset_of!(Context<'_>, stop) + Stop::STOPPED,
        }
    }
}

/// A component of a constant register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Constant {
    /// The register.
    pub(crate) index: u16,
    /// Its component.
    pub(crate) component: u8,
}

impl Constant {
    /// Bytes of a register, as a power of two.
    pub(crate) const SHIFT: u32 = size_of::<[u32; 4]>().trailing_zeros();

    /// Its place among the constants, in bytes.
    pub(crate) fn offset(self) -> usize {
        (usize::from(self.index) << Constant::SHIFT) + word(self.component)
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "c{}.{}", self.index, letter(self.component))
    }
}
