//! The order in which copies compute their operations.
//!
//! ```text
//! without lookups       a0 a1 a2   b0 b1 b2              copies take turns with every operation
//! up to a blend         w0 X0   w1 X1   w2 X2            with a blend, and what it alone needs
//! from blend to blend   X0 b0   X1 b1 Y0   X2 b2 Y1   Y2     each copy is a blend behind the one before it
//! ```
//!
//! When copies take turns, none waits for its own results. A blend is long enough on its own: loads, shuffles, products. What
//! leads from one lookup to the next is arithmetic that waits for itself; done early, between blends of other copies, it
//! takes no time of its own. Two lookups take 0.96 of their time for it, three 0.90, each of which needs the one
//! before (AMD EPYC, family 26, model 2). In the order X0 b0 Y0, X1 b1 Y1, or with Y0 before X1, they take more than in turns.
//! Before the first blend and behind the last, copies take turns: a filter between levels, which computes them before its
//! first blend, took 1.4 times as long without.

use std::ops::Range;

use super::clusters::Clusters;
use crate::ir::{Effect, Function, Op, Value};

/// What is selected next, for which copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// An operation.
    Operation(Value, usize),
    /// The places of a blend's texels, before its turn has come.
    LookAhead(Value, usize),
}

/// The steps of a function's block.
pub(super) fn order(function: &Function, body: &[Value], copies: usize) -> Vec<Step> {
    let mut order = Order {
        function,
        copies,
        turns: Clusters::of(function, body, copies).turns(body),
        steps: Vec::with_capacity(body.len() * copies),
    };
    let last = order.turns.len();
    let staggered = if copies > 1 {
        order.between_blends()
    } else {
        last..last
    };
    order.in_turns(0..staggered.start);
    order.staggered(staggered.clone());
    order.in_turns(staggered.end..last);
    order.steps
}

/// Nodes that a copy computes in one go, turn after turn.
pub(super) struct Turns {
    values: Vec<Value>,
    /// Where each turn begins, and the last ends.
    starts: Vec<usize>,
}

impl Turns {
    /// None yet, with room for so many nodes.
    pub(super) fn with_room(nodes: usize) -> Turns {
        let mut starts = Vec::with_capacity(nodes + 1);
        starts.push(0);
        Turns {
            values: Vec::with_capacity(nodes),
            starts,
        }
    }

    /// Adds the turn of a node, which comes last in it.
    pub(super) fn add(&mut self, before: &[Value], node: Value) {
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
    pub(super) fn nodes(&self) -> usize {
        self.values.len()
    }

    /// The nodes of some turns.
    fn nodes_of(&self, turns: Range<usize>) -> &[Value] {
        &self.values[self.starts[turns.start]..self.starts[turns.end]]
    }

    /// The node that a turn is for.
    fn node(&self, turn: usize) -> Value {
        self.values[self.starts[turn + 1] - 1]
    }
}

struct Order<'a> {
    function: &'a Function,
    copies: usize,
    turns: Turns,
    steps: Vec<Step>,
}

impl Order<'_> {
    fn op(&self, value: Value) -> Op {
        self.function.node(value).op
    }

    /// The turns from the first blend to the last, if there are two before anything is done that others see.
    fn between_blends(&self) -> Range<usize> {
        let ops = (0..self.turns.len()).map(|turn| self.op(self.turns.node(turn)));
        let mut blends = ops
            .take_while(is_silent)
            .enumerate()
            .filter(|(_, op)| op.is_blend());
        let first = blends.next().map(|(turn, _)| turn);
        let last = blends.last().map(|(turn, _)| turn);
        match (first, last) {
            (Some(first), Some(last)) => first..last + 1,
            (_, _) => self.turns.len()..self.turns.len(),
        }
    }

    /// Copies take turns.
    fn in_turns(&mut self, turns: Range<usize>) {
        for turn in turns {
            self.look_ahead_of_all(turn);
            for copy in 0..self.copies {
                self.compute(turn..turn + 1, copy);
            }
        }
    }

    /// Each copy is a blend behind the one before it.
    fn staggered(&mut self, turns: Range<usize>) {
        let is_blend = |&turn: &usize| self.op(self.turns.node(turn)).is_blend();
        let mut starts: Vec<usize> = turns.clone().filter(is_blend).collect();
        let Some(&first) = starts.first() else {
            return;
        };
        let stages = starts.len();
        starts.push(turns.end);
        self.look_ahead_of_all(first);
        for step in 0..stages + self.copies - 1 {
            for copy in (0..self.copies).rev() {
                let Some(stage) = step.checked_sub(copy).filter(|&stage| stage < stages) else {
                    continue;
                };
                self.compute(starts[stage]..starts[stage + 1], copy);
                if stage + 1 < stages {
                    self.look_ahead(starts[stage + 1], copy, |_| true);
                }
            }
        }
    }

    fn compute(&mut self, turns: Range<usize>, copy: usize) {
        let nodes = self.turns.nodes_of(turns).iter();
        let steps = nodes.map(|&node| Step::Operation(node, copy));
        self.steps.extend(steps);
    }

    /// Looks ahead for all copies that have another blend before them.
    fn look_ahead_of_all(&mut self, turn: usize) {
        if self.copies == 1 {
            return;
        }
        // The first copy of what others are added to has none before it.
        self.look_ahead(turn, 0, |op| matches!(op, Op::BlendOnto(..)));
        for copy in 1..self.copies {
            self.look_ahead(turn, copy, |_| true);
        }
    }

    /// Looks ahead for the blends of a turn.
    fn look_ahead(&mut self, turn: usize, copy: usize, wants: impl Fn(&Op) -> bool) {
        let function = self.function;
        let nodes = self.turns.nodes_of(turn..turn + 1).iter();
        let blends = nodes.filter(|&&node| {
            let op = function.node(node).op;
            op.is_blend() && wants(&op)
        });
        self.steps
            .extend(blends.map(|&blend| Step::LookAhead(blend, copy)));
    }
}

/// Whether nobody sees an operation, or when it is done.
fn is_silent(op: &Op) -> bool {
    match op.row().effect {
        Effect::Pure | Effect::ReadsSpan | Effect::ReadsQuad => true,
        Effect::Writes | Effect::Keeps | Effect::Own | Effect::Asks | Effect::Tells => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse;

    /// The steps of two copies, each as a name and a copy; what is looked ahead in brackets. X, Y and Z are blends.
    fn steps(lines: &str) -> String {
        let text = format!(
            "uniform:\n  p: i32 = const 4\nblock0:\n  a: i32 = load i0.x\n  w: f32 = load i0.y\n{lines}  done\n"
        );
        let function = parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let name = |line: &str| line.trim().split([' ', ':']).next().map(str::to_owned);
        let names: Vec<String> = text
            .lines()
            .filter(|line| line.starts_with("  "))
            .filter_map(name)
            .collect();
        let steps = order(&function, &function.blocks[0].body, 2).into_iter();
        let steps = steps.map(|step| match step {
            Step::Operation(value, copy) => format!("{}{copy}", names[value.0 as usize]),
            Step::LookAhead(value, copy) => format!("[{}{copy}]", names[value.0 as usize]),
        });
        let steps: Vec<String> = steps.collect();
        steps.join(" ")
    }

    /// A blend of this name at `first`, and its first pixel, in lower case.
    fn blend(name: char, first: char) -> String {
        let pixel = name.to_ascii_lowercase();
        format!(
            "  {name} = blend 0, rgba32f, each, {first}, p, w, w, w, w\n  {pixel}: pixel = extract 0, {name}\n"
        )
    }

    #[test]
    fn copies_take_turns_without_blends_and_with_one() {
        assert_eq!(
            steps("  b: f32 = fadd w, w\n  store o0.x, b\n"),
            "a0 a1 w0 w1 b0 b1 store0 store1"
        );
        let one = blend('X', 'a') + "  b: f32 = fadd w, w\n";
        assert_eq!(steps(&one), "a0 a1 w0 w1 [X1] X0 X1 x0 x1 b0 b1");
    }

    #[test]
    fn a_copy_is_a_blend_behind_the_one_before_it() {
        let between = "  b: i32 = iadd a, a\n";
        let two = blend('X', 'a') + between + &blend('Y', 'b') + "  c: f32 = fadd w, w\n";
        assert_eq!(
            steps(&two),
            "a0 a1 w0 w1 [X1] X0 x0 b0 [Y0] X1 x1 b1 [Y1] Y0 Y1 y0 y1 c0 c1"
        );
        let three = blend('X', 'a') + &blend('Y', 'a') + &blend('Z', 'a');
        assert_eq!(
            steps(&three),
            "a0 a1 w0 w1 [X1] X0 x0 [Y0] X1 x1 [Y1] Y0 y0 [Z0] Y1 y1 [Z1] Z0 Z1 z0 z1"
        );
    }

    #[test]
    fn what_others_see_is_done_in_turns() {
        let after = blend('X', 'a') + "  store o0.x, w\n" + &blend('Y', 'a');
        assert_eq!(
            steps(&after),
            "a0 a1 w0 w1 [X1] X0 X1 x0 x1 store0 store1 [Y1] Y0 Y1 y0 y1"
        );
    }
}
