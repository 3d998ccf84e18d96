//! From a TGSI program to an ATTILA program and what it has to be bound to.

use attila_isa::{Diagnostics, Remark};

use super::language::Tgsi;
use super::lower::lower;
use super::program::{Flow, TgsiProgram};
use super::{Options, TgsiError, parse};
use crate::back;

/// A TGSI program as an ATTILA program, of the base profile where that has all that it needs.
///
/// Vertex inputs are in the registers of their numbers. Each semantic has a register that is the same in
/// all programs: POSITION 0, COLOR 1 and 2, BCOLOR 3 and 4, FOG 5, TEXCOORD from 6 to 9, GENERIC from 10
/// to 14, then FACE, whose sign is in w, or PSIZE; more of them follow from 16 on. The fragment's colours
/// are in the registers from 1 on, and its depth is exported with ZXP. [`super::Details`] lists
/// the registers of all inputs and outputs.
///
/// The position of a fragment is (x + 0.5, y + 0.5, z, 1/w) in i0, counted from the upper left corner.
/// FS_COORD_ORIGIN and FS_COORD_PIXEL_CENTER are applied to it in the program.
///
/// Constants are read from constant registers; [`super::Param`] names them. A register that the text reads
/// without having written it is 0. Relative addresses beyond a buffer read the constant that is there, or 0.
pub type Translation = back::Translation<Tgsi>;

/// Reads a program and translates it.
///
/// # Errors
///
/// All mistakes in the text, with positions; or the first part of it that cannot be translated.
pub fn compile(text: &str, options: &Options) -> Result<Translation, TgsiError> {
    let program = parse(text, options)?;
    translate(&program, text)
}

/// Translates a program, whose positions are in `text`.
///
/// # Errors
///
/// The first part of the text that cannot be translated: a feature that is not supported yet, or a
/// resource of which an ATTILA program has too little.
pub fn translate(program: &TgsiProgram, text: &str) -> Result<Translation, TgsiError> {
    let translation =
        lower(program, text.len()).and_then(|translation| match endless(program, &translation) {
            Some(remark) => Err(remark),
            None => Ok(translation),
        });
    translation.map_err(|remark| {
        let mut diagnostics = Diagnostics::default();
        diagnostics.error(remark);
        TgsiError {
            diagnostics: diagnostics.finish(text),
        }
    })
}

/// The remark on a program of which no lane comes to an end, at its first loop or jump. ATTILA has no such programs.
fn endless(program: &TgsiProgram, translation: &Translation) -> Option<Remark> {
    let mut instructions = program.instructions.iter();
    let back = instructions.find(|it| matches!(it.flow, Flow::Loop { .. } | Flow::Jump { .. }))?;
    translation.program.clone().validate().err()?;
    let message = "no lane comes to the end of the program";
    let remark = Remark::new(back.span.clone(), message);
    Some(remark.help("BRK leaves a loop, and RET the program"))
}
