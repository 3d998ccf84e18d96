//! Work on several threads: as many workers as are asked for, each with something of its own.

use std::sync::{Mutex, MutexGuard, PoisonError};

use attila_machine::Running;

/// The workers that make up for `threads`: as many as there are processors at most, and for 0.
#[cfg(feature = "threads")]
pub(crate) fn workers(threads: usize) -> usize {
    match threads {
        0 => rayon::current_num_threads(),
        // Asks nobody, so that no threads are started for one.
        1 => 1,
        more => more.min(rayon::current_num_threads()),
    }
}

/// One: the thread that asks.
#[cfg(not(feature = "threads"))]
pub(crate) fn workers(_: usize) -> usize {
    1
}

/// How many of `workers` may work now: within a run, such as in the answer of a texture unit, the calling thread alone. A
/// thread that waits for others does their work meanwhile, and might ask the same unit again while it holds a lock.
pub(crate) fn free(workers: usize) -> usize {
    match Running::is_under_way() {
        true => 1,
        false => workers,
    }
}

/// Does `work` with each of `all`, with the first on this thread.
#[cfg(feature = "threads")]
pub(crate) fn with_each<T: Send>(all: &mut [T], work: impl Fn(&mut T) + Sync) {
    match all {
        [] => {}
        [only] => work(only),
        [own, others @ ..] => rayon::in_place_scope(|scope| {
            for other in others {
                scope.spawn(|_| work(other));
            }
            work(own);
        }),
    }
}

/// Does `work` with the first of `all`, on this thread.
#[cfg(not(feature = "threads"))]
pub(crate) fn with_each<T: Send>(all: &mut [T], work: impl Fn(&mut T) + Sync) {
    if let Some(own) = all.first_mut() {
        work(own);
    }
}

/// Locks what threads share, even if one has panicked meanwhile.
pub(crate) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Empties the work that threads share once the own one panics: it is of no use to go on, or to panic again.
pub(crate) struct LastIfPanics<'m, T> {
    pub(crate) work: &'m Mutex<T>,
    pub(crate) empty: fn(&mut T),
}

impl<T> Drop for LastIfPanics<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.empty)(&mut lock(self.work));
        }
    }
}
