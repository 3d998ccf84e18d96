//! The things beside registers that instructions name: units, attributes, memory.

use crate::inst::Inst;
use crate::operand::{Operand, ScratchArray};

impl Inst {
    /// The first operand that is of a kind.
    fn named<T>(&self, kind: impl Fn(&Operand) -> Option<T>) -> Option<T> {
        self.operands.iter().find_map(kind)
    }

    /// The texture unit that it samples; the first of several if its address is relative.
    pub fn texture_unit(&self) -> Option<u8> {
        let operand = || {
            self.named(|operand| {
                let Operand::Unit { unit, .. } = operand else {
                    return None;
                };
                Some(*unit)
            })
        };
        self.texture.map(|texture| texture.unit).or_else(operand)
    }

    /// The vertex attribute that it fetches.
    pub fn attribute(&self) -> Option<u8> {
        self.named(|operand| {
            let Operand::Attribute(attribute) = operand else {
                return None;
            };
            Some(*attribute)
        })
    }

    /// The array of scratch memory that it reads or writes.
    pub fn scratch(&self) -> Option<ScratchArray> {
        let read = || {
            self.named(|operand| {
                let Operand::Scratch(array) = operand else {
                    return None;
                };
                Some(*array)
            })
        };
        self.dst.scratch.map(|dst| dst.array).or_else(read)
    }

    /// The constant buffer that it reads.
    pub fn buffer(&self) -> Option<u8> {
        self.named(|operand| {
            let Operand::Buffer(buffer) = operand else {
                return None;
            };
            Some(*buffer)
        })
    }

    /// The storage buffer that it reads or writes.
    pub fn storage(&self) -> Option<u8> {
        self.named(|operand| {
            let Operand::Storage(buffer) = operand else {
                return None;
            };
            Some(*buffer)
        })
    }
}
