//! NOP, END and JMP. Where lanes go is the run loop's business.

use attila_isa::FlowOp;

use crate::lanes::both;
use crate::machine::Machine;
use crate::ops::Action;
use crate::prepare::Step;

/// The function that carries out `op`.
pub(super) fn action(op: FlowOp) -> Action {
    match op {
        FlowOp::Nop | FlowOp::End => nothing,
        FlowOp::Jmp => jmp,
    }
}

/// NOP, and END: that a lane ends is a flag of the instruction.
fn nothing(_machine: &mut Machine<'_>, _step: &Step) {}

/// The guard is one more condition of the jump (D08).
fn jmp(machine: &mut Machine<'_>, step: &Step) {
    machine.taken = both(machine.enabled(step), machine.truth(step, 0));
}
