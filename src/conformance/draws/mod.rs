//! Random draws: do engines make the same pixels?
//!
//! Programs are those of [`fuzz`](super::fuzz()). Around them come inputs of every kind, targets in every
//! format, tests, blending, and rectangles, lists of quads and triangles: what an engine may do
//! by itself, and what `draw`'s portable way does for the others.

mod case;
mod generate;
mod report;
mod shrink;

use std::time::{Duration, Instant};

pub use case::{DrawCase, DrawDifference, DrawInput, DrawShape, DrawTarget};
pub use report::report;

use super::cases::{self, Outcome, Progress, Sequence, Tally};
use super::dice::{Dice, case_rng};
use crate::engine::Engine;

/// What the cases did.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct DrawStatistics {
    /// Cases run.
    pub cases: u64,
    /// Pixels of all targets.
    pub pixels: u64,
    /// Those that the first engine changed.
    pub changed: u64,
    /// Cases in which a lane used up its loop budget.
    pub loop_budgets: u64,
}

/// A case that differs.
#[derive(Clone, Debug)]
pub struct DrawFailure {
    /// The sequence of the case.
    pub seed: u64,
    /// Its place in the sequence.
    pub index: u64,
    /// The smallest case made of it that differs.
    pub case: DrawCase,
    /// How that differs.
    pub difference: DrawDifference,
}

/// How it went.
#[derive(Clone, Debug)]
pub struct DrawReport {
    /// What the cases did.
    pub statistics: DrawStatistics,
    /// The first case that differs.
    pub failure: Option<DrawFailure>,
    /// The time taken, shrinking included.
    pub elapsed: Duration,
}

/// Makes case `index` of the sequence `seed`.
pub fn case(seed: u64, index: u64) -> DrawCase {
    generate::case(&mut Dice::new(&mut case_rng(seed, index)))
}

/// Compares `engines[0]` with each of the others on random draws, and shrinks the first case that
/// differs. `progress` is called after every case, from the thread that ran it.
pub fn fuzz(
    sequence: &Sequence,
    engines: &[Engine],
    progress: &(dyn Fn(Progress) + Sync),
) -> DrawReport {
    let start = Instant::now();
    let seed = sequence.seed;
    let try_case = |index, statistics: &mut DrawStatistics| {
        let case = case(seed, index);
        let difference = case.compare_counting(engines, statistics)?;
        Some((case, difference))
    };
    let Outcome {
        statistics,
        failure,
    } = cases::run(sequence, progress, try_case);
    let failure = failure.map(|(index, found)| {
        let (case, difference) = shrink::shrink(found, &|case| case.compare(engines));
        DrawFailure {
            seed,
            index,
            case,
            difference,
        }
    });
    DrawReport {
        statistics,
        failure,
        elapsed: start.elapsed(),
    }
}

impl Tally for DrawStatistics {
    fn merge(&mut self, other: DrawStatistics) {
        self.cases += other.cases;
        self.pixels += other.pixels;
        self.changed += other.changed;
        self.loop_budgets += other.loop_budgets;
    }
}
