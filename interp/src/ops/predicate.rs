//! Opcodes that write a predicate register.

use std::array::from_fn;

use attila_isa::PredicateOp;

use crate::lanes::{both, each, words};
use crate::machine::{Machine, W};
use crate::ops::Action;
use crate::prepare::Step;

/// The function that carries out `op`.
pub(super) fn action(op: PredicateOp) -> Action {
    match op {
        PredicateOp::Setpeq => setpeq,
        PredicateOp::Setpgt => setpgt,
        PredicateOp::Setplt => setplt,
        PredicateOp::Stpeqi => stpeqi,
        PredicateOp::Stpgti => stpgti,
        PredicateOp::Stplti => stplti,
        PredicateOp::Andp => andp,
    }
}

fn compare(machine: &mut Machine<'_>, step: &Step, op: impl Fn(&f32, &f32) -> bool) {
    let (a, b) = (machine.float(step, 0, W), machine.float(step, 1, W));
    machine.write_predicate(step, words(from_fn(|lane| op(&a[lane], &b[lane]))));
}

fn compare_integers(machine: &mut Machine<'_>, step: &Step, op: impl Fn(&i32, &i32) -> bool) {
    let operand = |index| each(machine.int(step, index, W), u32::cast_signed);
    let (a, b) = (operand(0), operand(1));
    machine.write_predicate(step, words(from_fn(|lane| op(&a[lane], &b[lane]))));
}

fn setpeq(machine: &mut Machine<'_>, step: &Step) {
    compare(machine, step, f32::eq);
}

fn setpgt(machine: &mut Machine<'_>, step: &Step) {
    compare(machine, step, f32::gt);
}

fn setplt(machine: &mut Machine<'_>, step: &Step) {
    compare(machine, step, f32::lt);
}

fn stpeqi(machine: &mut Machine<'_>, step: &Step) {
    compare_integers(machine, step, i32::eq);
}

fn stpgti(machine: &mut Machine<'_>, step: &Step) {
    compare_integers(machine, step, i32::gt);
}

fn stplti(machine: &mut Machine<'_>, step: &Step) {
    compare_integers(machine, step, i32::lt);
}

fn andp(machine: &mut Machine<'_>, step: &Step) {
    let value = both(machine.truth(step, 0), machine.truth(step, 1));
    machine.write_predicate(step, value);
}
