//! ARB programs: which are programs, and where those that are not are wrong.

#![expect(
    clippy::print_stdout,
    reason = "tests say what they skip and what they counted"
)]

mod evaluator;
mod mutations;
mod parser_set;
mod random;
