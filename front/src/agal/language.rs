//! The names that AGAL programs have for what goes into ATTILA's registers.

use std::collections::BTreeSet;
use std::fmt;

use attila_isa::{Reg, Slots, Stage, TextureShape};

use super::program::Version;
use super::registers;
use super::sampler::Sampler;
use crate::back::Language;

/// The language of AGAL programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agal {}

/// A vector that comes in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Input {
    /// `va`: an attribute of a vertex.
    Attribute(u16),
    /// `v` in a fragment program.
    Varying(u16),
    /// The number of the instance, as an integer.
    Instance,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Attribute(number) => write!(f, "va{number}"),
            Input::Varying(number) => write!(f, "v{number}"),
            Input::Instance => f.write_str("iid"),
        }
    }
}

/// A vector that goes out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Output {
    /// `op`: the position of a vertex.
    Position,
    /// `v` in a vertex program.
    Varying(u16),
    /// `oc`: a colour of a fragment.
    Color(u16),
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Output::Position => f.write_str("op"),
            Output::Varying(number) => write!(f, "v{number}"),
            Output::Color(number) => write!(f, "oc{number}"),
        }
    }
}

/// A vector in a constant register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Param {
    /// `vc` or `fc`, in the register of its number.
    Constant(u16),
    /// Words that the translation adds.
    Words([u32; 4]),
}

/// Facts about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Details {
    /// Its version.
    pub version: Version,
    /// The number of its tokens.
    pub tokens: usize,
    /// The components of attributes that are read, by number.
    pub attributes: Vec<(u16, Slots)>,
    /// The constants that are read by their numbers.
    pub constants: BTreeSet<u16>,
    /// Whether constants are computed, so that all of the version's are given registers.
    pub computes_constants: bool,
}

impl Language for Agal {
    type Input = Input;
    type Output = Output;
    type Param = Param;
    type Texture = Sampler;
    type Details = Details;

    fn input(input: Input, _stage: Stage) -> Option<Reg> {
        registers::input(input)
    }

    fn output(output: Output, _stage: Stage) -> Option<Reg> {
        registers::output(output)
    }

    fn constant(bits: [u32; 4]) -> Param {
        Param::Words(bits)
    }

    fn bits(param: Param) -> Option<[u32; 4]> {
        match param {
            Param::Constant(_) => None,
            Param::Words(bits) => Some(bits),
        }
    }

    fn unit(texture: Sampler) -> u8 {
        texture.unit as u8
    }

    fn image(texture: Sampler) -> TextureShape {
        texture.image()
    }

    /// Three coordinates, whatever the dimension, and the bias.
    fn coordinates(_texture: Sampler) -> Slots {
        Slots::all()
    }
}
