//! TGSI: the language in which Mesa hands programs to its drivers.
//!
//! ```text
//! text ──lexer──► tokens ──parser──► statements ──check──► TgsiProgram ──lower──► Translation
//! ```
//!
//! [`parse`] reads a program in any of its dialects, looks its registers up and checks all its rules. It
//! reports several mistakes at once, each with line, column and byte offset. Remarks that keep no program
//! from running are [`TgsiProgram::warnings`]. [`translate`] makes an ATTILA program of a vertex, geometry or fragment
//! program, and says which constants, inputs, outputs and textures that has to be bound to. [`compile`] does
//! both.
//!
//! ```
//! use attila_front::tgsi::{self, Dialect, Options};
//!
//! let program = tgsi::parse(
//!     "FRAG
//!      DCL IN[0], GENERIC[0], PERSPECTIVE
//!      DCL OUT[0], COLOR
//!      DCL SAMP[0]
//!      DCL SVIEW[0], 2D, FLOAT
//!        0: TEX OUT[0], IN[0].xyyy, SAMP[0], 2D
//!        1: END",
//!     &Options::default(),
//! )?;
//! assert_eq!(program.dialect, Dialect::T23);
//! assert_eq!(program.instructions.len(), 2);
//!
//! let text = "FRAG
//!     DCL IN[0], GENERIC[0], PERSPECTIVE
//!     DCL OUT[0], COLOR
//!     DCL CONST[0]
//!     MUL OUT[0], IN[0], CONST[0]
//!     END";
//! let translation = tgsi::compile(text, &Options::default())?;
//! let constants: Vec<_> = translation.constants(|param| [0.5, 1.0, 0.0, 1.0]).collect();
//! assert_eq!(constants, [(0, [0.5, 1.0, 0.0, 1.0])]);
//! assert_eq!(translation.program.insts()[0].to_string(), "mul o1, i10, c0 <- end");
//!
//! let error = tgsi::parse("VERT\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND", &Options::default()).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "3:13: error: `IN[0]` is not declared (write `DCL IN[0]`)"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Dialects
//!
//! The language has changed for a decade, and texts do not say of when they are. [`Dialect`] names three
//! states of it. All of their words may stand in every text. The dialect decides only what the instructions
//! compute that [`Rules`] lists. [`Options::dialect`] chooses it; otherwise the text's words do:
//!
//! * T7, if the text has KIL, KILP, `_SATNV`, or registers of IMMX, TEMPX or PRED;
//! * T23, if it has `_PRECISE`, FMA or another opcode, file or type of numbers that only T23 has;
//! * T10, if it has an opcode that T23 has lost;
//! * otherwise T23, as it also is if marks contradict each other.
//!
//! tgsi.md has what every opcode becomes, registers, limits, and the differences from Mesa.

mod check;
mod dialect;
mod effects;
mod language;
mod lexer;
mod listing;
mod lower;
mod marks;
mod parser;
mod program;
mod registers;
mod syntax;
mod table;
mod translation;
mod words;

#[cfg(test)]
mod tests;

use attila_isa::{Diagnostics, code};

pub use check::MAX_INSTRUCTIONS;
pub use dialect::{
    Dialect, Differences, DoubleTests, Exponents, Extremes, Halves, IfTest, Lighting, Mix, Rules,
    SaturatedNan, SquareRoot, Unwritten,
};
pub use language::{Details, Input, Output, Param, Port, SystemPort, TextureUse, Tgsi};
pub(super) use listing::LANGUAGE;
pub use program::{
    Address, Array, ConstantBuffer, Destination, Flow, Guard, Immediate, Index, Instruction,
    Properties, Register, Routine, Saturation, Semantic, Source, SystemValue, Texture, TgsiProgram,
    Varying, View,
};
pub use table::{
    ALIASES, Feature, Form, OPCODES, OpcodeName, Operand, Reads, Role, TgsiOpcode, TgsiOpcodeInfo,
    Type,
};
pub use translation::{Translation, compile, translate};
pub use words::{
    File, ImmediateType, Interpolation, Location, Origin, PixelCenter, Primitive, Processor,
    PropertyName, ReturnType, SemanticName, Target,
};

use lexer::Lexer;
use parser::Parser;

/// How a text is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The dialect; `None`: the words of the text decide.
    pub dialect: Option<Dialect>,
    /// Whether comments may stand in the text, from `#`, `;` or `//` to the end of a line, and swizzles
    /// may have fewer than four letters. Mesa takes neither.
    pub relaxed: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            dialect: None,
            relaxed: true,
        }
    }
}

/// Why a text is not a program: all mistakes that were found, at least one, and warnings among them.
pub type TgsiError = super::SourceError;

/// The kind of program that `text` would be: its first word tells. Comments may stand before it.
pub fn processor_of(text: &str) -> Option<Processor> {
    Processor::find(Lexer::new(text, true).token.text)
}

/// Reads a program.
///
/// # Errors
///
/// All mistakes in the text, with positions, and its parts that are not supported.
pub fn parse(text: &str, options: &Options) -> Result<TgsiProgram, TgsiError> {
    let mut diagnostics = Diagnostics::default();
    let program = checked(text, options, &mut diagnostics);
    match program {
        Some(program) if !diagnostics.has_errors() => Ok(TgsiProgram {
            warnings: diagnostics.finish(text),
            ..program
        }),
        Some(_) | None => Err(TgsiError {
            diagnostics: diagnostics.finish(text),
        }),
    }
}

fn checked(text: &str, options: &Options, diagnostics: &mut Diagnostics) -> Option<TgsiProgram> {
    let mut parser = Parser::new(text, options.relaxed, diagnostics);
    let (processor, span) = parser.header()?;
    let refused = match processor {
        Processor::TessellationControl | Processor::TessellationEvaluation => {
            Some(Feature::Tessellation)
        }
        Processor::Task | Processor::Mesh => Some(Feature::Meshes),
        Processor::Vertex | Processor::Fragment | Processor::Geometry | Processor::Compute => None,
    };
    if let Some(feature) = refused {
        let message = feature.refusal(processor.word());
        diagnostics.error(attila_isa::Remark::new(span, message).code(&code::text::ABSENT));
        return None;
    }
    let statements = parser.statements();
    Some(check::check(
        processor,
        &statements,
        options,
        text.len(),
        diagnostics,
    ))
}
