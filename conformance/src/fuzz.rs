//! Many random cases, until one differs, or the cases or the time are used up.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use attila_shader::isa::Opcode;

use super::case::Case;
use super::cases::{self, Outcome, Progress, Sequence, Tally};
use super::dice::{Dice, case_rng};
use super::generate::{self, generate};
use super::oracle::{self, Agreement, Divergence};
use super::shrink::shrink;
use attila_shader::Engine;

/// What to run.
#[derive(Clone, PartialEq, Debug)]
pub struct FuzzOptions {
    /// Which cases.
    pub sequence: Sequence,
    /// What the cases look like.
    pub generate: generate::Options,
}

impl FuzzOptions {
    /// `cases` cases of the sequence `seed` on one thread.
    pub fn new(seed: u64, cases: u64) -> FuzzOptions {
        FuzzOptions {
            sequence: Sequence::new(seed, cases),
            generate: generate::Options::DEFAULT,
        }
    }
}

/// What the cases did: a generator that has gone to sleep shows here.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Cases run.
    pub cases: u64,
    /// Quads, each run in every form.
    pub quads: u64,
    /// How often each opcode stood in a program.
    pub opcodes: BTreeMap<Opcode, u64>,
    /// Cases in which a lane used up its loop budget.
    pub loop_budgets: u64,
    /// Questions to textures and attributes.
    pub requests: u64,
    /// Cases with a killed fragment.
    pub kills: u64,
}

/// A case that differs.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// The sequence of the case.
    pub seed: u64,
    /// Its place in the sequence.
    pub index: u64,
    /// The case as generated.
    pub found: Divergence,
    /// The smallest case made of it that differs.
    pub minimal: Divergence,
}

/// How it went.
#[derive(Clone, PartialEq, Debug)]
pub struct FuzzReport {
    /// What the cases did.
    pub statistics: Statistics,
    /// The first case that differs.
    pub failure: Option<Failure>,
    /// The time taken, shrinking included.
    pub elapsed: Duration,
}

/// Makes case `index` of the sequence `seed`.
pub fn case(seed: u64, index: u64, options: &generate::Options) -> Case {
    generate(&mut Dice::new(&mut case_rng(seed, index)), options)
}

/// Compares `engines[0]` with each of the others on random cases, and shrinks the first case that
/// differs. `progress` is called after every case, from the thread that ran it.
pub fn fuzz(
    options: &FuzzOptions,
    engines: &[Engine],
    progress: &(dyn Fn(Progress) + Sync),
) -> FuzzReport {
    let start = Instant::now();
    let seed = options.sequence.seed;
    let try_case = |index, statistics: &mut Statistics| {
        let case = case(seed, index, &options.generate);
        let result = compare_all(&case, engines);
        statistics.count(&case, result.as_ref().ok());
        result.err()
    };
    let Outcome {
        statistics,
        failure,
    } = cases::run(&options.sequence, progress, try_case);
    let failure = failure.map(|(index, found)| Failure {
        seed,
        index,
        minimal: minimise(&found, engines),
        found: *found,
    });
    FuzzReport {
        statistics,
        failure,
        elapsed: start.elapsed(),
    }
}

/// The first difference among the engines.
pub(crate) fn compare_all(case: &Case, engines: &[Engine]) -> Result<Agreement, Box<Divergence>> {
    let mut agreement = Agreement::default();
    if let Some((first, others)) = engines.split_first() {
        for other in others {
            agreement = oracle::compare(case, [first, other])?;
        }
    }
    Ok(agreement)
}

pub(super) fn minimise(found: &Divergence, engines: &[Engine]) -> Divergence {
    let differs = |case: &Case| compare_all(case, engines).is_err();
    let minimal = shrink(&found.case, &differs);
    match compare_all(&minimal, engines) {
        Err(divergence) => *divergence,
        // Only an engine that does not give the same answer twice comes here.
        Ok(_) => found.clone(),
    }
}

impl Statistics {
    fn count(&mut self, case: &Case, agreement: Option<&Agreement>) {
        self.cases += 1;
        self.quads += case.quads.len() as u64;
        for inst in case.insts() {
            *self.opcodes.entry(inst.op).or_default() += 1;
        }
        if let Some(agreement) = agreement {
            self.loop_budgets += u64::from(agreement.loop_budget);
            self.requests += agreement.requests as u64;
            self.kills += u64::from(agreement.killed > 0);
        }
    }
}

impl Tally for Statistics {
    fn merge(&mut self, other: Statistics) {
        self.cases += other.cases;
        self.quads += other.quads;
        self.loop_budgets += other.loop_budgets;
        self.requests += other.requests;
        self.kills += other.kills;
        for (op, count) in other.opcodes {
            *self.opcodes.entry(op).or_default() += count;
        }
    }
}
