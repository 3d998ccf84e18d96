//! Programs of ATI's CTM: the instructions of its arithmetic unit, as text.
//!
//! ```text
//! text ──lexer──► tokens ──parser──► CtmProgram ──check──lower──► Translation
//! ```
//!
//! A line has a half for r, g and b, a half for a, or both; both read what registers held before the line.
//! [`parse`] reads a program and checks the hardware's rules. It reports several mistakes at once, each with
//! line and column. [`compile`] makes an ATTILA program, too.
//!
//! The translation does not go through [`back`](crate::back). There is nothing to give out: temporaries of the
//! text have registers of their own numbers, and the translation has four more. And the instructions are part of
//! the language, half by half, so that no pass may remove or change them: a half is one instruction whose word
//! can be told from the text. Only multiplications by a power of two are folded into modifiers, where each bit
//! stays the same.
//!
//! ```
//! use attila_front::ctm;
//!
//! let translation = ctm::compile("rgb mad.x2.sat o1 = i1, c0, c1 ; alpha rcp o1 = abs(i1.r)")?;
//! let listing = translation.program.to_string();
//! assert_eq!(
//!     listing,
//!     ".extended fragment\nmad_x2_sat o1.xyz, i1, c0, c1\nrcp_canon o1.w, |i1.x|\nend\n"
//! );
//!
//! let error = ctm::compile("rgb mad.raw t0 = i0, i1, 0\nalpha rpc t0 = i0").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "1:5: error: `mad` cannot be raw (`raw` keeps the bits of min, max, cnd and cmp)\n\
//!      2:7: error: unknown operation `rpc` (did you mean `rcp`?)"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod language;
mod lexer;
mod listing;
mod lower;
mod opcode;
mod operands;
mod parser;
mod program;
mod registers;
mod statements;
mod translation;

#[cfg(test)]
mod tests;

use attila_isa::{Diagnostic, Diagnostics};

use super::SourceError;

pub use language::{Ctm, Details, Input, NoTexture, Output, Param};
pub(super) use listing::LANGUAGE;
pub use opcode::{CtmOpcode, CtmOpcodeInfo, OPCODES, Units};
pub use parser::is_program;
pub use program::{
    CtmProgram, Destination, File, Half, Line, Presubtract, Register, Select, Source, Unit, Value,
};
pub use translation::{Translation, compile};

/// Reads a text.
///
/// # Errors
///
/// All that is wrong with it, with positions.
pub fn parse(text: &str) -> Result<CtmProgram, SourceError> {
    read_text(text).map(|(program, _)| program)
}

/// Reads a text, and remarks on it.
fn read_text(text: &str) -> Result<(CtmProgram, Vec<Diagnostic>), SourceError> {
    let mut diagnostics = Diagnostics::default();
    let (program, complete) = parser::read(text, &mut diagnostics);
    check::check(&program, &complete, &mut diagnostics);
    match diagnostics.has_errors() {
        true => Err(SourceError {
            diagnostics: diagnostics.finish(text),
        }),
        false => Ok((program, diagnostics.finish(text))),
    }
}
