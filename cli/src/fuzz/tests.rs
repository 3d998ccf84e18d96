use attila_conformance::altered::{Fault, altered, altered_as};
use attila_conformance::check_text;
use attila_shader::isa::{Inst, Opcode};
use attila_shader::texture::Wrap;
use attila_shader::{Interp, Vectors};
use clap::Parser;

use super::*;
use crate::{Cli, Command};

/// TEX samples with a bias.
const BIASED: Fault = Fault::Insts(|inst: &mut Inst| {
    if inst.op == Opcode::Tex {
        inst.op = Opcode::Txb;
    }
});

/// All textures repeat.
const REPEATING: Fault = Fault::Samplers(|sampler| sampler.wrap = [Wrap::Repeat; 3]);

/// The exit code and the output of `attila fuzz` if the second engine were wrong.
fn fuzz_altered(options: &str, fault: Fault) -> (u8, String) {
    let words = ["attila", "fuzz"].into_iter();
    let cli = Cli::try_parse_from(words.chain(options.split_whitespace()));
    let Ok(Cli {
        command: Command::Fuzz(args),
        ..
    }) = cli
    else {
        panic!("{options} are no options of fuzz");
    };
    let engines = [Engine::interp(), altered(Interp, fault)];
    let mut out = Vec::new();
    let agree = compare(&args, &engines, &mut out).expect("it can be written");
    let text = String::from_utf8(out).expect("it is text");
    (exit_code(agree), text)
}

/// Runs the command at the end of a report, which has to find the same.
fn check_repetition(text: &str, fault: Fault) {
    let again = text.lines().last().expect("there is a text");
    let options = again
        .strip_prefix("again: attila fuzz ")
        .expect("a command");
    let (code, repeated) = fuzz_altered(options, fault);
    assert_eq!(code, 1, "{repeated}");
    // After the counts, which are those of other cases.
    let case = |text: &str| text.split_once("\ncase ").map(|(_, case)| case.to_owned());
    assert_eq!(case(&repeated), case(text));
}

/// Finds a case that differs, and the same again; its text is stored and read back.
fn check_found(options: &str, fault: Fault, expected: &[&str]) -> String {
    let (code, text) = fuzz_altered(options, fault);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("as a file:\n\n; "), "{text}");
    for expected in expected {
        assert!(text.contains(expected), "{expected} in\n{text}");
    }
    check_repetition(&text, fault);
    text
}

#[test]
fn a_difference_in_samples_is_printed_as_a_file_with_images() {
    let options = "textures --cases 500 --seed 5 --jobs 2";
    let expected = [
        "interp and altered differ (",
        ";! image 0 ",
        ";! texels 0 0 #",
        "  * o0.",
    ];
    let text = check_found(options, REPEATING, &expected);
    assert!(!text.contains(";! image 1 "), "{text}");
}

#[test]
fn a_difference_between_draws_is_printed_as_a_file() {
    let expected = "interp and altered differ after frame 0: ";
    check_found("draws --cases 500 --seed 3 --jobs 2", BIASED, &[expected]);
}

#[test]
fn a_difference_between_translations_is_printed_as_short_as_possible() {
    let text = check_found("arb --cases 500 --seed 6 --jobs 2", BIASED, &["\ntex r"]);
    let (arb, program) = text.split_once("interp and altered differ").expect("both");
    assert_eq!(arb.matches("TEX ").count(), 1, "{text}");
    assert!(arb.matches(';').count() <= 4, "{text}");
    assert!(program.matches(";! ").count() <= 2, "{text}");
}

#[test]
fn a_difference_between_programs_is_printed_as_small_as_possible() {
    let text = check_found("--cases 5000 --seed 3 --jobs 2", BIASED, &["\ntex "]);
    assert!(
        text.contains("\nagain: attila fuzz programs --seed 3 --first "),
        "{text}"
    );
}

#[test]
fn a_difference_between_extended_programs_names_the_profile() {
    const SWAPPED: Fault = Fault::Insts(|inst: &mut Inst| {
        if inst.op == Opcode::Maxn {
            inst.op = Opcode::Minn;
        }
    });
    let options = "--profile extended --cases 2000 --seed 3 --jobs 2";
    let text = check_found(options, SWAPPED, &["\n.extended fragment\n", "\nmaxn"]);
    let again = "\nagain: attila fuzz programs --profile extended --seed 3 --first ";
    assert!(text.contains(again), "{text}");
}

#[test]
fn a_difference_between_extended_samples_has_an_image() {
    let options = "textures --profile extended --cases 2000 --seed 3 --jobs 2";
    let text = check_found(options, REPEATING, &["\n.extended ", ";! image 0 "]);
    let again = "\nagain: attila fuzz textures --profile extended --seed 3 --first ";
    assert!(text.contains(again), "{text}");
}

#[test]
fn what_is_stored_is_checked_again() {
    let folder = std::env::temp_dir().join(format!("attila-fuzz-{}", std::process::id()));
    let options = format!("textures --cases 500 --seed 5 --store {}", folder.display());
    let (code, text) = fuzz_altered(&options, REPEATING);
    assert_eq!(code, 1, "{text}");
    let stored = std::fs::read_to_string(folder.join("0001-fuzz.attila"));
    let stored = stored.expect("the case is stored");
    let engines = [Engine::interp(), altered(Interp, REPEATING)];
    assert_eq!(check_text(&stored, &engines[..1]), Ok(()));
    let again = check_text(&stored, &engines);
    assert!(again.is_err_and(|what| what.contains("differ")), "{stored}");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn a_difference_names_the_part_of_the_jit_that_is_wrong() {
    let engine = |kind: EmitterKind, fault| {
        let name = kind.name();
        altered_as(name, Interp, fault)
    };
    let compared = |options: &str, engines: [Engine; 3]| {
        let words = ["attila", "fuzz"].into_iter();
        let cli = Cli::parse_from(words.chain(options.split(' ')));
        let Command::Fuzz(args) = cli.command else {
            panic!("{options} are no options of fuzz");
        };
        let mut out = Vec::new();
        let agree = compare(&args, &engines, &mut out).expect("it can be written");
        assert!(!agree, "{options}");
        String::from_utf8(out).expect("it is text")
    };
    for (options, fault) in [
        ("programs --cases 500 --seed 3 --jobs 2", BIASED),
        ("textures --cases 500 --seed 5", REPEATING),
        ("draws --cases 500 --seed 3", BIASED),
    ] {
        let [ir, jit] = [EmitterKind::Evaluator, EmitterKind::MachineCode];
        let wrong = [ir, jit].map(|kind| engine(kind, fault));
        let [wrong_ir, wrong_jit] = wrong;
        let text = compared(options, [Engine::interp(), wrong_ir, wrong_jit.clone()]);
        assert!(text.contains("on interp, ir and jit in "), "{text}");
        assert!(text.contains("lowering or a pass is wrong"), "{text}");
        let right = Engine::ir().expect("this machine is known");
        let text = compared(options, [Engine::interp(), right, wrong_jit]);
        assert!(text.contains("code generation is wrong"), "{text}");
    }
}

#[test]
fn options_that_became_words_are_refused_with_the_word() {
    for (options, expected) in [
        ("--draws", "`--draws` is a word now: attila fuzz draws"),
        (
            "--textures inlinable",
            "`--textures` is a word now: attila fuzz textures",
        ),
        ("--arb --cases 1", "`--arb` is a word now: attila fuzz arb"),
        ("draws all", "`draws` has only one kind of cases"),
        (
            "draws --profile extended",
            "`draws` has programs of the base profile only",
        ),
        (
            "textures inlinable --profile extended",
            "`textures inlinable` has programs of the base profile only",
        ),
    ] {
        let words = ["attila", "fuzz"].into_iter().chain(options.split(' '));
        let cli = Cli::try_parse_from(words);
        let Ok(Cli {
            command: Command::Fuzz(args),
            ..
        }) = cli
        else {
            panic!("{options} are no options of fuzz");
        };
        let mistake = args.mistake().map(|(_, message)| message);
        assert_eq!(mistake.as_deref(), Some(expected));
    }
}

/// The lines of a summary that do not depend on time.
fn counted(options: &str) -> Vec<String> {
    let words = ["attila", "fuzz"].into_iter();
    let cli = Cli::parse_from(words.chain(options.split(' ')));
    let Command::Fuzz(args) = cli.command else {
        panic!("{options} are no options of fuzz");
    };
    let engines = Engine::all();
    let mut out = Vec::new();
    let agree = compare(&args, &engines, &mut out).expect("it can be written");
    let text = String::from_utf8(out).expect("it is text");
    assert!(agree, "{text}");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // Times.
    lines[0] = lines[0].split_once(": ").expect("counts").1.to_owned();
    lines.remove(1);
    lines
}

#[test]
fn a_comparison_in_parts_counts_what_one_in_one_piece_does() {
    let name = format!("attila-parts-{}.json", std::process::id());
    let path = std::env::temp_dir().join(name);
    let whole = counted("programs --cases 60 --seed 3 --jobs 1");
    for until in [25, 25, 60] {
        let part = counted(&format!(
            "programs --until {until} --seed 3 --jobs 2 --checkpoint {}",
            path.display()
        ));
        assert_eq!(part == whole, until == 60, "{part:#?}\n{whole:#?}");
    }
    std::fs::remove_file(&path).expect("it was written");
}

#[test]
fn the_summary_says_which_code_ran() {
    let lines = counted("programs --cases 40 --seed 3 --jobs 2");
    let widest = *Vectors::here().last().expect("there are some");
    let widest = match widest {
        Vectors::V512 => "512 bits",
        Vectors::V256 => "256 bits",
        Vectors::V128 | Vectors::Auto => "128 bits",
    };
    let says = |engine: &str, kind: &str| {
        let mut lines = lines.iter();
        lines.any(|line| line.starts_with(engine) && line.contains(kind))
    };
    assert!(says("interp", "interpreted"), "{lines:#?}");
    assert!(says("ir", "evaluated"), "{lines:#?}");
    assert!(says("jit ", widest), "{lines:#?}");
    assert!(says("warning: jit ran fewer", widest), "{lines:#?}");
}
