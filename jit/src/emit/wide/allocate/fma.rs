//! Products with sums: one of three forms, in the register of an operand.

use super::uses::NEVER;
use super::{Allocator, NOWHERE, Out, Place};
use crate::wide::instructions as make;
use crate::wide::mir::{Class, Fma, Vreg};

impl Allocator<'_> {
    /// A product and a sum: in the register of an operand that is not used again, at most one operand
    /// in memory.
    pub(super) fn fma(&mut self, fma: &Fma) {
        let [a, b, c] = fma.of;
        for of in fma.of {
            let number = self.location[of.index()];
            if number != NOWHERE {
                self.pin(of, number);
            }
        }
        let mut memory = None;
        for of in [c, b, a] {
            if self.location[of.index()] == NOWHERE {
                let again = self.is_worth_loading(of);
                let once = fma.of.iter().filter(|it| **it == of).count() == 1;
                if memory.is_none() && once && !again {
                    memory = Some(of);
                } else if memory != Some(of) {
                    let number = self.in_register(of);
                    self.pin(of, number);
                }
            }
        }
        let dies = [c, a, b].into_iter().find(|&of| {
            Some(of) != memory && self.distance(of) == NEVER && self.location[of.index()] != NOWHERE
        });
        let mut places = fma.of.map(|of| {
            if Some(of) == memory {
                Place::Memory(self.home(of))
            } else {
                Place::Register(self.location[of.index()])
            }
        });
        let (tied, into) = match dies {
            Some(of) => {
                let tied = fma.of.iter().position(|&it| it == of).expect("it is one");
                let into = self.location[of.index()];
                self.vacate(of);
                self.occupy(fma.result, into);
                self.pin(fma.result, into);
                self.dying.push(of);
                (tied, into)
            }
            None => self.fma_fresh(fma, memory, &mut places),
        };
        for of in fma.of {
            if self.location[of.index()] != NOWHERE && self.distance(of) == NEVER {
                self.die(of);
            }
        }
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
        let into = self.room(fma.result);
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
