//! Random ARB programs: is every text either refused with positions inside it, or translated to a
//! program on which engines agree?
//!
//! ```text
//! Dice ─► generate ──────────┬─► text ─► parse, translate ─► Program ─► oracle ─► nothing, or a fault
//!         built in ─► mutate ─┘          refused: positions
//! ```
//!
//! Half of the texts are made (`generate`) by the rules of the language, which must not be refused.
//! The others are such texts, or one of two that are built in, damaged (`mutate`) at random.

mod check;
mod generate;
mod mutate;
mod report;
mod shrink;
mod text;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

pub use check::{ArbCase, ArbFault};
pub use generate::program;
pub use mutate::{PIECES, PROGRAMS, damaged};
pub use report::report;

use super::cases::{self, Outcome, Progress, Sequence, Tally};
use super::dice::{Dice, case_rng};
use attila_shader::Engine;

/// What the cases did.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ArbStatistics {
    /// Texts.
    pub cases: u64,
    /// Those that are programs, each run by every engine.
    pub programs: u64,
    /// Damaged texts that are still programs.
    pub survivors: u64,
    /// How often each instruction of the languages stood in a program.
    pub opcodes: BTreeMap<&'static str, u64>,
    /// The longest time that reading and translating a text took.
    pub slowest: Duration,
}

/// A text with which something is wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct ArbFailure {
    /// The sequence of the case.
    pub seed: u64,
    /// Its place in the sequence.
    pub index: u64,
    /// The shortest case made of it with such a fault.
    pub case: ArbCase,
    /// The fault.
    pub fault: ArbFault,
}

/// How it went.
#[derive(Clone, PartialEq, Debug)]
pub struct ArbReport {
    /// What the cases did.
    pub statistics: ArbStatistics,
    /// The first case with a fault.
    pub failure: Option<ArbFailure>,
    /// The time taken, shrinking included.
    pub elapsed: Duration,
}

/// Makes case `index` of the sequence `seed`.
pub fn case(seed: u64, index: u64) -> ArbCase {
    let mut rng = case_rng(seed, index);
    let dice = &mut Dice::new(&mut rng);
    let valid = dice.percent(50);
    ArbCase {
        text: if valid { program(dice) } else { damaged(dice) },
        valid,
        values: dice.word(),
    }
}

/// Reads random texts, and compares `engines[0]` with each of the others on those that are programs.
/// Shortens the first text with which something is wrong. `progress` is called after every case,
/// from the thread that ran it.
pub fn fuzz(
    sequence: &Sequence,
    engines: &[Engine],
    progress: &(dyn Fn(Progress) + Sync),
) -> ArbReport {
    let start = Instant::now();
    let seed = sequence.seed;
    let try_case = |index, statistics: &mut ArbStatistics| {
        let case = case(seed, index);
        let fault = case.check_counting(engines, statistics).err()?;
        Some((case, fault))
    };
    let Outcome {
        statistics,
        failure,
    } = cases::run(sequence, progress, try_case);
    let failure = failure.map(|(index, (case, fault))| {
        let (case, fault) = shrink::shrink(case, *fault, engines);
        ArbFailure {
            seed,
            index,
            case,
            fault,
        }
    });
    ArbReport {
        statistics,
        failure,
        elapsed: start.elapsed(),
    }
}

impl Tally for ArbStatistics {
    fn merge(&mut self, other: ArbStatistics) {
        self.cases += other.cases;
        self.programs += other.programs;
        self.survivors += other.survivors;
        self.slowest = self.slowest.max(other.slowest);
        for (name, count) in other.opcodes {
            *self.opcodes.entry(name).or_default() += count;
        }
    }
}
