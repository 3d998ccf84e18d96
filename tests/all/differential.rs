//! Random cases on all engines.
//!
//! The sequences are fixed, so that a failure repeats; `attila fuzz` goes on from here with more
//! cases. Agreement proves nothing about the decoder, the opcode table and the approximations, which both
//! engines share. The encodings of the reference, the vectors and the sweep check those.

use attila_conformance::census::LEAST_SHARE;
use attila_conformance::generate::{Mode, Options};
use attila_conformance::{Case, CaseOptions, Sequence, Subject, Tally, case, fuzz};
#[cfg(feature = "jit")]
use attila_shader::EmitterKind;
use attila_shader::Engine;
use attila_shader::isa::Profile;

/// Cases of each kind.
const CASES: u64 = 400;

/// Every engine; where there is no other one, it is at least the same twice.
fn engines() -> Vec<Engine> {
    let mut engines = Engine::all();
    if engines.len() == 1 {
        engines.push(Engine::interp());
    }
    engines
}

fn agree(engines: &[Engine], mode: Mode, seed: u64) -> Tally {
    let options = Options {
        mode: Some(mode),
        ..Options::DEFAULT
    };
    agree_on(engines, options, seed)
}

fn agree_on(engines: &[Engine], options: Options, seed: u64) -> Tally {
    let options = CaseOptions::Programs(options);
    let sequence = Sequence {
        threads: 2,
        ..Sequence::new(seed, CASES)
    };
    let result = fuzz::<Case>(&sequence, &options, engines, &|_| ());
    if let Some(failure) = result.failure {
        panic!("case {} of {seed}:\n{}", failure.index, failure.report());
    }
    result.tally
}

#[test]
fn engines_agree_on_single_instructions() {
    let tally = agree(&engines(), Mode::Single, 1);
    assert_eq!(tally.cases, CASES);
    assert_eq!(tally.opcodes.len(), Profile::Base.opcodes().count());
}

/// Checks that the JIT ran enough instructions as wide as it can, which a user's texture unit in each program would
/// prevent.
fn check_share(tally: &Tally) {
    let percentage = tally.shares.percentage("jit");
    let is_enough = percentage >= LEAST_SHARE as f64 || cfg!(not(feature = "jit"));
    assert!(is_enough, "{}", tally.shares.lines().join("\n"));
}

#[test]
fn engines_agree_on_programs() {
    let tally = agree(&engines(), Mode::Program, 2);
    assert_eq!(tally.cases, CASES);
    check_share(&tally);
    assert!(
        tally.count("cases with a loop budget used up") > 10,
        "{tally}"
    );
    assert!(tally.count("cases with kills") > 50, "{tally}");
    assert!(
        tally.count("texture and attribute requests") > 1000,
        "{tally}"
    );
}

#[test]
fn engines_agree_on_programs_of_the_extended_profile() {
    let tally = agree_on(&engines(), Options::EXTENDED, 6);
    assert_eq!(tally.opcodes.len(), Profile::Extended.opcodes().count());
    check_share(&tally);
    assert!(tally.count("samples") > 10, "{tally}");
}

#[test]
fn engines_agree_on_images_of_every_kind() {
    let tally = agree_on(&engines(), Options::TEXTURES, 7);
    assert!(tally.count("samples") > 3000, "{tally}");
}

/// The JIT, built with options of its own, and the lane IR that it makes by them, beside the interpreter.
#[cfg(feature = "jit")]
fn with_jit(options: &attila_shader::JitOptions) -> [Engine; 3] {
    let engine = |emitter| {
        let options = attila_shader::JitOptions {
            emitter,
            ..options.clone()
        };
        Engine::with_jit_options(&options).expect("the JIT knows this machine")
    };
    let [ir, jit] = [EmitterKind::Evaluator, EmitterKind::MachineCode].map(engine);
    [Engine::interp(), ir, jit]
}

#[test]
#[cfg(feature = "jit")]
fn the_jit_agrees_without_any_processor_feature() {
    let options = attila_shader::JitOptions {
        cpu: attila_shader::Cpu::Baseline,
        ..Default::default()
    };
    agree(&with_jit(&options), Mode::Program, 3);
}

#[test]
#[cfg(feature = "jit")]
fn the_jit_agrees_when_it_computes_four_quads_at_a_time() {
    let options = attila_shader::JitOptions {
        quads: Some(4),
        ..Default::default()
    };
    agree(&with_jit(&options), Mode::Single, 4);
}

#[test]
#[cfg(feature = "jit")]
fn the_jit_agrees_when_it_compiles_every_program_as_a_long_one() {
    let options = attila_shader::JitOptions {
        long: true,
        ..Default::default()
    };
    agree(&with_jit(&options), Mode::Program, 5);
}

#[test]
fn every_generated_case_survives_its_text() {
    let all = [Options::DEFAULT, Options::EXTENDED, Options::TEXTURES];
    for (options, index) in all
        .into_iter()
        .flat_map(|options| (0..CASES).map(move |index| (options.clone(), index)))
    {
        let mut case: Case = case(3, index, &CaseOptions::Programs(options));
        // A file has all forms, and no further rounds.
        (case.forms, case.rounds) = Default::default();
        // Registers that a text does not name are 0.
        case.constants.retain(|_, value| *value != [0; 4]);
        let text = case.to_text("any case");
        let (read, _) = Case::from_text(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(read == case, "{text}\nbecame\n{}", read.to_text("any case"));
    }
}
