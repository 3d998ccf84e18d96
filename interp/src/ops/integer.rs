//! Opcodes with an integer result. Saturate has no effect on them (D27).

use std::array::from_fn;

use attila_isa::IntegerOp;
use attila_machine::arith::trunc_to_i32;

use crate::lanes::each;
use crate::machine::Machine;
use crate::ops::Action;
use crate::ops::floor;
use crate::prepare::Step;

/// The function that carries out `op`.
pub(super) fn action(op: IntegerOp) -> Action {
    match op {
        IntegerOp::Arl => arl,
        IntegerOp::Addi => addi,
        IntegerOp::Muli => muli,
        IntegerOp::Imin => imin,
        IntegerOp::Imax => imax,
        IntegerOp::Umin => umin,
        IntegerOp::Umax => umax,
        IntegerOp::Idiv => idiv,
        IntegerOp::Udiv => udiv,
        IntegerOp::Imod => imod,
        IntegerOp::Umod => umod,
        IntegerOp::Imulh => imulh,
        IntegerOp::Umulh => umulh,
    }
}

/// The same operation in all slots.
pub(super) fn componentwise1(machine: &mut Machine<'_>, step: &Step, op: impl Fn(u32) -> u32) {
    let a = machine.ints(step, 0);
    machine.store(step, each(a, |slot| each(slot, &op)));
}

/// The same with two operands.
pub(super) fn componentwise2(machine: &mut Machine<'_>, step: &Step, op: impl Fn(u32, u32) -> u32) {
    let (a, b) = (machine.ints(step, 0), machine.ints(step, 1));
    let op = |slot: usize| from_fn(|lane| op(a[slot][lane], b[slot][lane]));
    machine.store(step, from_fn(op));
}

/// The same with three operands.
pub(super) fn componentwise3(
    machine: &mut Machine<'_>,
    step: &Step,
    op: impl Fn(u32, u32, u32) -> u32,
) {
    let (a, b) = (machine.ints(step, 0), machine.ints(step, 1));
    let c = machine.ints(step, 2);
    let op = |slot: usize| from_fn(|lane| op(a[slot][lane], b[slot][lane], c[slot][lane]));
    machine.store(step, from_fn(op));
}

/// The low 32 bits are the same for signed and unsigned integers.
fn addi(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, u32::wrapping_add);
}

/// As `addi`.
fn muli(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, u32::wrapping_mul);
}

/// As `componentwise2`, with signed integers.
fn signed2(machine: &mut Machine<'_>, step: &Step, op: impl Fn(i32, i32) -> i32) {
    componentwise2(machine, step, |a, b| {
        op(a.cast_signed(), b.cast_signed()).cast_unsigned()
    });
}

fn imin(machine: &mut Machine<'_>, step: &Step) {
    signed2(machine, step, i32::min);
}

fn imax(machine: &mut Machine<'_>, step: &Step) {
    signed2(machine, step, i32::max);
}

fn umin(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, u32::min);
}

fn umax(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, u32::max);
}

/// A division by 0 gives 0, and the smallest integer divided by -1 gives itself.
fn idiv(machine: &mut Machine<'_>, step: &Step) {
    signed2(machine, step, |a, b| match b {
        0 => 0,
        b => a.wrapping_div(b),
    });
}

/// A division by 0 gives all bits.
fn udiv(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| a.checked_div(b).unwrap_or(u32::MAX));
}

/// A division by 0 gives all bits, and the smallest integer divided by -1 leaves 0.
fn imod(machine: &mut Machine<'_>, step: &Step) {
    signed2(machine, step, |a, b| match b {
        0 => -1,
        b => a.wrapping_rem(b),
    });
}

/// A division by 0 gives all bits.
fn umod(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| a.checked_rem(b).unwrap_or(u32::MAX));
}

fn imulh(machine: &mut Machine<'_>, step: &Step) {
    signed2(machine, step, |a, b| {
        ((i64::from(a) * i64::from(b)) >> 32) as i32
    });
}

fn umulh(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| {
        ((u64::from(a) * u64::from(b)) >> 32) as u32
    });
}

/// NaN and what does not fit give the smallest integer (D38).
fn arl(machine: &mut Machine<'_>, step: &Step) {
    let a = machine.floats(step, 0);
    let op = |a: f32| trunc_to_i32(floor(a)).cast_unsigned();
    machine.store(step, each(a, |slot| each(slot, op)));
}
