//! Kills, exported depths and the sample index. The guard holds all of them back (D01).

use std::array::from_fn;

use attila_isa::{ExportOp, Slots};
use attila_machine::KILL_ALL;
use attila_machine::arith::is_below_zero;

use crate::lanes::{Floats, Words, each, words};
use crate::machine::Machine;
use crate::ops::Action;
use crate::prepare::Step;

/// The function that carries out `op`.
pub(super) fn action(op: ExportOp) -> Action {
    match op {
        ExportOp::Kil => kil,
        ExportOp::Kls => kls,
        ExportOp::Cmpkil => cmpkil,
        ExportOp::Zxp => zxp,
        ExportOp::Zxs => zxs,
        ExportOp::Chs => chs,
    }
}

/// Where one of the given slots is below 0; -0 and NaN are not.
fn below_zero(value: &Floats, slots: Slots) -> Words {
    let below = |lane: usize| {
        slots
            .components()
            .any(|slot| is_below_zero(value[slot.index()][lane]))
    };
    words(from_fn(below))
}

/// Kills the whole fragment (D02).
fn kil(machine: &mut Machine<'_>, step: &Step) {
    let condition = below_zero(&machine.floats(step, 0), Slots::all());
    machine.kill(step, condition, KILL_ALL);
}

/// Kills one sample, if there is a sample of that number.
fn kls(machine: &mut Machine<'_>, step: &Step) {
    let condition = below_zero(&machine.floats(step, 0), Slots::all());
    let sample = 1u32.checked_shl(step.number.into()).unwrap_or(0);
    machine.kill(step, condition, sample & KILL_ALL);
}

/// Tests the components of the result that the write mask names, before they are saturated.
fn cmpkil(machine: &mut Machine<'_>, step: &Step) {
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
fn zxp(machine: &mut Machine<'_>, step: &Step) {
    let depth = each(machine.float(step, 0, 0), f32::to_bits);
    machine.export(step, |lane| (0, depth[lane]));
}

/// Depths of the current sample and the three after it (D19).
fn zxs(machine: &mut Machine<'_>, step: &Step) {
    let depths = machine.floats(step, 0);
    let sample = machine.sample;
    for (slot, depth) in (0u32..).zip(depths) {
        machine.export(step, |lane| {
            (sample[lane].wrapping_add(slot), depth[lane].to_bits())
        });
    }
}

fn chs(machine: &mut Machine<'_>, step: &Step) {
    let enabled = machine.enabled(step);
    let sample = &mut machine.sample;
    *sample = from_fn(|lane| sample[lane].wrapping_add(enabled[lane] & 1));
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn what_is_below_0_counts_beside_nans_of_every_kind() {
        for nan in [0x7fc0_0000, 0x7f80_0001, 0xffc0_0000, 0xff80_0001].map(f32::from_bits) {
            let value: Floats = black_box([
                [nan, -1.0, nan, -0.0],
                [-1.0, nan, nan, nan],
                [0.0, nan, nan, 1.0],
                [nan, nan, nan, nan],
            ]);
            let expected = words([true, true, false, false]);
            let bits = nan.to_bits();
            assert_eq!(below_zero(&value, Slots::all()), expected, "{bits:#x}");
            let expected = words([true, false, false, false]);
            assert_eq!(below_zero(&value, Slots::Y | Slots::Z), expected);
        }
    }
}
