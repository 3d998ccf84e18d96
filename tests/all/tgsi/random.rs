//! Random TGSI texts against the evaluator of texts, bit for bit, and damaged texts on every engine.

#![expect(clippy::print_stdout, reason = "tests say what they counted")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use attila_conformance::altered::{Fault, altered};
use attila_conformance::texts::tgsi::{PROGRAMS, damaged, damaged_text, program};
use attila_conformance::texts::{TextCase, TextLanguage};
use attila_conformance::{Dice, Sequence, Subject, Tally, check_text, fuzz};
use attila_shader::front::tgsi::{self, OPCODES, Options, Role};
use attila_shader::isa::{Component, Inst, Opcode, Operand};
use attila_shader::{Engine, Interp};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

fn language() -> &'static TextLanguage {
    TextLanguage::find("tgsi").expect("it has random texts")
}

#[test]
fn texts_are_refused_inside_them_or_compute_what_they_say_on_all_engines() {
    let sequence = Sequence::new(1, 1500);
    let result = fuzz::<TextCase>(&sequence, &language(), &Engine::all(), &|_| ());
    if let Some(failure) = &result.failure {
        panic!("text {} of 1:\n{}", failure.index, failure.report());
    }
    println!("{}", result.tally);
    let survivors = result.tally.count("programs from damaged texts");
    assert!(survivors > 50, "{}", result.tally);
}

/// Opcodes that random texts have: all but those of buffers, geometry and jumps to anywhere, and names that they
/// do not use.
#[test]
fn random_texts_have_every_opcode_soon() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut dice = Dice::new(&mut rng);
    let mut seen = BTreeSet::new();
    for _ in 0..6000 {
        let text = program(&mut dice);
        let words = text.split_whitespace();
        seen.extend(words.map(|word| word.split("_SAT").next().unwrap_or(word).to_owned()));
    }
    let is_known = |name: &str| {
        seen.iter()
            .any(|word| word.split("_PRECISE").next() == Some(name))
    };
    let rows = OPCODES.iter().filter(|row| match row.role {
        Role::Memory | Role::Emit | Role::Refused(_) => false,
        Role::Plain
        | Role::Derivative
        | Role::Sample
        | Role::Lookup
        | Role::Interpolate
        | Role::Kill
        | Role::Flow
        | Role::Stack => true,
    });
    let missing: Vec<&str> = rows
        .map(|row| row.name)
        .filter(|name| !is_known(name))
        .collect();
    assert_eq!(missing, ["DEMOTE", "NOP", "BRA"]);
}

/// A fault in the program of a text.
type Change = fn(&mut Inst);

/// A fault of each group, in the interpreter alone: only the evaluator of texts can find it.
const FAULTS: [(&str, Change); 9] = [
    ("the larger double for the smaller", |inst| {
        if inst.op == Opcode::Dmin {
            inst.op = Opcode::Dmax;
        }
    }),
    ("doubles that are not equal for equal ones", |inst| {
        if inst.op == Opcode::Dseq {
            inst.op = Opcode::Dsne;
        }
    }),
    (
        "signed integers for unsigned ones that become doubles",
        |inst| {
            if inst.op == Opcode::U2d {
                inst.op = Opcode::I2d;
            }
        },
    ),
    ("offsets that get lost", |inst| {
        let has_offset = [Opcode::Xtex, Opcode::Xtxl, Opcode::Txf].contains(&inst.op);
        if has_offset {
            inst.operands[2] = Operand::None;
        }
    }),
    ("another gathered component", |inst| {
        if let Some(texture) = &mut inst.texture
            && inst.op == Opcode::Tg4
        {
            texture.gather = Component::X;
        }
    }),
    ("levels taken for biases", |inst| {
        if inst.op == Opcode::Xtxl {
            inst.op = Opcode::Xtxb;
        }
    }),
    ("fractions of doubles for their floors", |inst| {
        if inst.op == Opcode::Dflr {
            inst.op = Opcode::Dfrac;
        }
    }),
    ("coordinates that are not divided", |inst| {
        if inst.op == Opcode::Txp {
            inst.op = Opcode::Tex;
        }
    }),
    ("mantissas for doubles", |inst| {
        if inst.op == Opcode::Dtrunc {
            inst.op = Opcode::Dfrexpm;
        }
    }),
];

#[test]
fn an_engine_that_computes_something_else_than_the_text_is_found() {
    for (name, change) in FAULTS {
        let engines = [altered(Interp, Fault::Insts(change))];
        let sequence = Sequence::new(1, 6000);
        let result = fuzz::<TextCase>(&sequence, &language(), &engines, &|_| ());
        let failure = result
            .failure
            .unwrap_or_else(|| panic!("{name}: not found"));
        let text = failure.report();
        assert!(
            text.starts_with("the text says otherwise: altered lane "),
            "{name}: {text}"
        );
        let (file, _) = failure.file();
        assert_eq!(check_text(&file, &Engine::all()), Ok(()), "{name}");
    }
}

#[test]
fn the_undamaged_programs_are_programs() {
    for text in PROGRAMS {
        tgsi::compile(text, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Checks a damaged text; its evaluation is part of it if it is a program.
fn check_damaged(text: String, seed: u32, engines: &[Engine], tally: &mut Tally) {
    let case = TextCase {
        language: language(),
        text,
        valid: false,
        values: seed,
    };
    if let Err(fault) = case.check(engines, tally) {
        panic!("{}\n{}", fault.report(), case.to_text("a damaged text"));
    }
    tally.cases += 1;
}

/// Texts that are tried, unless `ATTILA_DAMAGED` has a number.
const TEXTS: u32 = 1500;

fn count() -> u32 {
    let number = std::env::var("ATTILA_DAMAGED").ok();
    number.map_or(TEXTS, |number| {
        number.parse().expect("ATTILA_DAMAGED is a number")
    })
}

#[test]
fn damaged_texts_are_refused_inside_them_or_run_the_same_on_all_engines() {
    let engines = Engine::all();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut dice = Dice::new(&mut rng);
    let mut tally = Tally::default();
    for seed in 0..count() {
        check_damaged(damaged(&mut dice), seed, &engines, &mut tally);
    }
    println!("{} texts: {tally}", tally.cases);
    assert!(tally.slowest < Duration::from_secs(10), "{tally}");
}

/// All files below a folder with this end.
fn files(folder: &Path, end: &str, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            files(&path, end, found);
        } else if path.extension().is_some_and(|it| it == end) {
            found.push(path);
        }
    }
}

#[test]
#[ignore = "needs ../shared/corpora/tgsi, beside the repository"]
fn damaged_texts_of_the_corpora_are_refused_inside_them_or_run_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora/tgsi");
    let mut paths = Vec::new();
    files(&folder, "tgsi", &mut paths);
    paths.sort_unstable();
    let texts = paths
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok());
    let texts: Vec<String> = texts.collect();
    assert!(!texts.is_empty(), "no texts in {}", folder.display());
    let engines = Engine::all();
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut dice = Dice::new(&mut rng);
    let mut tally = Tally::default();
    for seed in 0..count() {
        let text = &texts[dice.below(texts.len())];
        let text = damaged_text(text, &mut dice);
        check_damaged(text, seed, &engines, &mut tally);
    }
    println!("{} texts: {tally}", tally.cases);
}
