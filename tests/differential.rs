//! Random cases on all engines.
//!
//! The sequences are fixed, so that a failure repeats; `attila fuzz` goes on from here with more
//! cases. What agreement does not prove: both engines share the decoder, the opcode table and the
//! approximations. The encodings of the reference, the vectors and the sweep check those.

use attila_shader::conformance::generate::Mode;
use attila_shader::conformance::report::report;
use attila_shader::conformance::{Case, FuzzOptions, Statistics, case, fuzz};
use attila_shader::{Engine, Opcode};

/// Cases of each kind.
const CASES: u64 = 400;

fn agree(mode: Mode, seed: u64) -> Statistics {
    let mut engines = Engine::all();
    // Where there is no other engine, it is at least the same twice.
    if engines.len() == 1 {
        engines.push(Engine::interp());
    }
    let mut options = FuzzOptions::new(seed, CASES);
    options.generate.mode = Some(mode);
    options.threads = 2;
    let result = fuzz(&options, &engines, &|_| ());
    if let Some(failure) = result.failure {
        let index = failure.index;
        panic!("case {index} of {seed}:\n{}", report(&failure.minimal));
    }
    result.statistics
}

#[test]
fn engines_agree_on_single_instructions() {
    let statistics = agree(Mode::Single, 1);
    assert_eq!(statistics.cases, CASES);
    assert_eq!(statistics.opcodes.len(), Opcode::ALL.len());
}

#[test]
fn engines_agree_on_programs() {
    let statistics = agree(Mode::Program, 2);
    assert_eq!(statistics.cases, CASES);
    assert!(statistics.loop_budgets > 10, "{statistics:?}");
    assert!(statistics.kills > 50, "{statistics:?}");
    assert!(statistics.requests > 1000, "{statistics:?}");
}

#[test]
fn every_generated_case_survives_its_text() {
    for index in 0..CASES {
        let mut case = case(
            3,
            index,
            &attila_shader::conformance::generate::Options::DEFAULT,
        );
        // What a text leaves out is 0.
        case.constants.retain(|_, value| *value != [0; 4]);
        let text = case.to_text("any case");
        let (read, _) = Case::from_text(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(read == case, "{text}\nbecame\n{}", read.to_text("any case"));
    }
}
