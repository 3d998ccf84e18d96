//! The back half of the front ends with conditions, loops and calls. On every engine, random programs of
//! a toy language have the results of the language's own evaluator, bit for bit.

mod evaluator;
mod generate;
mod language;

use attila_shader::machine::LANES;
use attila_shader::{Bindings, Engine, QuadIo};

use evaluator::{Vector, evaluate};
use generate::Dice;
use language::{Param, Program, compile};

/// The number of random programs.
const PROGRAMS: u64 = 10_000;

fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// A vector that follows from the seed and its place.
fn vector(seed: u64, place: u64) -> Vector {
    let mut dice = Dice(seed.wrapping_mul(1000).wrapping_add(place));
    [(); 4].map(|()| dice.number())
}

fn check(program: &Program, seed: u64, engines: &[Engine]) {
    let translation = compile(program).unwrap_or_else(|error| panic!("{error:?}\n{program:#?}"));
    let listing = translation.program.listing();
    let input = |lane: usize, number: u8| vector(seed, lane as u64 * 4 + u64::from(number));
    let param = |param: Param| match param {
        Param::Uniform(number) => vector(seed, 100 + u64::from(number)),
        Param::Table(number) => vector(seed, 200 + u64::from(number)),
        Param::Constant(bits) => bits.map(f32::from_bits),
    };
    let expected = evaluate(program, &input, &param);
    let mut bindings = Bindings::new();
    for (register, value) in translation.constants(param) {
        bindings.set_constant(register, value);
    }
    let valid = translation.program.clone().validate().expect("it is valid");
    for engine in engines {
        let mut quads = [QuadIo::default()];
        for number in 0..3 {
            let lanes = std::array::from_fn(|lane| input(lane, number));
            quads[0].set_input(usize::from(number), lanes);
        }
        let shader = engine.prepare(&valid).expect("the engine compiles it");
        shader.run(&bindings, &mut quads).expect("it runs");
        for (number, output) in expected.outputs.iter().enumerate() {
            let found = quads[0].output(number);
            let pairs = found.as_flattened().iter().zip(output.as_flattened());
            let name = engine.name();
            for (found, expected) in pairs {
                assert!(
                    same(*found, *expected),
                    "{name}: program {seed}: o{number} has {found:?}, not {expected:?}\n{program:#?}\n{listing}"
                );
            }
        }
        let killed: [bool; LANES] = std::array::from_fn(|lane| quads[0].killed().has(lane));
        assert_eq!(killed, expected.killed, "program {seed}\n{listing}");
    }
}

#[test]
fn random_programs_compute_what_they_say() {
    let engines = Engine::all();
    for seed in 0..PROGRAMS {
        check(&generate::program(&mut Dice(seed)), seed, &engines);
    }
}
