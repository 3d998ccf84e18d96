//! Operations on integers and addresses that take several instructions.

use attila_isa::{Component, Modifiers, Opcode, Remark};

use super::super::language::Param;
use super::super::program::Instruction;
use super::super::words::File;
use super::recipes::Recipe;
use super::{Lowering, Operand, Register, number, word};

impl Lowering<'_> {
    pub(super) fn multiply_add(&mut self, [a, b, c]: [Operand; 3]) {
        let product = self.part(Opcode::Muli, [a, b]);
        self.finish(Opcode::Addi, [product, c]);
    }

    pub(super) fn negated(&mut self, [a]: [Operand; 1]) {
        self.finish(Opcode::Addi, [a.negated(), word(0)]);
    }

    pub(super) fn absolute(&mut self, [a]: [Operand; 1]) {
        self.finish(Opcode::Addi, [a.absolute(), word(0)]);
    }

    /// ISSG: between -1 and 1.
    pub(super) fn sign(&mut self, [a]: [Operand; 1]) {
        let below = self.part(Opcode::Imin, [a, word(1)]);
        self.finish(Opcode::Imax, [below, word(u32::MAX)]);
    }

    /// SAD: the distance of two, plus the third.
    pub(super) fn distance(&mut self, [a, b, c]: [Operand; 3]) {
        let difference = self.part(Opcode::Addi, [a, b.negated()]);
        self.finish(Opcode::Addi, [difference.absolute(), c]);
    }

    /// BFI: the bits of a mask from the second source, shifted up, and the others from the first. A width of 32 gives
    /// the second source, which is not shifted (Mesa).
    pub(super) fn insert(&mut self, [base, insert, offset, width]: [Operand; 4]) {
        let mask = self.part(Opcode::Bfm, [width, offset]);
        let shifted = self.part(Opcode::Shl, [insert, offset]);
        let is_plain = width.modifiers == Modifiers::default();
        if let Register::Param(Param::Constant(bits)) = width.register
            && is_plain
            && !bits.contains(&32)
        {
            return self.finish(Opcode::Bsel, [mask, shifted, base]);
        }
        let field = self.part(Opcode::Bsel, [mask, shifted, base]);
        let is_whole = self.part(Opcode::Useq, [width, word(32)]);
        self.finish(Opcode::Bsel, [is_whole, insert, field]);
    }

    /// ARR: the floor of the number plus 0.5.
    pub(super) fn rounded_address(&mut self, [a]: [Operand; 1]) {
        let raised = self.part(Opcode::Add, [a, number(0.5)]);
        self.finish(Opcode::Arl, [raised]);
    }

    /// ARA: the sums of x and z, and of y and w, as NV_vertex_program has them.
    pub(super) fn added_address(&mut self, [a]: [Operand; 1]) {
        use Component::{W, X, Y, Z};
        let operands = [a.swizzled([X, Y, X, Y]), a.swizzled([Z, W, Z, W])];
        self.finish(Opcode::Addi, operands);
    }

    /// UARL: the bits, unless they have a sign.
    pub(super) fn loaded_address(&mut self, [a]: [Operand; 1]) {
        match a.modifiers == Modifiers::default() {
            true => self.finish(Opcode::Mov, [a]),
            false => self.finish(Opcode::Addi, [a, word(0)]),
        }
    }

    /// FLR. Written to an address register it is ARL.
    pub(super) fn floor(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let destination = instruction.destinations.first();
        let is_address = destination.is_some_and(|it| it.register.file == File::Address);
        let op = if is_address { Opcode::Arl } else { Opcode::Flr };
        Recipe::Same(op).apply(self, instruction)
    }
}
