//! The samples of a quad's pixels, and inputs at other places than the pixels' centres.

use std::array::from_fn;

use attila_isa::SamplesOp;
use attila_machine::{LANES, Lanes, NO_SAMPLE, QuadReg, SAMPLES, offset_of_packed, to_floats};

use crate::lanes::{Words, each, words};
use crate::machine::{Machine, W};
use crate::ops::Action;
use crate::prepare::Step;

/// The function that carries out `op`.
pub(super) fn action(op: SamplesOp) -> Action {
    match op {
        SamplesOp::PixldCount => count,
        SamplesOp::PixldMask => mask,
        SamplesOp::PixldCovered => covered,
        SamplesOp::PixldOffset => offset,
        SamplesOp::PixldCentroid => centroid,
        SamplesOp::PixldIndex => own_index,
        SamplesOp::Evalo => evaluate_at_offset,
        SamplesOp::Evalc => evaluate_at_centroid,
        SamplesOp::Evals => evaluate_at_sample,
    }
}

impl Machine<'_> {
    /// The samples that a lane's pixel has, at most those that there are positions for.
    fn samples_of(&self, lane: usize) -> usize {
        (self.samples.count[lane] as usize).min(SAMPLES)
    }

    /// Whether a lane's pixel has a sample and it is covered.
    fn is_covered(&self, lane: usize, sample: u32) -> bool {
        let exists = (sample as usize) < self.samples_of(lane);
        exists && self.samples.coverage[lane] >> sample & 1 != 0
    }

    /// The position of a sample; the centre if the lane's pixel has no such sample.
    fn position(&self, lane: usize, sample: u32) -> u32 {
        let positions = &self.samples.positions[..self.samples_of(lane)];
        positions.get(sample as usize).copied().unwrap_or(0)
    }

    /// The position of the lowest covered sample; the centre if all or none are covered.
    fn centroid(&self, lane: usize) -> u32 {
        let mut samples = 0..self.samples_of(lane) as u32;
        if samples.clone().all(|sample| self.is_covered(lane, sample)) {
            return 0;
        }
        let lowest = samples.find(|&sample| self.is_covered(lane, sample));
        lowest.map_or(0, |sample| self.position(lane, sample))
    }

    /// The number of a sample that the step names: a register plus a signed number, or a number.
    fn index(&self, step: &Step) -> Lanes<u32> {
        if !step.present[0] {
            return [step.number.into(); LANES];
        }
        let added = i32::from(step.number.cast_signed()).cast_unsigned();
        each(self.int(step, 0, W), |index| index.wrapping_add(added))
    }

    /// Writes an integer to all components, and a truth value to the predicate if there is one.
    fn answer(&mut self, step: &Step, value: Lanes<u32>, truth: Words) {
        // The register first: a guard may be the predicate that is written.
        self.store(step, [value; 4]);
        if step.also_predicate {
            self.write_predicate(step, truth);
        }
    }
}

fn count(machine: &mut Machine<'_>, step: &Step) {
    let count = machine.samples.count;
    machine.store(step, [count; 4]);
}

fn mask(machine: &mut Machine<'_>, step: &Step) {
    let mask = from_fn(|lane| {
        let all = (1 << machine.samples_of(lane)) - 1;
        machine.samples.coverage[lane] & all
    });
    machine.store(step, [mask; 4]);
}

fn covered(machine: &mut Machine<'_>, step: &Step) {
    let index = machine.index(step);
    let covered = words(from_fn(|lane| machine.is_covered(lane, index[lane])));
    machine.answer(step, covered, covered);
}

fn offset(machine: &mut Machine<'_>, step: &Step) {
    let index = machine.index(step);
    let offset = from_fn(|lane| machine.position(lane, index[lane]));
    machine.store(step, [offset; 4]);
}

fn centroid(machine: &mut Machine<'_>, step: &Step) {
    let offset = from_fn(|lane| machine.centroid(lane));
    machine.store(step, [offset; 4]);
}

fn own_index(machine: &mut Machine<'_>, step: &Step) {
    let own = machine.samples.own;
    let exists = words(each(own, |sample| sample != NO_SAMPLE));
    let index = each(own, |sample| if sample == NO_SAMPLE { 0 } else { sample });
    machine.answer(step, index, exists);
}

fn evaluate_at_offset(machine: &mut Machine<'_>, step: &Step) {
    let offset = machine.int(step, 1, W);
    evaluate(machine, step, offset);
}

fn evaluate_at_centroid(machine: &mut Machine<'_>, step: &Step) {
    let offset = from_fn(|lane| machine.centroid(lane));
    evaluate(machine, step, offset);
}

fn evaluate_at_sample(machine: &mut Machine<'_>, step: &Step) {
    let index = machine.int(step, 1, W);
    let offset = from_fn(|lane| machine.position(lane, index[lane]));
    evaluate(machine, step, offset);
}

/// Writes the first operand, an input, at packed offsets from the pixels' centres.
fn evaluate(machine: &mut Machine<'_>, step: &Step, offset: Lanes<u32>) {
    let source = &step.sources[0];
    let register: QuadReg = match machine.bindings.inputs() {
        Some(inputs) => {
            let enabled = machine.enabled(step);
            let offset = from_fn(|lane| offset_of_packed(offset[lane] & enabled[lane]));
            // Inputs are the first of the registers.
            inputs.evaluate(machine.quad, source.register as u8, offset)
        }
        None => machine.registers[source.register],
    };
    let value = source.swizzle.map(|from| register[usize::from(from & 3)]);
    machine.write(step, to_floats(&value));
}
