//! Buffers of words: loads, stores and atomics.

use attila_isa::{self as isa, Component, Opcode, Remark, Slots};

use super::super::program::Instruction;
use super::{Lowering, Operand, Place, Register};

impl Lowering<'_> {
    /// The buffer of an instruction.
    fn buffer(&self, instruction: &Instruction) -> Result<Operand, Remark> {
        let number = instruction.buffer.and_then(|it| u8::try_from(it).ok());
        match number {
            Some(number) => Ok(Operand::new(Register::AsIs(isa::Operand::Storage(number)))),
            None => Err(self.remark(format!("{} has no buffer", instruction.opcode))),
        }
    }

    /// LOAD: the words from an address on.
    pub(super) fn load(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let buffer = self.buffer(instruction)?;
        let [address] = self.sources_of(instruction)?;
        self.finish(Opcode::Ldb, [address.only(Component::X), buffer]);
        Ok(())
    }

    /// STORE. Its destination has no register, but the mask of words.
    pub(super) fn store_words(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let buffer = self.buffer(instruction)?;
        let [address, value] = self.sources_of(instruction)?;
        let mask = instruction.destinations.first().map(|it| it.mask);
        let operands = [address.only(Component::X), buffer, value];
        let result = (Place::Storage, mask.unwrap_or(Slots::all()));
        self.add(Opcode::Stb, Some(result), &operands);
        Ok(())
    }

    /// RESQ: the size in bytes.
    pub(super) fn buffer_size(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let buffer = self.buffer(instruction)?;
        self.finish(Opcode::Bufsize, [buffer]);
        Ok(())
    }

    /// An atomic with one word beside the address.
    pub(super) fn atomic(&mut self, op: Opcode, instruction: &Instruction) -> Result<(), Remark> {
        let buffer = self.buffer(instruction)?;
        let [address, value] = self.sources_of(instruction)?;
        let operands = [address.only(Component::X), buffer, value.only(Component::X)];
        self.finish(op, operands);
        Ok(())
    }

    /// ATOMCAS: the word that is compared is in x, and the one that is stored in y.
    pub(super) fn exchange_if_equal(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let buffer = self.buffer(instruction)?;
        let [address, compared, stored] = self.sources_of(instruction)?;
        let temp = self.code.temp();
        self.write(temp, Slots::X, Opcode::Mov, [compared.only(Component::X)]);
        self.write(temp, Slots::Y, Opcode::Mov, [stored.only(Component::X)]);
        let operands = [address.only(Component::X), buffer, Operand::temp(temp)];
        self.finish(Opcode::Atomcas, operands);
        Ok(())
    }

    fn sources_of<const N: usize>(
        &mut self,
        instruction: &Instruction,
    ) -> Result<[Operand; N], Remark> {
        super::recipes::fixed(self, instruction)
    }
}
