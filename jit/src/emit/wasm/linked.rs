//! Modules that become a part of this program, which is WebAssembly itself: they have its memory, and their functions are
//! in its table. Only the program's host can do that.

use std::fmt;
use std::sync::OnceLock;

use super::{Wasm, probe};
use crate::code::MachineCode;
use crate::emit::{Code, CodeSize, CompileError, Emitter, Made, Source};
use crate::runtime::Entry;
use crate::target::VectorTarget;
use crate::{EmitStage, Listing};

/// Names of functions, with their places in the table.
pub type Functions<'a> = &'a [(&'a str, usize)];

/// The host's part in linking modules.
#[derive(Clone, Copy, Debug)]
pub struct Linker {
    /// Instantiates a module with this program's memory, as `memory`, and functions of its table by their names and
    /// places, all from `attila`. Puts its function `shader` in the table and returns its place. `None` if that fails.
    pub link: fn(module: &[u8], functions: Functions<'_>) -> Option<usize>,
    /// Empties a place of the table.
    pub unlink: fn(place: usize),
}

static LINKER: OnceLock<Linker> = OnceLock::new();

/// Has modules linked from now on. Before, no program can be compiled.
///
/// # Errors
///
/// There is a linker already.
pub fn set_linker(linker: Linker) -> Result<(), Linker> {
    LINKER.set(linker)
}

/// A module could not be linked.
#[derive(Debug)]
struct NotLinked;

impl fmt::Display for NotLinked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the host does not link the module")
    }
}

impl std::error::Error for NotLinked {}

/// A place in the table of functions.
#[derive(Debug)]
pub(crate) struct Place {
    number: usize,
    unlink: fn(usize),
}

impl Place {
    pub(crate) fn number(&self) -> usize {
        self.number
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        (self.unlink)(self.number);
    }
}

/// The emitter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linked {
    pub(crate) wasm: Wasm,
}

impl Linked {
    /// The emitter for what the host has.
    pub(crate) fn new() -> Linked {
        static FUSED: OnceLock<bool> = OnceLock::new();
        let with = |fused| Linked {
            wasm: Wasm { fused },
        };
        match LINKER.get() {
            Some(_) => with(*FUSED.get_or_init(|| probe::is_fused(&with(true)))),
            None => with(false),
        }
    }
}

impl Emitter for Linked {
    fn vectors(&self) -> VectorTarget {
        self.wasm.vectors()
    }

    fn emit(&self, source: &Source<'_>) -> Result<Box<dyn Code>, CompileError> {
        let (Made { bytes: module, .. }, plan) = self.wasm.module(source);
        let linked = LINKER.get().and_then(|linker| {
            let entries = Entry::ALL.map(|entry| (entry.name(), entry.address().addr()));
            let number = (linker.link)(&module, &entries)?;
            let unlink = linker.unlink;
            Some(Place { number, unlink })
        });
        let place = linked.ok_or_else(|| CompileError::Codegen(Box::new(NotLinked)))?;
        let shape = Wasm::shape(source, &plan);
        Ok(Box::new(MachineCode::linked(place, shape, module.len())))
    }

    fn text(&self, source: &Source<'_>, stage: EmitStage) -> Result<Listing, CompileError> {
        Wasm::text(source, stage)
    }

    fn size(&self, source: &Source<'_>) -> Result<CodeSize, CompileError> {
        Ok(self.wasm.size(source))
    }
}
