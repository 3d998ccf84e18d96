//! Queries for the samples of the pixels, and inputs at other places than the pixels' centres.

use attila_isa::{Component, Inst, Operand, SamplesOp, Src};
use attila_machine::arith::Arith;

use super::bits::lowest;
use crate::abi::Slot;
use crate::ir::{Binary, Op, Value};
use crate::lower::samples::PixelSamples;
use crate::lower::{Domain, Lower};

use Component::{W, X, Y, Z};

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn samples_op(&mut self, op: SamplesOp, inst: &Inst) {
        match op {
            SamplesOp::PixldCount => {
                let count = self.pixel_samples().count;
                self.write(inst, |_, _| count);
            }
            SamplesOp::PixldMask => {
                let samples = self.pixel_samples();
                let (mask, _) = self.coverage(&samples);
                self.write(inst, |_, _| mask);
            }
            SamplesOp::PixldCovered => self.covered(inst),
            SamplesOp::PixldOffset => {
                let index = self.sample_index(inst);
                let offset = self.position_or_centre(index);
                self.write(inst, |_, _| offset);
            }
            SamplesOp::PixldCentroid => {
                let offset = self.centroid();
                self.write(inst, |_, _| offset);
            }
            SamplesOp::PixldIndex => self.own_index(inst),
            SamplesOp::Evalo => {
                let offset = self.int(inst, 1, W);
                self.evaluate(inst, offset);
            }
            SamplesOp::Evalc => {
                let offset = self.centroid();
                self.evaluate(inst, offset);
            }
            SamplesOp::Evals => {
                let index = self.int(inst, 1, W);
                let offset = self.position_or_centre(index);
                self.evaluate(inst, offset);
            }
        }
    }

    /// The covered samples of the pixel, and all of its samples, as sets.
    fn coverage(&mut self, samples: &PixelSamples) -> (Value, Value) {
        let count = self.placed_samples(samples);
        let one = self.b.i32(1);
        let beyond = self.b.binary(Binary::LeftBy, one, count);
        let all = self.b.isub(beyond, one);
        (self.b.iand(samples.coverage, all), all)
    }

    /// The number of the sample that an instruction names, of eight bits: with a sign if it is added to a
    /// register.
    fn sample_index(&mut self, inst: &Inst) -> Value {
        let Operand::Number(number) = inst.operands[1] else {
            unreachable!("{} has a number", inst.op)
        };
        if inst.operands[0] == Operand::None {
            return self.b.i32(number.into());
        }
        let (index, added) = (self.int(inst, 0, W), number.cast_signed());
        let added = self.b.i32(added.into());
        self.b.iadd(index, added)
    }

    fn covered(&mut self, inst: &Inst) {
        let index = self.sample_index(inst);
        let samples = self.pixel_samples();
        let (mask, _) = self.coverage(&samples);
        // A shift takes the number modulo 32; coverage has no bits from 16 on.
        let (bits, one) = (self.b.i32(32), self.b.i32(1));
        let within = self.b.binary(Binary::Ult, index, bits);
        let bit = self.b.binary(Binary::RightUnsignedBy, mask, index);
        let bit = self.b.iand(bit, one);
        let is_set = self.b.ieq(bit, one);
        let covered = self.b.both(within, is_set);
        let (all, none) = (self.b.i32(-1), self.b.i32(0));
        let word = self.b.iselect(covered, all, none);
        self.write_both(inst, word, covered);
    }

    fn own_index(&mut self, inst: &Inst) {
        let zero = self.b.i32(0);
        let (index, exists) = match self.pixel_samples().own {
            Some((own, exists)) => (self.b.iselect(exists, own, zero), exists),
            None => (zero, self.b.mask(false)),
        };
        self.write_both(inst, index, exists);
    }

    /// Writes an integer, and a truth value if the instruction names a predicate.
    fn write_both(&mut self, inst: &Inst, word: Value, truth: Value) {
        self.write(inst, |_, _| word);
        if inst.dst.pred.is_some() {
            self.write_predicate(inst, truth);
        }
    }

    /// The packed position of a sample; the centre where there is no such sample.
    fn position_or_centre(&mut self, index: Value) -> Value {
        let samples = self.pixel_samples();
        let count = self.placed_samples(&samples);
        let exists = self.b.binary(Binary::Ult, index, count);
        let (position, centre) = (self.position_of(&samples, index), self.b.i32(0));
        self.b.iselect(exists, position, centre)
    }

    /// The packed position of the lowest covered sample; the centre where all or none are covered.
    fn centroid(&mut self) -> Value {
        let samples = self.pixel_samples();
        let (mask, all) = self.coverage(&samples);
        let centre = self.b.i32(0);
        let (is_full, is_empty) = (self.b.ieq(mask, all), self.b.ieq(mask, centre));
        let is_central = self.b.either(is_full, is_empty);
        let first = lowest(&mut self.b, mask);
        let position = self.position_of(&samples, first);
        self.b.iselect(is_central, centre, position)
    }

    /// Writes an input at packed offsets from the pixels' centres.
    fn evaluate(&mut self, inst: &Inst, offset: Value) {
        let Operand::Reg(Src { reg, swizzle, .. }) = inst.operands[0] else {
            unreachable!("{} names an input", inst.op)
        };
        if let Domain::Draw(pipeline) = self.domain {
            return self.write(inst, |l, slot| {
                let component = swizzle.source(slot);
                l.varying_at(pipeline, (reg.index(), component), offset)
            });
        }
        let (lanes, centre) = (self.effective(), self.b.i32(0));
        let offset = self.b.iselect(lanes, offset, centre);
        let number = reg.index() as u8;
        let [x, y, z, w] = [X, Y, Z, W].map(|component| {
            self.b.load(Slot::Input {
                reg: number,
                component: component as u8,
            })
        });
        let value = self.b.push(Op::Evaluate(number), [offset, x, y, z, w]);
        self.write(inst, |l, slot| {
            l.b.extract(value, swizzle.source(slot) as u8)
        });
    }
}
