//! Languages that ATTILA and its relatives were programmed in.

pub mod arb;
pub mod back;
