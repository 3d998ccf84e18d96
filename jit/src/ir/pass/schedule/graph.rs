//! The dependences between a block's nodes. Nodes are numbered as they stand in the block.

use rustc_hash::FxHashMap;

use super::NOWHERE;
use crate::ir::{Function, Value, Variable};

/// A list of nodes for each node, all in one piece of memory.
pub(super) struct Lists {
    /// The place of each list's first entry, and the end of the last list.
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Lists {
    /// Lists to be added in the order of their nodes.
    fn for_nodes(count: usize) -> Lists {
        let mut starts = Vec::with_capacity(count + 1);
        starts.push(0);
        Lists {
            starts,
            entries: Vec::with_capacity(2 * count),
        }
    }

    /// Adds a node to the list that is being made, once.
    fn add(&mut self, node: u32) {
        let start = *self.starts.last().expect("there is always a start");
        if !self.entries[start as usize..].contains(&node) {
            self.entries.push(node);
        }
    }

    /// Ends the list that is being made.
    fn end(&mut self) {
        self.starts.push(self.entries.len() as u32);
    }

    /// The list of a node.
    pub(super) fn of(&self, node: usize) -> &[u32] {
        &self.entries[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// For each node, the nodes in whose lists it is, first to last.
    fn reversed(&self) -> Lists {
        let mut starts = vec![0; self.starts.len()];
        for &entry in &self.entries {
            starts[entry as usize + 1] += 1;
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut ends = starts.clone();
        let mut entries = vec![0; self.entries.len()];
        for node in 0..starts.len() - 1 {
            for &entry in self.of(node) {
                let end = &mut ends[entry as usize];
                entries[*end as usize] = node as u32;
                *end += 1;
            }
        }
        Lists { starts, entries }
    }
}

/// The dependences of a block.
pub(super) struct Graph {
    /// The nodes of the block that a node takes operands from. A node that keeps a variable has the one that reads
    /// it among them: a variable is read before it is overwritten.
    pub(super) operands: Lists,
    /// The nodes that have a node among their operands.
    pub(super) users: Lists,
    /// The effect that comes next after a node that has one: effects keep their order. [`Op::Keep`](crate::ir::Op::Keep) is none: nothing
    /// but [`Op::Recall`](crate::ir::Op::Recall) notices it, so that may be as soon as the value is there.
    next_effect: Vec<u32>,
}

impl Graph {
    /// For the nodes of `body`, each of which stands where `number` says.
    pub(super) fn new(function: &Function, body: &[Value], number: &[u32]) -> Graph {
        let recalls = recalls(function, body);
        let mut operands = Lists::for_nodes(body.len());
        let mut next_effect = vec![NOWHERE; body.len()];
        let mut last_effect: Option<usize> = None;
        for (user, value) in body.iter().enumerate() {
            let node = function.node(*value);
            let numbers = node.operands.iter().map(|value| number[value.0 as usize]);
            for operand in numbers.filter(|&number| number != NOWHERE) {
                operands.add(operand);
            }
            if let Some(&recall) = node.op.keeps().and_then(|variable| recalls.get(&variable)) {
                operands.add(recall);
            }
            operands.end();
            if node.op.has_effect()
                && let Some(last) = last_effect.replace(user)
            {
                next_effect[last] = user as u32;
            }
        }
        let users = operands.reversed();
        Graph {
            operands,
            users,
            next_effect,
        }
    }

    /// The effect that has to come after this node's.
    pub(super) fn next_effect(&self, node: usize) -> Option<usize> {
        let next = self.next_effect[node];
        (next != NOWHERE).then_some(next as usize)
    }

    /// Cycles from each node to the end of the block.
    pub(super) fn heights(&self, function: &Function, body: &[Value]) -> Vec<u32> {
        let mut heights = vec![0; body.len()];
        for (node, value) in body.iter().enumerate().rev() {
            let users = self.users.of(node).iter().map(|&user| user as usize);
            let after = users.chain(self.next_effect(node));
            let after = after.map(|node| heights[node]).max().unwrap_or(0);
            heights[node] = after + function.node(*value).op.row().latency;
        }
        heights
    }
}

/// The nodes that read variables.
fn recalls(function: &Function, body: &[Value]) -> FxHashMap<Variable, u32> {
    let recalls = (0..).zip(body).filter_map(|(node, value)| {
        let variable = function.node(*value).op.recalls()?;
        Some((variable, node))
    });
    recalls.collect()
}
