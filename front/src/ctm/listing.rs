//! The row of `.ctm` programs among the languages, and the names of their registers.

use super::language::Param;
use super::parser::is_program;
use super::program::File;
use super::translation::{compile, of_text};
use super::{Translation, read_text};
use crate::{Constant, Input, LanguageInfo, Listing, ParameterValues, SourceError};

/// Fragment programs.
pub(crate) const LANGUAGE: LanguageInfo = LanguageInfo {
    name: "CTM",
    noun: "a CTM program",
    beginnings: &["rgb", "alpha"],
    recognise: is_program,
    suffix: Some("ctm"),
    frame: None,
    compile: |text| compile(text).map(|it| it.program),
    list,
};

fn list(text: &str, values: &ParameterValues) -> Result<Listing, SourceError> {
    let (program, warnings) = read_text(text)?;
    let translation = of_text(&program, text)?;
    let value = |param| match param {
        Param::Constant(number) => {
            let value = values.local.get(&number.into());
            value.copied().unwrap_or_default()
        }
        Param::Words(bits) => bits.map(f32::from_bits),
    };
    let constants = translation.constants(value);
    let constants = constants.map(|(register, value)| Constant {
        register,
        value,
        name: (register < usize::from(File::Constant.size())).then(|| format!("c{register}")),
    });
    let inputs = translation.inputs.iter();
    let outputs = translation.outputs.iter();
    Ok(Listing {
        counts: counts(&translation),
        inputs: inputs
            .map(|(it, n)| Input::new(*n, it.to_string()))
            .collect(),
        outputs: outputs.map(|(it, n)| (*n, it.to_string())).collect(),
        textures: Vec::new(),
        constants: constants.collect(),
        declared: Vec::new(),
        buffers: Vec::new(),
        runs_for_samples: false,
        warnings,
        program: translation.program,
    })
}

/// Facts about the program in a line.
fn counts(translation: &Translation) -> String {
    let details = &translation.details;
    let folded = match details.folded {
        0 => String::new(),
        folded => format!(", folded {folded}"),
    };
    format!("CTM, lines {}{folded}", details.lines)
}
