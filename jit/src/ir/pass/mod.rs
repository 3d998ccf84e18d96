//! Passes over lane IR, each from a well-formed function to a well-formed one with the same
//! results.

mod dead;
mod flushes;
mod interleave;
mod nans;
mod params;
mod pixelwise;
mod rebuild;
mod scales;
mod schedule;
mod seen;
mod signs;
mod sizes;
mod skip;
mod trace;
mod zeros;

use super::Function;
use crate::specialisation::Specialisation;
use crate::target::VectorTarget;
pub(crate) use interleave::quads_per_iteration;
pub use trace::LaneIr;
pub(crate) use trace::Trace;

/// A single pass.
#[cfg(test)]
pub(super) type Pass = fn(&mut Function);

/// The passes by name. For tests, the passes are made for [`VectorTarget::AVX2`].
#[cfg(test)]
pub(super) const PASSES: [(&str, Pass); 11] = [
    ("unify", params::unify),
    ("rebuild", |function| rebuild::rebuild(function, true)),
    ("dead", dead::remove),
    ("defer", nans::defer),
    ("flushes", |function| {
        let may_have_changed = flushes::remove(function, Specialisation::default());
        rebuild::rebuild(function, may_have_changed);
    }),
    ("forget", |function| zeros::forget_signs(function, |_| true)),
    ("sink", |function| {
        pixelwise::sink(function, &VectorTarget::AVX2);
    }),
    ("schedule 1", |function| {
        schedule::schedule(function, &VectorTarget::AVX2, 1)
    }),
    ("schedule 2", |function| {
        schedule::schedule(function, &VectorTarget::AVX2, 2)
    }),
    ("schedule 4", |function| {
        schedule::schedule(function, &VectorTarget::AVX2, 4)
    }),
    ("all", |function| {
        optimise(function, &VectorTarget::AVX2, None);
    }),
];

/// Leaves only what has to be computed, as far as is known.
pub(crate) fn simplify(function: &mut Function, known: Specialisation<'_>, trace: &Trace) {
    params::unify(function);
    trace.saw("unify", function);
    nans::defer(function);
    trace.saw("defer", function);
    let may_have_changed = flushes::remove(function, known);
    trace.saw("flushes", function);
    rebuild::rebuild(function, may_have_changed);
    trace.saw("rebuild", function);
    params::unify(function);
    trace.saw("unify", function);
    dead::remove(function);
    trace.saw("dead", function);
}

/// Computes with pixels where a simplified function then has fewer transpositions.
pub(crate) fn sink_transpositions(function: &mut Function, vectors: &VectorTarget, trace: &Trace) {
    if pixelwise::sink(function, vectors) {
        dead::remove(function);
        trace.saw("sink", function);
    }
}

/// Puts the operations of a simplified function into the best order for so many quads side by side.
pub(crate) fn arrange(
    function: &mut Function,
    vectors: &VectorTarget,
    quads: usize,
    trace: &Trace,
) {
    schedule::schedule(function, vectors, quads);
    trace.saw("schedule", function);
    if cfg!(debug_assertions) {
        function.verify();
    }
}

/// Runs all passes in their order. Returns how many quads to compute side by side: `quads`, or
/// by the function's size if that is `None`, and always one if it is not straight.
#[cfg(test)]
pub(crate) fn optimise(
    function: &mut Function,
    vectors: &VectorTarget,
    quads: Option<usize>,
) -> usize {
    let trace = &Trace::default();
    simplify(function, Specialisation::default(), trace);
    sink_transpositions(function, vectors, trace);
    let quads = quads_per_iteration(function, vectors, quads);
    arrange(function, vectors, quads, trace);
    quads
}

#[cfg(test)]
mod tests;
