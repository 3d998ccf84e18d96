//! Queries for samples as users of the command see them.

use expect_test::expect;

use crate::{attila, attila_bytes};

#[test]
fn directives_say_what_the_samples_are() {
    let text = "\
; The samples of a pixel.
.extended
;! samples = 4
;! coverage = 0xf 0x2 0 8
;! own-sample = 3
PIXLD.MSCOUNT R0;
@P7 PIXLD.COVMASK R1 &wr1;
PIXLD.MY_INDEX R2, P0;
u2f o1.x, r0.x
u2f o1.y, r1.x
(p0) u2f o1.z, r2.x
";
    expect![[r#"
        o1       0  4.0           15.0          3.0           0.0
                 1  4.0           2.0           3.0           0.0
                 2  4.0           0.0           3.0           0.0
                 3  4.0           8.0           3.0           0.0
        --- stderr
        interp and jit agree in every register
    "#]]
    .assert_eq(&attila("run - --engine both", text).transcript());
}

#[test]
fn mistakes_in_queries_are_shown_where_they_are() {
    let text = "\
.extended
PIXLD.INNER_COVERAGE R0;
PIXLD.COVERED R0, P9;
pixld_coverage r0.x
pixld_covered r0.x, p1, [r1.x + 200]
pixld_offset r0.x
";
    expect![[r#"
        --- stderr
        error[T03]: unknown mode `INNER_COVERAGE`
          ┌─ <stdin>:2:7
          │
        2 │ PIXLD.INNER_COVERAGE R0;
          │       ^^^^^^^^^^^^^^
          │
          = help: modes are MSCOUNT, COVMASK, COVERED, OFFSET, CENTROID_OFFSET, MY_INDEX

        error[T04]: `P9` does not exist; the last is `P6`, and `P7` is none
          ┌─ <stdin>:3:19
          │
        3 │ PIXLD.COVERED R0, P9;
          │                   ^^

        error[T03]: unknown instruction `pixld_coverage`
          ┌─ <stdin>:4:1
          │
        4 │ pixld_coverage r0.x
          │ ^^^^^^^^^^^^^^
          │
          = help: did you mean `pixld_covered`?

        error[T01]: the number added to a register is not within -128 to 127
          ┌─ <stdin>:5:26
          │
        5 │ pixld_covered r0.x, p1, [r1.x + 200]
          │                          ^^^^^^^^^^

        --- exit code 1
    "#]]
    .assert_eq(&attila("check -", text).transcript());
}

#[test]
fn queries_in_a_base_program_are_shown_the_line_that_extends_it() {
    let base = "PIXLD.COVMASK R0;\npixld_count r1.x\n";
    expect![[r#"
        --- stderr
        error[T09]: `PIXLD` is an instruction of the extended profile
          ┌─ <stdin>:1:1
          │
        1 │ PIXLD.COVMASK R0;
          │ ^^^^^^^^^^^^^^^^^
          │
          = help: write `.extended` on the first line

        error[T09]: `pixld_count` is an instruction of the extended profile
          ┌─ <stdin>:2:1
          │
        2 │ pixld_count r1.x
          │ ^^^^^^^^^^^
          │
          = help: write `.extended` on the first line

        --- exit code 1
    "#]]
    .assert_eq(&attila("check -", base).transcript());
}

#[test]
fn words_are_shown_in_both_spellings() {
    let text = ".extended\npixld_covered r4.x, p1, [r1.x - 14]\npixld_mask o1.x\n";
    let program = attila_shader::Program::assemble(text).expect("it assembles");
    let listing = attila_bytes("dis --long -", &program.encode());
    expect![[r#"
        .extended
        PIXLD.COVERED R4, P1, [R1+#-0xe];
        pixld_mask o1.x <- end
    "#]]
    .assert_eq(&listing.transcript());
    let again = attila("check -", &listing.stdout);
    assert_eq!(again.code, 0, "{}", again.transcript());
}

#[test]
fn hints_stand_beside_hexadecimal_words_and_in_the_long_spelling() {
    let text = ".extended\n@PT PIXLD.COVMASK R254 &req={0, 1} ?W4;\nPIXLD.COVERED RZ, P0, [RZ+#-1];\nmov o1, r254\n";
    let words = attila("asm --hex -", text);
    expect![[r#"
        0000000158545441 0000000000000003
        0000008339ce0051 001b001b00fe1b00  &req={0,1} ?W4
        0000000319ce0052 001b001bff001b00
        000000f139c60116 001b001b00011bfe
    "#]]
    .assert_eq(&words.transcript());
    let listing = "\
.extended
PIXLD.COVMASK R254 &req={0,1} ?W4;
PIXLD.COVERED RZ, P0, [#0xff];
mov o1, r254 <- end
";
    assert_eq!(attila("dis --long -", &words.stdout).transcript(), listing);
    assert_eq!(attila("dis --long -", text).transcript(), listing);
    // Other comments beside words are no hints.
    let commented = words.stdout.replace("&req", "what &req");
    let outcome = attila("dis --long -", &commented);
    assert_eq!(outcome.stdout, listing.replace(" &req={0,1} ?W4", ""));
    // Without the option, assembly is not what is disassembled.
    assert_eq!(attila("dis -", text).code, 1);
}

/// A tool of the base profile sees no base program in the file, nor in its words.
#[test]
fn base_tools_refuse_extended_programs() {
    let text = ".extended\npixld_count o1.x\n";
    let program = attila_shader::Program::assemble(text).expect("it assembles");
    let words = &program.encode()[16..];
    expect![[r#"
        --- stderr
        error: <stdin>: 1 fault
         = instruction 0 at byte 0x0: opcode 0x50 is reserved

        --- exit code 1
    "#]]
    .assert_eq(&attila_bytes("dis --binary -", words).transcript());
}
