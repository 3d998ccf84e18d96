//! The check of a byte program.

use std::time::Instant;

use attila_shader::Engine;
use attila_shader::front::agal::{self, AgalProgram, ByteFinding, BytesError, Translation};

use super::super::{Compiled, OPTIONS};
use super::{BytesCase, HEADER, TOKEN};
use crate::oracle::guard;
use crate::subject::{Fault, Tally};
use crate::texts::check::{POSITION, PROGRAMS, fault, run};

/// Kinds of faults, which their lines begin with.
const PANIC: &str = "reading the bytes panics";
const CHANGED: &str = "the bytes change";

/// Byte programs that are not taken.
const REFUSED: &str = "refused byte programs";

/// Reads the bytes, and compares `engines[0]` with each of the others and with the evaluator if they are a program.
pub(super) fn check(case: &BytesCase, engines: &[Engine], tally: &mut Tally) -> Result<(), Fault> {
    let start = Instant::now();
    let read = guard(|| Ok(read(&case.bytes))).map_err(|what| fault(PANIC, &what))?;
    tally.slowest = tally.slowest.max(start.elapsed());
    let (program, translation, warnings) = match read {
        Ok(read) => read,
        Err(error) => {
            tally.add(REFUSED, 1);
            return check_places(case, &error);
        }
    };
    warnings
        .iter()
        .try_for_each(|warning| check_place(case, warning))?;
    if agal::encode(&program) != case.bytes {
        return Err(fault(CHANGED, "encoded again, they are others"));
    }
    tally.add(PROGRAMS, 1);
    let compiled = Compiled {
        program,
        translation,
        strict: None,
    };
    run(&compiled, false, case.values, engines, tally)
}

/// The program, its translation, and remarks on it.
type Read = (AgalProgram, Translation, Vec<ByteFinding>);

fn read(bytes: &[u8]) -> Result<Read, BytesError> {
    let program = agal::decode(bytes, &OPTIONS)?;
    let translation = agal::compile_bytes(bytes, &OPTIONS)?;
    Ok((program, translation, agal::byte_warnings(bytes, &OPTIONS)))
}

/// Checks that there is an error, and that every finding is at a place of the bytes.
fn check_places(case: &BytesCase, error: &BytesError) -> Result<(), Fault> {
    if error.first().is_none() {
        return Err(fault(POSITION, "they are refused without a reason"));
    }
    error
        .findings
        .iter()
        .try_for_each(|finding| check_place(case, finding))
}

fn check_place(case: &BytesCase, finding: &ByteFinding) -> Result<(), Fault> {
    let (span, length) = (&finding.span, case.bytes.len());
    let is_inside = span.start <= span.end && span.end <= length;
    // The end of the bytes is in no token.
    let within = (HEADER..length).contains(&span.start);
    let token = within.then(|| (span.start - HEADER) / TOKEN + 1);
    match is_inside && finding.token == token {
        true => Ok(()),
        false => Err(fault(
            POSITION,
            &format!("`{finding}` at {span:?} of {length} bytes"),
        )),
    }
}
