//! The library that runs ATTILA GPU shader programs on the CPU and draws with them: a readable
//! interpreter and a fast Cranelift JIT that agree bit for bit.
//!
//! [`Program`] is assembled or decoded and validated, [`Engine`] prepares a [`Shader`] from it, and
//! [`Shader::run`] or [`Draw`] run it. The modules [`isa`], [`machine`] and [`texture`] hold the rest.
#![cfg_attr(
    feature = "front",
    doc = "[`front`] has the languages that compile to programs."
)]
#![forbid(unsafe_code)]

pub mod compute;
pub mod draw;
mod engine;
pub mod geometry;

/// Languages that compile to programs.
///
/// A translation says which parameter each constant holds:
///
/// ```
/// use attila_shader::front::arb::{self, Parameters, Profile};
/// use attila_shader::{Bindings, Engine, QuadIo};
///
/// let text = "!!ARBfp1.0\nMUL result.color, fragment.color, program.local[0];\nEND";
/// let translation = arb::compile(text, &Profile::default())?;
/// let mut parameters = Parameters::default(); // OpenGL's initial state
/// parameters.local.insert(0, [0.5, 0.5, 0.5, 1.0]);
/// let mut bindings = Bindings::new();
/// for (register, value) in translation.constants(|param| parameters.value(param)) {
///     bindings.set_constant(register, value);
/// }
/// let shader = Engine::auto().prepare(&translation.program.validate()?)?;
/// let mut quads = [QuadIo::default()];
/// quads[0].set_input(1, [[1.0, 0.5, 4.0, 1.0]; 4]);
/// shader.run(&bindings, &mut quads)?;
/// assert_eq!(quads[0].output(1)[0], [0.5, 0.25, 2.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "front")]
pub use attila_front as front;
pub use attila_interp::{Interp, TracePoint, Tracer};
/// The definition of a program: opcodes, instructions, words, assembly, validation.
pub use attila_isa as isa;
#[cfg(feature = "jit")]
pub use attila_jit::{
    CallReason, CodeInfo, CompileError, Cpu, EmitStage, EmitterKind, Jit, JitOptions, Narrower,
    TextureCall, Vectors,
};
/// The meaning of running a program: quads, state, bindings, pipeline, arithmetic.
pub use attila_machine as machine;
/// Images, samplers and texture units.
pub use attila_texture as texture;

pub use attila_isa::{AsmError, DecodeError, Program, Stage, ValidProgram, ValidateError};
pub use attila_machine::{
    AttributeSource, Bindings, PrepareError, QuadIo, RunError, TextureUnit, VertexBuffers,
    WideQuadIo,
};
pub use draw::{Draw, DrawError, PreparedDraw, Varying};
pub use engine::{Engine, Shader};

/// The README's examples are tests.
#[cfg(all(doctest, feature = "front"))]
#[doc = include_str!("../README.md")]
struct Readme;
