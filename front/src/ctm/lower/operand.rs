//! Operands: the register and the component of each slot.

use attila_isa::{Component, Modifiers, Reg, Slots, Src, Swizzle};

use super::super::program::{Select, Source, Value};
use super::super::registers::{self, number, numbers, presubtracted};

/// The source of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Slot {
    reg: Reg,
    component: Component,
    modifiers: Modifiers,
}

impl Slot {
    fn new(source: &Source, select: Select) -> Slot {
        let (reg, component) = match (number(select), select) {
            (Some(component), _) => (numbers(), component),
            (None, select) => {
                let component = match select {
                    Select::Component(component) => component,
                    Select::Zero | Select::Half | Select::One => Component::X,
                };
                let reg = match source.value {
                    Value::Literal => numbers(),
                    Value::Register(register) => registers::register(register),
                    Value::Presubtract(_) => presubtracted(),
                };
                (reg, component)
            }
        };
        Slot {
            reg,
            component,
            modifiers: Modifiers {
                negate: source.negate,
                absolute: source.absolute,
            },
        }
    }
}

/// An operand before it has one register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Vector([Slot; 4]);

impl Vector {
    /// The operand of a source, with another source in slot w.
    pub(super) fn new(source: &Source, fourth: Option<&Source>) -> Vector {
        let [x, y, z] = source.select.map(|select| Slot::new(source, select));
        let own = Slot::new(source, Select::Component(Component::W));
        let w = match fourth {
            Some(fourth) => Slot::new(fourth, fourth.select[0]),
            None if x == y && y == z => x,
            None => own,
        };
        Vector([x, y, z, w])
    }

    fn slot(&self, slot: Component) -> Slot {
        self.0[slot.index()]
    }

    /// The components of a register that these slots read.
    pub(super) fn reads(&self, slots: Slots, reg: Reg) -> Slots {
        let here = slots.components().map(|slot| self.slot(slot));
        let here = here.filter(|slot| slot.reg == reg);
        here.fold(Slots::empty(), |all, slot| {
            all | Slots::only(slot.component)
        })
    }

    /// The operand, if a swizzle of one register gives these slots.
    pub(super) fn source(&self, slots: Slots) -> Option<Src> {
        let first = self.slot(slots.components().next()?);
        let fits = |slot: Slot| (slot.reg, slot.modifiers) == (first.reg, first.modifiers);
        let fit = slots.components().all(|slot| fits(self.slot(slot)));
        fit.then(|| self.from(first.reg, first.modifiers))
    }

    /// The slots that come from a register; the others take their own components of it.
    fn from(&self, reg: Reg, modifiers: Modifiers) -> Src {
        let component = |slot: Component| {
            let found = self.slot(slot);
            match found.reg == reg {
                true => found.component,
                false => slot,
            }
        };
        Src {
            reg,
            swizzle: Swizzle::new(Component::ALL.map(component)),
            modifiers,
        }
    }

    /// Brings these slots together in a register, with moves. Signs are changed by the moves only if
    /// slots differ in them.
    pub(super) fn gather(&self, reg: Reg, slots: Slots, mut mov: impl FnMut(Slots, Src)) -> Src {
        let all = |list: Slots| list.components().map(|slot| self.slot(slot));
        let shared = all(slots).next().map(|slot| slot.modifiers);
        let shared = shared.filter(|it| all(slots).all(|slot| slot.modifiers == *it));
        let mut rest = slots;
        while let Some(slot) = rest.components().next() {
            let first = self.slot(slot);
            let fits = |slot: &Component| {
                let slot = self.slot(*slot);
                (slot.reg, slot.modifiers) == (first.reg, first.modifiers)
            };
            let part = rest.components().filter(fits).map(Slots::only);
            let part: Slots = part.collect();
            let modifiers = match shared {
                Some(_) => Modifiers::default(),
                None => first.modifiers,
            };
            let src = self.from(first.reg, modifiers);
            let mut components = part.components().map(|slot| self.slot(slot).component);
            let swizzle = match components.all(|it| it == first.component) {
                true => Swizzle::broadcast(first.component),
                false => src.swizzle,
            };
            mov(part, Src { swizzle, ..src });
            rest = rest.difference(part);
        }
        Src {
            modifiers: shared.unwrap_or_default(),
            ..Src::new(reg)
        }
    }
}
