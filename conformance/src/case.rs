//! [`Case`]: a program and everything that it runs on.

use std::collections::BTreeMap;
use std::fmt::Write;

use attila_shader::isa::{AsmError, Inst, Program, Stage, ValidProgram, ValidateError};
use attila_shader::machine::{Bindings, DEFAULT_FIXED_BITS, DEFAULT_LOOP_BUDGET, QuadState};
use thiserror::Error;

use crate::directives::{self, DirectiveError, Directives};

/// A program and everything that it runs on. Textures and attributes are not part of it: they
/// always give the same answer to the same question.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// The program, and with it the stage.
    pub program: ValidProgram,
    /// The constants that are not 0.
    pub constants: BTreeMap<usize, [u32; 4]>,
    /// The quads as they are before the run. Runs in which registers start at 0 use the inputs
    /// only, and the results as something that must be overwritten or left alone.
    pub quads: Vec<QuadState>,
    /// Backward jumps that a lane may take.
    pub loop_budget: u32,
    /// Fraction bits of fixed-point inputs.
    pub fixed_bits: u32,
}

impl Case {
    /// The constants and limits, without textures and attributes.
    pub fn bindings(&self) -> Bindings<'static> {
        let mut bindings = Bindings::new()
            .with_loop_budget(self.loop_budget)
            .with_fixed_bits(self.fixed_bits);
        for (&index, &value) in &self.constants {
            bindings.set_constant_bits(index, value);
        }
        bindings
    }

    /// The same case with other instructions; `None` if those are not a valid program, or if
    /// their results would depend on the payload of a NaN.
    pub(crate) fn with_insts(&self, insts: Vec<Inst>) -> Option<Case> {
        let program = Program::new(insts).ok()?.with_stage(self.stage());
        let flow = super::payload::NanFlow::new(&program);
        if flow.first_dependent(&program).is_some() {
            return None;
        }
        Some(Case {
            program: program.validate().ok()?,
            ..self.clone()
        })
    }

    /// What the program shades.
    pub fn stage(&self) -> Stage {
        self.program.program().stage()
    }

    /// The instructions.
    pub fn insts(&self) -> &[Inst] {
        self.program.program().insts()
    }
}

impl Case {
    /// The case as an assembly text with directives. The first line is a comment with `note`.
    pub fn to_text(&self, note: &str) -> String {
        let mut text = String::new();
        for line in note.lines() {
            let _ = writeln!(text, "; {line}");
        }
        let _ = writeln!(text, ";! stage {}", self.stage());
        if self.loop_budget != DEFAULT_LOOP_BUDGET {
            let _ = writeln!(text, ";! loop-budget {}", self.loop_budget);
        }
        if self.fixed_bits != DEFAULT_FIXED_BITS {
            let _ = writeln!(text, ";! fixed-bits {}", self.fixed_bits);
        }
        for (&index, &value) in self.constants.iter().filter(|(_, value)| **value != [0; 4]) {
            let _ = writeln!(text, "{}", directives::constant_line(index, value));
        }
        for line in directives::start_lines(&self.quads) {
            let _ = writeln!(text, "{line}");
        }
        let _ = write!(text, "{}", self.program.program());
        text
    }

    /// Reads an assembly text with directives. What the directives expect is in the second part.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text.
    pub fn from_text(text: &str) -> Result<(Case, Directives), CaseError> {
        let directives = directives::parse(text, &[]).map_err(CaseError::Directives)?;
        let program = Program::assemble(text).map_err(CaseError::Assembly)?;
        let program = program.with_stage(directives.stage.unwrap_or_default());
        let case = Case {
            program: program.validate().map_err(CaseError::Program)?,
            constants: directives.constants.clone(),
            quads: directives.start(),
            loop_budget: directives.loop_budget.unwrap_or(DEFAULT_LOOP_BUDGET),
            fixed_bits: directives.fixed_bits.unwrap_or(DEFAULT_FIXED_BITS),
        };
        Ok((case, directives))
    }
}

/// Why a text is not a case.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum CaseError {
    /// Directives that are not right.
    #[error("{}", lines(.0))]
    Directives(Vec<DirectiveError>),
    /// The program does not assemble.
    #[error("{0}")]
    Assembly(AsmError),
    /// The program is not valid.
    #[error("{0}")]
    Program(ValidateError),
}

fn lines(errors: &[DirectiveError]) -> String {
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    texts.join("\n")
}
