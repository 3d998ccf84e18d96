//! Mistakes in programs: at bytes of a text, or at a token of a byte program.

use std::fmt;
use std::ops::Range;

use attila_isa::{Diagnostics, Remark, Severity};
use thiserror::Error;

use crate::SourceError;

/// Numbers of errors that Flash reports for the same mistakes.
pub(super) mod number {
    /// Fewer bytes than a header and a token.
    pub(crate) const TOO_SHORT: u16 = 3615;
    /// Another first byte.
    pub(crate) const MAGIC: u16 = 3616;
    /// A version that is not known.
    pub(crate) const VERSION: u16 = 3617;
    /// Another byte between the version and the type.
    pub(crate) const PROGRAM: u16 = 3618;
    /// Neither a vertex nor a fragment program.
    pub(crate) const TYPE: u16 = 3619;
    /// An opcode that there is not.
    pub(crate) const OPCODE: u16 = 3620;
    /// An opcode that is not implemented.
    pub(crate) const NOT_IMPLEMENTED: u16 = 3621;
    /// An opcode of fragment programs in a vertex program.
    pub(crate) const FRAGMENT_ONLY: u16 = 3622;
    /// `eif` without a branch.
    pub(crate) const NO_BRANCH: u16 = 3623;
    /// Branches that are nested too deeply.
    pub(crate) const NESTING: u16 = 3624;
    /// Two sources that are constants.
    pub(crate) const BOTH_CONSTANT: u16 = 3625;
    /// Two sources that are computed registers.
    pub(crate) const BOTH_INDIRECT: u16 = 3626;
    /// A result of an opcode without one.
    pub(crate) const RESULT: u16 = 3627;
    /// A result in w that the opcode does not have.
    pub(crate) const W_WRITTEN: u16 = 3628;
    /// Too many tokens.
    pub(crate) const TOO_MANY_TOKENS: u16 = 3629;
    /// Another program than a fragment program.
    pub(crate) const NOT_FRAGMENT: u16 = 3630;
    /// Another program than a vertex program.
    pub(crate) const NOT_VERTEX: u16 = 3631;
    /// A fragment program without a colour.
    pub(crate) const COLOUR_NOT_WRITTEN: u16 = 3634;
    /// A vertex program that does not write all of its position.
    pub(crate) const POSITION_NOT_WRITTEN: u16 = 3635;
    /// An operand that the opcode does not have.
    pub(crate) const OPERAND: u16 = 3636;
    /// A sampler in a vertex program.
    pub(crate) const SAMPLER_IN_VERTEX: u16 = 3637;
    /// A sampler where there cannot be one.
    pub(crate) const SAMPLER_READ: u16 = 3638;
    /// A computed register in a fragment program.
    pub(crate) const INDIRECT_FRAGMENT: u16 = 3639;
    /// A computed register that is not a constant.
    pub(crate) const INDIRECT_FILE: u16 = 3640;
    /// A computed register as an operand that cannot be one.
    pub(crate) const INDIRECT_OPERAND: u16 = 3641;
    /// An index in a register that cannot hold one.
    pub(crate) const INDEX_FILE: u16 = 3642;
    /// Fields of an index in an operand without one.
    pub(crate) const INDEX_FIELDS: u16 = 3643;
    /// A varying that a vertex program reads.
    pub(crate) const VARYING_READ: u16 = 3644;
    /// An attribute that a fragment program reads.
    pub(crate) const ATTRIBUTE_READ: u16 = 3645;
    /// An output that is read.
    pub(crate) const OUTPUT_READ: u16 = 3646;
    /// A temporary of which nothing is written before it is read.
    pub(crate) const TEMPORARY_NOT_WRITTEN: u16 = 3647;
    /// A component of a temporary that is not written before it is read.
    pub(crate) const COMPONENT_NOT_WRITTEN: u16 = 3648;
    /// A sampler that is written.
    pub(crate) const SAMPLER_WRITTEN: u16 = 3649;
    /// A varying that a fragment program writes.
    pub(crate) const VARYING_WRITTEN: u16 = 3650;
    /// An attribute that is written.
    pub(crate) const ATTRIBUTE_WRITTEN: u16 = 3651;
    /// A constant that is written.
    pub(crate) const CONSTANT_WRITTEN: u16 = 3652;
    /// A result without components.
    pub(crate) const EMPTY_MASK: u16 = 3653;
    /// Bits without a meaning that are set.
    pub(crate) const RESERVED: u16 = 3654;
    /// A register file that there is not.
    pub(crate) const FILE: u16 = 3655;
    /// A sampler beyond the last.
    pub(crate) const SAMPLER_NUMBER: u16 = 3656;
    /// A varying beyond the last.
    pub(crate) const VARYING_NUMBER: u16 = 3657;
    /// An attribute beyond the last.
    pub(crate) const ATTRIBUTE_NUMBER: u16 = 3658;
    /// A constant beyond the last.
    pub(crate) const CONSTANT_NUMBER: u16 = 3659;
    /// An output beyond the last.
    pub(crate) const OUTPUT_NUMBER: u16 = 3660;
    /// A temporary beyond the last.
    pub(crate) const TEMPORARY_NUMBER: u16 = 3661;
    /// A cube whose coordinates do not stop at its edges.
    pub(crate) const CUBE_WRAP: u16 = 3662;
    /// A dimension that there is not.
    pub(crate) const DIMENSION: u16 = 3664;
    /// A filter that there is not.
    pub(crate) const FILTER: u16 = 3665;
    /// A mip filter that there is not.
    pub(crate) const MIP: u16 = 3666;
    /// A wrap mode that there is not.
    pub(crate) const WRAP: u16 = 3667;
    /// Flags that there are not.
    pub(crate) const FLAGS: u16 = 3668;
    /// A swizzle on the rows of a matrix.
    pub(crate) const MATRIX_SWIZZLE: u16 = 3689;
    /// A texture instruction without a sampler.
    pub(crate) const NOT_A_SAMPLER: u16 = 3693;
    /// A sampler with two states.
    pub(crate) const SAMPLER_STATES: u16 = 3696;
    /// A colour of which some components are written.
    pub(crate) const COLOUR_MASK: u16 = 3701;
    /// A vector where there can only be a component.
    pub(crate) const NOT_SCALAR: u16 = 3703;
    /// A cube without a mip filter.
    pub(crate) const CUBE_LEVELS: u16 = 3704;
    /// An opcode of a later version.
    pub(crate) const OPCODE_VERSION: u16 = 3726;
    /// A branch without an end.
    pub(crate) const OPEN_BRANCH: u16 = 3739;
    /// `ted` with a bias.
    pub(crate) const BIAS_WITH_DERIVATIVES: u16 = 3740;
    /// Computed coordinates of a texture instruction in a branch.
    pub(crate) const COMPUTED_COORDINATES: u16 = 3741;
    /// A derivative in a branch.
    pub(crate) const DERIVATIVE_IN_BRANCH: u16 = 3742;
    /// `ted` without a mip filter.
    pub(crate) const LEVELS_WITH_DERIVATIVES: u16 = 3743;
    /// A colour that is written more than once.
    pub(crate) const COLOUR_WRITTEN_TWICE: u16 = 3744;
    /// A branch without instructions.
    pub(crate) const EMPTY_BRANCH: u16 = 3748;
    /// A depth output that there is not.
    pub(crate) const DEPTH: u16 = 3749;
    /// A depth output in a vertex program.
    pub(crate) const DEPTH_IN_VERTEX: u16 = 3750;
    /// An output that is written in a branch.
    pub(crate) const OUTPUT_IN_BRANCH: u16 = 3751;
    /// `els` where there cannot be one.
    pub(crate) const ELSE: u16 = 3752;
    /// Other components of the depth than x.
    pub(crate) const DEPTH_MASK: u16 = 3756;
    /// A condition whose sources are the same.
    pub(crate) const SAME_SOURCES: u16 = 3758;
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

    /// The mistake with Flash's number, where that is known.
    pub(super) fn known(mut self, number: Option<u16>) -> Finding {
        self.number = number;
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
#[non_exhaustive]
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
#[non_exhaustive]
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
