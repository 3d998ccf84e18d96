//! Tests of whole texts.

mod accepted;
mod corpus;
mod damage;
mod declarations;
mod flow;
mod long;
mod names;
mod operands;
mod unsupported;
mod warnings;

use expect_test::Expect;

use super::{Dialect, Options, TgsiProgram, parse};

/// Declarations that most texts of these tests begin with: lines 1 to 8.
const FRAGMENT: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0..7]
DCL TEMP[0..3]
DCL ADDR[0]
DCL SAMP[0]
IMM[0] FLT32 { 0.0, 1.0, 2.0, 3.0 }
";

fn accept(text: &str) -> TgsiProgram {
    parse(text, &Options::default()).unwrap_or_else(|error| panic!("{error}\nin\n{text}"))
}

/// A fragment program, after the usual declarations.
fn fragment(body: &str) -> TgsiProgram {
    accept(&format!("{FRAGMENT}{body}\nEND"))
}

fn rejects(text: &str, expected: Expect) {
    let error = parse(text, &Options::default()).expect_err("it has mistakes");
    for diagnostic in &error.diagnostics {
        assert!(text.get(diagnostic.span.clone()).is_some());
    }
    expected.assert_eq(&error.to_string());
}

/// Checks the messages on a fragment program, whose lines count from 9.
fn rejects_fragment(body: &str, expected: Expect) {
    rejects(&format!("{FRAGMENT}{body}\nEND"), expected);
}

/// The messages on a fragment program that is refused.
fn mistakes_of_fragment(body: &str) -> String {
    let error = parse(&format!("{FRAGMENT}{body}\nEND"), &Options::default());
    error.expect_err("it has mistakes").to_string()
}

/// Checks the warnings on a text that is a program.
fn warns(text: &str, expected: Expect) -> TgsiProgram {
    let program = accept(text);
    let list: Vec<String> = program.warnings.iter().map(|it| it.to_string()).collect();
    expected.assert_eq(&list.join("\n"));
    program
}

fn warns_fragment(body: &str, expected: Expect) -> TgsiProgram {
    warns(&format!("{FRAGMENT}{body}\nEND"), expected)
}

#[test]
fn several_mistakes_are_reported_at_once() {
    rejects_fragment(
        "MUV TEMP[0], IN[0]
MOV TEMP[9], IN[1]
MAD OUT[0], TEMP[0], TEMP[1]
MOV OUT[0].yx, CONST[8].xq
ADD OUT[0] IN[0], IN[0]
MOV OUT[0], FOO[1]",
        expect_test::expect![[r#"
            9:1: error: unknown opcode `MUV` (did you mean `MOV`?)
            10:5: error: `TEMP[9]` is not declared (the text declares TEMP[0..3])
            10:14: error: `IN[1]` is not declared (the text declares IN[0])
            11:1: error: MAD takes 4 operands, not 3 (a result and 3 sources)
            12:12: error: `yx` is not a write mask: its components are out of order (write `.xy`)
            12:16: error: `CONST[8]` is not declared (the text declares CONST[0..7])
            13:12: error: expected `,`, or the next statement, found `IN`
            14:13: error: there is no register file `FOO`"#]],
    );
}

#[test]
fn texts_begin_with_the_kind_of_program() {
    rejects(
        "",
        expect_test::expect![
            "1:1: error: a program begins with one of `FRAG`, `VERT`, `GEOM`, `COMP`"
        ],
    );
    rejects(
        "FRAGG\nEND",
        expect_test::expect![
            "1:1: error: a program begins with one of `FRAG`, `VERT`, `GEOM`, `COMP` (did you mean `FRAG`?)"
        ],
    );
    rejects(
        "\n# text\n!!ARBfp1.0",
        expect_test::expect![
            "3:1: error: a program begins with one of `FRAG`, `VERT`, `GEOM`, `COMP`"
        ],
    );
}

#[test]
fn words_may_be_in_lower_case() {
    let program = accept(
        "frag\r\ndcl out[0], color\r\nimm flt32 {1, 2, 3, 4}\r\n 0: mov_sat out[0].XY, imm[0].XYZW\r\n 1: end",
    );
    assert_eq!(program.instructions.len(), 2);
}

#[test]
fn line_ends_mean_nothing() {
    let text = "VERT DCL IN[0] DCL OUT[0], POSITION 0: MOV OUT[0], IN[0] 1: END";
    assert_eq!(accept(text).instructions.len(), 2);
    let text = "VERT DCL IN[0] DCL OUT[0]\n,\nPOSITION MOV OUT[0]\n,\nIN[0] END";
    assert_eq!(accept(text).instructions.len(), 2);
}

#[test]
fn the_strict_form_has_no_comments_and_whole_swizzles() {
    let strict = Options {
        relaxed: false,
        ..Options::default()
    };
    let text = "VERT # text\nDCL OUT[0], POSITION\nIMM FLT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0].x ; more\nEND";
    accept(text);
    let error = parse(text, &strict).expect_err("it has comments");
    expect_test::expect![[r#"
        1:6: error: expected a statement, found `#` (comments are turned off)
        4:20: error: a swizzle has 4 letters
        4:22: error: expected a statement, found `;` (comments are turned off)"#]]
    .assert_eq(&error.to_string());
    let error = parse(&text.replace("# text", "").replace("; more", ""), &strict);
    let error = error.expect_err("it has a short swizzle");
    expect_test::expect!["4:20: error: a swizzle has 4 letters"].assert_eq(&error.to_string());
}

#[test]
fn the_dialect_can_be_chosen() {
    let text = "FRAG\nDCL OUT[0], COLOR\nIMM FLT32 {1, 1, 1, 1}\nSUB OUT[0], IMM[0], IMM[0]\nEND";
    assert_eq!(accept(text).dialect, Dialect::T10);
    for dialect in Dialect::ALL {
        let options = Options {
            dialect: Some(dialect),
            ..Options::default()
        };
        let program = parse(text, &options).expect("it is a program");
        assert_eq!(program.dialect, dialect);
    }
}

#[test]
fn the_first_word_tells_the_kind_of_program() {
    let kind = |text| super::processor_of(text);
    assert_eq!(
        kind("\u{feff} # text\r\n\tgeom\nDCL"),
        Some(super::Processor::Geometry)
    );
    assert_eq!(kind("FRAGMENT"), None);
    assert_eq!(kind("!!ARBfp1.0"), None);
    assert_eq!(kind(""), None);
}
