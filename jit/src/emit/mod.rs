//! The seam between lane IR and the emitters that make code of it.

pub(crate) mod plan;
pub(crate) mod registers;

#[cfg(test)]
pub(crate) mod tests;

use std::error::Error;

use thiserror::Error;

use crate::abi::Layout;
use crate::code::Code;
use crate::ir::Function;

/// Why a shader could not be compiled.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CompileError {
    /// There is no code generator for the machine, or not with these features.
    #[error("cannot generate code for {target}: {reason}")]
    Target {
        /// The machine.
        target: String,
        /// What is missing.
        reason: String,
    },
    /// Code was asked for that this machine cannot execute.
    #[error("code for {target} cannot run on this machine")]
    Foreign {
        /// The machine that it is for.
        target: String,
    },
    /// The program is right, but would take too long to compile.
    #[error("it is too long for the JIT: {work} units of work, the limit is {limit}")]
    TooLong {
        /// The work of compiling it. A unit takes some microseconds; an instruction is up to 200
        /// units.
        work: usize,
        /// The most that the JIT takes on.
        limit: usize,
    },
    /// The code generator reported an error.
    #[error("code generation failed")]
    Codegen(#[source] Box<dyn Error + Send + Sync>),
    /// The compiler panicked.
    #[error("the compiler panicked: {0}")]
    Panic(String),
}

/// Makes code of lane IR.
pub(crate) trait Emitter {
    /// Code that computes `quads` quads per iteration; more than one only of a function that
    /// [is straight](Function::is_straight_line).
    ///
    /// # Panics
    ///
    /// If the function is not well formed, or the code generator's own assertions fail.
    fn emit(&self, function: &Function, layout: Layout, quads: usize)
    -> Result<Code, CompileError>;
}
