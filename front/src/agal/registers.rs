//! Which of ATTILA's registers carry those of AGAL.
//!
//! Attributes are in the inputs and constants in the constant registers of their numbers. Varyings are in
//! outputs and inputs from 1 on, and so are the colours of fragments. The position is output 0.

use attila_isa::{BASE_INPUTS, BASE_OUTPUTS, Bank, CONSTANTS, INSTANCE_ID, Profile, Reg, Stage};

use super::language::{Input, Output};
use super::program::{File, Register};

/// Texture units.
pub(super) const UNITS: u16 = Profile::Base.texture_units() as u16;

/// The register of an input; `None` if there are not that many.
pub(super) fn input(input: Input) -> Option<Reg> {
    let number = match input {
        Input::Attribute(number) => number,
        Input::Varying(number) => number.checked_add(1)?,
        Input::Instance => return Reg::within(Profile::Extended, Bank::Input, INSTANCE_ID as u16),
    };
    let number = Some(number).filter(|number| usize::from(*number) < BASE_INPUTS)?;
    Reg::new(Bank::Input, number)
}

/// The register of an output; `None` if there are not that many. Depth is exported instead.
pub(super) fn output(output: Output) -> Option<Reg> {
    let number = match output {
        Output::Position => 0,
        Output::Varying(number) | Output::Color(number) => number.checked_add(1)?,
    };
    let number = Some(number).filter(|number| usize::from(*number) < BASE_OUTPUTS)?;
    Reg::new(Bank::Output, number)
}

/// Whether an output or a varying of the stage has a register.
pub(super) fn has_output(register: Register, stage: Stage) -> bool {
    output(match (register.file, stage) {
        (File::Varying, _) => Output::Varying(register.number),
        (_, Stage::Fragment) => Output::Color(register.number),
        (_, Stage::Vertex | Stage::Geometry | Stage::Compute) => Output::Position,
    })
    .is_some()
}

/// Whether a register that is read has a place. Temporaries have one of their own.
pub(super) fn has_source(register: Register, stage: Stage) -> bool {
    match register.file {
        File::Attribute => input(Input::Attribute(register.number)).is_some(),
        File::Varying if stage == Stage::Vertex => has_output(register, stage),
        File::Varying => input(Input::Varying(register.number)).is_some(),
        File::Constant => usize::from(register.number) < CONSTANTS,
        File::Temporary => true,
        File::Output | File::Sampler | File::Depth | File::Instance => false,
    }
}
