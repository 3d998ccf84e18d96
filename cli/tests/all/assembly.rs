//! `asm`, `dis`, `check` and `ops`.

use std::fs;

use expect_test::expect;

use crate::{attila, attila_bytes, scratch};

const LOOP: &str = "\
; counts to i0.x
again:  add     r0.x, r0.x, 1
        setplt  p0, r0.x, i0.x
        jmp     p0, again
        mov     o1, r0.x
";

#[test]
fn a_program_survives_assembly_and_disassembly() {
    let words = attila("asm --hex -", LOOP);
    expect![[r#"
        0000008339860001 3f80000000000000
        000000823806001f 001b000000000000
        000000f739c60036 fffffffe00000000
        000000f139c60116 001b001b00010000
    "#]]
    .assert_eq(&words.transcript());
    let text = attila("dis --labels -", &words.stdout);
    expect![[r#"
        L0:
        add r0.x, r0.x, 1
        setplt p0, r0.x, i0.x
        jmp p0, L0
        mov o1, r0.x <- end
    "#]]
    .assert_eq(&text.transcript());
    assert_eq!(attila("asm --hex -", &text.stdout).stdout, words.stdout);
}

#[test]
fn a_listing_with_words_can_be_read_back() {
    let words = attila("asm --hex -", LOOP).stdout;
    let listing = attila("dis --labels --words -", &words);
    assert_eq!(listing.code, 0);
    let plain = attila("dis -", &listing.stdout);
    assert_eq!(
        plain.stdout,
        attila("dis -", &words).stdout,
        "{}",
        plain.stderr
    );
}

#[test]
fn binaries_are_recognized_by_their_contents() {
    let path = scratch("recognized.bin");
    let outcome = attila(&format!("asm - -o {}", path.display()), LOOP);
    assert_eq!(outcome.transcript(), "");
    let bytes = fs::read(&path).unwrap();
    assert_eq!(bytes.len(), 4 * 16);
    let from_file = attila(&format!("dis {}", path.display()), "");
    assert_eq!(attila_bytes("dis -", &bytes).stdout, from_file.stdout);
    assert_eq!(attila_bytes("check -", &bytes).code, 0);
    let as_text = attila_bytes("check --text -", &bytes);
    assert_eq!(as_text.code, 1);
}

#[test]
fn binaries_that_are_no_programs_name_the_instruction_and_its_byte() {
    let mut bytes = vec![0; 40];
    bytes[16] = 0x05;
    let outcome = attila_bytes("dis --binary -", &bytes);
    expect![[r#"
        --- stderr
        error: <stdin>: 2 faults
         = 40 bytes is not a multiple of 16, the size of an instruction
         = instruction 1 at byte 0x10: opcode 0x05 is reserved

        --- exit code 1
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn hexadecimal_words_that_are_none_show_a_caret() {
    let outcome = attila("dis -", "000000f139c00016 001b001b0001zb01\n");
    expect![[r#"
        --- stderr
        error: `z` is not a hexadecimal digit
          ┌─ <stdin>:1:30
          │
        1 │ 000000f139c00016 001b001b0001zb01
          │                              ^

        --- exit code 1
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn check_reports_every_error_with_its_line() {
    let text = "mvo o1, i1\nadd r0, i99, r2\nrcp r0, c5\n;! varyng i6 = u\n";
    expect![[r#"
        --- stderr
        error[T03]: unknown instruction `mvo`
          ┌─ <stdin>:1:1
          │
        1 │ mvo o1, i1
          │ ^^^
          │
          = help: did you mean `mov`?

        error[T04]: `i99` does not exist; the last is `i15`
          ┌─ <stdin>:2:9
          │
        2 │ add r0, i99, r2
          │         ^^^

        warning[T06]: `rcp` reads one component, here w
          ┌─ <stdin>:3:9
          │
        3 │ rcp r0, c5
          │         ^^
          │
          = help: write `c5.w` to say so

        error[D01]: there is no directive `varyng`
          ┌─ <stdin>:4:4
          │
        4 │ ;! varyng i6 = u
          │    ^^^^^^
          │
          = help: did you mean `varying`?

        --- exit code 1
    "#]]
    .assert_eq(&attila("check -", text).transcript());
}

#[test]
fn check_reports_what_validation_finds() {
    let outcome = attila(
        "check --stage vertex -",
        "ddx r0, i0\njmp true, -1\nmov o1, r1\n",
    );
    expect![[r#"
        --- stderr
        error[V05]: <stdin>: no end can be reached: the program needs an `end` or an end flag
         = help: write `end` on a line that control reaches

        error[V06]: `ddx` needs the neighbours of a fragment and cannot stand in a vertex program
          ┌─ <stdin>:1:1
          │
        1 │ ddx r0, i0
          │ ^^^^^^^^^^

        warning[V12]: r1.xyzw is read but never written; it is 0
          ┌─ <stdin>:3:1
          │
        3 │ mov o1, r1
          │ ^^^^^^^^^^

        warning[V11]: no lane can reach this instruction
          ┌─ <stdin>:3:1
          │
        3 │ mov o1, r1
          │ ^^^^^^^^^^

        --- exit code 1
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn check_summarizes_what_a_program_uses() {
    let text = "tex r0, i6, t3\nkil -r0.w\nmul o1, r0, c5\nmov o2.xy, c4 <- end\n";
    expect![[r#"
        <stdin>: a valid fragment program
          instructions  4 (64 bytes)
          control flow  none
          inputs        i6.xyz
          outputs       o1 o2.xy
          temporaries   r0
          constants     c4-c5
          textures      t3
          also          kills fragments or samples, looks at neighbouring lanes
    "#]]
    .assert_eq(&attila("check -", text).transcript());
}

#[test]
fn ops_explains_an_instruction_in_any_case() {
    expect![[r#"
        rsq[_sat] dst, a

        `sqrt(1 / |a|)`, two roundings, in all components.

        code      1bh
        a         float w
        result    float
    "#]]
    .assert_eq(&attila("ops RSQ", "").transcript());
    let list = attila("ops", "").stdout;
    assert_eq!(list.lines().count(), attila_shader::isa::Opcode::ALL.len());
}

#[test]
fn ops_says_of_unknown_instructions_what_check_says() {
    for (name, advice) in [
        ("rsqrt", "1 / sqrt(|r1.x|) is written `rsq r0.x, r1.x`"),
        ("SUB", "r1 - r2 is written `add r0, r1, -r2`"),
        ("txe", "did you mean `tex`?"),
    ] {
        let explained = attila(&format!("ops {name}"), "");
        let expected = format!(
            "error: invalid value '{name}' for '[NAME]': unknown instruction; {advice}\n\n\
             For more information, try '--help'.\n"
        );
        assert_eq!(explained.stderr, expected);
        let checked = attila("check -", &format!("{name} r0, r1, r2"));
        let help = format!("  = help: {advice}\n");
        assert!(checked.stderr.contains(&help), "{}", checked.stderr);
    }
}

#[test]
fn warnings_of_missing_ends_say_what_to_write() {
    let text = "jmp p0, else\nmov o1, i1 <- end\nelse: mov o1, i2\n";
    let warned = attila("check -", text).stderr;
    expect![[r#"
        warning[V10]: control can run past the last instruction; the program ends there
          ┌─ <stdin>:3:7
          │
        3 │ else: mov o1, i2
          │       ^^^^^^^^^^
          │
          = help: write `<- end` after it

    "#]]
    .assert_eq(&warned);
    let mended = text.replace("i2", "i2 <- end");
    assert_eq!(attila("check -", &mended).stderr, "");
    let endless = attila("check -", "mov o1, i1\njmp true, -1\n").stderr;
    expect![[r#"
        warning[T01]: the program ends with this jump, which is never taken
          ┌─ <stdin>:2:1
          │
        2 │ jmp true, -1
          │ ^^^^^^^^^^^^
          │
          = help: write `end` where the program is to end

    "#]]
    .assert_eq(&endless);
    assert_eq!(
        attila("check -", "mov o1, i1\njmp p0, -1\nend\n").stderr,
        ""
    );
}
