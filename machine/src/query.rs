//! [`TextureQuery`]: the question of a texture instruction, on its way from an engine to the units.

use attila_isa::Stage;

use crate::quad::{LaneMask, Lanes};

/// One texture instruction for a whole quad.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TextureQuery {
    /// Texture unit.
    pub unit: u8,
    /// The question to the unit.
    pub lookup: Lookup,
    /// Vertex lanes have nothing to do with each other: all their derivatives are 0.
    pub stage: Stage,
    /// The lanes that execute the instruction. The results of the others are dropped.
    pub active: LaneMask,
}

/// The question of a query.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Lookup {
    /// Filtered texels.
    Sample {
        /// s, t, r of all four lanes, active or not, as their registers stand.
        coords: [Lanes<f32>; 3],
        /// Whether the engine has divided the coordinates by a fourth one. It makes no difference to
        /// the answer.
        projected: bool,
        /// The level of detail.
        level: LevelOfDetail,
    },
}

/// How a sample finds its level of detail.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LevelOfDetail {
    /// From the derivatives of the coordinates.
    Implicit,
    /// From the derivatives, and this is added.
    Bias(Lanes<f32>),
    /// As given.
    Explicit(Lanes<f32>),
}

impl TextureQuery {
    /// The instruction that asks, as in assembly.
    pub fn mnemonic(&self) -> &'static str {
        let Lookup::Sample {
            projected, level, ..
        } = self.lookup;
        match level {
            LevelOfDetail::Implicit if projected => "txp",
            LevelOfDetail::Implicit => "tex",
            LevelOfDetail::Bias(_) => "txb",
            LevelOfDetail::Explicit(_) => "txl",
        }
    }
}

impl LevelOfDetail {
    /// The number that the instruction gives for each lane.
    pub fn given(&self) -> Option<Lanes<f32>> {
        match *self {
            LevelOfDetail::Implicit => None,
            LevelOfDetail::Bias(lanes) | LevelOfDetail::Explicit(lanes) => Some(lanes),
        }
    }
}
