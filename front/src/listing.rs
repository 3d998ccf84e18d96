//! Translations from any language, with the names that their registers have in the text.

use attila_isa::{Diagnostic, Program, TextureShape};

/// A program, and what its registers hold.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Listing {
    /// The program.
    pub program: Program,
    /// Counts of what the text uses, such as `texture 3, temporaries 1`.
    pub counts: String,
    /// The input registers that are read, and their names in the text.
    pub inputs: Vec<(u8, String)>,
    /// The output registers that are written, and their names in the text.
    pub outputs: Vec<(u8, String)>,
    /// The textures that are sampled.
    pub textures: Vec<Texture>,
    /// The constant registers, ascending.
    pub constants: Vec<Constant>,
    /// The constant buffers that are read, ascending, with the vectors that have values.
    pub buffers: Vec<(u8, Vec<[f32; 4]>)>,
    /// Whether a draw has to run the program for each sample of a pixel.
    pub runs_for_samples: bool,
    /// Remarks on the text that do not keep it from running.
    pub warnings: Vec<Diagnostic>,
}

/// A constant register.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Constant {
    /// Its number.
    pub register: usize,
    /// Its value.
    pub value: [f32; 4],
    /// The parameter's name in the text; `None` for constants of the text.
    pub name: Option<String>,
}

/// A texture unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Texture {
    /// Its number.
    pub unit: u32,
    /// The kind of its image.
    pub shape: TextureShape,
    /// Its target as the text has it.
    pub word: String,
    /// The sampler's state, if the text gives it: options of `;! texture` comments.
    pub options: Vec<String>,
}
