//! Which constant register holds what.
//!
//! Arrays that are addressed relatively come first, whole. Of constants in the text only the
//! components that are read are kept, each value once: `0.5` and `{1, 0.5}` need one register.

use std::collections::BTreeMap;

use attila_isa::{Bank, Component, OpFlags, Operand as IsaOperand, Remark, Slots, Swizzle};
use attila_isa::{Imm, Modifiers};
use smallvec::SmallVec;

use super::super::binding::Param;
use super::super::program::ArbProgram;
use super::code::{Code, Operand, Register, Step};

/// How many constant registers there are.
pub(super) const SIZE: u16 = Bank::Constant.size();

/// Where arrays begin.
pub(super) struct Layout {
    bases: Vec<u16>,
    rows: Vec<Row>,
}

/// A constant register.
#[derive(Clone, Copy)]
enum Row {
    /// A parameter.
    Param(Param),
    /// Constants of the text.
    Packed([Option<u32>; 4]),
}

impl Layout {
    /// Gives registers to the arrays of `program` that are addressed relatively.
    pub(super) fn new(program: &ArbProgram, end: usize) -> Result<Layout, Remark> {
        let mut layout = Layout {
            bases: Vec::new(),
            rows: Vec::new(),
        };
        for array in &program.arrays {
            let base = u16::try_from(layout.rows.len()).map_err(|_| too_many(end))?;
            layout.bases.push(base);
            if array.relative {
                let rows = array.params.iter().map(|param| Row::Param(*param));
                layout.rows.extend(rows);
            }
        }
        if layout.rows.len() > usize::from(SIZE) {
            return Err(too_many(end));
        }
        Ok(layout)
    }

    /// The register of an array's first element.
    pub(super) fn base(&self, array: usize) -> u16 {
        self.bases[array]
    }
}

fn too_many(end: usize) -> Remark {
    let message = format!("the program needs more than {SIZE} constant registers");
    Remark::new(end..end, message)
}

/// The constant registers of a program.
pub(super) struct Pool {
    rows: Vec<Row>,
    places: BTreeMap<Param, u16>,
}

/// The constant registers that `code` needs.
pub(super) fn pool(layout: Layout, code: &Code, end: usize) -> Result<Pool, Remark> {
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
    for step in &code.steps {
        for (index, operand) in step.operands.iter().enumerate() {
            match operand.register {
                Register::Param(Param::Constant(bits)) if immediate(step, index).is_none() => {
                    packed.push(values(bits, operand.swizzle.sources(step.slots(index))));
                }
                Register::Param(Param::Constant(_)) => {}
                Register::Param(param) => pool.add(param),
                Register::Temp(_) | Register::Input(_) | Register::Element { .. } => {}
            }
        }
    }
    // The widest first: the others fit into what they leave.
    packed.sort_by_key(|values| std::cmp::Reverse(values.len()));
    for values in packed {
        if pool.rows.len() > usize::from(SIZE) {
            break;
        }
        pool.pack(&values);
    }
    if pool.rows.len() > usize::from(SIZE) {
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

impl Pool {
    fn add(&mut self, param: Param) {
        if !self.places.contains_key(&param) {
            self.places.insert(param, self.rows.len() as u16);
            self.rows.push(Row::Param(param));
        }
    }

    /// Makes some register hold all of `values`.
    fn pack(&mut self, values: &[u32]) {
        let fits = |row: &Row| row.missing(values) <= row.room();
        let index = self.rows.iter().position(fits).unwrap_or(self.rows.len());
        if index == self.rows.len() {
            self.rows.push(Row::Packed([None; 4]));
        }
        for value in values {
            self.rows[index].hold(*value);
        }
    }

    /// The register of an operand and the swizzle that takes the same from it in `slots`.
    pub(super) fn place(&self, param: Param, swizzle: Swizzle, slots: Slots) -> (u16, Swizzle) {
        let Param::Constant(bits) = param else {
            return (self.places.get(&param).copied().unwrap_or(0), swizzle);
        };
        let wanted = values(bits, swizzle.sources(slots));
        let holds = |row: &Row| row.missing(&wanted) == 0;
        let index = self.rows.iter().position(holds).unwrap_or(0);
        let row = self.rows[index];
        let find = |slot: Component| row.find(bits[swizzle.source(slot).index()]);
        (index as u16, choose(slots, Slots::all(), find))
    }

    /// What the registers hold.
    pub(super) fn rows(&self) -> impl Iterator<Item = (u32, Param)> {
        let rows = self.rows.iter().enumerate();
        rows.map(|(index, row)| (index as u32, row.param()))
    }
}

impl Row {
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
            Row::Param(Param::Constant(bits)) => bits.map(Some),
            Row::Param(Param::Env(_) | Param::Local(_) | Param::State(_) | Param::Window) => {
                return None;
            }
            Row::Packed(components) => *components,
        };
        let mut components = Component::ALL.into_iter();
        components.find(|component| held[component.index()] == Some(value))
    }

    fn param(&self) -> Param {
        match self {
            Row::Param(param) => *param,
            Row::Packed(components) => Param::Constant(components.map(|c| c.unwrap_or(0))),
        }
    }
}

/// A swizzle that takes what `find` says in `slots`, and whatever reads best in the others, but no
/// component that is not in `present`.
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

/// An operand as an immediate, where that is the same: a constant of the text with one value in all
/// slots that matter.
pub(super) fn immediate(step: &Step, index: usize) -> Option<IsaOperand> {
    let operand: &Operand = step.operands.get(index)?;
    let Register::Param(Param::Constant(bits)) = operand.register else {
        return None;
    };
    if index != 1 || !step.op.has(OpFlags::IMM) {
        return None;
    }
    let read = operand.swizzle.sources(step.slots(index));
    let mut values = read.components().map(|c| bits[c.index()]);
    let value = values.next()?;
    if values.any(|other| other != value) {
        return None;
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
