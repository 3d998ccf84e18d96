//! Linkage: outputs of a draw's programs that are inputs of the next one.

use attila_shader::draw::{Interpolation, Varying};
use attila_shader::front::tgsi::{self, Input, Semantic, SemanticName, Tgsi};
use attila_shader::isa::Slots;
use attila_shader::texture::Textures;

use super::draw::DEFAULT;
use crate::script_test::error::Fault;
use crate::script_test::program::{Misfit, Program};

/// Checks that the fragment program fits the one before it, and both the textures.
pub(super) fn check(
    fragment: &Program<Tgsi>,
    before: &Program<Tgsi>,
    textures: &Textures,
) -> Result<(), Misfit> {
    fragment.check(before, varying, needs, textures)
}

/// The sources of the inputs that vertices give. What `last` does not write has values of its own.
pub(super) fn varyings(
    fragment: &Program<Tgsi>,
    last: &Program<Tgsi>,
) -> Vec<(usize, Varying<'static>)> {
    let inputs = fragment.translation.inputs.iter();
    let varyings = inputs.filter_map(|(input, register)| {
        let register = usize::from(*register);
        let Input::Semantic(Semantic { name, .. }) = *input else {
            return None;
        };
        if [SemanticName::Position, SemanticName::Face].contains(&name) {
            return None;
        }
        match last.usage().writes_output(register) {
            true => Some((register, interpolated(fragment, register))),
            // The draw numbers triangles by itself.
            false if name == SemanticName::PrimitiveId => None,
            false => Some((register, Varying::flat(DEFAULT.map(f32::from_bits)))),
        }
    });
    varyings.collect()
}

/// An input of vertices with the interpolation that the text declares.
fn interpolated(fragment: &Program<Tgsi>, register: usize) -> Varying<'static> {
    let ports = fragment.translation.details.inputs.iter();
    let ports = ports.filter(|port| port.register.map(usize::from) == Some(register));
    let kind = match ports.clone().find_map(|port| port.varying.interpolation) {
        Some(tgsi::Interpolation::Constant) => Interpolation::Flat,
        Some(tgsi::Interpolation::Linear) => Interpolation::Linear,
        Some(tgsi::Interpolation::Perspective | tgsi::Interpolation::Color) | None => {
            Interpolation::Perspective
        }
    };
    let wraps = ports.map(|port| port.varying.wraps).collect();
    Varying::vertices(kind).cylindrical(wraps)
}

/// Outputs without an effect that no draw needs: points have their size, and triangles are filled.
const UNNEEDED: [SemanticName; 2] = [SemanticName::PointSize, SemanticName::EdgeFlag];

/// Checks that a program has no output that a draw would have to act on and does not.
pub(super) fn check_outputs(program: &Program<Tgsi>) -> Result<(), Fault> {
    let translation = &program.translation;
    let mut all = translation.details.without_effect();
    let missing = all.find(|(semantic, _)| {
        let mut written = translation.outputs.iter();
        !UNNEEDED.contains(&semantic.name) && written.any(|(output, _)| output == semantic)
    });
    missing.map_or(Ok(()), |(output, reason)| {
        let stage = translation.stage;
        let what = format!("the {stage} program writes {output}, which has no effect");
        Err(format!("{what}: {reason}").into())
    })
}

/// Semantics of fragment inputs that only the program before can give.
const VARYINGS: [SemanticName; 4] = [
    SemanticName::Color,
    SemanticName::Fog,
    SemanticName::Generic,
    SemanticName::TextureCoordinate,
];

/// The name of an input that is a varying.
fn varying(input: Input) -> Option<String> {
    match input {
        Input::Semantic(semantic) if VARYINGS.contains(&semantic.name) => {
            Some(semantic.to_string())
        }
        Input::Semantic(_) | Input::Attribute(_) => None,
    }
}

/// The components of a varying that have to be written. Those of colours and of fog have values of their own.
fn needs(input: Input, [read, written]: [Slots; 2]) -> Slots {
    let has_defaults = match input {
        Input::Semantic(semantic) => {
            matches!(semantic.name, SemanticName::Color | SemanticName::Fog)
        }
        Input::Attribute(_) => false,
    };
    match has_defaults && !written.is_empty() {
        true => Slots::empty(),
        false => read,
    }
}
