//! Which engine does it.

use std::fmt;

use attila_shader::{EmitterKind, Engine, JitOptions, PrepareError, Shader, ValidProgram, Vectors};
use clap::ValueEnum;
use clap::error::ErrorKind;

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
    /// The JIT's code as WebAssembly, which Node.js runs: slow, to be compared
    Wasm,
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
            EngineArg::Wasm => "wasm",
            EngineArg::Both => "both",
            EngineArg::All => "all",
        })
    }
}

/// The width of vectors in the JIT's code.
#[derive(Clone, Copy, Default, Debug, clap::Args)]
pub(crate) struct VectorArgs {
    /// The bits of a vector in the JIT's code [default: auto]
    #[arg(long, value_enum, value_name = "BITS")]
    vectors: Option<VectorsArg>,
    /// Whether `perf` gets names for code.
    #[arg(skip)]
    perf_map: bool,
}

/// Names of the JIT's code for `perf`.
#[derive(Clone, Copy, Default, Debug, clap::Args)]
pub(crate) struct PerfArgs {
    /// Name the JIT's code for `perf` on Linux, in /tmp/perf-PID.map
    #[arg(long)]
    perf_map: bool,
}

/// [`Vectors`] as an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum VectorsArg {
    /// The widest that this machine has
    Auto,
    /// A quad in each, on every machine
    #[value(name = "128")]
    V128,
    /// Two quads, on x86-64 with AVX2, FMA, BMI2 and F16C
    #[value(name = "256")]
    V256,
    /// Four quads, on x86-64 with AVX-512 F, BW, DQ and VL
    #[value(name = "512")]
    V512,
}

impl From<VectorsArg> for Vectors {
    fn from(vectors: VectorsArg) -> Vectors {
        match vectors {
            VectorsArg::Auto => Vectors::Auto,
            VectorsArg::V128 => Vectors::V128,
            VectorsArg::V256 => Vectors::V256,
            VectorsArg::V512 => Vectors::V512,
        }
    }
}

impl VectorArgs {
    /// Whether somebody asks for another JIT than the usual one.
    pub(crate) fn are_given(self) -> bool {
        self.vectors.is_some() || self.perf_map
    }

    /// The same with names for `perf`, which engines without code have no use for.
    pub(crate) fn with_perf(self, perf: PerfArgs, engine: EngineArg) -> Result<Self, CliError> {
        let PerfArgs { perf_map } = perf;
        match engine {
            EngineArg::Interp | EngineArg::Ir | EngineArg::Wasm if perf_map => {
                let message =
                    format!("--perf-map names the JIT's code; --engine {engine} has none");
                Err(CliError::usage(ErrorKind::ArgumentConflict, message))
            }
            EngineArg::Auto
            | EngineArg::Interp
            | EngineArg::Ir
            | EngineArg::Jit
            | EngineArg::Wasm
            | EngineArg::Both
            | EngineArg::All => Ok(VectorArgs { perf_map, ..self }),
        }
    }

    /// How the JIT compiles.
    pub(crate) fn options(self) -> JitOptions {
        let options = JitOptions::default();
        JitOptions {
            vectors: self.vectors.map_or(options.vectors, Vectors::from),
            perf_map: self.perf_map,
            ..options
        }
    }
}

impl EngineArg {
    /// The engines, in the order in which they run.
    pub(crate) fn engines(self) -> Result<Vec<Engine>, CliError> {
        self.engines_with(VectorArgs::default())
    }

    /// The same with vectors of a width: of all engines that are the JIT, only the one with it.
    pub(crate) fn engines_with(self, vectors: VectorArgs) -> Result<Vec<Engine>, CliError> {
        let auto = || match vectors.are_given() {
            false => Ok(Engine::auto()),
            true => Engine::auto_with(&vectors.options()).map_err(of_the_jit),
        };
        Ok(match self {
            EngineArg::Auto => vec![auto()?],
            EngineArg::Interp => vec![Engine::interp()],
            EngineArg::Ir => vec![ir()?],
            EngineArg::Jit => vec![jit(vectors)?],
            EngineArg::Wasm => vec![wasm()?],
            EngineArg::Both => vec![Engine::interp(), jit(vectors)?],
            EngineArg::All if vectors.are_given() => {
                vec![Engine::interp(), ir()?, jit(vectors)?]
            }
            EngineArg::All => {
                jit(vectors)?;
                Engine::all()
            }
        })
    }
}

fn ir() -> Result<Engine, CliError> {
    let engine = EmitterKind::Evaluator.name();
    Engine::ir().map_err(|source| CliError::Prepare { engine, source })
}

fn wasm() -> Result<Engine, CliError> {
    let emitter = EmitterKind::WebAssembly;
    let options = JitOptions {
        emitter,
        ..JitOptions::default()
    };
    let engine = emitter.name();
    Engine::with_jit_options(&options).map_err(|source| CliError::Prepare { engine, source })
}

fn jit(vectors: VectorArgs) -> Result<Engine, CliError> {
    Engine::with_jit_options(&vectors.options()).map_err(of_the_jit)
}

/// Why there is no JIT.
pub(crate) fn of_the_jit(source: PrepareError) -> CliError {
    let engine = EmitterKind::MachineCode.name();
    CliError::Prepare { engine, source }
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
