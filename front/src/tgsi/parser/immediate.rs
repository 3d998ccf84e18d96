//! Reads immediates, and the numbers in them.

use std::ops::Range;

use attila_isa::text::hexadecimal;
use attila_isa::{Remark, code};

use super::super::lexer::TokenKind;
use super::super::syntax::{Immediate, Statement};
use super::super::table::Feature;
use super::super::words::ImmediateType;
use super::{Parsed, Parser, quote, suggest};

/// The most vectors of a T7 array: more than there are temporaries is a slip.
const MOST_VECTORS: usize = 4096;

/// A number in braces.
struct Literal<'a> {
    negative: bool,
    kind: TokenKind,
    digits: &'a str,
    span: Range<usize>,
}

impl<'a> Parser<'a, '_> {
    /// `IMM` and its numbers.
    pub(super) fn immediate(&mut self) -> Parsed<Statement<'a>> {
        let start = self.lexer.token.start;
        self.lexer.advance();
        let mut number = None;
        if self.accept('[') {
            number = Some(self.integer()?);
            self.expect(']')?;
        }
        let word = self.word("the type of the immediate")?;
        if word.text.eq_ignore_ascii_case("FLT16") {
            return Err(Remark::new(word.span(), Feature::Halves.refusal(word.text)));
        }
        let Some(kind) = ImmediateType::find(word.text) else {
            let message = format!("{} is not a type of immediates", quote(word.text));
            let names = ImmediateType::ALL.iter().map(|kind| kind.word());
            let remark = Remark::new(word.span(), message);
            return Err(suggest(remark, word.text, names));
        };
        let mut forms = [None, None];
        let bits = self.vector(kind, &mut forms)?;
        Ok(Statement::Immediate(Box::new(Immediate {
            number,
            kind,
            bits,
            forms,
            span: start..self.lexer.last_end,
        })))
    }

    /// The vectors of a T7 array.
    pub(super) fn vectors(&mut self) -> Parsed<Vec<[u32; 4]>> {
        let start = self.lexer.token.start;
        self.expect('{')?;
        let mut vectors = Vec::new();
        loop {
            vectors.push(self.vector(ImmediateType::Float, &mut [None, None])?);
            if vectors.len() > MOST_VECTORS {
                let message = format!("an array has at most {MOST_VECTORS} vectors");
                return Err(
                    Remark::new(start..self.lexer.last_end, message).code(&code::text::LIMIT)
                );
            }
            if !self.accept(',') {
                break;
            }
        }
        self.expect('}')?;
        Ok(vectors)
    }

    /// `{1, 2, 3, 4}`: the words of a vector of numbers of a type.
    fn vector(
        &mut self,
        kind: ImmediateType,
        forms: &mut [Option<Range<usize>>; 2],
    ) -> Parsed<[u32; 4]> {
        let start = self.lexer.token.start;
        self.expect('{')?;
        let wanted = match kind {
            ImmediateType::Float | ImmediateType::Uint | ImmediateType::Int => 4,
            ImmediateType::Double | ImmediateType::Uint64 | ImmediateType::Int64 => 2,
        };
        let mut bits = [0; 4];
        let mut count = 0;
        loop {
            let literal = self.literal()?;
            let is_hexadecimal = literal.kind == TokenKind::Hexadecimal;
            if kind == ImmediateType::Float {
                forms[usize::from(!is_hexadecimal)].get_or_insert(literal.span.clone());
            }
            let value = value(&literal, kind)?;
            match kind {
                ImmediateType::Float | ImmediateType::Uint | ImmediateType::Int => {
                    if let Some(word) = bits.get_mut(count) {
                        *word = value as u32;
                    }
                }
                ImmediateType::Double | ImmediateType::Uint64 | ImmediateType::Int64 => {
                    if let Some([low, high]) = bits.as_chunks_mut().0.get_mut(count) {
                        (*low, *high) = (value as u32, (value >> 32) as u32);
                    }
                }
            }
            count += 1;
            if !self.accept(',') {
                break;
            }
        }
        self.expect('}')?;
        if count != wanted {
            let message = format!("{kind} has {wanted} numbers, not {count}");
            return Err(Remark::new(start..self.lexer.last_end, message));
        }
        Ok(bits)
    }

    fn literal(&mut self) -> Parsed<Literal<'a>> {
        let start = self.lexer.token.start;
        let negative = self.accept('-');
        if !negative {
            self.accept('+');
        }
        let token = self.lexer.token;
        let is_number = match token.kind {
            TokenKind::Integer | TokenKind::Float | TokenKind::Hexadecimal => true,
            TokenKind::Word => not_finite(token.text).is_some(),
            TokenKind::Mark(_) | TokenKind::Range | TokenKind::Unknown | TokenKind::End => false,
        };
        if !is_number {
            return Err(self.unexpected("a number"));
        }
        self.lexer.advance();
        Ok(Literal {
            negative,
            kind: token.kind,
            digits: token.text,
            span: start..self.lexer.last_end,
        })
    }
}

/// Infinity or NaN, by its word.
fn not_finite(word: &str) -> Option<f64> {
    let is = |name: &str| word.eq_ignore_ascii_case(name);
    if is("inf") || is("infinity") {
        Some(f64::INFINITY)
    } else if is("nan") {
        Some(f64::NAN)
    } else {
        None
    }
}

/// The bits of a number of a type, the lower ones first. Hexadecimal digits are the bits of floats.
fn value(literal: &Literal<'_>, kind: ImmediateType) -> Parsed<u64> {
    let wrong = |what: &str| {
        let sign = if literal.negative { "-" } else { "" };
        let number = format!("{sign}{}", literal.digits);
        let message = format!("{} is not {what}", quote(&number));
        Remark::new(literal.span.clone(), message)
    };
    let sign = if literal.negative { -1.0 } else { 1.0 };
    match kind {
        ImmediateType::Float => {
            if literal.kind == TokenKind::Hexadecimal {
                let bits = hexadecimal(&literal.digits[2..]);
                let bits = bits.ok_or_else(|| wrong("the bits of a float"))?;
                let flip = u32::from(literal.negative) << 31;
                return Ok(u64::from(bits ^ flip));
            }
            let number = not_finite(literal.digits).map(|number| number as f32);
            let number = number.or_else(|| literal.digits.parse().ok());
            let number = number.ok_or_else(|| wrong("a float"))?;
            Ok(u64::from((sign as f32 * number).to_bits()))
        }
        ImmediateType::Double => {
            if literal.kind == TokenKind::Hexadecimal {
                let bits = u64::from_str_radix(&literal.digits[2..], 16);
                let bits = bits.map_err(|_| wrong("the bits of a double"))?;
                return Ok(bits ^ u64::from(literal.negative) << 63);
            }
            let number = not_finite(literal.digits);
            let number = number.or_else(|| literal.digits.parse().ok());
            let number = number.ok_or_else(|| wrong("a double"))?;
            Ok((sign * number).to_bits())
        }
        ImmediateType::Uint => integer(literal, 0..=u32::MAX.into())
            .ok_or_else(|| wrong("an unsigned integer of 32 bits")),
        ImmediateType::Int => integer(literal, i32::MIN.into()..=u32::MAX.into())
            .ok_or_else(|| wrong("a signed integer of 32 bits")),
        ImmediateType::Uint64 => integer(literal, 0..=u64::MAX.into())
            .ok_or_else(|| wrong("an unsigned integer of 64 bits")),
        ImmediateType::Int64 => integer(literal, i64::MIN.into()..=u64::MAX.into())
            .ok_or_else(|| wrong("a signed integer of 64 bits")),
    }
}

/// The two's complement of an integer in a range.
fn integer(literal: &Literal<'_>, range: std::ops::RangeInclusive<i128>) -> Option<u64> {
    let magnitude = match literal.kind {
        TokenKind::Integer => literal.digits.parse().ok()?,
        TokenKind::Hexadecimal => i128::from_str_radix(&literal.digits[2..], 16).ok()?,
        TokenKind::Word
        | TokenKind::Float
        | TokenKind::Mark(_)
        | TokenKind::Range
        | TokenKind::Unknown
        | TokenKind::End => return None,
    };
    let number = match literal.negative {
        true => -magnitude,
        false => magnitude,
    };
    range.contains(&number).then_some(number as u64)
}
