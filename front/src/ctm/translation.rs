//! From a program to an ATTILA program and what it has to be bound to.

use attila_isa::Diagnostics;

use super::language::Ctm;
use super::lower::lower;
use super::parse;
use super::program::CtmProgram;
use crate::{SourceError, back};

/// A program as an ATTILA program of the extended profile, for fragments.
///
/// Registers of the text are those of the same number: `t n` is `r n`, and `i n`, `o n` and `c n` keep their
/// names. The constant c256 has the numbers 0, 1, 2 and 0.5. A register that the program reads without having
/// written it is 0.
pub type Translation = back::Translation<Ctm>;

/// Reads a text and translates it.
///
/// # Errors
///
/// All mistakes in the text, with positions; or the resource of which an ATTILA program has too little.
pub fn compile(text: &str) -> Result<Translation, SourceError> {
    of_text(&parse(text)?, text)
}

/// Translates the program of a text.
pub(super) fn of_text(program: &CtmProgram, text: &str) -> Result<Translation, SourceError> {
    lower(program).map_err(|remark| {
        let mut diagnostics = Diagnostics::default();
        diagnostics.error(remark);
        SourceError {
            diagnostics: diagnostics.finish(text),
        }
    })
}
