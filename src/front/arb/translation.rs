//! From an ARB program to an ATTILA program and what it has to be bound to.

use attila_isa::{Diagnostics, Program, Stage};

use super::ArbError;
use super::binding::{Input, Output, Param};
use super::lower::lower;
use super::options::Options;
use super::parse;
use super::profile::{Profile, Resources};
use super::program::{ArbProgram, TextureUse};

/// An ARB program as an ATTILA program.
///
/// The registers that carry what goes in and out are those of ATTILA's own driver: vertex inputs
/// are numbered like generic attributes (texture coordinates from i8 on); vertex outputs and
/// fragment inputs are position 0, primary and secondary colour 1 and 2, those of the back 3 and 4,
/// fog coordinate 5, texture coordinates from 6 on, point size o15; the fragment's colour is o1. A
/// depth is exported with ZXP.
///
/// What the text reads without having written it is 0. Addresses beyond their array read whatever
/// constant is there, or 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Translation {
    /// What it shades.
    pub stage: Stage,
    /// What it has turned on.
    pub options: Options,
    /// The instructions. Each knows its place in the text.
    pub program: Program,
    /// What the constant registers hold, ascending. Constants of the text that are read only in part
    /// share registers.
    pub params: Vec<(u32, Param)>,
    /// The input registers that are read, ascending.
    pub inputs: Vec<(Input, u8)>,
    /// The output registers that are written, ascending.
    pub outputs: Vec<(Output, u8)>,
    /// The target of each texture unit that is sampled.
    pub textures: Vec<TextureUse>,
    /// What the text uses, as `GL_PROGRAM_*_ARB` would say.
    pub resources: Resources,
}

/// Reads a program of either language and translates it.
///
/// # Errors
///
/// All that is wrong with the text, with positions; or what there is not enough of in an ATTILA
/// program.
pub fn compile(text: &str, profile: &Profile) -> Result<Translation, ArbError> {
    let program = parse(text, profile)?;
    translate(&program, text)
}

/// Translates a program, whose positions are in `text`.
///
/// # Errors
///
/// What there is not enough of in an ATTILA program.
pub fn translate(program: &ArbProgram, text: &str) -> Result<Translation, ArbError> {
    lower(program, text.len()).map_err(|remark| {
        let mut diagnostics = Diagnostics::default();
        diagnostics.error(remark);
        ArbError {
            diagnostics: diagnostics.finish(text),
        }
    })
}

impl Translation {
    /// The constant registers and their values, where `value` knows the parameters: all but the
    /// constants of the text, which are known here.
    pub fn constants(
        &self,
        mut value: impl FnMut(Param) -> [f32; 4],
    ) -> impl Iterator<Item = (usize, [f32; 4])> {
        self.params.iter().map(move |&(register, param)| {
            let value = match param {
                Param::Constant(bits) => bits.map(f32::from_bits),
                Param::Env(_) | Param::Local(_) | Param::State(_) | Param::Window => value(param),
            };
            (register as usize, value)
        })
    }
}
