//! Comparisons that give all bits or none.

use std::array::from_fn;

use attila_isa::MaskOp;

use crate::lanes::words;
use crate::machine::Machine;
use crate::ops::Action;
use crate::prepare::Step;

/// The function that carries out `op`.
pub(super) fn action(op: MaskOp) -> Action {
    match op {
        MaskOp::Fseq => fseq,
        MaskOp::Fsne => fsne,
        MaskOp::Fslt => fslt,
        MaskOp::Fsge => fsge,
        MaskOp::Islt => islt,
        MaskOp::Isge => isge,
        MaskOp::Uslt => uslt,
        MaskOp::Usge => usge,
        MaskOp::Useq => useq,
        MaskOp::Usne => usne,
    }
}

fn floats(machine: &mut Machine<'_>, step: &Step, op: impl Fn(&f32, &f32) -> bool) {
    let (a, b) = (machine.floats(step, 0), machine.floats(step, 1));
    let op = |slot: usize| words(from_fn(|lane| op(&a[slot][lane], &b[slot][lane])));
    machine.store(step, from_fn(op));
}

fn integers(machine: &mut Machine<'_>, step: &Step, op: impl Fn(&u32, &u32) -> bool) {
    let (a, b) = (machine.ints(step, 0), machine.ints(step, 1));
    let op = |slot: usize| words(from_fn(|lane| op(&a[slot][lane], &b[slot][lane])));
    machine.store(step, from_fn(op));
}

fn fseq(machine: &mut Machine<'_>, step: &Step) {
    floats(machine, step, f32::eq);
}

/// The only one that is true for NaN.
fn fsne(machine: &mut Machine<'_>, step: &Step) {
    floats(machine, step, f32::ne);
}

fn fslt(machine: &mut Machine<'_>, step: &Step) {
    floats(machine, step, f32::lt);
}

fn fsge(machine: &mut Machine<'_>, step: &Step) {
    floats(machine, step, f32::ge);
}

fn islt(machine: &mut Machine<'_>, step: &Step) {
    integers(machine, step, |a, b| a.cast_signed() < b.cast_signed());
}

fn isge(machine: &mut Machine<'_>, step: &Step) {
    integers(machine, step, |a, b| a.cast_signed() >= b.cast_signed());
}

fn uslt(machine: &mut Machine<'_>, step: &Step) {
    integers(machine, step, u32::lt);
}

fn usge(machine: &mut Machine<'_>, step: &Step) {
    integers(machine, step, u32::ge);
}

fn useq(machine: &mut Machine<'_>, step: &Step) {
    integers(machine, step, u32::eq);
}

fn usne(machine: &mut Machine<'_>, step: &Step) {
    integers(machine, step, u32::ne);
}
