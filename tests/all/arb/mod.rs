//! ARB programs: which are programs, where those that are not are wrong, and that translations compute
//! what texts say.

#![expect(clippy::print_stdout, reason = "tests say what they counted")]

mod corpora;
mod demos;
mod limits;
mod mutations;
mod opcodes;
mod parser_set;
mod random;

use attila_shader::Engine;

/// Checks that a program computes what its text says, bit for bit, on values of a seed. Counts the
/// lanes of whose results the text says something.
fn check(text: &str, seed: u32, engines: &[Engine]) -> usize {
    let checked = attila_conformance::texts::arb::evaluate(text, seed, engines);
    checked.unwrap_or_else(|what| panic!("{what}\nin\n{text}"))
}
