//! [`ArbStage`]: which of the two languages a program is in.

use std::fmt;

use attila_isa::Stage;

/// The stage of an ARB program, which its header names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArbStage {
    /// `!!ARBvp1.0`, by `ARB_vertex_program`.
    Vertex,
    /// `!!ARBfp1.0`, by `ARB_fragment_program`.
    Fragment,
}

impl ArbStage {
    /// The stage of programs that have neither language's own registers for others.
    pub(super) fn of(stage: Stage) -> Option<ArbStage> {
        match stage {
            Stage::Vertex => Some(ArbStage::Vertex),
            Stage::Fragment => Some(ArbStage::Fragment),
            Stage::Geometry | Stage::Compute => None,
        }
    }
}

impl From<ArbStage> for Stage {
    fn from(stage: ArbStage) -> Stage {
        match stage {
            ArbStage::Vertex => Stage::Vertex,
            ArbStage::Fragment => Stage::Fragment,
        }
    }
}

impl fmt::Display for ArbStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Stage::from(*self).fmt(f)
    }
}
