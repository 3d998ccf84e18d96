//! The check of a file.

use std::time::Instant;

use attila_shader::Engine;
use attila_shader::isa::{DecodeError, DecodeFault, Program, ValidProgram};

use super::{BinaryCase, WORD};
use crate::dice::Dice;
use crate::generate::{Options, start_of};
use crate::oracle::{self, Fill, guard};
use crate::recorder::SplitMix;
use crate::round_trip::round_trip;
use crate::subject::{Fault, Subject, Tally};

/// Kinds of faults, which their lines begin with.
const PANIC: &str = "reading the file panics";
const POSITION: &str = "a mistake is reported outside";
const CHANGED: &str = "the program changes";

/// Files that are programs, each run by every engine.
const PROGRAMS: &str = "programs";
/// Files that are not decoded.
const REFUSED: &str = "refused files";
/// Files of instructions that are no program.
const INVALID: &str = "invalid programs";
/// Programs with results that depend on the payload of a NaN. They are not run.
const UNSPECIFIED: &str = "programs that are not specified";

fn fault(kind: &'static str, what: &str) -> Fault {
    Fault::new(kind, format!("{kind}: {what}"))
}

/// Reads the file, and compares `engines[0]` with each of the others if it is a program.
pub(super) fn check(case: &BinaryCase, engines: &[Engine], tally: &mut Tally) -> Result<(), Fault> {
    let start = Instant::now();
    let read = guard(|| Ok(read(&case.bytes))).map_err(|what| fault(PANIC, &what))?;
    tally.slowest = tally.slowest.max(start.elapsed());
    let program = match read {
        Ok(program) => program,
        Err(Unread::Refused(error)) => {
            tally.add(REFUSED, 1);
            return check_positions(case, &error);
        }
        Err(Unread::Changed(what)) => return Err(fault(CHANGED, &what)),
        Err(Unread::Invalid(outside)) => {
            tally.add(INVALID, 1);
            return outside.map_or(Ok(()), |what| Err(fault(POSITION, &what)));
        }
    };
    let mut rng = SplitMix(case.values.into());
    let options = match program.program().profile() {
        attila_shader::isa::Profile::Base => Options::DEFAULT,
        attila_shader::isa::Profile::Extended => Options::EXTENDED,
    };
    let run = start_of(&mut Dice::new(&mut rng), &options, program);
    if !run.is_specified() {
        tally.add(UNSPECIFIED, 1);
        return Ok(());
    }
    for inst in run.insts() {
        tally.add_opcode(inst.op.info().mnemonic);
    }
    let run = run.repeated(case.values, Fill::Registers);
    let did = oracle::compare(&run, engines)?;
    tally.add(PROGRAMS, 1);
    tally.add("quads", did.quads);
    Ok(())
}

/// Why a file is not a program.
enum Unread {
    /// It is not decoded.
    Refused(DecodeError),
    /// Printed or encoded, it is another program.
    Changed(String),
    /// It is not valid; a finding that is nowhere in it, if there is one.
    Invalid(Option<String>),
}

/// The program of a file, which survives being printed and encoded.
fn read(bytes: &[u8]) -> Result<ValidProgram, Unread> {
    let program = Program::decode(bytes).map_err(Unread::Refused)?;
    round_trip(&program).map_err(Unread::Changed)?;
    let count = program.insts().len();
    program.validate().map_err(|error| {
        let mut findings = error.findings.iter();
        let outside = findings.find(|it| it.index.is_some_and(|index| index >= count));
        Unread::Invalid(outside.map(ToString::to_string))
    })
}

/// Checks that every fault is at a place of the file.
fn check_positions(case: &BinaryCase, error: &DecodeError) -> Result<(), Fault> {
    if error.faults.is_empty() {
        return Err(fault(POSITION, "it is refused without a reason"));
    }
    let (length, header) = (case.bytes.len(), case.header());
    let is_inside = |it: &&DecodeFault| match **it {
        DecodeFault::Header { offset, .. } => offset <= length,
        DecodeFault::Length { length: found } => found == length,
        DecodeFault::Word { index, offset, .. } => {
            offset == header + index * WORD && offset + WORD <= length
        }
        // No such kind is known.
        ref other => other.to_string().is_empty(),
    };
    let outside = error.faults.iter().find(|it| !is_inside(it));
    outside.map_or(Ok(()), |outside| {
        Err(fault(POSITION, &format!("`{outside}` of {length} bytes")))
    })
}
