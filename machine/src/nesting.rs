//! [`Running`]: a count of the runs that are inside each other on a thread.

use std::cell::Cell;
use std::marker::PhantomData;

use crate::bindings::Bindings;
use crate::engine::RunError;

/// The most runs inside each other on a thread: the first, one in a texture unit or attribute source
/// of it, and so on. All of them are on the thread's stack.
pub const MAX_NESTED_RUNS: usize = 16;

thread_local! {
    static RUNS: Cell<usize> = const { Cell::new(0) };
}

/// A run that is under way. Engines keep one for as long as each of their runs takes, however it
/// ends.
#[derive(Debug)]
pub struct Running {
    /// It counts for its thread, and so stays there.
    here: PhantomData<*const ()>,
}

impl Running {
    /// Begins a run with these bindings.
    ///
    /// # Errors
    ///
    /// [`RunError::Nested`]: as many runs are under way on this thread as may be. Or the bindings
    /// [have a fault](Bindings::check).
    pub fn begin(bindings: &Bindings<'_>) -> Result<Running, RunError> {
        bindings.check()?;
        let runs = RUNS.get();
        if runs == MAX_NESTED_RUNS {
            return Err(RunError::Nested {
                limit: MAX_NESTED_RUNS,
            });
        }
        RUNS.set(runs + 1);
        Ok(Running { here: PhantomData })
    }

    /// Whether a run is under way on this thread: if so, what runs was called from a texture unit,
    /// or something else that is bound, of it.
    pub fn is_under_way() -> bool {
        RUNS.get() > 0
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNS.set(RUNS.get() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_has_so_many_runs_and_another_its_own() {
        for _ in 0..2 {
            let runs: Vec<Running> = (0..MAX_NESTED_RUNS)
                .map(|_| Running::begin(&Bindings::new()).unwrap())
                .collect();
            let limit = MAX_NESTED_RUNS;
            assert!(Running::is_under_way());
            assert_eq!(
                Running::begin(&Bindings::new()).unwrap_err(),
                RunError::Nested { limit }
            );
            let other = std::thread::spawn(|| {
                assert!(!Running::is_under_way());
                Running::begin(&Bindings::new()).is_ok()
            });
            assert!(other.join().unwrap());
            drop(runs);
            assert!(!Running::is_under_way());
        }
        assert!(Running::begin(&Bindings::new()).is_ok());
    }
}
