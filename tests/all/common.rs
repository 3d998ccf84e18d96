//! Shared by the tests of behaviour: the engines, and programs as texts with their expected results.

use attila_conformance::Case;
use attila_scene::directives::Directives;
use attila_shader::machine::QuadState;
use attila_shader::{Bindings, Engine, RunError, Shader};

/// Every engine that works on this machine. A test of a program's behaviour runs on all of them.
pub(crate) fn engines() -> Vec<Engine> {
    Engine::all()
}

/// Reads an assembly text with directives.
pub(crate) fn case(text: &str) -> (Case, Directives) {
    Case::from_text(text).unwrap_or_else(|error| panic!("{error}\nin\n{text}"))
}

/// The case's program, ready to shade with registers that start at 0.
pub(crate) fn compile(engine: &Engine, case: &Case) -> Shader {
    engine
        .prepare(&case.program)
        .expect("the engine compiles it")
}

/// Runs the case's quads on `engine`, from the state in which they are.
pub(crate) fn run(
    engine: &Engine,
    case: &Case,
    bindings: &Bindings<'_>,
) -> Result<Vec<QuadState>, RunError> {
    let mut quads = case.quads.clone();
    let executable = engine
        .prepare_stateful(&case.program)
        .expect("the engine compiles it");
    executable.run(bindings, &mut quads)?;
    Ok(quads)
}

/// Runs an assembly text on every engine, and panics unless its `expect` directives hold.
pub(crate) fn check(text: &str) {
    check_with(text, |bindings| bindings);
}

/// As [`check`], with more bound than constants.
pub(crate) fn check_with<'a>(text: &str, bind: impl Fn(Bindings<'a>) -> Bindings<'a>) {
    let (case, directives) = case(text);
    // As long-lived as anything that `bind` adds.
    let case: &'static Case = Box::leak(Box::new(case));
    assert!(
        !directives.expectations.is_empty(),
        "nothing is expected of\n{text}"
    );
    for engine in engines() {
        let quads = run(&engine, case, &bind(case.bindings()));
        let quads =
            quads.unwrap_or_else(|error| panic!("on {}: {error}\nof\n{text}", engine.name()));
        let unmet = directives.unmet(&quads);
        assert!(
            unmet.is_empty(),
            "on {}:\n{}\nof\n{text}",
            engine.name(),
            unmet.join("\n")
        );
    }
}
