//! Programs as text, in the syntax of the mini-assembler: a line for each instruction.

mod operand;
mod print;

use std::ops::Range;

use attila_isa::text::is_blank;
use attila_isa::{Diagnostics, Remark, Stage, code, nearest};
use smallvec::SmallVec;

use super::opcode::{AgalOpcode, Form, OPCODES};
use super::program::{AgalProgram, File, Location, Register, Token, Version};
use super::sampler::{BIAS_STEPS, FIELDS, Sampler};
use operand::{NAMES, Operand};

pub use print::disassemble;

/// What begins a comment.
const COMMENT: &str = "//";

/// A character that other languages have at the end of a line, and that the mini-assembler skips there.
const SEMICOLON: char = ';';

/// Characters that end lines.
const BREAKS: [char; 4] = ['\n', '\r', '\u{b}', '\u{c}'];

/// The part of a text that `part` is.
fn span_in(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

/// The instructions of a text, without comments and blanks around them.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.split(BREAKS);
    let lines = lines.map(|line| {
        line.split(COMMENT)
            .next()
            .unwrap_or(line)
            .trim_matches(is_blank)
    });
    lines.filter(|line| !line.is_empty())
}

/// The words of a line that may be names of registers.
fn names(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| !c.is_ascii_alphanumeric());
    words.map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// The stage whose registers a text names first; `None` if there are none.
pub fn stage_of(text: &str) -> Option<Stage> {
    let mut words = lines(text).flat_map(|line| names(line).skip(1));
    words.find_map(|word| {
        let mut rows = NAMES.iter().filter(|row| row.name == word);
        rows.find_map(|row| row.stage)
    })
}

/// Whether a text begins like a program: with an opcode and the name of a register that assembly does
/// not have.
pub fn is_program(text: &str) -> bool {
    let Some(line) = lines(text).next() else {
        return false;
    };
    let Some((opcode, rest)) = line.split_once(char::is_whitespace) else {
        return false;
    };
    let first = names(rest.trim_start()).next();
    AgalOpcode::named(opcode).is_some()
        && NAMES
            .iter()
            .any(|row| first == Some(row.name) && row.name != "i")
}

/// Reads the instructions of a text. The version is the first that has all of them, unless one is given.
pub(super) fn read(
    text: &str,
    stage: Stage,
    version: Option<Version>,
    diagnostics: &mut Diagnostics,
) -> AgalProgram {
    let mut tokens = Vec::new();
    for line in lines(text) {
        let mut reader = Reader {
            text,
            stage,
            warnings: Vec::new(),
        };
        let line = reader.without_semicolons(line);
        match line.is_empty() {
            true => {}
            false => match reader.token(line) {
                Ok(token) => tokens.push(token),
                Err(remark) => diagnostics.error(remark),
            },
        }
        for remark in reader.warnings {
            diagnostics.warn(remark);
        }
    }
    AgalProgram {
        stage,
        version: version.unwrap_or_else(|| least_version(&tokens)),
        has_swapped_version: false,
        tokens,
        end: text.len(),
    }
}

/// The first version that has all instructions and registers.
fn least_version(tokens: &[Token]) -> Version {
    let of_register = |register: Register| match register {
        Register {
            file: File::Output,
            number: 0,
        } => Version::V1,
        Register {
            file: File::Output | File::Depth,
            ..
        } => Version::V2,
        Register {
            file: File::Instance,
            ..
        } => Version::V3,
        Register {
            file: File::Attribute | File::Constant | File::Temporary | File::Varying | File::Sampler,
            ..
        } => Version::V1,
    };
    let versions = tokens.iter().flat_map(|token| {
        let read = token.sources.iter().map(|source| match source.location {
            Location::Direct(register) => of_register(register),
            Location::Indirect { index, .. } => of_register(index),
        });
        let written = token.destination.iter().map(|it| of_register(it.register));
        read.chain(written).chain([token.opcode.info().version])
    });
    versions.max().unwrap_or(Version::V1)
}

struct Reader<'a> {
    text: &'a str,
    stage: Stage,
    warnings: Vec<Remark>,
}

impl<'a> Reader<'a> {
    fn span(&self, part: &str) -> Range<usize> {
        span_in(self.text, part)
    }

    /// A line without the semicolons at its end.
    fn without_semicolons(&mut self, line: &'a str) -> &'a str {
        let rest = line.trim_end_matches(|c: char| c == SEMICOLON || is_blank(c));
        if rest.len() < line.len() {
            let remark = Remark::new(self.span(&line[rest.len()..]), "lines do not end in `;`")
                .code(&code::text::EXPECTED);
            self.warnings
                .push(remark.help("the end of the line is enough"));
        }
        rest
    }

    /// The instruction of a line that is not empty.
    fn token(&mut self, line: &'a str) -> Result<Token, Remark> {
        let length = line.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (name, rest) = line.split_at(length.unwrap_or(line.len()));
        let opcode = AgalOpcode::named(name).ok_or_else(|| self.unknown(name, line))?;
        let (rest, options) = self.split_options(rest)?;
        let mut operands = self.operands(rest)?;
        let form = opcode.info().form;
        if let Form::Refused(_) = form {
            // The check says so.
            operands.clear();
        }
        let expected = usize::from(form.has_result()) + form.sources();
        let expected = expected + usize::from(form == Form::Sample);
        if operands.len() != expected {
            let s = if expected == 1 { "" } else { "s" };
            let found = operands.len();
            let message = format!("`{name}` has {expected} operand{s}; here are {found}");
            return Err(Remark::new(self.span(line), message).code(&code::text::OPERANDS));
        }
        let mut operands = operands.into_iter();
        let destination = match form.has_result() {
            true => operands.next().map(Operand::destination).transpose()?,
            false => None,
        };
        let sources = operands.by_ref().take(form.sources()).map(Operand::source);
        let sources = sources.collect::<Result<SmallVec<_>, Remark>>()?;
        let mut sampler = None;
        if let Some(unit) = operands.next() {
            let span = unit.span.clone();
            let mut read = unit.sampler()?;
            self.options(options.unwrap_or(""), &mut read)?;
            sampler = Some((read, span));
        } else if let Some(options) = options.filter(|_| !matches!(form, Form::Refused(_))) {
            let message = format!("options belong to texture instructions, not to `{name}`");
            return Err(Remark::new(self.span(options), message).code(&code::text::TEXTURE));
        }
        Ok(Token {
            opcode,
            destination,
            sources,
            sampler,
            span: self.span(line),
        })
    }

    /// The mistake of a line that begins with no opcode.
    fn unknown(&self, name: &str, line: &str) -> Remark {
        if name.is_empty() {
            let first = line.chars().next().map_or(0, char::len_utf8);
            return Remark::new(
                self.span(&line[..first]),
                "an instruction begins with its opcode",
            )
            .code(&code::text::EXPECTED);
        }
        let remark = Remark::new(self.span(name), format!("unknown opcode `{name}`"))
            .code(&code::text::INSTRUCTION);
        match nearest(name, OPCODES.iter().map(|row| row.name)) {
            Some(near) => remark.did_you_mean(near),
            None => remark,
        }
    }

    /// The operands, and the options between the angles.
    fn split_options(&self, rest: &'a str) -> Result<(&'a str, Option<&'a str>), Remark> {
        let Some((operands, after)) = rest.split_once('<') else {
            return match rest.find('>') {
                None => Ok((rest, None)),
                Some(at) => Err(Remark::new(
                    self.span(&rest[at..=at]),
                    "there is no `<` before this",
                )),
            };
        };
        let Some((options, after)) = after.split_once('>') else {
            let angle = &rest[operands.len()..=operands.len()];
            return Err(Remark::new(self.span(angle), "there is no `>` after this")
                .code(&code::text::EXPECTED));
        };
        match after.trim() {
            "" => Ok((operands, Some(options))),
            more => Err(Remark::new(
                self.span(more),
                "options are the end of the line",
            )),
        }
    }

    fn operands(&mut self, rest: &'a str) -> Result<Vec<Operand>, Remark> {
        let mut operands = Vec::new();
        let mut rest = rest;
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            if rest.is_empty() {
                return Ok(operands);
            }
            let operand;
            (operand, rest) = operand::read(self.text, rest, self.stage)?;
            self.warnings.extend(operand.surplus());
            operands.push(operand);
        }
    }

    /// Reads the options of a sampler.
    fn options(&mut self, options: &str, sampler: &mut Sampler) -> Result<(), Remark> {
        let words = options.split(|c: char| c.is_whitespace() || c == ',');
        for word in words.filter(|word| !word.is_empty()) {
            // Words for other numbers are none to the mini-assembler.
            if let Some(bias) = word.parse::<f32>().ok().filter(|bias| bias.is_finite()) {
                let steps = bias * BIAS_STEPS;
                if !(-128.0..128.0).contains(&steps) {
                    let remark =
                        Remark::new(self.span(word), format!("the bias `{word}` is too large"))
                            .code(&code::text::NUMBER);
                    return Err(remark.help("biases are from -16 to 15.875"));
                }
                // As the mini-assembler converts it: towards 0.
                sampler.bias = steps as i8;
                continue;
            }
            if let Some(changed) = sampler.with_option(word) {
                *sampler = changed;
                continue;
            }
            let known = FIELDS.iter().flat_map(|field| field.words);
            let remark = Remark::new(self.span(word), format!("there is no option `{word}`"))
                .code(&code::text::ABSENT);
            self.warnings
                .push(match nearest(word, known.map(|(name, _)| *name)) {
                    Some(near) => remark.did_you_mean(near),
                    None => remark,
                });
            // The mini-assembler takes it for a bias, and what is not a number for 0.
            sampler.bias = 0;
        }
        Ok(())
    }
}
