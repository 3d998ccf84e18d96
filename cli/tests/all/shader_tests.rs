//! `shader-test` and `corpus`.

use std::fs;
use std::path::PathBuf;

use expect_test::expect;

use crate::render::pixels;
use crate::{attila, scratch};

const TEST: &str = "\
[vertex program]
!!ARBvp1.0
MOV result.position, vertex.position;
MOV result.color, vertex.color;
END
[test]
clear color 0 0 1 1
clear
draw rect -1 -1 1 1
";

fn file(name: &str, text: &str) -> PathBuf {
    let path = scratch(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn probes_are_counted_and_failed_ones_shown() {
    let good = format!("{TEST}probe rgba 0 0 1 1 1 1\nprobe rgba 249 249 0 0 1 1\n");
    for engine in ["auto", "interp", "ir", "jit", "both", "all"] {
        let outcome = attila(&format!("shader-test --engine {engine} -"), &good);
        assert_eq!(outcome.transcript(), "<stdin>: 2 probes: 2 passed\n");
    }
    let bad = format!("{good}probe all rgba 1 1 1 1\n");
    expect![[r#"
        <stdin>:12: probe all rgba 1 1 1 1
          at (125, 0) and 46874 more pixels: expected 1 1 1 1, seen 0 0 1 1
        <stdin>: 3 probes: 2 passed, 1 failed
        --- exit code 1
    "#]]
    .assert_eq(&attila("shader-test -", &bad).transcript());
}

#[test]
fn several_tests_are_summed_up() {
    let good = file("good.shader_test", &format!("{TEST}probe rgb 0 0 1 1 1"));
    let skipped = file(
        "skipped.shader_test",
        &format!("[require]\nGL >= 3.0\n{TEST}"),
    );
    let broken = file(
        "broken.shader_test",
        &TEST.replace("vertex.color", "vertex.colour"),
    );
    let files = [&good, &skipped, &broken].map(|path| path.display().to_string());
    let outcome = attila(&format!("shader-test {}", files.join(" ")), "");
    let folder = good.parent().unwrap().display().to_string();
    let transcript = outcome.transcript().replace(&format!("{folder}/"), "");
    expect![[r#"
        good.shader_test: 1 probe: 1 passed
        skipped.shader_test: skipped: it requires GL >= 3.0; this is 1.5
        broken.shader_test: failed: a program has mistakes
        3 tests: 1 passed, 1 failed, 1 skipped; 1 probe: 1 passed
        --- stderr
        error: vertex programs have no binding with `colour` here
          ┌─ broken.shader_test:4:26
          │
        4 │ MOV result.color, vertex.colour;
          │                          ^^^^^^
          │
          = help: did you mean `color`?

        --- exit code 1
    "#]]
    .assert_eq(&transcript);
}

#[test]
fn a_script_that_is_none_is_shown_with_its_line() {
    let outcome = attila("shader-test -", &format!("{TEST}probe pixel 0 0 1 1 1\n"));
    expect![[r#"
        <stdin>: failed: the text has mistakes
        --- stderr
        error: expected another word after `probe`
           ┌─ <stdin>:10:1
           │
        10 │ probe pixel 0 0 1 1 1
           │ ^^^^^
           │
           = help: the commands are `probe all rgba`, `probe rgba`, `probe rgb`, `probe depth`

        --- exit code 1
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn what_was_drawn_is_saved_the_right_way_up() {
    let picture = scratch("drawn.png");
    let outcome = attila(&format!("shader-test - --save {}", picture.display()), TEST);
    assert_eq!(outcome.transcript(), "<stdin>: 0 probes: 0 passed\n");
    let pixels = pixels(&picture);
    let rows: Vec<&str> = pixels.lines().collect();
    assert_eq!(rows.len(), 250);
    // The rectangle is at the lower left.
    assert!(rows[249].starts_with("ffffff") && rows[249].ends_with("0000ff"));
    assert!(rows[0].starts_with("0000ff"));
    let several = attila("shader-test a b --save c.png", "");
    assert_eq!(several.code, 2);
    assert!(
        several.stderr.contains("there are several"),
        "{}",
        several.stderr
    );
}

const TGSI: &str = "\
[tgsi vertex]
VERT
DCL IN[0]
DCL OUT[0], POSITION
MOV OUT[0], IN[0]
END
[tgsi fragment]
FRAG
DCL OUT[0], COLOR
DCL CONST[0]
MOV OUT[0], CONST[0]
END
[vertex data]
IN[0]
-1 -1 0 1
3 -1 0 1
-1 3 0 1
[test]
target 2 1 rgba32f
const FRAG 0 0 0x3f800000 0 0x3f000000 0x3f800000
draw TRIANGLES 0 3
";

#[test]
fn tests_of_tgsi_programs_are_found_in_folders() {
    let folder = scratch("tgsi-tests");
    let _ = fs::create_dir_all(folder.join("inner"));
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write(
        "inner/good.tgsi_test",
        &format!("{TGSI}probe 1 0 1 0 0.5 1\n"),
    );
    write("bad.tgsi_test", &format!("{TGSI}probe 1 0 1 0 0.5 0.5\n"));
    write("notes.txt", "no test");
    write(
        "refused.tgsi_test",
        &TGSI.replace("[0], CONST[0]", "[0], CONST[1]"),
    );
    write("skipped.tgsi_test", &format!("[require]\ntimers\n{TGSI}"));
    write("old.shader_test", &format!("{TEST}probe rgb 0 0 1 1 1"));
    let outcome = attila(&format!("shader-test {}", folder.display()), "");
    let transcript = outcome.transcript();
    let transcript = transcript.replace(&format!("{}/", folder.display()), "");
    expect![[r#"
        bad.tgsi_test:22: probe 1 0 1 0 0.5 0.5
          expected 1 0 0.5 0.5, seen 1 0 0.5 1
        bad.tgsi_test: 1 probe: 0 passed, 1 failed
        inner/good.tgsi_test: 1 probe: 1 passed
        old.shader_test: 1 probe: 1 passed
        refused.tgsi_test: refused: a program cannot be translated
        skipped.tgsi_test: skipped: it requires timers, which is not supported
        5 tests: 2 passed, 1 failed, 1 refused, 1 skipped; 3 probes: 2 passed, 1 failed
        --- stderr
        error: `CONST[1]` is not declared
           ┌─ refused.tgsi_test:11:13
           │
        11 │ MOV OUT[0], CONST[1]
           │             ^^^^^^^^
           │
           = help: the text declares CONST[0]

        --- exit code 1
    "#]]
    .assert_eq(&transcript);
}

#[test]
fn a_test_of_tgsi_programs_may_be_standard_input() {
    let picture = scratch("tgsi.png");
    let command = format!("shader-test - --engine all --save {}", picture.display());
    let outcome = attila(&command, TGSI);
    assert_eq!(outcome.transcript(), "<stdin>: 0 probes: 0 passed\n");
    expect![[r#"
        ff0080 ff0080
    "#]]
    .assert_eq(&pixels(&picture));
}

#[test]
fn verdicts_are_compared_by_class() {
    let folder = scratch("corpus");
    let _ = fs::create_dir(&folder);
    let index = r#"{ "files": [
        { "file": "good.txt", "stage": "fragment", "must_fail": false, "skip": null },
        { "file": "bad.txt", "stage": "fragment", "must_fail": true },
        { "file": "good.txt", "stage": "vertex", "must_fail": true },
        { "file": "bad.txt", "stage": "fragment", "skip": "needs a vendor's option" }
    ] }"#;
    fs::write(folder.join("index.json"), index).unwrap();
    let good = "!!ARBfp1.0\nMOV result.color, 1;\nEND\n";
    fs::write(folder.join("good.txt"), good).unwrap();
    fs::write(folder.join("bad.txt"), good.replace("MOV", "mov")).unwrap();
    let command = format!("corpus {}", folder.display());
    expect![[r#"
        vertex programs to reject: 1 of 1 agree
        fragment programs to accept: 1 of 1 agree
        fragment programs to reject: 1 of 1 agree
        fragment programs to accept (needs a vendor's option), skipped: 0 of 1 agree
        in all: 3 of 3 agree, with LF and with CR LF
        in all forms and on all engines: 1 of 1 programs agree
    "#]]
    .assert_eq(&attila(&command, "").transcript());
    fs::write(folder.join("bad.txt"), good).unwrap();
    fs::write(
        folder.join("good.txt"),
        "!!ARBfp1.0\r\nMOV result.color, x;\r\nEND\r\n",
    )
    .unwrap();
    expect![[r#"
        good.txt (LF): rejected; the index says accepted
          2:19: error: `x` is not declared
        good.txt (CR LF): rejected; the index says accepted
          2:19: error: `x` is not declared
        bad.txt (LF): accepted; the index says rejected
        bad.txt (CR LF): accepted; the index says rejected
        vertex programs to reject: 1 of 1 agree
        fragment programs to accept: 0 of 1 agree
        fragment programs to reject: 0 of 1 agree
        fragment programs to accept (needs a vendor's option), skipped: 1 of 1 agree
        in all: 1 of 3 agree, with LF and with CR LF
        in all forms and on all engines: 0 of 0 programs agree
        --- exit code 1
    "#]]
    .assert_eq(&attila(&command, "").transcript());
}

#[test]
fn an_index_that_names_too_much_is_refused() {
    let folder = scratch("large-corpus");
    let _ = fs::create_dir(&folder);
    let check = |file: &str| {
        let index = format!(r#"{{ "files": [{{ "file": "{file}", "stage": "vertex" }}] }}"#);
        fs::write(folder.join("index.json"), index).unwrap();
        let outcome = attila(&format!("corpus {}", folder.display()), "");
        let parent = format!("{}/", folder.parent().unwrap().display());
        outcome.transcript().replace(&parent, "")
    };
    fs::write(folder.join("large.txt"), vec![b'#'; (4 << 20) + 1]).unwrap();
    expect![[r#"
        --- stderr
        error: large-corpus/large.txt is too large; the limit is 4194304 bytes
        --- exit code 1
    "#]]
    .assert_eq(&check("large.txt"));
    fs::write(folder.join("latin.txt"), b"# caf\xe9").unwrap();
    expect![[r#"
        --- stderr
        error: cannot read large-corpus/latin.txt: incomplete utf-8 byte sequence from index 5
        --- exit code 1
    "#]]
    .assert_eq(&check("latin.txt"));
    // Files that never end, where there are any.
    if std::path::Path::new("/dev/zero").exists() {
        let text = check("/dev/zero");
        assert!(
            text.contains("/dev/zero is too large; the limit is 4194304 bytes"),
            "{text}"
        );
    }
    fs::write(folder.join("index.json"), vec![b' '; (16 << 20) + 1]).unwrap();
    let outcome = attila(&format!("corpus {}", folder.display()), "");
    assert!(
        outcome.stderr.contains("the limit is 16777216 bytes"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_folder_without_an_index_is_no_corpus() {
    let folder = scratch("no-corpus");
    let _ = fs::create_dir(&folder);
    let show = |outcome: crate::Outcome| {
        let parent = folder.parent().unwrap().display().to_string();
        outcome.transcript().replace(&format!("{parent}/"), "")
    };
    let command = format!("corpus {}", folder.display());
    let _ = fs::remove_file(folder.join("index.json"));
    expect![[r#"
        --- stderr
        error: cannot read no-corpus/index.json: No such file or directory (os error 2)
        --- exit code 1
    "#]]
    .assert_eq(&show(attila(&command, "")));
    fs::write(
        folder.join("index.json"),
        r#"{ "files": [ { "file": "x", "stage": "pixel" } ] }"#,
    )
    .unwrap();
    expect![[r#"
        --- stderr
        error: no-corpus/index.json: unknown variant `pixel`, expected one of `vertex`, `fragment`, `geometry`, `compute` at line 1 column 44
        --- exit code 1
    "#]].assert_eq(&show(attila(&command, "")));
    let missing = r#"{ "files": [ { "file": "x", "stage": "vertex" } ] }"#;
    fs::write(folder.join("index.json"), missing).unwrap();
    expect![[r#"
        --- stderr
        error: cannot read no-corpus/x: No such file or directory (os error 2)
        --- exit code 1
    "#]]
    .assert_eq(&show(attila(&command, "")));
}

const AGAL: &str = "[agal vertex]
mov op, va0
[agal fragment]
mov oc, fc0
[constants]
fc0 = 1 0 .5 1
[vertex data]
va0 float2
-1 1
3 1
-1 -3
[indices]
0 1 2
[test]
size 2 1
draw 0 1
";

#[test]
fn tests_of_agal_programs_are_known_by_name_and_by_section() {
    let folder = scratch("agal-tests");
    let _ = fs::create_dir_all(&folder);
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write(
        "bad.agal_test",
        &format!("{AGAL}probe 1 0  255 0 9 tolerance 2\n"),
    );
    write("old.shader_test", &format!("{TEST}probe rgb 0 0 1 1 1"));
    let outcome = attila(&format!("shader-test {}", folder.display()), "");
    let transcript = outcome.transcript();
    let transcript = transcript.replace(&format!("{}/", folder.display()), "");
    expect![[r#"
        bad.agal_test:17: probe 1 0  255 0 9 tolerance 2
          expected 255 0 9, seen 255 0 127
        bad.agal_test: 1 probe: 0 passed, 1 failed
        old.shader_test: 1 probe: 1 passed
        2 tests: 1 passed, 1 failed; 2 probes: 1 passed, 1 failed
        --- exit code 1
    "#]]
    .assert_eq(&transcript);
    let picture = scratch("agal.png");
    let text = format!("{AGAL}probe 1 0  255 0 127 tolerance 0\n");
    let command = format!("shader-test --engine both - --save {}", picture.display());
    expect![[r#"
        <stdin>: 1 probe: 1 passed
    "#]]
    .assert_eq(&attila(&command, &text).transcript());
    assert!(picture.exists());
}

/// `mov oc, v0` as bytes.
const COPY: &str = "a001000000a1010000000000000f03000000e4040000000000000000000000";

#[test]
fn agal_programs_are_compared_with_their_bytes() {
    let folder = scratch("agal-corpus");
    let _ = fs::create_dir_all(&folder);
    let row = |file: &str, stage: &str, tokens: u32, complete: bool| {
        format!(
            r#"{{"file": "{file}", "stage": "{stage}", "version": 1, "tokens": {tokens},
                 "complete": {complete}, "hex": "{COPY}"}}"#
        )
    };
    let rows = [
        row("good.agal", "fragment", 1, true),
        row("other.agal", "fragment", 1, false),
        row("bad.agal", "fragment", 1, false),
        row("good.agal", "vertex", 2, false),
    ];
    let index = format!("{{\"files\": [{}]}}", rows.join(","));
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("index.json", &index);
    write("good.agal", "mov oc, v0 // a copy");
    write("other.agal", "mov oc, v1");
    write("bad.agal", "mvo oc, v0");
    expect![[r#"
        other.agal: the text assembles to other bytes
        bad.agal: the text is rejected: 1:1: error: unknown opcode `mvo` (did you mean `mov`?)
        good.agal: the text is rejected: 1:5: error: a vertex program has no `oc`
        good.agal: the stage is not the same
        good.agal: disassembled and assembled, bytes are not the same
        good.agal: the number of tokens is not the same
        texts of programs: 1 of 1 agree
        texts of parts of programs: 0 of 3 agree
        in all forms and on all engines: 1 of 1 programs agree
        --- exit code 1
    "#]]
    .assert_eq(&attila(&format!("corpus {}", folder.display()), "").transcript());
}

#[test]
fn verdicts_on_agal_bytes_are_compared_with_numbers_and_tokens() {
    let file = scratch("agal-verdicts.jsonl");
    let bad = COPY.replace("a10100000000", "a10123000000");
    let ninth = COPY.replace("0000000f03", "0008000f02");
    let row = |name: &str, hex: &str, expect: &str, token: &str, strict_only: bool| {
        format!(
            r#"{{"name": "{name}", "stage": "fragment", "hex": "{hex}", "expect": {expect}, "token": {token}, "strict_only": {strict_only}}}"#
        )
    };
    let rows = [
        row("taken", COPY, "\"ok\"", "null", false),
        row("taken, not refused", COPY, "\"refuse\"", "1", false),
        row("number", &bad, "3620", "1", false),
        row("other number", &bad, "3621", "1", false),
        row("other token", &bad, "3620", "2", false),
        row("refused, not taken", &bad, "\"ok\"", "null", false),
        row("limit", &ninth, "\"refuse\"", "1", true),
        row("no limit", COPY, "\"refuse\"", "1", true),
    ];
    fs::write(&file, rows.join("\n")).unwrap();
    expect![[r#"
        taken, not refused: accepted; to be rejected
        taken, not refused: accepted with --strict; to be rejected
        other number: number 3620, expected 3621: token 1, byte 7: error: there is no opcode 23 (error 3620 of Flash)
        other number: number 3620 with --strict, expected 3621: token 1, byte 7: error: there is no opcode 23 (error 3620 of Flash)
        other token: token 1, expected 2: token 1, byte 7: error: there is no opcode 23 (error 3620 of Flash)
        other token: token 1 with --strict, expected 2: token 1, byte 7: error: there is no opcode 23 (error 3620 of Flash)
        refused, not taken: rejected; to be accepted: token 1, byte 7: error: there is no opcode 23 (error 3620 of Flash)
        no limit: accepted with --strict; to be rejected
        bytes to accept: 1 of 2 agree
        bytes to reject: 1 of 4 agree
        bytes to reject with --strict: 1 of 2 agree
        --- exit code 1
    "#]]
    .assert_eq(&attila(&format!("corpus {}", file.display()), "").transcript());
}
