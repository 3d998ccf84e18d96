//! Shaders
//!
//! A shader is a program that an engine has made ready. Shaders do not change, so that any number of threads may use
//! one.

use ::attila_shader::machine::ErrorChain;
use ::attila_shader::{Engine, JitOptions, Shader, Vectors};

use crate::attila_text;
use crate::error::attila_error;
use crate::failure::{Failure, Outcome};
use crate::handle::{self, handle};
use crate::memory::{call, plain_call};
use crate::program::attila_program;
use crate::status::*;

/// A program that is ready to run.
pub struct attila_shader {
    _opaque: [u8; 0],
}

handle!(attila_shader, 3, "a shader", ShaderObject);

pub(crate) struct ShaderObject {
    pub(crate) shader: Shader,
    refusal: String,
}

/// What runs a program. The results are the same.
pub type attila_engine = u32;

/// The JIT, or the interpreter where the JIT cannot compile the program.
pub const ATTILA_ENGINE_AUTO: attila_engine = 0;
pub const ATTILA_ENGINE_JIT: attila_engine = 1;
pub const ATTILA_ENGINE_INTERP: attila_engine = 2;

/// How a program is made ready.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_prepare_options {
    pub size: usize,
    pub engine: attila_engine,
    /// The width of the JIT's vectors: 128, 256 or 512 bits. 0: what the environment variable ATTILA_VECTORS says, or
    /// the widest that the processor has.
    pub vector_bits: u32,
}

impl Default for attila_prepare_options {
    fn default() -> attila_prepare_options {
        attila_prepare_options {
            size: size_of::<attila_prepare_options>(),
            engine: ATTILA_ENGINE_AUTO,
            vector_bits: 0,
        }
    }
}

fn engine(options: &attila_prepare_options) -> Outcome<Engine> {
    let mut jit = JitOptions::default();
    jit.vectors = match options.vector_bits {
        0 => jit.vectors,
        128 => Vectors::V128,
        256 => Vectors::V256,
        512 => Vectors::V512,
        bits => {
            return Err(Failure::range(format!(
                "there are no vectors of {bits} bits"
            )));
        }
    };
    match options.engine {
        ATTILA_ENGINE_AUTO => {
            Ok(
                Engine::auto_with(&jit).or_else(|error| match options.vector_bits {
                    0 => Ok(Engine::interp()),
                    _ => Err(error),
                })?,
            )
        }
        ATTILA_ENGINE_JIT => Ok(Engine::with_jit_options(&jit)?),
        ATTILA_ENGINE_INTERP => Ok(Engine::interp()),
        other => Err(Failure::range(format!("there is no engine {other}"))),
    }
}

/// Makes a program ready. `options` and `error` may be null. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_shader_prepare(
    program: *const attila_program,
    options: *const attila_prepare_options,
    out: *mut *mut attila_shader,
    error: *mut *mut attila_error,
) -> attila_status {
    call(error, |call| {
        call.put("out", out, std::ptr::null_mut())?;
        let program = handle::read(program)?;
        let engine = engine(&call.options("options", options)?)?;
        let shader = engine.prepare(program.program())?;
        let refusal = shader.refusal().map(|error| ErrorChain(error).to_string());
        let shader = handle::insert(ShaderObject {
            refusal: refusal.unwrap_or_default(),
            shader,
        })?;
        call.put("out", out, shader)
    })
}

/// Frees a shader. Draws that were made of it stay. Null is allowed. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_shader_free(shader: *mut attila_shader) -> attila_status {
    plain_call(|_| handle::free(shader))
}

/// The name of the engine that runs a shader, such as "jit". Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_shader_engine(
    shader: *const attila_shader,
    out: *mut attila_text,
) -> attila_status {
    plain_call(|call| {
        call.put(
            "out",
            out,
            attila_text::of(handle::read(shader)?.shader.engine()),
        )
    })
}

/// Why ATTILA_ENGINE_AUTO took the interpreter; empty if it did not. The text ends with the shader. Callable from any
/// thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_shader_refusal(
    shader: *const attila_shader,
    out: *mut attila_text,
) -> attila_status {
    plain_call(|call| call.put("out", out, attila_text::of(&handle::read(shader)?.refusal)))
}
