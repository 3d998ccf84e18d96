//! Errors of tests.

use std::error::Error;
use std::ops::Range;

use attila_shader::isa::{Diagnostic, Diagnostics, Remark, Severity, ValidateError};
use attila_shader::machine::PrepareError;
use thiserror::Error;

/// The reason for which a command could not be carried out. It is only shown.
pub(super) type Fault = Box<dyn Error + Send + Sync>;

/// Why a text is not a test, or one of its programs is none: all mistakes that were found, at least one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", .diagnostics.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("\n"))]
pub struct ScriptError {
    /// The mistakes, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl ScriptError {
    /// Mistakes in a text.
    pub(super) fn new(text: &str, remarks: impl IntoIterator<Item = Remark>) -> ScriptError {
        let mut diagnostics = Diagnostics::default();
        remarks.into_iter().for_each(|it| diagnostics.error(it));
        ScriptError {
            diagnostics: diagnostics.finish(text),
        }
    }
}

/// The mistakes in a program, which is at byte `offset` of a test, as mistakes in the test.
pub(super) fn located(diagnostics: &[Diagnostic], offset: usize) -> Vec<Remark> {
    let errors = diagnostics.iter();
    let errors = errors.filter(|it| it.severity == Severity::Error);
    let located = errors.map(|it| Remark {
        span: it.span.start + offset..it.span.end + offset,
        message: it.message.clone(),
        help: it.help.clone(),
        fix: None,
        code: it.code,
    });
    located.collect()
}

/// A program of one kind where another has to be.
pub(super) fn misplaced(span: Range<usize>, expected: &str, found: &str) -> Remark {
    let message = format!("expected a {expected} program; this is a {found} program");
    Remark::new(span, message)
}

/// Why a test could not be run to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// A program cannot be translated.
    #[error(transparent)]
    Program(#[from] ScriptError),
    /// The translation of a program is not valid.
    #[error("the {program}")]
    Invalid {
        /// Which program.
        program: String,
        /// Why.
        source: ValidateError,
    },
    /// The engine's compiler failed.
    #[error("the {program}")]
    Prepare {
        /// Which program.
        program: String,
        /// Why.
        source: PrepareError,
    },
    /// A command could not be carried out.
    #[error("line {line}")]
    Command {
        /// Its line, from 1.
        line: usize,
        /// Why.
        source: Fault,
    },
}
