//! Removes copies: results go at once where they would be copied to, and are read where they have
//! been copied from.

use attila_isa::{Component, Modifiers, Opcode, OperandKind, ResultPath, Slots, Swizzle};

use super::super::Language;
use super::super::code::Code;
use super::super::constants::immediate;
use super::super::step::{Operand, Place, Register, Step};

/// Where a temporary is used.
#[derive(Clone, Copy, Default)]
struct Uses {
    /// The number of operands that read it.
    reads: usize,
    /// The number of steps that write it.
    writes: usize,
    /// The first and the last that does, counted from the beginning of its block.
    first: usize,
    last: usize,
    /// Whether it is used in more than one block.
    crosses: bool,
}

/// The uses of each value.
fn uses<L: Language>(code: &Code<L>) -> Vec<Uses> {
    let mut all = vec![Uses::default(); code.values];
    for block in &code.blocks {
        for (index, step) in block.steps.iter().enumerate() {
            step.for_each_read(step.mask(), |value, _| all[value].reads += 1);
            if let Some((value, _)) = step.written_value() {
                let uses = &mut all[value];
                if uses.writes == 0 {
                    uses.first = index;
                }
                uses.writes += 1;
                uses.last = index;
            }
        }
    }
    if code.blocks.len() > 1 {
        note_crossing(code, &mut all);
    }
    all
}

/// Notes which values are used in more than one block.
fn note_crossing<L: Language>(code: &Code<L>, all: &mut [Uses]) {
    let mut blocks = vec![None; all.len()];
    for (number, block) in code.blocks.iter().enumerate() {
        let mut note = |value: usize| {
            let first = *blocks[value].get_or_insert(number);
            all[value].crosses |= first != number;
        };
        for step in &block.steps {
            step.for_each_read(step.mask(), |value, _| note(value));
            step.written_value()
                .into_iter()
                .for_each(|(value, _)| note(value));
        }
    }
}

/// Where all that reads a temporary is one copy of it, writes what is copied to instead.
pub(super) fn write_directly<L: Language>(code: &mut Code<L>) {
    let mut uses = uses(code);
    for block in &mut code.blocks {
        for index in (0..block.steps.len()).rev() {
            let Some((temp, place)) = redirected(&block.steps, &uses, index) else {
                continue;
            };
            let path = block.steps[index].path;
            block.steps[index].cancel();
            let first = uses[temp].first;
            for step in &mut block.steps[first..index] {
                if let Some((written, mask)) = step.written_temp()
                    && written == temp
                {
                    step.result = Some((place, mask));
                    step.path = step.path.then(path).expect("the path was found to fit");
                }
            }
            // Its last writer may be an earlier one now, which matters to no copy that is left.
            if let Place::Temp(target) = place {
                uses[target].first = uses[target].first.min(first);
            }
        }
        block.steps.retain(|step| !step.is_cancelled());
    }
}

/// The temporary that the copy at `index` of a block reads, and what it is copied to, if what writes
/// the temporary could write that.
fn redirected<L: Language>(
    steps: &[Step<L>],
    uses: &[Uses],
    index: usize,
) -> Option<(usize, Place<L>)> {
    let copy = &steps[index];
    let (place, mask) = copy.result?;
    let temp = copy.plain_copy()?;
    let uses = &uses[temp];
    let is_only = uses.reads == 1 && uses.writes > 0 && uses.last <= index && !uses.crosses;
    if place == Place::Temp(temp) || !is_only {
        return None;
    }
    let mut written = Slots::empty();
    for (nth, step) in steps[uses.first..index].iter().enumerate() {
        // The first writer reads what was there before.
        if writes(step, place, mask) || nth > 0 && reads(step, place, mask) {
            return None;
        }
        if let Some((other, other_mask)) = step.written_temp()
            && other == temp
        {
            // Where a guard does not hold the old value would stay, and only floats take a path.
            let takes_path = copy.path == ResultPath::Plain || step.op.info().results.is_float();
            let has_path = step.path.then(copy.path).is_some();
            if step.guard.is_some() || !takes_path || !has_path {
                return None;
            }
            written |= other_mask;
        }
    }
    (written == mask).then_some((temp, place))
}

/// Whether `step` writes one of `components` of `place`.
fn writes<L: Language>(step: &Step<L>, place: Place<L>, components: Slots) -> bool {
    let result = step.result;
    result.is_some_and(|(other, mask)| other == place && mask.intersects(components))
}

/// Whether `step` reads one of `components` of `place`.
fn reads<L: Language>(step: &Step<L>, place: Place<L>, components: Slots) -> bool {
    match place {
        Place::Temp(temp) => {
            let mut temps = step.read_temps();
            temps.any(|(other, read)| other == temp && read.intersects(components))
        }
        Place::Address(number) => step.read_addresses().any(|address| address == number),
        Place::Output(_) => step.reads_outputs(),
        Place::Predicate(_) | Place::Scratch(_) | Place::Storage => false,
    }
}

/// A copy in a temporary.
#[derive(Clone, Copy)]
struct Copied<L: Language> {
    /// The step that copies, counted from the beginning of the program.
    step: usize,
    /// The components that it writes.
    mask: Slots,
    source: Operand<L>,
    /// Whether it is made in the first block.
    is_first: bool,
}

/// Reads the sources of copies, as long as they are still there.
pub(super) fn read_directly<L: Language>(code: &mut Code<L>) {
    let uses = uses(code);
    let parted = std::mem::take(&mut code.parted);
    let mut copies = vec![None; code.values];
    // The last step so far that has written each component.
    let mut written = vec![[0; 4]; code.values];
    let mut index = 0;
    let last = code.blocks.len() - 1;
    for (number, block) in code.blocks.iter_mut().enumerate() {
        let is_parted = parted.get(number).is_some_and(|parted| *parted);
        for step in &mut block.steps {
            // The copies of lanes that are elsewhere need not be like these.
            let looks_elsewhere = is_parted && step.reads_neighbours();
            for operand in 0..step.operands.len() {
                if let Register::Temp(temp) = step.operands[operand].register
                    && let Some(copied) = &copies[temp]
                    && !looks_elsewhere
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
                    is_first: number == 0,
                });
            }
            index += 1;
        }
        if number < last {
            forget(&mut copies, &block.steps);
        }
    }
    code.parted = parted;
}

/// Forgets copies at the end of a block, unless they are from the first block, which all lanes run
/// through, and of something that never changes.
fn forget<L: Language>(copies: &mut [Option<Copied<L>>], steps: &[Step<L>]) {
    for (temp, _) in steps.iter().filter_map(Step::written_temp) {
        let is_constant = |copied: &Copied<L>| match copied.source.register {
            Register::Input(_) | Register::Param(_) => copied.is_first,
            Register::Temp(_)
            | Register::Predicate(_)
            | Register::Element { .. }
            | Register::Pair(..)
            | Register::AsIs(_) => false,
        };
        copies[temp] = copies[temp].filter(is_constant);
    }
}

/// The source of `step`, if it copies it and its copy is the only value of `temp`.
fn copied_source<L: Language>(step: &Step<L>, temp: usize, uses: &[Uses]) -> Option<Operand<L>> {
    let [source] = *step.operands.as_slice() else {
        return None;
    };
    let is_copy = step.op == Opcode::Mov && step.path == ResultPath::Plain && step.guard.is_none();
    let is_only = uses[temp].writes == 1 && source.register != Register::Temp(temp);
    (is_copy && !Step::is_relative(&source) && is_only).then_some(source)
}

/// Whether nothing has changed since what `copied` is a copy of.
fn is_there<L: Language>(copied: &Copied<L>, written: &[[usize; 4]]) -> bool {
    let Register::Temp(temp) = copied.source.register else {
        return true;
    };
    let components = copied.source.swizzle.sources(Slots::all());
    let mut components = components.components();
    components.all(|component| written[temp][component.index()] <= copied.step)
}

/// Makes an operand that reads a copy read its source instead.
fn forward<L: Language>(step: &mut Step<L>, index: usize, copied: &Copied<L>) {
    let Copied { mask, source, .. } = *copied;
    let operand = step.operands[index];
    if !mask.contains(operand.swizzle.sources(step.slots(index))) {
        return;
    }
    let is_plain = source.modifiers == Modifiers::default();
    let kind = step.op.operands()[index];
    let is_other = matches!(
        kind,
        OperandKind::Int(_) | OperandKind::Texels | OperandKind::Double(_)
    );
    if !is_plain && is_other {
        // Modifiers of integers and of f64 are others.
        return;
    }
    let mut modifiers = operand.modifiers;
    if !modifiers.absolute {
        modifiers.absolute = source.modifiers.absolute;
        modifiers.negate ^= source.modifiers.negate;
    }
    let through = |slot| source.swizzle.source(operand.swizzle.source(slot));
    let swizzle = Swizzle::new(Component::ALL.map(through));
    if matches!(kind, OperandKind::Double(_)) && !swizzle.keeps_pairs() {
        return;
    }
    step.operands[index] = Operand {
        register: source.register,
        swizzle,
        modifiers,
    };
    // Beside an address there is no other constant.
    let constant =
        matches!(source.register, Register::Param(_)) && immediate(step, index).is_none();
    if constant && step.operands.iter().any(Step::is_relative) {
        step.operands[index] = operand;
    }
}
