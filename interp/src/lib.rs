//! The readable engine for ATTILA shader programs.
//!
//! ```text
//!  ValidProgram ──prepare──► Step, Step, … ──run──► for each quad: Machine, one action per step
//! ```
//!
//! * `prepare` decodes every instruction once, into a step: places of operands, and the function
//!   that carries it out.
//! * `ops` has these functions, one or a few lines per opcode. What all opcodes have in common
//!   (swizzle, modifiers, relative constants, saturate, write mask, guard) is in `machine`.
//! * `run` moves the lanes of a quad from block to block.
//! * [`Tracer`] looks on.
#![forbid(unsafe_code)]

mod lanes;
mod machine;
mod ops;
mod prepare;
mod registers;
mod run;
mod trace;

use attila_isa::ValidProgram;
use attila_machine::{
    Backend, Bindings, Executable, PrepareError, QuadIo, QuadState, RunError, StatefulExecutable,
};

use prepare::Prepared;
pub use trace::{TracePoint, Tracer};

/// The interpreter.
#[derive(Clone, Copy, Default, Debug)]
pub struct Interp;

impl Interp {
    /// Runs the quads from the state in which they are, and shows every instruction to `tracer`
    /// before and after it.
    ///
    /// # Errors
    ///
    /// As [`Executable::run`].
    pub fn run_traced(
        &self,
        program: &ValidProgram,
        bindings: &Bindings<'_>,
        quads: &mut [QuadState],
        tracer: &mut dyn Tracer,
    ) -> Result<(), RunError> {
        let mut hook = trace::Tracing::new(program.program().insts(), tracer);
        Prepared::new(program).run_stateful(bindings, quads, &mut hook)
    }
}

impl Backend for Interp {
    fn name(&self) -> &'static str {
        "interp"
    }

    fn prepare(&self, program: &ValidProgram) -> Result<Box<dyn Executable>, PrepareError> {
        Ok(Box::new(Prepared::new(program)))
    }

    fn prepare_stateful(
        &self,
        program: &ValidProgram,
    ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
        Ok(Box::new(Prepared::new(program)))
    }
}

impl Executable for Prepared {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadIo]) -> Result<(), RunError> {
        self.run_stateless(bindings, quads)
    }
}

impl StatefulExecutable for Prepared {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadState]) -> Result<(), RunError> {
        self.run_stateful(bindings, quads, &mut trace::Untraced)
    }
}
