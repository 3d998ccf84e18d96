//! From lines to [`Directives`].

use std::ops::{Deref, Range};

use attila_shader::isa::Stage;
use attila_shader::isa::text::{self, Cursor};
use attila_shader::machine::{LANES, MAX_FIXED_BITS, StateKind};

use super::setting::{constant, kind_named};
use super::words::Plain;
use super::{DirectiveError, Directives, Extension};

/// Quads that a text may name: enough for any test, and no way to ask for all memory.
pub const MAX_QUADS: usize = 4096;

/// The most lines that are said to be wrong one by one.
const MOST_ERRORS: usize = 100;

/// First words of directives that are not about words of the state, for corrections.
const NAMES: [&str; 6] = [
    "stage",
    "quads",
    "loop-budget",
    "fixed-bits",
    "const",
    "expect",
];

pub(super) fn read(text: &str, extensions: &[&str]) -> (Directives, Vec<DirectiveError>) {
    let mut directives = Directives {
        quads: 1,
        ..Directives::default()
    };
    let mut errors = Vec::new();
    let mut omitted = 0;
    let mut start = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if let Some(body) = line.trim_start().strip_prefix(";!") {
            let offset = start + (line.len() - body.len());
            // What follows another semicolon is a comment.
            let body = body.split(';').next().unwrap_or_default();
            let mut reader = Line::new(body.trim_end(), offset, index + 1);
            match reader.directive(&mut directives, extensions) {
                Ok(()) => {}
                Err(_) if errors.len() == MOST_ERRORS => omitted += 1,
                Err(fault) => errors.push(fault.locate(text, start, index + 1)),
            }
        }
        start += line.len();
    }
    if omitted > 0 {
        let start = text.rfind('\n').map_or(0, |at| at + 1);
        let fault = Fault {
            message: format!("{omitted} more errors are not shown"),
            help: None,
            span: text.len()..text.len(),
        };
        let line = text.matches('\n').count() + 1;
        errors.push(fault.locate(text, start, line));
    }
    (directives, errors)
}

/// What is wrong, and where, before lines and columns are known.
pub(super) struct Fault {
    message: String,
    help: Option<String>,
    span: Range<usize>,
}

impl Fault {
    pub(super) fn with_help(mut self, help: String) -> Fault {
        self.help = Some(help);
        self
    }

    fn locate(self, text: &str, line_start: usize, line: usize) -> DirectiveError {
        let before = text.get(line_start..self.span.start).unwrap_or_default();
        DirectiveError {
            message: self.message,
            help: self.help,
            column: before.chars().count() + 1,
            span: self.span,
            line,
        }
    }
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

    pub(super) fn fault(self, message: String) -> Fault {
        Fault {
            message,
            help: None,
            span: self.span(),
        }
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
    pub(super) fn expect(&mut self, what: &str) -> Result<Word<'a>, Fault> {
        self.next().ok_or_else(|| self.missing(what))
    }

    pub(super) fn missing(&self, what: &str) -> Fault {
        let end = self.cursor.end();
        Fault {
            message: format!("{what} is missing"),
            help: None,
            span: end..end,
        }
    }

    pub(super) fn equals(&mut self) -> Result<(), Fault> {
        let word = self.expect("`=`")?;
        if word.text == "=" {
            Ok(())
        } else {
            Err(word.fault(format!("expected `=`, found `{}`", word.text)))
        }
    }

    fn end(&mut self) -> Result<(), Fault> {
        match self.next() {
            None => Ok(()),
            Some(word) => Err(word.fault(format!("`{}` is one word too many", word.text))),
        }
    }

    fn directive(&mut self, into: &mut Directives, extensions: &[&str]) -> Result<(), Fault> {
        let word = self.expect("a directive")?;
        let name = word.lane()?.0.to_ascii_lowercase();
        match name.as_str() {
            "stage" => into.stage = Some(self.stage()?),
            "quads" => {
                let count = self.whole("a number of quads", MAX_QUADS)?;
                into.quads = into.quads.max(count);
            }
            "loop-budget" => {
                let budget = self.whole("a number of jumps", u32::MAX as usize)?;
                into.loop_budget = Some(budget as u32);
            }
            "fixed-bits" => {
                let bits = self.whole("a number of bits", MAX_FIXED_BITS as usize)?;
                into.fixed_bits = Some(bits as u32);
            }
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

    fn extension(&mut self, name: &str, into: &mut Directives) -> Result<(), Fault> {
        self.cursor.skip(char::is_whitespace);
        into.extensions.push(Extension {
            name: name.to_owned(),
            rest: self.cursor.rest().to_owned(),
            span: self.cursor.position()..self.cursor.end(),
            line: self.number,
        });
        Ok(())
    }

    fn stage(&mut self) -> Result<Stage, Fault> {
        let word = self.expect("`vertex` or `fragment`")?;
        match word.lower().as_str() {
            "vertex" => Ok(Stage::Vertex),
            "fragment" => Ok(Stage::Fragment),
            _ => Err(word.fault(format!("`{}` is not `vertex` or `fragment`", word.text))),
        }
    }

    fn whole(&mut self, what: &str, most: usize) -> Result<usize, Fault> {
        let word = self.expect(what)?;
        word.text
            .parse()
            .ok()
            .filter(|&number| number <= most)
            .ok_or_else(|| word.fault(format!("`{}` is not {what} up to {most}", word.text)))
    }
}

impl<'a> Word<'a> {
    /// The name and the lane of `name[lane]`.
    pub(super) fn lane(self) -> Result<(&'a str, Option<usize>), Fault> {
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

fn unknown(word: Word<'_>, name: &str, extensions: &[&str]) -> Fault {
    let kinds = StateKind::ALL.map(StateKind::word);
    let known = NAMES.iter().chain(&kinds).chain(extensions);
    Fault {
        help: nearest(name, known.copied()).map(|known| format!("did you mean `{known}`?")),
        ..word.fault(format!("there is no directive `{}`", word.text))
    }
}

/// What of `known` the misspelled `name` may have been meant to be.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = known
        .into_iter()
        .map(|known| (distance(name, known), known))
        .filter(|(distance, known)| *distance <= 1 + known.len() / 4)
        .min();
    near.map(|(_, known)| known)
}

/// The number of characters to insert, remove or replace to make `a` of `b`.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let replace = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.chars().count()]
}
