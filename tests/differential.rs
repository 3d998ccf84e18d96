//! Random cases on all engines, and engines with planted faults.

use attila_shader::Engine;
use attila_shader::conformance::report::report;
use attila_shader::conformance::{FuzzOptions, fuzz};

#[test]
fn the_interpreter_agrees_with_itself() {
    let engines = [Engine::interp(), Engine::interp()];
    let result = fuzz(&FuzzOptions::new(1, 2000), &engines, &|_| ());
    if let Some(failure) = result.failure {
        panic!("{}\n{}", failure.index, report(&failure.minimal));
    }
}
