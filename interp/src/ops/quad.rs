//! Derivatives: differences between the lanes of a quad, whichever of them are active.

use std::array::from_fn;

use attila_machine::{DDX_LANES, DDY_LANES, Lanes};

use crate::lanes::each;
use crate::machine::Machine;
use crate::prepare::Step;

fn difference(machine: &mut Machine<'_>, step: &Step, lanes: Lanes<(usize, usize)>) {
    let a = machine.floats(step, 0);
    let difference = |(from, to): (usize, usize), slot: Lanes<f32>| slot[to] - slot[from];
    machine.write(
        step,
        each(a, |slot| from_fn(|lane| difference(lanes[lane], slot))),
    );
}

pub(super) fn ddx(machine: &mut Machine<'_>, step: &Step) {
    difference(machine, step, DDX_LANES);
}

pub(super) fn ddy(machine: &mut Machine<'_>, step: &Step) {
    difference(machine, step, DDY_LANES);
}
