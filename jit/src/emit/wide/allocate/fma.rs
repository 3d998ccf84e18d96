//! Products with sums: one of three forms, in the register of an operand.

use super::uses::{NEVER, Operand};
use super::{Allocator, NOWHERE, Out, Place};
use crate::emit::wide::instructions as make;
use crate::emit::wide::mir::{Class, Fma, Vreg};

impl Allocator<'_> {
    /// A product and a sum: in the register of an operand that is not used again, at most one operand
    /// in memory.
    pub(super) fn fma(&mut self, fma: &Fma, operands: &[Operand]) {
        let [a, b, c] = fma.of;
        for operand in operands.iter().filter(|operand| operand.role.reads()) {
            self.pin_held(operand);
        }
        let mut memory = None;
        for of in [c, b, a] {
            if self.location[of.index()] == NOWHERE {
                let again = self.is_worth_loading(of);
                let once = fma.of.iter().filter(|it| **it == of).count() == 1;
                if memory.is_none() && once && !again {
                    memory = Some(of);
                } else if memory != Some(of) {
                    self.in_register(of, Class::Vector);
                }
            }
        }
        let mut order = [c, a, b].into_iter();
        let dies = order.find(|&of| Some(of) != memory && self.next.of(of) == NEVER);
        let mut places = fma.of.map(|of| self.places().of(of));
        let (tied, into) = match dies {
            Some(of) => {
                let tied = fma.of.iter().position(|&it| it == of).expect("it is one");
                let into = self.location[of.index()];
                self.occupy(fma.result, Class::Vector, into);
                (tied, into)
            }
            None => self.fma_fresh(fma, memory, &mut places),
        };
        self.release_all(operands);
        let made = make::fma(self.width, fma, tied, into, places);
        self.out.push(Out::Inst(made));
    }

    /// The same if all operands are used again: into a copy of one, or into what is loaded.
    fn fma_fresh(
        &mut self,
        fma: &Fma,
        memory: Option<Vreg>,
        places: &mut [Place; 3],
    ) -> (usize, u8) {
        let into = self.room(fma.result, Class::Vector);
        let tied = fma
            .of
            .iter()
            .position(|&of| Some(of) == memory)
            .unwrap_or(2);
        let first = match places[tied] {
            Place::Memory(home) => make::load(self.width, Class::Vector, into, home),
            Place::Register(number) => make::copy(self.width, Class::Vector, into, number),
        };
        self.out.push(Out::Inst(first));
        for (place, of) in places.iter_mut().zip(fma.of) {
            if Some(of) == memory {
                *place = Place::Register(into);
            }
        }
        places[tied] = Place::Register(into);
        (tied, into)
    }
}
