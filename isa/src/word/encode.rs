//! From an instruction to its canonical word (machine.md 1.10).

use super::{
    BANK_ADDRESS, BANK_IMMEDIATE, BANK_INPUT, BANK_NONE, BANK_OUTPUT, BANK_PARAM, BANK_PARAM2,
    BANK_TEMP, CTM_PATH, END_FLAG, GATHER, IMMEDIATE, INVERT_PRED, LEVEL_ZERO, MASK, MODIFIER,
    OP2_ABS, OP2_BANK, OP2_NEG, OP2_REG, OP3_BANK, OP3_REG, OPCODE, OPERAND_FIELDS, OperandFields,
    PRED_REG, PREDICATED, REL_COMPONENT, REL_MODE, REL_OFFSET, REL_REG, RES_BANK, RES_REG,
    SATURATE, SATURATE_SIGNED, SCRATCH_BASE, SCRATCH_SIZE, TARGET, WAIT_POINT, Word, ZERO_WINS,
    mask_to_bits,
};
use crate::bank::{Bank, Reg};
use crate::inst::Inst;
use crate::inst_error::InstError;
use crate::opcode::{Opcode, OperandKind, ResultPath};
use crate::operand::{BoolSrc, Dst, DstReg, DstScratch, Operand, ScratchArray, Src, Swizzle};
use crate::profile::Profile;
use crate::target::TextureTarget;

impl Inst {
    /// The canonical word of the instruction: the same in every profile that has it.
    ///
    /// # Errors
    ///
    /// The instruction does not fit its opcode.
    pub fn encode(&self) -> Result<Word, InstError> {
        self.check(Profile::Extended)?;
        let mut word = Word(0);
        word.set(OPCODE, self.op.code());
        word.set(END_FLAG, self.end);
        word.set(WAIT_POINT, self.wait);
        if let Some(guard) = self.guard {
            word.set(PREDICATED, true);
            word.set(INVERT_PRED, guard.negate);
            word.set(PRED_REG, guard.pred.index() as u32);
        }
        // NOP, CHS and END leave everything else 0.
        if !self.op.operands().is_empty() || self.dst != Dst::NONE {
            self.encode_operands(&mut word);
            self.encode_result(&mut word);
            self.encode_texture(&mut word);
        }
        Ok(word)
    }

    fn encode_operands(&self, word: &mut Word) {
        let boolean = self.op.operands().contains(&OperandKind::Bool);
        for (fields, operand) in OPERAND_FIELDS.iter().zip(&self.operands) {
            word.set(fields.bank, BANK_NONE);
            let unused = if boolean { 0 } else { Swizzle::IDENTITY.bits() };
            word.set(fields.swizzle, unused);
            match operand {
                Operand::Reg(src) => encode_source(word, fields, src),
                Operand::Bool(boolean) => encode_boolean(word, fields, boolean),
                Operand::Unit { unit: number, .. }
                | Operand::Attribute(number)
                | Operand::Buffer(number)
                | Operand::Storage(number) => {
                    word.set(fields.bank, BANK_INPUT);
                    word.set(fields.reg, *number);
                }
                Operand::Sample(number) | Operand::Stream(number) => {
                    word.set(fields.bank, BANK_OUTPUT);
                    word.set(fields.reg, *number);
                }
                Operand::Number(number) => word.set(fields.reg, *number),
                // Immediates overlap operand 3: they are written last, below.
                Operand::None | Operand::Imm(_) | Operand::Offset(_) | Operand::Scratch(_) => {}
            }
        }
        // ATTILA's decoder insists on a third operand of FXMAD, though nobody reads it.
        if self.op == Opcode::Fxmad && self.operands[2] == Operand::None {
            word.set(OP3_BANK, BANK_TEMP);
        }
        if let Operand::Imm(imm) = self.operands[1] {
            word.set(OP2_BANK, BANK_IMMEDIATE);
            word.set(OP2_NEG, imm.modifiers.negate);
            word.set(OP2_ABS, imm.modifiers.absolute);
            word.set(IMMEDIATE, imm.bits);
            word.set(OP2_REG, 0u8);
        } else if let Operand::Offset(offset) = self.operands[1] {
            word.set(IMMEDIATE, offset.cast_unsigned());
        }
    }

    fn encode_texture(&self, word: &mut Word) {
        let Some(texture) = self.texture else {
            return;
        };
        let code = match texture.target {
            TextureTarget::Bound => 0,
            TextureTarget::Named { shape, shadow } => shape.code() | u8::from(shadow) << 4,
        };
        word.set(REL_OFFSET, texture.unit);
        word.set(TARGET, code);
        word.set(GATHER, texture.gather as u8);
        word.set(LEVEL_ZERO, texture.level_zero);
    }

    fn encode_result(&self, word: &mut Word) {
        const ALL: u32 = 0xf;
        const X: u32 = 0x8;
        word.set(RES_BANK, BANK_NONE);
        word.set(MASK, ALL);
        if let (Some(pred), Some(_)) = (self.dst.pred, self.dst.reg) {
            word.set(OP3_BANK, BANK_TEMP);
            word.set(OP3_REG, pred.index() as u32);
        } else if let Some(pred) = self.dst.pred {
            word.set(RES_BANK, BANK_PARAM);
            word.set(RES_REG, pred.index() as u32);
            word.set(MASK, if self.op == Opcode::Andp { ALL } else { X });
        }
        if let Some(DstReg { reg, mask }) = self.dst.reg {
            let (bank, index) = bank_code(reg);
            word.set(RES_BANK, bank);
            word.set(RES_REG, index);
            word.set(MASK, mask_to_bits(mask));
        }
        if let Some(DstScratch { mask, .. }) = self.dst.scratch {
            word.set(MASK, mask_to_bits(mask));
        }
        if let Some(mask) = self.dst.storage {
            word.set(MASK, mask_to_bits(mask));
        }
        if let Some(ScratchArray { base, size }) = self.scratch() {
            word.set(SCRATCH_BASE, base);
            word.set(SCRATCH_SIZE, size);
        }
        if self.dst != Dst::NONE {
            match self.path {
                ResultPath::Plain => {}
                ResultPath::Saturate => word.set(SATURATE, true),
                ResultPath::SaturateSigned => word.set(SATURATE_SIGNED, true),
                ResultPath::Ctm { modifier, saturate } => {
                    word.set(CTM_PATH, true);
                    word.set(MODIFIER, modifier.code());
                    word.set(SATURATE, saturate);
                }
            }
        }
        word.set(ZERO_WINS, self.zero_wins);
        if let Some(relative) = self.relative {
            word.set(REL_MODE, true);
            word.set(REL_REG, relative.reg.index() as u32);
            word.set(REL_COMPONENT, relative.component as u8);
            word.set(REL_OFFSET, i32::from(relative.offset).cast_unsigned());
        }
    }
}

/// Bank code and register number within it.
fn bank_code(reg: Reg) -> (u8, u8) {
    let index = reg.index() as u8;
    match reg.bank() {
        Bank::Input => (BANK_INPUT, index),
        Bank::Output => (BANK_OUTPUT, index),
        Bank::Constant if reg.index() < 256 => (BANK_PARAM, index),
        Bank::Constant => (BANK_PARAM2, index),
        Bank::Temp => (BANK_TEMP, index),
        Bank::Address => (BANK_ADDRESS, index),
    }
}

fn encode_source(word: &mut Word, fields: &OperandFields, src: &Src) {
    let (bank, index) = bank_code(src.reg);
    word.set(fields.bank, bank);
    word.set(fields.reg, index);
    word.set(fields.swizzle, src.swizzle.bits());
    word.set(fields.negate, src.modifiers.negate);
    word.set(fields.absolute, src.modifiers.absolute);
}

fn encode_boolean(word: &mut Word, fields: &OperandFields, boolean: &BoolSrc) {
    match *boolean {
        BoolSrc::Literal(value) => {
            word.set(fields.bank, BANK_TEMP);
            word.set(fields.absolute, true);
            word.set(fields.negate, value);
        }
        BoolSrc::Pred { pred, negate } => {
            word.set(fields.bank, BANK_TEMP);
            word.set(fields.reg, pred.index() as u32);
            word.set(fields.negate, negate);
        }
        BoolSrc::Constant {
            reg,
            component,
            negate,
        } => {
            let (bank, index) = bank_code(reg);
            word.set(fields.bank, bank);
            word.set(fields.reg, index);
            word.set(fields.swizzle, Swizzle::broadcast(component).bits());
            word.set(fields.negate, negate);
        }
    }
}
