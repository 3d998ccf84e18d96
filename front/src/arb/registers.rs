//! Which registers carry inputs and outputs (machine.md 2.4).

use attila_isa::{Bank, Reg};

use super::binding::{Face, Input, Output};
use crate::arb::ArbStage;

/// The vertex input of the first four matrix indices, which have no conventional number.
pub(super) const MATRIX_INDICES: u32 = 6;

/// How many sets of texture coordinates fit between the fog coordinate and the point size.
const TEXTURE_COORDINATES: u32 = 9;

fn texture_coordinate(number: u32) -> Option<u32> {
    (number < TEXTURE_COORDINATES).then(|| 6 + number)
}

/// The register of an input; `None` if there are not that many.
pub(super) fn input(input: Input, stage: ArbStage) -> Option<Reg> {
    let number = match stage {
        ArbStage::Vertex => vertex_input(input)?,
        ArbStage::Fragment => fragment_input(input)?,
    };
    Reg::new(Bank::Input, u16::try_from(number).ok()?)
}

fn vertex_input(input: Input) -> Option<u32> {
    match input {
        Input::Weight(0) => Some(1),
        Input::Weight(_) => None,
        Input::MatrixIndex(0) => Some(MATRIX_INDICES),
        Input::MatrixIndex(_) => None,
        Input::Generic(number) => Some(number),
        Input::Position
        | Input::Normal
        | Input::PrimaryColor
        | Input::SecondaryColor
        | Input::FogCoord
        | Input::TexCoord(_) => input.generic_alias(),
    }
}

fn fragment_input(input: Input) -> Option<u32> {
    match input {
        Input::Position => Some(0),
        Input::PrimaryColor => Some(1),
        Input::SecondaryColor => Some(2),
        Input::FogCoord => Some(5),
        Input::TexCoord(number) => texture_coordinate(number),
        Input::Weight(_) | Input::Normal | Input::MatrixIndex(_) | Input::Generic(_) => None,
    }
}

/// The register of an output; `None` if there are not that many. A depth has no register.
pub(super) fn output(output: Output) -> Option<Reg> {
    let number = match output {
        Output::Position => 0,
        Output::PrimaryColor(Face::Front) => 1,
        Output::Color(number) => number.checked_add(1)?,
        Output::SecondaryColor(Face::Front) => 2,
        Output::PrimaryColor(Face::Back) => 3,
        Output::SecondaryColor(Face::Back) => 4,
        Output::FogCoord => 5,
        Output::TexCoord(number) => texture_coordinate(number)?,
        Output::PointSize => 15,
        Output::Depth => return None,
    };
    Reg::new(Bank::Output, u16::try_from(number).ok()?)
}
