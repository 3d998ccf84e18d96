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
pub use generate::INLINED_FORMATS;
pub(super) use generate::texture;
pub use report::report;

use super::cases::{self, Outcome, Progress, Sequence, Tally};
use super::dice::{Dice, case_rng};
use attila_shader::Engine;

/// Which textures come up.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Scope {
    /// Everything that can be sampled.
    #[default]
    All,
    /// What the JIT samples by code of its own: 2D images and cubes in the formats of
    /// [`INLINED_FORMATS`], with every filter but anisotropic ones, and without comparisons.
    Inlinable,
}

/// What to run.
#[derive(Clone, PartialEq, Debug)]
pub struct TextureFuzz {
    /// Which cases.
    pub sequence: Sequence,
    /// What they sample.
    pub scope: Scope,
}

/// What the cases did.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TextureStatistics {
    /// Cases run.
    pub cases: u64,
    /// Quads, each run on every engine.
    pub quads: u64,
    /// Samples for a quad that `engines[0]` asked the textures for: all that there are, if it is
    /// the interpreter.
    pub samples: u64,
    /// The samples of these that one of the other engines asked for, the one that asked most. They made
    /// the rest by code of their own.
    pub called: u64,
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
pub fn case(seed: u64, index: u64, scope: Scope) -> TextureCase {
    generate::case(&mut Dice::new(&mut case_rng(seed, index)), scope)
}

/// Compares `engines[0]` with each of the others on random textures, and shrinks the first case
/// that differs. `progress` is called after every case, from the thread that ran it.
pub fn fuzz(
    options: &TextureFuzz,
    engines: &[Engine],
    progress: &(dyn Fn(Progress) + Sync),
) -> TextureReport {
    let start = Instant::now();
    let seed = options.sequence.seed;
    let try_case = |index, statistics: &mut TextureStatistics| {
        let case = case(seed, index, options.scope);
        let difference = case.compare_counting(engines, statistics)?;
        Some((case, difference))
    };
    let Outcome {
        statistics,
        failure,
    } = cases::run(&options.sequence, progress, try_case);
    let failure = failure.map(|(index, found)| {
        let (case, difference) = shrink::shrink(found, &|case| case.compare(engines));
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
        self.samples += other.samples;
        self.called += other.called;
    }
}
