//! Removes copies: results go at once where they would be copied to, and are read where they have
//! been copied from.

use attila_isa::{Component, Opcode, Slots, Swizzle};

use super::super::code::{Code, Operand, Place, Register, Step};
use super::super::constants::immediate;

/// Where a temporary is used.
#[derive(Clone, Copy, Default)]
struct Uses {
    /// How many operands read it.
    reads: usize,
    /// How many steps write it.
    writes: usize,
    /// The first and the last that does.
    first: usize,
    last: usize,
}

/// The uses of each temporary.
fn uses(code: &Code) -> Vec<Uses> {
    let mut all = vec![Uses::default(); code.temps];
    for (index, step) in code.steps.iter().enumerate() {
        for (temp, _) in step.read_temps() {
            all[temp].reads += 1;
        }
        if let Some((temp, _)) = step.written_temp() {
            let uses = &mut all[temp];
            if uses.writes == 0 {
                uses.first = index;
            }
            uses.writes += 1;
            uses.last = index;
        }
    }
    all
}

/// Where all that reads a temporary is one copy of it, writes what is copied to instead.
pub(super) fn write_directly(code: &mut Code) {
    let mut uses = uses(code);
    for index in (0..code.steps.len()).rev() {
        let Some((temp, place)) = redirected(code, &uses, index) else {
            continue;
        };
        let saturate = code.steps[index].saturate;
        code.steps[index].cancel();
        let first = uses[temp].first;
        for step in &mut code.steps[first..index] {
            if let Some((written, mask)) = step.written_temp()
                && written == temp
            {
                step.result = Some((place, mask));
                step.saturate |= saturate;
            }
        }
        // Its last writer may be an earlier one now, which matters to no copy that is left.
        if let Place::Temp(target) = place {
            uses[target].first = uses[target].first.min(first);
        }
    }
    code.steps.retain(|step| !step.is_cancelled());
}

/// The temporary that the copy at `index` reads, and what it is copied to, if what writes the
/// temporary could write that.
fn redirected(code: &Code, uses: &[Uses], index: usize) -> Option<(usize, Place)> {
    let copy = &code.steps[index];
    let (place, mask) = copy.result?;
    let temp = copy.plain_copy()?;
    let uses = &uses[temp];
    let is_only = uses.reads == 1 && uses.writes > 0 && uses.last <= index;
    if place == Place::Temp(temp) || !is_only {
        return None;
    }
    let mut written = Slots::empty();
    for (nth, step) in code.steps[uses.first..index].iter().enumerate() {
        // The first writer reads what was there before.
        if writes(step, place, mask) || nth > 0 && reads(step, place, mask) {
            return None;
        }
        if let Some((other, other_mask)) = step.written_temp()
            && other == temp
        {
            written |= other_mask;
        }
    }
    (written == mask).then_some((temp, place))
}

/// Whether `step` writes one of `components` of `place`.
fn writes(step: &Step, place: Place, components: Slots) -> bool {
    let result = step.result;
    result.is_some_and(|(other, mask)| other == place && mask.intersects(components))
}

/// Whether `step` reads one of `components` of `place`.
fn reads(step: &Step, place: Place, components: Slots) -> bool {
    let mut temps = step.read_temps();
    temps.any(|(temp, read)| Place::Temp(temp) == place && read.intersects(components))
}

/// What a temporary is a copy of.
#[derive(Clone, Copy)]
struct Copied {
    /// The step that copies.
    step: usize,
    /// The components that it writes.
    mask: Slots,
    source: Operand,
}

/// Reads what a temporary is a copy of, as long as that is still there.
pub(super) fn read_directly(code: &mut Code) {
    let uses = uses(code);
    let mut copies = vec![None; code.temps];
    // The last step so far that has written each component.
    let mut written = vec![[0; 4]; code.temps];
    for (index, step) in code.steps.iter_mut().enumerate() {
        for operand in 0..step.operands.len() {
            if let Register::Temp(temp) = step.operands[operand].register
                && let Some(copied) = &copies[temp]
                && is_there(copied, &written)
            {
                forward(step, operand, copied);
            }
        }
        if let Some((temp, mask)) = step.written_temp() {
            let components = mask.components();
            components.for_each(|component| written[temp][component.index()] = index);
            copies[temp] = copied_source(step, temp, &uses).map(|source| Copied {
                step: index,
                mask,
                source,
            });
        }
    }
}

/// What `step` copies, if its copy is the only value of `temp`.
fn copied_source(step: &Step, temp: usize, uses: &[Uses]) -> Option<Operand> {
    let [source] = *step.operands.as_slice() else {
        return None;
    };
    let is_copy = step.op == Opcode::Mov && !step.saturate;
    let is_relative = matches!(source.register, Register::Element { .. });
    let is_only = uses[temp].writes == 1 && source.register != Register::Temp(temp);
    (is_copy && !is_relative && is_only).then_some(source)
}

/// Whether nothing has changed since what `copied` is a copy of.
fn is_there(copied: &Copied, written: &[[usize; 4]]) -> bool {
    let Register::Temp(temp) = copied.source.register else {
        return true;
    };
    let components = copied.source.swizzle.sources(Slots::all());
    let mut components = components.components();
    components.all(|component| written[temp][component.index()] <= copied.step)
}

/// Makes an operand that reads a copy read its source instead.
fn forward(step: &mut Step, index: usize, copied: &Copied) {
    let Copied { mask, source, .. } = *copied;
    let operand = step.operands[index];
    if !mask.contains(operand.swizzle.sources(step.slots(index))) {
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
