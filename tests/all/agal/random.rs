//! Random AGAL texts and byte programs against the evaluator, bit for bit, and damaged ones on every engine.

#![expect(clippy::print_stdout, reason = "tests say what they counted")]

use std::time::Duration;

use attila_conformance::altered::{Fault, altered};
use attila_conformance::texts::agal::{BytesCase, PIECES, PROGRAMS};
use attila_conformance::texts::{TextCase, TextLanguage};
use attila_conformance::{Sequence, check_text, fuzz};
use attila_shader::front::agal::{self, Form, OPCODES, Options};
use attila_shader::isa::{Inst, Opcode, Operand, ResultPath};
use attila_shader::{Engine, Interp};

fn language() -> &'static TextLanguage {
    TextLanguage::find("agal").expect("it has random texts")
}

#[test]
fn texts_are_refused_inside_them_or_compute_what_they_say_on_all_engines() {
    let sequence = Sequence::new(1, 2000);
    let result = fuzz::<TextCase>(&sequence, &language(), &Engine::all(), &|_| ());
    if let Some(failure) = &result.failure {
        panic!("text {} of 1:\n{}", failure.index, failure.report());
    }
    let tally = result.tally;
    println!("{tally}");
    let known = OPCODES
        .iter()
        .filter(|row| !matches!(row.form, Form::Refused(_)));
    assert_eq!(tally.opcodes.len(), known.count(), "all come up");
    let programs = tally.count("programs");
    let survivors = tally.count("programs from damaged texts");
    assert!(survivors * 10 > tally.cases, "{tally}");
    let undefined = tally.count("programs without defined results");
    assert!(undefined * 20 < programs, "{tally}");
}

#[test]
fn byte_programs_are_refused_inside_them_or_compute_what_they_say_on_all_engines() {
    let result = fuzz::<BytesCase>(&Sequence::new(1, 2000), &(), &Engine::all(), &|_| ());
    if let Some(failure) = &result.failure {
        panic!("program {} of 1:\n{}", failure.index, failure.report());
    }
    let tally = result.tally;
    println!("{tally}");
    assert!(tally.count("programs") * 4 > tally.cases, "{tally}");
    assert!(
        tally.count("refused byte programs") * 4 > tally.cases,
        "{tally}"
    );
}

/// Damaged texts and byte programs that are tried on the interpreter, unless `ATTILA_DAMAGED` has a number.
const DAMAGED: u64 = 1000;

#[test]
fn damaged_texts_and_byte_programs_compute_what_they_say_in_the_interpreter() {
    let count = std::env::var("ATTILA_DAMAGED").ok();
    let count = count.map_or(DAMAGED, |number| {
        number.parse().expect("ATTILA_DAMAGED is a number")
    });
    let engines = [Engine::interp()];
    let damaged = language().damaged().expect("it has damaged texts");
    let texts = fuzz::<TextCase>(&Sequence::new(2, count), &damaged, &engines, &|_| ());
    if let Some(failure) = &texts.failure {
        panic!("text {} of 2:\n{}", failure.index, failure.report());
    }
    let seconds = texts.elapsed.as_secs();
    println!(
        "{} texts in {seconds} s: {}",
        texts.tally.cases, texts.tally
    );
    let bytes = fuzz::<BytesCase>(&Sequence::new(2, count), &(), &engines, &|_| ());
    if let Some(failure) = &bytes.failure {
        panic!("program {} of 2:\n{}", failure.index, failure.report());
    }
    let seconds = bytes.elapsed.as_secs();
    println!(
        "{} byte programs in {seconds} s: {}",
        bytes.tally.cases, bytes.tally
    );
    let slowest = texts.tally.slowest.max(bytes.tally.slowest);
    assert!(slowest < Duration::from_secs(10), "{slowest:?}");
}

/// A fault in the program of a text.
type Change = fn(&mut Inst);

/// Faults in the interpreter alone: only the evaluator of texts can find them.
const FAULTS: [(&str, Change); 9] = [
    ("1 for NaN that is not less", |inst| {
        if inst.op == Opcode::Sgeo {
            inst.op = Opcode::Sge;
        }
    }),
    ("roots of absolute values", |inst| {
        if inst.op == Opcode::Rsqt {
            inst.op = Opcode::Rsq;
        }
    }),
    ("three rows of three for those of four", |inst| {
        if inst.op == Opcode::Dp4 {
            inst.op = Opcode::Dp3;
        }
    }),
    ("the smaller one with its sources exchanged", |inst| {
        let is_pair = matches!(inst.operands[1], Operand::Reg(_));
        if inst.op == Opcode::Min && is_pair && inst.relative.is_none() {
            inst.operands.swap(0, 1);
        }
    }),
    ("numbers that are not limited", |inst| {
        inst.path = ResultPath::Plain;
    }),
    ("biases that get lost", |inst| {
        if inst.op == Opcode::Txb {
            inst.op = Opcode::Tex;
        }
    }),
    (
        "constants that are computed without their distance",
        |inst| {
            if let Some(relative) = &mut inst.relative {
                relative.offset = 0;
            }
        },
    ),
    ("differences downwards for those to the right", |inst| {
        if inst.op == Opcode::Ddx {
            inst.op = Opcode::Ddy;
        }
    }),
    (
        "branches for smaller numbers that are for larger ones",
        |inst| {
            if inst.op == Opcode::Setplt {
                inst.op = Opcode::Setpgt;
            }
        },
    ),
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
        assert!(failure.case.text.lines().count() <= 8, "{name}: {text}");
        let (file, _) = failure.file();
        assert_eq!(check_text(&file, &Engine::all()), Ok(()), "{name}");
        assert!(check_text(&file, &engines).is_err(), "{name}: {text}");
    }
}

#[test]
fn the_undamaged_programs_are_programs() {
    for text in PROGRAMS {
        agal::compile(text, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn texts_of_one_thing_take_no_time() {
    for piece in PIECES {
        for start in ["", "mov ", "mov oc, ", "tex oc, v0, fs0 <"] {
            let text = format!("{start}{}", piece.repeat(100_000));
            let start = std::time::Instant::now();
            let read = agal::assemble(&text, &Options::default());
            let mistakes = read.err().map(|error| error.diagnostics);
            for it in mistakes.into_iter().flatten() {
                assert!(text.get(it.span.clone()).is_some(), "{it}");
            }
            let time = start.elapsed();
            assert!(time < Duration::from_secs(5), "{piece:?}: {time:?}");
        }
    }
}
