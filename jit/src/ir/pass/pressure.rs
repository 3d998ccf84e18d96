//! How many quads to compute side by side.

use crate::ir::{Function, Rate, Value};

/// Quads per iteration of the generated loop.
///
/// Quads are independent, so interleaving them hides latency for as long as their values fit the
/// 16 vector registers; beyond that, spilling costs more. Long programs have enough independent
/// work of their own, and compile time grows faster than the number of copies.
pub(crate) fn quads_per_iteration(function: &Function) -> usize {
    const LONG: usize = 400;
    if !function.is_straight_line() || function.blocks[0].body.len() > LONG {
        return 1;
    }
    match most_live(function) {
        0..=4 => 4,
        5..=8 => 2,
        _ => 1,
    }
}

/// The most values of the entry block that are alive at once.
fn most_live(function: &Function) -> usize {
    let body = &function.blocks[0].body;
    let mut last_use = vec![0; function.nodes.len()];
    for (index, &value) in body.iter().enumerate() {
        function
            .node(value)
            .op
            .operands(|operand| last_use[operand.0 as usize] = index);
    }
    let is_quad = |value: &Value| function.node(*value).rate == Rate::Quad;
    let (mut live, mut most) = (0usize, 0);
    for (index, value) in body.iter().enumerate() {
        let mut ending = Vec::new();
        function.node(*value).op.operands(|operand| {
            if is_quad(&operand) && last_use[operand.0 as usize] == index {
                ending.push(operand);
            }
        });
        ending.sort_unstable();
        ending.dedup();
        live -= ending.len();
        if last_use[value.0 as usize] > index {
            live += 1;
        }
        most = most.max(live);
    }
    most
}
