//! Conversions between floats, integers and packed numbers.

use attila_isa::ConvertOp;
use attila_machine::arith::trunc_to_i32;

use crate::lanes::each;
use crate::machine::Machine;
use crate::ops::Action;
use crate::prepare::Step;

/// The function that carries out `op`.
pub(super) fn action(op: ConvertOp) -> Action {
    match op {
        ConvertOp::F2i => f2i,
        ConvertOp::F2u => f2u,
        ConvertOp::I2f => i2f,
        ConvertOp::U2f => u2f,
    }
}

/// An integer from each float.
fn from_floats(machine: &mut Machine<'_>, step: &Step, op: impl Fn(f32) -> u32) {
    let a = machine.floats(step, 0);
    machine.store(step, each(a, |slot| each(slot, &op)));
}

/// A float from each integer.
fn from_integers(machine: &mut Machine<'_>, step: &Step, op: impl Fn(u32) -> f32) {
    let a = machine.ints(step, 0);
    machine.write(step, each(a, |slot| each(slot, &op)));
}

/// NaN and what does not fit give the smallest integer.
fn f2i(machine: &mut Machine<'_>, step: &Step) {
    from_floats(machine, step, |a| trunc_to_i32(a).cast_unsigned());
}

/// Rust's conversion saturates, and NaN gives 0.
fn f2u(machine: &mut Machine<'_>, step: &Step) {
    from_floats(machine, step, |a| a as u32);
}

fn i2f(machine: &mut Machine<'_>, step: &Step) {
    from_integers(machine, step, |a| a.cast_signed() as f32);
}

fn u2f(machine: &mut Machine<'_>, step: &Step) {
    from_integers(machine, step, |a| a as f32);
}
