//! The long spelling of queries for samples: `@!P0 PIXLD.COVERED R4, P1, [R13+#0x20] &wr1 ?W3;`.
//!
//! `Rn` is `rn.x` and `Pn` is `pn`; `P7` is always true as a guard, and no destination. Hints for scheduling,
//! after `&` and `?`, have no effect. A predicate or an index that the mode does not have is left out, with a
//! warning. Letters may have any case. A semicolon ends the statement.

use std::fmt::{self, Formatter};
use std::ops::Range;

use super::diagnostic::Remark;
use super::header::add_header;
use super::parser::{Parsed, Parser, Statement, quote};
use super::samples::index_operands;
use super::suggest::nearest;
use crate::bank::{Bank, Pred, Reg};
use crate::inst::Inst;
use crate::opcode::{Opcode, OperandKind};
use crate::operand::{Component, Dst, Guard, Operand, Slots, Src, Swizzle};
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

/// Hints after `&` that a number follows.
const HINTS: [&str; 3] = ["req_", "rd", "wr"];

/// The last register, and the last predicate but [`ALWAYS`].
const LAST_REGISTER: u16 = 31;
const LAST_PREDICATE: u8 = 6;
/// The predicate that is true, and that cannot be written.
const ALWAYS: u8 = 7;

const USAGE: &str = "usage: [@[!]Pg] PIXLD[.MODE] Rd[, Pd][, [#n]|[Ra]|[Ra+#n]] {&hint|?hint};";

/// Characters that are words of their own.
const MARKS: &str = "@!.,[]+-#&?;";

/// Whether a word opens a statement in the long spelling.
pub(super) fn is_long(word: &str) -> bool {
    word.eq_ignore_ascii_case(NAME)
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
        let mut reader = Reader {
            cursor: Cursor::new(self.line_from(start), start),
            before: "",
            end: start,
            warnings: Vec::new(),
        };
        let inst = reader.statement()?;
        let span = start..reader.end;
        reader.line_end()?;
        if self.profile == Profile::Base {
            let message = format!("`{NAME}` is an instruction of the extended profile");
            return Err(add_header(Remark::new(span, message)));
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
    cursor: Cursor<'a>,
    /// The word before, and where it ends.
    before: &'a str,
    end: usize,
    warnings: Vec<Remark>,
}

impl<'a> Reader<'a> {
    fn statement(&mut self) -> Parsed<Inst> {
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
        inst.dst = Dst::reg(self.register()?, Slots::X);
        if op.operands().first() == Some(&OperandKind::Index) {
            inst.operands[1] = Operand::Number(0);
        }
        let operands = self.operands()?;
        self.apply(operands, &mut inst);
        self.hints()?;
        self.expect(";")?;
        Ok(match guard {
            Some((ALWAYS, true)) => Inst::new(Opcode::Nop),
            Some((ALWAYS, false)) | None => inst,
            Some((number, negate)) => Inst {
                guard: Pred::new(number).map(|pred| Guard { pred, negate }),
                ..inst
            },
        })
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
            let help = match nearest(word.text, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("modes are {}", names.join(", ")),
            };
            self.unknown(word, "mode").help(help)
        })
    }

    /// A register, `R0` to `R31`.
    fn register(&mut self) -> Parsed<Reg> {
        let number = self.numbered('R', "a register")?;
        let number = number.and_then(|number| u16::try_from(number).ok());
        number
            .filter(|&number| number <= LAST_REGISTER)
            .and_then(|number| Reg::within(Profile::Extended, Bank::Temp, number))
            .ok_or_else(|| self.beyond(format!("the last is `R{LAST_REGISTER}`")))
    }

    /// A predicate, `P0` to `P7`.
    fn predicate(&mut self) -> Parsed<u8> {
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
        let register = match self.peek().text {
            "#" => None,
            _ => Some(Src {
                swizzle: Swizzle::broadcast(Component::X),
                ..Src::new(self.register()?)
            }),
        };
        let number = match register {
            Some(_) if !self.accept("+") => Some(0),
            Some(_) | None => self.number()?,
        };
        let operands = index_operands(register, number)
            .map_err(|message| Remark::new(start..self.end, message))?;
        self.expect("]")?;
        Ok(operands)
    }

    /// A number after `#`, decimal or after `0x`. `None` if it is too large for any use.
    fn number(&mut self) -> Parsed<Option<i64>> {
        self.expect("#")?;
        let negate = self.accept("-");
        let word = self.take();
        let digits = word.text.strip_prefix("0x");
        let magnitude = match digits.or(word.text.strip_prefix("0X")) {
            Some(digits) => {
                let is_number = digits.chars().all(|c| c.is_ascii_hexdigit());
                (is_number && !digits.is_empty()).then(|| hexadecimal(digits).map(i64::from))
            }
            None => is_whole(word.text).then(|| word.text.parse().ok()),
        };
        let magnitude = magnitude.ok_or_else(|| self.unexpected(word, "a number"))?;
        Ok(magnitude.map(|number| if negate { -number } else { number }))
    }

    /// Takes over the operands that the query has, and warns of the others.
    fn apply(&mut self, operands: Operands, inst: &mut Inst) {
        let op = inst.op;
        let mut left_out = |what: &str, span| {
            let message = format!("`{op}` has no {what}; it is left out");
            self.warnings.push(Remark::new(span, message));
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

    fn hints(&mut self) -> Parsed<()> {
        loop {
            if self.accept("?") {
                let word = self.take();
                let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                if word.text.is_empty() || !word.text.chars().all(is_name) {
                    return Err(self.unexpected(word, "the name of a hint"));
                }
            } else if self.accept("&") {
                let word = self.take();
                let lower = word.text.to_ascii_lowercase();
                let mut numbers = HINTS.iter().filter_map(|hint| lower.strip_prefix(hint));
                if !numbers.any(is_whole) {
                    let help = "hints are `&req_N`, `&rdN`, `&wrN` and `?name`";
                    return Err(self.unknown(word, "hint").help(help));
                }
            } else {
                return Ok(());
            }
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

    fn accept(&mut self, mark: &str) -> bool {
        let found = self.peek().text == mark;
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
    }

    fn unexpected(&self, word: Word<'a>, what: &str) -> Remark {
        let remark = if word.text.is_empty() {
            let message = format!("expected {what}, found the end of the line");
            Remark::new(self.end..self.end, message)
        } else {
            let message = format!("expected {what}, found {}", quote(word.text));
            Remark::new(word.span(), message)
        };
        remark.help(USAGE)
    }
}

/// A query in the long spelling.
#[derive(Clone, Copy)]
pub(super) struct Long {
    mode: &'static str,
    guard: Option<Guard>,
    register: usize,
    predicate: Option<Pred>,
    index: Option<usize>,
    number: u8,
}

impl Long {
    /// An instruction, if the long spelling can say it.
    pub(super) fn of(inst: &Inst) -> Option<Long> {
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
        let fits = dst.mask == Slots::X
            && inst.guard.is_none_or(|guard| is_named(guard.pred))
            && inst.dst.pred.is_none_or(is_named)
            && !inst.end
            && !inst.wait;
        fits.then_some(Long {
            mode,
            guard: inst.guard,
            register: register(dst.reg)?,
            predicate: inst.dst.pred,
            index,
            number,
        })
    }
}

/// The number of a register that has a name in the long spelling.
fn register(reg: Reg) -> Option<usize> {
    let is_named = reg.bank() == Bank::Temp && reg.index() <= usize::from(LAST_REGISTER);
    is_named.then_some(reg.index())
}

impl fmt::Display for Long {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(Guard { pred, negate }) = self.guard {
            let not = if negate { "!" } else { "" };
            write!(f, "@{not}P{} ", pred.index())?;
        }
        write!(f, "{NAME}.{} R{}", self.mode, self.register)?;
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
        f.write_str(";")
    }
}
