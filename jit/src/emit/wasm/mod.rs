//! From lane IR to WebAssembly with vectors of 128 bits, a quad in each.
//!
//! ```text
//! function       values in locals, nodes              ops, fused, doubles, halves, memory, calls, texels, storage
//! flow           blocks as structured control flow
//! records, spans the loop over quads                  columns, pixels
//! module         imports and exports around it
//! ```
//!
//! Code works on the same records as that of other emitters, in a memory whose addresses have 32 bits: of the eight bytes
//! of an [`Address`](crate::abi::Address) it reads the lower half. It calls the runtime's entries by their names.
//!
//! A module is bytes. `sandbox/` runs them in a process beside this one, to compare them with other code; in a
//! program that is WebAssembly itself, `linked.rs` makes them a part of it.

mod calls;
mod columns;
mod doubles;
mod flow;
mod function;
mod fused;
mod halves;
#[cfg(target_arch = "wasm32")]
pub(crate) mod linked;
mod locals;
mod memory;
mod module;
mod ops;
mod pixels;
#[cfg(any(test, feature = "wasm", target_arch = "wasm32"))]
mod probe;
mod records;
#[cfg(any(test, feature = "wasm"))]
pub(crate) mod sandbox;
mod spans;
mod storage;
mod texels;

#[cfg(test)]
mod tests;

use attila_machine::LANES;

use function::Frame;

use crate::emit::plan::{Literals, Plan, Shape};
use crate::emit::{CodeSize, CompileError, Made, Source};
use crate::target::VectorTarget;
use crate::{EmitStage, Listing};

/// The choices of emission.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wasm {
    /// Whether `relaxed_madd` is there and rounds once.
    pub(crate) fused: bool,
}

impl Wasm {
    /// The vectors, as lowering and the passes see them.
    pub(crate) fn vectors(self) -> VectorTarget {
        VectorTarget {
            lanes: LANES,
            registers: 16,
            fma: self.fused,
            memory_operands: false,
            blends_components: false,
        }
    }

    /// The module with the code of a function, and the decisions that it was made by.
    ///
    /// # Panics
    ///
    /// If the function is not well formed.
    pub(crate) fn module(self, source: &Source<'_>) -> (Made, Plan) {
        let plan = Plan::new(source.function, &self.vectors());
        (module::module(self, source, &plan), plan)
    }

    /// The facts about a module that was made by a plan.
    pub(crate) fn shape(source: &Source<'_>, plan: &Plan) -> Shape {
        let shape = Shape::new(plan, source.layout, Literals::default());
        let overlaps = source.quads > 1 && plan.repeatable;
        Shape {
            uniforms: shape.uniforms + Frame::VECTORS,
            shortest: if overlaps { source.quads as u32 } else { 1 },
            ..shape
        }
    }

    /// The text of a function at a stage: modules have none.
    fn text(source: &Source<'_>, stage: EmitStage) -> Result<Listing, CompileError> {
        match stage {
            EmitStage::Ir => Ok(source.function.listing()),
            EmitStage::Clif | EmitStage::Asm => Err(CompileError::NoListing { stage }),
        }
    }

    /// The size of a function's module.
    fn size(self, source: &Source<'_>) -> CodeSize {
        let bytes = self.module(source).0.bytes.len();
        CodeSize {
            bytes,
            memory: bytes,
        }
    }
}
