//! The library that runs ATTILA GPU shader programs on the CPU and draws with them: a readable
//! interpreter and a fast JIT that agree bit for bit.
//!
//! [`Program`] is assembled or decoded and validated, and [`Engine`] prepares a [`Shader`] from it. [`Shader::map`] runs it
//! over slices, [`Draw`] draws with it, and [`Shader::run`] shows quads of registers. The modules [`isa`], [`machine`] and
//! [`texture`] hold the rest. [`docs`] specifies all of it.
#![cfg_attr(
    feature = "front",
    doc = "[`front`] has the languages that compile to programs."
)]
#![deny(unsafe_code)]

pub mod compute;
pub mod debug;
pub mod docs;
pub mod draw;
mod engine;
pub mod geometry;
mod guard;
pub mod map;
mod processor;
mod threads;

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
#[doc(inline)]
pub use attila_front as front;
pub use attila_interp::{Interp, TracePoint, Tracer};
/// The definition of a program: opcodes, instructions, words, assembly, validation.
#[doc(inline)]
pub use attila_isa as isa;
#[cfg(feature = "wasm")]
pub use attila_jit::time_in_node;
#[cfg(feature = "jit")]
pub use attila_jit::{
    CallReason, CodeInfo, CompileError, Cpu, EmitStage, EmitterKind, Jit, JitOptions, LaneIr,
    Listing, Narrower, TextureCall, Vectors,
};
#[cfg(all(feature = "jit", target_arch = "wasm32"))]
pub use attila_jit::{Functions, Linker, WasmModule, set_linker};
/// The meaning of running a program: quads, state, bindings, pipeline, arithmetic.
#[doc(inline)]
pub use attila_machine as machine;
/// Images, samplers and texture units.
#[doc(inline)]
pub use attila_texture as texture;

#[doc(inline)]
pub use attila_isa::{AsmError, DecodeError, Program, Stage, ValidProgram, ValidateError};
#[doc(inline)]
pub use attila_machine::pipeline::{ColourFormat, Compare, DepthFormat};
#[doc(inline)]
pub use attila_machine::{
    AttributeSource, Backend, Bindings, ExtendedQuadIo, PrepareError, QuadIo, RunError,
    SampleCount, TextureUnit, VertexAttribute, VertexBuffers, VertexFormat,
};
#[doc(inline)]
pub use attila_texture::{Filter, Image, MipMode, Sampler, Texture, Textures, Wrap};
pub use draw::{
    ColourImage, Cull, DepthImage, DepthState, Draw, DrawError, FrontFace, Mesh, Plane,
    PreparedDraw, Varying,
};
pub use engine::{Engine, Shader};
pub use map::{Column, ColumnMut, Map, MapError};

/// The examples of both READMEs are tests.
#[cfg(all(doctest, feature = "front"))]
#[doc = include_str!("../README.md")]
#[doc = include_str!("README.md")]
struct Readme;
