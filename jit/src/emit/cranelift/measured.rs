//! The number that was chosen by measuring.

/// From this many values that quads share, it is decided here which values of the prologue are in registers, as in all
/// functions with variables: Cranelift's own decision takes a time that grows with the square of their number. Where it
/// decides nothing, 1500 products of constants take 5 times as long to compile, and where it decides all, short programs
/// up to 1.1 times (`attila bench --vectors 128`, AMD EPYC, family 25, model 17).
pub(super) const LONG_PROLOGUE: usize = 1000;
