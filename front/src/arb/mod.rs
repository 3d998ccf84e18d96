//! ARB vertex and fragment programs: the languages of `ARB_vertex_program` and
//! `ARB_fragment_program`.
//!
//! ```text
//! text ──lexer──► tokens ──parser──► statements ──check──► ArbProgram ──lower──► Translation
//! ```
//!
//! [`parse`] reads a program, looks its names up and checks all its rules. It reports several
//! mistakes at once, each with line, column and byte offset. [`translate`] makes an ATTILA program
//! of it, and says which constants, inputs, outputs and textures that program has to be bound to.
//! [`compile`] does both.
//!
//! ```
//! use attila_front::arb::{Profile, self};
//!
//! let program = arb::parse(
//!     "!!ARBfp1.0
//!      TEMP colour;
//!      TEX colour, fragment.texcoord[0], texture[0], 2D;
//!      MUL result.color, colour, fragment.color;
//!      END",
//!     &Profile::default(),
//! )?;
//! assert_eq!(program.instructions.len(), 2);
//!
//! let translation = arb::compile("!!ARBfp1.0\nMUL result.color, fragment.color, program.local[0];\nEND", &Profile::default())?;
//! let constants: Vec<_> = translation.constants(|param| [0.5, 1.0, 0.0, 1.0]).collect();
//! assert_eq!(constants, [(0, [0.5, 1.0, 0.0, 1.0])]);
//! assert_eq!(translation.program.insts()[0].to_string(), "mul o1, i1, c0 <- end");
//! let program = translation.program.validate()?;
//!
//! let error = arb::parse("!!ARBfp1.0\nMOV result.colour, 1;\nEND", &Profile::default()).unwrap_err();
//! assert_eq!(error.position(), 22);
//! assert_eq!(
//!     error.to_string(),
//!     "2:12: error: fragment programs have no binding with `colour` here (did you mean `color`?)"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod binding;
mod bindings;
mod check;
mod language;
mod lexer;
mod listing;
mod lower;
mod matching;
mod names;
mod opcode;
mod operands;
mod options;
mod parser;
mod profile;
mod program;
mod registers;
pub mod state;
mod syntax;
mod translation;

pub use binding::{
    Face, Input, Light, Material, Matrix, Output, Param, Product, State, TexGen, Transform,
};
pub use language::{Arb, Details};
pub(super) use listing::LANGUAGE;
pub use opcode::{ArbOpcode, ArbOpcodeInfo, Form, OPCODES, Stages};
pub use options::{Fog, OptionError, Options, PrecisionHint};
pub use profile::{Limits, MAX_ELEMENTS, Profile, Resources};
pub use program::{
    ArbProgram, Destination, Instruction, Named, ParamArray, ResultRegister, Select, Source,
    SourceRegister, Target, TextureUse,
};
mod stage;
pub use stage::ArbStage;
pub use state::{FixedState, Parameters};
pub use translation::{Translation, compile, translate};

/// The tables of the languages, for those who write texts.
pub mod tables {

    use super::ArbStage;
    use super::options::Options;
    use super::profile::Profile;
    use super::program::TextureUse;

    /// The patterns of all bindings of programs of `stage`, and what each one's index is below.
    pub fn patterns(
        stage: ArbStage,
        profile: &Profile,
    ) -> impl Iterator<Item = (&'static str, u32)> {
        let rows = super::bindings::BINDINGS.iter();
        let rows = rows.filter(move |row| row.stages.has(stage));
        rows.map(|row| (row.pattern, (row.limit)(profile)))
    }

    /// The names of the options of programs of `stage`.
    pub fn options(stage: ArbStage) -> impl Iterator<Item = &'static str> {
        Options::names(stage)
    }

    /// The words of texture targets.
    pub fn targets() -> impl Iterator<Item = &'static str> {
        TextureUse::words()
    }
}

use attila_isa::text::beginning;
use attila_isa::{Diagnostics, Remark, code};

use check::Checker;
use parser::Parser;

#[cfg(test)]
mod tests;

/// The words that programs begin with.
const HEADERS: [(&str, ArbStage); 2] = [
    ("!!ARBvp1.0", ArbStage::Vertex),
    ("!!ARBfp1.0", ArbStage::Fragment),
];

/// Why a text is not a program: all mistakes that were found, at least one.
pub type ArbError = super::SourceError;

/// The stage that `text` would be for, if it is a program: its first bytes tell, after a byte order mark.
pub fn stage_of(text: &str) -> Option<ArbStage> {
    let text = &text[beginning(text)..];
    let mut headers = HEADERS.into_iter();
    let found = headers.find(|(header, _)| text.starts_with(header));
    found.map(|(_, stage)| stage)
}

/// Reads a program of either language.
///
/// # Errors
///
/// All that is wrong with the text, with positions.
pub fn parse(text: &str, profile: &Profile) -> Result<ArbProgram, ArbError> {
    let mut diagnostics = Diagnostics::default();
    let program = match stage_of(text) {
        Some(stage) => Some(parse_stage(text, stage, profile, &mut diagnostics)),
        None => {
            let message = "a program begins with `!!ARBvp1.0` or `!!ARBfp1.0`";
            let line = text.lines().next().unwrap_or("");
            let remark = Remark::new(0..line.len(), message).code(&code::text::EXPECTED);
            diagnostics.error(remark.help("nothing may stand before it, not even a blank"));
            None
        }
    };
    match program {
        Some(program) if !diagnostics.has_errors() => Ok(program),
        _ => Err(ArbError {
            diagnostics: diagnostics.finish(text),
        }),
    }
}

fn parse_stage(
    text: &str,
    stage: ArbStage,
    profile: &Profile,
    diagnostics: &mut Diagnostics,
) -> ArbProgram {
    // Both headers have the same length.
    let start = beginning(text) + HEADERS[0].0.len();
    let mut broken_rules = Diagnostics::default();
    let mut checker = Checker::new(stage, profile, &mut broken_rules);
    let parser = Parser::new(text, start, stage, diagnostics);
    parser.program(|statement| checker.statement(statement));
    let program = checker.program(text.len());
    diagnostics.append(broken_rules);
    program
}
