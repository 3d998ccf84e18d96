//! [`InstError`]: the reason for which an instruction is not well formed.

use thiserror::Error;

use crate::opcode::{Opcode, OperandKind};
use crate::operand::ScratchArray;
use crate::target::TextureTarget;

/// Why an instruction does not fit its opcode.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum InstError {
    /// An operand is missing, too many, or of a wrong kind.
    #[error("operand {number} of `{op}` is not {}", expected(*kind))]
    Operand {
        /// The opcode.
        op: Opcode,
        /// The operand's number, from 1.
        number: usize,
        /// The kind required there; `None` if no operand may stand there.
        kind: Option<OperandKind>,
    },
    /// The result is of a wrong kind.
    #[error("`{op}` does not write there")]
    Result {
        /// The opcode.
        op: Opcode,
    },
    /// A texture unit or attribute that does not exist.
    #[error("{what} {index} does not exist; the last is {last}")]
    Number {
        /// "texture unit", "attribute" or "buffer".
        what: &'static str,
        /// The number given.
        index: u8,
        /// The last number that exists.
        last: u8,
    },
    /// A relative address whose register is not an address register or whose offset is too large.
    #[error("a relative address needs an address register and an offset from -256 to 255")]
    Relative,
    /// A relative address, but no constant to use it.
    #[error("a relative address needs a constant operand")]
    NothingRelative,
    /// A relative address in an instruction that has none: its word has scratch memory in its place, or
    /// it is a query for samples.
    #[error("`{op}` cannot have a relative constant")]
    NeverRelative {
        /// The opcode.
        op: Opcode,
    },
    /// An array of scratch memory that a word cannot hold.
    #[error(
        "an array of {size} scratch vectors; the limit is {}",
        ScratchArray::MOST
    )]
    ScratchSize {
        /// How many vectors it has.
        size: u16,
    },
    /// END without the end flag.
    #[error("`end` without its end flag")]
    EndFlag,
    /// An opcode, a register or a modifier that only the extended profile has.
    #[error("{what} needs the extended profile")]
    Profile {
        /// The part of the instruction, as it is written in assembly.
        what: String,
    },
    /// A texture where none can be named, or none where one has to be.
    #[error("`{op}` and its texture do not fit each other")]
    Texture {
        /// The opcode.
        op: Opcode,
    },
    /// A texture target that the opcode cannot read.
    #[error("`{op}` cannot read a texture of the kind {target}")]
    Target {
        /// The opcode.
        op: Opcode,
        /// The target.
        target: TextureTarget,
    },
    /// A swizzle that separates the words of an f64.
    #[error("operand {number} of `{op}` takes the swizzles xyzw, zwxy, xyxy and zwzw only")]
    Swizzle {
        /// The opcode.
        op: Opcode,
        /// The operand's number, from 1.
        number: usize,
    },
    /// A write mask that separates the words of an f64.
    #[error("`{op}` takes the write masks xy, zw and xyzw only")]
    PairMask {
        /// The opcode.
        op: Opcode,
    },
    /// A write mask with more components than there are f64.
    #[error("`{op}` takes write masks of at most two components")]
    NarrowMask {
        /// The opcode.
        op: Opcode,
    },
    /// A modifier of the extended profile where it has no meaning.
    #[error("`{suffix}` does not apply to `{op}`")]
    Modifier {
        /// The opcode.
        op: Opcode,
        /// The modifier's suffix.
        suffix: &'static str,
    },
}

/// The operand that `kind` asks for, in words.
fn expected(kind: Option<OperandKind>) -> &'static str {
    match kind {
        None => "absent",
        Some(OperandKind::Float(_) | OperandKind::Int(_) | OperandKind::Raw(_)) => {
            "a source register or an allowed immediate"
        }
        Some(OperandKind::Absent) => "absent",
        Some(OperandKind::Double(_)) => "a source register",
        Some(OperandKind::Gradients) => "a temporary with one after it",
        Some(OperandKind::Ignored | OperandKind::OptionalFloat(_) | OperandKind::Texels) => {
            "a source register or absent"
        }
        Some(OperandKind::Bool) => "a predicate, a constant or a literal truth value",
        Some(OperandKind::Unit) => "a texture unit",
        Some(OperandKind::Attribute) => "an attribute",
        Some(OperandKind::Stream) => "a stream",
        Some(OperandKind::Sample) => "a sample number",
        Some(OperandKind::Scratch) => "an array of scratch memory",
        Some(OperandKind::Buffer) => "a constant buffer",
        Some(OperandKind::Storage) => "a storage buffer",
        Some(OperandKind::Input) => "an input register without modifiers",
        Some(OperandKind::Index) => "a source register without modifiers, or absent",
        Some(OperandKind::Number) => "a number",
        Some(OperandKind::Offset) => "a jump offset",
    }
}
