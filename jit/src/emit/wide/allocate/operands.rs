//! Places for the operands of an instruction.

use super::uses::{NEVER, Operand};
use super::{Allocator, NOWHERE, Out};
use crate::bits::ones;
use crate::emit::wide::instructions as make;
use crate::emit::wide::mir::{Class, Holds, Role, Vreg};

impl Allocator<'_> {
    /// Finds places for all operands.
    pub(super) fn operands(&mut self, operands: &[Operand]) {
        let (mut are_held, mut are_late) = (true, true);
        for operand in operands {
            match operand.role {
                Role::Reads | Role::ReadsAnywhere | Role::ReadsWhole => {
                    are_held &= self.pin_held(operand);
                }
                Role::WritesEarly | Role::Replaces => are_late = false,
                Role::Writes => {}
            }
        }
        if !are_held {
            self.load_operands(operands);
        }
        if !are_late {
            self.early_results(operands);
        }
        self.release_all(operands);
        for operand in operands.iter().filter(|it| it.role == Role::Writes) {
            self.room(operand.vreg, operand.class);
        }
    }

    /// Finds registers for the results that are there before all operands have been read.
    fn early_results(&mut self, operands: &[Operand]) {
        for pair in operands.windows(2) {
            if pair[1].role == Role::Replaces {
                self.tie(&pair[1], &pair[0]);
            }
        }
        for operand in operands.iter().filter(|it| it.role == Role::WritesEarly) {
            self.room(operand.vreg, operand.class);
        }
    }

    /// Keeps a value in its register. False if it has none.
    pub(super) fn pin_held(&mut self, operand: &Operand) -> bool {
        let number = self.location[operand.vreg.index()];
        if number == NOWHERE {
            return false;
        }
        self.pin(operand.class, number);
        self.files[operand.class as usize].next[usize::from(number)] = operand.next;
        true
    }

    /// Loads operands that are in memory and may not be, or should not.
    fn load_operands(&mut self, operands: &[Operand]) {
        for operand in operands.iter().filter(|it| it.role == Role::Reads) {
            self.in_register(operand.vreg, operand.class);
        }
        for operand in operands {
            match operand.role {
                Role::ReadsAnywhere => self.anywhere(operand, true),
                Role::ReadsWhole => self.anywhere(operand, false),
                Role::Reads | Role::Writes | Role::WritesEarly | Role::Replaces => {}
            }
        }
    }

    /// Gives a result the register of an operand, or one with a copy of it.
    fn tie(&mut self, new: &Operand, old: &Operand) {
        let number = self.location[old.vreg.index()];
        if old.is_last() {
            self.occupy(new.vreg, new.class, number);
            return;
        }
        let into = self.room(new.vreg, new.class);
        let moved = make::copy(self.width, new.class, into, number);
        self.out.push(Out::Inst(moved));
    }

    /// The registers of operands that are not used again are free for results.
    pub(super) fn release_all(&mut self, operands: &[Operand]) {
        for operand in operands {
            let number = self.location[operand.vreg.index()];
            if !operand.is_last() || !operand.role.reads() || number == NOWHERE {
                continue;
            }
            let file = &mut self.files[operand.class as usize];
            // A result may have it already.
            if file.values[usize::from(number)] == operand.vreg {
                file.held &= !(1 << number);
                file.pinned &= !(1 << number);
            }
        }
    }

    /// Loads an operand that may be in memory if it should not be.
    fn anywhere(&mut self, operand: &Operand, of_a_word: bool) {
        let vreg = operand.vreg;
        if self.location[vreg.index()] != NOWHERE {
            return;
        }
        let is_word = self.places().home(vreg).holds == Holds::Word;
        if is_word && !of_a_word || self.is_worth_loading(vreg) {
            self.in_register(vreg, operand.class);
        }
    }

    /// Whether a vector in memory should have a register: it is used again, and there is room.
    pub(super) fn is_worth_loading(&self, vreg: Vreg) -> bool {
        self.next.of(vreg) != NEVER && self.file(Class::Vector).free().count_ones() > 2
    }

    /// The register of a value, which is loaded if it is in memory, and stays where it is.
    pub(super) fn in_register(&mut self, vreg: Vreg, class: Class) -> u8 {
        let number = self.location[vreg.index()];
        if number != NOWHERE {
            self.pin(class, number);
            return number;
        }
        let home = self.places().home(vreg);
        let number = self.room(vreg, class);
        let load = make::load(self.width, class, number, home);
        self.out.push(Out::Inst(load));
        number
    }

    /// A register for a value, another leaving if it has to.
    pub(super) fn room(&mut self, vreg: Vreg, class: Class) -> u8 {
        let file = self.file(class);
        let number = match file.free() & !file.pinned {
            0 => self.evict(class),
            free => free.trailing_zeros() as u8,
        };
        self.occupy(vreg, class, number);
        self.pin(class, number);
        number
    }

    /// Takes the register of the value that is used last. Operands of the instruction are pinned.
    fn evict(&mut self, class: Class) -> u8 {
        let file = self.file(class);
        let held = ones((file.held & !file.pinned).into());
        let farthest = held.max_by_key(|&number| (file.next[number as usize], number));
        let number = farthest.expect("an instruction does not need all registers") as u8;
        let vreg = file.values[usize::from(number)];
        self.vacate(vreg, class);
        self.keep_in_memory(vreg);
        number
    }
}
