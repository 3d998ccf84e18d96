//! Reads and prints what queries for samples have besides their result: a predicate, and the number of a
//! sample, as in `pixld_covered r0.x, p1, [r2.w - 3]`.

use crate::code;
use std::fmt::{self, Formatter, Write};

use super::diagnostic::Remark;
use super::lexer::TokenKind;
use super::parser::{Parsed, Parser, usage};
use super::printer::print_operand;
use crate::inst::Inst;
use crate::opcode::OperandKind;
use crate::operand::{Modifiers, Operand, Src};

/// The numbers that may be added to a register.
const ADDED: std::ops::RangeInclusive<i64> = i8::MIN as i64..=i8::MAX as i64;
/// The numbers that may stand alone.
const ALONE: std::ops::RangeInclusive<i64> = 0..=u8::MAX as i64;

/// The number of a sample as a word has it, which `is_added` to a register or stands alone.
///
/// # Errors
///
/// The numbers that the word can hold, in words.
pub(super) fn sample_number(is_added: bool, number: Option<i64>) -> Result<Operand, &'static str> {
    let (limits, message) = match is_added {
        true => (
            ADDED,
            "the number added to a register is not within -128 to 127",
        ),
        false => (ALONE, "the sample's number is not within 0 to 255"),
    };
    let number = number.filter(|number| limits.contains(number));
    // Eight bits, two's complement with a register.
    number
        .map(|number| Operand::Number(number as u8))
        .ok_or(message)
}

impl Parser<'_, '_> {
    /// Reads all that follows the mnemonic.
    pub(super) fn sample_query(&mut self, inst: &mut Inst) -> Parsed<()> {
        let op = inst.op;
        let takes_index = op.operands().first() == Some(&OperandKind::Index);
        if takes_index {
            inst.operands[1] = Operand::Number(0);
        }
        self.result(inst)?;
        let mut has_index = false;
        while !has_index && self.token.kind == TokenKind::Mark(',') {
            self.take();
            let names_predicate = self.token_digits('p').is_some();
            let at_index = self.token.kind == TokenKind::Mark('[');
            if names_predicate && inst.dst.pred.is_none() {
                let span = self.token.span();
                if !op.info().results.also_predicate {
                    let message = format!("`{op}` writes no predicate");
                    return Err(Remark::new(span, message)
                        .code(&code::text::MODIFIER)
                        .help(usage(op)));
                }
                inst.dst.pred = Some(self.pred()?);
            } else if at_index && takes_index {
                let [register, number] = self.index(inst)?;
                inst.operands = [register, number, Operand::None];
                has_index = true;
            } else if at_index {
                let message = format!("`{op}` takes no number of a sample");
                return Err(Remark::new(self.token.span(), message)
                    .code(&code::text::OPERANDS)
                    .help(usage(op)));
            } else if takes_index {
                let help = usage(op);
                return Err(self
                    .expected("the number of a sample in brackets")
                    .help(help));
            } else {
                return Err(self.expected("a predicate").help(usage(op)));
            }
        }
        Ok(())
    }

    /// The number of a sample in brackets.
    fn index(&mut self, inst: &Inst) -> Parsed<[Operand; 2]> {
        self.expect('[')?;
        let start = self.token.start;
        let register = match self.token.kind {
            TokenKind::Number => None,
            TokenKind::Mark('-') => {
                let remark = self.expected("a register or a number from 0 on");
                return Err(remark.help(usage(inst.op)));
            }
            TokenKind::Word
            | TokenKind::Mark(_)
            | TokenKind::Arrow
            | TokenKind::Unknown(_)
            | TokenKind::End => Some(self.index_register(inst)?),
        };
        let number = match register {
            None => self.whole_number()?.1,
            Some(_) => self.added_number()?,
        };
        let number = sample_number(register.is_some(), number)
            .map_err(|message| Remark::new(start..self.end(), message))?;
        self.expect(']')?;
        Ok([register.map_or(Operand::None, Operand::Reg), number])
    }

    /// The register of an index, which has neither modifiers nor a relative address.
    fn index_register(&mut self, inst: &Inst) -> Parsed<Src> {
        let start = self.token.start;
        let source = self.source(inst.op, 0, OperandKind::Index)?;
        let is_relative = self.constants.iter().any(|it| it.relative.is_some());
        if let Operand::Reg(src) = source
            && src.modifiers == Modifiers::default()
            && !is_relative
        {
            return Ok(src);
        }
        let message = "the register has neither modifiers nor a relative address here";
        let help = "copy the value to a temporary first";
        Err(Remark::new(start..self.end(), message).help(help))
    }

    /// A sign and a number, or 0 at the closing bracket.
    fn added_number(&mut self) -> Parsed<Option<i64>> {
        let subtract = self.accept('-');
        if !subtract && !self.accept('+') {
            return Ok(Some(0));
        }
        let (_, magnitude) = self.whole_number()?;
        Ok(magnitude.map(|m| if subtract { -m } else { m }))
    }
}

/// Prints the number of a sample: a register, a number, or both; nothing for sample 0.
pub(super) fn print_index(inst: &Inst, index: usize, f: &mut Formatter<'_>) -> fmt::Result {
    let Some(&Operand::Number(number)) = inst.operands.get(index + 1) else {
        return Ok(());
    };
    if inst.operands[index] == Operand::None {
        return match number {
            0 => Ok(()),
            number => write!(f, ", [{number}]"),
        };
    }
    f.write_str(", [")?;
    print_operand(inst, index, None, f)?;
    match number.cast_signed() {
        0 => f.write_char(']'),
        number if number < 0 => write!(f, " - {}]", number.unsigned_abs()),
        number => write!(f, " + {number}]"),
    }
}
