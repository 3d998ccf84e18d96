//! The things beside registers that instructions name: units, attributes, memory.

use crate::inst::Inst;
use crate::operand::{Operand, ScratchArray};

impl Inst {
    /// The texture unit that it samples; the first of several if its address is relative.
    pub fn texture_unit(&self) -> Option<u8> {
        if let Some(texture) = self.texture {
            return Some(texture.unit);
        }
        self.operands.iter().find_map(|operand| match operand {
            Operand::Unit { unit, .. } => Some(*unit),
            Operand::None
            | Operand::Reg(_)
            | Operand::Imm(_)
            | Operand::Bool(_)
            | Operand::Attribute(_)
            | Operand::Stream(_)
            | Operand::Sample(_)
            | Operand::Scratch(_)
            | Operand::Buffer(_)
            | Operand::Storage(_)
            | Operand::Offset(_) => None,
        })
    }

    /// The vertex attribute that it fetches.
    pub fn attribute(&self) -> Option<u8> {
        self.operands.iter().find_map(|operand| match operand {
            Operand::Attribute(attribute) => Some(*attribute),
            Operand::None
            | Operand::Reg(_)
            | Operand::Imm(_)
            | Operand::Bool(_)
            | Operand::Unit { .. }
            | Operand::Stream(_)
            | Operand::Sample(_)
            | Operand::Scratch(_)
            | Operand::Buffer(_)
            | Operand::Storage(_)
            | Operand::Offset(_) => None,
        })
    }

    /// The array of scratch memory that it reads or writes.
    pub fn scratch(&self) -> Option<ScratchArray> {
        let read = self.operands.iter().find_map(|operand| match operand {
            Operand::Scratch(array) => Some(*array),
            Operand::None
            | Operand::Reg(_)
            | Operand::Imm(_)
            | Operand::Bool(_)
            | Operand::Unit { .. }
            | Operand::Attribute(_)
            | Operand::Stream(_)
            | Operand::Sample(_)
            | Operand::Buffer(_)
            | Operand::Storage(_)
            | Operand::Offset(_) => None,
        });
        self.dst.scratch.map(|dst| dst.array).or(read)
    }

    /// The constant buffer that it reads.
    pub fn buffer(&self) -> Option<u8> {
        self.operands.iter().find_map(|operand| match operand {
            Operand::Buffer(buffer) => Some(*buffer),
            Operand::None
            | Operand::Reg(_)
            | Operand::Imm(_)
            | Operand::Bool(_)
            | Operand::Unit { .. }
            | Operand::Attribute(_)
            | Operand::Stream(_)
            | Operand::Sample(_)
            | Operand::Scratch(_)
            | Operand::Storage(_)
            | Operand::Offset(_) => None,
        })
    }

    /// The storage buffer that it reads or writes.
    pub fn storage(&self) -> Option<u8> {
        self.operands.iter().find_map(|operand| match operand {
            Operand::Storage(buffer) => Some(*buffer),
            Operand::None
            | Operand::Reg(_)
            | Operand::Imm(_)
            | Operand::Bool(_)
            | Operand::Unit { .. }
            | Operand::Attribute(_)
            | Operand::Stream(_)
            | Operand::Sample(_)
            | Operand::Scratch(_)
            | Operand::Buffer(_)
            | Operand::Offset(_) => None,
        })
    }
}
