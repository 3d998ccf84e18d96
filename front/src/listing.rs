//! Translations from any language, with the names that their registers have in the text.

use attila_isa::{Bank, Diagnostic, Profile, Program, Reg, TextureShape};

use crate::agal::Sampler;
use crate::back::{Language, Translation};

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
    /// The names that the text declares for what its program reads, and for constants.
    pub declared: Vec<Declared>,
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

/// A name that a text declares.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Declared {
    /// The name, such as `tint`, or `m[2]` for an element of an array.
    pub name: String,
    /// The register that holds it; `None` for a constant of the text, which nothing may change.
    pub register: Option<Reg>,
}

impl Declared {
    /// A name for an input, if that is read.
    pub(crate) fn input<L: Language>(
        name: String,
        input: L::Input,
        translation: &Translation<L>,
    ) -> Option<Declared> {
        let mut inputs = translation.inputs.iter();
        let (_, number) = inputs.find(|(it, _)| *it == input)?;
        let register = Reg::within(Profile::Extended, Bank::Input, (*number).into());
        Some(Declared { name, register })
    }

    /// A name for a constant, or for a parameter if that is read.
    pub(crate) fn param<L: Language>(
        name: String,
        param: L::Param,
        translation: &Translation<L>,
    ) -> Option<Declared> {
        let mut register = None;
        if L::bits(param).is_none() {
            let mut params = translation.params.iter();
            let (number, _) = params.find(|(_, it)| *it == param)?;
            register = Reg::within(Profile::Extended, Bank::Constant, *number as u16);
        }
        Some(Declared { name, register })
    }
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
