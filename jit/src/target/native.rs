//! The machines for which Cranelift makes code.

use std::sync::Arc;

use attila_machine::LANES;
use cranelift_codegen::isa::{self, TargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use target_lexicon::{Architecture, Triple};

use super::{Cpu, VectorTarget};
use crate::emit::CompileError;

/// An instruction set with the choices that emission makes by it.
#[derive(Clone)]
pub(crate) struct CompileTarget {
    pub(crate) isa: Arc<dyn TargetIsa>,
    pub(crate) native: Native,
}

/// Instructions that emission through Cranelift chooses by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Native {
    pub(crate) vectors: VectorTarget,
    /// x86: truncation is `cvttps2dq`, and a mask's lanes are tested by their sign bits.
    pub(crate) x86: bool,
    /// A select by the sign bits of a mask.
    pub(crate) blendv: bool,
    /// Rounding to integers.
    pub(crate) round: bool,
}

impl CompileTarget {
    /// The target for `triple`. `verify` checks what is given to the code generator.
    pub(crate) fn new(
        triple: &Triple,
        cpu: Cpu,
        verify: bool,
    ) -> Result<CompileTarget, CompileError> {
        let unsupported = |reason: &dyn ToString| CompileError::Target {
            target: triple.to_string(),
            reason: reason.to_string(),
        };
        let mut builder = isa::lookup(triple.clone()).map_err(|error| unsupported(&error))?;
        for feature in features(triple, cpu) {
            builder
                .enable(feature)
                .map_err(|error| unsupported(&error))?;
        }
        let flags = flags(verify).map_err(|error| unsupported(&error))?;
        let isa = builder.finish(flags).map_err(|error| unsupported(&error))?;
        let native = Native::new(&*isa);
        Ok(CompileTarget { isa, native })
    }

    /// The vectors.
    pub(crate) fn vectors(&self) -> VectorTarget {
        self.native.vectors
    }
}

impl Native {
    fn new(isa: &dyn TargetIsa) -> Native {
        let x86 = isa.triple().architecture == Architecture::X86_64;
        let has = |name: &str| {
            isa.isa_flags()
                .iter()
                .any(|flag| flag.name == name && flag.as_bool() == Some(true))
        };
        Native {
            vectors: VectorTarget {
                lanes: LANES,
                registers: if x86 { 16 } else { 32 },
                fma: !x86 || has("has_fma"),
                memory_operands: x86,
                blends_components: false,
            },
            x86,
            blendv: x86 && has("has_sse41"),
            round: !x86 || has("has_sse41"),
        }
    }
}

fn flags(verify: bool) -> Result<settings::Flags, settings::SetError> {
    let mut flags = settings::builder();
    // Lane IR comes optimised and scheduled. Cranelift's own optimisations would undo the
    // schedule: they cost speed (phong 10 to 40 percent) and compile time (half as much again).
    flags.set("opt_level", "none")?;
    flags.set("enable_verifier", if verify { "true" } else { "false" })?;
    // The JIT places code once and for all.
    flags.set("is_pic", "false")?;
    flags.set("use_colocated_libcalls", "false")?;
    // Nothing unwinds through a shader: entries catch panics, and the shader returns.
    flags.set("unwind_info", "false")?;
    // A program with many live values has a frame of more than a page.
    flags.set("enable_probestack", "true")?;
    flags.set("probestack_strategy", "inline")?;
    Ok(settings::Flags::new(flags))
}

/// Names of the features to switch on.
fn features(triple: &Triple, cpu: Cpu) -> Vec<&'static str> {
    if triple.architecture == Architecture::X86_64 {
        match cpu {
            Cpu::Host => host_x86_features(),
            Cpu::Baseline => Vec::new(),
            Cpu::Full => X86_FEATURES.to_vec(),
        }
    } else if matches!(triple.architecture, Architecture::Riscv64(_)) {
        RISCV_FEATURES.to_vec()
    } else {
        // AArch64 has all that is needed from the start.
        Vec::new()
    }
}

/// The x86 features that emitted code profits from.
const X86_FEATURES: [&str; 11] = [
    "has_sse3",
    "has_ssse3",
    "has_sse41",
    "has_sse42",
    "has_popcnt",
    "has_avx",
    "has_avx2",
    "has_fma",
    "has_bmi1",
    "has_bmi2",
    "has_lzcnt",
];

/// RV64G with vectors of at least 128 bits.
const RISCV_FEATURES: [&str; 8] = [
    "has_m",
    "has_a",
    "has_f",
    "has_d",
    "has_zicsr",
    "has_zifencei",
    "has_v",
    "has_zvl128b",
];

/// The part of [`X86_FEATURES`] that this machine has.
#[cfg(target_arch = "x86_64")]
fn host_x86_features() -> Vec<&'static str> {
    use std::arch::is_x86_feature_detected as detected;
    let here = [
        detected!("sse3"),
        detected!("ssse3"),
        detected!("sse4.1"),
        detected!("sse4.2"),
        detected!("popcnt"),
        detected!("avx"),
        detected!("avx2"),
        detected!("fma"),
        detected!("bmi1"),
        detected!("bmi2"),
        detected!("lzcnt"),
    ];
    let features = X86_FEATURES.into_iter().zip(here);
    features
        .filter_map(|(name, here)| here.then_some(name))
        .collect()
}

/// The part of [`X86_FEATURES`] that this machine has.
#[cfg(not(target_arch = "x86_64"))]
fn host_x86_features() -> Vec<&'static str> {
    Vec::new()
}
