//! Reads instructions and their operands.

use attila_isa::{Remark, code, nearest};

use super::super::lexer::TokenKind;
use super::super::syntax::{
    Broken, Clamp, Guard, Index, IndexKind, Instruction, Item, Name, Number, Operand, Register,
    Relative, Statement,
};
use super::super::table::{OpcodeName, TgsiOpcode};
use super::super::words::File;
use super::{DECLARATIONS, Parsed, Parser, quote};

/// An opcode with its suffixes.
struct Mnemonic {
    opcode: OpcodeName,
    clamp: Option<Clamp>,
    precise: bool,
}

/// Cuts suffixes from a word until an opcode remains.
fn mnemonic(word: &str) -> Option<Mnemonic> {
    let (mut rest, mut clamp, mut precise) = (word, None, false);
    loop {
        if let Some(opcode) = TgsiOpcode::find(rest) {
            return Some(Mnemonic {
                opcode,
                clamp,
                precise,
            });
        }
        let (before, suffix) = rest.rsplit_once('_')?;
        let is = |name: &str| suffix.eq_ignore_ascii_case(name);
        if is("PRECISE") && !precise {
            precise = true;
        } else if is("SAT") && clamp.is_none() {
            clamp = Some(Clamp::Unsigned);
        } else if is("SATNV") && clamp.is_none() {
            clamp = Some(Clamp::Signed);
        } else {
            return None;
        }
        rest = before;
    }
}

impl<'a> Parser<'a, '_> {
    pub(super) fn instruction(&mut self) -> Parsed<Statement<'a>> {
        let number = self.number()?;
        if number.is_some() {
            self.broken = Broken::Instruction(None);
        }
        let start = self.lexer.token.start;
        let guard = self.guard()?;
        let word = self.word("a statement")?;
        let Some(mnemonic) = mnemonic(word.text) else {
            return Err(self.unknown(&word));
        };
        self.broken = Broken::Instruction(Some(mnemonic.opcode));
        if self.at('.') && !self.lexer.begins_line {
            return Err(self.stray_mask(mnemonic.opcode.opcode));
        }
        let items = self.items(mnemonic.opcode.opcode)?;
        let label = match self.accept(':') {
            true => Some(self.integer()?),
            false => None,
        };
        if !self.lexer.begins_line && (self.at(',') || self.at_operand()) {
            return Err(self.unexpected("`,`, or the next statement"));
        }
        Ok(Statement::Instruction(Box::new(Instruction {
            number,
            guard,
            opcode: mnemonic.opcode,
            clamp: mnemonic.clamp,
            precise: mnemonic.precise,
            word,
            items,
            label,
            span: start..self.lexer.last_end,
        })))
    }

    /// The remark on a write mask after an opcode.
    fn stray_mask(&mut self, opcode: TgsiOpcode) -> Remark {
        let span = self.lexer.token.start..self.lexer.peek().span().end;
        let row = opcode.info();
        if row.form.results.is_empty() {
            return Remark::new(span, format!("{} has no result to mask", row.name))
                .code(&code::text::MODIFIER);
        }
        let remark =
            Remark::new(span, "a write mask stands after a register").code(&code::text::COMPONENTS);
        remark.help(format!("as in `{} OUT[0].xy`", row.name))
    }

    /// The number before an instruction.
    fn number(&mut self) -> Parsed<Option<Number>> {
        if self.lexer.token.kind != TokenKind::Integer {
            return Ok(None);
        }
        let number = self.integer()?;
        self.expect(':')?;
        Ok(Some(number))
    }

    fn guard(&mut self) -> Parsed<Option<Box<Guard<'a>>>> {
        if !self.accept('(') {
            return Ok(None);
        }
        self.broken = Broken::Instruction(None);
        let negate = self.accept('!');
        let register = self.register()?;
        self.expect(')')?;
        Ok(Some(Box::new(Guard { negate, register })))
    }

    /// A word that no statement begins with.
    fn unknown(&mut self, word: &Name<'a>) -> Remark {
        let message = format!("unknown opcode {}", quote(word.text));
        let remark = Remark::new(word.span(), message).code(&code::text::INSTRUCTION);
        // A word in a line of its own, or one with operands, was meant to be an instruction.
        self.broken = Broken::Instruction(None);
        if !self.diagnostics.has_room() {
            return remark;
        }
        let names = TgsiOpcode::names().chain(DECLARATIONS);
        match word.text.rsplit_once('_') {
            Some((before, suffix)) if mnemonic(before).is_some() => {
                let suffixes = ["SAT", "SATNV", "PRECISE"];
                let known = suffixes.iter().any(|it| it.eq_ignore_ascii_case(suffix));
                if known {
                    return remark.help(format!("`_{suffix}` stands there twice"));
                }
                match nearest(suffix, suffixes) {
                    Some(near) => remark.did_you_mean(&format!("{before}_{near}")),
                    None => remark.help("the suffixes are `_SAT`, `_SATNV` and `_PRECISE`"),
                }
            }
            Some(_) | None => {
                let near = nearest(word.text, names);
                // The structure of the program is more likely right with it than without.
                self.broken = Broken::Instruction(near.and_then(TgsiOpcode::find));
                match near {
                    Some(near) => remark.did_you_mean(near),
                    None => remark,
                }
            }
        }
    }

    fn items(&mut self, opcode: TgsiOpcode) -> Parsed<Vec<Item<'a>>> {
        let form = opcode.info().form;
        let count = form.results.len() + form.sources.len();
        let is_needed = count > form.optional;
        let mut items = Vec::new();
        let at_word = self.lexer.token.kind == TokenKind::Word;
        let begins = match self.lexer.begins_line {
            true => is_needed && self.at_operand(),
            false => self.at_operand() || is_needed && at_word,
        };
        if !begins {
            return Ok(items);
        }
        items.reserve(count + usize::from(opcode.info().has_target()));
        loop {
            items.push(self.item()?);
            if !self.accept(',') {
                return Ok(items);
            }
        }
    }

    /// Whether an operand is next.
    fn at_operand(&self) -> bool {
        match self.lexer.token.kind {
            TokenKind::Mark('-' | '|') => true,
            TokenKind::Word => self.lexer.peek().kind == TokenKind::Mark('['),
            TokenKind::Integer
            | TokenKind::Float
            | TokenKind::Hexadecimal
            | TokenKind::Mark(_)
            | TokenKind::Range
            | TokenKind::Unknown
            | TokenKind::End => false,
        }
    }

    fn item(&mut self) -> Parsed<Item<'a>> {
        let start = self.lexer.token.start;
        if self.lexer.token.kind == TokenKind::Word && !self.at_operand() {
            let begins_statement =
                self.lexer.begins_line && mnemonic(self.lexer.token.text).is_some();
            if begins_statement {
                return Err(self.unexpected("an operand"));
            }
            return Ok(Item::Word(self.word("a register")?));
        }
        let negate = self.accept('-');
        let absolute = self.accept('|');
        let register = self.register()?;
        if absolute {
            self.expect('|')?;
        }
        Ok(Item::Operand(Operand {
            negate,
            absolute,
            register,
            span: start..self.lexer.last_end,
        }))
    }

    fn register(&mut self) -> Parsed<Register<'a>> {
        let (start, word) = (self.lexer.token.start, self.lexer.token.text);
        let file = self.file()?;
        let mut array = None;
        let first = self.index(&mut array)?;
        let second = match self.at('[') {
            true => Some(self.index(&mut array)?),
            false => None,
        };
        let components = self.components()?;
        Ok(Register {
            file,
            word,
            first,
            second,
            array,
            components,
            span: start..self.lexer.last_end,
        })
    }

    /// The word after a point.
    pub(super) fn components(&mut self) -> Parsed<Option<Name<'a>>> {
        let point = self.lexer.token.span();
        if !self.accept('.') {
            return Ok(None);
        }
        if self.lexer.token.kind == TokenKind::Word && self.lexer.token.start == point.end {
            return Ok(Some(self.word("components")?));
        }
        let remark =
            Remark::new(point, "no components stand after the point").code(&code::text::COMPONENTS);
        Err(remark.help("there may be up to four of `xyzw`"))
    }

    /// An index in brackets, with the number of an array.
    fn index(&mut self, array: &mut Option<Number>) -> Parsed<Index<'a>> {
        let start = self.lexer.token.start;
        self.expect('[')?;
        let kind = match self.lexer.token.kind {
            TokenKind::Word => IndexKind::Relative(Box::new(self.relative()?)),
            TokenKind::Integer
            | TokenKind::Float
            | TokenKind::Hexadecimal
            | TokenKind::Mark(_)
            | TokenKind::Range
            | TokenKind::Unknown
            | TokenKind::End => IndexKind::Number(self.integer()?.0),
        };
        self.expect(']')?;
        let span = start..self.lexer.last_end;
        if self.at('(') && self.lexer.peek().kind == TokenKind::Integer {
            self.lexer.advance();
            *array = Some(self.integer()?);
            self.expect(')')?;
        }
        Ok(Index { kind, span })
    }

    fn relative(&mut self) -> Parsed<Relative<'a>> {
        let start = self.lexer.token.start;
        let file: File = self.file()?;
        self.expect('[')?;
        let (register, _) = self.integer()?;
        self.expect(']')?;
        let component = self.components()?;
        let span = start..self.lexer.last_end;
        let negative = self.accept('-');
        let offset = match negative || self.accept('+') {
            true => i64::from(self.integer()?.0),
            false => 0,
        };
        Ok(Relative {
            file,
            register,
            component,
            offset: if negative { -offset } else { offset },
            span,
        })
    }
}
