//! Places for the operands of an instruction.

use super::uses::{NEVER, Operand};
use super::{Allocator, IN_MEMORY, NOWHERE, Out, SOON};
use crate::bits::ones;
use crate::wide::instructions as make;
use crate::wide::mir::{Class, Holds, Role, Vreg};

impl Allocator<'_> {
    /// Finds places for all operands.
    pub(super) fn operands(&mut self, operands: &[Operand]) {
        let mut are_held = true;
        for operand in operands.iter().filter(|operand| operand.role.reads()) {
            are_held &= self.pin_held(operand.vreg);
        }
        if !are_held {
            self.load_operands(operands);
        }
        for (place, operand) in operands.iter().enumerate() {
            if operand.role == Role::Replaces {
                self.tie(operand.vreg, operands[place - 1].vreg);
            }
        }
        self.make_room(operands, Role::WritesEarly);
        for operand in operands.iter().filter(|operand| operand.role.reads()) {
            self.release(operand.vreg);
        }
        self.make_room(operands, Role::Writes);
    }

    /// Finds registers for the results with a role.
    fn make_room(&mut self, operands: &[Operand], role: Role) {
        for operand in operands.iter().filter(|operand| operand.role == role) {
            self.room(operand.vreg);
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
    fn load_operands(&mut self, operands: &[Operand]) {
        for operand in operands.iter().filter(|it| it.role == Role::Reads) {
            self.in_register(operand.vreg);
        }
        for &Operand { vreg, role, .. } in operands {
            match role {
                Role::ReadsAnywhere => self.anywhere(vreg, true),
                Role::ReadsWhole => self.anywhere(vreg, false),
                Role::Reads | Role::Writes | Role::WritesEarly | Role::Replaces => {}
            }
        }
    }

    /// Gives a result the register of an operand, or one with a copy of it.
    fn tie(&mut self, new: Vreg, old: Vreg) {
        let number = self.location[old.index()];
        if self.next.of(old) == NEVER {
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

    /// If an operand is not used again, its register is free for results.
    pub(super) fn release(&mut self, vreg: Vreg) {
        let number = self.location[vreg.index()];
        if number == NOWHERE || self.next.of(vreg) != NEVER {
            return;
        }
        let file = &mut self.files[self.vregs.class(vreg) as usize];
        // A result may have it already.
        if file.held >> number & 1 == 1 && file.values[usize::from(number)] == vreg {
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
        let is_word = self.places().home(vreg).holds == Holds::Word;
        if is_word && !of_a_word || self.is_worth_loading(vreg) {
            self.in_register(vreg);
        }
    }

    /// Whether a vector in memory should have a register: it is used again soon, and there is room.
    pub(super) fn is_worth_loading(&self, vreg: Vreg) -> bool {
        self.next.of(vreg).saturating_sub(self.now) <= SOON
            && self.file(Class::Vector).free().count_ones() > 2
    }

    /// The register of a value, which is loaded if it is in memory, and stays where it is.
    pub(super) fn in_register(&mut self, vreg: Vreg) -> u8 {
        let number = self.location[vreg.index()];
        if number != NOWHERE {
            self.pin(vreg, number);
            return number;
        }
        let home = self.places().home(vreg);
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
            let vreg = file.values[number as usize];
            let more = if self.is_in_memory(vreg) {
                IN_MEMORY
            } else {
                0
            };
            (self.next.of(vreg).saturating_add(more), number)
        });
        let number = farthest.expect("an instruction does not need all registers") as u8;
        let vreg = file.values[usize::from(number)];
        self.vacate(vreg);
        self.keep_in_memory(vreg);
        number
    }
}
