//! Translations as assembly that can be run.

use crate::directives::{Directives, buffer_line, constant_line};
use crate::textures::TextureSetting;
use attila_shader::front::{Constant, Listing, Texture};

/// The program as assembly. Comments before it say what its registers are for, and directives what
/// they hold. `attila run` and `attila render` take it.
pub fn assembly(listing: &Listing) -> String {
    format!("{}{}", header(listing), listing.program.listing())
}

/// The lines before the instructions in [`assembly`].
pub fn header(listing: &Listing) -> String {
    let length = listing.program.insts().len();
    let mut lines = vec![
        format!(
            "; the text: {}; ATTILA instructions {length}",
            listing.counts
        ),
        format!(";! stage {}", listing.program.stage()),
    ];
    if listing.runs_for_samples {
        lines.push(";! sample-shading".to_owned());
    }
    let inputs = listing.inputs.iter();
    lines.extend(inputs.map(|it| {
        let format = it.format.map(|count| format!(" (float{count})"));
        let format = format.unwrap_or_default();
        format!("; i{} = {}{format}", it.register, it.name)
    }));
    let outputs = listing.outputs.iter();
    lines.extend(outputs.map(|(register, name)| format!("; o{register} = {name}")));
    lines.extend(listing.textures.iter().map(texture_line));
    lines.extend(listing.constants.iter().map(named_constant_line));
    let buffers = listing
        .buffers
        .iter()
        .filter(|(_, vectors)| !vectors.is_empty());
    lines.extend(buffers.map(|(number, vectors)| {
        let words: Vec<[u32; 4]> = vectors.iter().map(|it| it.map(f32::to_bits)).collect();
        buffer_line(usize::from(*number), &words)
    }));
    lines.join("\n") + "\n"
}

fn named_constant_line(constant: &Constant) -> String {
    let line = constant_line(constant.register, constant.value.map(f32::to_bits));
    match &constant.name {
        Some(name) => format!("{line} ; {name}"),
        None => line,
    }
}

/// The image that a texture unit needs: a directive where not every 2D image would do.
fn texture_line(texture: &Texture) -> String {
    match TextureSetting::of(texture) {
        Some(setting) => format!(";! texture {setting} ; {}", texture.word),
        None => format!("; t{} = {}", texture.unit, texture.word),
    }
}

/// The same as [`header`], but for the textures.
pub fn directives(listing: &Listing) -> Directives {
    let bits = |value: &[f32; 4]| value.map(f32::to_bits);
    let constants = listing.constants.iter();
    let buffers = listing.buffers.iter();
    let buffers = buffers.filter(|(_, vectors)| !vectors.is_empty());
    Directives {
        stage: Some(listing.program.stage()),
        quads: 1,
        constants: constants.map(|it| (it.register, bits(&it.value))).collect(),
        buffers: buffers
            .map(|(number, vectors)| (usize::from(*number), vectors.iter().map(bits).collect()))
            .collect(),
        ..Directives::default()
    }
}
