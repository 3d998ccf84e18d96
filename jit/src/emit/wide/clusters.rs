//! Values that are computed right before the blend that uses them, copy by copy.
//!
//! Copies take turns with every operation, so that none waits for its own results. A blend is long enough on its own, and
//! what it weighs texels with would wait for those of all other copies: four vectors of weights for each, eight with three
//! axes, where there are sixteen registers. So weights are computed where their blend is.
//!
//! Together with [`look_ahead`](super::values::Emission::look_ahead), and not without it, linear filters take 0.87 to
//! 0.93 of their time for it, with two axes and with three, 256 and 512 bits (AMD EPYC, family 26, model 2).

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::ir::{Binary, Function, Op, Value};

/// The nodes that are computed with a blend.
#[derive(Default)]
pub(super) struct Clusters {
    /// The blend of each.
    blends: FxHashMap<Value, Value>,
    /// Nodes that wait for a blend, in their order.
    waiting: FxHashMap<Value, Vec<Value>>,
}

/// Where the results of a node are used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Users {
    /// By nodes that are computed with this blend alone.
    With(Value),
    /// Elsewhere.
    Others,
}

impl Clusters {
    /// The clusters of a function's only block. With a single copy every node has its own turn.
    pub(super) fn of(function: &Function, body: &[Value], copies: usize) -> Clusters {
        let mut clusters = Clusters::default();
        let has_blends = || body.iter().any(|&value| function.node(value).op.is_blend());
        if copies == 1 || !has_blends() {
            return clusters;
        }
        let mut users = vec![None; function.nodes.len()];
        for &value in body.iter().rev() {
            let node = function.node(value);
            let is_blend = node.op.is_blend();
            // A blend that another is added to is computed with that.
            let joins = is_blend || matches!(node.op, Op::Extract(_)) || is_weight(function, value);
            let uses = match users[value.0 as usize] {
                Some(Users::With(blend)) if joins => {
                    clusters.blends.insert(value, blend);
                    Users::With(blend)
                }
                Some(Users::With(_) | Users::Others) | None if is_blend => Users::With(value),
                Some(Users::With(_) | Users::Others) | None => Users::Others,
            };
            for &operand in &*node.operands {
                let known = users[operand.0 as usize].get_or_insert(uses);
                if *known != uses {
                    *known = Users::Others;
                }
            }
        }
        clusters
    }

    /// The turns of a block's nodes. Those that wait for a blend come before it in its turn.
    pub(super) fn turns(mut self, body: &[Value]) -> Turns {
        let mut turns = Turns::with_room(body.len());
        for &value in body {
            if let Some(&blend) = self.blends.get(&value) {
                self.waiting.entry(blend).or_default().push(value);
                continue;
            }
            let before = self.waiting.remove(&value).unwrap_or_default();
            turns.add(&before, value);
        }
        turns
    }
}

/// Nodes that a copy computes in one go, turn after turn.
pub(super) struct Turns {
    values: Vec<Value>,
    /// Where each turn begins, and the last ends.
    starts: Vec<usize>,
}

impl Turns {
    /// None yet, with room for so many nodes.
    fn with_room(nodes: usize) -> Turns {
        let mut starts = Vec::with_capacity(nodes + 1);
        starts.push(0);
        Turns {
            values: Vec::with_capacity(nodes),
            starts,
        }
    }

    /// Adds the turn of a node, which comes last in it.
    fn add(&mut self, before: &[Value], node: Value) {
        self.values.extend_from_slice(before);
        self.values.push(node);
        self.starts.push(self.values.len());
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many nodes there are in all of them.
    #[cfg(test)]
    fn nodes(&self) -> usize {
        self.values.len()
    }

    /// The nodes of some turns.
    pub(super) fn nodes_of(&self, turns: Range<usize>) -> &[Value] {
        &self.values[self.starts[turns.start]..self.starts[turns.end]]
    }

    /// The node that a turn is for.
    pub(super) fn node(&self, turn: usize) -> Value {
        self.values[self.starts[turn + 1] - 1]
    }
}

/// Whether a node makes a weight of one value, or of weights.
fn is_weight(function: &Function, value: Value) -> bool {
    let node = function.node(value);
    let is_const = |it: &Value| matches!(function.node(*it).op, Op::Const(_));
    node.op == Op::Binary(Binary::Fmul)
        || node.op == Op::Binary(Binary::Fsub) && node.operands.iter().any(is_const)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse;

    /// How many nodes are computed with blends, of a function whose blend weighs with a to d, e and f being weights.
    fn waiting(lines: &str, copies: usize) -> usize {
        let text = format!(
            "uniform:\n  one: f32 = const 1.0\nblock0:\n  x: f32 = load i0.x\n  y: f32 = load i0.y\n  \
             n: i32 = trunc x\n  p: i32 = trunc y\n  e: f32 = fsub one, x\n  f: f32 = fmul e, y\n  \
             {lines}\n  done\n"
        );
        let function = parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let body = &function.blocks[0].body;
        let turns = Clusters::of(&function, body, copies).turns(body);
        let [turns, nodes] = [turns.len(), turns.nodes()];
        assert_eq!(nodes, body.len(), "all have their turn: {text}");
        nodes - turns
    }

    const BLEND: &str = "b = blend 0, rgba32f, each, n, p, x, e, f, y\n  q: pixel = extract 0, b\n  \
                         r: pixel = extract 1, b\n  s: pixel = extract 2, b\n  t: pixel = extract 3, b\n  ";
    const STORE: &str = "u = transpose q, r, s, t\n  v: f32 = extract 0, u\n  store o0.x, v";

    #[test]
    fn weights_wait_for_their_only_blend() {
        assert_eq!(waiting(&format!("{BLEND}{STORE}"), 2), 2);
        assert_eq!(
            waiting(&format!("{BLEND}{STORE}"), 1),
            0,
            "no other copy takes turns"
        );
        let stored = format!("store o0.y, e\n  {BLEND}{STORE}");
        assert_eq!(waiting(&stored, 2), 1, "e is used elsewhere");
        let twice = BLEND.replace("b =", "c =").replace(", b", ", c");
        let twice = twice
            .replace("q:", "g:")
            .replace("r:", "h:")
            .replace("s:", "i:")
            .replace("t:", "j:");
        assert_eq!(
            waiting(&format!("{twice}{BLEND}{STORE}"), 2),
            0,
            "two blends want both"
        );
    }

    #[test]
    fn a_blend_waits_for_the_one_that_it_is_added_to() {
        let onto = format!(
            "{BLEND}c = blend_onto 0, rgba32f, each, p, n, x, e, f, y, q, r, s, t\n  g: pixel = extract 0, c\n  \
             store o0.x, x"
        );
        // The weights, the first blend and its four parts.
        assert_eq!(waiting(&onto, 4), 7);
        let seen = onto.replace(
            "store o0.x, x",
            "u = transpose q, r, s, t\n  v: f32 = extract 0, u\n  store o0.x, v",
        );
        assert_eq!(
            waiting(&seen, 4),
            0,
            "its pixels are used elsewhere, and the weights by both"
        );
    }
}
