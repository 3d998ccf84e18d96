//! The machine that code is made for: [`VectorTarget`] for lowering and the passes, [`Native`] for
//! emission through Cranelift.

#[cfg(not(target_arch = "wasm32"))]
mod native;

use target_lexicon::Triple;

#[cfg(not(target_arch = "x86_64"))]
use attila_machine::CodeKind;
use attila_machine::LANES;

use crate::emit::CompileError;
#[cfg(not(target_arch = "x86_64"))]
use crate::emit::Emitter;
#[cfg(not(target_arch = "x86_64"))]
use crate::sampling::Decodings;
use crate::{JitOptions, Vectors};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use native::{CompileTarget, Native};

/// Which instructions of the target's processors may be used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[non_exhaustive]
pub enum Cpu {
    /// The instructions that this machine has, and for another kind of machine the same as
    /// `Baseline`.
    #[default]
    Host,
    /// The instructions that every processor of the kind has: on x86-64 nothing past SSE2. On
    /// riscv64 the vector extension is among them, which the code cannot do without.
    Baseline,
    /// All that the code generator has a use for.
    Full,
}

/// Vectors of more than 128 bits: none for this kind of machine.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wide {}

#[cfg(not(target_arch = "x86_64"))]
impl Wide {
    /// The forms of texels.
    pub(crate) fn decodings(self) -> Decodings {
        match self {}
    }

    /// The emitter for them.
    pub(crate) fn emitter(self) -> Box<dyn Emitter> {
        match self {}
    }

    /// The kind of code.
    pub(crate) fn kind(self) -> CodeKind {
        match self {}
    }

    /// The emitters for all processors whose instructions this one's has.
    #[cfg(test)]
    pub(crate) fn variants(self) -> std::iter::Empty<Wide> {
        match self {}
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use crate::emit::wide::Wide;

/// The width that a [`Jit`](crate::Jit) compiles for, if it is more than 128 bits.
///
/// # Errors
///
/// A width is asked for that the machine does not have.
pub(crate) fn wide(options: &JitOptions, triple: &Triple) -> Result<Option<Wide>, CompileError> {
    if !options.emitter.is_machine_code() {
        return Ok(None);
    }
    let is_host = options.cpu == Cpu::Host && triple.architecture == Triple::host().architecture;
    let here = if is_host { widths_here() } else { [None; 2] };
    let missing = |bits: u32, needs: &str| CompileError::Target {
        target: triple.to_string(),
        reason: format!("vectors of {bits} bits need {needs}"),
    };
    match (options.vectors, here) {
        (Vectors::V128, _) => Ok(None),
        (Vectors::Auto, [v256, v512]) => Ok(v512.or(v256)),
        (Vectors::V256, [Some(v256), _]) => Ok(Some(v256)),
        (Vectors::V512, [_, Some(v512)]) => Ok(Some(v512)),
        (Vectors::V256, _) => Err(missing(256, "AVX2, FMA, BMI2 and F16C")),
        (Vectors::V512, _) => Err(missing(512, "AVX-512 F, BW, DQ and VL, BMI2 and F16C")),
    }
}

/// The vectors of 256 and of 512 bits, if this machine and its system have them.
#[cfg(target_arch = "x86_64")]
pub(crate) fn widths_here() -> [Option<Wide>; 2] {
    use std::arch::is_x86_feature_detected as detected;

    use crate::emit::wide::{Processor, Width};

    let v256 = detected!("avx2") && detected!("fma") && detected!("bmi2") && detected!("f16c");
    let v512 = v256
        && detected!("avx512f")
        && detected!("avx512bw")
        && detected!("avx512dq")
        && detected!("avx512vl");
    let processor = Processor {
        slow_gathers: has_slow_gathers(),
    };
    [
        v256.then_some(Wide::new(Width::V256, processor)),
        v512.then_some(Wide::new(Width::V512, processor)),
    ]
}

/// Whether a gather takes longer than a load for each lane: on AMD's processors, and Hygon's, which are of their
/// design. Of 16 words in the first cache a gather of 512 bits takes 5.1 ns, two of 256 bits 5.7 and loads 3.1; of 16
/// pairs of words 5.0, 6.7 and 3.0 (AMD EPYC, family 26, model 2). That is with numbers of lanes that go from vectors
/// to general registers; by way of memory, loads take as long as gathers.
#[cfg(target_arch = "x86_64")]
fn has_slow_gathers() -> bool {
    let vendor = std::arch::x86_64::__cpuid(0);
    let vendor = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    matches!(vendor.as_flattened(), b"AuthenticAMD" | b"HygonGenuine")
}

/// The vectors of 256 and of 512 bits, if this machine and its system have them.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn widths_here() -> [Option<Wide>; 2] {
    [None; 2]
}

/// WebAssembly, which this program is, too.
#[cfg(target_arch = "wasm32")]
#[derive(Clone)]
pub(crate) struct CompileTarget;

#[cfg(target_arch = "wasm32")]
impl CompileTarget {
    /// The only target: code for another cannot even be looked at.
    pub(crate) fn new(triple: &Triple, _: Cpu, _: bool) -> Result<CompileTarget, CompileError> {
        if triple.architecture == Triple::host().architecture {
            return Ok(CompileTarget);
        }
        Err(CompileError::Target {
            target: triple.to_string(),
            reason: "only WebAssembly is made here".to_owned(),
        })
    }

    /// The vectors of its emitter.
    pub(crate) fn vectors(&self) -> VectorTarget {
        crate::emit::wasm::linked::Linked::new().wasm.vectors()
    }
}

/// The vectors of a target, as far as lowering and the passes choose by them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct VectorTarget {
    /// 32-bit lanes of a vector: a multiple of a quad's.
    pub(crate) lanes: usize,
    /// Vector registers.
    pub(crate) registers: usize,
    /// Whether a product and a sum with one rounding are one instruction.
    pub(crate) fma: bool,
    /// Whether instructions take an operand from memory at no cost.
    pub(crate) memory_operands: bool,
    /// Whether a linear filter of bytes computes components, from which pixels are transposed.
    pub(crate) blends_components: bool,
}

impl VectorTarget {
    /// Quads that one vector holds.
    pub(crate) fn quads(&self) -> usize {
        self.lanes / LANES
    }
}

#[cfg(test)]
impl VectorTarget {
    /// x86-64 with AVX2.
    pub(crate) const AVX2: VectorTarget = VectorTarget {
        lanes: 4,
        registers: 16,
        fma: true,
        memory_operands: true,
        blends_components: false,
    };
}
