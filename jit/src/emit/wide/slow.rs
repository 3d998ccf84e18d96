//! Slow paths of approximations, out of the way of the rest.

use attila_machine::arith::SlowPath;
use iced_x86::Code;

use super::calls::{Call, Operands};
use super::forms::{Form, Width};
use super::mir::{Arg, Inst, Split, Vreg};
use super::values::Emission;
use crate::ir::Value;
use crate::runtime::{Entry, slow_site};

impl Emission<'_> {
    /// Per lane `mask ? path(x) : fast`, the call being skipped if no lane needs it.
    pub(super) fn slow_path(
        &mut self,
        path: SlowPath,
        [mask, x, fast]: [Value; 3],
        copy: usize,
    ) -> Vreg {
        let [mask, x, fast] = [mask, x, fast].map(|value| self.value(value, copy));
        let (result, lanes) = (self.vector(), self.vector());
        self.test(mask);
        let mut pins = vec![Arg::Tied(result, fast), Arg::Use(mask), Arg::Use(x)];
        let mut cold = vec![self.store_together(0, result), self.store_together(2, x)];
        match self.width {
            Width::V256 => cold.push(self.store_together(1, mask)),
            Width::V512 => {
                pins.push(Arg::DefEarly(lanes));
                let args = [Arg::Def(lanes), Arg::Use(mask)];
                cold.push(Inst::op(Code::EVEX_Vpmovm2d_zmm_kr, &args));
                cold.push(self.store_together(1, lanes));
            }
        }
        let call = Call {
            entry: Entry::Slow,
            site: slow_site(path),
            memory: None,
        };
        cold.extend(self.call(&call, Operands::Together));
        let answer = [Arg::Def(result), Arg::Mem(self.together(0))];
        cold.push(Inst::op(Form::Movaps.code(self.width), &answer));
        self.insts.push(Inst::Split(Box::new(Split {
            code: Code::Jne_rel32_64,
            pins: pins.into(),
            hot: Vec::new(),
            cold,
        })));
        result
    }

    fn store_together(&self, place: usize, vector: Vreg) -> Inst {
        let args = [Arg::Mem(self.together(place)), Arg::Use(vector)];
        Inst::op(Form::MovapsTo.code(self.width), &args)
    }

    /// Flags: "not equal" if any lane of a mask is set.
    pub(super) fn test(&mut self, mask: Vreg) {
        self.form(Form::Test, &[Arg::Use(mask), Arg::Use(mask)]);
    }
}
