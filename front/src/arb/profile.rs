//! Limits on resources, and what a program uses of them.

use super::options::Fog;
use crate::arb::ArbStage;

/// The most elements that all parameter arrays of a text may have together, read or not, in every
/// profile: a range of parameters is short to write, and each of its elements takes memory.
pub const MAX_ELEMENTS: usize = 1 << 16;

/// How much programs of one kind may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Instructions of all kinds.
    pub instructions: usize,
    /// Arithmetic instructions; fragment programs only.
    pub arithmetic: usize,
    /// TEX, TXB, TXP and KIL; fragment programs only.
    pub texture: usize,
    /// Texture indirections; fragment programs only.
    pub indirections: usize,
    /// Temporaries.
    pub temporaries: usize,
    /// Parameter vectors.
    pub parameters: usize,
    /// Address registers.
    pub addresses: usize,
    /// Input vectors.
    pub attributes: usize,
    /// `program.env` vectors.
    pub env: u32,
    /// `program.local` vectors.
    pub local: u32,
}

/// The limits that programs have to keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Profile {
    /// The limits of vertex programs.
    pub vertex: Limits,
    /// The limits of fragment programs.
    pub fragment: Limits,
    /// The smallest and the largest offset of a relative address.
    pub offsets: (i64, i64),
    /// Generic vertex attributes.
    pub generic_attributes: u32,
    /// Sets of texture coordinates, with their matrices.
    pub texture_coordinates: u32,
    /// Texture units.
    pub texture_units: u32,
    /// Lights.
    pub lights: u32,
    /// User clip planes.
    pub clip_planes: u32,
    /// Model-view matrices, and so vertex weights.
    pub vertex_units: u32,
    /// Matrices of the palette.
    pub palette_matrices: u32,
    /// Program matrices.
    pub program_matrices: u32,
    /// Colours of a fragment, with an option that allows several.
    pub draw_buffers: u32,
}

impl Profile {
    /// The minimum that every implementation of the extensions has.
    pub const MINIMUM: Profile = Profile {
        vertex: Limits {
            instructions: 128,
            arithmetic: 128,
            texture: 0,
            indirections: 0,
            temporaries: 12,
            parameters: 96,
            addresses: 1,
            attributes: 16,
            env: 96,
            local: 96,
        },
        fragment: Limits {
            instructions: 72,
            arithmetic: 48,
            texture: 24,
            indirections: 4,
            temporaries: 16,
            parameters: 24,
            addresses: 0,
            attributes: 10,
            env: 24,
            local: 24,
        },
        offsets: (-64, 63),
        generic_attributes: 16,
        texture_coordinates: 2,
        texture_units: 2,
        lights: 8,
        clip_planes: 6,
        vertex_units: 1,
        palette_matrices: 0,
        program_matrices: 8,
        draw_buffers: 1,
    };

    /// As much as can be made use of: the default.
    pub const ROOMY: Profile = {
        let limits = Limits {
            instructions: 65_536,
            arithmetic: 65_536,
            texture: 65_536,
            indirections: 65_536,
            temporaries: 1024,
            parameters: 4096,
            addresses: 2,
            attributes: 16,
            env: 1024,
            local: 1024,
        };
        Profile {
            vertex: limits,
            fragment: limits,
            offsets: (-4096, 4095),
            texture_coordinates: 8,
            texture_units: 16,
            vertex_units: 4,
            palette_matrices: 32,
            draw_buffers: 8,
            ..Profile::MINIMUM
        }
    };

    /// The limits of programs of `stage`.
    pub const fn limits(&self, stage: ArbStage) -> &Limits {
        match stage {
            ArbStage::Vertex => &self.vertex,
            ArbStage::Fragment => &self.fragment,
        }
    }
}

impl Default for Profile {
    fn default() -> Profile {
        Profile::ROOMY
    }
}

impl Limits {
    /// The limits that are left when position is computed by instructions that are appended.
    pub(super) fn without_position(mut self) -> Limits {
        self.instructions = self.instructions.saturating_sub(4);
        self
    }

    /// The limits that are left when fog is applied by instructions that are appended.
    pub(super) fn without_fog(mut self, fog: Fog) -> Limits {
        let cost = match fog {
            Fog::Linear => 2,
            Fog::Exp => 3,
            Fog::Exp2 => 4,
        };
        self.instructions = self.instructions.saturating_sub(cost);
        self.arithmetic = self.arithmetic.saturating_sub(cost);
        self.temporaries = self.temporaries.saturating_sub(1);
        self.attributes = self.attributes.saturating_sub(1);
        self.parameters = self.parameters.saturating_sub(2);
        self
    }
}

/// The resources that a program uses, without those that its options append.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Resources {
    /// Instructions of all kinds.
    pub instructions: usize,
    /// Arithmetic instructions.
    pub arithmetic: usize,
    /// TEX, TXB, TXP and KIL.
    pub texture: usize,
    /// Texture indirections: 1 for a fragment program without any.
    pub indirections: usize,
    /// Declared temporaries.
    pub temporaries: usize,
    /// Parameter vectors that instructions read, equal ones once; an array that is addressed
    /// relatively counts as a whole.
    pub parameters: usize,
    /// Declared address registers.
    pub addresses: usize,
    /// Input vectors that are bound.
    pub attributes: usize,
}
