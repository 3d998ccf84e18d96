//! Programs as bytes and as texts: all forms are the same program.

use attila_shader::front::agal::{self, AgalProgram, Options, Translation};

use super::OPTIONS;

/// Encodes a program, decodes it, prints it and assembles it again.
///
/// # Errors
///
/// The form that is another program.
pub(super) fn check(program: &AgalProgram, translation: &Translation) -> Result<(), String> {
    let bytes = agal::encode(program);
    let decoded = agal::decode(&bytes, &OPTIONS);
    let decoded = decoded.map_err(|error| format!("its bytes are refused: {error}"))?;
    if agal::encode(&decoded) != bytes {
        return Err("its bytes, read, are encoded as others".to_owned());
    }
    let text = agal::disassemble(&decoded);
    if text != agal::disassemble(program) {
        return Err("its bytes, read, are printed in another way".to_owned());
    }
    let options = Options {
        stage: Some(program.stage),
        version: Some(program.version),
        ..OPTIONS
    };
    let assembled = agal::assemble(&text, &options);
    let mut assembled = assembled.map_err(|error| format!("{error}\nin its listing\n{text}"))?;
    // Texts do not have it.
    assembled.has_swapped_version = program.has_swapped_version;
    if agal::encode(&assembled) != bytes {
        return Err(format!("its listing has other bytes:\n{text}"));
    }
    for (form, program) in [("bytes", &decoded), ("listing", &assembled)] {
        let other = agal::translate(program);
        let other = other.map_err(|error| format!("its {form}: {}", error.message))?;
        if !is_same(translation, &other) {
            return Err(format!("its {form} become another program"));
        }
    }
    Ok(())
}

/// Whether two translations are the same, except for the places of their instructions.
fn is_same(one: &Translation, other: &Translation) -> bool {
    one.program.insts() == other.program.insts()
        && one.program.profile() == other.program.profile()
        && one.stage == other.stage
        && one.params == other.params
        && one.inputs == other.inputs
        && one.outputs == other.outputs
        && one.textures == other.textures
        && one.details == other.details
}
