//! Translations as assembly that can be run.

use crate::directives::{buffer_line, constant_line};
use attila_shader::front::{Constant, Listing, Texture};
use attila_shader::isa::TextureShape;
use attila_shader::texture::Pattern;

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
    lines.extend(inputs.map(|(register, name)| format!("; i{register} = {name}")));
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
    let Texture {
        unit,
        shape,
        word,
        options,
    } = texture;
    let pattern = Pattern::ALL.get(*unit as usize).unwrap_or(&Pattern::White);
    let wanted = match shape {
        TextureShape::D2 if !options.is_empty() => format!("{pattern}, {}", options.join(", ")),
        TextureShape::D1 => "1d".to_owned(),
        TextureShape::D3 => "3d".to_owned(),
        TextureShape::Cube => "cube".to_owned(),
        TextureShape::Rect => format!("{pattern}, coords=texels"),
        TextureShape::D2
        | TextureShape::Buffer
        | TextureShape::D1Array
        | TextureShape::D2Array
        | TextureShape::CubeArray
        | TextureShape::D2Ms
        | TextureShape::D2MsArray => return format!("; t{unit} = {word}"),
    };
    format!(";! texture t{unit} = {wanted} ; {word}")
}
