//! The values of which a property is seen: something depends on it that is stored, or decides where quads go.

use crate::ir::{Function, Op, Value};

/// The use that an operation makes of the property of an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Its result may have the property, and nothing else depends on it.
    Passes,
    /// It does not matter.
    Ignores,
    /// It may be seen.
    Sees,
}

/// Whether the property of each value may be seen, where operations use it in this way, and values that cannot have
/// it are told. What a block passes to another counts as seen.
pub(super) fn seen(
    function: &Function,
    use_of: fn(Op) -> Use,
    cannot_have: impl Fn(Value) -> bool,
) -> Vec<bool> {
    let mut seen = vec![false; function.nodes.len()];
    let mut work: Vec<Value> = Vec::new();
    for block in &function.blocks {
        for target in block.end.targets() {
            work.extend(&target.args);
        }
    }
    for node in &function.nodes {
        if use_of(node.op) == Use::Sees {
            work.extend(&*node.operands);
        }
    }
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut seen[value.0 as usize], true) {
            continue;
        }
        let node = function.node(value);
        if use_of(node.op) == Use::Passes && !cannot_have(value) {
            work.extend(&*node.operands);
        }
    }
    seen
}
