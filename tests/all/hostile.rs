//! Hostile sources are refused with a place, or run, on the interpreter where the JIT says that they are too much work.

use std::collections::BTreeMap;

use attila_conformance::hostile::{Door, Shape, Verdict, shapes};
use attila_shader::machine::ErrorChain;
use attila_shader::{Engine, Program, front};

/// Bytes of sources: enough for limits of depth and of registers.
const SIZE: usize = 48 << 10;

#[test]
fn every_shape_is_refused_with_a_place_or_runs() {
    let mut ends = BTreeMap::new();
    for shape in shapes() {
        let verdict = shape.run(&shape.source(SIZE));
        let end = match &verdict {
            Verdict::Refused(reason) => {
                // The program as a whole has no place.
                let place = reason.starts_with(|c: char| c.is_ascii_digit())
                    || ["instruction ", "token ", "byte ", "the program "]
                        .iter()
                        .any(|start| reason.starts_with(start));
                assert!(place, "{}: {reason}", shape.name);
                "refused"
            }
            Verdict::Ran(_, None) => "ran",
            Verdict::Ran(engine, Some(_)) => {
                assert_eq!(*engine, "interp", "{}", shape.name);
                "fell back"
            }
            Verdict::Stopped(_, reason) => {
                assert!(
                    reason.contains("backward jumps"),
                    "{}: {reason}",
                    shape.name
                );
                "stopped"
            }
            Verdict::Panicked(what) => panic!("{}: {what}", shape.name),
        };
        *ends.entry(end).or_insert(0) += 1;
    }
    assert!(ends["refused"] > 30 && ends["ran"] > 30, "{ends:?}");
}

fn shape(name: &str) -> Shape {
    let found = shapes().into_iter().find(|shape| shape.name == name);
    found.expect("there is the shape")
}

#[test]
fn statements_are_nested_a_thousand_deep_at_most_in_every_language_that_nests() {
    for (name, begin) in [
        ("tgsi: IF in IF", "UIF"),
        ("tgsi: IF in ELSE", "IF"),
        // The condition in the thousandth loop.
        ("tgsi: loops in loops", "IF"),
        ("tgsi: SWITCH in SWITCH", "SWITCH"),
        ("agal: ife in ife", "ife"),
    ] {
        let source = shape(name).source(4 * SIZE);
        let text = String::from_utf8(source.clone()).expect("it is a text");
        let Verdict::Refused(reason) = shape(name).run(&source) else {
            panic!("{name} is taken");
        };
        let message = "error: statements and calls are nested more than 1000 deep";
        assert!(reason.ends_with(message), "{reason}");
        let line = reason
            .split(':')
            .next()
            .and_then(|line| line.parse::<usize>().ok());
        let line = line.and_then(|line| text.lines().nth(line - 1));
        assert!(line.is_some_and(|line| line.starts_with(begin)), "{reason}");
    }
}

#[test]
fn what_is_too_much_work_falls_back_with_the_reason_before_it_takes_long() {
    for name in [
        "asm: wild jumps and 256 temporaries",
        "tgsi: doubles",
        "asm: sums of doubles",
    ] {
        let shape = shape(name);
        let source = String::from_utf8(shape.source(1 << 20)).expect("it is a text");
        let program = match shape.door {
            Door::Assembly => Program::assemble(&source).expect("it is assembly"),
            Door::Text | Door::Binary | Door::AgalBytes => {
                front::compile(&source).expect("it is a program")
            }
        };
        let program = program.validate().expect("it is valid");
        let shader = Engine::auto()
            .prepare(&program)
            .expect("an engine takes it");
        assert_eq!(shader.engine(), "interp", "{name}");
        let refusal = shader.refusal().expect("the JIT says why");
        let refusal = ErrorChain(refusal).to_string();
        assert!(refusal.contains("units of work, the limit is"), "{refusal}");
    }
}
