//! ARB programs: which texts are programs, the positions of mistakes in the others, and translations,
//! which compute the results of their texts.

#![expect(clippy::print_stdout, reason = "tests say what they counted")]

mod corpora;
mod demos;
mod limits;
mod mutations;
mod opcodes;
mod parser_set;
mod random;

use attila_shader::Engine;

/// Checks that a program computes the results of its text, bit for bit, on values of a seed. Counts the
/// lanes whose results the text defines.
fn check(text: &str, seed: u32, engines: &[Engine]) -> usize {
    let checked = attila_conformance::texts::arb::evaluate(text, seed, engines);
    checked.unwrap_or_else(|what| panic!("{what}\nin\n{text}"))
}
