//! Removes instructions, and components of their results, that nobody reads.

use std::collections::BTreeMap;

use attila_isa::Slots;

use super::super::super::binding::Output;
use super::super::code::{Code, Place, Register, Step};

/// What is needed after an instruction.
struct Needed {
    temps: Vec<Slots>,
    /// Components of outputs that are written later.
    overwritten: BTreeMap<Output, Slots>,
    addresses: Vec<usize>,
}

pub(in super::super) fn remove(code: &mut Code) {
    let mut needed = Needed {
        temps: vec![Slots::empty(); code.temps],
        overwritten: BTreeMap::new(),
        addresses: Vec::new(),
    };
    for step in code.steps.iter_mut().rev() {
        needed.narrow(step);
        if !step.is_cancelled() {
            needed.read(step);
        }
    }
    code.steps.retain(|step| !step.is_cancelled());
}

impl Needed {
    /// Leaves those components of the result that are needed, if any.
    fn narrow(&mut self, step: &mut Step) {
        let Some((place, mask)) = &mut step.result else {
            return;
        };
        match *place {
            Place::Temp(temp) => {
                *mask &= self.temps[temp];
                self.temps[temp] -= *mask;
            }
            Place::Output(output) => {
                let overwritten = self.overwritten.entry(output).or_default();
                *mask -= *overwritten;
                *overwritten |= *mask;
            }
            Place::Address(number) => {
                let before = self.addresses.len();
                self.addresses.retain(|needed| *needed != number);
                if self.addresses.len() == before {
                    step.cancel();
                }
            }
        }
    }

    fn read(&mut self, step: &Step) {
        for (temp, components) in step.read_temps() {
            self.temps[temp] |= components;
        }
        for operand in &step.operands {
            if let Register::Element { address, .. } = operand.register
                && !self.addresses.contains(&address)
            {
                self.addresses.push(address);
            }
        }
    }
}
