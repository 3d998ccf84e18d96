//! [`Trace`]: lane IR after each pass.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::Listing;
use crate::ir::Function;

/// Lane IR after a pass.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LaneIr {
    /// The pass; `lower`: before the first.
    pub pass: &'static str,
    /// Its lines.
    pub listing: Listing,
}

/// Keeps lane IR after each pass that changes it, if anybody wants to see it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Trace(Option<Arc<Mutex<Vec<LaneIr>>>>);

impl Trace {
    /// One that keeps it.
    pub(crate) fn kept() -> Trace {
        Trace(Some(Arc::default()))
    }

    /// Forgets what was seen: lowering begins, perhaps again.
    pub(crate) fn begin(&self, function: &Function) {
        self.take();
        self.saw("lower", function);
    }

    /// Keeps what a pass has made.
    pub(crate) fn saw(&self, pass: &'static str, function: &Function) {
        let Some(mut seen) = self.seen() else { return };
        let listing = function.listing();
        if seen.last().is_none_or(|last| last.listing != listing) {
            seen.push(LaneIr { pass, listing });
        }
    }

    /// All that was kept.
    pub(crate) fn take(&self) -> Vec<LaneIr> {
        let taken = self.seen().map(|mut seen| std::mem::take(&mut *seen));
        taken.unwrap_or_default()
    }

    fn seen(&self) -> Option<MutexGuard<'_, Vec<LaneIr>>> {
        let seen = self.0.as_ref()?;
        Some(seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
