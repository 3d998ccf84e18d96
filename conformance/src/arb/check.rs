//! What has to be right about a text.

use std::fmt::Debug;
use std::time::Instant;

use attila_shader::isa::{Diagnostic, Program, ValidProgram};
use attila_shader::machine::{DEFAULT_FIXED_BITS, DEFAULT_LOOP_BUDGET, QuadState};

use super::ArbStatistics;
use crate::case::Case;
use crate::dice::Dice;
use crate::fuzz::compare_all;
use crate::oracle::{Divergence, guard};
use crate::payload::NanFlow;
use crate::units::{SplitMix, mix};
use crate::values;
use attila_shader::Engine;
use attila_shader::front::arb::{self, ArbError, ArbProgram, Profile, Translation};

/// Quads that a program runs on.
const QUADS: usize = 3;

/// A text, and what it runs on if it is a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArbCase {
    /// The text.
    pub text: String,
    /// Whether it must be a program.
    pub valid: bool,
    /// What inputs and parameters follow from.
    pub values: u32,
}

/// What is wrong with how a text is treated.
#[derive(Clone, PartialEq, Debug)]
pub enum ArbFault {
    /// Reading or translating it panics.
    Panic(String),
    /// It is refused at a place that is not in it, or for no reason.
    Position(String),
    /// It is refused, though it is a program.
    Refused(String),
    /// What it is translated to is not a valid program, or not one whose results are specified.
    Translation(String),
    /// Engines do not agree on what it is translated to.
    Differ(Box<Divergence>),
}

/// A text that is a program.
struct Compiled {
    program: ArbProgram,
    translation: Translation,
}

impl ArbCase {
    /// Reads the text, and compares `engines[0]` with each of the others if it is a program.
    ///
    /// # Errors
    ///
    /// What is wrong.
    pub fn check(&self, engines: &[Engine]) -> Result<(), Box<ArbFault>> {
        self.check_counting(engines, &mut ArbStatistics::default())
    }

    pub(super) fn check_counting(
        &self,
        engines: &[Engine],
        did: &mut ArbStatistics,
    ) -> Result<(), Box<ArbFault>> {
        let start = Instant::now();
        let compiled = self.compile()?;
        did.slowest = did.slowest.max(start.elapsed());
        did.cases += 1;
        let Some(compiled) = compiled else {
            return Ok(());
        };
        did.programs += 1;
        did.survivors += u64::from(!self.valid);
        for instruction in &compiled.program.instructions {
            let name = instruction.opcode.info().name;
            *did.opcodes.entry(name).or_default() += 1;
        }
        let case = self.attila(&compiled.translation)?;
        compare_all(&case, engines).map_err(ArbFault::Differ)?;
        Ok(())
    }

    /// The program, if the text is one.
    fn compile(&self) -> Result<Option<Compiled>, Box<ArbFault>> {
        let parse = |profile| guard(|| Ok(arb::parse(&self.text, &profile)));
        let strict = parse(Profile::MINIMUM).map_err(ArbFault::Panic)?;
        let program = match parse(Profile::default()).map_err(ArbFault::Panic)? {
            Ok(program) => program,
            Err(error) if strict.is_ok() => {
                let message = format!("a program by stricter limits is refused: {error}");
                return Err(Box::new(ArbFault::Refused(message)));
            }
            Err(error) => return self.refused(&error),
        };
        if let Err(error) = strict {
            self.check_positions(&error)?;
        }
        let translated = guard(|| Ok(arb::translate(&program, &self.text)));
        match translated.map_err(ArbFault::Panic)? {
            Ok(translation) => Ok(Some(Compiled {
                program,
                translation,
            })),
            Err(error) => self.refused(&error),
        }
    }

    fn refused(&self, error: &ArbError) -> Result<Option<Compiled>, Box<ArbFault>> {
        self.check_positions(error)?;
        match self.valid {
            true => Err(Box::new(ArbFault::Refused(error.to_string()))),
            false => Ok(None),
        }
    }

    fn check_positions(&self, error: &ArbError) -> Result<(), ArbFault> {
        if error.diagnostics.is_empty() {
            let message = "it is refused without a reason";
            return Err(ArbFault::Position(message.to_owned()));
        }
        let outside = |diagnostic: &&Diagnostic| !is_inside(diagnostic, &self.text);
        match error.diagnostics.iter().find(outside) {
            Some(outside) => {
                let (place, length) = (&outside.span, self.text.len());
                let message = format!("bytes {place:?} of {length} are not `{outside}`");
                Err(ArbFault::Position(message))
            }
            None => Ok(()),
        }
    }

    /// The translation, bound to values.
    fn attila(&self, translation: &Translation) -> Result<Case, ArbFault> {
        let program = specified(&translation.program).map_err(ArbFault::Translation)?;
        let constants = translation.constants(|param| self.vector(&param).map(f32::from_bits));
        let constants = constants.map(|(register, value)| (register, value.map(f32::to_bits)));
        let mut quads = vec![QuadState::default(); QUADS];
        for (number, quad) in quads.iter_mut().enumerate() {
            for (input, register) in &translation.inputs {
                let register = &mut quad.io.inputs[usize::from(*register)];
                for lane in 0..4 {
                    let vector = self.vector(&(input, number, lane));
                    for (component, word) in register.iter_mut().zip(vector) {
                        component[lane] = word;
                    }
                }
            }
        }
        Ok(Case {
            program,
            constants: constants.collect(),
            quads,
            loop_budget: DEFAULT_LOOP_BUDGET,
            fixed_bits: DEFAULT_FIXED_BITS,
        })
    }

    /// A vector that follows from its name, so that it stays the same while the text gets shorter.
    fn vector(&self, name: &impl Debug) -> [u32; 4] {
        let bytes = format!("{name:?}").into_bytes().into_iter();
        let word = bytes.fold(u64::from(self.values), |word, byte| {
            mix(word ^ u64::from(byte))
        });
        let mut rng = SplitMix(word);
        let mut dice = Dice::new(&mut rng);
        std::array::from_fn(|_| values::float(&mut dice))
    }
}

/// Whether a place is within `text`, between characters, and at the line and column that it says.
fn is_inside(diagnostic: &Diagnostic, text: &str) -> bool {
    let span = diagnostic.span.clone();
    let (Some(_), Some(before)) = (text.get(span.clone()), text.get(..span.start)) else {
        return false;
    };
    let line = before.matches('\n').count() + 1;
    let last = before.rsplit('\n').next().unwrap_or("");
    // Editors do not count a byte order mark.
    let column = last.chars().filter(|&c| c != '\u{feff}').count();
    (diagnostic.line, diagnostic.column) == (line, column + 1)
}

/// The program, which is valid and survives being printed and encoded.
fn specified(program: &Program) -> Result<ValidProgram, String> {
    let valid = program.clone().validate();
    let valid = valid.map_err(|error| format!("not valid: {error}"))?;
    let text = program.to_string();
    let assembled = Program::assemble(&text).map_err(|error| format!("not assembly: {error}"))?;
    if assembled.insts() != program.insts() {
        return Err(format!("printed as another program:\n{text}"));
    }
    let decoded = Program::decode(&program.encode());
    let decoded = decoded.map_err(|error| format!("not decoded: {error}"))?;
    if decoded.insts() != program.insts() {
        return Err(format!("encoded as another program:\n{text}"));
    }
    match NanFlow::new(program).first_dependent(program) {
        Some(index) => Err(format!(
            "instruction {index} depends on the payload of a NaN"
        )),
        None => Ok(valid),
    }
}

#[cfg(test)]
mod tests {
    use attila_shader::isa::Severity;

    use super::*;

    fn case(text: &str, valid: bool) -> ArbCase {
        ArbCase {
            text: text.to_owned(),
            valid,
            values: 1,
        }
    }

    #[test]
    fn a_program_must_not_be_refused_and_other_texts_may_be() {
        let text = "!!ARBfp1.0\nMOV result.colour, 1;\nEND";
        assert_eq!(case(text, false).check(&Engine::all()), Ok(()));
        let fault = case(text, true).check(&Engine::all());
        let fault = fault.expect_err("the text is wrong");
        assert!(
            fault
                .to_string()
                .starts_with("a program is refused: 2:12: error"),
            "{fault}"
        );
    }

    #[test]
    fn places_are_between_characters_and_at_their_line_and_column() {
        let text = "a\nµ b";
        let diagnostic = |span, line, column| Diagnostic {
            severity: Severity::Error,
            message: String::new(),
            span,
            line,
            column,
            help: None,
        };
        for (span, line, column) in [(0..1, 1, 1), (2..4, 2, 1), (5..6, 2, 3), (6..6, 2, 4)] {
            assert!(is_inside(&diagnostic(span, line, column), text));
        }
        for (span, line, column) in [(3..4, 2, 2), (6..7, 2, 4), (5..6, 2, 4), (5..6, 1, 3)] {
            assert!(!is_inside(&diagnostic(span, line, column), text));
        }
    }

    #[test]
    fn vectors_follow_from_names_and_the_case() {
        let (one, other) = (case("", true), case("x", false));
        assert_eq!(one.vector(&"a"), other.vector(&"a"));
        assert_ne!(one.vector(&"a"), one.vector(&"b"));
        let next = ArbCase { values: 2, ..other };
        assert_ne!(next.vector(&"a"), one.vector(&"a"));
    }
}
