//! Translations as assembly that can be run.

use std::fmt::Write;

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

    /// What the text uses, in words.
    fn counts(&self) -> String {
        let used = &self.resources;
        let mut text = match self.stage {
            Stage::Vertex => format!("!!ARBvp1.0: {} instructions", used.instructions),
            Stage::Fragment => format!(
                "!!ARBfp1.0: {} arithmetic and {} texture instructions, {} texture indirections",
                used.arithmetic, used.texture, used.indirections
            ),
        };
        let counts = [
            (used.temporaries, "temporaries"),
            (used.parameters, "parameters"),
            (used.attributes, "attributes"),
            (used.addresses, "address registers"),
        ];
        for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
            write!(text, ", {count} {what}").expect("strings take everything");
        }
        write!(text, "; as ATTILA {}", self.program.insts().len())
            .expect("strings take everything");
        text
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
