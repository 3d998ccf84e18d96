//! Registers that are addressed relatively, and constants.

use std::collections::BTreeSet;

use attila_isa::{
    self as isa, BUFFERS, Opcode, Profile, RelAddr, Remark, ScratchArray, Slots, code,
};

use super::super::language::{Param, Tgsi};
use super::super::program::{Address, Index, Register as TextRegister, TgsiProgram};
use super::super::words::File;
use super::{Code, Lowering, Operand, Register, word};
use crate::back::{CONSTANTS, Layout};

/// Constant registers that are kept free for words that lowering needs.
const OWN: usize = 16;

/// The places of registers that are addressed relatively, and of buffers.
pub(super) struct Arrays {
    /// The first constant register of each buffer that is addressed relatively and fits.
    buffers: Vec<(u32, u16)>,
    /// The buffers that are read with LDC, as there are too few constant registers.
    loaded: BTreeSet<u32>,
    /// By the number in [`TgsiProgram::arrays`], with the number of the first vector; `None` unless it
    /// holds words of the text.
    texts: Vec<Option<(u16, u32)>>,
    /// By the same number, with the number of the first register; `None` if it holds words of the text.
    scratch: Vec<Option<(ScratchArray, u32)>>,
}

impl Arrays {
    /// Gives buffers and immediates that are addressed relatively their constant registers, and other
    /// registers their scratch memory.
    pub(super) fn new(
        program: &TgsiProgram,
        layout: &mut Layout<Tgsi>,
        code: &mut Code,
        end: usize,
    ) -> Result<Arrays, Remark> {
        let mut arrays = Arrays {
            buffers: Vec::new(),
            loaded: BTreeSet::new(),
            texts: Vec::new(),
            scratch: Vec::new(),
        };
        arrays.place_buffers(program, layout, end)?;
        for array in &program.arrays {
            let size = array.range.end - array.range.start;
            let is_text = matches!(array.file, File::Immediate | File::ImmediateArray);
            let scratch = if is_text || size == 0 {
                None
            } else {
                let Some(scratch) = code.scratch(size) else {
                    let most = Profile::Extended.scratch();
                    let message = format!("arrays have more than {most} registers together");
                    return Err(Remark::new(end..end, message).code(&code::text::LIMIT));
                };
                Some((scratch, array.range.start))
            };
            arrays.scratch.push(scratch);
        }
        for array in &program.arrays {
            let numbers = array.range.clone();
            let words: Option<Vec<Param>> = match array.file {
                File::Immediate | File::ImmediateArray => {
                    let words =
                        numbers.map(|number| Param::Constant(text(program, array.file, number)));
                    Some(words.collect())
                }
                File::Null
                | File::Constant
                | File::Input
                | File::Output
                | File::Temporary
                | File::Sampler
                | File::Address
                | File::Predicate
                | File::SystemValue
                | File::Resource
                | File::SamplerView
                | File::TemporaryArray
                | File::Image
                | File::Buffer
                | File::Memory
                | File::ConstantBuffer
                | File::HardwareAtomic
                | File::HalfTemporary
                | File::Loop => None,
            };
            let base = words.map(|words| Ok((layout.array(words, end)?, array.range.start)));
            arrays.texts.push(base.transpose()?);
        }
        Ok(arrays)
    }

    /// Gives buffers their constant registers, in the order of their numbers, as long as there are some
    /// beside the words of the text.
    fn place_buffers(
        &mut self,
        program: &TgsiProgram,
        layout: &mut Layout<Tgsi>,
        end: usize,
    ) -> Result<(), Remark> {
        let texts = program.immediates.len() + program.immediate_arrays.len();
        let mut room = usize::from(CONSTANTS).saturating_sub(texts + OWN);
        for constants in &program.constants {
            let needed = match constants.relative {
                true => constants.size as usize,
                false => constants.used.len(),
            };
            let buffer = constants.buffer;
            if needed > room {
                self.loaded.insert(buffer);
                continue;
            }
            room -= needed;
            if constants.relative {
                let params = (0..constants.size).map(|register| Param::Buffer { buffer, register });
                self.buffers.push((buffer, layout.array(params, end)?));
            }
        }
        Ok(())
    }

    /// The buffers that are read with LDC.
    pub(super) fn loaded(self) -> BTreeSet<u32> {
        self.loaded
    }
}

/// Words of the text: `IMM[number]` or `IMMX[number]`; 0 where there is none.
pub(super) fn text(program: &TgsiProgram, file: File, number: u32) -> [u32; 4] {
    if file == File::Immediate {
        let immediate = program.immediates.get(number as usize);
        return immediate.map_or([0; 4], |immediate| immediate.bits);
    }
    let mut vectors = program.immediate_arrays.iter();
    let vector = vectors.find(|(register, _)| *register == number);
    vector.map_or([0; 4], |(_, bits)| *bits)
}

impl Lowering<'_> {
    /// A constant: `CONST[buffer][index]`.
    pub(super) fn constant(
        &mut self,
        dimension: Option<Index>,
        index: Index,
    ) -> Result<Register, Remark> {
        let buffer = match dimension {
            None => 0,
            Some(dimension) => match dimension.fixed() {
                Some(buffer) => buffer,
                None => return self.chosen_constant(dimension, index),
            },
        };
        if self.arrays.loaded.contains(&buffer) {
            return self.loaded_constant(buffer, index);
        }
        let Some(address) = index.address else {
            let register = index.base.unsigned_abs();
            return Ok(Register::Param(Param::Buffer { buffer, register }));
        };
        let mut bases = self.arrays.buffers.iter();
        let base = bases.find(|(number, _)| *number == buffer);
        match base.map(|(_, base)| *base) {
            Some(base) => self.element(base, index.base, address),
            None => self.loaded_constant(buffer, index),
        }
    }

    /// A constant that LDC loads.
    fn loaded_constant(&mut self, buffer: u32, index: Index) -> Result<Register, Remark> {
        let number = u8::try_from(buffer).ok().filter(|number| *number < BUFFERS);
        let Some(number) = number else {
            let message = format!(
                "buffer {buffer} does not exist; the last is {}",
                BUFFERS - 1
            );
            return Err(self.remark(message));
        };
        let index = self.number(index)?;
        let temp = self.code.temp();
        let buffer = Operand::new(Register::AsIs(isa::Operand::Buffer(number)));
        self.write(temp, Slots::all(), Opcode::Ldc, [index, buffer]);
        Ok(Register::Temp(temp))
    }

    /// A constant of a buffer that an address chooses: of each in turn, and the one that is meant stays.
    fn chosen_constant(&mut self, dimension: Index, index: Index) -> Result<Register, Remark> {
        let chosen = self.number(dimension)?;
        let buffers = self.program.constants.iter().map(|it| it.buffer);
        let buffers: Vec<u32> = buffers.collect();
        let temp = self.code.temp();
        for buffer in buffers {
            let loaded = Operand::new(self.loaded_constant(buffer, index)?);
            let is_it = self.scalar(Opcode::Useq, [chosen, word(buffer)]);
            let operands = [is_it, loaded, Operand::temp(temp)];
            self.write(temp, Slots::all(), Opcode::Sel, operands);
        }
        Ok(Register::Temp(temp))
    }

    /// An index as an integer in all slots.
    pub(super) fn number(&mut self, index: Index) -> Result<Operand, Remark> {
        let Some(address) = index.address else {
            return Ok(word(index.base as u32));
        };
        let address = self.address(address)?;
        Ok(match index.base {
            0 => address,
            base => self.scalar(Opcode::Addi, [address, word(base as u32)]),
        })
    }

    /// The array in scratch memory that a register is in. `array` is the one that a relative index addresses.
    pub(super) fn array_of(&self, register: &TextRegister) -> Option<usize> {
        match register.file {
            File::Temporary | File::TemporaryArray | File::Output => {}
            File::Input if register.dimension.is_none() => return register.array,
            File::Null
            | File::Input
            | File::Constant
            | File::Sampler
            | File::Address
            | File::Immediate
            | File::Predicate
            | File::SystemValue
            | File::Resource
            | File::SamplerView
            | File::ImmediateArray
            | File::Image
            | File::Buffer
            | File::Memory
            | File::ConstantBuffer
            | File::HardwareAtomic
            | File::HalfTemporary
            | File::Loop => return None,
        }
        let array = self.program.array_of(register)?;
        let mut arrays = self.program.arrays.iter();
        arrays.position(|other| std::ptr::eq(other, array))
    }

    /// The vector of an array that an index chooses: the part of the scratch memory and the index there.
    pub(super) fn vector(
        &mut self,
        array: usize,
        index: Index,
    ) -> Result<Option<(ScratchArray, Operand)>, Remark> {
        let Some((scratch, first)) = self.arrays.scratch.get(array).copied().flatten() else {
            return Ok(None);
        };
        if let Some(number) = index.fixed() {
            let place = number.wrapping_sub(first);
            let is_inside = place < u32::from(scratch.size);
            return Ok(is_inside.then(|| {
                let base = scratch.base + place as u16;
                (ScratchArray { base, size: 1 }, word(0))
            }));
        }
        let index = Index {
            base: index.base.wrapping_sub_unsigned(first),
            ..index
        };
        Ok(Some((scratch, self.number(index)?)))
    }

    /// A vector of an array in a temporary; 0 if there is none.
    pub(super) fn loaded_vector(&mut self, array: usize, index: Index) -> Result<usize, Remark> {
        let temp = self.code.temp();
        if let Some((array, index)) = self.vector(array, index)? {
            let operands = [
                index,
                Operand::new(Register::AsIs(isa::Operand::Scratch(array))),
            ];
            self.write(temp, Slots::all(), Opcode::Ldt, operands);
        }
        Ok(temp)
    }

    /// A vector of the text: IMM or IMMX.
    pub(super) fn literal(
        &mut self,
        file: File,
        index: Index,
        array: Option<usize>,
    ) -> Result<Register, Remark> {
        let base = array.and_then(|array| self.arrays.texts.get(array).copied().flatten());
        match (index.address, base) {
            (Some(address), Some((base, first))) => {
                self.element(base, index.base.saturating_sub_unsigned(first), address)
            }
            (Some(_), None) | (None, _) => {
                let bits = text(self.program, file, index.base.unsigned_abs());
                Ok(Register::Param(Param::Constant(bits)))
            }
        }
    }

    /// The constant register `base` plus `offset` plus an address.
    fn element(&mut self, base: u16, offset: i32, address: Address) -> Result<Register, Remark> {
        let mut index = self.address(address)?;
        let short = i16::try_from(offset).ok();
        let short = short.filter(|offset| RelAddr::OFFSETS.contains(offset));
        let offset = match short {
            Some(offset) => offset,
            None => {
                index = self.scalar(Opcode::Addi, [index, word(offset as u32)]);
                0
            }
        };
        let span = self.current.span.clone();
        let address = self.code.integer_address(index, span);
        Ok(Register::Element {
            base,
            offset,
            address,
        })
    }

    /// A component that holds an address.
    pub(super) fn address(&mut self, address: Address) -> Result<Operand, Remark> {
        let index = Index {
            base: address.register as i32,
            address: None,
        };
        let register = self.register_of(&TextRegister {
            file: address.file,
            dimension: None,
            index,
            array: None,
        })?;
        Ok(Operand::new(register).only(address.component))
    }
}
