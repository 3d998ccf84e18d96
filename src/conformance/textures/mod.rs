//! Random images, samplers and coordinates: do engines sample alike?
//!
//! The cases of [`fuzz`](super::fuzz()) answer texture requests by a formula. Those here bind real
//! textures, which an engine may sample by its own code.

mod case;
mod generate;
mod report;
mod shrink;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub use case::{ImageBytes, TextureCase, TextureDifference};
pub use report::report;

use super::dice::{Dice, case_rng};
use super::fuzz::Progress;
use crate::engine::Engine;

/// What to run.
#[derive(Clone, PartialEq, Debug)]
pub struct TextureFuzz {
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
}

impl TextureFuzz {
    /// `cases` cases of the sequence `seed` on one thread.
    pub fn new(seed: u64, cases: u64) -> TextureFuzz {
        TextureFuzz {
            seed,
            first: 0,
            cases,
            time: None,
            threads: 1,
        }
    }
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
    /// Cases run.
    pub cases: u64,
    /// Quads, each run on every engine.
    pub quads: u64,
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
    options: &TextureFuzz,
    engines: &[Engine],
    progress: &(dyn Fn(Progress) + Sync),
) -> TextureReport {
    let start = Instant::now();
    let run = Run {
        options,
        engines,
        progress,
        deadline: options.time.map(|time| start + time),
        next: AtomicU64::new(0),
        cases: AtomicU64::new(0),
        quads: AtomicU64::new(0),
        found: Mutex::new(None),
    };
    std::thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            scope.spawn(|| run.work());
        }
    });
    let found = run.found.into_inner().unwrap_or_else(|e| e.into_inner());
    let failure = found.map(|(index, case, difference)| {
        let (case, difference) = shrink::shrink(case, difference, engines);
        TextureFailure {
            seed: options.seed,
            index,
            case,
            difference,
        }
    });
    TextureReport {
        cases: run.cases.into_inner(),
        quads: run.quads.into_inner(),
        failure,
        elapsed: start.elapsed(),
    }
}

struct Run<'a> {
    options: &'a TextureFuzz,
    engines: &'a [Engine],
    progress: &'a (dyn Fn(Progress) + Sync),
    deadline: Option<Instant>,
    next: AtomicU64,
    cases: AtomicU64,
    quads: AtomicU64,
    found: Mutex<Option<(u64, TextureCase, TextureDifference)>>,
}

impl Run<'_> {
    /// Runs cases until there is a reason to stop.
    fn work(&self) {
        let of = self.options.cases;
        while !self.is_over() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= of {
                break;
            }
            let index = self.options.first.wrapping_add(number);
            let case = case(self.options.seed, index);
            let quads = case.inputs.len() as u64;
            self.quads.fetch_add(quads, Ordering::Relaxed);
            if let Some(difference) = case.compare(self.engines) {
                self.fail(index, case, difference);
            }
            let cases = self.cases.fetch_add(1, Ordering::Relaxed) + 1;
            (self.progress)(Progress { cases, of });
        }
    }

    fn is_over(&self) -> bool {
        let late = self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline);
        late || self.found.lock().map_or(true, |found| found.is_some())
    }

    /// Keeps the earliest failure: the same run always reports the same one.
    fn fail(&self, index: u64, case: TextureCase, difference: TextureDifference) {
        let mut found = self.found.lock().unwrap_or_else(|e| e.into_inner());
        if found
            .as_ref()
            .is_none_or(|(earliest, ..)| index < *earliest)
        {
            *found = Some((index, case, difference));
        }
    }
}
