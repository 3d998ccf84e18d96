//! Programs that are long, or that need more than there is.

use attila_shader::front::arb::{self, Profile};
use expect_test::expect;

#[test]
fn long_programs_are_translated_or_refused_before_long() {
    let refused = |header: &str, line: &dyn Fn(usize) -> String, count: usize| {
        let lines: String = (0..count).map(line).collect();
        let text = format!("{header}\n{lines}END");
        arb::compile(&text, &Profile::default()).err().map(|error| {
            assert!(error.position() <= text.len());
            error.diagnostics[0].message.clone()
        })
    };
    let fragment = "!!ARBfp1.0\nTEMP a, b;";
    let long = refused(
        fragment,
        &|_| "ADD result.color, a, 1;\n".to_owned(),
        65_536,
    );
    assert_eq!(long, None, "all but the last are in vain");
    let long = refused(fragment, &|_| "ADD a, a, 1;\n".to_owned(), 65_536);
    assert_eq!(long, None, "all are in vain");
    let copies = |n| format!("MOV {}, {};\n", ["a", "b"][n % 2], ["b", "a"][n % 2]);
    let copies = |n| copies(n) + "KIL a;\n";
    assert_eq!(refused(fragment, &copies, 4_000), None);
    let kills = |_| "KIL fragment.color;\n".to_owned();
    expect!["this takes 8193 instructions, and there may be 8192"]
        .assert_eq(&refused(fragment, &kills, 8_193).unwrap_or_default());
    let constants = |n| format!("ADD a, a, {{{n}, 1{n}, 2{n}, 3{n}}};\n");
    let constants = |n| constants(n) + "KIL a;\n";
    expect!["the program needs more than 512 constant registers"]
        .assert_eq(&refused(fragment, &constants, 600).unwrap_or_default());
    let temporaries = |n: usize| match n {
        0 => (0..33)
            .map(|n| format!("TEMP t{n};\nMUL t{n}, fragment.color, {n};\n"))
            .collect(),
        1 => (0..33).map(|n| format!("KIL t{n};\n")).collect(),
        _ => String::new(),
    };
    expect!["more than 32 temporaries are needed at once here"]
        .assert_eq(&refused(fragment, &temporaries, 2).unwrap_or_default());
}
