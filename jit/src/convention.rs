//! How code is called and calls: on x86-64 in the convention of System V, on Windows, too.
//!
//! Windows' own convention has less room for arguments in registers and gives ten vector registers to the
//! caller. With one convention code is the same on every system, and rustc changes to it where it calls.

#[cfg(not(target_arch = "wasm32"))]
use cranelift_codegen::isa::{CallConv, TargetIsa};
#[cfg(not(target_arch = "wasm32"))]
use target_lexicon::Architecture;

use crate::runtime::Context;

/// Runs quads: the context, the first record or span, and how many there are. 0 on success, else as
/// [`Failure`](crate::code::Failure) says.
///
/// # Safety
///
/// As [`MachineCode::call`](crate::code::MachineCode).
#[cfg(target_arch = "x86_64")]
pub(crate) type Shader = unsafe extern "sysv64" fn(&Context<'_>, *mut u8, usize) -> u64;

/// The same, where there is one convention.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) type Shader = unsafe extern "C" fn(&Context<'_>, *mut u8, usize) -> u64;

/// The address of a function of the runtime for calls by code. Its second argument has this type.
macro_rules! entry {
    ($function:path, $memory:ty) => {{
        #[cfg(target_arch = "x86_64")]
        extern "sysv64" fn entry(of: &Context<'_>, at: $memory, site: u64, vectors: &mut Vectors) {
            $function(of, at, site, vectors);
        }
        #[cfg(not(target_arch = "x86_64"))]
        extern "C" fn entry(of: &Context<'_>, at: $memory, site: u64, vectors: &mut Vectors) {
            $function(of, at, site, vectors);
        }
        entry as *const u8
    }};
}
pub(crate) use entry;

/// The convention of code for a target.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn of(isa: &dyn TargetIsa) -> CallConv {
    if isa.triple().architecture == Architecture::X86_64 {
        CallConv::SystemV
    } else {
        isa.default_call_conv()
    }
}
