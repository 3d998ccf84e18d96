//! Results of a fragment besides its outputs: kills and depths, and the current sample.

use attila_isa::{Component, ExportOp, Inst, Operand};
use attila_machine::arith::Arith;
use attila_machine::{KILL_ALL, SAMPLES};

use crate::ir::{Binary, Value};
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
            // A kill looks at the one that is selected.
            let choices = [1, 2].map(|number| self.float(inst, number, c));
            let value = self.cmp_component(inst, c, choices);
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
        self.assign(Var::depth(0), depth);
    }

    /// Depths of the current sample and of those after it. Past the last one they have no effect (machine.md 2.2).
    fn zxs(&mut self, inst: &Inst) {
        let depths = Component::ALL.map(|c| self.float(inst, 0, c));
        let current = self.get(Var::SAMPLE);
        let known = self.b.constant(current);
        for sample in 0..self.exported_samples() {
            let before = self.get(Var::depth(sample));
            let after = match known {
                Some(current) => {
                    let ahead = (sample as u32).wrapping_sub(current) as usize;
                    depths.get(ahead).copied().unwrap_or(before)
                }
                None => self.depth_of(sample, current, depths, before),
            };
            if after != before {
                self.assign(Var::depth(sample), after);
            }
        }
    }

    /// The depth of a sample, after those of the lane's current one and of three more were exported.
    fn depth_of(
        &mut self,
        sample: usize,
        current: Value,
        depths: [Value; 4],
        before: Value,
    ) -> Value {
        (0..).zip(depths).fold(before, |before, (ahead, depth)| {
            let first = self.b.i32(sample as i32 - ahead);
            let is_it = self.b.ieq(current, first);
            self.b.choose(is_it, depth, before)
        })
    }

    fn chs(&mut self) {
        let (sample, one) = (self.get(Var::SAMPLE), self.b.i32(1));
        let next = self.b.binary(Binary::Iadd, sample, one);
        self.assign(Var::SAMPLE, next);
    }
}
