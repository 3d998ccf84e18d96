//! Traits of engines, which prepare valid programs for running.

use std::error::Error;
use std::sync::Arc;
use std::{fmt, iter};

use thiserror::Error;

use crate::bindings::{Bindings, MAX_BUFFER, MAX_STORAGE};
use crate::columns::Columns;
use crate::pipeline::{Pipeline, SpanShader};
use crate::ran::{CodeKind, Ran};
use crate::state::{ExtendedQuadIo, QuadIo, QuadState};
use attila_isa::{Reg, TextureShape, TextureTarget, Usage, ValidProgram};

/// Why a run stopped.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// A lane took more backward jumps than it may. The quads before `quad` are complete, the
    /// contents of it and of those after it unspecified.
    #[error("the jump at instruction {pc} took more than {budget} backward jumps in quad {quad}")]
    LoopBudget {
        /// Index of the jump that was one too many.
        pc: usize,
        /// Index of the quad within the run.
        quad: usize,
        /// The budget.
        budget: u32,
    },
    /// The program samples a texture unit that has nothing bound. No quad was touched.
    #[error("the program samples texture unit {unit}, which is not bound")]
    UnboundTexture {
        /// The unit.
        unit: u8,
    },
    /// An image of another kind is bound to a texture unit than the program reads. No quad was touched.
    #[error("texture unit {unit} is bound to an image of the kind {bound}, which {}", refusal(*.target))]
    TextureKind {
        /// The unit.
        unit: u8,
        /// The kind of image that is bound.
        bound: TextureShape,
        /// The kind that the program reads.
        target: TextureTarget,
    },
    /// The run is in a texture unit or attribute source of a run, which is in one of another, and so
    /// on. No quad was touched.
    #[error("the run is nested in {limit} others; the limit is {limit}")]
    Nested {
        /// [`MAX_NESTED_RUNS`](crate::MAX_NESTED_RUNS).
        limit: usize,
    },
    /// A constant was set that does not exist. No quad was touched.
    #[error("constant c{index} does not exist; the last is c511")]
    ConstantIndex {
        /// The constant.
        index: usize,
    },
    /// A constant buffer was bound that does not exist. No quad was touched.
    #[error("constant buffer b{index} does not exist; the last is b31")]
    BufferIndex {
        /// The buffer.
        index: usize,
    },
    /// A constant buffer is too large. No quad was touched.
    #[error("constant buffer b{index} has {vectors} vectors; the limit is {MAX_BUFFER}")]
    BufferSize {
        /// The buffer.
        index: usize,
        /// How many vectors it has.
        vectors: usize,
    },
    /// A storage buffer was bound that does not exist. No quad was touched.
    #[error("storage buffer u{index} does not exist; the last is u31")]
    StorageIndex {
        /// The buffer.
        index: usize,
    },
    /// A storage buffer is too large. No quad was touched.
    #[error("storage buffer u{index} has {words} words; the limit is {MAX_STORAGE}")]
    StorageSize {
        /// The buffer.
        index: usize,
        /// How many words it has.
        words: usize,
    },
    /// The program uses a register that the quads do not have: it needs [`ExtendedQuadIo`]. No quad was
    /// touched.
    #[error("the program uses {register}, and the quads have only the base profile's registers")]
    MissingRegister {
        /// The first such register, inputs before outputs.
        register: Reg,
    },
    /// The engine compiles a program when it is first run, and could not. No quad was touched.
    #[error(transparent)]
    Compile(#[from] PrepareError),
}

impl RunError {
    /// The error of a run whose first quad has a number.
    #[must_use]
    pub fn in_quads_from(mut self, first: usize) -> RunError {
        if let RunError::LoopBudget { quad, .. } = &mut self {
            *quad += first;
        }
        self
    }
}

/// The reason for which an image cannot be read through `target`.
fn refusal(target: TextureTarget) -> String {
    match target {
        TextureTarget::Bound => "cannot be sampled".to_owned(),
        TextureTarget::Named { .. } => format!("the program reads as {target}"),
    }
}

/// An engine that could not prepare a program. Its source says why. Equal errors say the same.
#[derive(Clone, Debug, Error)]
#[error("the program cannot be compiled")]
pub struct PrepareError(#[source] Arc<dyn Error + Send + Sync>);

impl PrepareError {
    /// The error with its source.
    pub fn new(source: impl Into<Box<dyn Error + Send + Sync>>) -> PrepareError {
        PrepareError(Arc::from(source.into()))
    }
}

impl PartialEq for PrepareError {
    fn eq(&self, other: &PrepareError) -> bool {
        ErrorChain(self).to_string() == ErrorChain(other).to_string()
    }
}

impl Eq for PrepareError {}

/// Prints an error and its sources in turn, with colons between them.
///
/// ```
/// use attila_machine::{ErrorChain, PrepareError};
///
/// let error = PrepareError::new("it is too long");
/// assert_eq!(ErrorChain(&error).to_string(), "the program cannot be compiled: it is too long");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ErrorChain<'a>(pub &'a (dyn Error + 'static));

impl fmt::Display for ErrorChain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ErrorChain(error) = self;
        write!(f, "{error}")?;
        let sources = iter::successors(error.source(), |&error| error.source());
        for source in sources {
            write!(f, ": {source}")?;
        }
        Ok(())
    }
}

/// An engine. The smallest one is:
///
/// ```
#[doc = include_str!("../examples/smallest.rs")]
/// ```
pub trait Backend: Send + Sync {
    /// Its name in reports.
    fn name(&self) -> &'static str;

    /// The kind of code that it makes of programs where it can. `None`: it makes no code.
    fn code_kind(&self) -> Option<CodeKind> {
        None
    }

    /// Prepares a program for shading: every quad starts with its registers 0. Engines may leave
    /// work for the first run.
    ///
    /// # Errors
    ///
    /// The engine's compiler failed.
    fn prepare(&self, program: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError>;

    /// Prepares a program for runs that start from given registers and show them afterwards.
    ///
    /// # Errors
    ///
    /// The engine's compiler failed, or the engine does not show registers, as unless it says otherwise.
    fn prepare_stateful(
        &self,
        _: &ValidProgram,
    ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
        Err(PrepareError::new("this engine does not show registers"))
    }
}

/// A prepared program. Threads may share it.
pub trait Executable: Send + Sync {
    /// Shades the quads, one after another or together: the results are the same.
    ///
    /// # Errors
    ///
    /// A texture unit that is not bound or has another kind of image, a register that the quads do not
    /// have, a lane that used up its loop budget, [too many runs](crate::Running) inside each other, or
    /// an engine that compiles programs when they are first run and could not.
    ///
    /// # Panics
    ///
    /// If a texture unit or attribute source does: the run stops there, and its panic goes on. Which
    /// quads are complete is unspecified.
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadIo]) -> Result<(), RunError>;

    /// The same for quads that have all registers of the extended profile.
    ///
    /// # Errors
    ///
    /// As [`Executable::run`].
    ///
    /// # Panics
    ///
    /// As [`Executable::run`].
    fn run_extended(
        &self,
        bindings: &Bindings<'_>,
        quads: &mut [ExtendedQuadIo],
    ) -> Result<(), RunError>;

    /// Runs elements of columns, of a program that uses `usage`. By default they are copied to quads and back.
    ///
    /// An error names a quad: the one with number n has the elements from `n * columns.of_quad` on. What columns hold
    /// of elements from its first on is unspecified.
    ///
    /// # Errors
    ///
    /// As [`Executable::run`].
    ///
    /// # Panics
    ///
    /// As [`Executable::run`], and if parts have fewer elements than `columns`, or a register that the program does
    /// not have.
    fn map(
        &self,
        usage: &Usage,
        bindings: &Bindings<'_>,
        columns: &mut Columns<'_>,
    ) -> Result<(), RunError> {
        columns.run_as_records(self, usage, bindings)
    }

    /// The program within a pipeline, specialised for the textures that it is bound to, if the
    /// engine does the work around programs, too. `None` leaves that work to the caller: it fills
    /// in inputs, [runs](Executable::run) quads, and stores results.
    ///
    /// # Errors
    ///
    /// The engine's compiler failed.
    fn within(
        self: Arc<Self>,
        _pipeline: &Pipeline,
        _bindings: &Bindings<'_>,
    ) -> Result<Option<Arc<dyn SpanShader>>, PrepareError> {
        Ok(None)
    }

    /// The code that has run so far, in draws, too, as it says of itself.
    fn ran(&self) -> Ran {
        Ran::default()
    }
}

/// A program prepared for runs with all registers visible.
pub trait StatefulExecutable: Send + Sync {
    /// Runs the quads, each from its current state, and writes the new state back.
    ///
    /// # Errors
    ///
    /// As [`Executable::run`].
    ///
    /// # Panics
    ///
    /// As [`Executable::run`].
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadState]) -> Result<(), RunError>;

    /// The code that has run so far, as it says of itself.
    fn ran(&self) -> Ran {
        Ran::default()
    }
}
