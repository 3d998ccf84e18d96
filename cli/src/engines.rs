//! Which engine does it.

use std::fmt;

use attila_shader::{EmitterKind, Engine, Shader, ValidProgram};
use clap::ValueEnum;

use crate::error::CliError;

/// The choice of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum EngineArg {
    /// The JIT if it can compile the program, else the interpreter
    Auto,
    /// The interpreter
    Interp,
    /// Lane IR, evaluated: the JIT without its code generator, slow
    Ir,
    /// The JIT
    Jit,
    /// The interpreter and the JIT in turn; the results are compared
    Both,
    /// The interpreter, lane IR, and the JIT with each width of vectors in turn; the results are compared
    All,
}

impl fmt::Display for EngineArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            EngineArg::Auto => "auto",
            EngineArg::Interp => "interp",
            EngineArg::Ir => "ir",
            EngineArg::Jit => "jit",
            EngineArg::Both => "both",
            EngineArg::All => "all",
        })
    }
}

impl EngineArg {
    /// The engines, in the order in which they run.
    pub(crate) fn engines(self) -> Result<Vec<Engine>, CliError> {
        Ok(match self {
            EngineArg::Auto => vec![Engine::auto()],
            EngineArg::Interp => vec![Engine::interp()],
            EngineArg::Ir => vec![ir()?],
            EngineArg::Jit => vec![jit()?],
            EngineArg::Both => vec![Engine::interp(), jit()?],
            EngineArg::All => {
                jit()?;
                Engine::all()
            }
        })
    }
}

fn ir() -> Result<Engine, CliError> {
    let engine = EmitterKind::Evaluator.name();
    Engine::ir().map_err(|source| CliError::Prepare { engine, source })
}

fn jit() -> Result<Engine, CliError> {
    let engine = EmitterKind::Cranelift.name();
    Engine::jit().map_err(|source| CliError::Prepare { engine, source })
}

/// Makes a program ready for shading.
pub(crate) fn prepare(engine: &Engine, program: &ValidProgram) -> Result<Shader, CliError> {
    engine.prepare(program).map_err(|source| CliError::Prepare {
        engine: engine.name(),
        source,
    })
}

/// The names of engines in a sentence.
pub(crate) fn names(engines: &[Engine]) -> String {
    let names: Vec<&str> = engines.iter().map(Engine::name).collect();
    match names.split_last() {
        Some((last, others @ [_, ..])) => format!("{} and {last}", others.join(", ")),
        Some(_) | None => names.concat(),
    }
}
