//! Where the registers of all banks are, in the one array in which a machine has them.
//!
//! ```text
//!  │ inputs │ outputs │ temporaries │ addresses │ gathered constants │ uniforms …
//! ```
//!
//! An operand of any bank is then an index: an interpreter that had to look at the bank
//! would mispredict that branch in long programs. Each bank has as many registers as the program
//! names.

use attila_isa::{ADDRESSES, Bank, Inst, Reg};
use attila_machine::{QuadReg, QuadState};

/// The first place of each bank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Places {
    outputs: usize,
    temps: usize,
    addresses: usize,
    /// The constants that each lane of an instruction addressed for itself, by operand.
    pub(crate) gathered: usize,
    /// The constants and immediates that are the same for all lanes: swizzled, modified, and the same
    /// for a whole run.
    pub(crate) uniforms: usize,
}

impl Places {
    /// For a program with these instructions.
    pub(crate) fn new(insts: &[Inst]) -> Places {
        let [mut inputs, mut outputs, mut temps] = [0; 3];
        for reg in insts.iter().flat_map(Inst::registers) {
            let count = match reg.bank() {
                Bank::Input => &mut inputs,
                Bank::Output => &mut outputs,
                Bank::Temp => &mut temps,
                Bank::Address | Bank::Constant => continue,
            };
            *count = (reg.index() + 1).max(*count);
        }
        let addresses = inputs + outputs + temps;
        let gathered = addresses + ADDRESSES;
        Places {
            outputs: inputs,
            temps: inputs + outputs,
            addresses,
            gathered,
            uniforms: gathered + 3,
        }
    }

    /// The place of a register; `None` for constants.
    pub(crate) fn of(&self, reg: Reg) -> Option<usize> {
        match reg.bank() {
            Bank::Input => Some(reg.index()),
            Bank::Output => Some(self.output(reg.index())),
            Bank::Temp => Some(self.temps + reg.index()),
            Bank::Address => Some(self.addresses + reg.index()),
            Bank::Constant => None,
        }
    }

    /// The place of output `number`.
    pub(crate) fn output(&self, number: usize) -> usize {
        self.outputs + number
    }

    /// Takes the banks of `state` over.
    pub(crate) fn load(&self, registers: &mut [QuadReg], state: &QuadState) {
        let (io, regs) = (&state.io, &state.regs);
        let banks: [(usize, usize, &[QuadReg]); 4] = [
            (0, self.outputs, &io.inputs),
            (self.outputs, self.temps, &io.outputs),
            (self.temps, self.addresses, &regs.temps),
            (self.addresses, self.gathered, &regs.addresses),
        ];
        for (start, end, bank) in banks {
            registers[start..end].copy_from_slice(&bank[..end - start]);
        }
    }

    /// Hands the banks back.
    pub(crate) fn save(&self, registers: &[QuadReg], state: &mut QuadState) {
        let (io, regs) = (&mut state.io, &mut state.regs);
        let banks: [(usize, usize, &mut [QuadReg]); 4] = [
            (0, self.outputs, &mut io.inputs),
            (self.outputs, self.temps, &mut io.outputs),
            (self.temps, self.addresses, &mut regs.temps),
            (self.addresses, self.gathered, &mut regs.addresses),
        ];
        for (start, end, bank) in banks {
            bank[..end - start].copy_from_slice(&registers[start..end]);
        }
    }
}
