//! The row of AGAL programs among the languages, and the names of their registers.

use attila_isa::{Profile, Slots, Stage};

use super::language::{Input, Param};
use super::sampler::Sampler;
use super::translation::{Translation, compile, of_bytes, of_text};
use super::{ByteFinding, BytesError, Options, is_program, read_bytes, read_text};
use crate::{Constant, LanguageInfo, Listing, ParameterValues, SourceError, Texture};

/// Vertex and fragment programs.
pub(crate) const LANGUAGE: LanguageInfo = LanguageInfo {
    name: "AGAL",
    noun: "an AGAL program",
    // A program may begin with any instruction.
    beginnings: &[],
    recognise: is_program,
    suffix: Some("agal"),
    frame: None,
    compile: |text| compile(text, &Options::default()).map(|it| it.program),
    list,
};

fn list(text: &str, values: &ParameterValues) -> Result<Listing, SourceError> {
    let (program, warnings) = read_text(text, &values.agal)?;
    Ok(Listing {
        warnings,
        ..listing(of_text(&program, text)?, values)
    })
}

/// Compiles a byte program, and says what its registers hold where constants have the values of
/// `values.local`. Remarks on the program come beside the listing, as they have no lines.
///
/// # Errors
///
/// All mistakes in the bytes, with tokens; or the resource of which an ATTILA program has too little.
pub fn list_bytes(
    bytes: &[u8],
    values: &ParameterValues,
) -> Result<(Listing, Vec<ByteFinding>), BytesError> {
    let (program, warnings) = read_bytes(bytes, &values.agal)?;
    Ok((listing(of_bytes(&program)?, values), warnings))
}

/// A translation with the names of its registers.
fn listing(translation: Translation, values: &ParameterValues) -> Listing {
    let value = |param| match param {
        Param::Constant(number) => {
            let value = values.local.get(&number.into());
            value.copied().unwrap_or_default()
        }
        Param::Words(bits) => bits.map(f32::from_bits),
    };
    let details = &translation.details;
    let constants = translation.constants(value).zip(&translation.params);
    let constants = constants.filter_map(|((register, value), (_, param))| match *param {
        Param::Constant(number) => {
            let is_listed = details.constants.contains(&number)
                || details.computes_constants && value != [0.0; 4];
            let letter = if translation.stage == Stage::Vertex {
                'v'
            } else {
                'f'
            };
            let name = Some(format!("{letter}c{number}"));
            is_listed.then_some(Constant {
                register,
                value,
                name,
            })
        }
        Param::Words(_) => Some(Constant {
            register,
            value,
            name: None,
        }),
    });
    let inputs = translation.inputs.iter();
    let outputs = translation.outputs.iter();
    Listing {
        counts: counts(&translation),
        inputs: inputs
            .map(|(it, n)| crate::Input {
                format: format(*it, &translation),
                ..crate::Input::new(*n, it.to_string())
            })
            .collect(),
        outputs: outputs.map(|(it, n)| (*n, it.to_string())).collect(),
        textures: translation.textures.iter().map(texture).collect(),
        constants: constants.collect(),
        declared: Vec::new(),
        buffers: Vec::new(),
        runs_for_samples: false,
        warnings: Vec::new(),
        program: translation.program,
    }
}

/// The components of the smallest format that has all that is read of an attribute.
fn format(input: Input, translation: &Translation) -> Option<usize> {
    let Input::Attribute(number) = input else {
        return None;
    };
    let mut attributes = translation.details.attributes.iter();
    let read = attributes.find(|(it, _)| *it == number);
    let read = read.map_or(Slots::empty(), |(_, read)| *read);
    let last = read.components().last().map_or(0, |it| it.index());
    Some(last + 1)
}

fn texture(sampler: &Sampler) -> Texture {
    Texture {
        unit: sampler.unit.into(),
        shape: sampler.image(),
        word: sampler.to_string(),
        sampler: (!sampler.ignores_state()).then_some(*sampler),
    }
}

/// Facts about the program in a line.
fn counts(translation: &Translation) -> String {
    let details = &translation.details;
    let profile = match translation.program.profile() {
        Profile::Base => "base profile",
        Profile::Extended => "extended profile",
    };
    format!(
        "AGAL {}, tokens {}, {profile}",
        details.version, details.tokens
    )
}
