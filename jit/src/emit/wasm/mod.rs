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
//! A module is bytes. [`sandbox`] runs them in a process beside this one, to compare them with other code.

mod calls;
mod columns;
mod doubles;
mod flow;
mod function;
mod fused;
mod halves;
mod locals;
mod memory;
mod module;
mod ops;
mod pixels;
mod records;
pub(crate) mod sandbox;
mod spans;
mod storage;
mod texels;

#[cfg(test)]
mod tests;

use attila_machine::LANES;

use crate::emit::Source;
use crate::emit::plan::Plan;
use crate::target::VectorTarget;

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
    pub(crate) fn module(self, source: &Source<'_>) -> (Vec<u8>, Plan) {
        let plan = Plan::new(source.function, &self.vectors());
        (module::module(self, source, &plan), plan)
    }
}
