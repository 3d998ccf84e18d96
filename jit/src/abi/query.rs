//! How generated code asks texture units.

use attila_isa::{Stage, TextureTarget};
use attila_machine::{LaneMask, Lanes, LevelOfDetail, Lookup, TextureQuery};

/// A sample as code asks for it: s, t, r, and one more operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum SampleKind {
    /// The level of detail comes from the derivatives; the fourth operand is 0.
    Tex,
    /// The fourth operand is a bias.
    Txb,
    /// The fourth operand is the level of detail.
    Txl,
    /// As `Tex`, with coordinates that have been divided.
    Txp,
}

impl SampleKind {
    /// All of them, in their order.
    pub(crate) const ALL: [SampleKind; 4] = [
        SampleKind::Tex,
        SampleKind::Txb,
        SampleKind::Txl,
        SampleKind::Txp,
    ];

    /// The query to `unit` with these operands.
    pub(crate) fn query(
        self,
        (unit, stage): (u8, Stage),
        [s, t, r, last]: [Lanes<f32>; 4],
        active: LaneMask,
    ) -> TextureQuery {
        let level = match self {
            SampleKind::Tex | SampleKind::Txp => LevelOfDetail::Implicit,
            SampleKind::Txb => LevelOfDetail::Bias(last),
            SampleKind::Txl => LevelOfDetail::Explicit(last),
        };
        TextureQuery {
            unit,
            target: TextureTarget::Bound,
            lookup: Lookup::sample([s, t, r], self == SampleKind::Txp, level),
            stage,
            active,
        }
    }
}
