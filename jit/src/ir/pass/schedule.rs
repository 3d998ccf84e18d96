//! Orders each block's nodes: independent work side by side for as long as there are registers,
//! then nodes that give registers back.
//!
//! Code generation keeps the order that it is given. A processor looks a few hundred
//! instructions ahead, which is a few dozen of a shader's: a block in which every chain of
//! operations is followed to its end before the next begins leaves it waiting for results, and
//! one that begins all chains at once has nowhere to keep them. So the node on the longest path to
//! the block's end comes first while values fit the registers, and the node that ends the most
//! values when they do not.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::abi::Slot;
use crate::ir::{Function, Op, Value, Variable};
use crate::target::VectorTarget;

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
        let mut list = List::new(function, &body, &number, &stored, &leaving);
        list.run(room(vectors.registers, side_by_side, body.len()));
        function.blocks[index].body = list.done;
        for value in body {
            number[value.0 as usize] = NOWHERE;
        }
    }
}

/// The places that are written: they have to be read before.
fn stored_slots(function: &Function) -> HashSet<Slot> {
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

/// Nodes. Most have few operands, and few users.
type Few = SmallVec<[u32; 4]>;

/// The number of a node that is not in the block.
const NOWHERE: u32 = u32::MAX;

/// The gain in registers from placing a node. Where they are scarce, the greatest is best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
struct Relief {
    /// Registers that it gives back, minus those that it takes.
    freed: i32,
    /// The place of its newest operand.
    newest: u32,
}

/// The nodes that wait for nothing, in a heap for each order. Nodes that have been placed remain in the heaps. A node
/// has an entry for each [`Relief`] that it has had: relief only grows, so the greatest entry is the one that counts.
#[derive(Default)]
struct Ready {
    /// By the distance to the block's end, the first of equals first.
    by_height: BinaryHeap<(u32, Reverse<u32>)>,
    by_relief: BinaryHeap<(Relief, u32, Reverse<u32>)>,
    /// Ready nodes further ahead than [`AHEAD`].
    later: BinaryHeap<Reverse<u32>>,
    /// The first node that has not been placed, apart from loads. It waits for none.
    first: usize,
}

/// A block being ordered. Nodes are numbered as they stand in the block.
struct List<'a> {
    function: &'a Function,
    body: &'a [Value],
    /// The operands that are computed in the block.
    operands: Vec<Few>,
    users: Vec<Few>,
    /// Operands and earlier effects that a node still waits for.
    waits_for: Vec<usize>,
    /// Uses that are still to come; one more for values that leave the block.
    uses: Vec<usize>,
    /// Cycles from a node to the end of the block.
    height: Vec<u32>,
    /// For nodes that are not placed yet. Kept up to date: a change moves a node in the order.
    relief: Vec<Relief>,
    is_placed: Vec<bool>,
    /// Whether a node is in the heaps of [`Ready`].
    is_candidate: Vec<bool>,
    /// Loads are placed just before their first user and never wait for anything.
    on_demand: Vec<bool>,
    ready: Ready,
    live: usize,
    done: Vec<Value>,
}

impl<'a> List<'a> {
    /// For the nodes of `body`, each of which stands where `number` says.
    fn new(
        function: &'a Function,
        body: &'a [Value],
        number: &[u32],
        stored: &HashSet<Slot>,
        leaving: &[bool],
    ) -> List<'a> {
        let count = body.len();
        let mut list = List {
            function,
            body,
            operands: vec![Few::new(); count],
            users: vec![Few::new(); count],
            waits_for: vec![0; count],
            uses: body
                .iter()
                .map(|value| usize::from(leaving[value.0 as usize]))
                .collect(),
            height: vec![0; count],
            relief: vec![Relief::default(); count],
            is_placed: vec![false; count],
            is_candidate: vec![false; count],
            on_demand: vec![false; count],
            ready: Ready::default(),
            live: 0,
            done: Vec::with_capacity(count),
        };
        list.connect(number);
        for node in 0..count {
            list.relief[node].freed = list.freed_at_first(node);
        }
        list.order_effects(stored);
        for node in (0..count).rev() {
            let users = list.users[node].iter();
            let after = users.map(|&user| list.height[user as usize]).max();
            list.height[node] = after.unwrap_or(0) + function.node(body[node]).op.row().latency;
        }
        for node in 0..count {
            if list.waits_for[node] == 0 && !list.on_demand[node] {
                list.ready.later.push(Reverse(node as u32));
            }
        }
        list
    }

    fn connect(&mut self, number: &[u32]) {
        let recalls = self.recalls();
        for (user, value) in self.body.iter().enumerate() {
            let node = self.function.node(*value);
            self.on_demand[user] = matches!(node.op, Op::Load(_) | Op::Recall(_));
            for operand in &*node.operands {
                let operand = number[operand.0 as usize];
                if operand != NOWHERE && !self.operands[user].contains(&operand) {
                    self.operands[user].push(operand);
                }
            }
            // A variable is read before it is overwritten.
            if let Some(&recall) = node.op.keeps().and_then(|variable| recalls.get(&variable))
                && !self.operands[user].contains(&recall)
            {
                self.operands[user].push(recall);
            }
            for index in 0..self.operands[user].len() {
                let operand = self.operands[user][index] as usize;
                self.uses[operand] += 1;
                self.users[operand].push(user as u32);
                if !self.on_demand[operand] {
                    self.waits_for[user] += 1;
                }
            }
        }
    }

    /// The nodes that read variables.
    fn recalls(&self) -> FxHashMap<Variable, u32> {
        let nodes = (0..).zip(self.body);
        let recalls = nodes.filter_map(|(node, value)| {
            let variable = self.function.node(*value).op.recalls()?;
            Some((variable, node))
        });
        recalls.collect()
    }

    /// Effects keep their order, and what a store overwrites is read before the first of them.
    /// Nothing but [`Op::Recall`] notices when a variable is kept, which is no effect here: that may be
    /// as soon as its value is there.
    fn order_effects(&mut self, stored: &HashSet<Slot>) {
        let mut before: Option<usize> = None;
        for node in 0..self.body.len() {
            let op = self.function.node(self.body[node]).op;
            if let Op::Load(slot) = op
                && stored.contains(&slot)
            {
                self.place(node);
            } else if op.has_effect()
                && let Some(before) = before.replace(node)
            {
                self.users[before].push(node as u32);
                self.waits_for[node] += 1;
            }
        }
    }

    fn run(&mut self, registers: usize) {
        while let Some(node) = self.choose(registers) {
            self.take(node);
        }
        // Loads that only other blocks use.
        for node in 0..self.body.len() {
            if !self.is_placed[node] {
                self.place(node);
            }
        }
    }

    /// Places a node that is ready, after the loads that it is the first to use.
    fn take(&mut self, node: usize) {
        for index in 0..self.operands[node].len() {
            let operand = self.operands[node][index] as usize;
            if !self.is_placed[operand] {
                self.place(operand);
            }
        }
        self.place(node);
    }

    /// The node to place next.
    fn choose(&mut self, registers: usize) -> Option<usize> {
        self.admit();
        let crowded = self.live >= registers;
        loop {
            let Reverse(node) = match crowded {
                true => self.ready.by_relief.pop()?.2,
                false => self.ready.by_height.pop()?.1,
            };
            if !self.is_placed[node as usize] {
                return Some(node as usize);
            }
        }
    }

    /// Makes candidates of the ready nodes that are not too far ahead any more.
    fn admit(&mut self) {
        let done = |&node: &usize| self.is_placed[node] || self.on_demand[node];
        let first = self.ready.first..self.body.len();
        self.ready.first += first.take_while(done).count();
        let limit = (self.ready.first + AHEAD) as u32;
        while let Some(&Reverse(node)) = self.ready.later.peek()
            && node < limit
        {
            self.ready.later.pop();
            let height = self.height[node as usize];
            self.ready.by_height.push((height, Reverse(node)));
            self.is_candidate[node as usize] = true;
            self.rank(node as usize);
        }
    }

    /// Enters a candidate with its relief as it is now.
    fn rank(&mut self, node: usize) {
        if self.is_candidate[node] {
            let entry = (self.relief[node], self.height[node], Reverse(node as u32));
            self.ready.by_relief.push(entry);
        }
    }

    /// [`Relief::freed`] before anything is placed: an operand that has other users takes a register.
    fn freed_at_first(&self, node: usize) -> i32 {
        let operands = self.operands[node].iter();
        let kept = operands.filter(|&&operand| self.uses[operand as usize] > 1);
        -(kept.count() as i32) - i32::from(self.uses[node] > 0)
    }

    /// An operand has one use left: the user that is not placed, if it is in the block, gives its register back.
    fn ends_with_last_user(&mut self, operand: usize) {
        let last = self.users[operand].iter().find(|&&user| {
            let user = user as usize;
            !self.is_placed[user] && self.operands[user].contains(&(operand as u32))
        });
        if let Some(&user) = last {
            self.relief[user as usize].freed += 1;
            self.rank(user as usize);
        }
    }

    fn place(&mut self, node: usize) {
        let when = self.done.len() as u32;
        self.is_placed[node] = true;
        self.done.push(self.body[node]);
        for index in 0..self.operands[node].len() {
            let operand = self.operands[node][index] as usize;
            self.uses[operand] -= 1;
            match self.uses[operand] {
                0 => self.live -= 1,
                1 => self.ends_with_last_user(operand),
                _ => {}
            }
        }
        if self.uses[node] > 0 {
            self.live += 1;
        }
        for index in 0..self.users[node].len() {
            let user = self.users[node][index] as usize;
            if self.operands[user].contains(&(node as u32)) {
                let relief = &mut self.relief[user];
                relief.freed += 1;
                relief.newest = when;
                self.rank(user);
            }
            if self.on_demand[node] {
                continue;
            }
            self.waits_for[user] -= 1;
            if self.waits_for[user] == 0 {
                self.ready.later.push(Reverse(user as u32));
            }
        }
    }
}

#[cfg(test)]
mod tests {
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
            freed: -i32::from(list.uses[node] > 0),
            newest: 0,
        };
        for &operand in &list.operands[node] {
            let operand = operand as usize;
            let is_last_use = list.uses[operand] == 1;
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
        let mut list = List::new(&function, body, &number, &stored_slots(&function), &leaving);
        while let Some(node) = list.choose(0) {
            for waiting in (0..body.len()).filter(|&node| !list.is_placed[node]) {
                assert_eq!(list.relief[waiting], counted(&list, waiting));
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
