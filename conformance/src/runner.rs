//! The runner of every comparison: cases on several threads, until one of them fails, or the cases
//! or the time are used up.
//!
//! Threads take the cases in order, and finish what they have taken. So the earliest case that
//! fails has always been tried when the loop ends: it is the same for any number of threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use attila_shader::Engine;
use attila_shader::machine::CodeKind;

use crate::census::Census;
use crate::draws::PORTABLE;
use crate::oracle::Divergence;
use crate::report::report;
use crate::shrink::shrink;
use crate::subject::{Fault, Subject, Tally, case};

/// Which cases to run. Case n follows from the seed and n alone.
#[derive(Clone, PartialEq, Debug)]
pub struct Sequence {
    /// Tells sequences apart.
    pub seed: u64,
    /// The first case.
    pub first: u64,
    /// The limit of cases.
    pub cases: u64,
    /// The limit of time; checked between cases.
    pub time: Option<Duration>,
    /// Threads that run cases.
    pub threads: usize,
}

impl Sequence {
    /// The first `cases` cases of the sequence `seed`, on one thread.
    pub fn new(seed: u64, cases: u64) -> Sequence {
        Sequence {
            seed,
            first: 0,
            cases,
            time: None,
            threads: 1,
        }
    }
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Cases done.
    pub cases: u64,
    /// The limit of cases.
    pub of: u64,
}

/// A case with a fault.
pub struct Failure<S: Subject> {
    /// The sequence of the case.
    pub seed: u64,
    /// Its place in the sequence.
    pub index: u64,
    /// The smallest case made of it with such a fault.
    pub case: S,
    /// The fault of the smallest case.
    pub fault: Fault,
    /// The smallest program on which engines differ, if the case is not one itself.
    pub program: Option<Box<Divergence>>,
}

impl<S: Subject + 'static> Failure<S> {
    /// Makes a case with a fault as small as it gets.
    fn new((seed, index): (u64, u64), case: S, fault: Fault, engines: &[Engine]) -> Failure<S> {
        let (case, fault) = shrink(case, fault, engines);
        let found = fault.divergence.as_ref();
        let found = found.filter(|found| found.case.to_text("") != case.to_text(""));
        let program = found.and_then(|found| {
            let fault = Fault::from(found.clone());
            shrink(found.case.clone(), fault, engines).1.divergence
        });
        Failure {
            seed,
            index,
            case,
            fault,
            program,
        }
    }

    /// A file that [`check_text`](crate::check_text) takes, with a note of the fault, and the end of its name: the program
    /// if engines differ on one, else the case.
    pub fn file(&self) -> (String, String) {
        match &self.program {
            Some(divergence) => {
                let program = &divergence.case;
                (
                    program.to_text(&divergence.to_string()),
                    program.file_name(),
                )
            }
            None => (
                self.case.to_text(&self.fault.to_string()),
                self.case.file_name(),
            ),
        }
    }

    /// The whole story: the fault, and the file.
    pub fn report(&self) -> String {
        let file = self.file().0;
        match &self.program {
            Some(divergence) => {
                let (case, program) = (self.case.to_text(""), report(divergence));
                format!(
                    "{}\n\n{case}\n\n{program}\nas a file:\n\n{file}",
                    self.fault
                )
            }
            None => format!("{}\n\nas a file:\n\n{file}", self.fault.report()),
        }
    }
}

/// The result of a comparison.
pub struct Report<S: Subject> {
    /// Counts over all cases.
    pub tally: Tally,
    /// The earliest case with a fault.
    pub failure: Option<Failure<S>>,
    /// The time taken, shrinking included.
    pub elapsed: Duration,
}

/// Engines that are there to tell in which part a fault is run every so many cases: lane IR, evaluated, takes as long as
/// all other engines together.
const TOLD_EVERY: u64 = 16;

/// Whether an engine runs case `index`.
fn is_compared(engine: &Engine, index: u64) -> bool {
    let tells = engine.code_kind() == Some(CodeKind::Evaluated) || engine.name() == PORTABLE;
    !tells || index.is_multiple_of(TOLD_EVERY)
}

/// Compares `engines[0]` with each of the others on random cases, and shrinks the first case with a fault. `progress` is
/// called after every case, from the thread that ran it.
pub fn fuzz<S: Subject + 'static>(
    sequence: &Sequence,
    options: &S::Options,
    engines: &[Engine],
    progress: &(dyn Fn(Progress) + Sync),
) -> Report<S> {
    let start = Instant::now();
    let seed = sequence.seed;
    let (tally, failure) = run(sequence, progress, |index, tally| {
        let case: S = case(seed, index, options);
        let census = Census::default();
        let compared = engines.iter().filter(|engine| is_compared(engine, index));
        let compared: Vec<Engine> = compared.map(|engine| census.watch(engine)).collect();
        let fault = case.check(&compared, tally).err();
        tally.shares.merge(&census.take_case());
        let fault = fault?;
        // The others tell in which part of the JIT the fault is.
        let again = case.check(engines, &mut Tally::default()).err();
        Some((case, again.unwrap_or(fault)))
    });
    let shrunk = |(index, (case, fault)): (u64, (S, Fault))| {
        let case = case.at_fault(&fault);
        Failure::new((seed, index), case, fault, engines)
    };
    let failure = failure.map(shrunk);
    Report {
        tally,
        failure,
        elapsed: start.elapsed(),
    }
}

/// Runs the cases of `sequence`. `case` makes one of them, compares, counts, and returns what went
/// wrong. Returns the counts and the earliest case that failed, by its place in the sequence.
fn run<F: Send>(
    sequence: &Sequence,
    progress: &(dyn Fn(Progress) + Sync),
    case: impl Fn(u64, &mut Tally) -> Option<F> + Sync,
) -> (Tally, Option<(u64, F)>) {
    let run = Run {
        sequence,
        progress,
        case,
        // A time that is too far away is no limit.
        deadline: sequence
            .time
            .and_then(|time| Instant::now().checked_add(time)),
        taken: AtomicU64::new(0),
        done: AtomicU64::new(0),
        failure: Mutex::new(None),
    };
    let mut tally = Tally::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..sequence.threads.max(1))
            .map(|_| scope.spawn(|| run.work()))
            .collect();
        for worker in workers {
            let part = worker.join();
            tally.merge(part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
    });
    let failure = run.failure.into_inner();
    let failure = failure.unwrap_or_else(PoisonError::into_inner);
    let failure = failure.map(|(number, what)| (sequence.first.wrapping_add(number), what));
    (tally, failure)
}

struct Run<'a, C, F> {
    sequence: &'a Sequence,
    progress: &'a (dyn Fn(Progress) + Sync),
    case: C,
    deadline: Option<Instant>,
    taken: AtomicU64,
    done: AtomicU64,
    /// By its number among the cases of this run.
    failure: Mutex<Option<(u64, F)>>,
}

impl<C, F> Run<'_, C, F> {
    /// Runs cases until there is a reason to stop.
    fn work(&self) -> Tally
    where
        C: Fn(u64, &mut Tally) -> Option<F>,
    {
        let of = self.sequence.cases;
        let mut tally = Tally::default();
        while !self.is_over() {
            let number = self.taken.fetch_add(1, Ordering::Relaxed);
            if number >= of {
                break;
            }
            let index = self.sequence.first.wrapping_add(number);
            tally.cases += 1;
            if let Some(failure) = (self.case)(index, &mut tally) {
                self.fail(number, failure);
            }
            let cases = self.done.fetch_add(1, Ordering::Relaxed) + 1;
            (self.progress)(Progress { cases, of });
        }
        tally
    }

    fn is_over(&self) -> bool {
        let late = self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline);
        late || self.lock().is_some()
    }

    /// Keeps the earliest failure.
    fn fail(&self, number: u64, failure: F) {
        let mut found = self.lock();
        if found
            .as_ref()
            .is_none_or(|(earliest, _)| number < *earliest)
        {
            *found = Some((number, failure));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<(u64, F)>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cases that were tried, in order, and the failure.
    fn run_all(sequence: &Sequence, fails: fn(u64) -> bool) -> (Vec<u64>, Option<(u64, String)>) {
        let tried = Mutex::new(Vec::new());
        let (tally, failure) = run(sequence, &|_| (), |index, _| {
            tried.lock().expect("no panic").push(index);
            // The earlier a case, the longer it takes: later ones fail before it.
            std::thread::sleep(Duration::from_micros(40_u64.saturating_sub(index) * 50));
            fails(index).then(|| format!("case {index}"))
        });
        let mut tried = tried.into_inner().expect("no panic");
        tried.sort_unstable();
        assert_eq!(tally.cases, tried.len() as u64);
        (tried, failure)
    }

    #[test]
    fn every_case_is_tried_once_on_any_number_of_threads() {
        for threads in [0, 1, 2, 5, 64] {
            let sequence = Sequence {
                first: 7,
                threads,
                ..Sequence::new(0, 20)
            };
            let (tried, failure) = run_all(&sequence, |_| false);
            assert!(tried.into_iter().eq(7..27), "{threads}");
            assert_eq!(failure, None);
        }
    }

    #[test]
    fn the_earliest_failure_is_the_same_for_any_number_of_threads() {
        for threads in [1, 2, 3, 8] {
            let sequence = Sequence {
                threads,
                ..Sequence::new(0, 1000)
            };
            let (tried, failure) = run_all(&sequence, |index| index >= 5 && index != 7);
            let failure = failure.expect("most cases fail");
            assert_eq!(failure, (5, "case 5".to_owned()), "{threads} threads");
            assert!(tried.len() < 100, "the others are left out");
        }
    }

    #[test]
    fn a_sequence_goes_on_at_0_behind_its_last_case() {
        let sequence = Sequence {
            first: u64::MAX,
            threads: 2,
            ..Sequence::new(0, 3)
        };
        let (_, failure) = run_all(&sequence, |_| true);
        assert_eq!(failure, Some((u64::MAX, format!("case {}", u64::MAX))));
    }

    #[test]
    fn no_case_begins_after_the_time_is_up() {
        let sequence = Sequence {
            time: Some(Duration::ZERO),
            ..Sequence::new(0, u64::MAX)
        };
        assert!(run_all(&sequence, |_| false).0.is_empty());
        let forever = Sequence {
            time: Some(Duration::MAX),
            ..Sequence::new(0, 2)
        };
        assert_eq!(run_all(&forever, |_| false).0, [0, 1]);
    }

    #[test]
    fn progress_is_told_after_every_case() {
        let told = Mutex::new(Vec::new());
        let progress = |progress: Progress| told.lock().expect("no panic").push(progress);
        let sequence = Sequence::new(0, 3);
        run(&sequence, &progress, |_, _| None::<String>);
        let told = told.into_inner().expect("no panic");
        assert_eq!(told, [1, 2, 3].map(|cases| Progress { cases, of: 3 }));
    }
}
