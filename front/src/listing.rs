//! Translations from any language, with the names that their registers have in the text.

use attila_isa::{Diagnostic, Program, TextureShape};

use crate::agal::Sampler;

/// A program, and what its registers hold.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Listing {
    /// The program.
    pub program: Program,
    /// Counts of what the text uses, such as `texture 3, temporaries 1`.
    pub counts: String,
    /// The input registers that are read.
    pub inputs: Vec<Input>,
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

/// An input register.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Input {
    /// Its number.
    pub register: u8,
    /// Its name in the text.
    pub name: String,
    /// The components of the smallest vertex format that has all that is read, if the text's language has formats.
    pub format: Option<usize>,
}

impl Input {
    /// An input without a format.
    pub(crate) fn new(register: u8, name: String) -> Input {
        Input {
            register,
            name,
            format: None,
        }
    }
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
#[non_exhaustive]
pub struct Texture {
    /// Its number.
    pub unit: u32,
    /// The kind of its image.
    pub shape: TextureShape,
    /// Its target as the text has it.
    pub word: String,
    /// The sampler's state, if the text gives it.
    pub sampler: Option<Sampler>,
}
