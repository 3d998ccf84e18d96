//! Long texts, whose work may only grow with their length.

use super::super::{MAX_INSTRUCTIONS, Options, parse};

/// About a megabyte of a piece.
fn repeated(piece: &str) -> String {
    piece.repeat((1 << 20) / piece.len())
}

/// The messages on a text, of which no more than a few hundred are kept.
fn messages(text: &str) -> Vec<String> {
    let error = parse(text, &Options::default()).expect_err("it is faulty");
    let list = error.diagnostics;
    assert!(list.len() <= 202);
    list.into_iter().map(|it| it.message).collect()
}

#[test]
fn as_many_instructions_as_the_limit_are_taken() {
    let declarations = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..4095]\n";
    let text = |count: usize| {
        let body = "MOV TEMP[7],TEMP[9]\n".repeat(count - 1);
        format!("{declarations}{body}END")
    };
    let program = parse(&text(MAX_INSTRUCTIONS), &Options::default());
    let program = program.expect("it is within the limit");
    assert_eq!(program.instructions.len(), MAX_INSTRUCTIONS);
    let messages = messages(&text(MAX_INSTRUCTIONS + 1));
    assert!(messages.contains(&"a program has at most 65536 instructions".to_owned()));
}

#[test]
fn a_megabyte_of_one_thing_is_refused() {
    for piece in [
        "FOO ",
        "FOO\n",
        "IF TEMP[0]\n",
        "ENDIF\n",
        "BGNLOOP\n",
        "DCL TEMP[0]\n",
        "DCL IN[0], GENERIC\n",
        "IMM FLT32 {1,2,3,4}\n",
        "IMM[1] FLT32 {1,2,3,4}\n",
        "[",
        "((((",
        "1 ",
        "1:",
        "MOV TEMP[1],",
        "é",
        "BGNSUB\n",
        "BGNSUB\nCAL :0\nENDSUB\n",
        "CAL :7\n",
        "MOV OUT[0], TEMP[0]\n",
        "SWITCH TEMP[0]\nCASE TEMP[0]\n",
        "PROPERTY FOO 1\n",
        "DCL CONST[0..3]{{1,2,3,4},",
        "A_",
        "PUSHA ADDR[0]\n",
    ] {
        for head in ["FRAG\n", "FRAG\nDCL TEMP[0]\nDCL OUT[0], COLOR\n"] {
            assert!(
                !messages(&format!("{head}{}", repeated(piece))).is_empty(),
                "{piece}"
            );
        }
    }
}

#[test]
fn many_subroutines_that_call_each_other_are_looked_through_once() {
    let count = 20_000;
    let mut text = String::from("FRAG\nEND\n");
    for routine in 0..count {
        let next = 1 + 3 * ((routine + 1) % count);
        text.push_str(&format!("BGNSUB\nCAL :{next}\nENDSUB\n"));
    }
    let messages = messages(&text);
    assert_eq!(messages.len(), 1);
    assert!(messages[0].starts_with("the subroutine at 1 calls itself: 1 calls 4 calls 7"));
}

#[test]
fn many_ranges_are_looked_up_quickly() {
    let mut text = String::from("FRAG\nDCL OUT[0], COLOR\n");
    for register in 0..4096 {
        text.push_str(&format!("DCL TEMP[{register}]\n"));
    }
    for constant in 0..20_000 {
        text.push_str(&format!("DCL CONST[{}]\n", 2 * constant));
    }
    for at in 0..20_000 {
        text.push_str(&format!("MOV TEMP[{}], CONST[{}]\n", at % 4096, 2 * at));
    }
    let program = parse(&format!("{text}END"), &Options::default()).expect("it is a program");
    assert_eq!(program.constants[0].used.len(), 20_000);
}

#[test]
fn a_word_of_a_megabyte_is_quoted_in_part() {
    let messages = messages(&format!("FRAG\n{}", repeated("x")));
    assert!(messages[0].len() < 100, "{}", messages[0].len());
}
