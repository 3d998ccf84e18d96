//! TGSI programs in commands that take programs.

use std::fs;
use std::path::Path;

use expect_test::expect;

use crate::attila;

const ROOTS: &str = "FRAG
DCL IN[0], GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0..1]
DCL CONST[1][0..1]
DCL SAMP[2]
DCL SVIEW[2], 2D_ARRAY, FLOAT
DCL TEMP[0..1]
RSQ TEMP[0], IN[0].xxxx
TEX TEMP[1], IN[0], SAMP[2], 2D_ARRAY
MAD TEMP[0], TEMP[0], CONST[1], CONST[1][0]
ADD OUT[0], TEMP[0], TEMP[1]
END
";

#[test]
fn translations_say_what_their_registers_are_for() {
    let outcome = attila("translate - --local 1=1,0.5,0,1 --env 0=2", ROOTS);
    expect![[r#"
        ; the text: dialect T23, inputs 1, outputs 1, samplers 1; ATTILA instructions 4
        ;! stage fragment
        ; i11 = GENERIC[1]
        ; o1 = COLOR[0]
        ; t2 = 2D_ARRAY
        ;! const c0 = 1 0.5 0 1 ; CONST[0][1]
        ;! const c1 = 2 ; CONST[1][0]
        .extended fragment
        rsqt r0, i11.x
        xtex r1, i11, t2.2d_array
        mad r0, r0, c0, c1
        add o1, r0, r1 <- end
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn the_dialect_is_an_option() {
    let root =
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nRSQ OUT[0], IN[0].xxxx\nEND";
    for (option, expected) in [
        ("", "rsqt o1, i10.x <- end"),
        (" --dialect t7", "rsq o1, i10.x <- end"),
        (" --dialect T10", "rsqt o1, i10.x <- end"),
    ] {
        let outcome = attila(&format!("translate -{option}"), root);
        assert!(
            outcome.stdout.contains(expected),
            "{option}: {}",
            outcome.stdout
        );
    }
    let outcome = attila("check - --dialect T8", root);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("the dialects are T7, T10, T23"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn large_buffers_are_directives_of_their_own() {
    let text = "FRAG
DCL OUT[0], COLOR
DCL CONST[0..1023]
DCL ADDR[0]
IMM[0] UINT32 {0, 1, 2, 600}
UARL ADDR[0].x, IMM[0].yyyy
ADD OUT[0], CONST[ADDR[0].x], CONST[600]
END";
    let outcome = attila("translate - --local 1=1,2,3,4", text);
    expect![[r#"
        ; the text: dialect T23, outputs 1; ATTILA instructions 3
        ;! stage fragment
        ; o1 = COLOR[0]
        ;! const c0 = 1i 600i 0 0
        ;! buffer b0 = 0 0 0 0 1 2 3 4
        .extended fragment
        ldc r0, c0.x, b0
        ldc r1, c0.y, b0
        add o1, r0, r1 <- end
    "#]]
    .assert_eq(&outcome.transcript());
    let command = "run - --engine all --local 1=1,2,3,4 --local 600=1,1,1,1";
    let outcome = attila(command, text);
    expect![[r#"
        o1     all  2.0           3.0           4.0           5.0
        --- stderr
        interp, ir and jit agree in every register
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn warnings_are_shown_by_every_command_that_reads_the_text() {
    let text = "FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\nIMM FLT32 {0, 1, 2, 3}\n\
                DIV OUT[0], IN[0], IMM[0].xxxx\nEND\n";
    for command in ["check -", "run -", "translate -", "asm --hex -"] {
        let outcome = attila(command, text);
        assert_eq!(outcome.code, 0, "{command}");
        let said = crate::without_codes(&outcome.stderr);
        let shown = said.matches("warning: DIV divides by 0").count();
        assert_eq!(shown, 1, "{command}: {}", outcome.stderr);
    }
}

#[test]
fn several_mistakes_of_an_instruction_are_shown_with_carets() {
    let text = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\n  0: ADD OUT[1], TEMP[1], IN[0]\n  1: KILL.x\n  2: END\n";
    let outcome = attila("check -", text);
    expect![[r#"
        --- stderr
        error[T04]: `OUT[1]` is not declared
          ┌─ <stdin>:4:10
          │
        4 │   0: ADD OUT[1], TEMP[1], IN[0]
          │          ^^^^^^
          │
          = help: the text declares OUT[0]

        error[T04]: `TEMP[1]` is not declared
          ┌─ <stdin>:4:18
          │
        4 │   0: ADD OUT[1], TEMP[1], IN[0]
          │                  ^^^^^^^
          │
          = help: the text declares TEMP[0]

        error[T04]: `IN[0]` is not declared
          ┌─ <stdin>:4:27
          │
        4 │   0: ADD OUT[1], TEMP[1], IN[0]
          │                           ^^^^^
          │
          = help: write `DCL IN[0]`

        error[T14]: KILL has no result to mask
          ┌─ <stdin>:5:10
          │
        5 │   1: KILL.x
          │          ^^

        --- exit code 1
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn tessellation_is_refused_by_name() {
    let outcome = attila("check -", "TESS_EVAL\nDCL OUT[0], POSITION\nEND\n");
    expect![[r#"
        --- stderr
        error[T09]: `TESS_EVAL` is not supported: there are no tessellation stages
          ┌─ <stdin>:1:1
          │
        1 │ TESS_EVAL
          │ ^^^^^^^^^

        --- exit code 1
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn translations_survive_being_assembled_and_disassembled() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpora/tgsi");
    let mut programs = 0;
    for file in fs::read_dir(folder).expect("the folder is there") {
        let path = file.expect("it can be read").path();
        if path.extension().is_none_or(|it| it != "tgsi") {
            continue;
        }
        let translated = attila(&format!("translate {}", path.display()), "");
        if translated.code != 0 {
            continue;
        }
        programs += 1;
        let words = attila("asm --hex -", &translated.stdout);
        let shown = attila("dis -", &words.stdout);
        let lines = translated.stdout.lines();
        let lines: Vec<&str> = lines.filter(|line| !line.starts_with(';')).collect();
        assert_eq!(shown.stdout.trim_end(), lines.join("\n"), "{path:?}");
        let again = attila("asm --hex -", &shown.stdout);
        assert_eq!(again.stdout, words.stdout, "{path:?}");
    }
    assert!(programs >= 12, "only {programs} programs");
}

#[test]
fn a_corpus_of_tgsi_texts_is_compared_on_all_engines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpora/tgsi");
    let outcome = attila(&format!("corpus {}", folder.display()), "");
    expect![[r#"
        vertex programs to accept: 2 of 2 agree
        fragment programs to accept: 8 of 8 agree
        fragment programs to reject: 6 of 6 agree
        geometry programs to accept: 1 of 1 agree
        compute programs to accept: 1 of 1 agree
        compute programs to reject: 2 of 2 agree
        in all: 20 of 20 agree, with LF and with CR LF
        in all forms and on all engines: 11 of 12 programs agree; 1 not compared, as results depend on the payload of a NaN
    "#]]
    .assert_eq(&outcome.transcript());
}
