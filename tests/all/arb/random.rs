//! Random programs, translated and run on every engine, against the evaluator: bit for bit.

use attila_conformance::Dice;
use attila_conformance::texts::arb::program;
use attila_shader::Engine;
use attila_shader::front::arb::{self, Output, Profile};
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

/// Outputs that no instruction writes are 0, and so are the components of others.
#[test]
fn what_is_not_written_is_zero() {
    let text =
        "!!ARBfp1.0\nTEMP t;\nMOV t.y, fragment.color;\nADD result.color.xyz, t, t.zzzz;\nEND";
    check(text, 1, &Engine::all());
    let translation = arb::compile(text, &Profile::default()).expect("it is a program");
    assert_eq!(translation.outputs, [(Output::Color, 1)]);
}
