//! AGAL programs: the language of Flash's Stage3D, as bytes and as text.
//!
//! ```text
//! bytes ──decode──┐
//!                 ├─► AgalProgram ──check──lower──► Translation
//! text ──assemble─┘
//! ```
//!
//! [`decode`] reads a byte program, [`assemble`] the text of the mini-assembler. Both report several
//! mistakes at once: with token and byte, or with line and column, and with the number of the error that
//! Flash reports where it is known. [`encode`] and [`disassemble`] are the ways back. [`translate`] makes
//! an ATTILA program; [`compile`] and [`compile_bytes`] do both.
//!
//! ```
//! use attila_front::agal::{self, Options};
//!
//! let text = "m44 op, va0, vc0\nmov v0, va1";
//! let program = agal::assemble(text, &Options::default())?;
//! let bytes = agal::encode(&program);
//! assert_eq!(bytes.len(), 7 + 2 * 24);
//! assert_eq!(agal::disassemble(&agal::decode(&bytes, &Options::default())?), format!("{text}\n"));
//!
//! let translation = agal::compile("mul oc, v0, fc3", &Options::default())?;
//! let constants: Vec<_> = translation.constants(|_| [0.5; 4]).collect();
//! assert_eq!(constants[3], (3, [0.5; 4]));
//! assert_eq!(translation.program.insts()[0].to_string(), "mul o1, i1, c3 <- end");
//!
//! let error = agal::compile("mov oc, v0\nmvo ft0, v0", &Options::default()).unwrap_err();
//! assert_eq!(error.to_string(), "2:1: error: unknown opcode `mvo` (did you mean `mov`?)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod check;
mod finding;
mod language;
mod listing;
mod lower;
mod opcode;
mod program;
mod registers;
mod sampler;
mod strict;
mod text;
mod translation;

use attila_isa::{Diagnostic, Diagnostics, Remark, Severity, Stage};

use super::SourceError;

pub use bytes::{MAGIC, encode};
pub use finding::{ByteFinding, BytesError};
pub use language::{Agal, Details, Input, Output, Param};
pub(super) use listing::LANGUAGE;
pub use listing::list_bytes;
pub use opcode::{AgalOpcode, AgalOpcodeInfo, Form, OPCODES, Reads, Stages};
pub use program::{AgalProgram, Destination, File, Location, Register, Source, Token, Version};
pub use sampler::{BIAS_STEPS, Sampler};
pub use text::{disassemble, is_program, stage_of};
pub use translation::{Translation, compile, compile_bytes, translate};

#[cfg(test)]
mod tests;
#[cfg(test)]
mod ways_back;

/// How programs are read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// The stage; `None`: the one whose registers a text names first. Bytes say it themselves, and programs of
    /// another stage are refused.
    pub stage: Option<Stage>,
    /// The version of texts; `None`: the first one that has all instructions and registers of the text.
    pub version: Option<Version>,
    /// Whether all that Flash refuses is an error. Without, a warning does where the program can be run.
    pub strict: bool,
}

/// Reads a byte program.
///
/// # Errors
///
/// All that is wrong with it, with tokens and bytes.
pub fn decode(bytes: &[u8], options: &Options) -> Result<AgalProgram, BytesError> {
    read_bytes(bytes, options).map(|(program, _)| program)
}

/// Reads a text.
///
/// # Errors
///
/// All that is wrong with it, with positions.
pub fn assemble(text: &str, options: &Options) -> Result<AgalProgram, SourceError> {
    read_text(text, options).map(|(program, _)| program)
}

/// Remarks on a byte program that do not keep it from being one.
pub fn byte_warnings(bytes: &[u8], options: &Options) -> Vec<ByteFinding> {
    read_bytes(bytes, options).map_or_else(|_| Vec::new(), |(_, warnings)| warnings)
}

/// Reads a byte program, and remarks on it.
fn read_bytes(
    bytes: &[u8],
    options: &Options,
) -> Result<(AgalProgram, Vec<ByteFinding>), BytesError> {
    let mut error = BytesError::default();
    let program = bytes::read(bytes, &mut error);
    if let Some(program) = &program {
        bytes::check_stage(program, options.stage, &mut error);
        check(program, options, &mut error);
    }
    match program {
        Some(program) if !finding::Findings::has_errors(&error) => {
            Ok((program, error.sorted().findings))
        }
        Some(_) | None => Err(error.sorted()),
    }
}

/// Reads a text, and remarks on it.
fn read_text(text: &str, options: &Options) -> Result<(AgalProgram, Vec<Diagnostic>), SourceError> {
    let mut diagnostics = Diagnostics::default();
    let Some(stage) = options.stage.or_else(|| stage_of(text)) else {
        let message = "no register says whether this is a vertex or a fragment program";
        diagnostics.error(Remark::new(0..0, message));
        return Err(finding::in_text(diagnostics, text));
    };
    let program = text::read(text, stage, options.version, &mut diagnostics);
    check(&program, options, &mut diagnostics);
    match diagnostics.has_errors() {
        true => Err(finding::in_text(diagnostics, text)),
        false => Ok((program, diagnostics.finish(text))),
    }
}

fn check(program: &AgalProgram, options: &Options, findings: &mut impl finding::Findings) {
    check::check(program, findings);
    if options.strict {
        strict::check(program, Severity::Error, findings);
    } else if !findings.has_errors() {
        strict::check(program, Severity::Warning, findings);
    }
}
