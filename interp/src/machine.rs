//! [`Machine`]: a quad at work, and what all opcodes have in common.
//!
//! ```text
//!  fetch ─► swizzle ─► modifiers ─► the opcode ─► saturate ─► write mask, guard, active lanes ─► register
//! ```
//!
//! Values are `[slot][lane]`. An action reads all that it needs before it writes anything, so that
//! an instruction may write what it reads.

use std::array::from_fn;
use std::sync::Arc;

use attila_isa::{Component, CtmModifier, Modifiers, PREDICATES, RelAddr, ResultPath, Stage};
use attila_machine::arith::{saturate, saturate_signed};
use attila_machine::{
    Bindings, Fixed, LANES, LaneMask, Lanes, QuadReg, QuadSamples, QuadState, SAMPLES, from_lanes,
};

use crate::lanes::{Floats, Words, blend, both, each, splat, words};
use crate::prepare::{Relative, Source, Step, Truth};
use crate::registers::Places;

/// The words that `change` makes of each number.
#[inline(always)]
fn changed(value: Floats, change: impl Fn(f32) -> u32) -> QuadReg {
    each(value, |slot| each(slot, &change))
}

/// A zero of its sign for a denormal.
#[inline(always)]
pub(crate) fn flushed(a: f32) -> f32 {
    if a.is_subnormal() {
        0f32.copysign(a)
    } else {
        a
    }
}

/// The one NaN of the CTM path.
const CTM_NAN: u32 = 0x7fff_ffff;

/// A result as the CTM path has it, in its order: the one NaN, no denormals, the product, no denormals,
/// the clamp.
fn ctm_result(a: f32, modifier: CtmModifier, saturate: bool) -> u32 {
    let Some(factor) = modifier.factor() else {
        return a.to_bits();
    };
    if a.is_nan() {
        return CTM_NAN;
    }
    let product = flushed(flushed(a) * factor);
    // -0 stays, as no comparison holds.
    let clamped = match saturate {
        true if product < 0.0 => 0.0,
        true if product > 1.0 => 1.0,
        true | false => product,
    };
    clamped.to_bits()
}

/// A quad at work.
pub(crate) struct Machine<'a> {
    pub(crate) bindings: &'a Bindings<'a>,
    pub(crate) stage: Stage,
    /// The lanes that execute the instruction.
    pub(crate) active: Words,
    /// Whether these are all lanes.
    pub(crate) all_active: bool,
    /// The lanes that take the jump, after a jump.
    pub(crate) taken: Words,
    places: Places,
    /// The outputs that the program writes.
    written: Arc<[usize]>,
    /// The registers of all banks: see [`crate::registers`].
    pub(crate) registers: Vec<QuadReg>,
    pub(crate) predicates: [Words; PREDICATES as usize],
    pub(crate) accumulator: [Lanes<Fixed>; 4],
    pub(crate) sample: Lanes<u32>,
    /// Killed samples, bit n = sample n.
    pub(crate) killed: Lanes<u32>,
    pub(crate) depth: [Lanes<u32>; SAMPLES],
    /// The samples of the pixels, if the program asks for them.
    pub(crate) samples: QuadSamples,
    /// The number of the quad within the run.
    pub(crate) quad: usize,
    /// Scratch vectors of all lanes.
    pub(crate) scratch: Vec<QuadReg>,
}

impl<'a> Machine<'a> {
    /// A machine with all registers and `scratch` vectors 0, and what the program has the same for all
    /// quads.
    pub(crate) fn new(
        bindings: &'a Bindings<'a>,
        stage: Stage,
        (places, written): (Places, Arc<[usize]>),
        uniforms: impl Iterator<Item = QuadReg>,
        scratch: u32,
    ) -> Machine<'a> {
        let mut registers = vec![QuadReg::default(); places.uniforms];
        registers.extend(uniforms);
        Machine {
            bindings,
            stage,
            active: splat(false),
            all_active: false,
            taken: splat(false),
            places,
            written,
            registers,
            predicates: [splat(false); PREDICATES as usize],
            accumulator: [[Fixed::default(); LANES]; 4],
            sample: [0; LANES],
            killed: [0; LANES],
            depth: [[0; LANES]; SAMPLES],
            samples: QuadSamples::default(),
            quad: 0,
            scratch: vec![QuadReg::default(); scratch as usize],
        }
    }

    /// Takes over all that a program may find.
    pub(crate) fn load(&mut self, state: &QuadState) {
        self.scratch.fill(QuadReg::default());
        self.places.load(&mut self.registers, state);
        self.predicates = state.regs.predicates;
        self.accumulator = state.regs.accumulator;
        self.sample = state.regs.sample;
        self.killed = state.io.kill;
        self.depth = state.io.depth;
        self.samples.clone_from(&state.io.samples);
    }

    /// Hands it back.
    pub(crate) fn save(&self, state: &mut QuadState) {
        self.places.save(&self.registers, state);
        state.regs.predicates = self.predicates;
        state.regs.accumulator = self.accumulator;
        state.regs.sample = self.sample;
        state.io.kill = self.killed;
        state.io.depth = self.depth;
        state.io.samples.clone_from(&self.samples);
    }
}

impl Machine<'_> {
    /// The outputs that the program writes, with their numbers.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = (usize, &QuadReg)> {
        let value = |&number: &usize| (number, &self.registers[self.places.output(number)]);
        self.written.iter().map(value)
    }

    /// The lanes that execute the instruction.
    pub(crate) fn active_lanes(&self) -> LaneMask {
        LaneMask::from_lanes(each(self.active, |lane| lane != 0))
    }

    /// The lanes in which the instruction takes effect: active, and the guard is true.
    #[inline]
    pub(crate) fn enabled(&self, step: &Step) -> Words {
        match step.guard {
            None => self.active,
            Some(guard) => {
                let holds = self.predicate(guard.pred.index(), guard.negate);
                both(self.active, holds)
            }
        }
    }

    /// The same as a set.
    pub(crate) fn enabled_lanes(&self, step: &Step) -> LaneMask {
        LaneMask::from_lanes(each(self.enabled(step), |lane| lane != 0))
    }

    /// A predicate register, or its opposite.
    pub(crate) fn predicate(&self, index: usize, negate: bool) -> Words {
        let flip = if negate { u32::MAX } else { 0 };
        each(self.predicates[index], |word| word ^ flip)
    }

    /// The truth value at operand `index`.
    pub(crate) fn truth(&self, step: &Step, index: usize) -> Words {
        match step.truths[index] {
            Truth::Literal(value) => splat(value),
            Truth::Predicate { index, negate } => self.predicate(index, negate),
            Truth::Word { negate } => {
                let word = self.bits(step, index, W);
                words(each(word, |word| (word != 0) != negate))
            }
        }
    }

    /// Fetches the constants that each lane addresses for itself. Outside the bank there is 0.
    #[cold]
    pub(crate) fn gather(&mut self, relative: &Relative) {
        let address = self.address(relative.address);
        let offset = relative.address.offset;
        let constants = self.bindings.constants();
        for (operand, base) in relative.bases.iter().enumerate() {
            let Some(base) = *base else {
                continue;
            };
            let constant = |lane: i32| {
                let index = base as i64 + i64::from(lane) + i64::from(offset);
                let index = usize::try_from(index).ok();
                index.and_then(|index| constants.get(index)).copied()
            };
            let gathered = address.map(|lane| constant(lane).unwrap_or_default());
            self.registers[self.places.gathered + operand] = from_lanes(gathered);
        }
    }

    /// The component of an address register that a relative address names.
    pub(crate) fn address(&self, address: RelAddr) -> Lanes<i32> {
        let register = self.places.of(address.reg).map(|at| &self.registers[at]);
        let lanes = register.map(|register| register[address.component.index()]);
        lanes.unwrap_or_default().map(u32::cast_signed)
    }

    /// The register after that of operand `index`, all slots, as f32.
    pub(crate) fn floats_after(&self, step: &Step, index: usize) -> Floats {
        let source = &step.sources[index];
        let register = &self.registers[source.register + 1];
        from_fn(|slot| float(source, component(source, register, slot)))
    }

    /// Operand `index`, all slots, as f32.
    #[inline(always)]
    pub(crate) fn floats(&self, step: &Step, index: usize) -> Floats {
        let source = &step.sources[index];
        let register = &self.registers[source.register];
        if source.plain {
            // Most operands are plain; uniform ones always are.
            each(*register, |slot| each(slot, f32::from_bits))
        } else {
            from_fn(|slot| float(source, component(source, register, slot)))
        }
    }

    /// One slot of operand `index`, as f32.
    #[inline(always)]
    pub(crate) fn float(&self, step: &Step, index: usize, slot: usize) -> Lanes<f32> {
        float(&step.sources[index], self.bits(step, index, slot))
    }

    /// Operand `index`, all slots, as i32.
    #[inline(always)]
    pub(crate) fn ints(&self, step: &Step, index: usize) -> QuadReg {
        let source = &step.sources[index];
        let register = &self.registers[source.register];
        let bits = from_fn(|slot| component(source, register, slot));
        if source.modifiers == Modifiers::default() {
            bits
        } else {
            each(bits, |slot| {
                each(slot, |bits| source.modifiers.apply_int(bits))
            })
        }
    }

    /// One slot of operand `index`, as i32.
    pub(crate) fn int(&self, step: &Step, index: usize, slot: usize) -> Lanes<u32> {
        self.ints(step, index)[slot]
    }

    /// Operand `index` as f64, from slots xy and zw.
    pub(crate) fn doubles(&self, step: &Step, index: usize) -> [Lanes<f64>; 2] {
        let source = &step.sources[index];
        let register = &self.registers[source.register];
        from_fn(|pair| {
            let low = component(source, register, 2 * pair);
            let high = component(source, register, 2 * pair + 1);
            from_fn(|lane| {
                let high = u64::from(high[lane] & source.keep ^ source.flip);
                f64::from_bits(high << 32 | u64::from(low[lane]))
            })
        })
    }

    /// One slot of operand `index`, before modifiers.
    #[inline(always)]
    fn bits(&self, step: &Step, index: usize, slot: usize) -> Lanes<u32> {
        let source = &step.sources[index];
        component(source, &self.registers[source.register], slot)
    }

    /// Writes a float result.
    #[inline(always)]
    pub(crate) fn write(&mut self, step: &Step, value: Floats) {
        // One test on the way of nearly all results.
        if step.path == ResultPath::Plain {
            self.store(step, each(value, |slot| each(slot, f32::to_bits)));
        } else {
            self.store_clamped(step, value);
        }
    }

    /// Writes the same float result to all slots.
    #[inline(always)]
    pub(crate) fn write_scalar(&mut self, step: &Step, value: Lanes<f32>) {
        self.write(step, [value; 4]);
    }

    /// Writes bits, where the write mask, the guard and the active lanes let it.
    #[inline(always)]
    pub(crate) fn store(&mut self, step: &Step, value: QuadReg) {
        if step.guard.is_some() || !self.all_active {
            self.store_some(step, value);
        } else {
            let register = &mut self.registers[step.target];
            for slot in 0..4 {
                if step.mask.bits() >> slot & 1 != 0 {
                    register[slot] = value[slot];
                }
            }
        }
    }

    /// As `store`, if not all lanes are written.
    #[inline(never)]
    fn store_some(&mut self, step: &Step, value: QuadReg) {
        let enabled = self.enabled(step);
        let register = &mut self.registers[step.target];
        for slot in step.mask.components().map(Component::index) {
            register[slot] = blend(enabled, value[slot], register[slot]);
        }
    }

    /// As `store`, clamped: -0 stays, and NaN gives 1 or 0 (D16).
    #[inline(never)]
    fn store_clamped(&mut self, step: &Step, value: Floats) {
        let changed = match step.path {
            ResultPath::Plain => changed(value, f32::to_bits),
            ResultPath::Saturate => changed(value, |a| saturate(a).to_bits()),
            ResultPath::SaturateSigned => changed(value, |a| saturate_signed(a).to_bits()),
            ResultPath::Ctm { modifier, saturate } => {
                changed(value, |a| ctm_result(a, modifier, saturate))
            }
        };
        self.store(step, changed);
    }

    /// Writes a predicate result, which a path that is not plain inverts.
    pub(crate) fn write_predicate(&mut self, step: &Step, value: Words) {
        let enabled = self.enabled(step);
        let flip = match step.path {
            ResultPath::Plain => 0,
            ResultPath::Saturate | ResultPath::SaturateSigned | ResultPath::Ctm { .. } => u32::MAX,
        };
        let register = &mut self.predicates[step.predicate];
        *register = blend(enabled, each(value, |lane| lane ^ flip), *register);
    }

    /// Writes to the accumulator what `value` gives for a slot and a lane.
    pub(crate) fn accumulate(&mut self, step: &Step, value: impl Fn(usize, usize) -> Fixed) {
        let enabled = self.enabled(step);
        for slot in step.mask.components().map(Component::index) {
            for lane in (0..LANES).filter(|&lane| enabled[lane] != 0) {
                self.accumulator[slot][lane] = value(slot, lane);
            }
        }
    }

    /// Kills the given samples where `condition` holds and the instruction takes effect.
    pub(crate) fn kill(&mut self, step: &Step, condition: Words, samples: u32) {
        let killed = both(self.enabled(step), condition);
        for (kill, killed) in self.killed.iter_mut().zip(killed) {
            *kill |= killed & samples;
        }
    }

    /// Exports, where the instruction takes effect, what `depth` gives for a lane: a sample and
    /// its depth. There is nothing from sample 16 on.
    pub(crate) fn export(&mut self, step: &Step, depth: impl Fn(usize) -> (u32, u32)) {
        let enabled = self.enabled(step);
        for lane in (0..LANES).filter(|&lane| enabled[lane] != 0) {
            let (sample, bits) = depth(lane);
            if let Some(depths) = self.depth.get_mut(sample as usize) {
                depths[lane] = bits;
            }
        }
    }
}

/// Slot w, the one that scalar operands take.
pub(crate) const W: usize = 3;

#[inline(always)]
fn component(source: &Source, register: &QuadReg, slot: usize) -> Lanes<u32> {
    register[usize::from(source.swizzle[slot] & 3)]
}

#[inline(always)]
fn float(source: &Source, bits: Lanes<u32>) -> Lanes<f32> {
    let floats = each(bits, |bits| {
        f32::from_bits(bits & source.keep ^ source.flip)
    });
    match source.flushes {
        true => each(floats, flushed),
        false => floats,
    }
}
