//! Registers that instructions read and write.

use attila_isa::Remark;

use super::super::program::{Destination, Index, Source};
use super::super::words::File;
use super::missing::Missing;
use super::{Lowering, Named, Operand, Place, Register};

impl Lowering<'_> {
    /// A source with its swizzle and sign.
    pub(super) fn operand(&mut self, source: &Source) -> Result<Operand, Remark> {
        let register = source.register;
        let found = self.register_of(
            register.file,
            register.dimension,
            register.index,
            register.array,
        )?;
        Ok(Operand {
            register: found,
            swizzle: source.swizzle,
            modifiers: source.modifiers,
        })
    }

    /// A register that is read. `array` is the one that a relative index addresses.
    pub(super) fn register_of(
        &mut self,
        file: File,
        dimension: Option<Index>,
        index: Index,
        array: Option<usize>,
    ) -> Result<Register, Remark> {
        match file {
            File::Constant => return self.constant(dimension, index),
            File::Immediate | File::ImmediateArray => return self.literal(file, index, array),
            File::Null
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
            | File::HardwareAtomic => {}
        }
        let number = self.fixed(file, index)?;
        match file {
            File::Input | File::SystemValue => match self.interface.input(file, number) {
                Some(register) => Ok(register),
                None => Err(self.remark(format!("there is no register for `{file}[{number}]`"))),
            },
            File::Output => match self.interface.shadow(number) {
                Some(temp) => Ok(Register::Temp(temp)),
                None => Err(self.remark(format!("`OUT[{number}]` cannot be read"))),
            },
            File::Temporary
            | File::TemporaryArray
            | File::Address
            | File::Predicate
            | File::Null
            | File::Constant
            | File::Sampler
            | File::Immediate
            | File::Resource
            | File::SamplerView
            | File::ImmediateArray
            | File::Image
            | File::Buffer
            | File::Memory
            | File::ConstantBuffer
            | File::HardwareAtomic => {
                let temp = self.temporary(file, dimension, number);
                Ok(Register::Temp(temp))
            }
        }
    }

    /// The number of a register that is not addressed relatively.
    fn fixed(&self, file: File, index: Index) -> Result<u32, Remark> {
        let number = index.fixed();
        number.ok_or_else(|| self.missing(Missing::Scratch, format!("{file}[ADDR[...]]")))
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
            | File::HardwareAtomic => self.code.temp(),
        }
    }

    /// The place that a destination names.
    pub(super) fn place(&mut self, destination: &Destination) -> Result<Place, Remark> {
        let register = destination.register;
        let number = self.fixed(register.file, register.index)?;
        if register.file == File::Output {
            return match self.interface.output(number) {
                Some(place) => Ok(place),
                None => Err(self.remark(format!("there is no register for `OUT[{number}]`"))),
            };
        }
        let temp = self.temporary(register.file, register.dimension, number);
        Ok(Place::Temp(temp))
    }
}
