//! Orders each block's nodes: independent work side by side for as long as there are registers,
//! then nodes that give registers back.
//!
//! Code generation keeps the order that it is given. A processor looks a few hundred
//! instructions ahead, which is a few dozen of a shader's: a block in which every chain of
//! operations is followed to its end before the next begins leaves it waiting for results, and
//! one that begins all chains at once has nowhere to keep them. So the node on the longest path to
//! the block's end comes first while values fit the registers, and the node that ends the most
//! values when they do not.

mod candidates;
mod graph;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use crate::abi::Slot;
use crate::ir::{Function, Op, Value};
use crate::target::VectorTarget;
use candidates::{ByHeight, ByRelief, Candidates, Relief};
use graph::Graph;

/// Values of one vector that may be alive at a time, where so many are computed side by side. All
/// together two more than there are registers: the estimate counts operands as alive beside the
/// result that takes their place. With three or four vectors side by side, short blocks get fewer:
/// much of them is inputs and packing, whose loads the vectors share, and an operation in progress
/// takes a register for each vector. Found by measuring, with [`MEASURED`] registers: a machine that
/// has more gets no more.
fn room(registers: usize, side_by_side: usize, length: usize) -> usize {
    let registers = registers.min(MEASURED);
    match side_by_side {
        1 | 2 => (registers + 2) / side_by_side,
        _ if length < SHORT => registers / 8,
        _ => registers / 4,
    }
}

/// Vector registers of the machines that were measured.
const MEASURED: usize = 16;

/// Nodes of a block that is not short any more.
const SHORT: usize = 100;

/// How far in program order a node may be ahead of the first one that could be placed. A node that
/// is passed over keeps its operands alive, and so do nodes that wait for it: without a limit,
/// values of a long program pile up by the thousand.
const AHEAD: usize = 512;

/// Reorders every block, for a loop that computes `quads` quads at a time.
pub(super) fn schedule(function: &mut Function, vectors: &VectorTarget, quads: usize) {
    let side_by_side = quads.div_ceil(vectors.quads());
    let stored = stored_slots(function);
    let leaving = leaving(function);
    let mut number = vec![NOWHERE; function.nodes.len()];
    for index in 0..function.blocks.len() {
        let body = std::mem::take(&mut function.blocks[index].body);
        for (index, value) in (0..).zip(&body) {
            number[value.0 as usize] = index;
        }
        let graph = Graph::new(function, &body, &number);
        let mut list = List::new(function, &body, &graph, &stored, &leaving);
        list.run(room(vectors.registers, side_by_side, body.len()));
        function.blocks[index].body = list.done;
        for value in body {
            number[value.0 as usize] = NOWHERE;
        }
    }
}

/// The places that are written: they have to be read before.
fn stored_slots(function: &Function) -> FxHashSet<Slot> {
    let slot = |value: &Value| {
        let Op::Store(slot) = function.node(*value).op else {
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

/// The values that are used by another block than their own, or by the end of a block.
pub(super) fn leaving(function: &Function) -> Vec<bool> {
    let mut home = vec![usize::MAX; function.nodes.len()];
    for (index, block) in function.blocks.iter().enumerate() {
        for value in &block.body {
            home[value.0 as usize] = index;
        }
    }
    let mut leaving = vec![false; function.nodes.len()];
    for (index, block) in function.blocks.iter().enumerate() {
        for value in &block.body {
            for operand in &*function.node(*value).operands {
                leaving[operand.0 as usize] |= home[operand.0 as usize] != index;
            }
        }
        for value in block.end.values() {
            leaving[value.0 as usize] = true;
        }
    }
    leaving
}

/// The number of a node that is not in the block.
const NOWHERE: u32 = u32::MAX;

/// The nodes that wait for nothing, in each order. A node has an entry for each [`Relief`] that it has had: relief only
/// grows, so the greatest entry is the one that counts.
#[derive(Default)]
struct Ready {
    by_height: Candidates<ByHeight>,
    by_relief: Candidates<ByRelief>,
    /// Ready nodes further ahead than [`AHEAD`].
    later: BinaryHeap<Reverse<usize>>,
    /// The first node that has not been placed, apart from loads. It waits for none.
    first: usize,
}

/// The progress of a node.
struct State {
    /// Operands and earlier effects that it still waits for.
    waits_for: u32,
    /// Uses that are still to come; one more for a value that leaves the block.
    uses: u32,
    /// Cycles to the end of the block.
    height: u32,
    /// For a node that is not placed yet. Kept up to date: a change moves the node in the order.
    relief: Relief,
    is_placed: bool,
    /// Whether it is in the heaps of [`Ready`].
    is_candidate: bool,
    /// A load is placed just before its first user and never waits for anything.
    on_demand: bool,
}

/// A block being ordered. Nodes are numbered as they stand in the block.
struct List<'a> {
    body: &'a [Value],
    graph: &'a Graph,
    states: Vec<State>,
    ready: Ready,
    live: usize,
    done: Vec<Value>,
}

impl<'a> List<'a> {
    /// For the nodes of `body`. What a block stores is read before.
    fn new(
        function: &Function,
        body: &'a [Value],
        graph: &'a Graph,
        stored: &FxHashSet<Slot>,
        leaving: &[bool],
    ) -> List<'a> {
        let mut list = List {
            body,
            graph,
            states: states(function, body, graph, leaving),
            ready: Ready::default(),
            live: 0,
            done: Vec::with_capacity(body.len()),
        };
        for (node, value) in body.iter().enumerate() {
            if let Op::Load(slot) = function.node(*value).op
                && stored.contains(&slot)
            {
                list.place(node);
            }
        }
        for node in 0..body.len() {
            let state = &list.states[node];
            if state.waits_for == 0 && !state.on_demand {
                list.becomes_ready(node);
            }
        }
        list
    }

    fn run(&mut self, registers: usize) {
        while let Some(node) = self.choose(registers) {
            self.take(node);
        }
        // Loads that only other blocks use.
        for node in 0..self.body.len() {
            if !self.states[node].is_placed {
                self.place(node);
            }
        }
    }

    /// Places a node that is ready, after the loads that it is the first to use.
    fn take(&mut self, node: usize) {
        for &operand in self.graph.operands.of(node) {
            if !self.states[operand as usize].is_placed {
                self.place(operand as usize);
            }
        }
        self.place(node);
    }

    /// The node to place next.
    fn choose(&mut self, registers: usize) -> Option<usize> {
        self.admit();
        let crowded = self.live >= registers;
        let is_left = |node: usize| !self.states[node].is_placed;
        match crowded {
            true => self.ready.by_relief.pop(is_left),
            false => self.ready.by_height.pop(is_left),
        }
    }

    /// Makes candidates of the ready nodes that are not too far ahead any more.
    fn admit(&mut self) {
        let rest = &self.states[self.ready.first..];
        let mut rest = rest.iter();
        let gap = rest.position(|state| !state.is_placed && !state.on_demand);
        self.ready.first = gap.map_or(self.states.len(), |gap| self.ready.first + gap);
        while let Some(&Reverse(node)) = self.ready.later.peek()
            && node < self.limit()
        {
            self.ready.later.pop();
            self.nominate(node);
        }
    }

    /// The first node that is too far ahead.
    fn limit(&self) -> usize {
        self.ready.first + AHEAD
    }

    /// A node waits for nothing any more.
    fn becomes_ready(&mut self, node: usize) {
        if node < self.limit() {
            self.nominate(node);
        } else {
            self.ready.later.push(Reverse(node));
        }
    }

    /// Makes a candidate of a node.
    fn nominate(&mut self, node: usize) {
        let height = self.states[node].height;
        let entry = ByHeight::new(node, height);
        self.ready.by_height.push(entry);
        self.states[node].is_candidate = true;
        self.rank(node);
    }

    /// Enters a candidate with its relief as it is now.
    fn rank(&mut self, node: usize) {
        let state = &self.states[node];
        if state.is_candidate {
            let entry = ByRelief::new(node, state.height, state.relief);
            self.ready.by_relief.push(entry);
        }
    }

    /// An operand has one use left: the user that is not placed, if it is in the block, gives its register back.
    fn ends_with_last_user(&mut self, operand: usize) {
        let mut users = self.graph.users.of(operand).iter();
        if let Some(&last) = users.find(|&&user| !self.states[user as usize].is_placed) {
            self.states[last as usize].relief.freed += 1;
            self.rank(last as usize);
        }
    }

    fn place(&mut self, node: usize) {
        let when = self.done.len() as u32;
        self.states[node].is_placed = true;
        self.done.push(self.body[node]);
        for &operand in self.graph.operands.of(node) {
            let uses = &mut self.states[operand as usize].uses;
            *uses -= 1;
            match *uses {
                0 => self.live -= 1,
                1 => self.ends_with_last_user(operand as usize),
                _ => {}
            }
        }
        if self.states[node].uses > 0 {
            self.live += 1;
        }
        let on_demand = self.states[node].on_demand;
        for &user in self.graph.users.of(node) {
            let relief = &mut self.states[user as usize].relief;
            relief.freed += 1;
            relief.newest = when;
            self.rank(user as usize);
            if !on_demand {
                self.waits_for_one_less(user as usize);
            }
        }
        if let Some(next) = self.graph.next_effect(node) {
            self.waits_for_one_less(next);
        }
    }

    fn waits_for_one_less(&mut self, node: usize) {
        let state = &mut self.states[node];
        state.waits_for -= 1;
        if state.waits_for == 0 {
            self.becomes_ready(node);
        }
    }
}

/// The states of all nodes before anything is placed.
fn states(function: &Function, body: &[Value], graph: &Graph, leaving: &[bool]) -> Vec<State> {
    let heights = graph.heights(function, body);
    let state = |(node, value): (usize, &Value)| State {
        waits_for: 0,
        uses: graph.users.of(node).len() as u32 + u32::from(leaving[value.0 as usize]),
        height: heights[node],
        relief: Relief::default(),
        is_placed: false,
        is_candidate: false,
        on_demand: matches!(function.node(*value).op, Op::Load(_) | Op::Recall(_)),
    };
    let mut states: Vec<State> = body.iter().enumerate().map(state).collect();
    for node in 0..body.len() {
        let mut freed = -i32::from(states[node].uses > 0);
        let mut waits_for = 0;
        for &operand in graph.operands.of(node) {
            let operand = &states[operand as usize];
            // An operand that has other users takes a register.
            freed -= i32::from(operand.uses > 1);
            waits_for += u32::from(!operand.on_demand);
        }
        states[node].relief.freed = freed;
        states[node].waits_for += waits_for;
        if let Some(next) = graph.next_effect(node) {
            states[next].waits_for += 1;
        }
    }
    states
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::ir::parse::parse;

    /// The most values of a block that are alive at a time.
    fn most_alive(function: &Function) -> usize {
        let mut alive = HashSet::new();
        let body = function.blocks[0].body.iter().rev();
        let counts = body.map(|value| {
            alive.remove(value);
            alive.extend(function.node(*value).operands.iter().copied());
            alive.len()
        });
        counts.max().unwrap_or(0)
    }

    /// [`Relief`] counted from what is placed.
    fn counted(list: &List<'_>, node: usize) -> Relief {
        let mut relief = Relief {
            freed: -i32::from(list.states[node].uses > 0),
            newest: 0,
        };
        for &operand in list.graph.operands.of(node) {
            let operand = operand as usize;
            let is_last_use = list.states[operand].uses == 1;
            let value = list.body[operand];
            let placed = list.done.iter().position(|&done| done == value);
            relief.newest = relief.newest.max(placed.unwrap_or(0) as u32);
            relief.freed += i32::from(is_last_use) - i32::from(placed.is_none());
        }
        relief
    }

    #[test]
    fn relief_is_kept_up_to_date() {
        // Loads on demand, values with one and several users, stores in their order, and one that leaves.
        let text = "\
block0:
  a: f32 = load i0.x
  b: f32 = load i0.y
  c: f32 = fadd a, b
  d: f32 = fmul a, c
  e: f32 = fmul c, b
  store o0.x, d
  f: f32 = fadd d, e
  store o0.y, f
  g: f32 = sqrt f
  jump block1
block1:
  store o0.z, g
  store o0.w, c
  done
";
        let function = parse(text).expect("the text is right");
        let body = &function.blocks[0].body;
        let mut number = vec![NOWHERE; function.nodes.len()];
        for (index, value) in (0..).zip(body) {
            number[value.0 as usize] = index;
        }
        let leaving = leaving(&function);
        let graph = Graph::new(&function, body, &number);
        let mut list = List::new(&function, body, &graph, &stored_slots(&function), &leaving);
        while let Some(node) = list.choose(0) {
            for waiting in (0..body.len()).filter(|&node| !list.states[node].is_placed) {
                assert_eq!(list.states[waiting].relief, counted(&list, waiting));
            }
            list.take(node);
        }
        assert_eq!(list.done.len(), body.len());
    }

    #[test]
    fn fewer_registers_keep_fewer_values() {
        let mut text = "block0:\n".to_owned();
        for n in 0..16 {
            text += &format!("  a{n}: f32 = load i{n}.x\n  b{n}: f32 = sqrt a{n}\n");
        }
        // A tree of sums: all roots are as far from the end.
        for n in 16..31 {
            let [left, right] = [0, 1].map(|side| 2 * (n - 16) + side);
            text += &format!("  b{n}: f32 = fadd b{left}, b{right}\n");
        }
        text += "  store o0.x, b30\n  done\n";
        let function = parse(&text).expect("the text is right");
        let alive = [4, 8, 16].map(|registers| {
            let vectors = VectorTarget {
                registers,
                ..VectorTarget::AVX2
            };
            let mut scheduled = function.clone();
            schedule(&mut scheduled, &vectors, 1);
            most_alive(&scheduled)
        });
        assert!(alive.is_sorted_by(|few, many| few < many), "{alive:?}");
    }
}
