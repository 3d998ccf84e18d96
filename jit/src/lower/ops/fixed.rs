//! The fixed-point accumulator, which lives in memory: its values have 65 bits.

use attila_isa::{FixedOp, Inst};

use crate::ir::Op;
use crate::lower::Lower;

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn fixed_op(&mut self, op: FixedOp, inst: &Inst) {
        match op {
            FixedOp::Fxmul => self.fxmul(inst),
            FixedOp::Fxmad => self.fxmad(inst),
            FixedOp::Fxmad2 => self.fxmad2(inst),
        }
    }

    fn fxmul(&mut self, inst: &Inst) {
        let mask = self.effective();
        for c in inst.written().components() {
            let (a, b) = (self.float(inst, 0, c), self.float(inst, 1, c));
            self.b.push(Op::FixedMul(c), [a, b, mask]);
        }
    }

    fn fxmad(&mut self, inst: &Inst) {
        self.write(inst, |l, c| {
            let (a, b) = (l.float(inst, 0, c), l.float(inst, 1, c));
            l.b.push(Op::FixedResult(c), [a, b])
        });
    }

    fn fxmad2(&mut self, inst: &Inst) {
        let mask = self.effective();
        for component in inst.written().components() {
            let (a, b) = (
                self.float(inst, 0, component),
                self.float(inst, 1, component),
            );
            let c = self.float(inst, 2, component);
            self.b.push(Op::FixedMulAdd(component), [a, b, c, mask]);
        }
    }
}
