//! Removes copies: results go at once where they would be copied to, and are read where they have
//! been copied from.

use attila_isa::{Opcode, Slots, Swizzle};

use super::super::code::{Code, Operand, Place, Register, Step};
use super::super::constants::immediate;

/// Where all that reads a temporary is one copy of it, writes what is copied to instead.
pub(super) fn write_directly(code: &mut Code) {
    for index in (0..code.steps.len()).rev() {
        if let Some((temp, place, saturate)) = redirection(code, index) {
            for step in &mut code.steps[..index] {
                if let Some((Place::Temp(written), mask)) = step.result
                    && written == temp
                {
                    step.result = Some((place, mask));
                    step.saturate |= saturate;
                }
            }
            code.steps.remove(index);
        }
    }
}

/// The temporary that the copy at `index` reads, and where it could have been written.
fn redirection(code: &Code, index: usize) -> Option<(usize, Place, bool)> {
    let copy = &code.steps[index];
    let (place, mask) = copy.result?;
    let [operand] = *copy.operands else {
        return None;
    };
    let Register::Temp(temp) = operand.register else {
        return None;
    };
    let plain = operand.swizzle.sources(mask) == mask
        && mask.components().all(|c| operand.swizzle.source(c) == c)
        && operand.modifiers == Operand::new(operand.register).modifiers;
    if copy.op != Opcode::Mov || !plain || place == Place::Temp(temp) {
        return None;
    }
    let reads = |step: &Step| step.read_temps().any(|(read, _)| read == temp);
    if code.steps.iter().filter(|step| reads(step)).count() != 1 {
        return None;
    }
    let writes = |step: &Step| {
        step.written_temp()
            .is_some_and(|(written, _)| written == temp)
    };
    let first = code.steps.iter().position(writes)?;
    let writers = code.steps.iter().filter(|step| writes(step));
    let written = writers.fold(Slots::empty(), |all, step| all | step.mask());
    let last = code.steps.iter().rposition(writes)?;
    let free = code.steps[first..index]
        .iter()
        .enumerate()
        .all(|(nth, step)| {
            let is_written = !writes(step)
                && step.result.is_some_and(|(other, other_mask)| {
                    other == place && other_mask.intersects(mask)
                });
            // The first writer reads what was there before.
            let is_read = nth > 0
                && matches!(place, Place::Temp(other) if step.read_temps().any(
                    |(read, components)| read == other && components.intersects(mask)
                ));
            !is_written && !is_read
        });
    (written == mask && last < index && free).then_some((temp, place, copy.saturate))
}

/// Reads what a temporary is a copy of, as long as that is still there.
pub(super) fn read_directly(code: &mut Code) {
    for index in 0..code.steps.len() {
        let Some((temp, mask, source)) = copied(code, index) else {
            continue;
        };
        for reader in index + 1..code.steps.len() {
            if !is_there(&code.steps[index + 1..reader], source) {
                break;
            }
            let step = &mut code.steps[reader];
            for operand in 0..step.operands.len() {
                forward(step, operand, temp, mask, source);
            }
        }
    }
}

/// The temporary whose only value is the copy at `index`, and what of.
fn copied(code: &Code, index: usize) -> Option<(usize, Slots, Operand)> {
    let copy = &code.steps[index];
    let (temp, mask) = copy.written_temp()?;
    let [source] = *copy.operands else {
        return None;
    };
    let is_copy = copy.op == Opcode::Mov && !copy.saturate;
    let relative = matches!(source.register, Register::Element { .. });
    if !is_copy || relative || source.register == Register::Temp(temp) {
        return None;
    }
    let writes = |step: &&Step| {
        step.written_temp()
            .is_some_and(|(written, _)| written == temp)
    };
    (code.steps.iter().filter(writes).count() == 1).then_some((temp, mask, source))
}

/// Whether no step changes what `source` reads.
fn is_there(steps: &[Step], source: Operand) -> bool {
    let Register::Temp(temp) = source.register else {
        return true;
    };
    let components = source.swizzle.sources(Slots::all());
    let changes = |step: &Step| {
        let written = step.written_temp();
        written.is_some_and(|(other, mask)| other == temp && mask.intersects(components))
    };
    !steps.iter().any(changes)
}

/// Makes an operand that reads components `mask` of `temp` read `source` instead.
fn forward(step: &mut Step, index: usize, temp: usize, mask: Slots, source: Operand) {
    let operand = step.operands[index];
    let read = operand.swizzle.sources(step.slots(index));
    if operand.register != Register::Temp(temp) || !mask.contains(read) {
        return;
    }
    let mut modifiers = operand.modifiers;
    if !modifiers.absolute {
        modifiers.absolute = source.modifiers.absolute;
        modifiers.negate ^= source.modifiers.negate;
    }
    let through =
        attila_isa::Component::ALL.map(|slot| source.swizzle.source(operand.swizzle.source(slot)));
    step.operands[index] = Operand {
        register: source.register,
        swizzle: Swizzle::new(through),
        modifiers,
    };
    let relative = |operand: &Operand| matches!(operand.register, Register::Element { .. });
    let constant =
        matches!(source.register, Register::Param(_)) && immediate(step, index).is_none();
    if constant && step.operands.iter().any(relative) {
        step.operands[index] = operand;
    }
}
