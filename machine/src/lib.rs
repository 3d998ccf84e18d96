//! Defines what running an ATTILA shader program means: quads, state, bindings, pipeline,
//! arithmetic, approximations, and the traits of engines.
//!
//! Nothing here runs a program: see the crates `attila-interp` and `attila-jit`, or the library
//! `attila-shader`.
//!
//! Comments cite the pages of the library's module `docs`: `machine.md 5.3` is section 5.3 of its page `machine`.
#![forbid(unsafe_code)]

pub mod approx;
pub mod arith;
mod attributes;
mod bindings;
mod columns;
mod emission;
mod engine;
pub mod half;
mod nesting;
pub mod pipeline;
mod quad;
mod query;
mod ran;
mod samples;
mod state;
pub mod sweep;
mod words;

pub use attila_isa::CONSTANTS;
pub use attributes::{VertexAttribute, VertexBuffers, VertexFormat};
pub use bindings::{
    AttributeSource, Bindings, DEFAULT_ATTRIBUTE, DEFAULT_FIXED_BITS, DEFAULT_LOOP_BUDGET,
    InputSource, MAX_BUFFER, MAX_FIXED_BITS, MAX_STORAGE, TextureUnit,
};
pub use columns::{Columns, Part, Parts};
pub use emission::VertexSink;
pub use engine::{Backend, ErrorChain, Executable, PrepareError, RunError, StatefulExecutable};
pub use nesting::{MAX_NESTED_RUNS, Running};
pub use quad::{DDX_LANES, DDY_LANES, LANES, LaneMask, Lanes};
pub use query::{Gradients, LevelOfDetail, Lookup, Offset, TextureQuery};
pub use ran::{CodeKind, Ran, RanCounts};
pub use samples::{
    NO_SAMPLE, QuadSamples, SAMPLE_RANGE, SampleCount, SamplePositions, offset_of_packed,
    packed_offset,
};
pub use state::{
    ExtendedQuadIo, Fixed, KILL_ALL, QuadIo, QuadRecord, QuadReg, QuadState, RegFile, SAMPLES,
    from_floats, from_lanes, to_floats, to_lanes,
};
pub use words::{Meaning, StateKind, StateName, StateNameError, StateWord};
