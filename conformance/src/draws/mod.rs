//! Random draws: do engines draw alike, byte for byte?
//!
//! ```text
//! Dice ─► program ─► targets, depth, tests ─► inputs ─► frames ─► run: interpreter, 1 thread
//!                                                                      each engine, n threads
//! ```
//!
//! [`fuzz`](super::fuzz()) compares what programs compute. Here it is what they leave behind in
//! targets: inputs, tests, blending, formats, spans and threads around them.

mod case;
mod fill;
mod generate;
mod inputs;
mod parse;
mod program;
mod report;
mod run;
mod shrink;
mod text;

use std::sync::Arc;
use std::time::{Duration, Instant};

use attila_shader::isa::ValidProgram;
use attila_shader::machine::{
    Backend, Bindings, Executable, PrepareError, QuadIo, RunError, StatefulExecutable,
};

pub use case::{DepthCase, DrawCase, FrameCase, ShapeCase, TargetCase};
pub use fill::Fill;
pub(super) use parse::is_draw;
pub use report::{report, summary};
pub use run::{DrawDifference, DrawWhat};

use super::cases::{self, Outcome, Progress, Sequence, Tally};
use super::dice::{Dice, case_rng};
use attila_shader::Engine;

/// What the cases did.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct DrawStatistics {
    /// Cases run.
    pub cases: u64,
    /// Frames, each drawn by every engine.
    pub frames: u64,
    /// Pixels that they covered.
    pub covered: u64,
    /// Pixels of targets that were not the same in the end as at the beginning.
    pub changed: u64,
    /// Frames that ended because a loop budget was used up.
    pub loop_budgets: u64,
    /// Frames that were not drawn because something was wrong with them: none should be.
    pub refused: u64,
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

/// Compares `engines[0]` with each of the others, and with itself on several threads, on random
/// draws, and shrinks the first case that differs. `progress` is called after every case, from the
/// thread that ran it.
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

impl DrawCase {
    /// The first difference between `engines[0]` and one of the others, or itself on several
    /// threads.
    pub fn compare(&self, engines: &[Engine]) -> Option<DrawDifference> {
        self.compare_counting(engines, &mut DrawStatistics::default())
    }

    fn compare_counting(
        &self,
        engines: &[Engine],
        statistics: &mut DrawStatistics,
    ) -> Option<DrawDifference> {
        statistics.cases += 1;
        run::compare(self, engines, statistics)
    }
}

impl Tally for DrawStatistics {
    fn merge(&mut self, other: DrawStatistics) {
        self.cases += other.cases;
        self.frames += other.frames;
        self.covered += other.covered;
        self.changed += other.changed;
        self.loop_budgets += other.loop_budgets;
        self.refused += other.refused;
    }
}

/// An engine that shades quads as `backend` does, and leaves all that is around programs to the
/// crate's own portable code.
pub fn portable(backend: Arc<dyn Backend>) -> Engine {
    Engine::custom(Arc::new(Portable(backend)))
}

struct Portable(Arc<dyn Backend>);

struct PortableProgram(Arc<dyn Executable>);

impl Backend for Portable {
    fn name(&self) -> &'static str {
        "portable"
    }

    fn prepare(&self, program: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError> {
        Ok(Arc::new(PortableProgram(self.0.prepare(program)?)))
    }

    fn prepare_stateful(
        &self,
        program: &ValidProgram,
    ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
        self.0.prepare_stateful(program)
    }
}

impl Executable for PortableProgram {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadIo]) -> Result<(), RunError> {
        self.0.run(bindings, quads)
    }
}

/// Runs a case given as a text: all engines must agree.
pub(super) fn check_text(text: &str, engines: &[Engine]) -> Result<(), String> {
    let case = DrawCase::from_text(text)?;
    let mut statistics = DrawStatistics::default();
    match case.compare_counting(engines, &mut statistics) {
        Some(difference) => Err(report::summary(&difference)),
        None if statistics.refused > 0 => Err("a frame is not drawn".to_owned()),
        None => Ok(()),
    }
}
