//! The fast engine for ATTILA shader programs, a JIT: Cranelift emits vectors of 128 bits for every processor, an emitter
//! of this crate vectors of 256 and 512 bits for x86-64.
//!
//! ```text
//! ValidProgram ─ lower ─► lane IR ─ ir::pass ─► lane IR ─ emit ─► code, which loops over quads
//! ```
//!
//! ```
//! use attila_isa::Program;
//! use attila_machine::{Backend, Bindings, QuadIo};
//! use attila_jit::Jit;
//!
//! let program = Program::assemble("mul o1, i0, c0")?.validate()?;
//! let shader = Jit::new()?.prepare(&program)?;
//! let bindings = Bindings::new().with_constant(0, [2.0; 4]);
//! let mut quads = vec![QuadIo::default(); 100];
//! quads[99].set_input(0, [[1.0, 2.0, 3.0, 4.0]; 4]);
//! shader.run(&bindings, &mut quads)?;
//! assert_eq!(quads[99].output(1)[3], [2.0, 4.0, 6.0, 8.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(unsafe_code)]
#![cfg_attr(
    target_arch = "wasm32",
    allow(dead_code, unused_imports, reason = "other emitters need it")
)]

mod abi;
mod bits;
mod calls;
mod code;
mod compiled;
mod constants;
mod convention;
mod emit;
mod fixed;
mod float;
mod info;
mod ir;
mod listing;
mod lower;
mod options;
#[cfg(target_arch = "x86_64")]
mod pages;
mod perf;
mod runtime;
mod sampling;
mod size;
mod specialisation;
mod target;
mod variants;
mod work;

use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use attila_isa::ValidProgram;
use attila_machine::{
    Backend, Bindings, CodeKind, Executable, PrepareError, QuadIo, QuadState, StatefulExecutable,
};
use target_lexicon::{Architecture, Triple};

pub use calls::{CallReason, TextureCall};
use compiled::{Compiled, Shading};
pub use emit::CompileError;
#[cfg(target_arch = "wasm32")]
pub use emit::wasm::linked::{Functions, Linker, set_linker};
#[cfg(feature = "wasm")]
pub use emit::wasm::sandbox::time_in_node;
use emit::{Code, Emitter, Source};
pub use info::{CodeInfo, Narrower};
use ir::Function;
pub use ir::pass::LaneIr;
use ir::pass::Trace;
pub use listing::Listing;
#[cfg(target_arch = "wasm32")]
pub use listing::WasmModule;
use lower::{Domain, Passing, Unlowered};
pub use options::{EmitStage, EmitterKind, JitOptions, Vectors};
use sampling::Decodings;
use specialisation::Specialisation;
use target::CompileTarget;
pub use target::Cpu;
use work::is_long;

/// The operations from which on it is worth a branch to skip a single quad whose fragments all fail their depth test early:
/// quads are no longer computed side by side then.
const WORTH_SKIPPING: usize = 160;

/// The JIT compiler.
#[derive(Clone)]
pub struct Jit {
    kind: EmitterKind,
    vectors: Vectors,
    triple: Triple,
    target: CompileTarget,
    /// The width of vectors, if it is more than 128 bits.
    wide: Option<target::Wide>,
    quads: Option<usize>,
    long: bool,
    code_memory: usize,
    perf_map: bool,
    specialisations: Arc<AtomicUsize>,
    trace: Trace,
}

impl fmt::Debug for Jit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jit")
            .field("emitter", &self.kind)
            .field("target", &self.triple.to_string())
            .field("quads", &self.quads)
            .finish_non_exhaustive()
    }
}

impl Jit {
    /// A compiler for this machine.
    ///
    /// # Errors
    ///
    /// Cranelift does not know the machine.
    pub fn new() -> Result<Jit, PrepareError> {
        Jit::with_options(&JitOptions::default())
    }

    /// A compiler with choices made.
    ///
    /// # Errors
    ///
    /// The target is not one, or Cranelift does not know it.
    pub fn with_options(options: &JitOptions) -> Result<Jit, PrepareError> {
        let triple = match &options.target {
            None => Triple::host(),
            Some(name) => name.parse().map_err(|error| {
                prepare_error(CompileError::Target {
                    target: name.clone(),
                    reason: format!("{error}"),
                })
            })?,
        };
        let target =
            CompileTarget::new(&triple, options.cpu, options.verify).map_err(prepare_error)?;
        options.emitter.check().map_err(prepare_error)?;
        let wide = target::wide(options, &triple).map_err(prepare_error)?;
        Ok(Jit {
            kind: options.emitter,
            vectors: options.vectors,
            triple,
            target,
            wide,
            quads: options.quads,
            long: options.long,
            code_memory: options.code_memory,
            perf_map: options.perf_map,
            specialisations: Arc::default(),
            trace: Trace::default(),
        })
    }

    /// Number of variants compiled for draws, for bound textures that code can sample inline, and for sizes of bound
    /// constants. Clones count together.
    pub fn specialisations(&self) -> usize {
        self.specialisations.load(Ordering::Relaxed)
    }

    fn count_specialisation(&self) {
        self.specialisations.fetch_add(1, Ordering::Relaxed);
    }

    /// The texture instructions for which the code calls the units that the program is bound to, and why.
    pub fn texture_calls(program: &ValidProgram, bindings: &Bindings<'_>) -> Vec<TextureCall> {
        calls::calls(program, bindings)
    }

    /// The forms of texels that code with the widest vectors has.
    fn decodings(&self) -> Decodings {
        self.wide.map_or(Decodings::FLOATS, target::Wide::decodings)
    }

    /// The emitter for all programs.
    fn emitter(&self) -> Box<dyn Emitter + '_> {
        self.kind.emitter(&self.target)
    }

    /// The emitter for programs that it takes.
    fn wide_emitter(&self) -> Option<Box<dyn Emitter + '_>> {
        Some(self.wide?.emitter())
    }

    /// The program in lane IR, optimised for its emitter.
    fn lower(
        &self,
        program: &ValidProgram,
        domain: Domain<'_>,
        known: Specialisation<'_>,
    ) -> Result<Lowered<'_>, CompileError> {
        let mut lowered = self.accepted(program, domain, known)?;
        let vectors = lowered.emitter.vectors();
        let function = &mut lowered.function;
        ir::pass::arrange(function, &vectors, lowered.quads, &self.trace);
        Ok(lowered)
    }

    /// The same before its operations are put in their order, for the widest vectors that it can have. Too
    /// many operations are refused here, which takes less time than to order them.
    fn accepted(
        &self,
        program: &ValidProgram,
        domain: Domain<'_>,
        known: Specialisation<'_>,
    ) -> Result<Lowered<'_>, CompileError> {
        let lower = |emitter: &dyn Emitter| {
            let fused = emitter.vectors().fma;
            self.function(program, domain, known, fused)
        };
        let narrow = self.emitter();
        let Some(wide) = self.wide_emitter() else {
            return self.checked(lower(&*narrow)?, narrow);
        };
        let function = lower(&*wide)?;
        if wide.takes(&function, known.any_order) {
            return self.checked(function, wide);
        }
        let is_same = narrow.vectors().fma == wide.vectors().fma;
        let function = if is_same { function } else { lower(&*narrow)? };
        self.checked(function, narrow)
    }

    fn checked<'a>(
        &self,
        mut function: Function,
        emitter: Box<dyn Emitter + 'a>,
    ) -> Result<Lowered<'a>, CompileError> {
        let vectors = emitter.vectors();
        if vectors.quads() == 1
            && let Some(behind) = function.guarded()
            && function.blocks[behind.0 as usize].body.len() < WORTH_SKIPPING
        {
            function.unguard(behind);
        }
        ir::pass::sink_transpositions(&mut function, &vectors, &self.trace);
        let quads = ir::pass::quads_per_iteration(&function, &vectors, self.quads);
        work::check(&function, quads.div_ceil(vectors.quads()))?;
        Ok(Lowered {
            function,
            quads,
            emitter,
        })
    }

    /// The program in lane IR, simplified. `fused`: the target multiplies and adds in one instruction, which is all that
    /// depends on the emitter.
    fn function(
        &self,
        program: &ValidProgram,
        domain: Domain<'_>,
        known: Specialisation<'_>,
        fused: bool,
    ) -> Result<Function, CompileError> {
        let lower = |passing| {
            let mut function = lower::lower(program, domain, known.samplings, fused, passing)?;
            self.trace.begin(&function);
            ir::pass::simplify(&mut function, known, &self.trace);
            Ok(function)
        };
        if work::may_pass_params(program) && !self.long {
            match lower(Passing::Params) {
                Ok(function) if function.blocks.len() == 1 || !is_long(&function) => {
                    return Ok(function);
                }
                Ok(_) | Err(Unlowered::Params | Unlowered::Work(_)) => {}
            }
        }
        lower(Passing::Variables).map_err(|reason| match reason {
            Unlowered::Params => unreachable!("as many variables as it takes can be kept"),
            Unlowered::Work(work) => work::too_long(work),
        })
    }

    /// Whether this machine executes the code; it evaluates anything. Code for riscv64 relies on
    /// its vector extension, which cannot be detected: it is only there to be looked at.
    fn check_host(&self) -> Result<(), CompileError> {
        if !self.kind.is_machine_code() {
            return Ok(());
        }
        let architecture = self.triple.architecture;
        let detected = matches!(
            architecture,
            Architecture::X86_64 | Architecture::Aarch64(_) | Architecture::Wasm32
        );
        if detected && architecture == Triple::host().architecture {
            return Ok(());
        }
        let target = self.triple.to_string();
        Err(CompileError::Foreign { target })
    }

    /// Code that relies on what is known.
    fn code(
        &self,
        program: &ValidProgram,
        domain: Domain<'_>,
        known: Specialisation<'_>,
    ) -> Result<Arc<dyn Code>, CompileError> {
        self.check_host()?;
        guard(|| {
            let lowered = self.lower(program, domain, known)?;
            let code = lowered.emitter.emit(&lowered.source(domain))?;
            if self.perf_map {
                perf::note(&*code, domain.layout());
            }
            Ok(code.into())
        })
    }
}

/// A program in lane IR, and the emitter that it is for.
struct Lowered<'a> {
    function: Function,
    /// Quads per iteration.
    quads: usize,
    emitter: Box<dyn Emitter + 'a>,
}

impl Lowered<'_> {
    fn source(&self, domain: Domain<'_>) -> Source<'_> {
        Source {
            function: &self.function,
            layout: domain.layout(),
            quads: self.quads,
        }
    }
}

/// Makes an error of a panic: Cranelift panics where it meets what it does not support.
fn guard<T>(compile: impl FnOnce() -> Result<T, CompileError>) -> Result<T, CompileError> {
    // Everything that the closure had begun, a module above all, is dropped by the panic, and it
    // only reads what it borrows: nothing half-done can be seen afterwards.
    catch_unwind(AssertUnwindSafe(compile)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().cloned();
        let literal = || panic.downcast_ref::<&str>().map(ToString::to_string);
        Err(CompileError::Panic(
            message.or_else(literal).unwrap_or_default(),
        ))
    })
}

fn prepare_error(error: impl Error + Send + Sync + 'static) -> PrepareError {
    PrepareError::new(error)
}

impl Backend for Jit {
    fn name(&self) -> &'static str {
        match self.kind {
            EmitterKind::MachineCode => self.vectors.engine(),
            EmitterKind::Evaluator => self.kind.name(),
            #[cfg(any(test, feature = "wasm"))]
            EmitterKind::WebAssembly => self.kind.name(),
        }
    }

    fn code_kind(&self) -> Option<CodeKind> {
        Some(match self.kind {
            EmitterKind::MachineCode => self.wide.map_or(CodeKind::V128, target::Wide::kind),
            EmitterKind::Evaluator => CodeKind::Evaluated,
            #[cfg(any(test, feature = "wasm"))]
            EmitterKind::WebAssembly => CodeKind::V128,
        })
    }

    fn prepare(&self, program: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError> {
        let compiled = Compiled::<QuadIo>::new(self, program).map_err(prepare_error)?;
        compiled.check_length().map_err(prepare_error)?;
        Ok(Arc::new(Shading::new(compiled)))
    }

    fn prepare_stateful(
        &self,
        program: &ValidProgram,
    ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
        let compiled = Compiled::<QuadState>::new(self, program).map_err(prepare_error)?;
        compiled.check_length().map_err(prepare_error)?;
        Ok(Box::new(compiled))
    }
}
