//! Translations as assembly that can be run.

use attila_isa::Stage;

use super::program::{Target, TextureUse};
use super::state::Parameters;
use super::translation::Translation;
use crate::directives::constant_line;
use crate::patterns::Pattern;

impl Translation {
    /// The program as assembly. Comments before it say what its registers are for, and directives
    /// what they hold: constants as `parameters` have them. `attila run` and `attila render` take it.
    pub fn assembly(&self, parameters: &Parameters) -> String {
        format!("{}{}", self.header(parameters), self.program.listing())
    }

    /// What stands before the instructions in [`Translation::assembly`].
    pub fn header(&self, parameters: &Parameters) -> String {
        let mut lines = vec![
            format!("; {}", self.counts()),
            format!(";! stage {}", self.stage),
        ];
        let inputs = self.inputs.iter();
        lines.extend(inputs.map(|(input, n)| format!("; i{n} = {}", input.name(self.stage))));
        let outputs = self.outputs.iter();
        lines.extend(outputs.map(|(output, n)| format!("; o{n} = {output}")));
        lines.extend(self.textures.iter().map(texture_line));
        let constants = self.constants(|param| parameters.value(param));
        for ((index, value), (_, param)) in constants.zip(&self.params) {
            let line = constant_line(index, value.map(f32::to_bits));
            lines.push(match param.is_constant() {
                true => line,
                false => format!("{line} ; {param}"),
            });
        }
        lines.join("\n") + "\n"
    }

    /// What the text uses, and how many instructions there are now.
    fn counts(&self) -> String {
        let used = &self.details.resources;
        let kinds = match self.stage {
            Stage::Vertex => [(used.instructions, "instructions"), (0, ""), (0, "")],
            Stage::Fragment => [
                (used.arithmetic, "arithmetic"),
                (used.texture, "texture"),
                (used.indirections, "indirections"),
            ],
        };
        let registers = [
            (used.temporaries, "temporaries"),
            (used.parameters, "parameters"),
            (used.attributes, "attributes"),
            (used.addresses, "addresses"),
        ];
        let counts = kinds.into_iter().chain(registers);
        let counts = counts.filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts
            .map(|(count, what)| format!("{what} {count}"))
            .collect();
        let (used, length) = (counts.join(", "), self.program.insts().len());
        format!("the text: {used}; ATTILA instructions {length}")
    }
}

/// What is known about a texture unit: a directive where not every 2D image would do.
fn texture_line(texture: &TextureUse) -> String {
    let (unit, word) = (texture.unit, texture.word());
    let wanted = match texture.target {
        Target::TwoD => return format!("; t{unit} = {word}"),
        Target::OneD => "1d".to_owned(),
        Target::ThreeD => "3d".to_owned(),
        Target::Cube => "cube".to_owned(),
        Target::Rectangle => {
            let pattern = Pattern::ALL.get(unit as usize).unwrap_or(&Pattern::White);
            format!("{pattern}, coords=texels")
        }
    };
    format!(";! texture t{unit} = {wanted} ; {word}")
}
