//! [`Machine`]: a quad at work, and what all opcodes have in common.
//!
//! ```text
//!  fetch ─► swizzle ─► modifiers ─► the opcode ─► saturate ─► write mask, guard, active lanes ─► register
//! ```
//!
//! Values are `[slot][lane]`. An action reads all that it needs before it writes anything, so that
//! an instruction may write what it reads.

use std::array::from_fn;

use attila_isa::{
    Bindings, Component, Fixed, LANES, LaneMask, Lanes, Modifiers, QuadReg, QuadState, RelAddr,
    Stage, from_lanes,
};

use crate::lanes::{Floats, Words, blend, both, each, splat, words};
use crate::prepare::{Place, Register, Source, Step, Truth};

/// A quad at work.
pub(crate) struct Machine<'a> {
    pub(crate) state: &'a mut QuadState,
    pub(crate) bindings: &'a Bindings<'a>,
    pub(crate) stage: Stage,
    /// The operands that [`Place::Uniform`] finds.
    pub(crate) uniforms: &'a [QuadReg],
    /// The lanes that execute the instruction.
    pub(crate) active: Words,
    /// Whether these are all lanes.
    pub(crate) all_active: bool,
    /// The lanes that take the jump, after a jump.
    pub(crate) taken: Words,
    /// The constants of the instruction that each lane addressed for itself, by operand.
    pub(crate) gathered: [QuadReg; 3],
}

impl Machine<'_> {
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

    /// A predicate register, or its opposite.
    pub(crate) fn predicate(&self, index: usize, negate: bool) -> Words {
        let flip = if negate { u32::MAX } else { 0 };
        each(self.state.regs.predicates[index], |word| word ^ flip)
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
    pub(crate) fn gather(&mut self, step: &Step, relative: RelAddr) {
        let address = &self.state.regs.addresses[relative.reg.index()];
        let address = address[relative.component.index()].map(u32::cast_signed);
        for (gathered, source) in self.gathered.iter_mut().zip(&step.sources) {
            if let Place::Gathered(base) = source.place {
                let constant = |lane: i32| {
                    let index = base as i64 + i64::from(lane) + i64::from(relative.offset);
                    let index = usize::try_from(index).ok();
                    index.and_then(|index| self.bindings.constants().get(index))
                };
                *gathered = from_lanes(address.map(|a| constant(a).copied().unwrap_or_default()));
            }
        }
    }

    #[inline(always)]
    fn register(&self, place: Place, index: usize) -> &QuadReg {
        match place {
            Place::Input(number) => &self.state.io.inputs[number],
            Place::Temp(number) => &self.state.regs.temps[number],
            Place::Address(number) => &self.state.regs.addresses[number],
            Place::Uniform(number) => &self.uniforms[number],
            Place::Gathered(_) => &self.gathered[index],
        }
    }

    /// Operand `index`, all slots, as f32.
    #[inline(always)]
    pub(crate) fn floats(&self, step: &Step, index: usize) -> Floats {
        let source = &step.sources[index];
        let register = self.register(source.place, index);
        from_fn(|slot| float(source, component(source, register, slot)))
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
        let register = self.register(source.place, index);
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

    /// One slot of operand `index`, before modifiers.
    #[inline(always)]
    fn bits(&self, step: &Step, index: usize, slot: usize) -> Lanes<u32> {
        let source = &step.sources[index];
        component(source, self.register(source.place, index), slot)
    }

    /// Writes a float result.
    #[inline(always)]
    pub(crate) fn write(&mut self, step: &Step, value: Floats) {
        let bits = each(value, |slot| each(slot, f32::to_bits));
        if step.saturate {
            self.store_saturated(step, bits);
        } else {
            self.store(step, bits);
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
        } else if let Some(register) = self.target(step) {
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
        if let Some(register) = self.target(step) {
            for slot in step.mask.components().map(Component::index) {
                register[slot] = blend(enabled, value[slot], register[slot]);
            }
        }
    }

    /// As `store`, clamped to [0, 1]: -0 stays, NaN gives 1 (isa.md D16).
    #[inline(never)]
    fn store_saturated(&mut self, step: &Step, value: QuadReg) {
        let saturate = |bits: u32| match f32::from_bits(bits) {
            0.0..=1.0 => bits,
            value if value < 0.0 => 0,
            _ => 1.0f32.to_bits(),
        };
        self.store(step, each(value, |slot| each(slot, saturate)));
    }

    #[inline(always)]
    fn target(&mut self, step: &Step) -> Option<&mut QuadReg> {
        match step.target {
            Register::Temp(number) => Some(&mut self.state.regs.temps[number]),
            Register::Output(number) => Some(&mut self.state.io.outputs[number]),
            Register::Address(number) => Some(&mut self.state.regs.addresses[number]),
            Register::None | Register::Predicate(_) | Register::Accumulator | Register::Sample => {
                None
            }
        }
    }

    /// Writes a predicate result, which saturate inverts.
    pub(crate) fn write_predicate(&mut self, step: &Step, value: Words) {
        let enabled = self.enabled(step);
        if let Register::Predicate(number) = step.target {
            let flip = if step.saturate { u32::MAX } else { 0 };
            let register = &mut self.state.regs.predicates[number];
            *register = blend(enabled, each(value, |lane| lane ^ flip), *register);
        }
    }

    /// Writes to the accumulator what `value` gives for a slot and a lane.
    pub(crate) fn accumulate(&mut self, step: &Step, value: impl Fn(usize, usize) -> Fixed) {
        let enabled = self.enabled(step);
        for slot in step.mask.components().map(Component::index) {
            for lane in (0..LANES).filter(|&lane| enabled[lane] != 0) {
                self.state.regs.accumulator[slot][lane] = value(slot, lane);
            }
        }
    }

    /// Kills the given samples where `condition` holds and the instruction takes effect.
    pub(crate) fn kill(&mut self, step: &Step, condition: Words, samples: u32) {
        let killed = both(self.enabled(step), condition);
        for (kill, killed) in self.state.io.kill.iter_mut().zip(killed) {
            *kill |= killed & samples;
        }
    }

    /// Exports, where the instruction takes effect, what `depth` gives for a lane: a sample and
    /// its depth. There is nothing from sample 16 on.
    pub(crate) fn export(&mut self, step: &Step, depth: impl Fn(usize) -> (u32, u32)) {
        let enabled = self.enabled(step);
        for lane in (0..LANES).filter(|&lane| enabled[lane] != 0) {
            let (sample, bits) = depth(lane);
            if let Some(depths) = self.state.io.depth.get_mut(sample as usize) {
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
    each(bits, |bits| {
        f32::from_bits(bits & source.keep ^ source.flip)
    })
}
