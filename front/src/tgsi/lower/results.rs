//! Results that are clamped or guarded.

use std::collections::BTreeMap;

use attila_isa::{Component, Opcode, Slots};

use super::super::dialect::SaturatedNan;
use super::super::program::Guard;
use super::{Lowering, Named, Operand, Target, number, word};
use crate::back::Condition;

impl Lowering<'_> {
    /// A value clamped to 0..1. MAX and MIN give their second operand where the first is NaN.
    pub(super) fn saturated(&mut self, temp: usize, mask: Slots) -> Operand {
        let (value, zero) = (Operand::temp(temp), number(0.0));
        let operands = match self.rules.saturated_nan {
            SaturatedNan::Zero => [value, zero],
            SaturatedNan::Nan => [zero, value],
        };
        let above = self.value(mask, Opcode::Max, operands);
        let operands = match self.rules.saturated_nan {
            SaturatedNan::Zero => [above, number(1.0)],
            SaturatedNan::Nan => [number(1.0), above],
        };
        self.value(mask, Opcode::Min, operands)
    }

    /// Writes those components whose predicates hold: one instruction for each predicate.
    pub(super) fn guarded(&mut self, value: Operand, target: Target, mask: Slots, guard: Guard) {
        let mut groups: BTreeMap<usize, (Component, Slots)> = BTreeMap::new();
        for component in mask.components() {
            let predicate = guard.swizzle.source(component);
            let group = groups.entry(predicate.index());
            let (_, mask) = group.or_insert((predicate, Slots::empty()));
            *mask |= Slots::only(component);
        }
        let predicates = self.named(Named::Predicate(guard.register));
        // All conditions are read before anything is written, as that may be the predicate itself.
        let mut conditions: Vec<(Condition, Slots)> = Vec::new();
        for (component, mask) in groups.into_values() {
            let condition = self.has_bits(Operand::temp(predicates).only(component));
            let condition = match guard.negate {
                true => condition.negated(),
                false => condition,
            };
            conditions.push((condition, mask));
        }
        for (condition, mask) in conditions {
            self.put(value, target, mask, Some(condition));
        }
    }

    /// Whether slot x of a word has a bit.
    pub(super) fn has_bits(&mut self, operand: Operand) -> Condition {
        let span = self.current.span.clone();
        let operands = [operand.only(Component::X), word(0)];
        let is_zero = self.code.compare(Opcode::Stpeqi, operands, span);
        is_zero.negated()
    }

    /// Whether slot x of a number is not 0. NaN is not.
    pub(super) fn is_not_zero(&mut self, operand: Operand) -> Condition {
        let span = self.current.span.clone();
        let operands = [operand.only(Component::X), number(0.0)];
        let is_zero = self.code.compare(Opcode::Setpeq, operands, span);
        is_zero.negated()
    }
}
