//! Tests of validation.

use super::*;
use crate::opcode::OperandKind;
use crate::profile::Profile;
use expect_test::{Expect, expect};

fn program(text: &str) -> Program {
    Program::assemble(text).expect("assembles")
}

/// Checks the findings of validation on `program`; the errors keep it from being valid.
fn check_program(program: Program, expected: Expect) {
    let (valid, findings) = match program.validate() {
        Ok(program) => (true, program.warnings().to_vec()),
        Err(error) => (false, error.findings),
    };
    let mut report = String::new();
    for finding in &findings {
        report += &format!("{:?}: {finding}\n", finding.severity());
    }
    expected.assert_eq(&report);
    let errors = findings.iter().any(|f| f.severity() == Severity::Error);
    assert_eq!(valid, !errors);
}

fn check(text: &str, expected: Expect) {
    check_program(program(text), expected);
}

#[test]
fn a_sound_program_has_no_findings() {
    check("tex r0, i6, t0\nmov o1, r0", expect![[r#""#]]);
}

#[test]
fn an_empty_program_is_refused() {
    check(
        "; nothing",
        expect![[r#"
        Error: the program is empty
    "#]],
    );
}

#[test]
fn a_program_may_be_as_long_as_the_limit() {
    let text = "mov o1, i0\n".repeat(Profile::Base.instructions());
    check(&text, expect![[r#""#]]);
    check(
        &(text + "end"),
        expect![[r#"
        Error: the program has 8193 instructions; the limit is 8192
    "#]],
    );
}

#[test]
fn jumps_stay_within_the_program() {
    check(
        "jmp p0, 3\njmp p0, -2\nmov o1, i0",
        expect![[r#"
        Error: instruction 0: the jump leads to instruction 3, outside the program's 0 to 2
        Error: instruction 1: the jump leads to instruction -1, outside the program's 0 to 2
    "#]],
    );
    check(
        "jmp p0, 2147483647\nmov o1, i0 <- end",
        expect![[r#"
        Error: instruction 0: the jump leads to instruction 2147483647, outside the program's 0 to 1
    "#]],
    );
}

#[test]
fn a_jump_that_ends_may_lead_anywhere() {
    check("mov o1, i0\njmp p0, 1000 <- end", expect![[r#""#]]);
}

#[test]
fn some_lane_has_to_be_able_to_end() {
    check(
        "mov o1, i0\njmp true, -1\nend",
        expect![[r#"
            Error: no end can be reached: the program needs an `end` or an end flag (write `end` on a line that control reaches)
            Warning: instruction 2: no lane can reach this instruction
        "#]],
    );
    check(
        "mov o1, i0 <- noend",
        expect![[r#"
            Error: no end can be reached: the program needs an `end` or an end flag (write `end` on a line that control reaches)
            Warning: instruction 0: control can run past the last instruction; the program ends there (write `<- end` after it)
        "#]],
    );
}

#[test]
fn vertices_have_no_neighbours() {
    let text = "ddx r0, i0\nddy r0.x, i0\nmov o0, r0";
    check_program(
        program(text).with_stage(Stage::Vertex),
        expect![[r#"
        Error: instruction 0: `ddx` needs the neighbours of a fragment and cannot stand in a vertex program
        Error: instruction 1: `ddy` needs the neighbours of a fragment and cannot stand in a vertex program
    "#]],
    );
    check(text, expect![[r#""#]]);
}

#[test]
fn control_may_run_past_the_last_instruction() {
    check(
        "jmp p0, 2\nend\nmov o1, i0",
        expect![[r#"
            Warning: instruction 2: control can run past the last instruction; the program ends there (write `<- end` after it)
        "#]],
    );
    check(
        "mov o1, i0\njmp p0, 2\nend\njmp p0, -3",
        expect![[r#"
        Warning: instruction 3: control can run past the last instruction; the program ends there (write `end` on a line after it)
    "#]],
    );
    let text = "mov o1, i0\njmp p0, 2\nend\njmp p0, -3";
    let decoded = Program::decode(&program(text).encode());
    check_program(
        decoded.expect("decodes"),
        expect![[r#"
        Warning: instruction 3: control can run past the last instruction; the program ends there
    "#]],
    );
    check(
        "jmp p0, 2\nend\njmp true, -1",
        expect![[r#"
        Warning: the program writes no output, kills nothing, exports no depth, stores nothing and emits nothing
    "#]],
    );
}

#[test]
fn instructions_that_nothing_leads_to_are_named_in_runs() {
    check(
        "mov o1, i0\njmp true, 3\nnop\nnop\njmp true, 2\nnop\nend",
        expect![[r#"
            Warning: instruction 2: no lane can reach this instruction and those up to 3
            Warning: instruction 5: no lane can reach this instruction
        "#]],
    );
}

#[test]
fn temporaries_that_nothing_writes_are_named_by_component() {
    check(
        "mov r1.x, i0\nadd o1.xy, r1, r2.wzyx",
        expect![[r#"
            Warning: instruction 1: r1.y is read but never written; it is 0
            Warning: instruction 1: r2.zw is read but never written; it is 0
            Warning: instruction 1: o1.zw is never written; it is 0
        "#]],
    );
    check(
        "rcp o1, r3.y\nfxmul r4, i0, i1\nmov o2, r4",
        expect![[r#"
            Warning: instruction 0: r3.y is read but never written; it is 0
            Warning: instruction 2: r4.xyzw is read but never written; it is 0
        "#]],
    );
}

#[test]
fn several_relative_constants_are_noticed_in_words_but_not_in_texts() {
    let text = "add o1, c0[a0.x], c4[a0.x]";
    check(text, expect![[r#""#]]);
    let decoded = |text| Program::decode(&program(text).encode()).expect("decodes");
    check_program(
        decoded(text),
        expect![[r#"
        Warning: instruction 0: the relative address applies to every constant of the instruction
    "#]],
    );
    check_program(decoded("add o1, c0[a0.x], i0"), expect![[r#""#]]);
}

#[test]
fn a_program_that_leaves_no_trace_is_noticed() {
    check(
        "mov r0, i0",
        expect![[r#"
        Warning: the program writes no output, kills nothing, exports no depth, stores nothing and emits nothing
    "#]],
    );
    check("kil i0", expect![[r#""#]]);
    check("zxp i0", expect![[r#""#]]);
}

#[test]
fn stores_atomics_and_vertices_are_traces() {
    let store = ".extended compute\nstb u0.x, i0.x, i0";
    let emission = ".extended geometry\nemit 0";
    for text in [store, emission] {
        check(text, expect![[r#""#]]);
    }
    let memory = Opcode::ALL.iter().filter(|op| {
        let is_storage = op.operands().contains(&OperandKind::Storage);
        is_storage && op.writes_memory() && **op != Opcode::Stb
    });
    assert_eq!(memory.clone().count(), 10);
    for op in memory {
        let text = format!(".extended\n{} r0.x, i1.x, u0, i0", op.mnemonic());
        check(&text, expect![[r#""#]]);
    }
    check(
        ".extended\nldb r0, i0.x, u0",
        expect![[r#"
        Warning: the program writes no output, kills nothing, exports no depth, stores nothing and emits nothing
    "#]],
    );
}

#[test]
fn predicates_that_nothing_writes_are_named() {
    check(
        "(p3) mov o1, i6\nsetpgt p1, i0.x, 0\n(!p1) mov o1, i1\njmp !p2, 1\nandp p4, p2, true\nend",
        expect![[r#"
            Warning: instruction 0: p3 is read but never written; it is false
            Warning: instruction 4: p2 is read but never written; it is false
        "#]],
    );
}

#[test]
fn outputs_that_are_written_in_part_are_named_where_all_components_count() {
    check(
        "mov o1.x, i6\nmov o2.xy, i6\nmov o2.zw, i6\nmov o0.z, i0",
        expect![[r#"
            Warning: instruction 0: o1.yzw is never written; it is 0
        "#]],
    );
    let vertex = |text| program(text).with_stage(Stage::Vertex);
    check_program(
        vertex("mov o0.xyz, i0\nmov o5.x, i1"),
        expect![[r#"
        Warning: instruction 0: o0.w is never written; it is 0
    "#]],
    );
}

#[test]
fn all_findings_come_at_once_in_the_order_of_the_instructions() {
    check(
        "rcp r0, r1.x\njmp p0, 9\njmp p1, -9\nadd r2, c0[a0.x], c1[a0.x]",
        expect![[r#"
            Warning: the program writes no output, kills nothing, exports no depth, stores nothing and emits nothing
            Warning: instruction 0: r1.x is read but never written; it is 0
            Error: instruction 1: the jump leads to instruction 10, outside the program's 0 to 3
            Error: instruction 2: the jump leads to instruction -7, outside the program's 0 to 3
        "#]],
    );
}

#[test]
fn findings_know_where_their_instruction_stands_in_the_text() {
    let text = "nop\n  jmp p0, 5 ; too far\nmov o1, i0";
    let error = program(text)
        .validate()
        .expect_err("the jump leaves the program");
    let span = error.findings[0]
        .span
        .clone()
        .expect("the program was assembled");
    assert_eq!(&text[span], "jmp p0, 5");
}
