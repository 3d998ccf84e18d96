//! Places for the operands of an instruction.

use super::uses::NEVER;
use super::{Allocator, IN_MEMORY, NOWHERE, Out, SOON};
use crate::bits::ones;
use crate::wide::instructions as make;
use crate::wide::mir::{Arg, Class, Holds, Role, Under, Vreg};

impl Allocator<'_> {
    /// Finds places for all operands.
    pub(super) fn operands(&mut self, args: &[Arg], under: Under) {
        let mut are_held = true;
        reads(args, under, |vreg| are_held &= self.pin_held(vreg));
        if !are_held {
            self.load_operands(args, under);
        }
        self.tie_results(args, under);
        for arg in args {
            if let Arg::DefEarly(vreg) = *arg {
                self.room(vreg);
            }
        }
        reads(args, under, |vreg| self.release(vreg));
        for arg in args {
            if let Arg::Def(vreg) = *arg {
                self.room(vreg);
            }
        }
    }

    /// Keeps a value in its register. False if it has none.
    pub(super) fn pin_held(&mut self, vreg: Vreg) -> bool {
        let number = self.location[vreg.index()];
        if number != NOWHERE {
            self.pin(vreg, number);
        }
        number != NOWHERE
    }

    /// Loads operands that are in memory and may not be, or should not.
    fn load_operands(&mut self, args: &[Arg], under: Under) {
        for arg in args {
            match *arg {
                Arg::Use(vreg) | Arg::Lanes(_, vreg, ..) | Arg::Tied(_, vreg) => {
                    self.in_register(vreg);
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
                self.in_register(vreg);
            }
            Under::All | Under::Fixed(_) => {}
        }
        for arg in args {
            if let Arg::UseMem(vreg) | Arg::UseWhole(vreg) = *arg {
                self.anywhere(vreg, matches!(arg, Arg::UseMem(_)));
            }
        }
    }

    /// Finds registers for results that are made of operands in place.
    fn tie_results(&mut self, args: &[Arg], under: Under) {
        for arg in args {
            if let Arg::Tied(new, old) = *arg {
                self.tie(new, old);
            }
        }
        if let Under::Consumed(new, old) = under {
            self.tie(new, old);
        }
    }

    /// Gives a result the register of an operand, or one with a copy of it.
    fn tie(&mut self, new: Vreg, old: Vreg) {
        let number = self.location[old.index()];
        if self.next(old) == NEVER {
            self.give(old, new);
            return;
        }
        let class = self.vregs.class(new);
        let into = self.room(new);
        let moved = make::copy(self.width, class, into, number);
        self.out.push(Out::Inst(moved));
    }

    /// Gives a result the register of an operand that is not used again.
    pub(super) fn give(&mut self, old: Vreg, new: Vreg) {
        self.occupy(new, self.location[old.index()]);
        self.dying.push(old);
    }

    /// Notes the next use of an operand. If there is none, its register is free for results.
    pub(super) fn release(&mut self, vreg: Vreg) {
        let number = self.location[vreg.index()];
        if number == NOWHERE {
            return;
        }
        let next = self.next(vreg);
        let file = &mut self.files[self.vregs.class(vreg) as usize];
        // A result may have it already.
        if file.held >> number & 1 == 0 || file.values[usize::from(number)] != vreg {
            return;
        }
        file.next[usize::from(number)] = next;
        if next == NEVER {
            file.held &= !(1 << number);
            file.pinned &= !(1 << number);
            self.dying.push(vreg);
        }
    }

    /// Loads an operand that may be in memory if it should not be.
    fn anywhere(&mut self, vreg: Vreg, of_a_word: bool) {
        if self.location[vreg.index()] != NOWHERE {
            return;
        }
        let is_word = self.home(vreg).holds == Holds::Word;
        if is_word && !of_a_word || self.is_worth_loading(vreg) {
            self.in_register(vreg);
        }
    }

    /// Whether a vector in memory should have a register: it is used again soon, and there is room.
    pub(super) fn is_worth_loading(&mut self, vreg: Vreg) -> bool {
        self.next(vreg).saturating_sub(self.now) <= SOON
            && self.file(Class::Vector).free().count_ones() > 2
    }

    /// The register of a value, which is loaded if it is in memory, and stays where it is.
    pub(super) fn in_register(&mut self, vreg: Vreg) -> u8 {
        let number = self.location[vreg.index()];
        if number != NOWHERE {
            self.pin(vreg, number);
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
        let file = self.file(class);
        let held = ones((file.held & !file.pinned).into());
        let farthest = held.max_by_key(|&number| {
            let is_in_memory = self.is_in_memory(file.values[number as usize]);
            let more = if is_in_memory { IN_MEMORY } else { 0 };
            (file.next[number as usize].saturating_add(more), number)
        });
        let number = farthest.expect("an instruction does not need all registers") as u8;
        let vreg = file.values[usize::from(number)];
        self.vacate(vreg);
        self.keep_in_memory(vreg);
        number
    }
}

/// Calls `f` with every virtual register that an instruction reads.
fn reads(args: &[Arg], under: Under, mut f: impl FnMut(Vreg)) {
    let mut read = |vreg: Vreg, role: Role| {
        if role == Role::Reads {
            f(vreg);
        }
    };
    args.iter().for_each(|arg| arg.vregs(&mut read));
    under.vregs(&mut read);
}
