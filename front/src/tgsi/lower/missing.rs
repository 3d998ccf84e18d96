//! Parts of the language that are not translated yet.

use std::fmt::Display;
use std::ops::Range;

use attila_isa::Remark;

use super::super::words::Processor;

/// The reason why a text cannot be translated yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Missing {
    /// There is no instruction for this operation.
    Opcodes,
    /// There are no instructions for doubles.
    Doubles,
    /// There is no memory for arrays of registers.
    Scratch,
    /// There are no constant buffers beside the constant registers.
    ConstantBuffers,
    /// There are no buffers.
    Buffers,
    /// There are no geometry programs.
    Geometry,
    /// There are no compute programs.
    Compute,
}

impl Missing {
    /// The reason for programs of a kind without a stage.
    pub(super) fn of(processor: Processor) -> Missing {
        match processor {
            Processor::Geometry => Missing::Geometry,
            Processor::Compute
            | Processor::Vertex
            | Processor::Fragment
            | Processor::TessellationControl
            | Processor::TessellationEvaluation => Missing::Compute,
        }
    }

    /// The reason, as the end of a sentence.
    fn reason(self) -> &'static str {
        match self {
            Missing::Opcodes => "there is no such instruction",
            Missing::Doubles => "there are no instructions for doubles",
            Missing::Scratch => "registers that are addressed relatively need memory of lanes",
            Missing::ConstantBuffers => "constants beyond the registers need buffers",
            Missing::Buffers => "there are no buffers",
            Missing::Geometry => "there are no geometry programs",
            Missing::Compute => "there are no compute programs",
        }
    }

    /// The refusal of `what`.
    pub(super) fn remark(self, what: impl Display, span: Range<usize>) -> Remark {
        let message = format!("`{what}` is not supported yet: {}", self.reason());
        Remark::new(span, message)
    }
}
