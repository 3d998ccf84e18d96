//! The check of a text.

use std::time::Instant;

use attila_scene::directives::Order;
use attila_shader::Engine;
use attila_shader::front::SourceError;
use attila_shader::isa::{Diagnostic, Program, ValidProgram};
use attila_shader::machine::{QuadState, from_lanes};

use super::{Refused, TextCase, Translated};
use crate::case::Case;
use crate::dice::Dice;
use crate::oracle::{self, Fill, guard};
use crate::recorder::{SplitMix, mix};
use crate::round_trip::round_trip;
use crate::subject::{Fault, Tally};
use crate::values;

/// Quads that a program runs on.
const QUADS: usize = 3;

/// Reads the text, and compares `engines[0]` with each of the others and with the text if it is a program.
pub(super) fn check(case: &TextCase, engines: &[Engine], tally: &mut Tally) -> Result<(), Fault> {
    let start = Instant::now();
    let compiled = compile(case)?;
    tally.slowest = tally.slowest.max(start.elapsed());
    tally.add(PROGRAMS, u64::from(compiled.is_some()));
    tally.add(SURVIVORS, u64::from(compiled.is_some() && !case.valid));
    match compiled {
        Some(compiled) => run(&*compiled, case.valid, case.values, engines, tally),
        None => Ok(()),
    }
}

/// Compares `engines[0]` with each of the others and with the evaluator of texts.
pub(super) fn run(
    compiled: &dyn Translated,
    must_be_specified: bool,
    seed: u32,
    engines: &[Engine],
    tally: &mut Tally,
) -> Result<(), Fault> {
    compiled
        .opcodes()
        .into_iter()
        .for_each(|name| tally.add_opcode(name));
    let program = valid(compiled.program());
    let program = program.map_err(|what| fault(TRANSLATION, &what))?;
    let forms = guard(|| compiled.check_forms());
    forms.map_err(|what| fault(FORMS, &what))?;
    if !compiled.is_specified() {
        tally.add(UNSPECIFIED, 1);
        return match must_be_specified {
            true => Err(fault(
                TRANSLATION,
                "a result depends on the payload of a NaN",
            )),
            false => Ok(()),
        };
    }
    let did = oracle::compare(&bound(seed, compiled, program.clone()), engines)?;
    tally.add(QUADS_RUN, did.quads);
    // The others agree with the first.
    let first = engines.get(..1).unwrap_or_default();
    let evaluated = guard(|| compiled.evaluate(&program, first, seed));
    let lanes = evaluated.map_err(|what| fault(EVALUATION, &what))?;
    tally.add(UNDEFINED, u64::from(lanes == 0));
    Ok(())
}

/// Kinds of faults, which their lines begin with.
const PANIC: &str = "reading the text panics";
pub(super) const POSITION: &str = "a mistake is reported outside";
const REFUSED: &str = "a program is refused";
const TRANSLATION: &str = "the translation is wrong";
const FORMS: &str = "a form is another program";
const EVALUATION: &str = "the text says otherwise";

pub(super) fn fault(kind: &'static str, what: &str) -> Fault {
    Fault::new(kind, format!("{kind}: {what}"))
}

/// Quads that programs ran on.
const QUADS_RUN: &str = "quads";
/// Texts that are programs, each run by every engine.
pub(crate) const PROGRAMS: &str = "programs";
/// Programs with results that depend on the payload of a NaN. They are not run.
pub(crate) const UNSPECIFIED: &str = "programs that are not specified";
/// Programs of whose results the text says nothing.
pub(super) const UNDEFINED: &str = "programs without defined results";
/// Damaged texts that are still programs.
const SURVIVORS: &str = "programs from damaged texts";

/// The program, if the text is one.
fn compile(case: &TextCase) -> Result<Option<Box<dyn Translated>>, Fault> {
    let compiled = guard(|| Ok((case.language.compile)(&case.text)));
    let compiled = compiled.map_err(|what| fault(PANIC, &what))?;
    let error = match &compiled {
        Ok(compiled) => compiled.strict_error(),
        Err(refused) => Some(&refused.error),
    };
    let wrongly = |reason: &str| Err(fault(REFUSED, reason));
    if let Err(Refused {
        error,
        wrongly: Some(what),
    }) = &compiled
    {
        return wrongly(&format!("{what} is refused: {error}"));
    }
    error.map_or(Ok(()), |error| check_positions(&case.text, error))?;
    match compiled {
        Ok(compiled) => Ok(Some(compiled)),
        Err(refused) if case.valid => wrongly(&refused.error.to_string()),
        Err(_) => Ok(None),
    }
}

fn check_positions(text: &str, error: &SourceError) -> Result<(), Fault> {
    if error.diagnostics.is_empty() {
        return Err(fault(POSITION, "it is refused without a reason"));
    }
    let outside = |diagnostic: &&Diagnostic| !is_inside(diagnostic, text);
    error
        .diagnostics
        .iter()
        .find(outside)
        .map_or(Ok(()), |outside| {
            let (place, length) = (&outside.span, text.len());
            let message = format!("bytes {place:?} of {length} are not `{outside}`");
            Err(fault(POSITION, &message))
        })
}

/// The translation, bound to values.
fn bound(seed: u32, compiled: &dyn Translated, program: ValidProgram) -> Case {
    let constants = compiled.constants(&|param| vector(seed, param).map(f32::from_bits));
    let constants = constants.into_iter();
    let constants = constants.map(|(register, value)| (register, value.map(f32::to_bits)));
    let mut quads = vec![QuadState::default(); QUADS];
    for (number, quad) in quads.iter_mut().enumerate() {
        for (input, register) in compiled.inputs() {
            let lanes =
                [0, 1, 2, 3].map(|lane| vector(seed, &format!("({input}, {number}, {lane})")));
            quad.io.inputs[register] = from_lanes(lanes);
        }
    }
    let case = Case {
        constants: constants.collect(),
        quads,
        order: match seed.is_multiple_of(ORDER_KEPT_EVERY) {
            true => Order::Kept,
            false => Order::Any,
        },
        ..Case::new(program)
    };
    case.repeated(mix(seed.into()) as u32, Fill::Inputs)
}

/// Texture units see the order of quads in one of so many cases.
const ORDER_KEPT_EVERY: u32 = 16;

/// A vector that follows from its name, so that it stays the same while the text gets shorter.
fn vector(seed: u32, name: &str) -> [u32; 4] {
    let bytes = name
        .bytes()
        .fold(u64::from(seed), |word, byte| mix(word ^ u64::from(byte)));
    let mut rng = SplitMix(bytes);
    let mut dice = Dice::new(&mut rng);
    std::array::from_fn(|_| values::float(&mut dice))
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
fn valid(program: &Program) -> Result<ValidProgram, String> {
    let valid = program.clone().validate();
    let valid = valid.map_err(|error| format!("not valid: {error}"))?;
    round_trip(program)?;
    Ok(valid)
}

#[cfg(test)]
mod tests {
    use attila_shader::isa::Severity;

    use super::super::LANGUAGES;
    use super::*;

    fn case(text: &str, valid: bool) -> TextCase {
        TextCase {
            language: &LANGUAGES[0],
            text: text.to_owned(),
            valid,
            values: 1,
        }
    }

    #[test]
    fn a_program_must_not_be_refused_and_other_texts_may_be() {
        let text = "!!ARBfp1.0\nMOV result.colour, 1;\nEND";
        let check = |valid| check(&case(text, valid), &Engine::all(), &mut Tally::default());
        assert_eq!(check(false), Ok(()));
        let fault = check(true).expect_err("the text is wrong").to_string();
        assert!(
            fault.starts_with("a program is refused: 2:12: error"),
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
            fix: None,
            code: &attila_shader::isa::code::text::RULE,
        };
        for (span, line, column) in [(0..1, 1, 1), (2..4, 2, 1), (5..6, 2, 3), (6..6, 2, 4)] {
            assert!(is_inside(&diagnostic(span, line, column), text));
        }
        for (span, line, column) in [(3..4, 2, 2), (6..7, 2, 4), (5..6, 2, 4), (5..6, 1, 3)] {
            assert!(!is_inside(&diagnostic(span, line, column), text));
        }
    }

    #[test]
    fn vectors_follow_from_names_and_the_seed() {
        assert_eq!(vector(1, "a"), vector(1, "a"));
        assert_ne!(vector(1, "a"), vector(1, "b"));
        assert_ne!(vector(2, "a"), vector(1, "a"));
    }
}
