//! Removes copies: results go at once where they would be copied to, and are read where they have
//! been copied from.

use attila_isa::{Component, Opcode, Slots, Swizzle};

use super::super::code::{Code, Operand, Place, Register, Step};
use super::super::constants::immediate;

/// The steps that read and write each temporary, ascending.
struct Uses {
    readers: Vec<Vec<usize>>,
    writers: Vec<Vec<usize>>,
}

impl Uses {
    fn new(code: &Code) -> Uses {
        let mut uses = Uses {
            readers: vec![Vec::new(); code.temps],
            writers: vec![Vec::new(); code.temps],
        };
        for (index, step) in code.steps.iter().enumerate() {
            for (temp, _) in step.read_temps() {
                uses.readers[temp].push(index);
            }
            if let Some((temp, _)) = step.written_temp() {
                uses.writers[temp].push(index);
            }
        }
        uses
    }
}

/// Where all that reads a temporary is one copy of it, writes what is copied to instead.
pub(super) fn write_directly(code: &mut Code) {
    let mut uses = Uses::new(code);
    let mut removed = vec![false; code.steps.len()];
    for index in (0..code.steps.len()).rev() {
        let Some(temp) = redirected(code, &uses, &removed, index) else {
            continue;
        };
        let (result, saturate) = (code.steps[index].result, code.steps[index].saturate);
        let Some((place, _)) = result else {
            continue;
        };
        removed[index] = true;
        let writers = std::mem::take(&mut uses.writers[temp]);
        for &writer in &writers {
            let step = &mut code.steps[writer];
            step.result = Some((place, step.mask()));
            step.saturate |= saturate;
        }
        if let Place::Temp(target) = place {
            uses.writers[target].retain(|writer| *writer != index);
            uses.writers[target].extend(writers);
            uses.writers[target].sort_unstable();
        }
    }
    let mut removed = removed.into_iter();
    code.steps.retain(|_| !removed.next().unwrap_or(false));
}

/// The temporary that the copy at `index` reads, if what writes it could write the copy's result.
fn redirected(code: &Code, uses: &Uses, removed: &[bool], index: usize) -> Option<usize> {
    let copy = &code.steps[index];
    let (place, mask) = copy.result?;
    let temp = copy.plain_copy()?;
    let (first, last) = (*uses.writers[temp].first()?, *uses.writers[temp].last()?);
    if place == Place::Temp(temp) || uses.readers[temp] != [index] || last > index {
        return None;
    }
    let writers = uses.writers[temp].iter();
    let written = writers.fold(Slots::empty(), |all, writer| {
        all | code.steps[*writer].mask()
    });
    // The first writer reads what was there before.
    let reads = |step: &Step| {
        let target = Some(place);
        let mut reads = step.read_temps();
        reads.any(|(read, read_mask)| {
            Some(Place::Temp(read)) == target && read_mask.intersects(mask)
        })
    };
    let writes = |step: &Step| {
        let result = step.result;
        result.is_some_and(|(other, other_mask)| other == place && other_mask.intersects(mask))
    };
    let mut between = (first..index).filter(|between| !removed[*between]);
    let busy = between.any(|between| {
        let step = &code.steps[between];
        writes(step) || between > first && reads(step)
    });
    (written == mask && !busy).then_some(temp)
}

/// Reads what a temporary is a copy of, as long as that is still there.
pub(super) fn read_directly(code: &mut Code) {
    let mut uses = Uses::new(code);
    for index in 0..code.steps.len() {
        let Some((temp, mask, source)) = copied(&code.steps[index], &uses) else {
            continue;
        };
        for reader in uses.readers[temp].clone() {
            if reader < index || !is_there(code, &uses, source, index..reader) {
                continue;
            }
            let step = &mut code.steps[reader];
            for operand in 0..step.operands.len() {
                forward(step, operand, temp, mask, source);
            }
            if let Register::Temp(source) = source.register {
                uses.readers[source].push(reader);
            }
        }
    }
}

/// The temporary whose only value is that of the copy `step`, and what it is a copy of.
fn copied(step: &Step, uses: &Uses) -> Option<(usize, Slots, Operand)> {
    let (temp, mask) = step.written_temp()?;
    let [source] = *step.operands.as_slice() else {
        return None;
    };
    let is_copy = step.op == Opcode::Mov && !step.saturate;
    let is_relative = matches!(source.register, Register::Element { .. });
    let is_only = uses.writers[temp].len() == 1 && source.register != Register::Temp(temp);
    (is_copy && !is_relative && is_only).then_some((temp, mask, source))
}

/// Whether nothing changes what `source` reads after the first of `steps` and before their end.
fn is_there(code: &Code, uses: &Uses, source: Operand, steps: std::ops::Range<usize>) -> bool {
    let Register::Temp(temp) = source.register else {
        return true;
    };
    let components = source.swizzle.sources(Slots::all());
    let between = |writer: &&usize| **writer > steps.start && **writer < steps.end;
    let mut writers = uses.writers[temp].iter().filter(between);
    !writers.any(|writer| code.steps[*writer].mask().intersects(components))
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
    let through = |slot| source.swizzle.source(operand.swizzle.source(slot));
    step.operands[index] = Operand {
        register: source.register,
        swizzle: Swizzle::new(Component::ALL.map(through)),
        modifiers,
    };
    // Beside an address there is no other constant.
    let relative = |operand: &Operand| matches!(operand.register, Register::Element { .. });
    let constant =
        matches!(source.register, Register::Param(_)) && immediate(step, index).is_none();
    if constant && step.operands.iter().any(relative) {
        step.operands[index] = operand;
    }
}
