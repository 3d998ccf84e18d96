//! Makes a case smaller as long as it keeps its fault.
//!
//! Passes run to a fixpoint: those that a subject proposes, then those for all subjects, which leave out lines of the
//! case's text and put plainer words in the place of others (`words`). Every step makes the case smaller by some
//! measure, so that the passes come to an end. The largest steps come first.

mod program;
mod words;

pub(crate) use program::passes as program_passes;

use std::ops::Range;

use attila_shader::Engine;

use crate::subject::{Fault, Pass, Subject, Tally};

/// The limit of rounds of all passes. Usually a handful is enough; an engine that does not give the same
/// answer twice could ask for as many as a case has parts.
const ROUNDS: usize = 40;

/// Makes `case`, which has `fault`, as small as it gets while it has a fault of that kind.
pub fn shrink<S: Subject + 'static>(case: S, fault: Fault, engines: &[Engine]) -> (S, Fault) {
    let check = |case: &S| case.check(engines, &mut Tally::default()).err();
    shrink_with(case, fault, &check)
}

/// As [`shrink`], with another way to look for faults.
fn shrink_with<S: Subject + 'static>(
    case: S,
    fault: Fault,
    check: &dyn Fn(&S) -> Option<Fault>,
) -> (S, Fault) {
    let mut shrinker = Shrinker {
        text: case.to_text(""),
        case,
        fault,
        check,
    };
    let mut passes = S::passes();
    passes.extend([words::lines(), words::words()]);
    for _ in 0..ROUNDS {
        let mut smaller = false;
        for pass in &passes {
            smaller |= shrinker.apply(pass);
        }
        if !smaller {
            break;
        }
    }
    (shrinker.case, shrinker.fault)
}

/// Plainer variants of a part that are taken one after the other: more than a number has.
const STEPS: usize = 200;

struct Shrinker<'a, S: Subject> {
    case: S,
    text: String,
    fault: Fault,
    check: &'a dyn Fn(&S) -> Option<Fault>,
}

impl<S: Subject> Shrinker<'_, S> {
    fn apply(&mut self, pass: &Pass<S>) -> bool {
        match pass {
            Pass::Parts { count, without } => self.leave_out(count, without),
            Pass::Plainer(variants) => self.simplify(variants),
        }
    }

    /// Keeps `candidate` if it is another case and has such a fault.
    fn take(&mut self, candidate: Option<S>) -> bool {
        let Some(candidate) = candidate else {
            return false;
        };
        let text = candidate.to_text("");
        if text == self.text || !candidate.is_specified() {
            return false;
        }
        match (self.check)(&candidate) {
            Some(fault) if fault.kind == self.fault.kind => {
                (self.case, self.text, self.fault) = (candidate, text, fault);
                true
            }
            Some(_) | None => false,
        }
    }

    /// Leaves out as many parts of the case as it can, many at once where possible.
    fn leave_out(
        &mut self,
        count: &dyn Fn(&S) -> usize,
        without: &dyn Fn(&S, Range<usize>) -> Option<S>,
    ) -> bool {
        let mut smaller = false;
        let mut size = count(&self.case);
        while size > 0 {
            let mut start = 0;
            while start < count(&self.case) {
                let end = (start + size).min(count(&self.case));
                if self.take(without(&self.case, start..end)) {
                    smaller = true;
                } else {
                    start += size;
                }
            }
            size /= 2;
        }
        smaller
    }

    /// Takes plainer variants of each part for as long as there are some.
    fn simplify(&mut self, variants: &dyn Fn(&S, usize) -> Option<Vec<S>>) -> bool {
        let mut smaller = false;
        let (mut part, mut steps) = (0, 0);
        while let Some(variants) = variants(&self.case, part) {
            let taken = variants.into_iter().any(|plainer| self.take(Some(plainer)));
            smaller |= taken;
            // Two texts may each be a plainer variant of the other.
            steps = if taken && steps < STEPS { steps + 1 } else { 0 };
            part += usize::from(steps == 0);
        }
        smaller
    }
}

#[cfg(test)]
mod tests;
