//! Where the registers of all banks are, in the one array in which a machine has them.
//!
//! ```text
//!  │ inputs │ outputs │ temporaries │ addresses │ gathered constants │ uniforms …
//! ```
//!
//! An operand of any bank is then an index: an interpreter that had to look at the bank
//! would mispredict that branch in long programs.

use attila_isa::{Bank, Reg};
use attila_machine::{QuadReg, QuadState};

const INPUTS: usize = 0;
const OUTPUTS: usize = INPUTS + attila_isa::INPUTS;
const TEMPS: usize = OUTPUTS + attila_isa::OUTPUTS;
const ADDRESSES: usize = TEMPS + attila_isa::TEMPS;

/// The constants that each lane of an instruction addressed for itself, by operand.
pub(crate) const GATHERED: usize = ADDRESSES + attila_isa::ADDRESSES;

/// The constants and immediates that are the same for all lanes: swizzled, modified, and the same
/// for a whole run.
pub(crate) const UNIFORMS: usize = GATHERED + 3;

/// The place of a register; `None` for constants.
pub(crate) fn place(reg: Reg) -> Option<usize> {
    match reg.bank() {
        Bank::Input => Some(INPUTS + reg.index()),
        Bank::Output => Some(OUTPUTS + reg.index()),
        Bank::Temp => Some(TEMPS + reg.index()),
        Bank::Address => Some(ADDRESSES + reg.index()),
        Bank::Constant => None,
    }
}

/// The place of input `number`.
pub(crate) fn input(number: usize) -> usize {
    INPUTS + number
}

/// The place of output `number`.
pub(crate) fn output(number: usize) -> usize {
    OUTPUTS + number
}

/// Takes the banks of `state` over.
pub(crate) fn load(registers: &mut [QuadReg], state: &QuadState) {
    registers[INPUTS..OUTPUTS].copy_from_slice(&state.io.inputs);
    registers[OUTPUTS..TEMPS].copy_from_slice(&state.io.outputs);
    registers[TEMPS..ADDRESSES].copy_from_slice(&state.regs.temps);
    registers[ADDRESSES..GATHERED].copy_from_slice(&state.regs.addresses);
}

/// Hands the banks back.
pub(crate) fn save(registers: &[QuadReg], state: &mut QuadState) {
    state.io.inputs.copy_from_slice(&registers[INPUTS..OUTPUTS]);
    state.io.outputs.copy_from_slice(&registers[OUTPUTS..TEMPS]);
    state
        .regs
        .temps
        .copy_from_slice(&registers[TEMPS..ADDRESSES]);
    state
        .regs
        .addresses
        .copy_from_slice(&registers[ADDRESSES..GATHERED]);
}
