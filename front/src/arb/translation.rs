//! From an ARB program to an ATTILA program and what it has to be bound to.

use attila_isa::Diagnostics;

use super::ArbError;
use super::language::Arb;
use super::lower::lower;
use super::parse;
use super::profile::Profile;
use super::program::ArbProgram;
use crate::back;

/// An ARB program as an ATTILA program.
///
/// Inputs and outputs are in the registers that ATTILA's own driver chose. Vertex inputs are numbered
/// like generic attributes, with texture coordinates from i8 on. Vertex outputs and fragment inputs are
/// position 0, primary and secondary colour 1 and 2, those of the back 3 and 4, fog coordinate 5 and
/// texture coordinates from 6 on; the point size is o15. The fragment's colour is o1, and its depth is
/// exported with ZXP.
///
/// A register that the text reads without having written it is 0. Addresses beyond their array read
/// the constant that is there, or 0.
pub type Translation = back::Translation<Arb>;

/// Reads a program of either language and translates it.
///
/// # Errors
///
/// All mistakes in the text, with positions; or the resource of which an ATTILA program has too
/// little.
pub fn compile(text: &str, profile: &Profile) -> Result<Translation, ArbError> {
    let program = parse(text, profile)?;
    translate(&program, text)
}

/// Translates a program, whose positions are in `text`.
///
/// # Errors
///
/// The resource of which an ATTILA program has too little.
pub fn translate(program: &ArbProgram, text: &str) -> Result<Translation, ArbError> {
    lower(program, text.len()).map_err(|remark| {
        let mut diagnostics = Diagnostics::default();
        diagnostics.error(remark);
        ArbError {
            diagnostics: diagnostics.finish(text),
        }
    })
}
