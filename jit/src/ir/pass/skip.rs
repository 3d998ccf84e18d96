//! Has users of an operation on one operand take the operand itself.

use crate::ir::{Function, Node, Value};

/// Skips the operations of which `is_skipped` is true, by their numbers and nodes. The ends of blocks use them as before.
pub(super) fn skip(function: &mut Function, is_skipped: impl Fn(usize, &Node) -> bool) {
    let mut replacement: Vec<Value> = (0..function.nodes.len() as u32).map(Value).collect();
    for (index, node) in function.nodes.iter().enumerate() {
        if is_skipped(index, node) {
            // Operands come before their users, but for parameters, which are no operations.
            replacement[index] = replacement[node.operands[0].0 as usize];
        }
    }
    for node in &mut function.nodes {
        node.operands = node.operands.map(|operand| replacement[operand.0 as usize]);
    }
}
