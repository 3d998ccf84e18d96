//! The Cranelift engine for ATTILA shader programs.

mod ir;
mod layout;
mod lower;

use attila_isa::{Backend, Executable, PrepareError, StatefulExecutable, ValidProgram};

/// The JIT compiler.
#[derive(Clone, Debug)]
pub struct Jit(());

impl Jit {
    /// A compiler for this machine.
    ///
    /// # Errors
    ///
    /// Cranelift does not know the machine.
    pub fn new() -> Result<Jit, PrepareError> {
        Err(PrepareError("the JIT is not there yet".into()))
    }
}

impl Backend for Jit {
    fn name(&self) -> &'static str {
        "jit"
    }

    fn prepare(&self, _program: &ValidProgram) -> Result<Box<dyn Executable>, PrepareError> {
        Err(PrepareError("the JIT is not there yet".into()))
    }

    fn prepare_stateful(
        &self,
        _program: &ValidProgram,
    ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
        Err(PrepareError("the JIT is not there yet".into()))
    }
}
