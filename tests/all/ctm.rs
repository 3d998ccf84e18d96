//! Random CTM texts against the evaluator, bit for bit, and damaged ones on every engine.

#![expect(clippy::print_stdout, reason = "tests say what they counted")]

use std::time::Duration;

use attila_conformance::altered::{Fault, altered};
use attila_conformance::texts::ctm::{PIECES, PROGRAMS};
use attila_conformance::texts::{TextCase, TextLanguage};
use attila_conformance::{Sequence, check_text, fuzz};
use attila_shader::front::ctm::{self, OPCODES};
use attila_shader::isa::{CtmModifier, Inst, Opcode, ResultPath};
use attila_shader::{Engine, Interp};

fn language() -> &'static TextLanguage {
    TextLanguage::find("ctm").expect("it has random texts")
}

#[test]
fn texts_are_refused_inside_them_or_compute_what_they_say_on_all_engines() {
    let result = fuzz::<TextCase>(
        &Sequence::new(1, 1500),
        &language(),
        &Engine::all(),
        &|_| (),
    );
    if let Some(failure) = &result.failure {
        panic!("text {} of 1:\n{}", failure.index, failure.report());
    }
    let tally = result.tally;
    println!("{tally}");
    assert_eq!(tally.opcodes.len(), OPCODES.len(), "all come up");
    let survivors = tally.count("programs from damaged texts");
    assert!(survivors * 20 > tally.cases, "{tally}");
    assert_eq!(tally.count("programs that are not specified"), 0, "{tally}");
}

/// Damaged texts that are tried on the interpreter, unless `ATTILA_DAMAGED` has a number.
const DAMAGED: u64 = 2000;

#[test]
fn damaged_texts_compute_what_they_say_in_the_interpreter() {
    let count = std::env::var("ATTILA_DAMAGED").ok();
    let count = count.map_or(DAMAGED, |number| {
        number.parse().expect("ATTILA_DAMAGED is a number")
    });
    let damaged = language().damaged().expect("it has damaged texts");
    let engines = [Engine::interp()];
    let texts = fuzz::<TextCase>(&Sequence::new(2, count), &damaged, &engines, &|_| ());
    if let Some(failure) = &texts.failure {
        panic!("text {} of 2:\n{}", failure.index, failure.report());
    }
    let (tally, seconds) = (texts.tally, texts.elapsed.as_secs());
    println!("{} texts in {seconds} s: {tally}", tally.cases);
    assert!(tally.slowest < Duration::from_secs(10), "{tally}");
}

/// A fault in the program of a text.
type Change = fn(&mut Inst);

/// Replaces an opcode by one with the same operands.
fn exchange(inst: &mut Inst, from: Opcode, to: Opcode) {
    if inst.op == from {
        inst.op = to;
    }
}

/// Faults in the interpreter alone: only the evaluator of texts can find them.
const FAULTS: [(&str, Change); 9] = [
    ("raw results that are flushed", |inst| {
        if inst.path.modifier() == Some(CtmModifier::Raw) {
            inst.path = ResultPath::Ctm {
                modifier: CtmModifier::X1,
                saturate: false,
            };
        }
    }),
    ("results that are not clamped", |inst| {
        if let ResultPath::Ctm { saturate, .. } = &mut inst.path {
            *saturate = false;
        }
    }),
    ("eighths that are quarters", |inst| {
        if let ResultPath::Ctm { modifier, .. } = &mut inst.path
            && *modifier == CtmModifier::D8
        {
            *modifier = CtmModifier::D4;
        }
    }),
    ("the second one of equal zeros", |inst| {
        exchange(inst, Opcode::Maxge, Opcode::Max);
    }),
    ("choices by a half for those by 0", |inst| {
        exchange(inst, Opcode::Cmpge, Opcode::Cnd);
    }),
    ("roots of absolute values", |inst| {
        exchange(inst, Opcode::Rsqt, Opcode::Rsq);
    }),
    ("pixels below for those to the right", |inst| {
        exchange(inst, Opcode::Mdh, Opcode::Mdv);
    }),
    ("products without the fourth one", |inst| {
        exchange(inst, Opcode::Dp4, Opcode::Dp3);
    }),
    ("zeros that do not win", |inst| inst.zero_wins = false),
];

#[test]
fn an_engine_that_computes_something_else_than_the_text_is_found() {
    for (name, change) in FAULTS {
        let engines = [altered(Interp, Fault::Insts(change))];
        let result = fuzz::<TextCase>(&Sequence::new(1, 6000), &language(), &engines, &|_| ());
        let failure = result
            .failure
            .unwrap_or_else(|| panic!("{name}: not found"));
        let text = failure.report();
        assert!(
            text.starts_with("the text says otherwise: altered lane "),
            "{name}: {text}"
        );
        assert!(failure.case.text.lines().count() <= 6, "{name}: {text}");
        let (file, _) = failure.file();
        assert_eq!(check_text(&file, &Engine::all()), Ok(()), "{name}");
        assert!(check_text(&file, &engines).is_err(), "{name}: {text}");
    }
}

#[test]
fn the_undamaged_programs_are_programs() {
    for text in PROGRAMS {
        ctm::compile(text).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn texts_of_one_thing_take_no_time() {
    for piece in PIECES {
        for start in ["", "rgb ", "rgb mad t0 = ", "const c0 = "] {
            let text = format!("{start}{}", piece.repeat(100_000));
            let start = std::time::Instant::now();
            let read = ctm::parse(&text);
            let mistakes = read.err().map(|error| error.diagnostics);
            for it in mistakes.into_iter().flatten() {
                assert!(text.get(it.span.clone()).is_some(), "{it}");
            }
            let time = start.elapsed();
            assert!(time < Duration::from_secs(5), "{piece:?}: {time:?}");
        }
    }
}
