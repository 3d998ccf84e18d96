//! Places for the operands of an instruction.

use super::uses::NEVER;
use super::{Allocator, File, Found, IN_MEMORY, NOWHERE, Out, Place, SOON};
use crate::bits::ones;
use crate::wide::instructions as make;
use crate::wide::mir::{Arg, Class, Holds, Role, Under, Vreg};

impl Allocator<'_> {
    /// Finds places for all operands.
    pub(super) fn operands(&mut self, args: &[Arg], under: Under) -> Found {
        let mut found = Found::default();
        let mut stay = |vreg: Vreg, role: Role| {
            let number = self.location[vreg.index()];
            if role == Role::Reads && number != NOWHERE {
                self.pin(vreg, number);
            }
        };
        args.iter().for_each(|arg| arg.vregs(&mut stay));
        under.vregs(&mut stay);
        let pin = |this: &mut Self, vreg| {
            let number = this.in_register(vreg);
            this.pin(vreg, number);
            number
        };
        for arg in args {
            match *arg {
                Arg::Use(vreg) | Arg::Lanes(_, vreg, ..) | Arg::Tied(_, vreg) => {
                    let number = pin(self, vreg);
                    found.put(vreg, Place::Register(number));
                }
                Arg::Def(_)
                | Arg::DefEarly(_)
                | Arg::UseMem(_)
                | Arg::UseWhole(_)
                | Arg::Fixed(_)
                | Arg::Mem(_)
                | Arg::Imm(_) => {}
            }
        }
        match under {
            Under::Mask(vreg) | Under::Zeroing(vreg) | Under::Consumed(_, vreg) => {
                let number = pin(self, vreg);
                found.put(vreg, Place::Register(number));
            }
            Under::All | Under::Fixed(_) => {}
        }
        for arg in args {
            if let Arg::UseMem(vreg) | Arg::UseWhole(vreg) = *arg {
                let place = self.anywhere(vreg, matches!(arg, Arg::UseMem(_)));
                found.put(vreg, place);
            }
        }
        self.results(args, under, &mut found);
        found
    }

    /// Finds registers for results.
    fn results(&mut self, args: &[Arg], under: Under, found: &mut Found) {
        let tied = args.iter().filter_map(|arg| {
            let Arg::Tied(new, old) = *arg else {
                return None;
            };
            Some((new, old))
        });
        let consumed = match under {
            Under::Consumed(new, old) => Some((new, old)),
            Under::All | Under::Mask(_) | Under::Zeroing(_) | Under::Fixed(_) => None,
        };
        for (new, old) in tied.chain(consumed) {
            let number = self.tie(new, old);
            found.put_result(new, number);
        }
        for arg in args {
            if let Arg::DefEarly(vreg) = *arg {
                let number = self.room(vreg);
                found.put(vreg, Place::Register(number));
            }
        }
        self.release(found);
        for arg in args {
            if let Arg::Def(vreg) = *arg {
                let number = self.room(vreg);
                found.put(vreg, Place::Register(number));
            }
        }
    }

    /// The register of a result that is made of an operand in place.
    fn tie(&mut self, new: Vreg, old: Vreg) -> u8 {
        let number = self.location[old.index()];
        if self.distance(old) == NEVER {
            self.vacate(old);
            self.occupy(new, number);
            self.pin(new, number);
            return number;
        }
        let class = self.vregs.class(new);
        let into = self.room(new);
        let moved = make::copy(self.width, class, into, number);
        self.out.push(Out::Inst(moved));
        into
    }

    /// Operands that are not used again leave their registers.
    fn release(&mut self, found: &Found) {
        for &(vreg, place) in &found.places {
            if matches!(place, Place::Register(number) if self.location[vreg.index()] == number)
                && self.distance(vreg) == NEVER
                && !found.results.contains(&vreg)
            {
                self.die(vreg);
            }
        }
    }

    pub(super) fn die(&mut self, vreg: Vreg) {
        self.vacate(vreg);
        self.dying.push(vreg);
    }

    /// The place of an operand that may be in memory.
    fn anywhere(&mut self, vreg: Vreg, of_a_word: bool) -> Place {
        let number = self.location[vreg.index()];
        if number != NOWHERE {
            self.pin(vreg, number);
            return Place::Register(number);
        }
        let home = self.home(vreg);
        if home.holds == Holds::Word && !of_a_word || self.is_worth_loading(vreg) {
            let number = self.in_register(vreg);
            self.pin(vreg, number);
            return Place::Register(number);
        }
        Place::Memory(home)
    }

    /// Whether a vector in memory should have a register: it is used again soon, and there is room.
    pub(super) fn is_worth_loading(&mut self, vreg: Vreg) -> bool {
        self.distance(vreg) <= SOON && self.file(Class::Vector).free().count_ones() > 2
    }

    /// The register of a value, which is loaded if it is in memory.
    pub(super) fn in_register(&mut self, vreg: Vreg) -> u8 {
        let number = self.location[vreg.index()];
        if number != NOWHERE {
            return number;
        }
        let home = self.home(vreg);
        let number = self.room(vreg);
        let class = self.vregs.class(vreg);
        let load = make::load(self.width, class, number, home);
        self.out.push(Out::Inst(load));
        number
    }

    /// A register for a value, another leaving if it has to.
    pub(super) fn room(&mut self, vreg: Vreg) -> u8 {
        let class = self.vregs.class(vreg);
        let file = self.file(class);
        let number = match file.free() & !file.pinned {
            0 => self.evict(class),
            free => free.trailing_zeros() as u8,
        };
        self.occupy(vreg, number);
        self.pin(vreg, number);
        number
    }

    /// Takes the register of the value that is used last. Operands of the instruction are pinned.
    fn evict(&mut self, class: Class) -> u8 {
        let File {
            held,
            pinned,
            values,
            ..
        } = *self.file(class);
        let held = ones((held & !pinned).into());
        let farthest = held.max_by_key(|&number| {
            let vreg = values[number as usize];
            let distance = self.distance(vreg);
            let is_in_memory = self.vregs.home(vreg).is_some() || self.slots.has(vreg);
            let more = if is_in_memory { IN_MEMORY } else { 0 };
            (distance.saturating_add(more), number)
        });
        let number = farthest.expect("an instruction does not need all registers");
        let (number, vreg) = (number as u8, values[number as usize]);
        self.vacate(vreg);
        self.keep_in_memory(vreg);
        number
    }
}
