//! The long spelling of queries for samples: `@!P0 PIXLD.COVERED R4, P1, [R13+#0x20] &wr1 ?W3;`.
//!
//! `Rn` is `rn.x` and `Pn` is `pn`; `PT`, also `P7`, is always true as a guard, and no destination. `RZ` is 0 as an
//! index, and no destination. Hints for scheduling, after `&` and `?`, have no effect; the program keeps them for its
//! listings. A predicate or an index that the mode does not have is left out, with a warning. Letters may have any
//! case. A semicolon ends the statement.

use crate::code;
use std::fmt::{self, Formatter};
use std::ops::Range;

use super::diagnostic::Remark;
use super::header::add_header;
use super::parser::{Parsed, Parser, Statement, quote};
use super::samples::sample_number;
use super::suggest::nearest;
use crate::bank::{Bank, Pred, Reg};
use crate::inst::Inst;
use crate::opcode::{Opcode, OperandKind};
use crate::operand::{Component, DstReg, Guard, Operand, Slots, Src, Swizzle};
use crate::profile::Profile;
use crate::text::{Cursor, Word, hexadecimal, is_whole};

/// The name of all queries.
const NAME: &str = "PIXLD";

/// The queries by the names of their modes.
const MODES: [(&str, Opcode); 6] = [
    ("MSCOUNT", Opcode::PixldCount),
    ("COVMASK", Opcode::PixldMask),
    ("COVERED", Opcode::PixldCovered),
    ("OFFSET", Opcode::PixldOffset),
    ("CENTROID_OFFSET", Opcode::PixldCentroid),
    ("MY_INDEX", Opcode::PixldIndex),
];

/// Hints after `&` that end with a number.
const NUMBERED_HINTS: [&str; 3] = ["req_", "rd", "wr"];
/// Hints after `&` that a number follows after `=`. After the first one, it may be a list in braces.
const VALUED_HINTS: [&str; 3] = ["req", "rd", "wr"];

/// The last register, and the last predicate but [`ALWAYS`].
const LAST_REGISTER: u16 = 254;
const LAST_PREDICATE: u8 = 6;
/// The predicate that is true, and that cannot be written.
const ALWAYS: u8 = 7;
/// The names of the register that is 0 and of the predicate [`ALWAYS`].
const ZERO: &str = "RZ";
const TRUE: &str = "PT";

const USAGE: &str = "usage: [@[!]Pg] PIXLD[.MODE] Rd[, Pd][, [#n]|[Ra]|[Ra+#n]] {&hint|?hint};";

/// Characters that are words of their own.
const MARKS: &str = "@!.,[]+-#&?;={}";

/// Whether a word opens a statement in the long spelling.
pub(super) fn is_long(word: &str) -> bool {
    word.eq_ignore_ascii_case(NAME)
}

/// The hints for scheduling that a text is, up to a semicolon, without blanks in them. `None` if it is something else.
///
/// ```
/// use attila_isa::scheduling_hints;
///
/// assert_eq!(scheduling_hints("&req={0, 1} ?W4"), Some("&req={0,1} ?W4".to_owned()));
/// assert_eq!(scheduling_hints("no hints"), None);
/// ```
pub fn scheduling_hints(text: &str) -> Option<String> {
    let mut reader = Reader::new(text, 0);
    let hints = reader.hints().ok()?;
    matches!(reader.peek().text, "" | ";").then_some(hints)
}

/// Whether a line that begins with a guard in the long spelling has a query after it. In other languages `@`
/// begins something else.
pub(super) fn names_query(line: &str) -> bool {
    let mut cursor = Cursor::new(line, 0);
    let mut words = std::iter::repeat_with(|| cursor.word(MARKS).text).take(4);
    words.any(is_long)
}

impl<'a> Parser<'a, '_> {
    /// The statement in the long spelling that begins at byte `start` of the text.
    pub(super) fn long_statement(&mut self, start: usize) -> Parsed<Statement<'a>> {
        let mut reader = Reader::new(self.line_from(start), start);
        let (inst, hints) = reader.statement()?;
        let span = start..reader.end;
        reader.line_end()?;
        if self.profile == Profile::Base {
            let message = format!("`{NAME}` is an instruction of the extended profile");
            return Err(add_header(
                Remark::new(span, message).code(&code::text::ABSENT),
            ));
        }
        reader
            .warnings
            .into_iter()
            .for_each(|warning| self.warn(warning));
        Ok(Statement {
            inst,
            span,
            target: None,
            no_end: false,
            hints,
        })
    }
}

/// The operands of a statement.
#[derive(Default)]
struct Operands {
    predicate: Option<(Pred, Range<usize>)>,
    index: Option<([Operand; 2], Range<usize>)>,
}

/// A statement that is being read.
struct Reader<'a> {
    /// The whole statement.
    text: Cursor<'a>,
    cursor: Cursor<'a>,
    /// The word before, and where it ends.
    before: &'a str,
    end: usize,
    warnings: Vec<Remark>,
}

impl<'a> Reader<'a> {
    /// `text` begins at byte `start` of the whole one.
    fn new(text: &'a str, start: usize) -> Reader<'a> {
        let text = Cursor::new(text, start);
        Reader {
            text,
            cursor: text,
            before: "",
            end: start,
            warnings: Vec::new(),
        }
    }

    /// The instruction, and its hints.
    fn statement(&mut self) -> Parsed<(Inst, String)> {
        let guard = match self.accept("@") {
            true => Some(self.guard()?),
            false => None,
        };
        let name = self.take();
        if !is_long(name.text) {
            return Err(self.unexpected(name, &format!("`{NAME}`")));
        }
        let op = self.mode(name)?;
        let mut inst = Inst::new(op);
        inst.dst.reg = match self.register()? {
            Some(reg) => Some(DstReg {
                reg,
                mask: Slots::X,
            }),
            None => nowhere(),
        };
        if op.operands().first() == Some(&OperandKind::Index) {
            inst.operands[1] = Operand::Number(0);
        }
        let operands = self.operands()?;
        self.apply(operands, &mut inst);
        let hints = self.hints()?;
        self.expect(";")?;
        let inst = match guard {
            Some((ALWAYS, true)) => Inst::new(Opcode::Nop),
            Some((ALWAYS, false)) | None => inst,
            Some((number, negate)) => Inst {
                guard: Pred::new(number).map(|pred| Guard { pred, negate }),
                ..inst
            },
        };
        Ok((inst, hints))
    }

    /// The number of a guard, and whether its opposite counts.
    fn guard(&mut self) -> Parsed<(u8, bool)> {
        let negate = self.accept("!");
        Ok((self.predicate()?, negate))
    }

    fn mode(&mut self, name: Word<'a>) -> Parsed<Opcode> {
        if !self.accept(".") {
            let (mode, op) = MODES[0];
            let message = format!("`{NAME}` without a mode is `{NAME}.{mode}`");
            let warning = Remark::new(name.span(), message).help("name the mode");
            self.warnings.push(warning);
            return Ok(op);
        }
        let word = self.take();
        let known = MODES
            .iter()
            .find(|(mode, _)| word.text.eq_ignore_ascii_case(mode));
        known.map(|(_, op)| *op).ok_or_else(|| {
            let names = MODES.map(|(mode, _)| mode);
            let remark = self.unknown(word, "mode");
            match nearest(word.text, names) {
                Some(near) => remark.did_you_mean(near),
                None => remark.help(format!("modes are {}", names.join(", "))),
            }
        })
    }

    /// A register, `R0` to `R254`; `None` for `RZ`.
    fn register(&mut self) -> Parsed<Option<Reg>> {
        if self.accept(ZERO) {
            return Ok(None);
        }
        let number = self.numbered('R', "a register")?;
        let number = number.and_then(|number| u16::try_from(number).ok());
        number
            .filter(|&number| number <= LAST_REGISTER)
            .and_then(temporary)
            .map(Some)
            .ok_or_else(|| {
                self.beyond(format!("the last is `R{LAST_REGISTER}`, and `{ZERO}` is 0"))
            })
    }

    /// A predicate, `P0` to `P7`, or `PT` for the last one.
    fn predicate(&mut self) -> Parsed<u8> {
        if self.accept(TRUE) {
            return Ok(ALWAYS);
        }
        let number = self.numbered('P', "a predicate")?;
        let number = number.and_then(|number| u8::try_from(number).ok());
        number.filter(|&number| number <= ALWAYS).ok_or_else(|| {
            self.beyond(format!(
                "the last is `P{LAST_PREDICATE}`, and `P{ALWAYS}` is none"
            ))
        })
    }

    /// The number after a letter; `None` if it is too large for any use.
    fn numbered(&mut self, letter: char, what: &str) -> Parsed<Option<u64>> {
        let word = self.take();
        let digits = word
            .text
            .strip_prefix([letter, letter.to_ascii_lowercase()]);
        match digits.filter(|digits| is_whole(digits)) {
            Some(digits) => Ok(digits.parse().ok()),
            None => Err(self.unexpected(word, what)),
        }
    }

    /// The word before names something that does not exist.
    fn beyond(&self, last: String) -> Remark {
        let text = &self.before;
        Remark::new(
            self.end - text.len()..self.end,
            format!("{} does not exist; {last}", quote(text)),
        )
        .code(&code::text::NAME)
    }

    fn operands(&mut self) -> Parsed<Operands> {
        let mut operands = Operands::default();
        while operands.index.is_none() && self.accept(",") {
            let start = self.peek().start;
            if self.accept("[") {
                let index = self.index()?;
                operands.index = Some((index, start..self.end));
            } else if operands.predicate.is_none() {
                let number = self.predicate()?;
                let pred = Pred::new(number).filter(|_| number != ALWAYS);
                operands.predicate = pred.map(|pred| (pred, start..self.end));
            } else {
                let word = self.take();
                return Err(self.unexpected(word, "`[`"));
            }
        }
        Ok(operands)
    }

    /// The number of a sample after `[`.
    fn index(&mut self) -> Parsed<[Operand; 2]> {
        let start = self.peek().start;
        let base = match self.peek().text {
            "#" => None,
            _ => Some(self.register()?),
        };
        let number = match base {
            Some(_) if !self.accept("+") => Some(0),
            Some(_) | None => self.signed_number()?,
        };
        // A negative number alone is one from 128 on, which no sample has either.
        let number = sample_number(base.is_some(), number)
            .map_err(|message| Remark::new(start..self.end, message))?;
        self.expect("]")?;
        let register = base.flatten().map(|register| Src {
            swizzle: Swizzle::broadcast(Component::X),
            ..Src::new(register)
        });
        Ok([register.map_or(Operand::None, Operand::Reg), number])
    }

    /// A number after `#`, with a sign or not. `None` if it is too large for any use.
    fn signed_number(&mut self) -> Parsed<Option<i64>> {
        self.expect("#")?;
        let negate = self.accept("-");
        let magnitude = self.number()?;
        Ok(magnitude.map(|number| if negate { -number } else { number }))
    }

    /// A number, decimal or after `0x`. `None` if it is too large for any use.
    fn number(&mut self) -> Parsed<Option<i64>> {
        let word = self.take();
        let digits = word.text.strip_prefix("0x");
        let magnitude = match digits.or(word.text.strip_prefix("0X")) {
            Some(digits) => {
                let is_number = digits.chars().all(|c| c.is_ascii_hexdigit());
                (is_number && !digits.is_empty()).then(|| hexadecimal(digits).map(i64::from))
            }
            None => is_whole(word.text).then(|| word.text.parse().ok()),
        };
        magnitude.ok_or_else(|| self.unexpected(word, "a number"))
    }

    /// Takes over the operands that the query has, and warns of the others.
    fn apply(&mut self, operands: Operands, inst: &mut Inst) {
        let op = inst.op;
        let mut left_out = |what: &str, span| {
            let message = format!("`{op}` has no {what}; it is left out");
            self.warnings
                .push(Remark::new(span, message).code(&code::text::MODIFIER));
        };
        match operands.predicate {
            Some((pred, _)) if op.info().results.also_predicate => inst.dst.pred = Some(pred),
            Some((_, span)) => left_out("predicate", span),
            None => {}
        }
        match operands.index {
            Some(([register, number], _)) if !op.operands().is_empty() => {
                inst.operands = [register, number, Operand::None];
            }
            Some((_, span)) => left_out("number of a sample", span),
            None => {}
        }
    }

    /// All hints, with a space between any two.
    fn hints(&mut self) -> Parsed<String> {
        let mut hints = Vec::new();
        loop {
            let start = self.peek().start;
            if self.accept("?") {
                self.hint_name()?;
            } else if self.accept("&") {
                self.numbered_hint()?;
            } else {
                return Ok(hints.join(" "));
            }
            let mut hint = self.text;
            hint.take(start - self.text.position());
            let hint = hint.take(self.end - start).text;
            hints.push(hint.split_whitespace().collect::<String>());
        }
    }

    fn hint_name(&mut self) -> Parsed<()> {
        let word = self.take();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        match !word.text.is_empty() && word.text.chars().all(is_name) {
            true => Ok(()),
            false => Err(self.unexpected(word, "the name of a hint")),
        }
    }

    /// `req_6`, `rd1`, `wr=0x2` or `req={0,1}`.
    fn numbered_hint(&mut self) -> Parsed<()> {
        let word = self.take();
        let lower = word.text.to_ascii_lowercase();
        let mut numbers = NUMBERED_HINTS
            .iter()
            .filter_map(|hint| lower.strip_prefix(hint));
        if numbers.any(is_whole) {
            return Ok(());
        }
        if !VALUED_HINTS.contains(&lower.as_str()) {
            let help =
                "hints are `&req_N`, `&req={N,...}`, `&rdN`, `&rd=N`, `&wrN`, `&wr=N` and `?name`";
            return Err(self.unknown(word, "hint").help(help));
        }
        self.expect("=")?;
        let is_list = lower == VALUED_HINTS[0] && self.accept("{");
        self.number()?;
        while is_list && self.accept(",") {
            self.number()?;
        }
        match is_list {
            true => self.expect("}"),
            false => Ok(()),
        }
    }

    /// Checks that nothing but a comment follows.
    fn line_end(&mut self) -> Parsed<()> {
        self.cursor.skip(char::is_whitespace);
        let rest = self.cursor.rest();
        let comments = ["#", ";", "//"];
        if rest.is_empty() || comments.iter().any(|mark| rest.starts_with(mark)) {
            return Ok(());
        }
        let word = self.take();
        Err(self.unexpected(word, "the end of the line"))
    }

    fn peek(&self) -> Word<'a> {
        self.cursor.peek(MARKS)
    }

    fn take(&mut self) -> Word<'a> {
        let word = self.cursor.word(MARKS);
        if !word.text.is_empty() {
            self.end = word.end();
        }
        self.before = word.text;
        word
    }

    /// Takes the next word if it is `word`, in any case.
    fn accept(&mut self, word: &str) -> bool {
        let found = self.peek().text.eq_ignore_ascii_case(word);
        if found {
            self.take();
        }
        found
    }

    fn expect(&mut self, mark: &str) -> Parsed<()> {
        if self.accept(mark) {
            return Ok(());
        }
        let word = self.take();
        Err(self.unexpected(word, &format!("`{mark}`")))
    }

    fn unknown(&self, word: Word<'a>, what: &str) -> Remark {
        if word.text.is_empty() {
            return self.unexpected(word, &format!("a {what}"));
        }
        Remark::new(word.span(), format!("unknown {what} {}", quote(word.text)))
            .code(&code::text::INSTRUCTION)
    }

    fn unexpected(&self, word: Word<'a>, what: &str) -> Remark {
        let remark = if word.text.is_empty() {
            let message = format!("expected {what}, found the end of the line");
            Remark::new(self.end..self.end, message).code(&code::text::EXPECTED)
        } else {
            let message = format!("expected {what}, found {}", quote(word.text));
            Remark::new(word.span(), message).code(&code::text::EXPECTED)
        };
        remark.help(USAGE)
    }
}

/// A query in the long spelling.
#[derive(Clone, Copy)]
pub(super) struct Long<'a> {
    mode: &'static str,
    guard: Option<Guard>,
    /// `None`: the result goes nowhere.
    register: Option<usize>,
    predicate: Option<Pred>,
    index: Option<usize>,
    number: u8,
    hints: &'a str,
}

impl Long<'_> {
    /// An instruction with its hints, if the long spelling can say it.
    pub(super) fn of<'a>(inst: &Inst, hints: &'a str) -> Option<Long<'a>> {
        let (mode, _) = MODES.iter().find(|(_, op)| *op == inst.op)?;
        let dst = inst.dst.reg?;
        let is_named = |pred: Pred| pred.index() <= usize::from(LAST_PREDICATE);
        let (index, number) = match inst.operands {
            [Operand::Reg(src), Operand::Number(number), _] => {
                let is_x = src.swizzle == Swizzle::broadcast(Component::X);
                (Some(register(src.reg).filter(|_| is_x)?), number)
            }
            [_, Operand::Number(number), _] => (None, number),
            _ => (None, 0),
        };
        let is_nowhere = Some(dst) == nowhere();
        let fits = (dst.mask == Slots::X || is_nowhere)
            && inst.guard.is_none_or(|guard| is_named(guard.pred))
            && inst.dst.pred.is_none_or(is_named)
            && !inst.end
            && !inst.wait;
        fits.then_some(Long {
            mode,
            guard: inst.guard,
            register: match is_nowhere {
                true => None,
                false => Some(register(dst.reg)?),
            },
            predicate: inst.dst.pred,
            index,
            number,
            hints,
        })
    }
}

fn temporary(number: u16) -> Option<Reg> {
    Reg::within(Profile::Extended, Bank::Temp, number)
}

/// The destination `RZ`.
fn nowhere() -> Option<DstReg> {
    let mask = Slots::empty();
    temporary(0).map(|reg| DstReg { reg, mask })
}

/// The number of a register that has a name in the long spelling.
fn register(reg: Reg) -> Option<usize> {
    let is_named = reg.bank() == Bank::Temp && reg.index() <= usize::from(LAST_REGISTER);
    is_named.then_some(reg.index())
}

impl fmt::Display for Long<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(Guard { pred, negate }) = self.guard {
            let not = if negate { "!" } else { "" };
            write!(f, "@{not}P{} ", pred.index())?;
        }
        write!(f, "{NAME}.{} ", self.mode)?;
        match self.register {
            Some(register) => write!(f, "R{register}")?,
            None => f.write_str(ZERO)?,
        }
        if let Some(pred) = self.predicate {
            write!(f, ", P{}", pred.index())?;
        }
        let signed = self.number.cast_signed();
        match (self.index, self.number) {
            (None, 0) => {}
            (None, number) => write!(f, ", [#{number:#x}]")?,
            (Some(register), 0) => write!(f, ", [R{register}]")?,
            (Some(register), _) if signed < 0 => {
                write!(f, ", [R{register}+#-{:#x}]", signed.unsigned_abs())?;
            }
            (Some(register), number) => write!(f, ", [R{register}+#{number:#x}]")?,
        }
        if !self.hints.is_empty() {
            write!(f, " {}", self.hints)?;
        }
        f.write_str(";")
    }
}
