//! Operations on floats whose form depends on the dialect, or that take several instructions.

use attila_isa::{Component, Opcode};

use super::super::dialect::{Extremes, Halves, Mix, SquareRoot};
use super::{Lowering, Operand, number};

/// The limits of RCC, as the document has them.
const LEAST: f32 = 5.42101e-20;
const GREATEST: f32 = 1.884467e19;

impl Lowering<'_> {
    pub(super) fn sub(&mut self, [a, b]: [Operand; 2]) {
        self.finish(Opcode::Add, [a, b.negated()]);
    }

    pub(super) fn abs(&mut self, [a]: [Operand; 1]) {
        self.finish(Opcode::Mov, [a.absolute()]);
    }

    pub(super) fn min(&mut self, operands: [Operand; 2]) {
        let op = match self.rules.extremes {
            Extremes::Second => Opcode::Min,
            Extremes::Number => Opcode::Minn,
        };
        self.finish(op, operands);
    }

    pub(super) fn max(&mut self, operands: [Operand; 2]) {
        let op = match self.rules.extremes {
            Extremes::Second => Opcode::Max,
            Extremes::Number => Opcode::Maxn,
        };
        self.finish(op, operands);
    }

    pub(super) fn round(&mut self, [a]: [Operand; 1]) {
        match self.rules.round {
            Halves::Even => self.finish(Opcode::Round, [a]),
            Halves::Up => {
                let raised = self.part(Opcode::Add, [a, number(0.5)]);
                self.finish(Opcode::Flr, [raised]);
            }
        }
    }

    /// The lower limit wins where it is above the upper one. NaN stays.
    pub(super) fn clamp(&mut self, [a, low, high]: [Operand; 3]) {
        let below = self.part(Opcode::Min, [high, a]);
        let is_low = self.part(Opcode::Fslt, [a, low]);
        self.finish(Opcode::Sel, [is_low, low, below]);
    }

    /// The first where the third is above 0.5: 0.5 minus that is below 0.
    pub(super) fn condition(&mut self, [a, b, c]: [Operand; 3]) {
        let rest = self.part(Opcode::Add, [c.negated(), number(0.5)]);
        self.finish(Opcode::Cmp, [rest, a, b]);
    }

    pub(super) fn mix(&mut self, [a, b, c]: [Operand; 3]) {
        match self.rules.mix {
            Mix::Weighted => {
                let rest = self.part(Opcode::Add, [a.negated(), number(1.0)]);
                let rest = self.part(Opcode::Mul, [rest, c]);
                self.finish(Opcode::Mad, [a, b, rest]);
            }
            Mix::Difference => {
                let difference = self.part(Opcode::Add, [b, c.negated()]);
                self.finish(Opcode::Mad, [a, difference, c]);
            }
        }
    }

    /// SFL and STR: their sources do not matter.
    pub(super) fn always(&mut self, value: f32) {
        self.finish(Opcode::Mov, [number(value)]);
    }

    /// The opcode that computes 1 / sqrt(a).
    pub(super) fn root_opcode(&self) -> Opcode {
        match self.rules.rsq {
            SquareRoot::Absolute => Opcode::Rsq,
            SquareRoot::Signed => Opcode::Rsqt,
        }
    }

    pub(super) fn reciprocal_root(&mut self, [a]: [Operand; 1]) {
        let op = self.root_opcode();
        self.finish(op, [a.only(Component::X)]);
    }

    /// The reciprocal, clamped on its own side of 0. NaN stays, as CLAMP keeps it: MAX and MIN give their second
    /// operand.
    pub(super) fn clamped_reciprocal(&mut self, [a]: [Operand; 1]) {
        let value = self.scalar(Opcode::Rcp, [a.only(Component::X)]);
        let above = self.scalar(Opcode::Max, [number(LEAST), value]);
        let above = self.scalar(Opcode::Min, [number(GREATEST), above]);
        let below = self.scalar(Opcode::Max, [number(-GREATEST), value]);
        let below = self.scalar(Opcode::Min, [number(-LEAST), below]);
        self.finish(Opcode::Cmp, [value.negated(), above, below]);
    }

    /// `a.x*b.x + a.y*b.y` in slot x of a temporary.
    pub(super) fn dot2(&mut self, a: Operand, b: Operand) -> Operand {
        let first = self.scalar(Opcode::Mul, [a.only(Component::X), b.only(Component::X)]);
        let second = [a.only(Component::Y), b.only(Component::Y)];
        let second = self.scalar(Opcode::Mul, second);
        self.scalar(Opcode::Add, [first, second])
    }

    pub(super) fn dp2(&mut self, [a, b]: [Operand; 2]) {
        let sum = self.dot2(a, b);
        self.finish(Opcode::Mov, [sum]);
    }

    pub(super) fn dp2a(&mut self, [a, b, c]: [Operand; 3]) {
        let sum = self.dot2(a, b);
        self.finish(Opcode::Add, [sum, c.only(Component::X)]);
    }
}
