//! Kills, exported depths and the sample index. The guard holds all of them back (isa.md D01).

use std::array::from_fn;

use attila_isa::{KILL_ALL, Slots};

use crate::lanes::{Floats, Words, each, words};
use crate::machine::Machine;
use crate::prepare::Step;

/// Where one of the given slots is below 0; -0 and NaN are not.
fn below_zero(value: &Floats, slots: Slots) -> Words {
    let below = |lane: usize| {
        slots
            .components()
            .any(|slot| value[slot.index()][lane] < 0.0)
    };
    words(from_fn(below))
}

/// Kills the whole fragment (isa.md D02).
pub(super) fn kil(machine: &mut Machine<'_>, step: &Step) {
    let condition = below_zero(&machine.floats(step, 0), Slots::all());
    machine.kill(step, condition, KILL_ALL);
}

/// Kills one sample, if there is a sample of that number.
pub(super) fn kls(machine: &mut Machine<'_>, step: &Step) {
    let condition = below_zero(&machine.floats(step, 0), Slots::all());
    let sample = 1u32.checked_shl(step.number.into()).unwrap_or(0);
    machine.kill(step, condition, sample & KILL_ALL);
}

/// What is tested is what the write mask names of the result, before it is saturated.
pub(super) fn cmpkil(machine: &mut Machine<'_>, step: &Step) {
    let (a, b, c) = (
        machine.floats(step, 0),
        machine.floats(step, 1),
        machine.floats(step, 2),
    );
    let select = |slot: usize, lane: usize| {
        let chosen = if a[slot][lane] < 0.0 { &b } else { &c };
        chosen[slot][lane]
    };
    let value: Floats = from_fn(|slot| from_fn(|lane| select(slot, lane)));
    // The kill comes second, but the write cannot change what decides it.
    machine.kill(step, below_zero(&value, step.mask), KILL_ALL);
    machine.write(step, value);
}

/// Depth of sample 0.
pub(super) fn zxp(machine: &mut Machine<'_>, step: &Step) {
    let depth = each(machine.float(step, 0, 0), f32::to_bits);
    machine.export(step, |lane| (0, depth[lane]));
}

/// Depths of the current sample and the three after it (isa.md D19).
pub(super) fn zxs(machine: &mut Machine<'_>, step: &Step) {
    let depths = machine.floats(step, 0);
    let sample = machine.sample;
    for (slot, depth) in (0u32..).zip(depths) {
        machine.export(step, |lane| {
            (sample[lane].wrapping_add(slot), depth[lane].to_bits())
        });
    }
}

pub(super) fn chs(machine: &mut Machine<'_>, step: &Step) {
    let enabled = machine.enabled(step);
    let sample = &mut machine.sample;
    *sample = from_fn(|lane| sample[lane].wrapping_add(enabled[lane] & 1));
}
