//! Problems that the assembler reports about a text.

use std::fmt;
use std::ops::Range;

use thiserror::Error;

use crate::code::{self, Code};
use crate::finding::Severity;

/// The most errors, and the most warnings, that one run reports one by one.
const LIMIT: usize = 100;

/// One remark about a place in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Errors keep the text from becoming a program, warnings do not.
    pub severity: Severity,
    /// The problem, in one sentence.
    pub message: String,
    /// The place, in bytes of the text, on character boundaries. It may be empty.
    pub span: Range<usize>,
    /// The line that the place begins on, from 1.
    pub line: usize,
    /// The character of that line at which it begins, from 1.
    pub column: usize,
    /// How it may be put right.
    pub help: Option<String>,
    /// The change that does so, where one change does.
    pub fix: Option<Fix>,
    /// The kind of problem.
    pub code: &'static Code,
}

/// A change of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// The part that is replaced, in bytes of the text, on character boundaries. It may be empty.
    pub span: Range<usize>,
    /// The text in its place.
    pub replacement: String,
}

/// As `line:column: severity: message (help)`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let (line, column, message) = (self.line, self.column, &self.message);
        write!(f, "{line}:{column}: {severity}: {message}")?;
        self.help.iter().try_for_each(|help| write!(f, " ({help})"))
    }
}

/// Why a text is not a program: all diagnostics, warnings among them, at least one an error.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", .diagnostics.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("\n"))]
#[non_exhaustive]
pub struct AsmError {
    /// The diagnostics in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// A remark before its line and column are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The place, in bytes of the text, on character boundaries.
    pub span: Range<usize>,
    /// The problem, in one sentence.
    pub message: String,
    /// How it may be put right.
    pub help: Option<String>,
    /// The change that does so, where one change does.
    pub fix: Option<Fix>,
    /// The kind of problem.
    pub code: &'static Code,
}

impl Remark {
    /// A remark without advice, that a rule is broken.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Remark {
        Remark {
            span,
            message: message.into(),
            help: None,
            fix: None,
            code: &code::text::RULE,
        }
    }

    /// The remark, of another kind.
    pub fn code(mut self, code: &'static Code) -> Remark {
        self.code = code;
        self
    }

    /// The remark with advice.
    pub fn help(mut self, help: impl Into<String>) -> Remark {
        self.help = Some(help.into());
        self
    }

    /// The remark with the change that the advice names.
    pub fn fix(mut self, span: Range<usize>, replacement: impl Into<String>) -> Remark {
        let replacement = replacement.into();
        self.fix = Some(Fix { span, replacement });
        self
    }

    /// The remark with the advice that its place may be meant to hold `word`.
    pub fn did_you_mean(self, word: &str) -> Remark {
        let span = self.span.clone();
        self.help(format!("did you mean `{word}`?")).fix(span, word)
    }
}

/// Collects remarks on a text, up to 100 of each severity: a text of nothing but mistakes must not
/// cost more than its length.
#[derive(Default)]
pub struct Diagnostics {
    errors: Bounded,
    warnings: Bounded,
}

#[derive(Default)]
struct Bounded {
    list: Vec<Remark>,
    omitted: usize,
}

impl Bounded {
    fn add(&mut self, remark: Remark) {
        if self.list.len() < LIMIT {
            self.list.push(remark);
        } else {
            self.omitted += 1;
        }
    }

    fn append(&mut self, others: Bounded) {
        others.list.into_iter().for_each(|remark| self.add(remark));
        self.omitted += others.omitted;
    }

    /// The remarks, and one more that says how many there are besides.
    fn finish(mut self, what: &str, end: usize) -> Vec<Remark> {
        if self.omitted > 0 {
            let message = format!("{} more {what} are not shown", self.omitted);
            self.list.push(Remark::new(end..end, message));
        }
        self.list
    }
}

impl Diagnostics {
    /// Adds an error.
    pub fn error(&mut self, remark: Remark) {
        self.errors.add(remark);
    }

    /// Adds a warning.
    pub fn warn(&mut self, remark: Remark) {
        self.warnings.add(remark);
    }

    /// Adds those of `others`, after its own.
    pub fn append(&mut self, others: Diagnostics) {
        self.errors.append(others.errors);
        self.warnings.append(others.warnings);
    }

    /// Whether a further error would be shown, so that finding good advice for it is worthwhile.
    pub fn has_room(&self) -> bool {
        self.errors.list.len() < LIMIT
    }

    /// Whether there is an error among them.
    pub fn has_errors(&self) -> bool {
        !self.errors.list.is_empty()
    }

    /// The diagnostics in the order of `text`, which is what their spans point into.
    pub fn finish(self, text: &str) -> Vec<Diagnostic> {
        let positions = Positions::new(text);
        let errors = self.errors.finish("errors", text.len());
        let warnings = self.warnings.finish("warnings", text.len());
        let errors = errors.into_iter().map(|remark| (Severity::Error, remark));
        let warnings = warnings
            .into_iter()
            .map(|remark| (Severity::Warning, remark));
        let mut list: Vec<_> = errors.chain(warnings).collect();
        list.sort_by_key(|(_, remark)| remark.span.start);
        let locate = |(severity, remark): (Severity, Remark)| {
            let (line, column) = positions.locate(remark.span.start);
            Diagnostic {
                severity,
                message: remark.message,
                span: remark.span,
                line,
                column,
                help: remark.help,
                fix: remark.fix,
                code: remark.code,
            }
        };
        list.into_iter().map(locate).collect()
    }
}

/// Finds lines and columns.
struct Positions<'a> {
    text: &'a str,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl Positions<'_> {
    fn new(text: &str) -> Positions<'_> {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Positions {
            text,
            lines: std::iter::once(0).chain(after_breaks).collect(),
        }
    }

    /// Line and column of the byte `at`, both from 1; columns count characters.
    fn locate(&self, at: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|&start| start <= at);
        let before = &self.text[self.lines[line - 1]..at];
        // A byte order mark is no character that an editor would count.
        let column = before.chars().filter(|&c| c != '\u{feff}').count();
        (line, column + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_count_breaks() {
        let positions = Positions::new("\u{feff}aä€b\r\n\nx");
        assert_eq!(positions.locate(3), (1, 1));
        assert_eq!(positions.locate(9), (1, 4));
        assert_eq!(positions.locate(12), (2, 1));
        assert_eq!(positions.locate(13), (3, 1));
        assert_eq!(positions.locate(14), (3, 2));
    }

    #[test]
    fn an_error_after_many_warnings_is_still_shown() {
        let mut diagnostics = Diagnostics::default();
        for _ in 0..LIMIT + 5 {
            diagnostics.warn(Remark::new(0..1, "dubious"));
        }
        diagnostics.error(Remark::new(2..3, "wrong"));
        let list = diagnostics.finish("abc");
        assert_eq!(list.len(), LIMIT + 2);
        assert_eq!(list[LIMIT].to_string(), "1:3: error: wrong");
        assert_eq!(
            list[LIMIT + 1].to_string(),
            "1:4: warning: 5 more warnings are not shown"
        );
    }

    #[test]
    fn errors_of_others_are_counted_beyond_the_limit_too() {
        let [mut own, mut others] = [LIMIT - 1, LIMIT + 3].map(|count| {
            let mut diagnostics = Diagnostics::default();
            (0..count).for_each(|_| diagnostics.error(Remark::new(1..2, "wrong")));
            diagnostics
        });
        others.warn(Remark::new(0..1, "dubious"));
        own.append(others);
        let list = own.finish("abc");
        assert_eq!(list.len(), LIMIT + 2);
        assert_eq!(list[0].to_string(), "1:1: warning: dubious");
        assert_eq!(
            list[LIMIT + 1].to_string(),
            "1:4: error: 102 more errors are not shown"
        );
    }
}
