//! [`TextureQuery`]: the question of a texture instruction, on its way from an engine to the units.

use attila_isa::{Component, Stage, TextureTarget};

use crate::quad::{LANES, LaneMask, Lanes};

/// One texture instruction for a whole quad.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TextureQuery {
    /// Texture unit.
    pub unit: u8,
    /// The kind of image that the instruction reads the unit as.
    pub target: TextureTarget,
    /// The question to the unit.
    pub lookup: Lookup,
    /// Vertex lanes have nothing to do with each other: all their derivatives are 0.
    pub stage: Stage,
    /// The lanes that execute the instruction. The results of the others are dropped.
    pub active: LaneMask,
}

/// Texels along s, t and r.
pub type Offset = [Lanes<i32>; 3];

/// The question of a query.
///
/// Coordinates are those of all four lanes, active or not, as their registers stand. The target says
/// how many of the four components are coordinates, and where among them the layer and the reference
/// of a comparison are (textures.md 1).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Lookup {
    /// Filtered texels.
    Sample {
        /// The coordinates. Base instructions have three, and 0 in the fourth component.
        coords: [Lanes<f32>; 4],
        /// Whether the engine has divided the coordinates by a fourth one. It makes no difference to
        /// the answer.
        projected: bool,
        /// The level of detail.
        level: LevelOfDetail,
        /// The value that texels are compared with, if it is not one of the coordinates.
        reference: Option<Lanes<f32>>,
        /// Added to the coordinates.
        offset: Option<Offset>,
    },
    /// One component of each of the four texels that a linear filter would mix.
    Gather {
        /// The coordinates.
        coords: [Lanes<f32>; 4],
        /// The component.
        component: Component,
        /// As in a sample.
        reference: Option<Lanes<f32>>,
        /// As in a sample.
        offset: Option<Offset>,
    },
    /// The level of detail of a sample at the coordinates.
    LevelOfDetail {
        /// The coordinates.
        coords: [Lanes<f32>; 4],
    },
    /// One texel, as it is.
    Fetch {
        /// Column, row and slice as far as the image has them, and the level, or the sample of a
        /// multisampled image, in the fourth component.
        at: [Lanes<i32>; 4],
        /// Added to column, row and slice.
        offset: Option<Offset>,
    },
    /// The size of a level and the number of levels.
    Size {
        /// The level.
        level: Lanes<i32>,
    },
    /// The number of samples of a texel.
    Samples,
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
    /// From these derivatives.
    Gradients(Gradients),
}

/// Derivatives of s, t and r: `[axis][lane]`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gradients {
    /// From a pixel to the one on its right.
    pub dx: [Lanes<f32>; 3],
    /// From a pixel to the one below.
    pub dy: [Lanes<f32>; 3],
}

impl TextureQuery {
    /// The instruction that asks, as in assembly.
    pub fn mnemonic(&self) -> &'static str {
        let base = self.target == TextureTarget::Bound;
        match self.lookup {
            Lookup::Sample {
                projected, level, ..
            } => match level {
                LevelOfDetail::Implicit if projected => "txp",
                LevelOfDetail::Implicit if base => "tex",
                LevelOfDetail::Bias(_) if base => "txb",
                LevelOfDetail::Explicit(_) if base => "txl",
                LevelOfDetail::Implicit => "xtex",
                LevelOfDetail::Bias(_) => "xtxb",
                LevelOfDetail::Explicit(_) => "xtxl",
                LevelOfDetail::Gradients(_) => "xtxd",
            },
            Lookup::Gather { .. } => "tg4",
            Lookup::LevelOfDetail { .. } => "lodq",
            Lookup::Fetch { .. } => "txf",
            Lookup::Size { .. } => "txq",
            Lookup::Samples => "txqs",
        }
    }
}

impl Lookup {
    /// The question of a base instruction: s, t and r.
    #[inline]
    pub fn sample([s, t, r]: [Lanes<f32>; 3], projected: bool, level: LevelOfDetail) -> Lookup {
        Lookup::Sample {
            coords: [s, t, r, [0.0; LANES]],
            projected,
            level,
            reference: None,
            offset: None,
        }
    }

    /// The value that texels are compared with, if it is not one of the coordinates.
    pub fn reference(&self) -> Option<Lanes<f32>> {
        match *self {
            Lookup::Sample { reference, .. } | Lookup::Gather { reference, .. } => reference,
            Lookup::LevelOfDetail { .. }
            | Lookup::Fetch { .. }
            | Lookup::Size { .. }
            | Lookup::Samples => None,
        }
    }

    /// The texels that are added to the coordinates.
    pub fn offset(&self) -> Option<Offset> {
        match *self {
            Lookup::Sample { offset, .. }
            | Lookup::Gather { offset, .. }
            | Lookup::Fetch { offset, .. } => offset,
            Lookup::LevelOfDetail { .. } | Lookup::Size { .. } | Lookup::Samples => None,
        }
    }
}

impl LevelOfDetail {
    /// The number that the instruction gives for each lane.
    pub fn given(&self) -> Option<Lanes<f32>> {
        match *self {
            LevelOfDetail::Implicit | LevelOfDetail::Gradients(_) => None,
            LevelOfDetail::Bias(lanes) | LevelOfDetail::Explicit(lanes) => Some(lanes),
        }
    }
}
