//! Address registers for indices that are not address registers in the language.
//!
//! An index is loaded where a constant is read relative to it: with ARL if it is a float, with MOV if it
//! is an integer. It stays in its register until
//! the index is written, another one needs the register, or the block ends: other lanes may come there
//! with other addresses.

use std::ops::Range;

use attila_isa::{Opcode, Slots};

use super::code::Code;
use super::step::{Operand, Place, Register, Step};
use super::{ADDRESSES, Language};

/// The indices in the components of the address registers.
#[derive(Clone, Debug)]
pub(super) struct Loaded<L: Language> {
    indices: [Option<(Opcode, Operand<L>)>; ADDRESSES],
    /// The component that is loaded next.
    next: usize,
    /// Whether any has ever been loaded.
    any: bool,
    /// The number of borders of blocks before the place where they have been loaded.
    borders: usize,
}

impl<L: Language> Default for Loaded<L> {
    fn default() -> Loaded<L> {
        Loaded {
            indices: [None; ADDRESSES],
            next: 0,
            any: false,
            borders: 0,
        }
    }
}

impl<L: Language> Loaded<L> {
    /// Forgets what an instruction changes.
    pub(super) fn note(&mut self, step: &Step<L>) {
        if !self.any {
            return;
        }
        match step.result {
            Some((Place::Temp(temp), mask)) => self.forget(|index| {
                let read = index.swizzle.sources(Slots::X);
                index.register == Register::Temp(temp) && read.intersects(mask)
            }),
            Some((Place::Address(number), _)) => {
                if let Some(index) = self.indices.get_mut(number) {
                    *index = None;
                }
            }
            Some((
                Place::Predicate(_) | Place::Output(_) | Place::Scratch(_) | Place::Storage,
                _,
            ))
            | None => {}
        }
    }

    fn forget(&mut self, changes: impl Fn(&Operand<L>) -> bool) {
        for index in &mut self.indices {
            *index = index.filter(|(_, index)| !changes(index));
        }
    }
}

impl<L: Language> Code<L> {
    /// The component of the address registers that holds the floor of slot x of `index`. It has to be
    /// read before the next one is asked for, as there are [`ADDRESSES`] of them. A language whose
    /// texts name address registers does not need this.
    pub fn address(&mut self, index: Operand<L>, span: Range<usize>) -> usize {
        self.load(Opcode::Arl, index, span)
    }

    /// The component of the address registers that holds slot x of `index`, an integer. It is as
    /// short-lived as that of [`Code::address`].
    pub fn integer_address(&mut self, index: Operand<L>, span: Range<usize>) -> usize {
        self.load(Opcode::Mov, index, span)
    }

    fn load(&mut self, op: Opcode, index: Operand<L>, span: Range<usize>) -> usize {
        if self.loaded.borders != self.borders {
            self.loaded.forget(|_| true);
            self.loaded.borders = self.borders;
        }
        let mut loaded = self.loaded.indices.iter();
        if let Some(number) = loaded.position(|loaded| *loaded == Some((op, index))) {
            return number;
        }
        let number = self.loaded.next;
        self.loaded.next = (number + 1) % ADDRESSES;
        let result = Some((Place::Address(number), Slots::X));
        self.push(Step::new(op, result, &[index], span));
        self.loaded.any = true;
        self.loaded.indices[number] = Some((op, index));
        number
    }
}
