//! Constants in registers, and relative addresses.

use attila_isa::{Opcode, RelAddr, Remark};

use super::super::language::{Param, Tgsi};
use super::super::program::{Address, Index, TgsiProgram};
use super::super::words::File;
use super::missing::Missing;
use super::{Lowering, Operand, Register, word};
use crate::back::{CONSTANTS, Layout};

/// The first constant registers of what is addressed relatively.
pub(super) struct Arrays {
    /// By buffer: those that fit.
    buffers: Vec<(u32, u16)>,
    /// By the number in [`TgsiProgram::arrays`], with the number of the first vector; `None` unless it
    /// holds words of the text.
    texts: Vec<Option<(u16, u32)>>,
}

impl Arrays {
    /// Gives buffers and immediates that are addressed relatively their registers.
    pub(super) fn new(
        program: &TgsiProgram,
        layout: &mut Layout<Tgsi>,
        end: usize,
    ) -> Result<Arrays, Remark> {
        let mut arrays = Arrays {
            buffers: Vec::new(),
            texts: Vec::new(),
        };
        let mut room = u32::from(CONSTANTS);
        for constants in program.constants.iter().filter(|it| it.relative) {
            if constants.size > room {
                continue;
            }
            room -= constants.size;
            let buffer = constants.buffer;
            let params = (0..constants.size).map(|register| Param::Buffer { buffer, register });
            arrays.buffers.push((buffer, layout.array(params, end)?));
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
                | File::HardwareAtomic => None,
            };
            let base = words.map(|words| Ok((layout.array(words, end)?, array.range.start)));
            arrays.texts.push(base.transpose()?);
        }
        Ok(arrays)
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
            None => Some(0),
            Some(dimension) => dimension.fixed(),
        };
        let Some(buffer) = buffer else {
            return Err(self.missing(Missing::ConstantBuffers, "CONST[ADDR[...]][...]"));
        };
        let Some(address) = index.address else {
            let register = index.base.unsigned_abs();
            return Ok(Register::Param(Param::Buffer { buffer, register }));
        };
        let mut bases = self.arrays.buffers.iter();
        let base = bases.find(|(number, _)| *number == buffer);
        match base.map(|(_, base)| *base) {
            Some(base) => self.element(base, index.base, address),
            None => {
                let what = format!("CONST[{buffer}][ADDR[...]]");
                Err(self.missing(Missing::ConstantBuffers, what))
            }
        }
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
        let register = self.register_of(address.file, None, index, None)?;
        Ok(Operand::new(register).only(address.component))
    }
}
