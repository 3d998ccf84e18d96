//! The loop of every comparison: cases on several threads, until one of them fails, or the cases
//! or the time are used up.
//!
//! Threads take the cases in order, and finish what they have taken. So the earliest case that
//! fails has always been tried when the loop ends: it is the same for any number of threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Which cases to run. Case n follows from the seed and n alone.
#[derive(Clone, PartialEq, Debug)]
pub struct Sequence {
    /// Tells sequences apart.
    pub seed: u64,
    /// The first case.
    pub first: u64,
    /// The most cases.
    pub cases: u64,
    /// The most time; checked between cases.
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
    /// The most cases that there will be.
    pub of: u64,
}

/// What is counted over cases, by each thread for itself.
pub(super) trait Tally: Default + Send {
    /// Adds what another thread counted.
    fn merge(&mut self, other: Self);
}

/// How the cases went.
pub(super) struct Outcome<S, F> {
    /// What was counted.
    pub(super) statistics: S,
    /// The earliest case that failed, by its place in the sequence, and how.
    pub(super) failure: Option<(u64, F)>,
}

/// Runs the cases of `sequence`. `case` makes one of them, compares, counts, and returns what went
/// wrong. `progress` is called after every case, from the thread that ran it.
pub(super) fn run<S: Tally, F: Send>(
    sequence: &Sequence,
    progress: &(dyn Fn(Progress) + Sync),
    case: impl Fn(u64, &mut S) -> Option<F> + Sync,
) -> Outcome<S, F> {
    let run = Run {
        sequence,
        progress,
        case,
        // What is too far away to be a time is no limit.
        deadline: sequence
            .time
            .and_then(|time| Instant::now().checked_add(time)),
        taken: AtomicU64::new(0),
        done: AtomicU64::new(0),
        failure: Mutex::new(None),
    };
    let mut statistics = S::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..sequence.threads.max(1))
            .map(|_| scope.spawn(|| run.work()))
            .collect();
        for worker in workers {
            let part = worker.join();
            statistics.merge(part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
    });
    let failure = run.failure.into_inner();
    let failure = failure.unwrap_or_else(PoisonError::into_inner);
    Outcome {
        statistics,
        failure: failure.map(|(number, what)| (sequence.first.wrapping_add(number), what)),
    }
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
    fn work<S: Tally>(&self) -> S
    where
        C: Fn(u64, &mut S) -> Option<F>,
    {
        let of = self.sequence.cases;
        let mut statistics = S::default();
        while !self.is_over() {
            let number = self.taken.fetch_add(1, Ordering::Relaxed);
            if number >= of {
                break;
            }
            let index = self.sequence.first.wrapping_add(number);
            if let Some(failure) = (self.case)(index, &mut statistics) {
                self.fail(number, failure);
            }
            let cases = self.done.fetch_add(1, Ordering::Relaxed) + 1;
            (self.progress)(Progress { cases, of });
        }
        statistics
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

    /// The cases that were tried.
    #[derive(Default)]
    struct Tried(Vec<u64>);

    impl Tally for Tried {
        fn merge(&mut self, other: Tried) {
            self.0.extend(other.0);
            self.0.sort_unstable();
        }
    }

    fn run_all(sequence: &Sequence, fails: fn(u64) -> bool) -> Outcome<Tried, String> {
        run(sequence, &|_| (), |index, tried: &mut Tried| {
            tried.0.push(index);
            // The earlier a case, the longer it takes: later ones fail before it.
            std::thread::sleep(Duration::from_micros(40_u64.saturating_sub(index) * 50));
            fails(index).then(|| format!("case {index}"))
        })
    }

    #[test]
    fn every_case_is_tried_once_on_any_number_of_threads() {
        for threads in [0, 1, 2, 5, 64] {
            let sequence = Sequence {
                first: 7,
                threads,
                ..Sequence::new(0, 20)
            };
            let outcome = run_all(&sequence, |_| false);
            assert!(outcome.statistics.0.into_iter().eq(7..27), "{threads}");
            assert_eq!(outcome.failure, None);
        }
    }

    #[test]
    fn the_earliest_failure_is_the_same_for_any_number_of_threads() {
        for threads in [1, 2, 3, 8] {
            let sequence = Sequence {
                threads,
                ..Sequence::new(0, 1000)
            };
            let outcome = run_all(&sequence, |index| index >= 5 && index != 7);
            let failure = outcome.failure.expect("most cases fail");
            assert_eq!(failure, (5, "case 5".to_owned()), "{threads} threads");
            assert!(outcome.statistics.0.len() < 100, "the others are left out");
        }
    }

    #[test]
    fn a_sequence_goes_on_at_0_behind_its_last_case() {
        let sequence = Sequence {
            first: u64::MAX,
            threads: 2,
            ..Sequence::new(0, 3)
        };
        let outcome = run_all(&sequence, |_| true);
        assert_eq!(
            outcome.failure,
            Some((u64::MAX, format!("case {}", u64::MAX)))
        );
    }

    #[test]
    fn no_case_begins_after_the_time_is_up() {
        let sequence = Sequence {
            time: Some(Duration::ZERO),
            ..Sequence::new(0, u64::MAX)
        };
        assert!(run_all(&sequence, |_| false).statistics.0.is_empty());
        let forever = Sequence {
            time: Some(Duration::MAX),
            ..Sequence::new(0, 2)
        };
        assert_eq!(run_all(&forever, |_| false).statistics.0, [0, 1]);
    }

    #[test]
    fn progress_is_told_after_every_case() {
        let told = Mutex::new(Vec::new());
        let progress = |progress: Progress| told.lock().expect("no panic").push(progress);
        let sequence = Sequence::new(0, 3);
        run(&sequence, &progress, |_, _: &mut Tried| None::<String>);
        let told = told.into_inner().expect("no panic");
        assert_eq!(told, [1, 2, 3].map(|cases| Progress { cases, of: 3 }));
    }
}
