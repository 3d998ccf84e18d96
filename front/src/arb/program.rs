//! A program whose names have been looked up and whose rules have been checked.

use std::ops::Range;

use attila_isa::{Component, Slots};
use smallvec::SmallVec;

use super::binding::{Input, Output, Param};
use super::opcode::ArbOpcode;
use super::options::Options;
use super::profile::Resources;
use crate::arb::ArbStage;

/// A program of either language.
#[derive(Clone, PartialEq, Debug)]
pub struct ArbProgram {
    /// The stage that it is for.
    pub stage: ArbStage,
    /// The options that it has turned on.
    pub options: Options,
    /// How many temporaries it has; they are numbered from 0.
    pub temporaries: usize,
    /// How many address registers it has.
    pub addresses: usize,
    /// The names that it declares for what it reads.
    pub names: Vec<(String, Named)>,
    /// Its parameter arrays, by number.
    pub arrays: Vec<ParamArray>,
    /// Its instructions.
    pub instructions: Vec<Instruction>,
    /// The target of each texture unit that it samples.
    pub textures: Vec<TextureUse>,
    /// The resources that it uses.
    pub resources: Resources,
}

/// What a declared name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// An input.
    Input(Input),
    /// A parameter, or a constant.
    Param(Param),
    /// A parameter array, by number.
    Array(usize),
}

/// An array of parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParamArray {
    /// Its elements.
    pub params: Vec<Param>,
    /// Whether it is addressed relatively, so that its elements have to lie one after the other.
    pub relative: bool,
}

/// An instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Instruction {
    /// The opcode.
    pub opcode: ArbOpcode,
    /// Whether its result is clamped to 0..1.
    pub saturate: bool,
    /// The destination of its result; KIL has no result.
    pub result: Option<Destination>,
    /// Its sources: as many as its opcode takes.
    pub sources: SmallVec<[Source; 3]>,
    /// The texture that TEX, TXB and TXP sample.
    pub texture: Option<TextureUse>,
    /// Where it is in the text, in bytes.
    pub span: Range<usize>,
}

/// Where a result goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Destination {
    /// The register.
    pub register: ResultRegister,
    /// The components that are written.
    pub mask: Slots,
}

/// A register that can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultRegister {
    /// A temporary.
    Temporary(usize),
    /// A result of the program.
    Output(Output),
    /// An address register.
    Address(usize),
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// The register.
    pub register: SourceRegister,
    /// The source of each component of the value. A scalar is the same four times.
    pub select: [Select; 4],
    /// The components that are negated.
    pub negate: Slots,
}

/// A register that can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceRegister {
    /// A temporary.
    Temporary(usize),
    /// An input.
    Input(Input),
    /// A parameter.
    Param(Param),
    /// An element of a parameter array: `offset` added to x of an address register.
    Relative {
        /// The number of the array.
        array: usize,
        /// The number of the address register.
        address: usize,
        /// The number that is added; from the profile's range.
        offset: i64,
    },
}

/// A component of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Select {
    /// A component of the register.
    Component(Component),
    /// 0, in SWZ only.
    Zero,
    /// 1, in SWZ only.
    One,
}

/// The target that a texture unit is sampled as.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TextureUse {
    /// The unit.
    pub unit: u32,
    /// Its target.
    pub target: Target,
    /// Whether the texture's value is compared with the third coordinate.
    pub shadow: bool,
}

/// A texture target: the dimensions of the image.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// One dimension.
    OneD,
    /// Two dimensions.
    TwoD,
    /// Three dimensions.
    ThreeD,
    /// Six faces.
    Cube,
    /// Two dimensions, addressed in texels.
    Rectangle,
}

/// The words for targets, and whether they compare depths.
const TARGETS: [(&str, Target, bool); 8] = [
    ("1D", Target::OneD, false),
    ("2D", Target::TwoD, false),
    ("3D", Target::ThreeD, false),
    ("CUBE", Target::Cube, false),
    ("RECT", Target::Rectangle, false),
    ("SHADOW1D", Target::OneD, true),
    ("SHADOW2D", Target::TwoD, true),
    ("SHADOWRECT", Target::Rectangle, true),
];

impl TextureUse {
    /// The use of a unit that `word` names.
    pub(super) fn parse(unit: u32, word: &str) -> Option<TextureUse> {
        let (_, target, shadow) = *TARGETS.iter().find(|(name, ..)| *name == word)?;
        Some(TextureUse {
            unit,
            target,
            shadow,
        })
    }

    /// The words of all targets.
    pub(super) fn words() -> impl Iterator<Item = &'static str> {
        TARGETS.iter().map(|(name, ..)| *name)
    }

    /// The target as it is written.
    pub fn word(&self) -> &'static str {
        let is = |row: &&(&str, Target, bool)| (row.1, row.2) == (self.target, self.shadow);
        TARGETS.iter().find(is).map_or("", |row| row.0)
    }
}
