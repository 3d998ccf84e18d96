//! Orders each block's nodes so that few values are alive at a time.
//!
//! Code generation keeps the order that it is given, and there are 16 vector registers. Each
//! value is computed just before its first user, the operand that needs more registers first
//! (Sethi and Ullman's order, taken as a heuristic since values are shared).

use std::collections::HashSet;

use crate::ir::{Function, Op, Rate, Slot, Terminator, Value};

/// Reorders every block depth first from its effects and its end.
pub(crate) fn depth_first(function: &mut Function) {
    let need = registers_needed(function);
    let stored = stored_slots(function);
    for index in 0..function.blocks.len() {
        let body = std::mem::take(&mut function.blocks[index].body);
        let mut order = Order::new(function, &need, &body);
        let overwritten = |op: Op| matches!(op, Op::Load(slot) if stored.contains(&slot));
        for &value in body
            .iter()
            .filter(|&&value| overwritten(function.node(value).op))
        {
            order.visit(value);
        }
        for &value in body
            .iter()
            .filter(|&&value| function.node(value).op.has_effect())
        {
            order.visit(value);
        }
        let end = &function.blocks[index].end;
        if let Terminator::Any { mask, .. } = end {
            order.visit(*mask);
        }
        for target in end.targets() {
            target.args.iter().for_each(|&arg| order.visit(arg));
        }
        function.blocks[index].body = finish(order, &body);
    }
}

/// The places that are written: they have to be read before.
fn stored_slots(function: &Function) -> HashSet<Slot> {
    let slot = |value: &Value| {
        let Op::Store(slot, _) = function.node(*value).op else {
            return None;
        };
        Some(slot)
    };
    function
        .blocks
        .iter()
        .flat_map(|block| block.body.iter().filter_map(slot))
        .collect()
}

/// What is in the body but not reached is used by a block that this one dominates.
fn finish(mut order: Order<'_>, body: &[Value]) -> Vec<Value> {
    body.iter().for_each(|&value| order.visit(value));
    order.done
}

struct Order<'a> {
    function: &'a Function,
    need: &'a [u32],
    /// Nodes of the block that have not been placed yet.
    pending: Vec<bool>,
    done: Vec<Value>,
}

impl<'a> Order<'a> {
    fn new(function: &'a Function, need: &'a [u32], body: &[Value]) -> Order<'a> {
        let mut pending = vec![false; function.nodes.len()];
        for value in body {
            pending[value.0 as usize] = true;
        }
        Order {
            function,
            need,
            pending,
            done: Vec::with_capacity(body.len()),
        }
    }

    /// Places a node after its operands. An explicit stack: dependence chains are as long as
    /// programs.
    fn visit(&mut self, root: Value) {
        let mut stack = vec![(root, false)];
        while let Some((value, operands_placed)) = stack.pop() {
            if !self.pending[value.0 as usize] {
                continue;
            }
            if operands_placed {
                self.pending[value.0 as usize] = false;
                self.done.push(value);
                continue;
            }
            stack.push((value, true));
            let mut operands = Vec::new();
            self.function.node(value).op.operands(|operand| {
                if self.pending[operand.0 as usize] {
                    operands.push(operand);
                }
            });
            // The last one pushed is placed first.
            operands.sort_by_key(|operand| self.need[operand.0 as usize]);
            stack.extend(operands.into_iter().map(|operand| (operand, false)));
        }
    }
}

/// Registers that computing a value from scratch takes, if nothing is shared.
fn registers_needed(function: &Function) -> Vec<u32> {
    let mut need = vec![0u32; function.nodes.len()];
    for (index, node) in function.nodes.iter().enumerate() {
        // Uniform values are memory operands, and so cost no register.
        if node.rate == Rate::Uniform {
            continue;
        }
        if let Op::Param | Op::Load(_) = node.op {
            need[index] = 1;
            continue;
        }
        let mut operands = Vec::new();
        node.op
            .operands(|operand| operands.push(need[operand.0 as usize]));
        operands.sort_unstable_by(|a, b| b.cmp(a));
        let held = operands
            .iter()
            .enumerate()
            .map(|(held, need)| need + held as u32);
        need[index] = held.max().unwrap_or(0).max(1);
    }
    need
}
