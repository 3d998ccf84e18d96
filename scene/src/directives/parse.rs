//! From lines to [`Directives`].

use std::ops::Deref;

use attila_shader::isa::text::{self, Cursor};
use attila_shader::isa::{Diagnostics, Remark, Stage, nearest};
use attila_shader::machine::{LANES, MAX_FIXED_BITS, StateKind};

use super::setting::{buffer, constant, kind_named, storage};
use super::words::Plain;
use super::{DirectiveError, Directives, Extension, Order};

/// Quads that a text may name: enough for any test, and no way to ask for all memory.
pub const MAX_QUADS: usize = 4096;

/// First words of directives that are not about words of the state, for corrections.
const NAMES: [&str; 9] = [
    "stage",
    "quads",
    "loop-budget",
    "fixed-bits",
    "order",
    "const",
    "buffer",
    "storage",
    "expect",
];

pub(super) fn read(text: &str, extensions: &[&str]) -> (Directives, Vec<DirectiveError>) {
    let mut directives = Directives {
        quads: 1,
        ..Directives::default()
    };
    let mut errors = Diagnostics::default();
    let mut start = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if let Some(body) = line.trim_start_matches(text::is_blank).strip_prefix(";!") {
            let offset = start + (line.len() - body.len());
            // Text after another semicolon is a comment.
            let body = body.split(';').next().unwrap_or_default();
            let mut reader = Line::new(body.trim_end(), offset, index + 1);
            let read = reader.directive(&mut directives, extensions);
            read.unwrap_or_else(|remark| errors.error(remark));
        }
        start += line.len();
    }
    let errors = errors.finish(text).into_iter();
    let errors = errors.map(|error| DirectiveError {
        message: error.message,
        help: error.help,
        fix: error.fix,
        span: error.span,
        line: error.line,
        column: error.column,
    });
    (directives, errors.collect())
}

/// A word of the line.
#[derive(Clone, Copy)]
pub(super) struct Word<'a>(text::Word<'a>);

impl<'a> Deref for Word<'a> {
    type Target = text::Word<'a>;

    fn deref(&self) -> &text::Word<'a> {
        &self.0
    }
}

impl<'a> Word<'a> {
    /// The word that a cursor has come to, unless it is at its end.
    fn new(word: text::Word<'a>) -> Option<Word<'a>> {
        (!word.text.is_empty()).then_some(Word(word))
    }

    pub(super) fn fault(self, message: String) -> Remark {
        Remark::new(self.span(), message)
    }

    pub(super) fn lower(self) -> String {
        self.text.to_ascii_lowercase()
    }
}

/// The words of a line that are still to be read.
pub(super) struct Line<'a> {
    pub(super) cursor: Cursor<'a>,
    pub(super) number: usize,
}

impl<'a> Line<'a> {
    fn new(body: &'a str, offset: usize, number: usize) -> Line<'a> {
        Line {
            cursor: Cursor::new(body, offset),
            number,
        }
    }

    /// The next word, without taking it. `=` is a word of its own.
    pub(super) fn peek(&self) -> Option<Word<'a>> {
        Word::new(self.cursor.peek("="))
    }

    pub(super) fn next(&mut self) -> Option<Word<'a>> {
        Word::new(self.cursor.word("="))
    }

    /// The next word, which must be there.
    pub(super) fn expect(&mut self, what: &str) -> Result<Word<'a>, Remark> {
        self.next().ok_or_else(|| self.missing(what))
    }

    pub(super) fn missing(&self, what: &str) -> Remark {
        let end = self.cursor.end();
        Remark::new(end..end, format!("{what} is missing"))
    }

    pub(super) fn equals(&mut self) -> Result<(), Remark> {
        let word = self.expect("`=`")?;
        if word.text == "=" {
            Ok(())
        } else {
            Err(word.fault(format!("expected `=`, found `{}`", word.text)))
        }
    }

    fn end(&mut self) -> Result<(), Remark> {
        match self.next() {
            None => Ok(()),
            Some(word) => Err(word.fault(format!("`{}` is one word too many", word.text))),
        }
    }

    fn directive(&mut self, into: &mut Directives, extensions: &[&str]) -> Result<(), Remark> {
        let word = self.expect("a directive")?;
        let name = word.lane()?.0.to_ascii_lowercase();
        match name.as_str() {
            "stage" => into.stage = Some(self.stage()?),
            "quads" => {
                let count = self.whole("a number of quads", 1, MAX_QUADS)?;
                into.quads = into.quads.max(count);
            }
            "loop-budget" => {
                let budget = self.whole("a number of jumps", 0, u32::MAX as usize)?;
                into.loop_budget = Some(budget as u32);
            }
            "fixed-bits" => {
                let bits = self.whole("a number of bits", 0, MAX_FIXED_BITS as usize)?;
                into.fixed_bits = Some(bits as u32);
            }
            "order" => into.order = self.order()?,
            "const" => {
                let target = self.expect("a constant")?;
                let (name, lane) = target.lane()?;
                let index = constant(target, name)?;
                if lane.is_some() {
                    return Err(target.fault("constants are the same in all lanes".to_owned()));
                }
                self.equals()?;
                let vector = self.vector(Plain::Float)?;
                into.constants.insert(index, vector);
            }
            "buffer" => {
                let index = buffer(self.expect("a constant buffer")?)?;
                self.equals()?;
                let vectors = self.vectors()?;
                into.buffers.entry(index).or_default().extend(vectors);
            }
            "storage" => {
                let index = storage(self.expect("a storage buffer")?)?;
                self.equals()?;
                let words = self.numbers()?;
                into.storage.entry(index).or_default().extend(words);
            }
            "expect" => {
                let setting = self.setting(None, into)?;
                into.expectations.push(setting);
            }
            other if kind_named(other).is_some() => {
                let setting = self.setting(Some(word), into)?;
                into.starts.push(setting);
            }
            other if extensions.contains(&other) => return self.extension(other, into),
            other => return Err(unknown(word, other, extensions)),
        }
        self.end()
    }

    fn extension(&mut self, name: &str, into: &mut Directives) -> Result<(), Remark> {
        self.cursor.skip(char::is_whitespace);
        into.extensions.push(Extension {
            name: name.to_owned(),
            rest: self.cursor.rest().to_owned(),
            span: self.cursor.position()..self.cursor.end(),
            line: self.number,
        });
        Ok(())
    }

    fn stage(&mut self) -> Result<Stage, Remark> {
        let word = self.expect("a stage")?;
        Stage::from_name(word.text).ok_or_else(|| {
            let stages = Stage::ALL.map(|stage| format!("`{stage}`")).join(", ");
            word.fault(format!("`{}` is none of {stages}", word.text))
        })
    }

    fn order(&mut self) -> Result<Order, Remark> {
        let word = self.expect("an order")?;
        match word.lower().as_str() {
            "any" => Ok(Order::Any),
            "kept" => Ok(Order::Kept),
            _ => Err(word.fault(format!("`{}` is none of `any`, `kept`", word.text))),
        }
    }

    fn whole(&mut self, what: &str, least: usize, most: usize) -> Result<usize, Remark> {
        let word = self.expect(what)?;
        let bounds = match word.text.parse() {
            Ok(number) if number < least => format!("from {least} on"),
            Ok(number) if number <= most => return Ok(number),
            Ok(_) | Err(_) => format!("up to {most}"),
        };
        Err(word.fault(format!("`{}` is not {what} {bounds}", word.text)))
    }
}

impl<'a> Word<'a> {
    /// The name and the lane of `name[lane]`.
    pub(super) fn lane(self) -> Result<(&'a str, Option<usize>), Remark> {
        let Some((name, rest)) = self.text.split_once('[') else {
            return Ok((self.text, None));
        };
        let lane = rest.strip_suffix(']').and_then(|lane| lane.parse().ok());
        match lane.filter(|&lane: &usize| lane < LANES) {
            Some(lane) => Ok((name, Some(lane))),
            None => Err(self.fault(format!("`[{rest}` is not a lane [0] to [3]"))),
        }
    }
}

fn unknown(word: Word<'_>, name: &str, extensions: &[&str]) -> Remark {
    let kinds = StateKind::ALL.map(StateKind::word);
    let known = NAMES.iter().chain(&kinds).chain(extensions);
    let remark = word.fault(format!("there is no directive `{}`", word.text));
    match nearest(name, known.copied()) {
        Some(known) => remark.did_you_mean(known),
        None => remark,
    }
}
