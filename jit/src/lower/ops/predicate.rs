//! Comparisons into predicate registers.

use attila_isa::{Component, Inst, PredicateOp};
use attila_machine::arith::Arith;

use crate::ir::{Binary, Builder, Value};
use crate::lower::Lower;

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn predicate_op(&mut self, op: PredicateOp, inst: &Inst) {
        match op {
            PredicateOp::Setpeq => self.compare(inst, |b, x, y| b.eq(x, y)),
            PredicateOp::Setpgt => self.compare(inst, |b, x, y| b.lt(y, x)),
            PredicateOp::Setplt => self.compare(inst, |b, x, y| b.lt(x, y)),
            PredicateOp::Stpeqi => self.compare_integers(inst, |b, x, y| b.ieq(x, y)),
            PredicateOp::Stpgti => self.compare_integers(inst, |b, x, y| b.ilt(y, x)),
            PredicateOp::Stplti => self.compare_integers(inst, |b, x, y| b.ilt(x, y)),
            PredicateOp::Andp => self.andp(inst),
        }
    }

    /// `f` of the scalar operands.
    fn compare(&mut self, inst: &Inst, f: impl Fn(&mut Builder, Value, Value) -> Value) {
        let (x, y) = (
            self.float(inst, 0, Component::W),
            self.float(inst, 1, Component::W),
        );
        let result = f(&mut self.b, x, y);
        self.write_predicate(inst, result);
    }

    /// `f` of the scalar integer operands.
    fn compare_integers(&mut self, inst: &Inst, f: impl Fn(&mut Builder, Value, Value) -> Value) {
        let (x, y) = (
            self.int(inst, 0, Component::W),
            self.int(inst, 1, Component::W),
        );
        let result = f(&mut self.b, x, y);
        self.write_predicate(inst, result);
    }

    fn andp(&mut self, inst: &Inst) {
        let (x, y) = (self.boolean(inst, 0), self.boolean(inst, 1));
        let result = self.b.binary(Binary::And, x, y);
        self.write_predicate(inst, result);
    }
}
