//! The order of operations in an iteration that has several copies of the code, each for other quads.
//!
//! ```text
//! X: a blend of texels    a, b, c: other operations    0, 1, 2: the copies
//!
//! elsewhere             a0 a1 a2   b0 b1 b2             copies take turns with every operation
//! before a blend        a0 b0 c0   a1 a2   b1 b2   c1 c2    the first copy is ahead of the others
//! from blend to blend   X0 a0 b0   X1 a1 b1   X2 a2 b2     a copy goes on behind its blend
//! ```
//!
//! Copies take turns so that no operation waits for the result just before it. A blend does not wait: its loads, shuffles and
//! products keep the processor busy on their own. What leads from one blend to the next does, as each operation needs the one
//! before; it runs beside the blends of the other copies, so that the next lookup can begin as soon as they have ended.
//!
//! Three lookups, each of which needs the one before, take 0.86 to 0.92 of their time for the last order, the lookups of a
//! sharpening filter 0.9. One takes 0.95 to 0.98 because the first blend comes sooner. (`attila bench`, AMD EPYC, family 26,
//! model 2.)

use std::ops::Range;

use super::clusters::{Clusters, Turns};
use super::measured::{LEAD, LONGEST};
use crate::ir::{Function, Op, Value};

/// A step of the selection, for one copy.
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
    let all = order.turns.len();
    if copies == 1 {
        order.compute(0..all, 0);
        return order.steps;
    }
    let mut done = 0;
    while done < all {
        let blend = order.blend_from(done);
        order.before_blend(done..blend);
        done = order.lookups(blend);
    }
    order.steps
}

struct Order<'a> {
    function: &'a Function,
    copies: usize,
    turns: Turns,
    steps: Vec<Step>,
}

impl Order<'_> {
    fn op(&self, turn: usize) -> Op {
        self.function.node(self.turns.node(turn)).op
    }

    /// The next blend, or the end of all turns.
    fn blend_from(&self, turn: usize) -> usize {
        let all = self.turns.len();
        let mut turns = turn..all;
        turns.find(|&turn| self.op(turn).is_blend()).unwrap_or(all)
    }

    /// The blend that follows another, if what is between them is short and nobody sees it.
    fn next_lookup(&self, blend: usize) -> Option<usize> {
        let next = self.blend_from(blend + 1);
        let mut between = blend + 1..next;
        let is_near = next < self.turns.len() && between.len() <= LONGEST;
        (is_near && !between.any(|turn| self.op(turn).has_effect())).then_some(next)
    }

    /// Copies take turns, and before a blend the first copy is ahead in the end.
    fn before_blend(&mut self, turns: Range<usize>) {
        let lead = if turns.end == self.turns.len() {
            turns.end
        } else {
            let most = turns.end.saturating_sub(LEAD).max(turns.start);
            let mut last = (most..turns.end).rev();
            let seen = last.find(|&turn| self.op(turn).has_effect());
            seen.map_or(most, |turn| turn + 1)
        };
        self.in_turns(turns.start..lead, 0..self.copies);
        self.compute(lead..turns.end, 0);
        self.in_turns(lead..turns.end, 1..self.copies);
    }

    /// Lookups that follow each other, from a blend on; where they end.
    fn lookups(&mut self, mut blend: usize) -> usize {
        if blend == self.turns.len() {
            return blend;
        }
        // The first copy of what others are added to has no other blend before it.
        self.look_ahead(blend, 0, |op| matches!(op, Op::BlendOnto(..)));
        for copy in 1..self.copies {
            self.look_ahead(blend, copy, |_| true);
        }
        while let Some(next) = self.next_lookup(blend) {
            for copy in 0..self.copies {
                self.compute(blend..next, copy);
                self.look_ahead(next, copy, |_| true);
            }
            blend = next;
        }
        self.in_turns(blend..blend + 1, 0..self.copies);
        blend + 1
    }

    /// Copies take turns.
    fn in_turns(&mut self, turns: Range<usize>, copies: Range<usize>) {
        for turn in turns {
            for copy in copies.clone() {
                self.compute(turn..turn + 1, copy);
            }
        }
    }

    fn compute(&mut self, turns: Range<usize>, copy: usize) {
        let nodes = self.turns.nodes_of(turns).iter();
        let steps = nodes.map(|&node| Step::Operation(node, copy));
        self.steps.extend(steps);
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

    /// So many operations.
    fn some(count: usize) -> String {
        let line = |n: usize| format!("  b{n}: f32 = fadd w, w\n");
        (0..count).map(line).collect()
    }

    #[test]
    fn copies_take_turns_without_blends_and_with_one() {
        assert_eq!(
            steps("  b: f32 = fadd w, w\n  store o0.x, b\n"),
            "a0 a1 w0 w1 b0 b1 store0 store1"
        );
        let one = blend('X', 'a') + "  b: f32 = fadd w, w\n";
        assert_eq!(steps(&one), "a0 w0 a1 w1 [X1] X0 X1 x0 x1 b0 b1");
    }

    #[test]
    fn a_copy_goes_on_from_one_blend_to_the_next() {
        let between = "  b: i32 = iadd a, a\n";
        let two = blend('X', 'a') + between + &blend('Y', 'b') + "  c: f32 = fadd w, w\n";
        assert_eq!(
            steps(&two),
            "a0 w0 a1 w1 [X1] X0 x0 b0 [Y0] X1 x1 b1 [Y1] Y0 Y1 y0 y1 c0 c1"
        );
        let three = blend('X', 'a') + &blend('Y', 'a') + &blend('Z', 'a');
        assert_eq!(
            steps(&three),
            "a0 w0 a1 w1 [X1] X0 x0 [Y0] X1 x1 [Y1] Y0 y0 [Z0] Y1 y1 [Z1] Z0 Z1 z0 z1"
        );
    }

    #[test]
    fn copies_take_turns_where_much_lies_between_blends() {
        let far = blend('X', 'a') + &some(LONGEST) + &blend('Y', 'a');
        let far = steps(&far);
        assert!(far.contains(" X0 X1 x0 x1 b00 b01 b10 b11 "), "{far}");
        assert!(far.ends_with(" [Y1] Y0 Y1 y0 y1"), "{far}");
    }

    #[test]
    fn the_first_copy_is_ahead_by_the_last_operations() {
        let steps = steps(&(some(LEAD) + &blend('X', 'a')));
        assert!(steps.starts_with("a0 a1 w0 w1 b00 b10 b20 "), "{steps}");
    }

    #[test]
    fn what_others_see_is_done_in_turns() {
        let after = blend('X', 'a') + "  store o0.x, w\n  b: f32 = fadd w, w\n" + &blend('Y', 'a');
        assert_eq!(
            steps(&after),
            "a0 w0 a1 w1 [X1] X0 X1 x0 x1 store0 store1 b0 b1 [Y1] Y0 Y1 y0 y1"
        );
    }
}
