//! From a word to its instruction.

use super::{
    BANK_ADDRESS, BANK_IMMEDIATE, BANK_INPUT, BANK_NONE, BANK_OUTPUT, BANK_PARAM, BANK_PARAM2,
    BANK_TEMP, CTM_PATH, END_FLAG, Field, GATHER, IMMEDIATE, INVERT_PRED, LEVEL_ZERO, MASK,
    MODIFIER, OP3_BANK, OP3_REG, OPERAND_FIELDS, PRED_REG, PREDICATED, REL_COMPONENT, REL_MODE,
    REL_OFFSET, REL_REG, RES_BANK, RES_REG, RESERVED, SATURATE, SATURATE_SIGNED, SCRATCH_BASE,
    SCRATCH_SIZE, TARGET, WAIT_POINT, Word, WordError, ZERO_WINS, mask_from_bits,
};
use crate::access::TextureAccess;
use crate::bank::{Bank, Pred, Reg};
use crate::inst::Inst;
use crate::inst_error::InstError;
use crate::opcode::{OpFlags, Opcode, OperandKind, ResultPath};
use crate::operand::{
    BoolSrc, Component, Dst, DstReg, DstScratch, Guard, Imm, Modifiers, Operand, RelAddr,
    ScratchArray, Src, Swizzle,
};
use crate::path::CtmModifier;
use crate::profile::Profile;
use crate::registers::{BUFFERS, PREDICATES, STORAGE_BUFFERS, STREAMS};
use crate::target::{TextureShape, TextureTarget};

/// The instruction with this opcode that a word of a profile codes.
pub(super) fn instruction(word: Word, profile: Profile, op: Opcode) -> Result<Inst, WordError> {
    Reader { word, profile }.instruction(op)
}

/// A word that is read as one of a profile.
struct Reader {
    word: Word,
    profile: Profile,
}

impl std::ops::Deref for Reader {
    type Target = Word;

    fn deref(&self) -> &Word {
        &self.word
    }
}

impl Reader {
    fn instruction(&self, op: Opcode) -> Result<Inst, WordError> {
        let mut inst = Inst::new(op);
        inst.end |= self.flag(END_FLAG);
        inst.wait = self.flag(WAIT_POINT);
        if self.flag(PREDICATED) {
            let pred = self.pred(PRED_REG)?;
            inst.guard = Some(Guard {
                pred,
                negate: self.flag(INVERT_PRED),
            });
        }
        for (index, &kind) in op.operands().iter().enumerate() {
            inst.operands[index] = self.operand(op, index, kind)?;
        }
        inst.dst = self.result(op)?;
        let has_path = inst.dst.reg.is_some() || inst.dst.pred.is_some();
        inst.path = ResultPath::saturate_if(has_path && self.flag(SATURATE));
        match self.profile {
            Profile::Base => {}
            Profile::Extended => self.modifiers(&mut inst)?,
        }
        if op.names_target() {
            self.texture(&mut inst)?;
        } else if self.flag(REL_MODE) && inst.has_constant() && inst.scratch().is_none() {
            if op.is_sample_query() {
                return Err(WordError::Modifier(InstError::NeverRelative { op }));
            }
            inst.relative = Some(self.relative()?);
        }
        inst.check_pairs().map_err(WordError::Modifier)?;
        debug_assert_eq!(inst.check(self.profile), Ok(()));
        Ok(inst)
    }

    /// The texture of an instruction, and the address of its unit.
    fn texture(&self, inst: &mut Inst) -> Result<(), WordError> {
        let op = inst.op;
        let size = self.profile.texture_units();
        let number = self.get(REL_OFFSET);
        let unit = u8::try_from(number).ok().filter(|&unit| unit < size);
        let unit = unit.ok_or(WordError::Register {
            what: "texture unit",
            index: number.min(u8::MAX.into()) as u8,
            size: size.into(),
        })?;
        let code = self.byte(TARGET);
        let shape = TextureShape::from_code(code & 0xf);
        let shape = shape.ok_or(WordError::Target { op, code })?;
        let texture = TextureAccess {
            unit,
            target: TextureTarget::Named {
                shape,
                shadow: code & 0x10 != 0,
            },
            gather: Component::from_bits(self.byte(GATHER)),
            level_zero: self.flag(LEVEL_ZERO),
        };
        texture.check(op).map_err(WordError::Modifier)?;
        inst.texture = Some(texture);
        if self.flag(REL_MODE) {
            let address = self.relative()?;
            inst.relative = Some(RelAddr {
                offset: 0,
                ..address
            });
        }
        Ok(())
    }

    /// Bits 54 to 63.
    fn modifiers(&self, inst: &mut Inst) -> Result<(), WordError> {
        if let Some(bit) = RESERVED.into_iter().find(|bit| self.word.0 >> bit & 1 != 0) {
            return Err(WordError::Reserved(bit));
        }
        inst.zero_wins = self.flag(ZERO_WINS);
        if self.flag(SATURATE_SIGNED) {
            if inst.path != ResultPath::Plain {
                return Err(WordError::BothSaturate { op: inst.op });
            }
            inst.path = ResultPath::SaturateSigned;
        }
        let code = self.get(MODIFIER);
        if self.flag(CTM_PATH) {
            if inst.path == ResultPath::SaturateSigned {
                let suffix = CtmModifier::ALL[code as usize].suffix();
                return Err(WordError::SignedCtm {
                    op: inst.op,
                    suffix,
                });
            }
            inst.path = ResultPath::Ctm {
                modifier: CtmModifier::ALL[code as usize],
                saturate: inst.path == ResultPath::Saturate,
            };
        } else if code != 0 {
            return Err(WordError::Reserved(MODIFIER.low + code.trailing_zeros()));
        }
        inst.check_modifiers().map_err(WordError::Modifier)
    }

    fn pred(&self, field: Field) -> Result<Pred, WordError> {
        let index = self.byte(field);
        Pred::new(index).ok_or(WordError::Register {
            what: "predicate",
            index,
            size: PREDICATES.into(),
        })
    }

    fn operand(&self, op: Opcode, index: usize, kind: OperandKind) -> Result<Operand, WordError> {
        let reg = self.byte(OPERAND_FIELDS[index].reg);
        let below = |size: u8, what| match reg < size {
            true => Ok(reg),
            false => Err(WordError::Register {
                what,
                index: reg,
                size: size.into(),
            }),
        };
        match kind {
            OperandKind::Float(_)
            | OperandKind::Int(_)
            | OperandKind::Double(_)
            | OperandKind::Raw(_) => self.source(op, index),
            OperandKind::OptionalFloat(_) | OperandKind::Texels => {
                match self.byte(OPERAND_FIELDS[index].bank) {
                    BANK_NONE => Ok(Operand::None),
                    _ => self.source(op, index),
                }
            }
            OperandKind::Gradients => self.gradients(op, index),
            OperandKind::Input => self.plain_source(op, index, kind),
            OperandKind::Index => match self.byte(OPERAND_FIELDS[index].bank) {
                BANK_NONE => Ok(Operand::None),
                _ => self.plain_source(op, index, kind),
            },
            OperandKind::Number => Ok(Operand::Number(reg)),
            OperandKind::Bool => self.boolean(index).map(Operand::Bool),
            OperandKind::Unit => Ok(Operand::Unit {
                unit: below(self.profile.texture_units(), "texture unit")?,
                target: TextureTarget::Bound,
            }),
            OperandKind::Attribute => Ok(Operand::Attribute(below(
                self.profile.attributes(),
                "attribute",
            )?)),
            OperandKind::Stream => Ok(Operand::Stream(below(STREAMS, "stream")?)),
            OperandKind::Sample => Ok(Operand::Sample(reg)),
            OperandKind::Scratch => Ok(Operand::Scratch(self.scratch())),
            OperandKind::Buffer => Ok(Operand::Buffer(below(BUFFERS, "buffer")?)),
            OperandKind::Storage => {
                let number = below(STORAGE_BUFFERS, "storage buffer")?;
                Ok(Operand::Storage(number))
            }
            OperandKind::Offset => Ok(Operand::Offset(self.get(IMMEDIATE).cast_signed())),
            OperandKind::Ignored | OperandKind::Absent => Ok(Operand::None),
        }
    }

    fn source(&self, op: Opcode, index: usize) -> Result<Operand, WordError> {
        let fields = &OPERAND_FIELDS[index];
        let modifiers = Modifiers {
            negate: self.flag(fields.negate),
            absolute: self.flag(fields.absolute),
        };
        let number = self.byte(fields.reg);
        let (bank, base) = match self.byte(fields.bank) {
            BANK_INPUT => (Bank::Input, 0),
            BANK_PARAM => (Bank::Constant, 0),
            BANK_PARAM2 => (Bank::Constant, 256),
            BANK_TEMP => (Bank::Temp, 0),
            BANK_ADDRESS => (Bank::Address, 0),
            BANK_IMMEDIATE if index == 1 && op.has(OpFlags::IMM) => {
                return Ok(Operand::Imm(Imm {
                    bits: self.get(IMMEDIATE),
                    modifiers,
                }));
            }
            BANK_IMMEDIATE => {
                return Err(WordError::Immediate {
                    op,
                    operand: index + 1,
                });
            }
            code => {
                return Err(WordError::SourceBank {
                    op,
                    operand: index + 1,
                    code,
                });
            }
        };
        let reg = self.register(bank, number, base)?;
        let swizzle = Swizzle::from_bits(self.byte(fields.swizzle));
        Ok(Operand::Reg(Src {
            reg,
            swizzle,
            modifiers,
        }))
    }

    /// A register without modifiers: an input, or the number of a sample.
    fn plain_source(
        &self,
        op: Opcode,
        index: usize,
        kind: OperandKind,
    ) -> Result<Operand, WordError> {
        let source = self.source(op, index)?;
        let Operand::Reg(Src { reg, modifiers, .. }) = source else {
            return Ok(source);
        };
        if kind == OperandKind::Input && reg.bank() != Bank::Input {
            return Err(WordError::SourceBank {
                op,
                operand: index + 1,
                code: self.byte(OPERAND_FIELDS[index].bank),
            });
        }
        if modifiers != Modifiers::default() {
            return Err(WordError::Modifier(InstError::Operand {
                op,
                number: index + 1,
                kind: Some(kind),
            }));
        }
        Ok(source)
    }

    /// The first of two temporaries.
    fn gradients(&self, op: Opcode, index: usize) -> Result<Operand, WordError> {
        let fields = &OPERAND_FIELDS[index];
        let source = self.source(op, index)?;
        let Operand::Reg(Src { reg, .. }) = source else {
            return Ok(source);
        };
        if reg.bank() != Bank::Temp {
            let (operand, code) = (index + 1, self.byte(fields.bank));
            return Err(WordError::SourceBank { op, operand, code });
        }
        match reg.next() {
            Some(_) => Ok(source),
            None => Err(WordError::Register {
                what: "temporary",
                index: self.byte(fields.reg),
                size: Bank::Temp.size(self.profile) - 1,
            }),
        }
    }

    /// The coded bank only tells constants from the rest, which are predicates (machine.md 1.5).
    fn boolean(&self, index: usize) -> Result<BoolSrc, WordError> {
        let fields = &OPERAND_FIELDS[index];
        let negate = self.flag(fields.negate);
        if self.flag(fields.absolute) {
            return Ok(BoolSrc::Literal(negate));
        }
        let base = match self.byte(fields.bank) {
            BANK_PARAM => 0,
            BANK_PARAM2 => 256,
            _ => {
                return Ok(BoolSrc::Pred {
                    pred: self.pred(fields.reg)?,
                    negate,
                });
            }
        };
        let reg = self.register(Bank::Constant, self.byte(fields.reg), base)?;
        let component = Component::from_bits(self.byte(fields.swizzle));
        Ok(BoolSrc::Constant {
            reg,
            component,
            negate,
        })
    }

    fn result(&self, op: Opcode) -> Result<Dst, WordError> {
        let results = op.info().results;
        let reg = results.register.map(|_| self.result_register(op));
        let pred = match results.also_predicate {
            true => self.second_result(op).transpose(),
            false => results.predicate.then(|| self.pred(RES_REG)),
        };
        let scratch = results.scratch.then(|| DstScratch {
            array: self.scratch(),
            mask: mask_from_bits(self.byte(MASK)),
        });
        let mask = || mask_from_bits(self.byte(MASK));
        Ok(Dst {
            reg: reg.transpose()?,
            pred: pred.transpose()?,
            scratch,
            storage: results.storage.then(mask),
        })
    }

    /// The predicate that is written besides a register, in place of operand 3.
    fn second_result(&self, op: Opcode) -> Result<Option<Pred>, WordError> {
        match self.byte(OP3_BANK) {
            BANK_NONE => Ok(None),
            BANK_TEMP => self.pred(OP3_REG).map(Some),
            code => Err(WordError::ResultBank { op, code }),
        }
    }

    fn scratch(&self) -> ScratchArray {
        ScratchArray {
            base: self.get(SCRATCH_BASE) as u16,
            size: self.get(SCRATCH_SIZE) as u16,
        }
    }

    fn result_register(&self, op: Opcode) -> Result<DstReg, WordError> {
        let bank = match self.byte(RES_BANK) {
            BANK_OUTPUT => Bank::Output,
            BANK_TEMP => Bank::Temp,
            BANK_ADDRESS => Bank::Address,
            code => return Err(WordError::ResultBank { op, code }),
        };
        Ok(DstReg {
            reg: self.register(bank, self.byte(RES_REG), 0)?,
            mask: mask_from_bits(self.byte(MASK)),
        })
    }

    fn relative(&self) -> Result<RelAddr, WordError> {
        let reg = self.register(Bank::Address, self.byte(REL_REG), 0)?;
        let component = Component::from_bits(self.byte(REL_COMPONENT));
        // Nine bits, two's complement.
        let offset = ((self.get(REL_OFFSET) as i16) << 7) >> 7;
        Ok(RelAddr {
            reg,
            component,
            offset,
        })
    }

    fn register(&self, bank: Bank, index: u8, base: u16) -> Result<Reg, WordError> {
        let what = match bank {
            Bank::Input => "input",
            Bank::Output => "output",
            Bank::Constant => "constant",
            Bank::Temp => "temporary",
            Bank::Address => "address register",
        };
        let size = bank.size(self.profile);
        Reg::within(self.profile, bank, base + u16::from(index)).ok_or(WordError::Register {
            what,
            index,
            size,
        })
    }
}
