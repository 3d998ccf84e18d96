//! The readable engine for ATTILA shader programs.
//!
//! ```text
//!  ValidProgram ──prepare──► Step, Step, … ──run──► for each quad: Flow chooses the next step,
//!                                                   its action changes the Machine
//! ```
//!
//! * `prepare` decodes every instruction once, into a step: places of operands, and the function
//!   that carries it out.
//! * `ops` has these functions, one or a few lines per opcode. The parts that all opcodes share
//!   (swizzle, modifiers, relative constants, saturate, write mask, guard) are in `machine`.
//! * `flow` moves the lanes of a quad from block to block, `run` goes through many quads.
//! * [`Session`] runs a quad one instruction at a time, and [`Tracer`] looks on.
#![forbid(unsafe_code)]

mod flow;
mod lanes;
mod machine;
mod ops;
mod prepare;
mod registers;
mod run;
mod session;
mod trace;

use std::sync::Arc;

use attila_isa::ValidProgram;
use attila_machine::{
    Backend, Bindings, Executable, ExtendedQuadIo, PrepareError, QuadIo, QuadState, RunError,
    StatefulExecutable,
};

use prepare::Prepared;
pub use session::Session;
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
        let insts = program.program().insts();
        let prepared = Arc::new(Prepared::new(program));
        for (quad, state) in quads.iter_mut().enumerate() {
            let mut session = Session::of_quad(quad, Arc::clone(&prepared), bindings, state)?;
            while let Some(pc) = session.pc() {
                let active = session.active();
                tracer.before(TracePoint {
                    quad,
                    pc,
                    inst: &insts[pc],
                    active,
                    state,
                });
                let result = session.step();
                session.save(state);
                tracer.after(TracePoint {
                    quad,
                    pc,
                    inst: &insts[pc],
                    active,
                    state,
                });
                result?;
            }
        }
        Ok(())
    }
}

impl Backend for Interp {
    fn name(&self) -> &'static str {
        "interp"
    }

    fn prepare(&self, program: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError> {
        Ok(Arc::new(Prepared::new(program)))
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

    fn run_extended(
        &self,
        bindings: &Bindings<'_>,
        quads: &mut [ExtendedQuadIo],
    ) -> Result<(), RunError> {
        self.run_stateless(bindings, quads)
    }
}

impl StatefulExecutable for Prepared {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadState]) -> Result<(), RunError> {
        self.run_stateful(bindings, quads)
    }
}

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
