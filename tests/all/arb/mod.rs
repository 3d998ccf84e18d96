//! ARB programs: which are programs, where those that are not are wrong, and that translations compute
//! what texts say.

#![expect(
    clippy::print_stdout,
    reason = "tests say what they skip and what they counted"
)]

mod compare;
mod corpora;
mod demos;
mod evaluator;
mod limits;
mod mutations;
mod opcodes;
mod parser_set;
mod random;
mod world;
