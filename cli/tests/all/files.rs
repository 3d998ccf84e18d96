//! Programs in files as they are: several in one, other lines around them, and many files at once.

use std::fs;
use std::path::PathBuf;

use expect_test::expect;

use crate::{attila, attila_bytes, scratch};

const VERTEX: &str = "!!ARBvp1.0\nMOV result.position, vertex.position;\nEND\n";
const FRAGMENT: &str = "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n";

/// Three dumps of a log.
const LOG: &str =
    "radeonsi: compiling\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n
FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 2, 3, 4}\n  0: MOV OUT[0], IMM[0]\n  1: END
FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {5, 6, 7, 8}\n  0: MOV OUT[0], IMM[0]\n  1: END\n";

/// A folder of that name with these files.
fn folder(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = scratch(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
    folder
}

#[test]
fn check_reports_every_program_of_a_file() {
    let outcome = attila(
        "check -",
        &format!("{VERTEX}\n{}", FRAGMENT.replace("color;", "colour;")),
    );
    expect![[r#"
        <stdin>:1: a valid vertex program
          instructions  1 (16 bytes)
          control flow  none
          inputs        i0
          outputs       o0
        --- stderr
        error[T04]: fragment programs have no binding with `colour` here
          ┌─ <stdin>:6:28
          │
        6 │ MOV result.color, fragment.colour;
          │                            ^^^^^^
          │
          = help: did you mean `color`?

        --- exit code 1
    "#]]
    .assert_eq(&outcome.transcript());
    let outcome = attila("check - --stage fragment", &format!("{VERTEX}{FRAGMENT}"));
    assert!(
        outcome
            .stdout
            .starts_with("<stdin>: a valid fragment program\n"),
        "{}",
        outcome.stdout
    );
    assert_eq!(outcome.code, 0);
}

#[test]
fn a_command_that_takes_one_program_asks_which() {
    let pair = format!("{VERTEX}\n{FRAGMENT}");
    expect![[r#"
        --- stderr
        error: a second program starts at line 5
          ┌─ <stdin>:5:1
          │
        5 │ !!ARBfp1.0
          │ ^^^^^^^^^^
          │
          = help: choose program 2, or the one for the stage fragment

        --- exit code 1
    "#]]
    .assert_eq(&attila("run -", &pair).transcript());
    let fragment = "o1     all  0.0           0.0           0.0           0.0\n";
    for choice in ["--stage fragment", "--program 2"] {
        for command in ["run -", "translate -"] {
            let outcome = attila(&format!("{command} {choice}"), &pair);
            assert_eq!(
                (outcome.code, outcome.stderr.as_str()),
                (0, ""),
                "{command} {choice}"
            );
        }
        assert_eq!(attila(&format!("run - {choice}"), &pair).stdout, fragment);
    }
    for command in ["asm --hex", "emit"] {
        assert_eq!(
            attila(&format!("{command} - --program 2"), &pair).code,
            0,
            "{command}"
        );
    }
    // A picture is drawn by the only program that can.
    let picture = scratch("of-a-pair.png");
    let outcome = attila(
        &format!("render - --size 4x4 -o {}", picture.display()),
        &pair,
    );
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let refused = attila("run - --program 3", &pair).stderr;
    assert_eq!(
        refused,
        "error: <stdin>: there is no program 3: the file has 2\n"
    );
    let refused = attila("run - --program 2", "mov o1, i1").stderr;
    assert_eq!(
        refused,
        "error: <stdin>: there is no program 2: the file has 1\n"
    );
    assert_eq!(attila("run - --program 0", &pair).code, 2);
}

#[test]
fn logs_hold_many_programs() {
    let outcome = attila("run - --stage fragment", LOG);
    expect![[r#"
        --- stderr
        warning: line 1 before the program is skipped
          ┌─ <stdin>:1:1
          │
        1 │ radeonsi: compiling
          │ ^^^^^^^^^^^^^^^^^^^

        error: a second fragment program starts at line 13
           ┌─ <stdin>:13:1
           │
        13 │ FRAG
           │ ^^^^
           │
           = help: choose program 3

        --- exit code 1
    "#]]
    .assert_eq(&outcome.transcript());
    let outcome = attila("run - --program 3", LOG);
    assert_eq!(
        outcome.stdout,
        "o1     all  5.0           6.0           7.0           8.0\n"
    );
    let outcome = attila("check -", LOG);
    let valid = outcome
        .stdout
        .lines()
        .filter(|line| line.starts_with("<stdin>:"));
    assert!(
        valid.eq([
            "<stdin>:2: a valid vertex program",
            "<stdin>:8: a valid fragment program",
            "<stdin>:13: a valid fragment program",
        ]),
        "{}",
        outcome.stdout
    );
}

#[test]
fn places_are_those_of_the_file() {
    let wrong = LOG.replace(
        "MOV OUT[0], IMM[0]\n  1: END\n",
        "MVO OUT[0], IMM[0]\n  1: END\n",
    );
    let said = attila("run - --program 3", &wrong).stderr;
    assert!(said.contains("<stdin>:16:6"), "{said}");
    let traced = attila("run - --program 2 --trace", LOG).stdout;
    assert!(traced.contains("     11  MOV OUT[0], IMM[0]"), "{traced}");
}

#[test]
fn what_stands_around_programs_is_skipped_with_a_warning() {
    let text = format!("# a wall\n\n{FRAGMENT}/* by me */\n#version 110\nvoid main() {{}}\n");
    let outcome = attila("run -", &text);
    expect![[r#"
        o1     all  0.0           0.0           0.0           0.0
        --- stderr
        warning: line 1 before the program is skipped
          ┌─ <stdin>:1:1
          │
        1 │ # a wall
          │ ^^^^^^^^

        warning: lines 6 to 8 after the program are skipped: GLSL
          ┌─ <stdin>:6:1
          │
        6 │ /* by me */
          │ ^^^^^^^^^^^

    "#]]
    .assert_eq(&outcome.transcript());
    for (text, warning) in [
        (
            format!("\n{FRAGMENT}"),
            "blanks before the program are skipped",
        ),
        (
            format!("{FRAGMENT}\0\0"),
            "zero bytes after the text are skipped",
        ),
        (
            format!("{FRAGMENT}\0log: 1\n"),
            "line 4 after the program is skipped",
        ),
        (
            format!("{FRAGMENT}\x1a"),
            "zero bytes after the text are skipped",
        ),
        (
            "mov o1, i1\n\0".to_owned(),
            "zero bytes after the text are skipped",
        ),
    ] {
        let outcome = attila("check -", &text);
        assert_eq!(outcome.code, 0, "{text:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(warning), "{}", outcome.stderr);
        assert_eq!(
            outcome.stderr.matches("warning").count(),
            1,
            "{}",
            outcome.stderr
        );
    }
    let pair = format!("{VERTEX}\0{FRAGMENT}\0");
    let outcome = attila("check -", &pair);
    assert_eq!(
        outcome.stdout.matches("a valid").count(),
        2,
        "{}",
        outcome.stdout
    );
    // Within a program they are mistakes.
    let broken = format!("{}# a longer text\n", FRAGMENT.replace(", ", ",\0"));
    let said = attila("check -", &broken).stderr;
    assert!(
        said.contains("has the byte 0x00 at line 2, column 18"),
        "{said}"
    );
    let garbage = [FRAGMENT.as_bytes(), b"\0\x01\xff\x02\x03"].concat();
    assert_eq!(attila_bytes("check -", &garbage).code, 0);
}

#[test]
fn a_header_that_is_known_is_never_overruled() {
    let text = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nSHORT TEMP a;\nMOVH a, fragment.color;\n\
                MOVR result.color, a;\nEND\n";
    let outcome = attila("check -", text);
    assert_eq!(outcome.code, 1);
    assert!(
        !outcome.stderr.contains("not a program"),
        "{}",
        outcome.stderr
    );
    assert!(
        outcome
            .stderr
            .contains("have no option `NV_fragment_program2`"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn each_of_many_files_gets_a_line() {
    let pair = format!("{VERTEX}{FRAGMENT}");
    let folder = folder(
        "many-files",
        &[
            ("a.attila", b"mov o1, i1\n"),
            ("b.vfp", pair.as_bytes()),
            ("c.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
            ("d.arbfp", b"!!ARBfp1.0\nMVO a;\nEND"),
            ("e.md", b"# Read me\n\nThese are shaders.\nSome are old.\n"),
        ],
    );
    let place = folder.display().to_string();
    let outcome = attila(&format!("check {place}"), "");
    let shown = outcome.transcript().replace(&format!("{place}/"), "");
    expect![[r#"
        a.attila: a valid fragment program
        b.vfp: 2 programs: 2 valid
        c.png: skipped: not a program
        d.arbfp: not valid
        e.md: skipped: not a program
        5 files: 2 valid, 1 not valid, 2 skipped
        --- stderr
        error[T03]: unknown instruction `MVO`
          ┌─ d.arbfp:2:1
          │
        2 │ MVO a;
          │ ^^^
          │
          = help: did you mean `MOV`?

        --- exit code 1
    "#]]
    .assert_eq(&shown);
    let outcome = attila(
        &format!("check {place}/a.attila - {place}/b.vfp"),
        "mov o1, i1",
    );
    expect![[r#"
        a.attila: a valid fragment program
        <stdin>: a valid fragment program
        b.vfp: 2 programs: 2 valid
        3 files: 3 valid
    "#]]
    .assert_eq(&outcome.transcript().replace(&format!("{place}/"), ""));
    // A file that is named has to be a program.
    let outcome = attila(
        &format!("check {place}/a.attila {place}/c.png no-such-file"),
        "",
    );
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stdout.ends_with("3 files: 1 valid, 2 not valid\n"),
        "{}",
        outcome.stdout
    );
    assert!(
        outcome.stderr.contains("cannot read no-such-file"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn folders_without_what_a_command_takes_are_an_error() {
    let place = folder(
        "no-programs",
        &[("e.md", b"# Read me\n\nThese are shaders.\nSome are old.\n")],
    );
    let place = place.display();
    for (command, what) in [("check", "programs"), ("shader-test", "tests")] {
        let outcome = attila(&format!("{command} {place}"), "");
        assert_eq!(outcome.code, 1, "{command}");
        assert_eq!(
            crate::without_codes(&outcome.stderr),
            format!("error: there are no {what} in {place}\n")
        );
    }
}

#[test]
fn options_for_what_the_program_does_not_read_are_a_warning_each() {
    let arb = "!!ARBfp1.0\nTEX result.color, program.local[1], texture[2], 2D;\nEND";
    let unread = "<stdin>: the program does not read";
    for (arguments, text, warnings) in [
        (
            "run - --texture t3=white --texture t16=white --texture t2=white",
            arb,
            vec!["t3", "t16"],
        ),
        (
            "run - --local 0=1 --local 1=1 --env 1=1",
            arb,
            vec!["parameter 0 of `--local`", "parameter 1 of `--env`"],
        ),
        (
            "run - --set c5=1 --set i3=1 -s i1=1 -s r5=1",
            "mov o1, i1",
            vec!["i3", "c5"],
        ),
        (
            "run - --local 0=1",
            "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\n0: MOV OUT[0], CONST[0]\n1: END",
            vec![],
        ),
        (
            "run - --local 1=1",
            "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\n0: MOV OUT[0], CONST[0]\n1: END",
            vec!["parameter 1 of `--local`"],
        ),
    ] {
        let said = attila(arguments, text).stderr;
        let mut lines: Vec<&str> = said.lines().filter(|line| line.contains(unread)).collect();
        lines.sort_unstable();
        assert_eq!(lines.len(), warnings.len(), "{arguments}: {said}");
        for warning in warnings {
            let start = format!("warning: {unread} {warning}");
            assert!(
                lines.iter().any(|line| line.starts_with(&start)),
                "{arguments}: {said}"
            );
        }
    }
    let picture = scratch("unread.png");
    let arguments = "--size 4x4 --varying i6=u,v,0,1 --set c2=1 --set i7=1 --texture t1=white";
    let outcome = attila(
        &format!("render - {arguments} -o {}", picture.display()),
        "mov o1, i6",
    );
    assert_eq!(outcome.code, 0);
    expect![[r#"
        warning: <stdin>: the program does not read t1, which is set for it
        warning: <stdin>: the program does not read c2, which is set for it
        warning: <stdin>: the program does not read i7, which is set for it
    "#]]
    .assert_eq(&outcome.stderr);
    for (option, language) in [
        ("--dialect T7", "TGSI"),
        ("--agal 1", "AGAL"),
        ("--strict", "AGAL"),
    ] {
        let said = attila(&format!("check - {option}"), "mov o1, i1").stderr;
        assert!(
            said.contains(&format!("is for {language} programs")),
            "{said}"
        );
    }
    let said = attila("check - --local 0=1", "mov o1, i1").stderr;
    assert!(said.contains("`--set c0=...` sets a constant"), "{said}");
}

#[test]
fn programs_that_draw_nothing_say_what_runs_them() {
    let outcome = attila("render -", VERTEX);
    expect![[r#"
        --- stderr
        error: <stdin>: this is a vertex program, and fragment programs draw pictures; `attila run` runs it, and tests for `attila shader-test` draw with several programs
        --- exit code 1
    "#]].assert_eq(&outcome.transcript());
    assert_eq!(attila("bench -", VERTEX).stderr, outcome.stderr);
}

#[test]
fn columns_stay_apart() {
    let outcome = attila("run - -s i0=1.0000001e-30,-1.2345678e-30,3,4", "mov o1, i0");
    expect![[r#"
        o1     all  1.0000001e-30  -1.2345678e-30  3.0           4.0
    "#]]
    .assert_eq(&outcome.transcript());
    for line in attila("ops", "").stdout.lines() {
        assert_eq!(&line[2..4], "  ", "{line}");
        assert!(line[4..].contains("  "), "{line}");
    }
}
