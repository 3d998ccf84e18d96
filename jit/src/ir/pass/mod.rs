//! Passes over lane IR, each from a well-formed function to a well-formed one with the same
//! results.

mod dead;
mod params;
mod pressure;
mod rebuild;
mod schedule;

pub(crate) use pressure::quads_per_iteration;

use super::Function;

/// All passes in their order.
pub(crate) fn optimise(function: &mut Function) {
    for pass in [
        params::unify,
        rebuild::rebuild,
        params::unify,
        dead::remove,
        schedule::depth_first,
    ] {
        pass(function);
        if cfg!(debug_assertions) {
            function.verify();
        }
    }
}
