//! The names that programs have for what goes into ATTILA's registers.

use std::fmt;

use attila_isa::{Bank, Reg, Slots, Stage, TextureShape};

use super::program::File;
use crate::back::Language;

/// The language of `.ctm` programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ctm {}

/// `i`: a vector that comes in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Input(pub u8);

/// `o`: a vector that goes out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Output(pub u8);

/// A vector in a constant register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Param {
    /// `c`, in the register of its number.
    Constant(u16),
    /// Words of the text, or of the translation.
    Words([u32; 4]),
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", File::Input.letter(), self.0)
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", File::Output.letter(), self.0)
    }
}

/// Programs have no textures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoTexture {}

/// Facts about a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Details {
    /// Its lines with instructions.
    pub lines: usize,
    /// The instructions that have become modifiers of others.
    pub folded: usize,
}

impl Language for Ctm {
    type Input = Input;
    type Output = Output;
    type Param = Param;
    type Texture = NoTexture;
    type Details = Details;

    fn input(input: Input, _stage: Stage) -> Option<Reg> {
        Reg::new(Bank::Input, input.0.into())
    }

    fn output(output: Output, _stage: Stage) -> Option<Reg> {
        Reg::new(Bank::Output, output.0.into())
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

    fn unit(texture: NoTexture) -> u8 {
        match texture {}
    }

    fn image(texture: NoTexture) -> TextureShape {
        match texture {}
    }

    fn coordinates(texture: NoTexture) -> Slots {
        match texture {}
    }
}
