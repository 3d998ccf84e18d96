//! How many quads to compute side by side.

use crate::ir::{Function, Op};

/// The most that is ever worth it.
const MOST: usize = 4;

/// The longest functions, in nodes, that are computed for that many quads at a time.
///
/// Quads are independent, so others fill the time that the first spends waiting for results, and
/// what is loaded from a table serves all. Measured gain of two: an eighth to a half on arithmetic
/// of 20 to 100 instructions; of four: another tenth on what is short. On longer programs spills
/// eat it up, and compiling, which takes twice as long each time, begins to be felt.
const SHORT: [(usize, usize); 2] = [(300, 4), (700, 2)];

/// The length of a blend of texels, which is a hundred instructions, but keeps few values.
const BLEND: usize = 12;

/// Quads per iteration of the generated loop: as many as `wanted`, or by length.
pub(super) fn quads_per_iteration(function: &Function, wanted: Option<usize>) -> usize {
    if !function.is_straight_line() {
        return 1;
    }
    let body = function.blocks[0].body.iter();
    let length: usize = body.map(|&value| length(&function.node(value).op)).sum();
    let fits = SHORT.iter().find(|(longest, _)| length <= *longest);
    let by_length = fits.map_or(1, |(_, quads)| *quads);
    wanted.unwrap_or(by_length).clamp(1, MOST)
}

/// A node's length: as many nodes as it takes registers and instructions like.
fn length(op: &Op) -> usize {
    if let Op::Blend { .. } = op { BLEND } else { 1 }
}
