//! Address registers for indices that are not address registers in the language.
//!
//! An index is loaded where a constant is read relative to it: with ARL if it is a float, with MOV if it
//! is an integer. It stays in its register until
//! the index is written, another one needs the register, or the block ends: other lanes may come there
//! with other addresses. The register that has not been asked for the longest is needed first, so that an
//! instruction may ask for several.

use std::ops::Range;

use attila_isa::{Opcode, Slots};

use super::code::Code;
use super::step::{Operand, Place, Register, Step};
use super::{ADDRESSES, Language};

/// The indices in the components of the address registers.
#[derive(Clone, Debug)]
pub(super) struct Loaded<L: Language> {
    indices: [Option<(Opcode, Operand<L>)>; ADDRESSES],
    /// The request for each component that came last, counted from 1.
    asked: [usize; ADDRESSES],
    /// The number of requests.
    requests: usize,
    /// The number of borders of blocks before the place where they have been loaded.
    borders: usize,
}

impl<L: Language> Default for Loaded<L> {
    fn default() -> Loaded<L> {
        Loaded {
            indices: [None; ADDRESSES],
            asked: [0; ADDRESSES],
            requests: 0,
            borders: 0,
        }
    }
}

impl<L: Language> Loaded<L> {
    /// Forgets what an instruction changes.
    pub(super) fn note(&mut self, step: &Step<L>) {
        if self.requests == 0 {
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

    /// The component that has not been asked for the longest.
    fn oldest(&self) -> usize {
        let asked = self.asked.iter().enumerate();
        asked.min_by_key(|(_, asked)| **asked).map_or(0, |it| it.0)
    }

    fn forget(&mut self, changes: impl Fn(&Operand<L>) -> bool) {
        for index in &mut self.indices {
            *index = index.filter(|(_, index)| !changes(index));
        }
    }
}

impl<L: Language> Code<L> {
    /// The component of the address registers that holds the floor of slot x of `index`. It has to be
    /// read before so many others are asked for that there are more than [`ADDRESSES`]. A language whose
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
        let wanted = Some((op, index));
        let mut indices = self.loaded.indices.iter();
        let known = indices.position(|loaded| *loaded == wanted);
        let number = known.unwrap_or_else(|| self.loaded.oldest());
        self.loaded.requests += 1;
        self.loaded.asked[number] = self.loaded.requests;
        if known.is_none() {
            let result = Some((Place::Address(number), Slots::X));
            self.push(Step::new(op, result, &[index], span));
            self.loaded.indices[number] = wanted;
        }
        number
    }
}
