//! Reads one line: labels, an instruction with its guard, result and annotations. The operands
//! are in [`super::operands`].

use crate::code;
use std::ops::Range;

use super::diagnostic::{Diagnostics, Remark};
use super::lexer::{Lexer, Token, TokenKind};
use super::long::{is_long, names_query};
use super::numbered::{ATTRIBUTE, BUFFER, SAMPLE, STORAGE, STREAM, TEXTURE_UNIT};
use super::spare::SpareConstants;
use crate::bank::Pred;
use crate::inst::Inst;
use crate::manual::syntax;
use crate::opcode::{Opcode, OperandKind, ResultPath};
use crate::operand::{Dst, Guard, Operand, RelAddr};
use crate::profile::Profile;
use crate::registers::PREDICATES;
use crate::text::is_whole;

/// The parsed part of a line, or a remark on a mistake in it.
pub(super) type Parsed<T> = Result<T, Remark>;

/// One instruction as it stands in the text.
pub(super) struct Statement<'a> {
    pub(super) inst: Inst,
    /// From the guard or mnemonic to the last annotation.
    pub(super) span: Range<usize>,
    /// The label that a jump names; its distance is still 0.
    pub(super) target: Option<Token<'a>>,
    /// Whether it is marked `<- noend`.
    pub(super) no_end: bool,
    /// Hints for scheduling in the long spelling.
    pub(super) hints: String,
}

/// A constant that an instruction names, and the address it is relative to.
pub(super) struct Constant {
    pub(super) span: Range<usize>,
    pub(super) relative: Option<RelAddr>,
}

/// `text` in backquotes, shortened if it is long.
pub(super) fn quote(text: &str) -> String {
    const LONGEST: usize = 32;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// A line that is being read.
pub(super) struct Parser<'a, 'd> {
    /// The profile of the text.
    pub(super) profile: Profile,
    lexer: Lexer<'a>,
    /// The line, and where it begins in the text.
    line: (&'a str, usize),
    /// The next token.
    pub(super) token: Token<'a>,
    /// Where the token before it ends.
    end: usize,
    labels: Vec<Token<'a>>,
    /// The constants of the instruction so far.
    pub(super) constants: Vec<Constant>,
    pub(super) spare: &'d mut SpareConstants<'a>,
    pub(super) diagnostics: &'d mut Diagnostics,
}

impl<'a, 'd> Parser<'a, 'd> {
    /// `line` begins at byte `start` of the text.
    pub(super) fn new(
        line: &'a str,
        start: usize,
        profile: Profile,
        spare: &'d mut SpareConstants<'a>,
        diagnostics: &'d mut Diagnostics,
    ) -> Self {
        let mut lexer = Lexer::new(line, start);
        Parser {
            profile,
            token: lexer.next(),
            lexer,
            line: (line, start),
            end: start,
            labels: Vec::new(),
            constants: Vec::new(),
            spare,
            diagnostics,
        }
    }

    /// The labels in front of the instruction, also if that turned out to be wrong.
    pub(super) fn into_labels(self) -> Vec<Token<'a>> {
        self.labels
    }

    /// The instruction of the line, if it has one.
    pub(super) fn statement(&mut self) -> Parsed<Option<Statement<'a>>> {
        while self.token.kind == TokenKind::Word {
            let word = self.take();
            if !self.accept(':') {
                if is_long(word.text) {
                    return self.long_statement(word.start).map(Some);
                }
                return self.instruction(word.start, None, word).map(Some);
            }
            self.labels.push(word);
        }
        if self.token.kind == TokenKind::End {
            return Ok(None);
        }
        let start = self.token.start;
        if self.token.kind == TokenKind::Unknown('@') && names_query(self.line_from(start)) {
            return self.long_statement(start).map(Some);
        }
        if !self.accept('(') {
            return Err(self.expected("an instruction"));
        }
        let guard = self.guard()?;
        let word = self.word("an instruction")?;
        self.instruction(start, Some(guard), word).map(Some)
    }

    fn guard(&mut self) -> Parsed<Guard> {
        let negate = self.accept('!');
        let pred = self.pred()?;
        self.expect(')')?;
        Ok(Guard { pred, negate })
    }

    fn instruction(
        &mut self,
        start: usize,
        guard: Option<Guard>,
        word: Token<'a>,
    ) -> Parsed<Statement<'a>> {
        let (op, suffixes) = self.mnemonic(word)?;
        let mut inst = Inst::new(op);
        inst.guard = guard;
        inst.path = suffixes.path;
        inst.zero_wins = suffixes.zero_wins;
        if op == Opcode::End && guard.is_some() {
            let message = "the guard has no effect: `end` ends every lane that comes to it";
            self.warn(Remark::new(start..word.start, message).code(&code::text::NO_EFFECT));
        }
        let target = if op.names_target() {
            self.query(&mut inst, suffixes.level_zero, suffixes.offset)?;
            None
        } else if op.is_sample_query() {
            self.sample_query(&mut inst)?;
            None
        } else {
            self.result(&mut inst)?;
            let target = self.operands(&mut inst)?;
            inst.relative = self.relative_address()?;
            target
        };
        let no_end = self.annotations(&mut inst)?;
        Ok(Statement {
            inst,
            span: start..self.end,
            target,
            no_end,
            hints: String::new(),
        })
    }

    pub(super) fn result(&mut self, inst: &mut Inst) -> Parsed<()> {
        let results = inst.op.info().results;
        if results.register.is_some() {
            let reg = self.result_register(inst.op)?;
            let mask = self.result_mask(inst.op)?;
            inst.dst = Dst::reg(reg, mask);
        }
        if results.predicate {
            inst.path = ResultPath::saturate_if(self.accept('!'));
            let pred = self.pred().map_err(|remark| remark.help(usage(inst.op)))?;
            inst.dst.pred = Some(pred);
        }
        if results.scratch {
            let array = self.scratch_array()?;
            inst.dst = Dst::scratch(array, self.mask()?);
        }
        if results.storage {
            inst.operands[1] = self.number(&STORAGE)?;
            inst.dst = Dst::storage(self.mask()?);
        }
        Ok(())
    }

    /// Reads what the table says; the label, if a jump names one.
    fn operands(&mut self, inst: &mut Inst) -> Parsed<Option<Token<'a>>> {
        let mut target = None;
        for (index, &kind) in inst.op.operands().iter().enumerate() {
            if kind == OperandKind::Storage && inst.dst.storage.is_some() {
                // It has been read as the destination.
                continue;
            }
            let first = index == 0 && inst.dst == Dst::NONE;
            let separated = !first && kind != OperandKind::Scratch;
            let before = self.end;
            if separated && !self.separator(inst.op, index, kind)? {
                inst.operands[index] = omitted(kind);
                continue;
            }
            let operand = self.token;
            inst.operands[index] = match kind {
                // The array stands before its index, which is the operand before.
                OperandKind::Scratch => continue,
                OperandKind::Int(_) if inst.op.operands().get(1) == Some(&OperandKind::Scratch) => {
                    inst.operands[1] = Operand::Scratch(self.scratch_array()?);
                    self.bracketed(inst.op, index, kind)?
                }
                OperandKind::Float(_)
                | OperandKind::Int(_)
                | OperandKind::Double(_)
                | OperandKind::Raw(_)
                | OperandKind::OptionalFloat(_)
                | OperandKind::Texels
                | OperandKind::Gradients
                | OperandKind::Absent
                | OperandKind::Index
                | OperandKind::Number
                | OperandKind::Ignored => self.source(inst.op, index, kind)?,
                OperandKind::Input => self.input(inst.op, index)?,
                OperandKind::Bool => Operand::Bool(self.truth_value()?),
                OperandKind::Unit => self.number(&TEXTURE_UNIT)?,
                OperandKind::Attribute => self.number(&ATTRIBUTE)?,
                OperandKind::Stream => self.number(&STREAM)?,
                OperandKind::Sample => self.number(&SAMPLE)?,
                OperandKind::Buffer => self.number(&BUFFER)?,
                OperandKind::Storage => self.number(&STORAGE)?,
                OperandKind::Offset => {
                    let (offset, label) = self.jump_target()?;
                    target = label;
                    Operand::Offset(offset)
                }
            };
            self.check_read(inst.op, inst.operands[index], kind, operand, before);
        }
        Ok(target)
    }

    /// Warns of an operand that means nothing; `before` is where the one before it ends.
    fn check_read(
        &mut self,
        op: Opcode,
        operand: Operand,
        kind: OperandKind,
        token: Token<'a>,
        before: usize,
    ) {
        let message = match (op, operand) {
            // Listings name sample 0.
            (Opcode::Zxs, Operand::Sample(1..)) => format!(
                "`{op}` exports the depths of the current sample and the three after it: `{}` means nothing",
                token.text
            ),
            _ if kind == OperandKind::Ignored => format!("`{op}` does not read this operand"),
            _ => return,
        };
        let remark = Remark::new(token.span(), message)
            .code(&code::text::NO_EFFECT)
            .help("leave it out");
        self.warn(remark.fix(before..self.end, ""));
    }

    /// Reads the comma in front of operand `index`. `false` if it is absent and not required.
    fn separator(&mut self, op: Opcode, index: usize, kind: OperandKind) -> Parsed<bool> {
        if self.accept(',') {
            return Ok(true);
        }
        let at_end = matches!(self.token.kind, TokenKind::End | TokenKind::Arrow);
        let optional = kind == OperandKind::Ignored || op == Opcode::Zxs;
        if at_end && optional {
            return Ok(false);
        }
        if at_end {
            let message = format!("operand {} of `{op}` is missing", index + 1);
            return Err(Remark::new(self.end..self.end, message)
                .code(&code::text::OPERANDS)
                .help(usage(op)));
        }
        Err(self.expected("`,`"))
    }

    /// The relative address that serves all constants of the instruction (machine.md 1.8, D45).
    fn relative_address(&self) -> Parsed<Option<RelAddr>> {
        let Some(first) = self.constants.first() else {
            return Ok(None);
        };
        let Some(other) = self.constants.iter().find(|c| c.relative != first.relative) else {
            return Ok(first.relative);
        };
        let absolute = [first, other].into_iter().find(|c| c.relative.is_none());
        let (span, message) = match absolute {
            Some(constant) => (
                constant.span.clone(),
                "this constant would become relative like the other one",
            ),
            None => (
                other.span.clone(),
                "the constants of an instruction share one relative address",
            ),
        };
        Err(Remark::new(span, message).help("copy one of them to a temporary first"))
    }

    /// A predicate register.
    pub(super) fn pred(&mut self) -> Parsed<Pred> {
        let Some(digits) = self.token_digits('p') else {
            return Err(self.expected("a predicate"));
        };
        let token = self.take();
        let index = digits.parse().ok();
        index
            .and_then(Pred::new)
            .ok_or_else(|| does_not_exist(token, &format!("p{}", PREDICATES - 1)))
    }

    /// The digits of the next token if it names a register of the kind `letter`.
    pub(super) fn token_digits(&self, letter: char) -> Option<&'a str> {
        let digits = self
            .token
            .text
            .strip_prefix([letter, letter.to_ascii_uppercase()])?;
        (self.token.kind == TokenKind::Word && is_whole(digits)).then_some(digits)
    }

    /// The line from byte `start` of the text on.
    pub(super) fn line_from(&self, start: usize) -> &'a str {
        let (line, first) = self.line;
        &line[start - first..]
    }

    /// Where the last token that was taken ends.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Takes the next token of any kind.
    pub(super) fn take(&mut self) -> Token<'a> {
        let token = std::mem::replace(&mut self.token, self.lexer.next());
        self.end = token.span().end;
        token
    }

    /// Takes the next token if it is `mark`.
    pub(super) fn accept(&mut self, mark: char) -> bool {
        let found = self.token.kind == TokenKind::Mark(mark);
        if found {
            self.take();
        }
        found
    }

    pub(super) fn expect(&mut self, mark: char) -> Parsed<()> {
        if self.accept(mark) {
            Ok(())
        } else {
            Err(self.expected(&format!("`{mark}`")))
        }
    }

    pub(super) fn word(&mut self, what: &str) -> Parsed<Token<'a>> {
        if self.token.kind == TokenKind::Word {
            Ok(self.take())
        } else {
            Err(self.expected(what))
        }
    }

    /// The next token is not what stands here.
    pub(super) fn expected(&self, what: &str) -> Remark {
        let found = match self.token.kind {
            TokenKind::End => {
                let message = format!("expected {what}, found the end of the line");
                return Remark::new(self.end..self.end, message).code(&code::text::EXPECTED);
            }
            TokenKind::Unknown(c) => format!("`{}`", c.escape_debug()),
            TokenKind::Word | TokenKind::Number | TokenKind::Mark(_) | TokenKind::Arrow => {
                quote(self.token.text)
            }
        };
        Remark::new(self.token.span(), format!("expected {what}, found {found}"))
            .code(&code::text::EXPECTED)
    }

    pub(super) fn warn(&mut self, remark: Remark) {
        self.diagnostics.warn(remark);
    }
}

/// The value of an optional operand that was left out.
fn omitted(kind: OperandKind) -> Operand {
    match kind == OperandKind::Sample {
        true => Operand::Sample(0),
        false => Operand::None,
    }
}

/// The help that shows how an instruction is written.
pub(super) fn usage(op: Opcode) -> String {
    format!("usage: {}", syntax(op))
}

pub(super) fn does_not_exist(token: Token<'_>, last: &str) -> Remark {
    let message = format!("{} does not exist; the last is `{last}`", quote(token.text));
    Remark::new(token.span(), message).code(&code::text::NAME)
}
