//! The C interface as C sees it: compiled, linked and run; and its functions called from here, in every wrong way.
#![expect(clippy::print_stderr, reason = "tests say what they skip")]

mod errors;
mod examples;
mod exports;
mod header;
mod initial;
mod install;
mod readme;
mod scenes;
mod shapes;
mod tools;
