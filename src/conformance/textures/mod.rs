//! Random images, samplers and coordinates: do engines sample alike?
//!
//! The cases of [`fuzz`](super::fuzz()) answer texture requests by a formula. Those here bind real
//! textures, which an engine may sample by its own code.

mod case;
mod generate;
mod report;
mod shrink;

use std::time::{Duration, Instant};

pub use case::{ImageBytes, TextureCase, TextureDifference};
pub use report::report;

use super::cases::{self, Outcome, Progress, Sequence, Tally};
use super::dice::{Dice, case_rng};
use crate::engine::Engine;

/// What the cases did.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TextureStatistics {
    /// Cases run.
    pub cases: u64,
    /// Quads, each run on every engine.
    pub quads: u64,
}

/// A case that differs.
#[derive(Clone, Debug)]
pub struct TextureFailure {
    /// The sequence of the case.
    pub seed: u64,
    /// Its place in the sequence.
    pub index: u64,
    /// The smallest case made of it that differs.
    pub case: TextureCase,
    /// How that differs.
    pub difference: TextureDifference,
}

/// How it went.
#[derive(Clone, Debug)]
pub struct TextureReport {
    /// What the cases did.
    pub statistics: TextureStatistics,
    /// The first case that differs.
    pub failure: Option<TextureFailure>,
    /// The time taken, shrinking included.
    pub elapsed: Duration,
}

/// Makes case `index` of the sequence `seed`.
pub fn case(seed: u64, index: u64) -> TextureCase {
    generate::case(&mut Dice::new(&mut case_rng(seed, index)))
}

/// Compares `engines[0]` with each of the others on random textures, and shrinks the first case
/// that differs. `progress` is called after every case, from the thread that ran it.
pub fn fuzz(
    sequence: &Sequence,
    engines: &[Engine],
    progress: &(dyn Fn(Progress) + Sync),
) -> TextureReport {
    let start = Instant::now();
    let seed = sequence.seed;
    let try_case = |index, statistics: &mut TextureStatistics| {
        let case = case(seed, index);
        statistics.cases += 1;
        statistics.quads += case.inputs.len() as u64;
        let difference = case.compare(engines)?;
        Some((case, difference))
    };
    let Outcome {
        statistics,
        failure,
    } = cases::run(sequence, progress, try_case);
    let failure = failure.map(|(index, (case, difference))| {
        let (case, difference) = shrink::shrink(case, difference, engines);
        TextureFailure {
            seed,
            index,
            case,
            difference,
        }
    });
    TextureReport {
        statistics,
        failure,
        elapsed: start.elapsed(),
    }
}

impl Tally for TextureStatistics {
    fn merge(&mut self, other: TextureStatistics) {
        self.cases += other.cases;
        self.quads += other.quads;
    }
}
