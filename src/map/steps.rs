//! The steps of a map: so many elements each, on several threads.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use attila_machine::{Bindings, Columns, RunError};

use super::MapError;
use crate::Shader;
use crate::guard::without_guard;
use crate::threads::{self, LastIfPanics, lock};

/// A callback with the number of elements that are finished, and of all.
pub type Progress<'a> = dyn Fn(usize, usize) -> ControlFlow<()> + Sync + 'a;

/// Elements of a step: whole quads, enough to make calls of the engine cheap.
const STEP: usize = 1 << 14;

/// Elements of the first step whose progress is told.
const FIRST: usize = 1 << 8;

/// How long a step takes whose progress is told, at least and at most, as far as the number of elements can tell.
const TIME: [Duration; 2] = [Duration::from_millis(4), Duration::from_millis(12)];

/// How the steps of a map run.
pub(super) struct Steps<'a> {
    pub(super) shader: &'a Shader,
    pub(super) bindings: &'a Bindings<'a>,
    /// Whether the shader is a [guarded](Shader::guarded) one.
    pub(super) guarded: bool,
    /// Whether an element can be run again on its own, to find the one among four that goes on for too long.
    pub(super) repeats_one: bool,
    pub(super) progress: Option<&'a Progress<'a>>,
}

/// The work that is left to do.
struct Left<'a> {
    columns: Columns<'a>,
    /// The first element that no step has taken.
    next: usize,
    done: usize,
    /// The first error, by its first element.
    error: Option<(usize, MapError)>,
}

impl Steps<'_> {
    /// Runs all elements on up to so many threads.
    pub(super) fn run(&self, columns: Columns<'_>, threads: usize) -> Result<(), MapError> {
        let all = columns.elements;
        let workers = threads::free(threads::workers(threads)).min(all.div_ceil(STEP));
        let left = Mutex::new(Left {
            columns,
            next: 0,
            done: 0,
            error: None,
        });
        threads::with_each(&mut vec![(); workers.max(1)], |()| self.work(&left, all));
        let left = left.into_inner().unwrap_or_else(PoisonError::into_inner);
        left.error.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Takes steps until none is left.
    fn work(&self, left: &Mutex<Left<'_>>, all: usize) {
        let empty = |left: &mut Left<'_>| left.columns.elements = 0;
        let _others = LastIfPanics { work: left, empty };
        let mut size = if self.progress.is_some() { FIRST } else { STEP };
        loop {
            let (first, mut columns) = {
                let mut left = lock(left);
                let elements = size.min(left.columns.elements);
                if elements == 0 {
                    return;
                }
                left.next += elements;
                (left.next - elements, left.columns.split_off(elements))
            };
            let start = self.progress.map(|_| Instant::now());
            let result = self.step(first, &mut columns);
            if let Some(start) = start {
                size = resized(size, start.elapsed());
            }
            self.finish(&mut lock(left), first, (columns.elements, all), result);
        }
    }

    fn step(&self, first: usize, columns: &mut Columns<'_>) -> Result<(), MapError> {
        let error = match self.map(columns) {
            Ok(()) => return Ok(()),
            Err(error) if self.guarded => without_guard(error),
            Err(error) => error,
        };
        let RunError::LoopBudget { pc, quad, budget } = error else {
            return Err(error.into());
        };
        let start = quad * columns.of_quad;
        let mut elements = start..columns.elements.min(start + columns.of_quad);
        if self.repeats_one
            && let Some(one) = elements
                .clone()
                .find(|&one| self.map(&mut columns.range(one..one + 1)).is_err())
        {
            elements = one..one + 1;
        }
        Err(MapError::LoopBudget {
            pc,
            budget,
            elements: first + elements.start..first + elements.end,
        })
    }

    fn map(&self, columns: &mut Columns<'_>) -> Result<(), RunError> {
        let usage = self.shader.program().usage();
        self.shader.executable().map(usage, self.bindings, columns)
    }

    /// Takes note of a step that has ended. After an error, no other is begun.
    fn finish(
        &self,
        left: &mut Left<'_>,
        first: usize,
        (elements, all): (usize, usize),
        result: Result<(), MapError>,
    ) {
        let error = match result {
            Err(error) => Some(error),
            Ok(()) => {
                left.done += elements;
                let done = left.done;
                let goes_on = self
                    .progress
                    .is_none_or(|tell| tell(done, all).is_continue());
                (!goes_on && done < all).then_some(MapError::Stopped { done, all })
            }
        };
        let Some(error) = error else { return };
        left.columns.elements = 0;
        if left.error.as_ref().is_none_or(|(other, _)| first < *other) {
            left.error = Some((first, error));
        }
    }
}

/// The next step after one that took so long.
fn resized(size: usize, took: Duration) -> usize {
    let [shortest, longest] = TIME;
    if took < shortest {
        (2 * size).min(STEP)
    } else if took > longest {
        (size / 2).max(attila_machine::LANES)
    } else {
        size
    }
}
