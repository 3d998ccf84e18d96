//! Parts of the language that are not translated yet.

use std::fmt::Display;
use std::ops::Range;

use attila_isa::Remark;

/// The reason why a text cannot be translated yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Missing {
    /// There are no buffers.
    Buffers,
    /// There are no compute programs.
    Compute,
}

impl Missing {
    /// The reason, as the end of a sentence.
    fn reason(self) -> &'static str {
        match self {
            Missing::Buffers => "there are no buffers",
            Missing::Compute => "there are no compute programs",
        }
    }

    /// The refusal of `what`.
    pub(super) fn remark(self, what: impl Display, span: Range<usize>) -> Remark {
        let message = format!("`{what}` is not supported yet: {}", self.reason());
        Remark::new(span, message)
    }
}
