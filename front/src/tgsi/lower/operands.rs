//! Registers that instructions read and write.

use attila_isa::Remark;

use super::super::program::{Destination, Index, Register as TextRegister, Source};
use super::super::words::File;
use super::{Lowering, Named, Operand, Place, Register, Target};

impl Lowering<'_> {
    /// A source with its swizzle and sign.
    pub(super) fn operand(&mut self, source: &Source) -> Result<Operand, Remark> {
        let register = source.register;
        let found = self.register_of(&register)?;
        Ok(Operand {
            register: found,
            swizzle: source.swizzle,
            modifiers: source.modifiers,
        })
    }

    /// A register that is read.
    pub(super) fn register_of(&mut self, register: &TextRegister) -> Result<Register, Remark> {
        let TextRegister {
            file,
            dimension,
            index,
            array,
        } = *register;
        if let Some(array) = self.array_of(register) {
            return Ok(Register::Temp(self.loaded_vector(array, index)?));
        }
        if let (File::Input, Some(vertex)) = (file, dimension) {
            return self.attribute(vertex, index);
        }
        match file {
            File::Constant => self.constant(dimension, index),
            File::Immediate | File::ImmediateArray => self.literal(file, index, array),
            File::Input | File::SystemValue => {
                let number = self.fixed(file, index)?;
                let found = self.interface.input(file, number);
                found.ok_or_else(|| {
                    self.remark(format!("there is no register for `{file}[{number}]`"))
                })
            }
            File::Output => {
                let number = self.fixed(file, index)?;
                let shadow = self.interface.shadow(number).map(Register::Temp);
                shadow.ok_or_else(|| self.remark(format!("`OUT[{number}]` cannot be read")))
            }
            File::Temporary
            | File::TemporaryArray
            | File::Address
            | File::Predicate
            | File::Null
            | File::Sampler
            | File::Resource
            | File::SamplerView
            | File::Image
            | File::Buffer
            | File::Memory
            | File::ConstantBuffer
            | File::HardwareAtomic
            | File::HalfTemporary
            | File::Loop => {
                let number = self.fixed(file, index)?;
                let temp = self.temporary(file, dimension, number);
                Ok(Register::Temp(temp))
            }
        }
    }

    /// The number of a register that is not addressed relatively.
    fn fixed(&self, file: File, index: Index) -> Result<u32, Remark> {
        let number = index.fixed();
        number.ok_or_else(|| self.remark(format!("registers of {file} have fixed numbers")))
    }

    /// The temporary of a register. A register that is dropped has a fresh one.
    fn temporary(&mut self, file: File, dimension: Option<Index>, number: u32) -> usize {
        let dimension = dimension.and_then(Index::fixed).unwrap_or(0);
        match file {
            File::Temporary => number as usize,
            File::Address => self.named(Named::Address(number)),
            File::Predicate => self.named(Named::Predicate(number)),
            File::TemporaryArray => self.named(Named::Element(dimension, number)),
            File::Null
            | File::Constant
            | File::Input
            | File::Output
            | File::Sampler
            | File::Immediate
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
            | File::Loop => self.code.temp(),
        }
    }

    /// The place that a destination names.
    pub(super) fn place(&mut self, destination: &Destination) -> Result<Target, Remark> {
        let register = destination.register;
        if let Some(array) = self.array_of(&register) {
            let vector = self.vector(array, register.index)?;
            return Ok(match vector {
                Some((array, index)) => Target::Vector(array, index),
                None => Target::Place(Place::Temp(self.code.temp())),
            });
        }
        let number = self.fixed(register.file, register.index)?;
        if register.file == File::Output {
            return match self.interface.output(number) {
                Some(place) => Ok(Target::Place(place)),
                None => Err(self.remark(format!("there is no register for `OUT[{number}]`"))),
            };
        }
        let temp = self.temporary(register.file, register.dimension, number);
        Ok(Target::Place(Place::Temp(temp)))
    }
}
