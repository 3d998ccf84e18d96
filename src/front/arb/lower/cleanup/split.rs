//! Gives each independent value of a temporary a temporary of its own.

use attila_isa::Slots;

use super::super::code::{Code, Place, Register};

/// Where an instruction writes a temporary and none of its older components is read later, a new
/// temporary begins.
pub(super) fn split(code: &mut Code) {
    let begins = beginnings(code);
    let mut names: Vec<usize> = (0..code.temps).collect();
    let mut temps = code.temps;
    for (step, begins) in code.steps.iter_mut().zip(begins) {
        for operand in &mut step.operands {
            if let Register::Temp(temp) = &mut operand.register {
                *temp = names[*temp];
            }
        }
        if let Some((Place::Temp(temp), _)) = &mut step.result {
            if begins {
                names[*temp] = temps;
                temps += 1;
            }
            *temp = names[*temp];
        }
    }
    code.temps = temps;
}

fn beginnings(code: &Code) -> Vec<bool> {
    let mut live = vec![Slots::empty(); code.temps];
    let mut begins = vec![false; code.steps.len()];
    for (step, begins) in code.steps.iter().zip(&mut begins).rev() {
        if let Some((temp, mask)) = step.written_temp() {
            live[temp] -= mask;
            *begins = live[temp].is_empty();
        }
        for (temp, components) in step.read_temps() {
            live[temp] |= components;
        }
    }
    begins
}
