//! Finds the programs in a text: files of games hold a vertex and a fragment program, and logs of drivers hold
//! many, with other lines around them.
//!
//! ```text
//!   # a comment                        ─► skipped
//!   !!ARBvp1.0 … END                   ─► a section
//!   #version 110 …                     ─► skipped
//!   !!ARBfp1.0 … END                   ─► a section
//! ```

use std::ops::Range;

use attila_shader::Stage;
use attila_shader::front::{
    Frame, LANGUAGES, LanguageInfo, Listing, ParameterValues, SourceError, foreign, language_of,
};
use attila_shader::isa::Diagnostic;
use attila_shader::isa::text::is_blank;
use thiserror::Error;

/// Stands for a byte that texts do not have, such as the zero between two texts of C.
pub const STRAY: char = char::REPLACEMENT_CHARACTER;

/// A program in a text.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its language.
    pub language: &'static LanguageInfo,
    /// Its stage, if its first word names one.
    pub stage: Option<Stage>,
    /// Where it stands, in bytes of the text.
    pub span: Range<usize>,
}

/// The programs of a text whose languages say where they begin and end.
pub fn find(text: &str) -> Vec<Section> {
    let starts = starts(text);
    let ends = starts.iter().skip(1).map(|(start, ..)| *start);
    let ends = ends.chain([text.len()]);
    let sections = starts.iter().zip(ends);
    let sections = sections.map(|(&(start, language, frame), end)| {
        let text = &text[start..end];
        Section {
            language,
            stage: (frame.stage)(text),
            span: start..start + (frame.length)(text),
        }
    });
    sections.collect()
}

type Start = (usize, &'static LanguageInfo, Frame);

/// Where programs begin: at the beginnings of lines, or where the language of the whole text says.
fn starts(text: &str) -> Vec<Start> {
    let mut at = 0;
    let lines = text.split_inclusive(['\n', '\r', STRAY]);
    let mut starts: Vec<Start> = lines
        .filter_map(|line| {
            let words = line.trim_start_matches(is_blank);
            at += line.len();
            let start = at - words.len();
            let rest = &text[start..];
            // Others begin no program, and may be long comments.
            let may_begin = words.starts_with(|c: char| c == '!' || c.is_ascii_uppercase());
            let frames = LANGUAGES.iter().filter_map(|it| Some((it, it.frame?)));
            let mut frames = frames.filter(|_| may_begin);
            let (language, frame) = frames.find(|(_, frame)| (frame.begins)(rest))?;
            Some((start, language, frame))
        })
        .collect();
    // A language may skip blanks and comments itself, and take a first line that others do not begin with.
    if let Some(language) = language_of(text)
        && let Some(frame) = language.frame
    {
        match starts.first_mut() {
            Some((start, ..)) if language_of(&text[..*start]).is_none() => *start = 0,
            _ => starts.insert(0, (0, language, frame)),
        }
    }
    starts
}

/// Lines of a text that no program holds.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Skipped {
    /// Their first words, in bytes of the text.
    pub span: Range<usize>,
    /// The remark about them.
    pub message: String,
}

/// The lines around the programs of a text that hold something, and a blank before a first line that has to be
/// the first for others.
pub fn skipped(text: &str, sections: &[Section]) -> Vec<Skipped> {
    let (Some(first), Some(last)) = (sections.first(), sections.last()) else {
        return Vec::new();
    };
    let before = Skipped::before(text, first);
    let between = sections.windows(2);
    let between = between.map(|pair| pair[0].span.end..pair[1].span.start);
    let after = between.chain(std::iter::once(last.span.end..text.len()));
    let after = after.filter_map(|gap| Skipped::of(text, gap, "after"));
    before.into_iter().chain(after).collect()
}

impl Skipped {
    /// Something before the first program.
    fn before(text: &str, first: &Section) -> Option<Skipped> {
        let gap = 0..first.span.start;
        Skipped::of(text, gap.clone(), "before").or_else(|| {
            let message = "blanks before the program are skipped".to_owned();
            let span = first.word(text);
            (!gap.is_empty()).then_some(Skipped { span, message })
        })
    }

    /// A gap, if there is more than blanks in it.
    fn of(text: &str, gap: Range<usize>, side: &str) -> Option<Skipped> {
        let content = text[gap.clone()].trim_matches(is_blank);
        if content.is_empty() {
            return None;
        }
        let start = gap.start + text[gap].find(content)?;
        let first = line_of(text, start);
        let last = first + content.lines().count().max(1) - 1;
        let (lines, verb) = match last - first {
            0 => (format!("line {first}"), "is"),
            _ => (format!("lines {first} to {last}"), "are"),
        };
        let what = match foreign::header(content) {
            Some(header) => Some(header.message),
            None => foreign::kind_of_text(content).map(str::to_owned),
        };
        let what = what.map_or_else(String::new, |what| format!(": {what}"));
        let length = content.lines().next().map_or(0, str::len);
        Some(Skipped {
            span: start..start + length,
            message: match content.chars().all(|c| c == STRAY || is_blank(c)) {
                true => format!("bytes {side} the program that are not text are skipped"),
                false => format!("{lines} {side} the program {verb} skipped{what}"),
            },
        })
    }
}

/// The number of the line that byte `at` is on, from 1.
pub fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// The line that byte `at` is on, and the character's number in it, both from 1.
pub(crate) fn place_of(text: &str, at: usize) -> [usize; 2] {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    [line_of(text, at), text[start..at].chars().count() + 1]
}

/// The wanted one among the programs of a text.
#[derive(Clone, Copy, Default, Debug)]
pub struct Choice {
    /// Its number, from 1.
    pub number: Option<usize>,
    /// Its stage. A text with a single program has no other one.
    pub stage: Option<Stage>,
}

/// Why no program of a text is the wanted one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// There are fewer.
    #[error("there is no program {number}: the file has {count}")]
    Number {
        /// The wanted number.
        number: usize,
        /// The number of programs.
        count: usize,
    },
    /// None has the stage.
    #[error("none of the {count} programs is a {stage} program")]
    Stage {
        /// The wanted stage.
        stage: Stage,
        /// The number of programs.
        count: usize,
    },
    /// Several have it.
    #[error("a second {}program starts at line {line}", .stage.map(|it| format!("{it} ")).unwrap_or_default())]
    Several {
        /// The wanted stage, if one is.
        stage: Option<Stage>,
        /// The line of the second one.
        line: usize,
        /// Its first word, in bytes of the text.
        place: Range<usize>,
        /// The options that choose.
        help: String,
    },
}

impl Choice {
    /// The wanted programs: of several, those with the number and the stage; a single one in any case, unless it
    /// has another number.
    pub fn among(self, sections: &[Section]) -> Result<Vec<usize>, ChoiceError> {
        let count = sections.len();
        let is_wanted = |nth: &usize| {
            let has_stage = self.stage.is_none() || sections[*nth].stage == self.stage;
            self.number.is_none_or(|number| number == nth + 1) && (count == 1 || has_stage)
        };
        let wanted: Vec<usize> = (0..count).filter(is_wanted).collect();
        match (self.number, self.stage) {
            (Some(number), _) if number == 0 || number > count => {
                Err(ChoiceError::Number { number, count })
            }
            (_, Some(stage)) if wanted.is_empty() => Err(ChoiceError::Stage { stage, count }),
            _ => Ok(wanted),
        }
    }

    /// The only program of a file.
    pub fn of_single(self) -> Result<(), ChoiceError> {
        match self.number {
            Some(number) if number != 1 => Err(ChoiceError::Number { number, count: 1 }),
            Some(_) | None => Ok(()),
        }
    }

    /// The wanted program.
    pub fn one(self, text: &str, sections: &[Section]) -> Result<usize, ChoiceError> {
        match self.among(sections)?[..] {
            [one] => Ok(one),
            [] => Err(ChoiceError::Number {
                number: 1,
                count: 0,
            }),
            [first, second, ..] => {
                let Section { stage, span, .. } = &sections[second];
                let mut help = format!("choose program {}", second + 1);
                if let (None, Some(stage)) = (self.stage, stage)
                    && sections[first].stage != Some(*stage)
                {
                    help += &format!(", or the one for the stage {stage}");
                }
                Err(ChoiceError::Several {
                    stage: self.stage,
                    line: line_of(text, span.start),
                    place: sections[second].word(text),
                    help,
                })
            }
        }
    }
}

impl Section {
    /// The program of a whole text.
    pub fn whole(language: &'static LanguageInfo, text: &str) -> Section {
        Section {
            language,
            stage: None,
            span: 0..text.len(),
        }
    }

    /// Where its first word stands, in bytes of the text.
    fn word(&self, text: &str) -> Range<usize> {
        let start = self.span.start;
        let word = text[self.span.clone()].split_whitespace().next();
        start..start + word.map_or(0, str::len)
    }

    /// Its translation, with places in the whole text.
    pub fn list(&self, text: &str, values: &ParameterValues) -> Result<Listing, SourceError> {
        let listing = (self.language.list)(&text[self.span.clone()], values);
        if self.span.start == 0 {
            return listing;
        }
        let mut listing = listing.map_err(|mut error| {
            self.move_all(text, &mut error.diagnostics);
            error
        })?;
        self.move_all(text, &mut listing.warnings);
        let program = listing.program;
        let spans = (0..program.insts().len()).map(|index| {
            let span = program.span(index).unwrap_or_default();
            span.start + self.span.start..span.end + self.span.start
        });
        let spans = spans.collect();
        listing.program = program.with_spans(spans);
        Ok(listing)
    }

    /// Counts places from the beginning of the text instead of the program's.
    fn move_all(&self, text: &str, diagnostics: &mut [Diagnostic]) {
        let [lines, column] = place_of(text, self.span.start).map(|it| it - 1);
        for diagnostic in diagnostics {
            let fix = diagnostic.fix.iter_mut().map(|fix| &mut fix.span);
            for span in std::iter::once(&mut diagnostic.span).chain(fix) {
                span.start += self.span.start;
                span.end += self.span.start;
            }
            if diagnostic.line == 1 {
                diagnostic.column += column;
            }
            diagnostic.line += lines;
        }
    }
}

#[cfg(test)]
mod tests;
