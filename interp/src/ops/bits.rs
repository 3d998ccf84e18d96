//! Operations on the bits of integers.

use attila_isa::BitsOp;

use crate::machine::Machine;
use crate::ops::Action;
use crate::ops::integer::{componentwise1, componentwise2};
use crate::prepare::Step;

/// The function that carries out `op`.
pub(super) fn action(op: BitsOp) -> Action {
    match op {
        BitsOp::And => and,
        BitsOp::Or => or,
        BitsOp::Xor => xor,
        BitsOp::Not => not,
        BitsOp::Shl => shl,
        BitsOp::Ishr => ishr,
        BitsOp::Ushr => ushr,
    }
}

fn and(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| a & b);
}

fn or(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| a | b);
}

fn xor(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| a ^ b);
}

fn not(machine: &mut Machine<'_>, step: &Step) {
    componentwise1(machine, step, |a| !a);
}

/// Counts of shifts are modulo 32.
fn shl(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, u32::wrapping_shl);
}

fn ishr(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| {
        a.cast_signed().wrapping_shr(b).cast_unsigned()
    });
}

fn ushr(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, u32::wrapping_shr);
}
