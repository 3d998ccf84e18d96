//! The content of each constant register.
//!
//! Arrays that are addressed relatively come first, whole. From constants in the text only the
//! components that are read are kept, each value once: `0.5` and `{1, 0.5}` need one register.

use std::collections::BTreeMap;

use attila_isa::{Component, OpFlags, Operand as IsaOperand, Remark, Slots, Swizzle, code};
use attila_isa::{Imm, Modifiers, OperandKind};
use smallvec::SmallVec;

use super::Language;
use super::code::Code;
use super::step::{Operand, Register, Step};

/// The number of constant registers.
pub const CONSTANTS: u16 = attila_isa::CONSTANTS as u16;

/// The constant registers that a program has from its declarations.
#[derive(Clone, Debug)]
pub struct Layout<L: Language> {
    rows: Vec<Row<L>>,
}

/// A constant register.
#[derive(Clone, Copy, Debug)]
enum Row<L: Language> {
    /// A parameter.
    Param(L::Param),
    /// Constants of the text.
    Packed([Option<u32>; 4]),
}

impl<L: Language> Default for Layout<L> {
    fn default() -> Layout<L> {
        Layout { rows: Vec::new() }
    }
}

impl<L: Language> Layout<L> {
    /// Gives the elements of an array the next registers, one after the other, and returns the first.
    ///
    /// # Errors
    ///
    /// There are fewer registers. The remark is at byte `end` of the text.
    pub fn array(
        &mut self,
        params: impl IntoIterator<Item = L::Param>,
        end: usize,
    ) -> Result<u16, Remark> {
        let base = self.rows.len();
        let room = usize::from(CONSTANTS) - base.min(usize::from(CONSTANTS));
        let params = params.into_iter().take(room + 1);
        self.rows.extend(params.map(Row::Param));
        if self.rows.len() > usize::from(CONSTANTS) {
            return Err(too_many(end));
        }
        Ok(base as u16)
    }
}

fn too_many(end: usize) -> Remark {
    let message = format!("the program needs more than {CONSTANTS} constant registers");
    Remark::new(end..end, message).code(&code::text::LIMIT)
}

/// The constant registers of a program.
pub(super) struct Pool<L: Language> {
    rows: Vec<Row<L>>,
    places: BTreeMap<L::Param, u16>,
}

/// The constant registers that `code` needs.
pub(super) fn pool<L: Language>(
    layout: Layout<L>,
    code: &Code<L>,
    end: usize,
) -> Result<Pool<L>, Remark> {
    let mut pool = Pool {
        rows: layout.rows,
        places: BTreeMap::new(),
    };
    for (index, row) in pool.rows.iter().enumerate() {
        if let Row::Param(param) = row {
            pool.places.entry(*param).or_insert(index as u16);
        }
    }
    let mut packed = Vec::new();
    for step in code.blocks.iter().flat_map(|block| &block.steps) {
        for (index, operand) in step.operands.iter().enumerate() {
            let Register::Param(param) = operand.register else {
                continue;
            };
            match L::bits(param) {
                None => pool.add(param),
                Some(bits) if step.reads_doubles(index) => pool.add_whole(bits),
                Some(bits) if immediate(step, index).is_none() => {
                    packed.push(values(bits, operand.swizzle.sources(step.slots(index))));
                }
                Some(_) => {}
            }
        }
    }
    // The widest first: the others fit into what they leave.
    packed.sort_by_key(|values| std::cmp::Reverse(values.len()));
    for values in packed {
        if pool.rows.len() > usize::from(CONSTANTS) {
            break;
        }
        pool.pack(&values);
    }
    if pool.rows.len() > usize::from(CONSTANTS) {
        return Err(too_many(end));
    }
    Ok(pool)
}

/// The different values among some components.
fn values(bits: [u32; 4], components: Slots) -> SmallVec<[u32; 4]> {
    let values = components.components().map(|c| bits[c.index()]);
    let mut values: SmallVec<[u32; 4]> = values.collect();
    values.sort_unstable();
    values.dedup();
    values
}

impl<L: Language> Pool<L> {
    fn add(&mut self, param: L::Param) {
        if !self.places.contains_key(&param) {
            self.places.insert(param, self.rows.len() as u16);
            self.rows.push(Row::Param(param));
        }
    }

    /// Makes some register hold these words in this order.
    fn add_whole(&mut self, bits: [u32; 4]) {
        if self.whole(bits).is_none() {
            self.rows.push(Row::Packed(bits.map(Some)));
        }
    }

    /// The register that holds these words in this order.
    fn whole(&self, bits: [u32; 4]) -> Option<usize> {
        let holds = |row: &Row<L>| match row {
            Row::Param(param) => L::bits(*param) == Some(bits),
            Row::Packed(components) => *components == bits.map(Some),
        };
        self.rows.iter().position(holds)
    }

    /// Makes some register hold all of `values`.
    fn pack(&mut self, values: &[u32]) {
        let fits = |row: &Row<L>| row.missing(values) <= row.room();
        let index = self.rows.iter().position(fits).unwrap_or(self.rows.len());
        if index == self.rows.len() {
            self.rows.push(Row::Packed([None; 4]));
        }
        for value in values {
            self.rows[index].hold(*value);
        }
    }

    /// The register of an operand that is f64.
    pub(super) fn place_of_doubles(&self, param: L::Param) -> u16 {
        match L::bits(param) {
            Some(bits) => self.whole(bits).unwrap_or(0) as u16,
            None => self.places.get(&param).copied().unwrap_or(0),
        }
    }

    /// The register of an operand and the swizzle that takes the same from it in `slots`.
    pub(super) fn place(&self, param: L::Param, swizzle: Swizzle, slots: Slots) -> (u16, Swizzle) {
        let Some(bits) = L::bits(param) else {
            return (self.places.get(&param).copied().unwrap_or(0), swizzle);
        };
        let wanted = values(bits, swizzle.sources(slots));
        let holds = |row: &Row<L>| row.missing(&wanted) == 0;
        let index = self.rows.iter().position(holds).unwrap_or(0);
        let row = self.rows[index];
        let find = |slot: Component| row.find(bits[swizzle.source(slot).index()]);
        (index as u16, choose(slots, Slots::all(), find))
    }

    /// The registers and the parameters in them.
    pub(super) fn rows(&self) -> impl Iterator<Item = (u32, L::Param)> {
        let rows = self.rows.iter().enumerate();
        rows.map(|(index, row)| (index as u32, row.param()))
    }
}

impl<L: Language> Row<L> {
    /// How many of `values` it does not hold.
    fn missing(&self, values: &[u32]) -> usize {
        let missing = values.iter().filter(|value| self.find(**value).is_none());
        missing.count()
    }

    /// How many values there is room for.
    fn room(&self) -> usize {
        match self {
            Row::Param(_) => 0,
            Row::Packed(components) => components.iter().filter(|c| c.is_none()).count(),
        }
    }

    /// Takes `value` in, unless it is there, or there is no room.
    fn hold(&mut self, value: u32) {
        if self.find(value).is_none()
            && let Row::Packed(components) = self
            && let Some(free) = components.iter_mut().find(|c| c.is_none())
        {
            *free = Some(value);
        }
    }

    /// The component that holds `value`.
    fn find(&self, value: u32) -> Option<Component> {
        let held = match self {
            Row::Param(param) => L::bits(*param)?.map(Some),
            Row::Packed(components) => *components,
        };
        let mut components = Component::ALL.into_iter();
        components.find(|component| held[component.index()] == Some(value))
    }

    fn param(&self) -> L::Param {
        match self {
            Row::Param(param) => *param,
            Row::Packed(components) => L::constant(components.map(|c| c.unwrap_or(0))),
        }
    }
}

/// A swizzle that takes the components that `find` chooses in `slots`. The other slots take
/// components that read best, but only those in `present`.
pub(super) fn choose(
    slots: Slots,
    present: Slots,
    find: impl Fn(Component) -> Option<Component>,
) -> Swizzle {
    let wanted = |slot| find(slot).unwrap_or(slot);
    let several = slots.components().count() > 1;
    let identity = present == Slots::all() && slots.components().all(|slot| wanted(slot) == slot);
    let mut last = slots.components().next().map_or(Component::X, wanted);
    Swizzle::new(Component::ALL.map(|slot| {
        if slots.has(slot) {
            last = wanted(slot);
        } else if identity && several {
            return slot;
        }
        last
    }))
}

/// A swizzle that takes the same pairs of components in `slots`, and one of them in the others.
pub(super) fn choose_pairs(slots: Slots, swizzle: Swizzle) -> Swizzle {
    use Component::{W, X, Y, Z};
    let pair = match slots.has(X) {
        true => [X, Y],
        false => [Z, W],
    };
    let taken = |slot| {
        if slots.has(slot) {
            slot
        } else {
            pair[slot.index() % 2]
        }
    };
    Swizzle::new(Component::ALL.map(|slot| swizzle.source(taken(slot))))
}

/// An operand as an immediate, where that is the same: a constant of the text with one value in all
/// slots that matter.
pub(super) fn immediate<L: Language>(step: &Step<L>, index: usize) -> Option<IsaOperand> {
    let operand: &Operand<L> = step.operands.get(index)?;
    let Register::Param(param) = operand.register else {
        return None;
    };
    if index != 1 || !step.op.has(OpFlags::IMM) {
        return None;
    }
    let bits = L::bits(param)?;
    let read = operand.swizzle.sources(step.slots(index));
    let mut values = read.components().map(|c| bits[c.index()]);
    let value = values.next()?;
    if values.any(|other| other != value) {
        return None;
    }
    if let OperandKind::Int(_) = step.op.operands()[index] {
        let bits = operand.modifiers.apply_int(value);
        let modifiers = Modifiers::default();
        return Some(IsaOperand::Imm(Imm { bits, modifiers }));
    }
    let value = operand.modifiers.apply_float(value);
    // The sign as a modifier is the canonical form.
    Some(IsaOperand::Imm(Imm {
        bits: value & 0x7fff_ffff,
        modifiers: Modifiers {
            negate: value >> 31 != 0,
            absolute: false,
        },
    }))
}
