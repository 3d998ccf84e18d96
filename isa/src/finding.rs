//! [`Finding`]: what validation has to say about a program.

use std::fmt;
use std::ops::Range;

use thiserror::Error;

use crate::code::{self, Code};
use crate::opcode::Opcode;
use crate::operand::{ScratchArray, Slots};
use crate::program::Stage;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The program runs, though perhaps not as its author thinks.
    Warning,
    /// The program cannot run.
    Error,
}

/// The kind of a finding of validation.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FindingKind {
    /// There are no instructions.
    #[error("the program is empty")]
    Empty,
    /// There are too many instructions.
    #[error("the program has {length} instructions; the limit is {limit}")]
    TooLong {
        /// How many there are.
        length: usize,
        /// The profile's limit.
        limit: usize,
    },
    /// There is too much scratch memory.
    #[error("the program has {vectors} scratch vectors; the limit is {limit}")]
    Scratch {
        /// How many there are for each lane.
        vectors: u32,
        /// The profile's limit.
        limit: u32,
    },
    /// An array of scratch memory is not within that of the program.
    #[error("{array} ends with scratch vector {}, and the program has {vectors}", .array.end() - 1)]
    ScratchArray {
        /// The array.
        array: ScratchArray,
        /// How many vectors the program has for each lane.
        vectors: u32,
    },
    /// A jump leaves the program.
    #[error("the jump leads to instruction {target}, outside the program's 0 to {last}")]
    JumpTarget {
        /// Where it leads.
        target: i64,
        /// The last instruction.
        last: usize,
    },
    /// No lane can ever end.
    #[error("no end can be reached: the program needs an `end` or an end flag")]
    NoEnd,
    /// A derivative where lanes are unrelated.
    #[error("`{op}` needs the neighbours of a fragment and cannot stand in a {stage} program")]
    NoNeighbours {
        /// DDX, DDY or one like them.
        op: Opcode,
        /// The program's stage.
        stage: Stage,
    },
    /// A vertex is emitted where lanes are no primitives.
    #[error("`{op}` makes vertices of a primitive and cannot stand in a {stage} program")]
    NotGeometry {
        /// EMIT or ENDPRIM.
        op: Opcode,
        /// The program's stage.
        stage: Stage,
    },
    /// An input is asked for at another place where there are no pixels.
    #[error("`{op}` needs the pixel of a fragment and cannot stand in a {stage} program")]
    NotFragment {
        /// EVALO, EVALC or EVALS.
        op: Opcode,
        /// The program's stage.
        stage: Stage,
    },
    /// The original machine has fewer positions of samples.
    #[error(
        "the original's offsets are those of at most 8 samples at fixed positions; here they are those of the samples in use"
    )]
    FreeOffsets,
    /// The last instruction can be passed.
    #[error("control can run past the last instruction; the program ends there")]
    RunsPastEnd,
    /// Nothing leads to an instruction.
    #[error("no lane can reach this instruction{}", through(*.last, *.first))]
    Unreachable {
        /// The first of them.
        first: usize,
        /// The last of them.
        last: usize,
    },
    /// A temporary is read and nothing in the program writes it.
    #[error("r{index}.{} is read but never written; it is 0", letters(*.components))]
    NeverWritten {
        /// The temporary's number.
        index: usize,
        /// The components.
        components: Slots,
    },
    /// A predicate is read and nothing in the program writes it.
    #[error("p{index} is read but never written; it is false")]
    PredicateNeverWritten {
        /// The predicate's number.
        index: usize,
    },
    /// Some components of an output are written, and others are not.
    #[error("o{index}.{} is never written; it is 0", letters(*.components))]
    PartlyWritten {
        /// The output's number.
        index: usize,
        /// The components that are not.
        components: Slots,
    },
    /// One of several constants was meant to be relative, and all are.
    #[error("the relative address applies to every constant of the instruction")]
    AllRelative,
    /// The program leaves no trace.
    #[error(
        "the program writes no output, kills nothing, exports no depth, stores nothing and emits nothing"
    )]
    NoEffect,
}

impl FindingKind {
    /// Its code, with an explanation.
    pub fn code(&self) -> &'static Code {
        match self {
            FindingKind::Empty => &code::program::EMPTY,
            FindingKind::TooLong { .. } => &code::program::TOO_LONG,
            FindingKind::Scratch { .. } => &code::text::LIMIT,
            FindingKind::ScratchArray { .. } => &code::program::SCRATCH_ARRAY,
            FindingKind::JumpTarget { .. } => &code::program::JUMP_TARGET,
            FindingKind::NoEnd => &code::program::NO_END,
            FindingKind::NoNeighbours { .. } => &code::program::NO_NEIGHBOURS,
            FindingKind::NotGeometry { .. } => &code::program::NOT_GEOMETRY,
            FindingKind::NotFragment { .. } => &code::program::NOT_FRAGMENT,
            FindingKind::FreeOffsets => &code::program::FREE_OFFSETS,
            FindingKind::RunsPastEnd => &code::program::RUNS_PAST_END,
            FindingKind::Unreachable { .. } => &code::program::UNREACHABLE,
            FindingKind::NeverWritten { .. } => &code::program::NEVER_WRITTEN,
            FindingKind::PredicateNeverWritten { .. } => &code::program::PREDICATE_NEVER_WRITTEN,
            FindingKind::PartlyWritten { .. } => &code::program::PARTLY_WRITTEN,
            FindingKind::AllRelative => &code::program::ALL_RELATIVE,
            FindingKind::NoEffect => &code::program::NO_EFFECT,
        }
    }

    /// Errors keep a program from running, warnings do not.
    pub fn severity(&self) -> Severity {
        match self {
            FindingKind::Empty
            | FindingKind::TooLong { .. }
            | FindingKind::Scratch { .. }
            | FindingKind::ScratchArray { .. }
            | FindingKind::JumpTarget { .. }
            | FindingKind::NoEnd
            | FindingKind::NoNeighbours { .. }
            | FindingKind::NotGeometry { .. }
            | FindingKind::NotFragment { .. } => Severity::Error,
            FindingKind::RunsPastEnd
            | FindingKind::Unreachable { .. }
            | FindingKind::NeverWritten { .. }
            | FindingKind::PredicateNeverWritten { .. }
            | FindingKind::PartlyWritten { .. }
            | FindingKind::AllRelative
            | FindingKind::FreeOffsets
            | FindingKind::NoEffect => Severity::Warning,
        }
    }
}

fn letters(components: Slots) -> String {
    components.components().map(|c| c.letter()).collect()
}

fn through(last: usize, first: usize) -> String {
    if last == first {
        String::new()
    } else {
        format!(" and those up to {last}")
    }
}

/// One finding and where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// The kind of finding.
    pub kind: FindingKind,
    /// The instruction that it is about; `None` if it is about the whole program.
    pub index: Option<usize>,
    /// Where that instruction stands in the source text, if the program has one.
    pub span: Option<Range<usize>>,
    /// How the source text may be put right.
    pub help: Option<&'static str>,
}

impl Finding {
    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }
}

/// As `instruction N: message (help)`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(index) = self.index {
            write!(f, "instruction {index}: ")?;
        }
        self.kind.fmt(f)?;
        self.help.iter().try_for_each(|help| write!(f, " ({help})"))
    }
}
