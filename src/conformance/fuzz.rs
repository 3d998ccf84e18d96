//! Many random cases, until one differs, or the cases or the time are used up.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use attila_isa::Opcode;

use super::case::Case;
use super::dice::{Dice, case_rng};
use super::generate::{self, generate};
use super::oracle::{self, Agreement, Divergence};
use super::shrink::shrink;
use crate::engine::Engine;

/// What to run.
#[derive(Clone, PartialEq, Debug)]
pub struct FuzzOptions {
    /// The sequence of cases.
    pub seed: u64,
    /// The first case of the sequence.
    pub first: u64,
    /// The most cases.
    pub cases: u64,
    /// The most time; checked between cases.
    pub time: Option<Duration>,
    /// Threads that run cases.
    pub threads: usize,
    /// What the cases look like.
    pub generate: generate::Options,
}

impl FuzzOptions {
    /// `cases` cases of the sequence `seed` on one thread.
    pub fn new(seed: u64, cases: u64) -> FuzzOptions {
        FuzzOptions {
            seed,
            first: 0,
            cases,
            time: None,
            threads: 1,
            generate: generate::Options::DEFAULT,
        }
    }
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Cases done.
    pub cases: u64,
    /// The most cases that there will be.
    pub of: u64,
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
    let run = Run {
        options,
        engines,
        progress,
        deadline: options.time.map(|time| start + time),
        next: AtomicU64::new(options.first),
        done: AtomicU64::new(0),
        found: Mutex::new(None),
    };
    let mut statistics = Statistics::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.threads.max(1))
            .map(|_| scope.spawn(|| run.work()))
            .collect();
        for worker in workers {
            let part = worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            statistics.merge(part);
        }
    });
    let found = run.found.into_inner().unwrap_or_else(|e| e.into_inner());
    let failure = found.map(|(index, found)| Failure {
        seed: options.seed,
        index,
        minimal: minimise(&found, engines),
        found,
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

fn minimise(found: &Divergence, engines: &[Engine]) -> Divergence {
    let differs = |case: &Case| compare_all(case, engines).is_err();
    let minimal = shrink(&found.case, &differs);
    match compare_all(&minimal, engines) {
        Err(divergence) => *divergence,
        // Only an engine that does not give the same answer twice comes here.
        Ok(_) => found.clone(),
    }
}

struct Run<'a> {
    options: &'a FuzzOptions,
    engines: &'a [Engine],
    progress: &'a (dyn Fn(Progress) + Sync),
    deadline: Option<Instant>,
    next: AtomicU64,
    done: AtomicU64,
    found: Mutex<Option<(u64, Divergence)>>,
}

impl Run<'_> {
    /// Runs cases until there is a reason to stop.
    fn work(&self) -> Statistics {
        let mut statistics = Statistics::default();
        while !self.is_over() {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index.wrapping_sub(self.options.first) >= self.options.cases {
                break;
            }
            let case = case(self.options.seed, index, &self.options.generate);
            let result = compare_all(&case, self.engines);
            statistics.count(&case, result.as_ref().ok());
            if let Err(divergence) = result {
                self.fail(index, *divergence);
            }
            let cases = self.done.fetch_add(1, Ordering::Relaxed) + 1;
            (self.progress)(Progress {
                cases,
                of: self.options.cases,
            });
        }
        statistics
    }

    fn is_over(&self) -> bool {
        let late = self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline);
        late || self.lock().is_some()
    }

    /// Keeps the earliest failure: the same run always reports the same one.
    fn fail(&self, index: u64, divergence: Divergence) {
        let mut found = self.lock();
        if found.as_ref().is_none_or(|(earliest, _)| index < *earliest) {
            *found = Some((index, divergence));
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<(u64, Divergence)>> {
        self.found.lock().unwrap_or_else(|e| e.into_inner())
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
