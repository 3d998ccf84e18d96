//! Operations on doubles, which are pairs of components.

use attila_isa::{Component, Modifiers, Opcode, Remark, Slots};

use super::super::dialect::{DoubleTests, Exponents};
use super::super::language::Param;
use super::super::program::Instruction;
use super::{Lowering, Operand, Register, words};

use Component::{W, X, Y, Z};

const LOW: Slots = Slots::X.union(Slots::Z);
const HIGH: Slots = Slots::Y.union(Slots::W);
const FIRST: Slots = Slots::X.union(Slots::Y);
const SECOND: Slots = Slots::Z.union(Slots::W);

impl Lowering<'_> {
    /// An operand as doubles. Words of the text, which a swizzle may put together in any order, are put
    /// together here; those that an address chooses, when the program runs.
    pub(super) fn double(&mut self, operand: Operand) -> Operand {
        let Register::Param(Param::Constant(bits)) = operand.register else {
            return self.aligned(operand);
        };
        let chosen = Component::ALL.map(|slot| bits[operand.swizzle.source(slot).index()]);
        Operand {
            modifiers: operand.modifiers,
            ..words(chosen)
        }
    }

    /// An operand whose swizzle keeps pairs of components.
    fn aligned(&mut self, operand: Operand) -> Operand {
        let halves = [[X, Y], [Z, W]];
        let is_double =
            |pair: [Component; 2]| halves.contains(&pair.map(|slot| operand.swizzle.source(slot)));
        if halves.into_iter().all(is_double) {
            return operand;
        }
        let plain = Operand {
            modifiers: Modifiers::default(),
            ..operand
        };
        Operand {
            modifiers: operand.modifiers,
            ..self.value(Slots::all(), Opcode::Mov, [plain])
        }
    }

    /// DNEG and DABS: the sign is the uppermost bit of the high word.
    fn signed(&mut self, source: Operand, result: Operand) {
        let plain = Operand {
            modifiers: Modifiers::default(),
            ..source
        };
        let temp = self.code.temp();
        self.write_masked(temp, LOW, Opcode::Mov, [plain]);
        self.write_masked(temp, HIGH, Opcode::Mov, [result]);
        self.finish(Opcode::Mov, [Operand::temp(temp)]);
    }

    pub(super) fn double_negated(&mut self, [a]: [Operand; 1]) {
        let a = self.double(a);
        self.signed(a, a.negated());
    }

    pub(super) fn double_absolute(&mut self, [a]: [Operand; 1]) {
        let a = self.double(a);
        self.signed(a, a.absolute());
    }

    /// A comparison: numbers in their pairs, or the mask of the first pair in the first component that is written, and
    /// that of the second pair in the second one.
    pub(super) fn compare_doubles(&mut self, op: Opcode, [a, b]: [Operand; 2]) {
        let operands = [self.double(a), self.double(b)];
        match self.rules.double_tests {
            DoubleTests::Masks => self.masks_in_turn(op, operands),
            DoubleTests::Numbers => {
                let masks = self.part(op, operands);
                let [low, high] = [0, 32].map(|shift| (1f64.to_bits() >> shift) as u32);
                self.finish(Opcode::And, [masks, words([low, high, low, high])]);
            }
        }
    }

    fn masks_in_turn(&mut self, op: Opcode, operands: [Operand; 2]) {
        let Some((place, mask)) = self.current.result else {
            return;
        };
        let mut components = mask.components();
        let (first, second) = (components.next(), components.next());
        let pairs = match second {
            Some(_) => FIRST | SECOND,
            None => FIRST,
        };
        let masks = self.value(pairs, op, operands);
        for (component, slot) in [(first, X), (second, Z)] {
            if let Some(component) = component {
                let result = Some((place, Slots::only(component)));
                self.add(Opcode::Mov, result, &[masks.only(slot)]);
            }
        }
    }

    /// D2F, D2I and D2U: they write two components at most.
    pub(super) fn narrow(&mut self, op: Opcode, [a]: [Operand; 1]) {
        let a = self.double(a);
        if let Some((place, mask)) = self.current.result {
            let two = mask.components().take(2).map(Slots::only);
            let two = two.fold(Slots::empty(), |all, slot| all | slot);
            self.add(op, Some((place, two)), &[a]);
        }
    }

    /// DFRACEXP: a mantissa, and an exponent as an integer in another register.
    pub(super) fn split_double(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let [_, exponent] = instruction.destinations.as_slice() else {
            return Err(self.remark("DFRACEXP has two results"));
        };
        let a = self.first(instruction)?;
        let a = self.double(a);
        let target = self.place(exponent)?;
        let (value, mask) = match self.rules.exponents {
            Exponents::Pairs => {
                let both = self.value(FIRST, Opcode::Dfrexpe, [a]);
                (both.swizzled([X, X, Y, Y]), exponent.mask)
            }
            Exponents::InTurn => self.exponents_in_turn(a, exponent.mask),
        };
        self.finish(Opcode::Dfrexpm, [a]);
        self.current.second = Some((value, target, mask & exponent.declared));
        Ok(())
    }

    /// The exponents of the doubles whose mantissas are written, in the first two components of a mask.
    fn exponents_in_turn(&mut self, a: Operand, mask: Slots) -> (Operand, Slots) {
        let taken = match self.mask().intersects(FIRST) {
            true => a,
            false => a.swizzled([Z, W, Z, W]),
        };
        let two = mask.components().take(2).map(Slots::only);
        let two = two.fold(Slots::empty(), |all, slot| all | slot);
        (self.value(two, Opcode::Dfrexpe, [taken]), two)
    }
}
