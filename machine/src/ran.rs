//! [`Ran`]: the code that ran a program, as it says of itself.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A kind of code that engines make of programs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CodeKind {
    /// No machine code: an intermediate form, evaluated.
    Evaluated,
    /// Machine code with vectors of 128 bits, a quad in each.
    V128,
    /// Machine code with vectors of 256 bits, two quads in each.
    V256,
    /// Machine code with vectors of 512 bits, four quads in each.
    V512,
}

impl CodeKind {
    /// All kinds.
    pub const ALL: [CodeKind; 4] = [
        CodeKind::Evaluated,
        CodeKind::V128,
        CodeKind::V256,
        CodeKind::V512,
    ];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            CodeKind::Evaluated => "evaluated",
            CodeKind::V128 => "128 bits",
            CodeKind::V256 => "256 bits",
            CodeKind::V512 => "512 bits",
        }
    }

    /// Whether several quads are in a vector.
    pub const fn is_wide(self) -> bool {
        match self {
            CodeKind::Evaluated | CodeKind::V128 => false,
            CodeKind::V256 | CodeKind::V512 => true,
        }
    }
}

impl fmt::Display for CodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Quads that each kind of a program's code was run for. Engines that make no code leave it empty.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ran([u64; CodeKind::ALL.len()]);

impl Ran {
    /// Quads that code of this kind was run for.
    pub const fn quads(&self, kind: CodeKind) -> u64 {
        self.0[kind as usize]
    }

    /// The kinds that were run, with their quads.
    pub fn kinds(&self) -> impl Iterator<Item = (CodeKind, u64)> {
        let all = CodeKind::ALL.into_iter().zip(self.0);
        all.filter(|(_, quads)| *quads > 0)
    }
}

impl std::ops::AddAssign for Ran {
    fn add_assign(&mut self, other: Ran) {
        for (sum, quads) in self.0.iter_mut().zip(other.0) {
            *sum += quads;
        }
    }
}

/// Counts for a [`Ran`]. Threads may share them.
#[derive(Default, Debug)]
pub struct RanCounts([AtomicU64; CodeKind::ALL.len()]);

impl RanCounts {
    /// Counts a run of code for so many quads.
    pub fn add(&self, kind: CodeKind, quads: usize) {
        self.0[kind as usize].fetch_add(quads as u64, Ordering::Relaxed);
    }

    /// The counts so far.
    pub fn ran(&self) -> Ran {
        Ran(self.0.each_ref().map(|count| count.load(Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quads_are_counted_by_the_kind_of_code() {
        let counts = RanCounts::default();
        counts.add(CodeKind::V256, 6);
        counts.add(CodeKind::V128, 1);
        counts.add(CodeKind::V256, 2);
        let mut ran = counts.ran();
        assert_eq!(
            ran.kinds().collect::<Vec<_>>(),
            [(CodeKind::V128, 1), (CodeKind::V256, 8)]
        );
        ran += ran;
        assert_eq!(ran.quads(CodeKind::V256), 16);
        assert_eq!(Ran::default().kinds().next(), None);
    }
}
