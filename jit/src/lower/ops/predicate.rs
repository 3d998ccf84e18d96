//! Comparisons into predicate registers.

use attila_isa::{Component, Inst};

use crate::ir::{Binary, Builder, Value};
use crate::lower::Lower;

impl Lower<'_> {
    /// `f` of the scalar operands.
    pub(in crate::lower) fn compare(
        &mut self,
        inst: &Inst,
        f: impl Fn(&mut Builder, Value, Value) -> Value,
    ) {
        let (x, y) = (
            self.float(inst, 0, Component::W),
            self.float(inst, 1, Component::W),
        );
        let result = f(&mut self.b, x, y);
        self.write_predicate(inst, result);
    }

    /// `f` of the scalar integer operands.
    pub(in crate::lower) fn compare_integers(
        &mut self,
        inst: &Inst,
        f: impl Fn(&mut Builder, Value, Value) -> Value,
    ) {
        let (x, y) = (
            self.int(inst, 0, Component::W),
            self.int(inst, 1, Component::W),
        );
        let result = f(&mut self.b, x, y);
        self.write_predicate(inst, result);
    }

    pub(in crate::lower) fn andp(&mut self, inst: &Inst) {
        let (x, y) = (self.boolean(inst, 0), self.boolean(inst, 1));
        let result = self.b.binary(Binary::And, x, y);
        self.write_predicate(inst, result);
    }
}
