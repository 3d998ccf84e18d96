//! The names that ARB programs have for what goes into ATTILA's registers.

use attila_isa::{Reg, Slots, Stage, TextureShape};

use super::binding::{Input, Output, Param};
use super::options::Options;
use super::profile::Resources;
use super::program::{Target, TextureUse};
use super::registers;
use super::stage::ArbStage;
use crate::back::Language;

/// Both languages of ARB programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arb {}

/// Facts about the text of an ARB program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Details {
    /// The options that it has turned on.
    pub options: Options,
    /// The resources that it uses, as `GL_PROGRAM_*_ARB` would say.
    pub resources: Resources,
}

impl Language for Arb {
    type Input = Input;
    type Output = Output;
    type Param = Param;
    type Texture = TextureUse;
    type Details = Details;

    fn input(input: Input, stage: Stage) -> Option<Reg> {
        registers::input(input, ArbStage::of(stage)?)
    }

    fn output(output: Output, _stage: Stage) -> Option<Reg> {
        registers::output(output)
    }

    fn constant(bits: [u32; 4]) -> Param {
        Param::Constant(bits)
    }

    fn bits(param: Param) -> Option<[u32; 4]> {
        match param {
            Param::Constant(bits) => Some(bits),
            Param::Env(_) | Param::Local(_) | Param::State(_) | Param::Window => None,
        }
    }

    fn unit(texture: TextureUse) -> u8 {
        texture.unit as u8
    }

    fn image(texture: TextureUse) -> TextureShape {
        match texture.target {
            Target::OneD => TextureShape::D1,
            Target::TwoD => TextureShape::D2,
            Target::ThreeD => TextureShape::D3,
            Target::Cube => TextureShape::Cube,
            Target::Rectangle => TextureShape::Rect,
        }
    }

    /// Its coordinates, what it compares with, and w.
    fn coordinates(texture: TextureUse) -> Slots {
        let shape = match texture.target {
            Target::OneD => Slots::X,
            Target::TwoD | Target::Rectangle => Slots::X | Slots::Y,
            Target::ThreeD | Target::Cube => Slots::X | Slots::Y | Slots::Z,
        };
        let compared = match texture.shadow {
            true => Slots::Z,
            false => Slots::empty(),
        };
        shape | compared | Slots::W
    }
}
