//! Random programs, and programs that have been damaged at random. Each text is refused with positions
//! inside it, or is a program on which the engines agree.

use attila_conformance::texts::arb::{PIECES, PROGRAMS, damaged};
use attila_conformance::texts::{TextCase, TextLanguage};
use attila_conformance::{Dice, Sequence, fuzz};
use attila_shader::Engine;
use attila_shader::front::arb::{self, ArbOpcode, Form, OPCODES, Profile};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::check;

/// How many texts are tried.
const TEXTS: u32 = 2000;

/// A program that is accepted keeps the promises of its type.
fn check_program(program: &arb::ArbProgram) {
    for instruction in &program.instructions {
        let sources = match instruction.opcode.info().form {
            Form::Vectors(count) | Form::Scalars(count) => count,
            Form::Selectors | Form::Sample | Form::Kill | Form::Address => 1,
        };
        assert_eq!(instruction.sources.len(), sources);
        let kills = instruction.opcode == ArbOpcode::Kil;
        assert_eq!(instruction.result.is_none(), kills);
        let samples = instruction.opcode.info().form == Form::Sample;
        assert_eq!(instruction.texture.is_some(), samples);
    }
}

#[test]
fn the_undamaged_programs_are_programs() {
    for text in PROGRAMS {
        arb::compile(text, &Profile::default()).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn damaged_programs_that_are_taken_compute_what_they_say() {
    let engines = Engine::all();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut dice = Dice::new(&mut rng);
    for seed in 0..TEXTS {
        let text = damaged(&mut dice);
        if let Ok(program) = arb::parse(&text, &Profile::default()) {
            check_program(&program);
            if arb::translate(&program, &text).is_ok() {
                check(&text, seed, &engines);
            }
        }
    }
}

#[test]
fn texts_are_refused_inside_them_or_run_the_same_on_all_engines() {
    let engines = Engine::all();
    let language = TextLanguage::find("arb").expect("it has random texts");
    let sequence = Sequence::new(1, TEXTS.into());
    let result = fuzz::<TextCase>(&sequence, &language, &engines, &|_| ());
    if let Some(failure) = &result.failure {
        let (index, seed) = (failure.index, failure.seed);
        panic!("text {index} of {seed}:\n{}", failure.report());
    }
    let tally = result.tally;
    println!("{tally}");
    assert_eq!(tally.cases, u64::from(TEXTS));
    assert_eq!(tally.opcodes.len(), OPCODES.len(), "all come up");
    let damaged = tally.cases - tally.count("programs");
    let survivors = tally.count("programs from damaged texts") as f64 / damaged as f64;
    assert!(
        (0.05..0.5).contains(&survivors),
        "{survivors}: the damage is not the right kind"
    );
}

#[test]
fn texts_of_one_thing_take_no_time() {
    for piece in PIECES {
        for text in [
            piece.repeat(200_000),
            format!("MOV {}", piece.repeat(200_000)),
        ] {
            let text = format!("!!ARBfp1.0 {text}");
            if let Err(error) = arb::parse(&text, &Profile::default()) {
                assert!(error.position() <= text.len());
            }
        }
    }
}
