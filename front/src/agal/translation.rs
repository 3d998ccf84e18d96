//! From an AGAL program to an ATTILA program and what it has to be bound to.

use attila_isa::{Diagnostics, Remark, Severity};

use super::finding::{BytesError, Finding, Findings};
use super::language::Agal;
use super::lower::lower;
use super::program::AgalProgram;
use super::{Options, assemble, decode};
use crate::{SourceError, back};

/// An AGAL program as an ATTILA program, of the base profile where that has all that it needs.
///
/// Attribute `va n` is in input n, constant `vc n` or `fc n` in constant register n. Varying `v n` is
/// output 1 + n of the vertex and input 1 + n of the fragment program. `op` is output 0, colour `oc n`
/// output 1 + n, and `od` is exported with ZXP.
///
/// A register that the program reads without having written it is 0. Computed constants beyond those of
/// the version are 0.
pub type Translation = back::Translation<Agal>;

/// Reads a text and translates it.
///
/// # Errors
///
/// All mistakes in the text, with positions; or the resource of which an ATTILA program has too little.
pub fn compile(text: &str, options: &Options) -> Result<Translation, SourceError> {
    of_text(&assemble(text, options)?, text)
}

/// Translates the program of a text.
pub(super) fn of_text(program: &AgalProgram, text: &str) -> Result<Translation, SourceError> {
    lower(program).map_err(|remark| {
        let mut diagnostics = Diagnostics::default();
        diagnostics.error(remark);
        super::finding::in_text(diagnostics, text)
    })
}

/// Reads a byte program and translates it.
///
/// # Errors
///
/// All mistakes in the bytes, with tokens; or the resource of which an ATTILA program has too little.
pub fn compile_bytes(bytes: &[u8], options: &Options) -> Result<Translation, BytesError> {
    of_bytes(&decode(bytes, options)?)
}

/// Translates the program of bytes.
pub(super) fn of_bytes(program: &AgalProgram) -> Result<Translation, BytesError> {
    lower(program).map_err(|remark| {
        let mut error = BytesError::default();
        let number = None;
        error.add(Severity::Error, Finding { remark, number });
        error
    })
}

/// Translates a program, whose places are those of its text or its bytes.
///
/// # Errors
///
/// The first mistake in a program that [`decode`] and [`assemble`] would not return, or the resource of
/// which an ATTILA program has too little.
pub fn translate(program: &AgalProgram) -> Result<Translation, Remark> {
    let mut error = BytesError::default();
    super::check::check(program, &mut error);
    match error.first() {
        Some(first) => Err(Remark::new(first.span.clone(), first.message.clone())),
        None => lower(program),
    }
}
