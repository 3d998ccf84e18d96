//! Reads lines.
//!
//! A half with a mistake is reported and left out. Reading goes on with the other half and the next line.

use std::collections::BTreeMap;

use attila_isa::text::is_whole;
use attila_isa::{CtmModifier, Diagnostics, Remark, Slots, code, nearest};

use super::lexer::{Lexer, TokenKind};
use super::opcode::{CtmOpcode, OPCODES};
use super::program::{CtmProgram, Destination, Half, Line, Unit};
use super::statements::{self, ZERO_WINS};

pub(super) type Parsed<T> = Result<T, Remark>;

/// What ends halves.
const SEPARATOR: char = ';';

/// What begins comments.
const COMMENT: char = '#';

/// The pieces of `text` between the characters `separator`, and where they begin.
fn pieces(text: &str, start: usize, separator: char) -> impl Iterator<Item = (usize, &str)> {
    let mut at = start;
    text.split(separator).map(move |piece| {
        let start = at;
        at += piece.len() + separator.len_utf8();
        (start, piece)
    })
}

/// The lines of a text without comments, and where they begin.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    pieces(text, 0, '\n').map(|(start, line)| {
        let end = line.find(COMMENT).unwrap_or(line.len());
        (start, &line[..end])
    })
}

/// Reads all lines. The second result tells of each line whether both of its halves could be read.
pub(super) fn read(text: &str, diagnostics: &mut Diagnostics) -> (CtmProgram, Vec<bool>) {
    let mut program = CtmProgram {
        zero_wins: false,
        constants: BTreeMap::new(),
        lines: Vec::new(),
        end: text.len(),
    };
    let mut complete = Vec::new();
    for (start, line) in lines(text) {
        let lexer = Lexer::new(line, start);
        let read = match lexer.token.text {
            _ if lexer.token.kind == TokenKind::End => continue,
            "option" => statements::option(line, start).map(|()| program.zero_wins = true),
            "const" => statements::constant(line, start, &mut program.constants),
            _ => {
                let (line, is_complete) = halves(line, start, diagnostics);
                program.lines.push(line);
                complete.push(is_complete);
                Ok(())
            }
        };
        if let Err(remark) = read {
            diagnostics.error(remark);
        }
    }
    (program, complete)
}

/// The halves of a line, and whether all could be read.
fn halves(line: &str, start: usize, diagnostics: &mut Diagnostics) -> (Line, bool) {
    let mut read = Line {
        rgb: None,
        alpha: None,
    };
    let mut is_complete = true;
    for (number, (start, piece)) in pieces(line, start, SEPARATOR).enumerate() {
        let mut parser = Parser::new(piece, start);
        parser.has_room = diagnostics.has_room();
        if number == Unit::ALL.len() {
            let span = parser.lexer.token.span();
            diagnostics
                .error(Remark::new(span, "a line has two halves at most").code(&code::text::LIMIT));
            is_complete = false;
            break;
        }
        let result = parser.half().and_then(|half| {
            let place = match half.unit {
                Unit::Rgb => &mut read.rgb,
                Unit::Alpha => &mut read.alpha,
            };
            if place.is_some() {
                let message = format!("the line has an `{}` half already", half.unit.word());
                return Err(Remark::new(half.span, message).code(&code::text::TWICE));
            }
            *place = Some(half);
            Ok(())
        });
        if let Err(remark) = result {
            diagnostics.error(remark);
            is_complete = false;
        }
    }
    (read, is_complete)
}

/// Reads a half or a statement.
pub(super) struct Parser<'a> {
    pub(super) lexer: Lexer<'a>,
    /// Whether good advice would be shown.
    has_room: bool,
}

impl<'a> Parser<'a> {
    /// Begins with a part of a line.
    pub(super) fn new(part: &'a str, start: usize) -> Parser<'a> {
        Parser {
            lexer: Lexer::new(part, start),
            has_room: true,
        }
    }

    fn half(&mut self) -> Parsed<Half> {
        let start = self.lexer.token.start;
        let unit = Unit::ALL
            .into_iter()
            .find(|unit| self.lexer.token.text == unit.word());
        let Some(unit) = unit else {
            let remark = self.unexpected("`rgb` or `alpha`");
            let words = ["rgb", "alpha", "option", "const"];
            return Err(self.with_nearest(remark, words));
        };
        self.lexer.advance();
        let name = self.lexer.token.span();
        let opcode = self.opcode(unit)?;
        let mut half = Half {
            unit,
            opcode,
            modifier: CtmModifier::X1,
            saturate: false,
            destination: None,
            sources: Vec::new(),
            name,
            span: start..start,
        };
        self.suffixes(&mut half)?;
        if opcode != CtmOpcode::Nop {
            half.destination = self.destination(unit)?;
            if self.accept('=') {
                half.sources.push(self.source(unit)?);
                while self.accept(',') {
                    half.sources.push(self.source(unit)?);
                }
            }
        }
        if self.lexer.token.kind != TokenKind::End {
            return Err(self.unexpected("the end of the half"));
        }
        half.span.end = self.lexer.last_end;
        Ok(half)
    }

    fn opcode(&mut self, unit: Unit) -> Parsed<CtmOpcode> {
        let token = self.lexer.token;
        if token.kind != TokenKind::Word {
            return Err(self.unexpected("an operation"));
        }
        let found = CtmOpcode::named(token.text);
        if let Some(opcode) = found.filter(|it| it.info().units.has(unit)) {
            self.lexer.advance();
            return Ok(opcode);
        }
        let (word, other) = (unit.word(), unit.other().word());
        if found.is_some() {
            let message = format!("an `{word}` half has no `{}`", token.text);
            let remark = Remark::new(token.span(), message);
            return Err(remark.help(format!("an `{other}` half has it")));
        }
        let message = format!("unknown operation {}", quote(token.text));
        let rows = OPCODES.iter().filter(|row| row.units.has(unit));
        let remark = Remark::new(token.span(), message).code(&code::text::INSTRUCTION);
        Err(self.with_nearest(remark, rows.map(|row| row.name)))
    }

    /// `.x2`, `.raw`, `.sat` and the like.
    fn suffixes(&mut self, half: &mut Half) -> Parsed<()> {
        let mut first: Option<&str> = None;
        while self.accept('.') {
            let token = self.lexer.token;
            let twice = |first| {
                let message = match first == token.text {
                    true => format!("`{first}` stands twice"),
                    false => format!("`{first}` and `{}` exclude each other", token.text),
                };
                Err(Remark::new(token.span(), message).code(&code::text::TWICE))
            };
            let modifier = CtmModifier::ALL.into_iter().skip(1);
            let modifier = modifier.into_iter().find(|it| suffix(*it) == token.text);
            match (modifier, token.text) {
                (Some(modifier), _) => {
                    if let Some(first) = first.replace(suffix(modifier)) {
                        return twice(first);
                    }
                    half.modifier = modifier;
                }
                (None, "sat") if half.saturate => return twice("sat"),
                (None, "sat") => half.saturate = true,
                (None, _) => {
                    let remark = self.unexpected("a suffix");
                    return Err(remark.help("x2, x4, x8, d2, d4, d8, raw and sat are suffixes"));
                }
            }
            self.lexer.advance();
        }
        Ok(())
    }

    /// `_`, or a register with a mask.
    fn destination(&mut self, unit: Unit) -> Parsed<Option<Destination>> {
        if self.lexer.token.text == "_" {
            self.lexer.advance();
            return Ok(None);
        }
        let start = self.lexer.token.start;
        let register = self.register()?;
        let mask = match self.accept('.') {
            true => self.mask(unit)?,
            false => unit.mask(),
        };
        Ok(Some(Destination {
            register,
            mask,
            span: start..self.lexer.last_end,
        }))
    }

    /// Some of r, g and b in this order; or a.
    fn mask(&mut self, unit: Unit) -> Parsed<Slots> {
        let text = self.lexer.token.text;
        let letters = unit.mask().components();
        let letters = letters.map(|it| (['r', 'g', 'b', 'a'][it.index()], Slots::only(it)));
        let mut rest = text;
        let mut mask = Slots::empty();
        for (letter, slot) in letters {
            if let Some(after) = rest.strip_prefix(letter) {
                mask |= slot;
                rest = after;
            }
        }
        if mask.is_empty() || !rest.is_empty() {
            return Err(match unit {
                Unit::Rgb => {
                    let remark = self.unexpected("a mask of an `rgb` half");
                    remark.help("some of r, g and b, in this order")
                }
                Unit::Alpha => self.unexpected("`a`, the mask of `alpha` halves"),
            });
        }
        self.lexer.advance();
        Ok(mask)
    }

    /// Takes the mark if it is next.
    pub(super) fn accept(&mut self, mark: char) -> bool {
        let found = self.lexer.token.kind == TokenKind::Mark(mark);
        if found {
            self.lexer.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, mark: char) -> Parsed<()> {
        if self.accept(mark) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{mark}`")))
    }

    /// The next token is not `what` it should be.
    pub(super) fn unexpected(&self, what: &str) -> Remark {
        let found = match self.lexer.token.kind {
            TokenKind::End => "the end".to_owned(),
            TokenKind::Word | TokenKind::Mark(_) | TokenKind::Unknown => {
                quote(self.lexer.token.text)
            }
        };
        let message = format!("expected {what}, found {found}");
        Remark::new(self.lexer.token.span(), message).code(&code::text::EXPECTED)
    }

    /// The remark with a word that may have been meant.
    fn with_nearest<'w>(&self, remark: Remark, words: impl IntoIterator<Item = &'w str>) -> Remark {
        let is_word = self.has_room && self.lexer.token.kind == TokenKind::Word;
        let near = is_word.then(|| nearest(self.lexer.token.text, words));
        match near.flatten() {
            Some(near) => remark.did_you_mean(near),
            None => remark,
        }
    }
}

/// The word of a modifier in texts; x1 has none.
pub(super) fn suffix(modifier: CtmModifier) -> &'static str {
    modifier.suffix().trim_start_matches('_')
}

/// A token in messages, shortened if it is long.
pub(super) fn quote(text: &str) -> String {
    const LONG: usize = 40;
    match text.char_indices().nth(LONG) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// Whether a text begins like a program: with a half, an option or a constant.
pub fn is_program(text: &str) -> bool {
    let mut lexers = lines(text).map(|(start, line)| Lexer::new(line, start));
    let Some(mut lexer) = lexers.find(|lexer| lexer.token.kind != TokenKind::End) else {
        return false;
    };
    let first = lexer.token.text;
    lexer.advance();
    let second = lexer.token;
    match first {
        "rgb" | "alpha" => matches!(second.kind, TokenKind::Word | TokenKind::End),
        "option" => OPTIONS.contains(&second.text),
        // Other languages have constants, too.
        "const" => second.text.strip_prefix('c').is_some_and(is_whole),
        _ => false,
    }
}

/// The names of all options.
pub(super) const OPTIONS: [&str; 1] = [ZERO_WINS];
