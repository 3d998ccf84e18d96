//! The names that TGSI programs have for what goes into ATTILA's registers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use attila_isa::{Diagnostic, Reg, Slots, Stage, TextureShape, TextureTarget};

use super::dialect::Dialect;
use super::program::{ConstantBuffer, Properties, Semantic, SystemValue, Varying};
use super::registers;
use super::words::{SemanticName, Target};
use crate::back::Language;

/// The language of TGSI programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tgsi {}

/// A vector that comes in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Input {
    /// `IN[n]` of a vertex program.
    Attribute(u32),
    /// An input or a system value with a semantic.
    Semantic(Semantic),
}

/// A vector that goes out: its semantic.
pub type Output = Semantic;

/// A vector in a constant register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Param {
    /// Words of the text.
    Constant([u32; 4]),
    /// `CONST[buffer][register]`.
    Buffer {
        /// The number of the buffer.
        buffer: u32,
        /// The number of the register.
        register: u32,
    },
    /// The size of the window in pixels: width, height, 0, 1. Positions that count from below need it.
    Window,
}

/// A texture unit and the way it is looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TextureUse {
    /// The unit: the number of the view and the sampler. Where these differ, it is one of the last.
    pub unit: u32,
    /// The shape.
    pub target: Target,
    /// The view whose texels are read.
    pub view: u32,
    /// The sampler; `None` for a view that is only fetched from or asked for its size.
    pub sampler: Option<u32>,
}

/// A declared input or output, and the register that carries it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Port {
    /// Its declaration: register of the text, semantic, interpolation, location.
    pub varying: Varying,
    /// ATTILA's register; `None` if there is none. The depth of fragments has none: it is exported.
    pub register: Option<u8>,
}

/// A declared system value, and the register that carries it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemPort {
    /// Its declaration.
    pub value: SystemValue,
    /// ATTILA's register; `None` if there is none.
    pub register: Option<u8>,
}

/// Facts about the text of a TGSI program.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Details {
    /// The dialect that it was translated by.
    pub dialect: Dialect,
    /// Its properties.
    pub properties: Properties,
    /// Its inputs, by register of the text.
    pub inputs: Vec<Port>,
    /// Its outputs, by register of the text.
    pub outputs: Vec<Port>,
    /// Its system values, by register of the text.
    pub system_values: Vec<SystemPort>,
    /// Its constant buffers, with the registers that it reads.
    pub constants: Vec<ConstantBuffer>,
    /// The buffers that are too large for constant registers. They are read with LDC, as are all buffers
    /// if one of them is [chosen by an address](ConstantBuffer::chosen), and have to be bound to the
    /// constant buffers of their numbers.
    pub loaded: BTreeSet<u32>,
    /// Its samplers, with the shapes in which they are sampled.
    pub samplers: BTreeMap<u32, BTreeSet<Target>>,
    /// Remarks that do not keep it from running.
    pub warnings: Vec<Diagnostic>,
}

impl Language for Tgsi {
    type Input = Input;
    type Output = Output;
    type Param = Param;
    type Texture = TextureUse;
    type Details = Details;

    fn input(input: Input, stage: Stage) -> Option<Reg> {
        registers::input(input, stage)
    }

    fn output(output: Output, stage: Stage) -> Option<Reg> {
        registers::output(output, stage)
    }

    fn constant(bits: [u32; 4]) -> Param {
        Param::Constant(bits)
    }

    fn bits(param: Param) -> Option<[u32; 4]> {
        match param {
            Param::Constant(bits) => Some(bits),
            Param::Buffer { .. } | Param::Window => None,
        }
    }

    fn unit(texture: TextureUse) -> u8 {
        texture.unit as u8
    }

    fn target(texture: TextureUse) -> TextureTarget {
        let (shape, shadow) = shape_of(texture.target);
        TextureTarget::Named { shape, shadow }
    }

    fn image(texture: TextureUse) -> TextureShape {
        shape_of(texture.target).0
    }

    /// Its coordinates, what it compares with, and w.
    fn coordinates(texture: TextureUse) -> Slots {
        let (xy, xyz) = (Slots::X | Slots::Y, Slots::X | Slots::Y | Slots::Z);
        let read = match texture.target {
            Target::OneD | Target::Buffer => Slots::X,
            Target::TwoD | Target::Rectangle | Target::TwoDMultisample | Target::OneDArray => xy,
            Target::ShadowOneD => Slots::X | Slots::Z,
            Target::ThreeD
            | Target::Cube
            | Target::ShadowTwoD
            | Target::ShadowRectangle
            | Target::ShadowOneDArray
            | Target::TwoDArray
            | Target::TwoDArrayMultisample => xyz,
            Target::ShadowTwoDArray
            | Target::ShadowCube
            | Target::CubeArray
            | Target::ShadowCubeArray
            | Target::Unknown => Slots::all(),
        };
        read | Slots::W
    }
}

/// The kind of image of a target, and whether texels are compared.
fn shape_of(target: Target) -> (TextureShape, bool) {
    match target {
        Target::Buffer => (TextureShape::Buffer, false),
        Target::OneD => (TextureShape::D1, false),
        Target::TwoD | Target::Unknown => (TextureShape::D2, false),
        Target::ThreeD => (TextureShape::D3, false),
        Target::Cube => (TextureShape::Cube, false),
        Target::Rectangle => (TextureShape::Rect, false),
        Target::ShadowOneD => (TextureShape::D1, true),
        Target::ShadowTwoD => (TextureShape::D2, true),
        Target::ShadowRectangle => (TextureShape::Rect, true),
        Target::OneDArray => (TextureShape::D1Array, false),
        Target::TwoDArray => (TextureShape::D2Array, false),
        Target::ShadowOneDArray => (TextureShape::D1Array, true),
        Target::ShadowTwoDArray => (TextureShape::D2Array, true),
        Target::ShadowCube => (TextureShape::Cube, true),
        Target::TwoDMultisample => (TextureShape::D2Ms, false),
        Target::TwoDArrayMultisample => (TextureShape::D2MsArray, false),
        Target::CubeArray => (TextureShape::CubeArray, false),
        Target::ShadowCubeArray => (TextureShape::CubeArray, true),
    }
}

/// As in `GENERIC[2]`; names that have no second one stand alone.
impl fmt::Display for Semantic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let several = matches!(
            self.name,
            SemanticName::Color
                | SemanticName::BackColor
                | SemanticName::Generic
                | SemanticName::TextureCoordinate
                | SemanticName::ClipDistance
                | SemanticName::CullDistance
        );
        match several || self.index > 0 {
            true => write!(f, "{}[{}]", self.name, self.index),
            false => write!(f, "{}", self.name),
        }
    }
}

/// As in `IN[2]` or `GENERIC[2]`.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Attribute(number) => write!(f, "IN[{number}]"),
            Input::Semantic(semantic) => write!(f, "{semantic}"),
        }
    }
}

/// As in `CONST[0][2]`.
impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Param::Constant(bits) => write!(f, "{:?}", bits.map(f32::from_bits)),
            Param::Buffer { buffer, register } => write!(f, "CONST[{buffer}][{register}]"),
            Param::Window => f.write_str("the window's size"),
        }
    }
}
