//! The readable engine for ATTILA shader programs.
#![forbid(unsafe_code)]

use attila_isa::{Backend, Executable, PrepareError, StatefulExecutable, ValidProgram};

/// The interpreter.
#[derive(Clone, Copy, Default, Debug)]
pub struct Interp;

impl Backend for Interp {
    fn name(&self) -> &'static str {
        "interp"
    }

    fn prepare(&self, _program: &ValidProgram) -> Result<Box<dyn Executable>, PrepareError> {
        Err(PrepareError("the interpreter is not there yet".into()))
    }

    fn prepare_stateful(
        &self,
        _program: &ValidProgram,
    ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
        Err(PrepareError("the interpreter is not there yet".into()))
    }
}
