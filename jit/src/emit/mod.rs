//! The seam between lane IR and the emitters that make code of it.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod cranelift;
#[cfg(not(target_arch = "wasm32"))]
#[cfg_attr(
    not(any(target_arch = "x86_64", feature = "cross")),
    allow(dead_code, reason = "there is no disassembler")
)]
pub(crate) mod disassembly;
pub(crate) mod eval;
pub(crate) mod half;
pub(crate) mod padding;
pub(crate) mod plan;
#[cfg_attr(
    target_arch = "wasm32",
    allow(dead_code, reason = "locals of WebAssembly")
)]
pub(crate) mod registers;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "wide vectors"))]
pub(crate) mod several;
#[cfg(any(test, feature = "wasm", target_arch = "wasm32"))]
pub(crate) mod wasm;
#[cfg(target_arch = "x86_64")]
pub(crate) mod wide;

#[cfg(test)]
pub(crate) mod tests;

use std::error::Error;
use std::fmt;
use std::ops::Range;

use attila_machine::pipeline::{Batch, Pipeline, SpanError, Surfaces};
use attila_machine::{Bindings, CodeKind, Columns, ExtendedQuadIo, QuadIo, QuadState, RunError};
use thiserror::Error;

use crate::abi::{ColumnShape, RecordLayout};
use crate::ir::{Function, Origin};
use crate::sampling::Inlined;
use crate::target::VectorTarget;
use crate::{EmitStage, Listing};

/// Why a shader could not be compiled.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CompileError {
    /// There is no code generator for the machine, or not with these features.
    #[error("cannot generate code for {target}: {reason}")]
    Target {
        /// The machine.
        target: String,
        /// The missing part.
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
    /// The code was asked for as a text that its emitter does not have.
    #[error("lane IR is evaluated as it is; it has no stage `{stage}`")]
    NoText {
        /// The stage.
        stage: EmitStage,
    },
    /// The code was asked for as a text of Cranelift's, which has no part in it.
    #[error(
        "code with vectors of {bits} bits does not go through Cranelift; it has no stage `{stage}`"
    )]
    NoStage {
        /// The stage.
        stage: EmitStage,
        /// The width of its vectors.
        bits: usize,
    },
    /// WebAssembly was asked for as a text.
    #[error("WebAssembly is a module of bytes; it has no stage `{stage}`")]
    NoListing {
        /// The stage.
        stage: EmitStage,
    },
    /// The code generator reported an error.
    #[error("code generation failed")]
    Codegen(#[source] Box<dyn Error + Send + Sync>),
    /// The compiler panicked.
    #[error("the compiler panicked: {0}")]
    Panic(String),
}

/// A function to make code of.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    /// The function.
    pub(crate) function: &'a Function,
    /// The records that it works on.
    pub(crate) layout: RecordLayout,
    /// Quads per iteration: more than one only of a function that [is
    /// straight](Function::is_straight_line). An emitter may take as many as it likes instead.
    pub(crate) quads: usize,
}

/// Makes code of lane IR.
pub(crate) trait Emitter {
    /// The vectors that functions are lowered and arranged for.
    fn vectors(&self) -> VectorTarget;

    /// Whether the emitter makes code of a function. One that lowering gives is not taken if it needs
    /// something that the emitter has no instructions for. `any_order`: quads may ask texture units and attributes in any
    /// order.
    fn takes(&self, _function: &Function, _any_order: bool) -> bool {
        true
    }

    /// The code of a function.
    ///
    /// # Errors
    ///
    /// The code generator failed.
    ///
    /// # Panics
    ///
    /// If the function is not well formed, or the code generator's own assertions fail.
    fn emit(&self, source: &Source<'_>) -> Result<Box<dyn Code>, CompileError>;

    /// The text of a function at a stage.
    ///
    /// # Errors
    ///
    /// The emitter has no such stage, or the code generator failed.
    fn text(&self, source: &Source<'_>, stage: EmitStage) -> Result<Listing, CompileError>;

    /// The size of a function's code.
    ///
    /// # Errors
    ///
    /// The code generator failed.
    fn size(&self, source: &Source<'_>) -> Result<CodeSize, CompileError>;
}

/// Code, and what its bytes are there for.
pub(crate) struct Made {
    pub(crate) bytes: Vec<u8>,
    /// From which byte on it is code for which instruction.
    pub(crate) origins: Vec<(usize, Origin)>,
}

/// The size of code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CodeSize {
    /// Bytes of machine code, constants included.
    pub(crate) bytes: usize,
    /// Bytes of memory that the code takes.
    pub(crate) memory: usize,
}

/// Code made by an emitter. Threads may share it.
pub(crate) trait Code: Send + Sync + fmt::Debug {
    /// Its kind.
    fn kind(&self) -> CodeKind;

    /// Bytes of memory that it takes.
    fn memory(&self) -> usize;

    /// The addresses of its instructions, if it is machine code.
    fn machine_code(&self) -> Option<Range<usize>> {
        None
    }

    /// Runs records.
    ///
    /// # Errors
    ///
    /// A lane used up its loop budget.
    ///
    /// # Panics
    ///
    /// If the code was made for another layout or samples more textures than the run has, or if a
    /// texture unit or attribute source does.
    fn run(&self, run: &Run<'_>, records: Records<'_>) -> Result<(), RunError>;

    /// Elements of an iteration.
    fn elements(&self) -> usize;

    /// Runs elements of columns, a multiple of an iteration's. The code was made for their shape.
    ///
    /// # Errors
    ///
    /// A lane used up its loop budget; the quad is one of the iteration's.
    ///
    /// # Panics
    ///
    /// As [`Code::run`], or if parts are too short.
    fn map(
        &self,
        run: &Run<'_>,
        shape: &ColumnShape,
        columns: &mut Columns<'_>,
    ) -> Result<(), RunError>;

    /// Shades the spans of `batch`.
    ///
    /// # Errors
    ///
    /// Something is missing that `pipeline`, for which the code was made, asks for, or a lane used up
    /// its loop budget.
    ///
    /// # Panics
    ///
    /// As [`Code::run`].
    fn draw(
        &self,
        run: &Run<'_>,
        pipeline: &Pipeline,
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
    ) -> Result<(), SpanError> {
        passes(pipeline).try_for_each(|own| self.pass(run, (pipeline, own), batch, surfaces))
    }

    /// Shades the spans of `batch` in one of the [`passes`] for `pipeline`.
    ///
    /// # Errors
    ///
    /// As [`Code::draw`].
    ///
    /// # Panics
    ///
    /// As [`Code::run`].
    fn pass(
        &self,
        run: &Run<'_>,
        pass: (&Pipeline, Option<usize>),
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
    ) -> Result<(), SpanError>;
}

/// The passes in which code for a pipeline shades a batch: one, or one for each sample, its number.
/// Samples have nothing in common, so that all of a batch is shaded for one after another.
pub(crate) fn passes(pipeline: &Pipeline) -> impl Iterator<Item = Option<usize>> + use<> {
    let shades = pipeline.multisampling.is_some_and(|it| it.sample_shading);
    let samples = if shades {
        pipeline.samples().count()
    } else {
        1
    };
    (0..samples).map(move |sample| shades.then_some(sample))
}

/// Everything that quads share during a run.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    /// Constants, units and budgets.
    pub(crate) bindings: &'a Bindings<'a>,
    /// The textures that the code samples inline.
    pub(crate) textures: &'a Inlined<'a>,
}

/// Quads in memory.
#[derive(Debug)]
pub(crate) enum Records<'a> {
    /// For shading: every register starts as 0.
    Io(&'a mut [QuadIo]),
    /// The same with the registers of the extended profile.
    ExtendedIo(&'a mut [ExtendedQuadIo]),
    /// With all registers.
    State(&'a mut [QuadState]),
}

impl Records<'_> {
    /// Their layout.
    pub(crate) fn layout(&self) -> RecordLayout {
        match self {
            Records::Io(_) => RecordLayout::Io,
            Records::ExtendedIo(_) => RecordLayout::ExtendedIo,
            Records::State(_) => RecordLayout::State,
        }
    }
}
