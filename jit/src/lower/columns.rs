//! Inputs from columns, and results to them.

use attila_isa::Component;
use attila_machine::KILL_ALL;
use attila_machine::arith::Arith;

use super::{Lower, Var};
use crate::abi::{Column, ColumnShape};
use crate::ir::{Op, Value};

impl Lower<'_> {
    /// A component of an input. One that is not given is 0.
    pub(super) fn column_input(
        &mut self,
        shape: &ColumnShape,
        register: usize,
        component: Component,
    ) -> Value {
        let Some((column, word)) = shape.input(register, component) else {
            return self.b.f32(0.0);
        };
        let whole = self.b.push(Op::LoadColumn(column), []);
        self.b.extract(whole, word)
    }

    /// Stores the results of elements. Those that were killed keep the numbers that are there.
    pub(super) fn finish_columns(&mut self, shape: &ColumnShape) {
        let killed = self.program.usage().kills.then(|| {
            let (kill, all) = (self.get(Var::KILL), self.b.i32(KILL_ALL.cast_signed()));
            self.b.ieq(kill, all)
        });
        for (column, register, first) in shape.outputs() {
            let components = first..first + usize::from(column.words);
            let results = components.map(|component| self.get(Var::output(register, component)));
            let mut results: Vec<Value> = results.collect();
            if let Some(killed) = killed {
                self.keep_killed(column, killed, &mut results);
            }
            self.b.push(Op::StoreColumn(column), results.as_slice());
        }
        if shape.tells_killed {
            let kill = self.get(Var::KILL);
            let kill = self.b.as_f32(kill);
            self.b.push(Op::StoreColumn(shape.killed()), [kill]);
        }
    }

    fn keep_killed(&mut self, column: Column, killed: Value, results: &mut [Value]) {
        let whole = self.b.push(Op::LoadColumn(column), []);
        for (word, result) in (0..).zip(results) {
            let before = self.b.extract(whole, word);
            *result = self.b.choose(killed, before, *result);
        }
    }
}
