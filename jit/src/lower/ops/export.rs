//! Results of a fragment besides its outputs: kills and depths, and the current sample.

use attila_isa::{Component, ExportOp, Inst, Operand};
use attila_machine::arith::Arith;
use attila_machine::{KILL_ALL, SAMPLES};

use crate::ir::{Binary, Op, Value};
use crate::lower::{Lower, Var};

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn export_op(&mut self, op: ExportOp, inst: &Inst) {
        match op {
            ExportOp::Kil => self.kil(inst),
            ExportOp::Kls => self.kls(inst),
            ExportOp::Cmpkil => self.cmpkil(inst),
            ExportOp::Zxp => self.zxp(inst),
            ExportOp::Zxs => self.zxs(inst),
            ExportOp::Chs => self.chs(),
        }
    }

    fn kil(&mut self, inst: &Inst) {
        let negative = self.any_negative(inst);
        self.kill(negative, KILL_ALL);
    }

    /// A sample past the last one has no effect (machine.md 2.2).
    fn kls(&mut self, inst: &Inst) {
        let Operand::Sample(sample) = inst.operands[1] else {
            unreachable!("{} names a sample", inst.op)
        };
        if usize::from(sample) < SAMPLES {
            let negative = self.any_negative(inst);
            self.kill(negative, 1 << sample);
        }
    }

    /// CMP, then kills where a written component was negative before saturation.
    fn cmpkil(&mut self, inst: &Inst) {
        let mut kill = self.b.mask(false);
        let zero = self.b.f32(0.0);
        for c in inst.written().components() {
            let value = self.cmp_component(inst, c);
            let negative = self.b.lt(value, zero);
            kill = self.b.either(kill, negative);
        }
        self.cmp(inst);
        self.kill(kill, KILL_ALL);
    }

    fn any_negative(&mut self, inst: &Inst) -> Value {
        let zero = self.b.f32(0.0);
        let mut any = self.b.mask(false);
        for c in Component::ALL {
            let value = self.float(inst, 0, c);
            let negative = self.b.lt(value, zero);
            any = self.b.either(any, negative);
        }
        any
    }

    fn kill(&mut self, lanes: Value, samples: u32) {
        let lanes = self.b.both(lanes, self.guard);
        let lanes = self.b.as_i32(lanes);
        let samples = self.b.i32(samples.cast_signed());
        let more = self.b.iand(lanes, samples);
        let killed = self.get(Var::KILL);
        let killed = self.b.ior(killed, more);
        self.state.set(Var::KILL, killed);
    }

    fn zxp(&mut self, inst: &Inst) {
        let depth = self.float(inst, 0, Component::X);
        let (sample, mask) = (self.b.i32(0), self.effective());
        self.b.push(Op::Export, [sample, depth, mask]);
    }

    fn zxs(&mut self, inst: &Inst) {
        let mask = self.effective();
        let current = self.get(Var::SAMPLE);
        for c in Component::ALL {
            let depth = self.float(inst, 0, c);
            let ahead = self.b.i32(c as i32);
            let sample = self.b.iadd(current, ahead);
            self.b.push(Op::Export, [sample, depth, mask]);
        }
    }

    fn chs(&mut self) {
        let (sample, one) = (self.get(Var::SAMPLE), self.b.i32(1));
        let next = self.b.binary(Binary::Iadd, sample, one);
        self.assign(Var::SAMPLE, next);
    }
}
