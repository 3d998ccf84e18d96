//! Numbers that were chosen by measuring.

/// From this many values that quads share, it is decided here which values of the prologue are in
/// registers, as in all functions with variables. Cranelift's own decision takes a time that grows
/// with the square of their number.
pub(super) const LONG_PROLOGUE: usize = 1000;

/// Scratch vectors up to which memory is cleared without a loop.
pub(super) const FEW: usize = 8;
