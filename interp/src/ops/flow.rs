//! NOP, END and JMP. Where lanes go is the run loop's business.

use crate::lanes::both;
use crate::machine::Machine;
use crate::prepare::Step;

/// NOP, and END: that a lane ends is a flag of the instruction.
pub(super) fn nothing(_machine: &mut Machine<'_>, _step: &Step) {}

/// The guard is one more condition of the jump (D08).
pub(super) fn jmp(machine: &mut Machine<'_>, step: &Step) {
    machine.taken = both(machine.enabled(step), machine.truth(step, 0));
}
