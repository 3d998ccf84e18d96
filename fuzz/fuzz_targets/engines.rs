//! The same cases and the same comparison as `attila fuzz`, with libFuzzer's bytes as the dice.
#![no_main]

use attila_shader::Engine;
use attila_conformance::generate::{Options, generate};
use attila_conformance::{ByteRng, Dice, oracle, report};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let case = generate(&mut Dice::new(&mut ByteRng::new(bytes)), &Options::DEFAULT);
    let Ok(jit) = Engine::jit() else {
        return;
    };
    if let Err(divergence) = oracle::compare(&case, [&Engine::interp(), &jit]) {
        panic!("{}", report::report(&divergence));
    }
});
