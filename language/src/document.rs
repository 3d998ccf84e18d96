//! [`Document`]: a text, and what is known about it.

use std::ops::Range;
use std::path::Path;

use attila_scene::directives::Directives;
use attila_scene::source::{Contents, Form, LIMIT, Reading, Source, Sources};
use attila_shader::ValidProgram;
use attila_shader::isa::Severity;

use crate::answer::{Occurrence, Problem, Symbol};
use crate::dialect::Dialect;
use crate::lines::Lines;
use crate::names;
use crate::problems::Collector;
use crate::tokens::{Token, scan};

/// The most programs of a text that are looked at.
pub const MAX_PROGRAMS: usize = 256;

/// A program in a text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Part {
    /// Its language.
    pub dialect: Dialect,
    /// Where it stands.
    pub span: Range<usize>,
    /// The program, if it is one.
    pub program: Option<ValidProgram>,
    pub(crate) directives: Directives,
    pub(crate) tokens: Vec<Token>,
}

/// A text in an editor.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    lines: Lines,
    parts: Vec<Part>,
    problems: Vec<Problem>,
    symbols: Vec<Symbol>,
    occurrences: Vec<Occurrence>,
}

impl Document {
    /// Reads a text. The suffix of its file's name may tell its language.
    ///
    /// A text of more than [4 MiB](LIMIT) has one problem, and nothing else.
    pub fn new(name: &str, text: String) -> Document {
        let host = Collector::default();
        let parts = parts(name, &text, &host);
        let (symbols, occurrences) = names::find(&text, &parts);
        Document {
            lines: Lines::new(&text),
            problems: host.finish(),
            text,
            parts,
            symbols,
            occurrences,
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where its lines begin.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The programs in it.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// All that is wrong or dubious, in the order of the text.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The names and registers of its programs, in the order in which they first appear.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// All places where they stand, in the order of the text.
    pub fn occurrences(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// The name that stands at byte `at`, or ends there.
    pub fn occurrence(&self, at: usize) -> Option<&Occurrence> {
        let after = self.occurrences.partition_point(|it| it.span.start <= at);
        let last = self.occurrences[..after].last()?;
        (at <= last.span.end).then_some(last)
    }

    /// All places of a symbol.
    pub fn places(&self, symbol: usize) -> impl Iterator<Item = &Occurrence> {
        self.occurrences
            .iter()
            .filter(move |it| it.symbol == symbol)
    }

    /// The program at byte `at`, or the last one before it.
    pub(crate) fn part_at(&self, at: usize) -> Option<&Part> {
        let before = self.parts.iter().rfind(|part| part.span.start <= at);
        before.or_else(|| self.parts.first())
    }
}

impl Part {
    fn empty() -> Part {
        Part {
            dialect: Dialect::Assembly,
            span: 0..0,
            program: None,
            directives: Directives::default(),
            tokens: Vec::new(),
        }
    }

    fn new(source: Source, text: &str, host: &Collector) -> Option<Part> {
        let (dialect, span) = match &source.contents {
            Contents::Assembly(_) => (Dialect::Assembly, 0..text.len()),
            Contents::Source(section, _) => {
                (Dialect::of(section.language.name), section.span.clone())
            }
            // Words are not a language for people.
            Contents::Agal(_) | Contents::Hex(_) | Contents::Binary(_) => {
                source.draft(&Reading::default(), host);
                return None;
            }
        };
        let draft = source.draft(&Reading::default(), host);
        let program = draft.program.inspect_err(|error| {
            if !matches!(error, attila_scene::Error::Reported) {
                host.add(whole(error.to_string()));
            }
        });
        Some(Part {
            dialect,
            tokens: scan(text, after_header(text, &span, dialect), dialect),
            span,
            program: program.ok(),
            directives: draft.directives,
        })
    }

    /// The tokens that begin before byte `at`.
    pub(crate) fn tokens_before(&self, at: usize) -> &[Token] {
        &self.tokens[..self.tokens.partition_point(|it| it.span.start < at)]
    }

    /// The instructions that the text of a range became, and their numbers.
    pub(crate) fn instructions(&self, place: &Range<usize>) -> Vec<usize> {
        let Some(program) = &self.program else {
            return Vec::new();
        };
        let program = program.program();
        let all = 0..program.insts().len();
        let is_here = |index: &usize| {
            let span = program.span(*index).unwrap_or_default();
            span.start < place.end && place.start < span.end
        };
        all.filter(is_here).collect()
    }
}

/// The bytes of a program without the header of ARB, which is no statement.
fn after_header(text: &str, span: &Range<usize>, dialect: Dialect) -> Range<usize> {
    const LENGTH: usize = "!!ARBfp1.0".len();
    let has_header = match dialect {
        Dialect::Arb => text[span.clone()].is_char_boundary(LENGTH),
        Dialect::Assembly | Dialect::Tgsi | Dialect::Agal | Dialect::Ctm => false,
    };
    let length = if has_header { LENGTH } else { 0 };
    span.start + length..span.end
}

/// A problem without a place.
fn whole(message: String) -> Problem {
    Problem {
        span: 0..0,
        severity: Severity::Error,
        message,
        notes: Vec::new(),
        fix: None,
    }
}

/// The programs of a text, unless it is too long.
pub(crate) fn parts(name: &str, text: &str, host: &Collector) -> Vec<Part> {
    match u64::try_from(text.len()) {
        Ok(0) => vec![Part::empty()],
        Ok(..=LIMIT) => read(name, text, host),
        Ok(_) | Err(_) => {
            let length = text.len();
            host.add(whole(format!(
                "the text has {length} bytes; the limit is {LIMIT}"
            )));
            Vec::new()
        }
    }
}

fn read(name: &str, text: &str, host: &Collector) -> Vec<Part> {
    let bytes = text.as_bytes().to_vec();
    let form = match text.contains('\0') {
        // No binary is edited.
        true => Form::Text,
        false => Form::Detect,
    };
    let sources = match Sources::of(Path::new(name), bytes, form, host) {
        Ok(sources) => sources,
        Err(error) => {
            if !matches!(error, attila_scene::Error::Reported) {
                host.add(whole(error.to_string()));
            }
            return Vec::new();
        }
    };
    let Ok(sources) = sources.among(attila_scene::sections::Choice::default(), host) else {
        return Vec::new();
    };
    if sources.len() > MAX_PROGRAMS {
        let count = sources.len();
        let message = format!("the text has {count} programs; the first {MAX_PROGRAMS} are read");
        let warning = Problem {
            severity: Severity::Warning,
            ..whole(message)
        };
        host.add(warning);
    }
    let parts = sources.into_iter().take(MAX_PROGRAMS);
    parts
        .filter_map(|source| Part::new(source, text, host))
        .collect()
}
