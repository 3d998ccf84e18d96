//! Random programs, translated and run on every engine, against the evaluator: bit for bit.

use attila_conformance::altered::{Fault, altered};
use attila_conformance::texts::arb::program;
use attila_conformance::texts::{TextCase, TextLanguage};
use attila_conformance::{Dice, Sequence, check_text, fuzz};
use attila_shader::front::arb::{self, Output, Profile};
use attila_shader::isa::{Inst, Opcode};
use attila_shader::{Engine, Interp};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::check;

/// How many programs are tried.
const PROGRAMS: u32 = 3000;

#[test]
fn programs_compute_what_their_text_says() {
    let engines = Engine::all();
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut dice = Dice::new(&mut rng);
    let (mut lanes, mut relative) = (0, 0);
    for seed in 0..PROGRAMS {
        let text = program(&mut dice);
        let checked = check(&text, seed, &engines);
        lanes += checked;
        let parsed = arb::parse(&text, &Profile::default()).expect("it has been translated");
        if parsed.arrays.iter().any(|array| array.relative) {
            relative += checked;
        }
    }
    println!("{lanes} lanes, {relative} of programs that address arrays relatively");
    assert!(lanes as f64 > 0.8 * f64::from(4 * PROGRAMS));
    assert!(relative > 600);
}

/// Outputs that no instruction writes are 0, and so are components that no instruction writes.
#[test]
fn what_is_not_written_is_zero() {
    let text =
        "!!ARBfp1.0\nTEMP t;\nMOV t.y, fragment.color;\nADD result.color.xyz, t, t.zzzz;\nEND";
    check(text, 1, &Engine::all());
    let translation = arb::compile(text, &Profile::default()).expect("it is a program");
    assert_eq!(translation.outputs, [(Output::Color(0), 1)]);
}

/// The comparison with the text needs no second engine.
#[test]
fn an_engine_that_computes_something_else_than_the_text_is_found() {
    let three_for_four = |inst: &mut Inst| {
        if inst.op == Opcode::Dp4 {
            inst.op = Opcode::Dp3;
        }
    };
    let engines = [altered(Interp, Fault::Insts(three_for_four))];
    let language = TextLanguage::find("arb").expect("it has random texts");
    let result = fuzz::<TextCase>(&Sequence::new(1, 500), &language, &engines, &|_| ());
    let failure = result.failure.expect("the fault is found");
    let text = failure.report();
    assert!(
        text.starts_with("the text says otherwise: altered lane "),
        "{text}"
    );
    assert!(failure.case.text.matches(';').count() <= 4, "{text}");
    let (file, _) = failure.file();
    assert_eq!(check_text(&file, &Engine::all()), Ok(()));
    assert!(check_text(&file, &engines).is_err(), "{text}");
}
