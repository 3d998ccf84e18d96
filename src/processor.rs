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

/// Short work: the compiler does not inline much of it.
impl<T, F: FnOnce() -> T> Vectorised for F {
    type Output = T;

    #[inline(always)]
    fn run(self) -> T {
        self()
    }
}

/// Sets of instructions that work is compiled for, each with those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Instructions {
    /// Those of every processor of its kind.
    Plain,
    /// Vectors of 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Vectors of 512 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// The most that the processor has.
    fn detected() -> Instructions {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as detected;
            if detected!("avx2") && detected!("bmi1") && detected!("bmi2") {
                let has_avx512 = detected!("avx512f")
                    && detected!("avx512bw")
                    && detected!("avx512dq")
                    && detected!("avx512vl");
                return match has_avx512 {
                    true => Instructions::Avx512,
                    false => Instructions::Avx2,
                };
            }
        }
        Instructions::Plain
    }
}

/// Does work by the code for the widest vectors that the processor has.
pub(crate) fn vectorised<W: Vectorised>(work: W) -> W::Output {
    #[cfg(test)]
    let instructions = tests::MOST.get().min(Instructions::detected());
    #[cfg(not(test))]
    let instructions = Instructions::detected();
    match instructions {
        Instructions::Plain => work.run(),
        // SAFETY: the processor has the instructions.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => unsafe { with_avx2(work) },
        // SAFETY: the processor has the instructions.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 => unsafe { with_avx512(work) },
    }
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

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;

    use super::Instructions;

    #[cfg(target_arch = "x86_64")]
    const ALL: &[Instructions] = &[
        Instructions::Plain,
        Instructions::Avx2,
        Instructions::Avx512,
    ];
    #[cfg(not(target_arch = "x86_64"))]
    const ALL: &[Instructions] = &[Instructions::Plain];

    thread_local! {
        /// The most instructions that this thread takes.
        pub(super) static MOST: Cell<Instructions> = Cell::new(ALL[ALL.len() - 1]);
    }

    /// What `make` makes by each set of instructions that the processor has.
    pub(crate) fn by_each<T>(mut make: impl FnMut() -> T) -> Vec<(Instructions, T)> {
        let all = ALL.iter().filter(|it| **it <= Instructions::detected());
        let usual = MOST.get();
        let made = all
            .map(|&instructions| {
                MOST.set(instructions);
                (instructions, make())
            })
            .collect();
        MOST.set(usual);
        made
    }
}
