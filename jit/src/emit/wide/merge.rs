//! Results that only the lanes of a mask need: the instruction that makes them writes under the mask.
//!
//! ```text
//! s = fadd a, b             s: vaddps x, a, b            s is part of the choice
//! r = select m, s, old      r: vblendmps r{m}, old, x    r: vaddps old{m}, a, b
//! ```
//!
//! With 512 bits, one instruction takes the place of two wherever nobody else wants the sum. The old value's
//! register becomes the result's: if it is used again, a copy is made, which takes no unit of the processor.

use rustc_hash::FxHashSet;

use super::covered::CoveredStores;
use super::forms::{Gives, Width};
use super::mir::{Arg, Inst, Under, Vreg};
use super::values::Emission;
use crate::ir::{Function, Op, Type, Value};

impl Emission<'_> {
    /// Per lane `mask ? value : old`, or zero for no old one, the value's instruction doing the choice.
    pub(super) fn merge(
        &mut self,
        mask: Vreg,
        value: Value,
        old: Option<Vreg>,
        copy: usize,
    ) -> Vreg {
        self.selected(value, copy);
        let Some(Inst::Op { code, mut args, .. }) = self.insts.pop() else {
            unreachable!("its last instruction makes it");
        };
        let result = self.vector();
        args[0] = old.map_or(Arg::Def(result), |old| Arg::Tied(result, old));
        let under = old.map_or(Under::Zeroing(mask), |_| Under::Mask(mask));
        self.insts.push(Inst::Op { code, args, under });
        result
    }
}

/// The values that become a part of the choice that uses them: nothing else does, and it is in the same block.
#[derive(Default)]
pub(super) struct Merged(FxHashSet<Value>);

impl Merged {
    pub(super) fn new(
        function: &Function,
        width: Width,
        (uses, covered): (&[u32], &CoveredStores),
    ) -> Merged {
        let mut merged = Merged::default();
        if !width.has_masks() {
            return merged;
        }
        let mut computed = FxHashSet::default();
        for block in &function.blocks {
            computed.clear();
            for &value in &block.body {
                let node = function.node(value);
                if node.op == Op::Select && !covered.makes_needless(value) {
                    let then = node.operands[1];
                    let is_words = matches!(node.ty, Type::F32 | Type::I32);
                    if is_words && uses[then.0 as usize] == 1 && computed.contains(&then) {
                        merged.0.insert(then);
                    }
                } else if node
                    .op
                    .form()
                    .is_some_and(|form| form.gives() == Gives::Words)
                {
                    computed.insert(value);
                }
            }
        }
        merged
    }

    pub(super) fn contains(&self, value: Value) -> bool {
        self.0.contains(&value)
    }
}

/// How often each value is used.
pub(super) fn uses(function: &Function) -> Vec<u32> {
    let mut uses = vec![0; function.nodes.len()];
    for block in &function.blocks {
        let operands = block.body.iter().map(|&value| function.node(value));
        let operands = operands.flat_map(|node| node.operands.iter().copied());
        for value in operands.chain(block.end.values()) {
            uses[value.0 as usize] += 1;
        }
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse;

    fn merged_at(width: Width, lines: &str) -> usize {
        let text = format!(
            "uniform:\n  zero: f32 = const 0.0\nblock0:\n  x: f32 = load i0.x\n  y: f32 = load i0.y\n  \
             m: mask = flt x, y\n  s: f32 = fadd x, y\n  {lines}\n  done\n"
        );
        let function = parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let covered = CoveredStores::default();
        Merged::new(&function, width, (&uses(&function), &covered))
            .0
            .len()
    }

    #[test]
    fn only_what_a_single_choice_uses_becomes_a_part_of_it() {
        let chosen = "r: f32 = select m, s, x\n  store o0.x, r";
        assert_eq!(merged_at(Width::V512, chosen), 1);
        assert_eq!(merged_at(Width::V256, chosen), 0, "masks are vectors");
        let or_zero = "r: f32 = select m, s, zero\n  store o0.x, r";
        assert_eq!(merged_at(Width::V512, or_zero), 1);
        let other = "r: f32 = select m, x, s\n  store o0.x, r";
        assert_eq!(merged_at(Width::V512, other), 0, "of the other lanes");
        let twice = "r: f32 = select m, s, s\n  store o0.x, r";
        assert_eq!(merged_at(Width::V512, twice), 0);
        let stored = "r: f32 = select m, s, x\n  store o0.x, r\n  store o0.y, s";
        assert_eq!(merged_at(Width::V512, stored), 0);
        let later = "jump block1\nblock1:\n  r: f32 = select m, s, x\n  store o0.x, r";
        assert_eq!(merged_at(Width::V512, later), 0, "it may be in a loop");
    }
}
