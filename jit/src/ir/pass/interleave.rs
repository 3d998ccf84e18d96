//! How many quads to compute side by side.

use crate::ir::Function;

/// The most that is ever worth it.
const MOST: usize = 4;

/// The longest function, in nodes, that is computed for two quads at a time.
///
/// Quads are independent, so a second one fills the time that the first spends waiting for
/// results, and what is loaded from a table serves both. Measured gain: an eighth to a fifth on
/// arithmetic of 20 to 100 instructions. On longer programs spills eat it up, and compiling, which
/// takes twice as long, begins to be felt.
const SHORT: usize = 700;

/// Quads per iteration of the generated loop: as many as `wanted`, or by length.
pub(super) fn quads_per_iteration(function: &Function, wanted: Option<usize>) -> usize {
    if !function.is_straight_line() {
        return 1;
    }
    let by_length = if function.blocks[0].body.len() <= SHORT {
        2
    } else {
        1
    };
    wanted.unwrap_or(by_length).clamp(1, MOST)
}
