//! Texts that the assembler takes, and the programs that it makes of them.

use attila_isa::{Imm, Modifiers, Operand, Program, assemble};
use expect_test::expect;

/// The program that the text assembles to, printed; warnings do not count.
fn printed(text: &str) -> String {
    Program::assemble(text)
        .unwrap_or_else(|error| panic!("{text}\n{error}"))
        .to_string()
}

#[test]
fn spans_cover_what_is_wrong_and_every_instruction() {
    let text = "\u{feff}ä: ; ö\nä\n  mov r0, c512.x";
    let spanned: Vec<&str> = assemble(text)
        .diagnostics
        .iter()
        .map(|diagnostic| &text[diagnostic.span.clone()])
        .collect();
    assert_eq!(spanned, ["ä", "ä", "c512"]);

    let text = "l: (p0) mov r0, r1 <- wait ; comment\n\n  END";
    let program = Program::assemble(text).expect("assembles");
    let spanned = [0, 1].map(|index| &text[program.span(index).expect("has a span")]);
    assert_eq!(spanned, ["(p0) mov r0, r1 <- wait", "END"]);
}

#[test]
fn names_are_read_in_any_case_and_blanks_anywhere() {
    assert_eq!(
        printed(
            "( ! P3 )  MAD_SAT  R1 . XYW , - | R2 . WZYX | , C260 [ A0 . X+5 ] , r0<-WAIT<-end"
        ),
        "(!p3) mad_sat r1.xyw, -|r2.wzyx|, c260[a0.x + 5], r0 <- end <- wait\n"
    );
    assert_eq!(
        printed("ANDP P0, TRUE, !C3.W\nEnd"),
        "andp p0, true, !c3.w\nend\n"
    );
}

#[test]
fn colour_names_and_full_masks_are_other_spellings() {
    assert_eq!(
        printed("mov r0.rgba, r1.bgra\nend"),
        "mov r0, r1.zyxw\nend\n"
    );
    assert_eq!(printed("mov r0.ga, r1.rgba\nend"), "mov r0.yw, r1\nend\n");
    assert_eq!(printed("mov r0.xyzw, r1.yyyy\nend"), "mov r0, r1.y\nend\n");
    assert_eq!(printed("mov r0.none, r1\nend"), "mov r0.none, r1\nend\n");
}

#[test]
fn mnemonics_of_the_original_documentation_are_aliases() {
    assert_eq!(
        printed("setpeqi p0, r0.x, 1\nsetpgti p0, r0.x, 1\nsetplti p0, r0.x, 1\njump p0, 1\nend"),
        "stpeqi p0, r0.x, 1\nstpgti p0, r0.x, 1\nstplti p0, r0.x, 1\njmp p0, 1\nend\n"
    );
}

#[test]
fn numbers_stand_with_and_without_their_letters() {
    assert_eq!(printed("tex r0, i6, 3\nend"), "tex r0, i6, t3\nend\n");
    assert_eq!(printed("lda r0, i0.x, v2\nend"), "lda r0, i0.x, t2\nend\n");
    assert_eq!(printed("kls r0.x, 2\nend"), "kls r0.x, s2\nend\n");
    assert_eq!(printed("zxs r0\nend"), "zxs r0, s0\nend\n");
}

#[test]
fn a_tested_constant_without_component_is_its_w() {
    assert_eq!(
        printed("andp p0, c3, !c4.y\nend"),
        "andp p0, c3.w, !c4.y\nend\n"
    );
    assert_eq!(printed("jmp !c[a1.z], 1\nend"), "jmp !c0[a1.z].w, 1\nend\n");
}

#[test]
fn relative_constants_need_no_base_and_take_signed_offsets() {
    assert_eq!(printed("mov r0, c[a0.x]\nend"), "mov r0, c0[a0.x]\nend\n");
    assert_eq!(
        printed("mov r0, c7[a1.w+255]\nend"),
        "mov r0, c7[a1.w + 255]\nend\n"
    );
    assert_eq!(
        printed("mov r0, c7[a1.w + -256]\nend"),
        "mov r0, c7[a1.w - 256]\nend\n"
    );
    assert_eq!(
        printed("mov r0, c7[a1.w - -3]\nend"),
        "mov r0, c7[a1.w + 3]\nend\n"
    );
    assert_eq!(
        printed("add r0, c1[a0.x + 2], c300[a0.x + 2].y\nend"),
        "add r0, c1[a0.x + 2], c300[a0.x + 2].y\nend\n"
    );
}

#[test]
fn immediates_keep_their_sign_as_a_modifier() {
    let cases = [
        ("add", "0.5", 0.5f32.to_bits(), false, false),
        ("add", "-0.5", 0.5f32.to_bits(), true, false),
        ("add", "-|.5|", 0.5f32.to_bits(), true, true),
        ("add", "5.", 5f32.to_bits(), false, false),
        ("add", "1E-3", 1e-3f32.to_bits(), false, false),
        ("add", "0x7fc00001", 0x7fc0_0001, false, false),
        ("add", "-0xFF", 0xff, true, false),
        ("add", "16777217", 16_777_216f32.to_bits(), false, false),
        ("addi", "7", 7, false, false),
        ("addi", "-|7|", 7, true, true),
        ("addi", "2147483647", 0x7fff_ffff, false, false),
        ("addi", "-2147483648", 0x8000_0000, true, false),
        ("addi", "0xffffffff", 0xffff_ffff, false, false),
    ];
    for (op, text, bits, negate, absolute) in cases {
        let program = Program::assemble(&format!("{op} r0, r1, {text}")).expect(text);
        let modifiers = Modifiers { negate, absolute };
        let operand = program.insts()[0].operands[1];
        assert_eq!(
            operand,
            Operand::Imm(Imm { bits, modifiers }),
            "{op} {text}"
        );
    }
}

#[test]
fn labels_are_distances_to_the_instruction_after_them() {
    let text = "
first: second:
    jmp p0, last        # forward
    jmp p1, first       # backward
third:
    jmp p2, third       # itself
    jmp p3, +1
    jmp p4, First
last: First: end
";
    let distances = "jmp p0, 5\njmp p1, -1\njmp p2, 0\njmp p3, 1\njmp p4, 1\nend\n";
    assert_eq!(printed(text), distances);
    let program = Program::assemble(text).expect("assembles");
    expect![[r#"
        L0:
        jmp p0, L5
        jmp p1, L0
        L2:
        jmp p2, L2
        jmp p3, L4
        L4:
        jmp p4, L5
        L5:
        end
    "#]]
    .assert_eq(&program.listing().with_labels().to_string());
    let named = (0..6).map(|index| program.labels(index).collect::<Vec<_>>());
    let named: Vec<_> = named.collect();
    let none: Vec<&str> = Vec::new();
    let expected = [
        vec!["first", "second"],
        none.clone(),
        vec!["third"],
        none.clone(),
        none,
        vec!["last", "First"],
    ];
    assert_eq!(named, expected);
    assert_eq!(
        program
            .listing()
            .with_labels()
            .instruction(1)
            .unwrap()
            .to_string(),
        "jmp p1, L0"
    );
    assert_eq!(
        program.listing().instruction(1).unwrap().to_string(),
        "jmp p1, -1"
    );
}

#[test]
fn labels_may_be_spelled_like_registers_and_mnemonics() {
    assert_eq!(
        printed("r0: jmp p0, r0\nend: jmp p0, end\nend"),
        "jmp p0, 0\njmp p0, 0\nend\n"
    );
}

#[test]
fn comments_run_to_the_end_of_the_line() {
    let text =
        "; a\n# b\n// c\n;! stage vertex\nnop ; mov\nnop # mov\nnop // mov\n\u{feff}end // é";
    assert_eq!(printed(text), "nop\nnop\nnop\nend\n");
}

#[test]
fn the_last_instruction_ends_a_program_that_does_not_end_elsewhere() {
    assert_eq!(
        printed("nop\nmov o1, r0\n; done"),
        "nop\nmov o1, r0 <- end\n"
    );
    assert_eq!(
        printed("nop <- end\nmov o1, r0"),
        "nop <- end\nmov o1, r0\n"
    );
    assert_eq!(printed("mov o1, r0\nend"), "mov o1, r0\nend\n");
    assert_eq!(printed("end <- end"), "end\n");
}

#[test]
fn a_program_without_any_end_can_be_written() {
    let text = "nop\njmp true, -1 <- noend\n";
    assert_eq!(printed(text), text);
    assert_eq!(printed("nop <- noend\nnop"), "nop\nnop <- end\n");
}

#[test]
fn texts_without_instructions_are_empty_programs() {
    for text in ["", "\n", "\u{feff}", "; nothing", "label:", "\r\n\r\n"] {
        let assembly = assemble(text);
        assert_eq!(assembly.diagnostics, []);
        assert!(assembly.program.expect("a program").insts().is_empty());
    }
}
