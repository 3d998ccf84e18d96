//! Runs ATTILA GPU shader programs on the CPU: a JIT for speed, an interpreter for reading along,
//! and the same results from both, bit for bit.
#![forbid(unsafe_code)]

mod engine;

pub use attila_interp::Interp;
pub use attila_isa::*;
#[cfg(feature = "jit")]
pub use attila_jit::Jit;
pub use engine::{Engine, Shader};
