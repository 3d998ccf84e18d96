//! Code for the vectors that the processor has, where that for every processor of its kind takes longer.
//!
//! This is the only place of the crate that does what the compiler cannot check.
#![allow(
    unsafe_code,
    reason = "whether the processor has an instruction is known when the code runs"
)]

/// Work that is compiled once more for each of some sets of instructions.
pub(crate) trait Vectorised {
    /// The result.
    type Output;

    /// Does the work. It has to be inlined, and so has what it calls: other functions stay as they are.
    fn run(self) -> Self::Output;
}

impl<T, F: FnOnce() -> T> Vectorised for F {
    type Output = T;

    #[inline(always)]
    fn run(self) -> T {
        self()
    }
}

/// Does work by the code for the widest vectors that the processor has.
pub(crate) fn vectorised<W: Vectorised>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as detected;
        let has_avx2 = detected!("avx2") && detected!("bmi1") && detected!("bmi2");
        if has_avx2
            && detected!("avx512f")
            && detected!("avx512bw")
            && detected!("avx512dq")
            && detected!("avx512vl")
        {
            // SAFETY: the processor has the instructions.
            return unsafe { with_avx512(work) };
        }
        if has_avx2 {
            // SAFETY: the processor has the instructions.
            return unsafe { with_avx2(work) };
        }
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl")]
fn with_avx512<W: Vectorised>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn with_avx2<W: Vectorised>(work: W) -> W::Output {
    work.run()
}
