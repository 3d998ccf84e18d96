//! The 128-bit instruction word: the field list, and the codec that derives from it.
//!
//! Decoding ignores every field that an instruction does not use, since real programs hold
//! leftovers there (machine.md 1.9); encoding fills those fields with the canonical values of
//! machine.md 1.10. So `encode(decode(word))` is the canonical form of `word`, and decoding that form
//! gives the same instruction again.

mod decode;
mod encode;
#[cfg(test)]
mod tests;

use thiserror::Error;

use crate::inst::Inst;
use crate::inst_error::InstError;
use crate::opcode::Opcode;
use crate::operand::Slots;
use crate::profile::Profile;

/// One instruction as it stands in memory: 16 bytes, little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Word(pub u128);

/// A bit field of the word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name in the reference.
    pub name: &'static str,
    /// Its least significant bit.
    pub low: u32,
    /// Its size in bits.
    pub width: u32,
}

impl Field {
    const fn mask(self) -> u128 {
        ((1 << self.width) - 1) << self.low
    }
}

macro_rules! fields {
    ($list:ident: $($name:ident = $text:literal, $low:literal, $width:literal;)*) => {
        $(const $name: Field = Field { name: $text, low: $low, width: $width };)*
        /// The fields in the order of their bits (machine.md 1.2 to 1.4).
        pub const $list: &[Field] = &[$($name),*];
        const _: () = assert_ascending($list);
    };
}

/// Fields of a list must not overlap, and stay within 128 bits.
const fn assert_ascending(fields: &[Field]) {
    let mut next = 0;
    let mut index = 0;
    while index < fields.len() {
        assert!(
            fields[index].low >= next,
            "fields overlap or are out of order"
        );
        next = fields[index].low + fields[index].width;
        index += 1;
    }
    assert!(next <= 128);
}

fields! { FIELDS:
    OPCODE = "opcode", 0, 8;
    END_FLAG = "endflag", 8, 1;
    WAIT_POINT = "waitpoint", 9, 1;
    PREDICATED = "predicated", 10, 1;
    INVERT_PRED = "invertpred", 11, 1;
    PRED_REG = "predreg", 12, 5;
    OP1_BANK = "op1bank", 17, 3;
    OP1_NEG = "op1neg", 20, 1;
    OP1_ABS = "op1abs", 21, 1;
    OP2_BANK = "op2bank", 22, 3;
    OP2_NEG = "op2neg", 25, 1;
    OP2_ABS = "op2abs", 26, 1;
    OP3_BANK = "op3bank", 27, 3;
    OP3_NEG = "op3neg", 30, 1;
    OP3_ABS = "op3abs", 31, 1;
    RES_BANK = "resbank", 32, 3;
    SATURATE = "sat", 35, 1;
    MASK = "mask", 36, 4;
    REL_MODE = "relmode", 40, 1;
    REL_REG = "reladreg", 41, 2;
    REL_COMPONENT = "reladcomp", 43, 2;
    REL_OFFSET = "reloffset", 45, 9;
    MODIFIER = "modifier (extended)", 54, 3;
    CTM_PATH = "ctm path (extended)", 57, 1;
    SATURATE_SIGNED = "satn (extended)", 58, 1;
    ZERO_WINS = "zerowins (extended)", 59, 1;
    OP1_REG = "op1reg", 64, 8;
    OP1_SWIZZLE = "op1swizzle", 72, 8;
    RES_REG = "resreg", 80, 8;
    OP2_REG = "op2reg", 88, 8;
    OP2_SWIZZLE = "op2swizzle", 96, 8;
    OP3_REG = "op3reg", 104, 8;
    OP3_SWIZZLE = "op3swizzle", 112, 8;
    TARGET = "target (extended)", 120, 5;
    GATHER = "gather component (extended)", 125, 2;
    LEVEL_ZERO = "level zero (extended)", 127, 1;
}

/// The bits that words of the extended profile leave 0, each with its number: base words may hold
/// anything there.
const RESERVED: [u32; 4] = [60, 61, 62, 63];

/// The immediate takes the place of operands 2 and 3 in the upper half.
pub(crate) const IMMEDIATE: Field = Field {
    name: "immediate",
    low: 96,
    width: 32,
};

/// The first vector of an array of scratch memory, in place of operand 3.
pub(crate) const SCRATCH_BASE: Field = Field {
    name: "scratch base",
    low: 104,
    width: 16,
};
/// The size of the array, in place of the relative address.
pub(crate) const SCRATCH_SIZE: Field = Field {
    name: "scratch size",
    low: 40,
    width: 14,
};

/// The fields of one operand.
struct OperandFields {
    bank: Field,
    negate: Field,
    absolute: Field,
    reg: Field,
    swizzle: Field,
}

const OPERAND_FIELDS: [OperandFields; 3] = [
    OperandFields {
        bank: OP1_BANK,
        negate: OP1_NEG,
        absolute: OP1_ABS,
        reg: OP1_REG,
        swizzle: OP1_SWIZZLE,
    },
    OperandFields {
        bank: OP2_BANK,
        negate: OP2_NEG,
        absolute: OP2_ABS,
        reg: OP2_REG,
        swizzle: OP2_SWIZZLE,
    },
    OperandFields {
        bank: OP3_BANK,
        negate: OP3_NEG,
        absolute: OP3_ABS,
        reg: OP3_REG,
        swizzle: OP3_SWIZZLE,
    },
];

// Bank codes (machine.md 1.5).
const BANK_INPUT: u8 = 0;
const BANK_OUTPUT: u8 = 1;
const BANK_PARAM: u8 = 2;
const BANK_TEMP: u8 = 3;
const BANK_ADDRESS: u8 = 4;
const BANK_PARAM2: u8 = 5;
const BANK_IMMEDIATE: u8 = 6;
const BANK_NONE: u8 = 7;

/// Why a word is not an instruction.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum WordError {
    /// The opcode is one of the reserved codes.
    #[error("opcode {0:#04x} is reserved")]
    Opcode(u8),
    /// A source bank that cannot be read.
    #[error("operand {operand} of `{op}` has bank code {code}, which is not a source bank")]
    SourceBank {
        /// The opcode.
        op: Opcode,
        /// The operand's number, from 1.
        operand: usize,
        /// The bank code.
        code: u8,
    },
    /// An immediate where the instruction takes none.
    #[error("operand {operand} of `{op}` cannot be an immediate")]
    Immediate {
        /// The opcode.
        op: Opcode,
        /// The operand's number, from 1.
        operand: usize,
    },
    /// A result bank that cannot be written.
    #[error("the result of `{op}` has bank code {code}, which is not a result bank")]
    ResultBank {
        /// The opcode.
        op: Opcode,
        /// The bank code.
        code: u8,
    },
    /// A bit of an extended word that is reserved.
    #[error("bit {0} is reserved")]
    Reserved(u32),
    /// A texture target that does not exist.
    #[error("`{op}` has the texture target {code}, which does not exist")]
    Target {
        /// The opcode.
        op: Opcode,
        /// The target's code.
        code: u8,
    },
    /// A modifier of the extended profile that excludes another one, or does not apply.
    #[error(transparent)]
    Modifier(InstError),
    /// Both `_sat` and `_satn`.
    #[error("`{op}` has both `_sat` and `_satn`")]
    BothSaturate {
        /// The opcode.
        op: Opcode,
    },
    /// `_satn` on the CTM path, which clamps to [0, 1] only.
    #[error("`{op}` has both `{suffix}` and `_satn`")]
    SignedCtm {
        /// The opcode.
        op: Opcode,
        /// The suffix of the path.
        suffix: &'static str,
    },
    /// A register number beyond its bank.
    #[error("{what} {index} does not exist; the last is {}", size - 1)]
    Register {
        /// The kind of register.
        what: &'static str,
        /// The number in the word.
        index: u8,
        /// How many there are.
        size: u16,
    },
}

impl Word {
    /// Size in bytes.
    pub const SIZE: usize = 16;

    /// The word with the given lower and upper halves.
    pub const fn from_halves(lo: u64, hi: u64) -> Word {
        Word(lo as u128 | (hi as u128) << 64)
    }

    /// Lower and upper half.
    pub const fn halves(self) -> (u64, u64) {
        (self.0 as u64, (self.0 >> 64) as u64)
    }

    /// The value of `field`.
    pub const fn get(self, field: Field) -> u32 {
        ((self.0 & field.mask()) >> field.low) as u32
    }

    fn flag(self, field: Field) -> bool {
        self.get(field) != 0
    }

    /// A field of at most eight bits.
    fn byte(self, field: Field) -> u8 {
        debug_assert!(field.width <= 8);
        self.get(field) as u8
    }

    fn set(&mut self, field: Field, value: impl Into<u32>) {
        let value: u32 = value.into();
        let bits = (u128::from(value) << field.low) & field.mask();
        self.0 = self.0 & !field.mask() | bits;
    }

    /// The instruction of a profile that the word codes. Fields it does not use may hold
    /// anything.
    ///
    /// # Errors
    ///
    /// A reserved opcode; in a field that the instruction uses, a bank that cannot stand there or
    /// a register that does not exist (machine.md 1.11). In the extended profile a reserved bit that
    /// is set, or a modifier that does not apply (machine.md 1.12).
    pub fn decode(self, profile: Profile) -> Result<Inst, WordError> {
        let code = self.byte(OPCODE);
        let op = Opcode::from_code(code).filter(|&op| profile.has(op));
        let op = op.ok_or(WordError::Opcode(code))?;
        decode::instruction(self, profile, op)
    }
}

/// The word has x in the highest of the four bits.
fn mask_from_bits(bits: u8) -> Slots {
    Slots::from_bits_truncate(bits.reverse_bits() >> 4)
}

fn mask_to_bits(mask: Slots) -> u8 {
    mask.bits().reverse_bits() >> 4
}
