//! Mistakes in programs: at bytes of a text, or at a token of a byte program.

use std::fmt;
use std::ops::Range;

use attila_isa::{Diagnostics, Remark, Severity};
use thiserror::Error;

use crate::SourceError;

/// Numbers of errors that Flash reports for the same mistakes.
pub(super) mod number {
    /// Not a byte program.
    pub(crate) const ENDIAN: u16 = 3612;
    /// Without instructions.
    pub(crate) const TOO_SHORT: u16 = 3615;
    /// An opcode that there is not.
    pub(crate) const OPCODE: u16 = 3620;
    /// A sampler where there cannot be one.
    pub(crate) const SAMPLER_READ: u16 = 3638;
    /// A computed register in a fragment program.
    pub(crate) const INDIRECT_FRAGMENT: u16 = 3639;
    /// A computed register that is not a constant.
    pub(crate) const INDIRECT_FILE: u16 = 3640;
    /// An output that is read.
    pub(crate) const OUTPUT_READ: u16 = 3646;
    /// A sampler that is written.
    pub(crate) const SAMPLER_WRITTEN: u16 = 3649;
    /// An attribute that is written.
    pub(crate) const ATTRIBUTE_WRITTEN: u16 = 3651;
    /// A constant that is written.
    pub(crate) const CONSTANT_WRITTEN: u16 = 3652;
    /// A sampler with two states.
    pub(crate) const SAMPLER_STATES: u16 = 3696;
    /// A depth output that there is not.
    pub(crate) const DEPTH: u16 = 3749;
}

/// A mistake before its place is known to people.
pub(super) struct Finding {
    pub(super) remark: Remark,
    pub(super) number: Option<u16>,
}

impl Finding {
    /// A mistake for which Flash's number is not known.
    pub(super) fn new(span: &Range<usize>, message: impl Into<String>) -> Finding {
        Finding {
            remark: Remark::new(span.clone(), message),
            number: None,
        }
    }

    /// The mistake with Flash's number.
    pub(super) fn number(mut self, number: u16) -> Finding {
        self.number = Some(number);
        self
    }

    /// The mistake with advice.
    pub(super) fn help(mut self, help: impl Into<String>) -> Finding {
        self.remark = self.remark.help(help);
        self
    }
}

/// Takes mistakes, whether from a text or from bytes.
pub(super) trait Findings {
    /// Adds one.
    fn add(&mut self, severity: Severity, finding: Finding);

    /// Adds one that keeps the program from being one.
    fn error(&mut self, finding: Finding) {
        self.add(Severity::Error, finding);
    }

    /// Whether an error is among them.
    fn has_errors(&self) -> bool;
}

/// In a text, Flash's number is part of the message.
impl Findings for Diagnostics {
    fn add(&mut self, severity: Severity, finding: Finding) {
        let mut remark = finding.remark;
        if let Some(number) = finding.number {
            remark.message = format!("{} (error {number} of Flash)", remark.message);
        }
        match severity {
            Severity::Error => Diagnostics::error(self, remark),
            Severity::Warning => self.warn(remark),
        }
    }

    fn has_errors(&self) -> bool {
        Diagnostics::has_errors(self)
    }
}

/// A mistake in a byte program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ByteFinding {
    /// Errors keep the bytes from becoming a program, warnings do not.
    pub severity: Severity,
    /// The number of the error that Flash reports, where it is known.
    pub number: Option<u16>,
    /// The problem, in one sentence.
    pub message: String,
    /// How it may be put right.
    pub help: Option<String>,
    /// The instruction, from 1; `None` for mistakes in the header, at the end or in the whole.
    pub token: Option<usize>,
    /// The place, in bytes of the program.
    pub span: Range<usize>,
}

/// As `token 3, byte 55: error: message (help)`.
impl fmt::Display for ByteFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(token) = self.token {
            write!(f, "token {token}, ")?;
        }
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "byte {}: {severity}: {}", self.span.start, self.message)?;
        if let Some(number) = self.number {
            write!(f, " (error {number} of Flash)")?;
        }
        self.help.iter().try_for_each(|help| write!(f, " ({help})"))
    }
}

/// The most mistakes that are kept.
const LIMIT: usize = 100;

/// Why bytes are no program: the first mistakes that were found, at least one.
#[derive(Clone, PartialEq, Eq, Default, Debug, Error)]
#[error("{}", .findings.iter().map(ByteFinding::to_string).collect::<Vec<_>>().join("\n"))]
pub struct BytesError {
    /// The mistakes in the order of the bytes: at most 100 of each severity.
    pub findings: Vec<ByteFinding>,
}

impl BytesError {
    /// The first error. There is one in every value that functions return.
    pub fn first(&self) -> Option<&ByteFinding> {
        let mut findings = self.findings.iter();
        findings.find(|finding| finding.severity == Severity::Error)
    }

    /// The mistakes in the order of the bytes.
    pub(super) fn sorted(mut self) -> BytesError {
        self.findings.sort_by_key(|finding| finding.span.start);
        self
    }
}

impl Findings for BytesError {
    fn add(&mut self, severity: Severity, finding: Finding) {
        let same = self.findings.iter().filter(|it| it.severity == severity);
        if same.count() >= LIMIT {
            return;
        }
        let Finding { remark, number } = finding;
        // Only the end of the program is empty: it is in no token.
        let first = Some(remark.span.start).filter(|_| !remark.span.is_empty());
        self.findings.push(ByteFinding {
            severity,
            number,
            message: remark.message,
            help: remark.help,
            token: first.and_then(super::bytes::token_at),
            span: remark.span,
        });
    }

    fn has_errors(&self) -> bool {
        self.first().is_some()
    }
}

/// The mistakes in a text.
pub(super) fn in_text(diagnostics: Diagnostics, text: &str) -> SourceError {
    SourceError {
        diagnostics: diagnostics.finish(text),
    }
}
