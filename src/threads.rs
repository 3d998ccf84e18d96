//! Work on several threads: as many workers as are asked for, each with something of its own.

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
