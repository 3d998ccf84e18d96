//! Runs ATTILA GPU shader programs on the CPU: a JIT for speed, an interpreter for reading along,
//! and the same results from both, bit for bit.
#![forbid(unsafe_code)]

#[cfg(feature = "conformance")]
pub mod conformance;
pub mod directives;
pub mod draw;
mod engine;
pub mod front;
mod patterns;
pub mod picture;
pub mod shader_test;

pub use attila_interp::{Interp, TracePoint, Tracer};
pub use attila_isa::*;
#[cfg(feature = "jit")]
pub use attila_jit::{CodeInfo, Cpu, EmitStage, Jit, JitOptions};
/// Images, samplers and texture units.
pub use attila_texture as texture;
pub use draw::{Draw, DrawError, PreparedDraw, Varying};
pub use engine::{Engine, Shader};
pub use patterns::{Pattern, UnknownPattern};
pub use picture::{Picture, render};

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
