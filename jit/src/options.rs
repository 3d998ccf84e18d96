//! The choices of a [`Jit`](crate::Jit).

use std::fmt;

#[cfg(not(target_arch = "wasm32"))]
use crate::emit::cranelift::Cranelift;
use crate::emit::eval::Evaluator;
#[cfg(target_arch = "wasm32")]
use crate::emit::wasm::linked::Linked;
#[cfg(any(test, feature = "wasm"))]
use crate::emit::wasm::sandbox::Sandbox;
use crate::emit::{CompileError, Emitter};
use crate::target::{self, CompileTarget, Cpu};

/// The part of a [`Jit`](crate::Jit) that makes something of lane IR that runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[non_exhaustive]
pub enum EmitterKind {
    /// Machine code: Cranelift emits vectors of 128 bits, an emitter of this crate [wider ones](Vectors).
    #[default]
    MachineCode,
    /// Lane IR as it is, evaluated quad by quad in the plainest way: slow, and without code that the
    /// machine has to execute. Where the engines differ, it says which part is wrong: lowering and the
    /// passes before it, or emission after it.
    Evaluator,
    /// WebAssembly, which Node.js runs: to compare it with other code. Every run copies all that it reads and writes.
    #[cfg(any(test, feature = "wasm"))]
    WebAssembly,
}

impl EmitterKind {
    /// The emitters whose code needs nothing but this machine.
    pub const ALL: [EmitterKind; 2] = [EmitterKind::MachineCode, EmitterKind::Evaluator];

    /// The name of the engine in reports.
    pub const fn name(self) -> &'static str {
        match self {
            EmitterKind::MachineCode => "jit",
            EmitterKind::Evaluator => "ir",
            #[cfg(any(test, feature = "wasm"))]
            EmitterKind::WebAssembly => "wasm",
        }
    }

    /// Whether it makes code of this machine's instructions.
    pub(crate) fn is_machine_code(self) -> bool {
        match self {
            EmitterKind::MachineCode => true,
            EmitterKind::Evaluator => false,
            #[cfg(any(test, feature = "wasm"))]
            EmitterKind::WebAssembly => false,
        }
    }

    /// Whether what its code runs on is there.
    ///
    /// # Errors
    ///
    /// It is not.
    pub(crate) fn check(self) -> Result<(), CompileError> {
        match self {
            EmitterKind::MachineCode | EmitterKind::Evaluator => Ok(()),
            #[cfg(any(test, feature = "wasm"))]
            EmitterKind::WebAssembly => Sandbox::best().map(drop),
        }
    }

    /// The emitter for all functions. Wide vectors have [one of their own](crate::target::Wide).
    pub(crate) fn emitter(self, target: &CompileTarget) -> Box<dyn Emitter + '_> {
        match self {
            #[cfg(not(target_arch = "wasm32"))]
            EmitterKind::MachineCode => Box::new(Cranelift { target }),
            #[cfg(target_arch = "wasm32")]
            EmitterKind::MachineCode => Box::new(Linked::new()),
            EmitterKind::Evaluator => Box::new(Evaluator {
                vectors: target.vectors(),
            }),
            #[cfg(any(test, feature = "wasm"))]
            EmitterKind::WebAssembly => Box::new(Sandbox::best_or_plain()),
        }
    }
}

/// Bits of a vector in emitted code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Vectors {
    /// The widest that this machine has and the program profits from.
    #[default]
    Auto,
    /// 128 bits, a quad in each: every machine has them.
    V128,
    /// 256 bits, two quads: x86-64 with AVX2, FMA, BMI2 and F16C.
    V256,
    /// 512 bits, four quads: x86-64 with AVX-512 F, BW, DQ and VL.
    V512,
}

impl Vectors {
    /// The widths that this machine has, the widest last.
    pub fn here() -> Vec<Vectors> {
        let [v256, v512] = target::widths_here();
        let wider = [v256.map(|_| Vectors::V256), v512.map(|_| Vectors::V512)];
        let wider = wider.into_iter().flatten();
        std::iter::once(Vectors::V128).chain(wider).collect()
    }

    /// The name of the engine in reports.
    pub(crate) const fn engine(self) -> &'static str {
        match self {
            Vectors::Auto => "jit",
            Vectors::V128 => "jit128",
            Vectors::V256 => "jit256",
            Vectors::V512 => "jit512",
        }
    }

    /// The ones that `ATTILA_VECTORS` asks for, a number of bits, for programs that compare them; or else
    /// [`Vectors::Auto`].
    fn wanted() -> Vectors {
        match std::env::var("ATTILA_VECTORS").as_deref() {
            Ok("128") => Vectors::V128,
            Ok("256") => Vectors::V256,
            Ok("512") => Vectors::V512,
            Ok(_) | Err(_) => Vectors::Auto,
        }
    }
}

/// How a [`Jit`](crate::Jit) compiles. No choice changes a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JitOptions {
    /// The emitter.
    pub emitter: EmitterKind,
    /// The machine to make code for, as a target triple. Code for another than this one can be
    /// looked at, but not run. `None` is this machine.
    pub target: Option<String>,
    /// Which of its instructions may be used.
    pub cpu: Cpu,
    /// The vectors. Programs whose code cannot have vectors so wide get 128 bits: those that call what users make,
    /// unless it answers [in any order](attila_machine::TextureUnit::in_any_order), and those that access storage buffers.
    pub vectors: Vectors,
    /// Whether what is given to the code generator is checked first. On in debug builds.
    pub verify: bool,
    /// Quads computed side by side, rounded up to whole vectors, of which there are four at most. `None` decides by
    /// the program. Programs that jump or call out, as for textures that the code does not sample inline, always
    /// take one vector at a time.
    pub quads: Option<usize>,
    /// Whether every program is compiled as long ones are: registers wait in memory wherever lanes
    /// may part. The time to compile then grows with the program's length, not with its square; the
    /// code of short programs is slower for it.
    pub long: bool,
    /// Bytes of memory for the code that each shader keeps for the pipelines, textures and types of records
    /// that it has been used with. Beyond it, the code that was used longest ago is given up, and made again
    /// when it is needed; the newest is kept at any size. Code that runs or belongs to a prepared draw, and
    /// the code for quads in memory that samples nothing inline, is not counted.
    ///
    /// [`JitOptions::CODE_MEMORY`] by default.
    pub code_memory: usize,
    /// Whether `/tmp/perf-PID.map` gets a line for each piece of code, so that `perf` on Linux has a name for it. Off by
    /// default.
    pub perf_map: bool,
}

impl JitOptions {
    /// The default of [`JitOptions::code_memory`], 8 MiB. Code of usual programs takes 4 to 32 KiB for each
    /// pipeline, so that hundreds are kept. Code of the longest takes about 1 MiB and half a second to make, and
    /// is needed for at least four pipelines in turn: with and without coverage, with one sample and several.
    pub const CODE_MEMORY: usize = 8 << 20;
}

impl Default for JitOptions {
    fn default() -> Self {
        JitOptions {
            emitter: EmitterKind::default(),
            target: None,
            cpu: Cpu::Host,
            vectors: Vectors::wanted(),
            verify: cfg!(debug_assertions),
            quads: None,
            long: false,
            code_memory: JitOptions::CODE_MEMORY,
            perf_map: false,
        }
    }
}

/// A form of a program on its way to code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum EmitStage {
    /// Lane IR, optimised.
    Ir,
    /// Cranelift's input.
    Clif,
    /// The target's instructions.
    Asm,
}

impl fmt::Display for EmitStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            EmitStage::Ir => "ir",
            EmitStage::Clif => "clif",
            EmitStage::Asm => "asm",
        })
    }
}
