//! Results of lowering and the passes for small programs, as text.
//!
//! These pin the shape of the code, not its meaning, which the engines' comparison checks.

use attila_isa::Program;
use expect_test::{Expect, expect};

use super::{Domain, Passing};
use crate::ir::{Function, pass};
use crate::target::VectorTarget;

fn function(text: &str, domain: Domain<'_>) -> Function {
    passing(text, domain, Passing::Params)
}

fn passing(text: &str, domain: Domain<'_>, passing: Passing) -> Function {
    let program = Program::assemble(text)
        .expect("assembles")
        .validate()
        .expect("is valid");
    let function = super::lower(&program, domain, &[], true, passing);
    let mut function = function.expect("has few jumps");
    pass::optimise(&mut function, &VectorTarget::AVX2, None);
    function
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&function(text, Domain::Io).to_string());
}

#[test]
fn only_what_reaches_an_output_is_computed_and_uniform_work_is_apart() {
    check(
        "add r0, c0, c1\nmul r0.x, r0.y, i1.z\nmov o1.x, r0.x\nend",
        expect![[r#"
            uniform:
              v0: f32 = const 0.0
              v1: i32 = const 0
              v2: f32 = uniform c0.y
              v3: f32 = uniform c1.y
              v4: f32 = fadd v2, v3
            block0:
              v5: f32 = load i1.z
              v6: f32 = fmul v5, v4
              store o1.x, v6
              store o1.y, v0
              store o1.z, v0
              store o1.w, v0
              store kill, v1
              done
        "#]],
    );
}

#[test]
fn saturation_is_two_selections() {
    check(
        "mov_sat o1.x, i0.x",
        expect![[r#"
            uniform:
              v0: f32 = const 0.0
              v1: i32 = const 0
              v2: f32 = const 1.0
            block0:
              v3: f32 = load i0.x
              v4: f32 = fmin v3, v2
              v5: f32 = fmax v0, v4
              store o1.x, v5
              store o1.y, v0
              store o1.z, v0
              store o1.w, v0
              store kill, v1
              done
        "#]],
    );
}

#[test]
fn a_forward_jump_is_a_branch_around_blended_writes() {
    check(
        "setplt p0, i1.x, c0.x\n jmp p0, skip\n add r0.x, i1, c0\nskip:\n mov o1.x, r0.x\n end",
        expect![[r#"
            uniform:
              v0: f32 = const 0.0
              v1: i32 = const 0
              v2: f32 = uniform c0.x
            block0:
              v3: f32 = load i1.x
              v4: mask = flt v3, v2
              v5: mask = not v4
              any v5 ? block1 : block2(v0)
            block1:
              v6: f32 = load i1.x
              v7: f32 = fadd v6, v2
              v8: f32 = select v4, v0, v7
              jump block2(v8)
            block2(v9: f32):
              store o1.x, v9
              store o1.y, v0
              store o1.z, v0
              store o1.w, v0
              store kill, v1
              done
        "#]],
    );
}

#[test]
fn a_loop_runs_while_any_lane_goes_round_and_counts_per_lane() {
    check(
        "loop:\n add r0.x, r0.x, i1.x\n setplt p0, r0.x, c0.x\n jmp p0, loop\n mov o1.x, r0.x\n end",
        expect![[r#"
            uniform:
              v0: mask = const true
              v1: f32 = const 0.0
              v2: i32 = const 0
              v3: f32 = uniform c0.x
              v4: i32 = loop_budget
            block0:
              jump block1(v1, v2, v0)
            block1(v5: f32, v6: i32, v7: mask):
              v8: f32 = load i1.x
              v9: f32 = fadd v5, v8
              v10: mask = flt v9, v3
              v11: mask = and v7, v10
              v12: f32 = select v7, v9, v5
              v13: i32 = tobits v11
              v14: i32 = isub v6, v13
              any v11 ? block2 : block4
            block2:
              v15: mask = ieq v6, v4
              v16: mask = and v11, v15
              any v16 ? block3 : block1(v12, v14, v11)
            block3:
              fail at 2
            block4:
              store o1.x, v12
              store o1.y, v1
              store o1.z, v1
              store o1.w, v1
              store kill, v2
              done
        "#]],
    );
}

#[test]
fn registers_wait_in_variables_if_they_are_not_passed_on() {
    let text = "loop:\n add r0.x, r0.x, i1.x\n mov r1.x, r0.x\n setplt p0, r0.x, c0.x\n jmp p0, loop\n mov o1.x, r0.x\n end";
    let function = passing(text, Domain::Io, Passing::Variables);
    expect![[r#"
        uniform:
          v0: mask = const true
          v1: f32 = const 0.0
          v2: i32 = const 0
          v3: f32 = uniform c0.x
          v4: i32 = loop_budget
        block0:
          keep x0, v1
          keep x2, v1
          keep x4, v2
          keep x5, v0
          jump block1
        block1:
          v5: mask = recall x5
          any v5 ? block2 : block5
        block2:
          v6: f32 = recall x0
          v7: f32 = load i1.x
          v8: f32 = fadd v6, v7
          v9: mask = flt v8, v3
          v10: mask = recall x5
          v11: mask = and v10, v9
          v12: f32 = select v10, v8, v6
          v13: i32 = tobits v11
          v14: i32 = recall x4
          v15: i32 = isub v14, v13
          keep x5, v11
          keep x0, v12
          keep x4, v15
          any v11 ? block3 : block5
        block3:
          v16: mask = ieq v14, v4
          v17: mask = and v11, v16
          any v17 ? block4 : block2
        block4:
          fail at 3
        block5:
          v18: f32 = recall x0
          keep x2, v18
          jump block6
        block6:
          v19: f32 = recall x2
          store o1.x, v19
          store o1.y, v1
          store o1.z, v1
          store o1.w, v1
          store kill, v2
          done
    "#]]
    .assert_eq(&function.to_string());
}

#[test]
fn a_derivative_under_a_mask_sees_the_other_lanes_as_they_stand() {
    check(
        "setplt p0, i1.x, c0.x\n jmp p0, skip\n add r0.x, r0.x, i1\n ddx o1.x, r0\nskip:\n end",
        expect![[r#"
            uniform:
              v0: f32 = const 0.0
              v1: i32 = const 0
              v2: f32 = uniform c0.x
            block0:
              v3: f32 = load i1.x
              v4: mask = flt v3, v2
              v5: mask = not v4
              any v5 ? block1 : block2(v0)
            block1:
              v6: f32 = load i1.x
              v7: f32 = fadd v6, v0
              v8: f32 = select v4, v0, v7
              v9: f32 = shuffle 0022, v8
              v10: f32 = shuffle 1133, v8
              v11: f32 = fsub v10, v9
              v12: f32 = select v4, v0, v11
              jump block2(v12)
            block2(v13: f32):
              store o1.x, v13
              store o1.y, v0
              store o1.z, v0
              store o1.w, v0
              store kill, v1
              done
        "#]],
    );
}

#[test]
fn a_guard_that_is_never_true_costs_nothing() {
    check(
        "(p3) add r0, i0, i1\nmov o1.x, r0",
        expect![[r#"
            uniform:
              v0: f32 = const 0.0
              v1: i32 = const 0
            block0:
              store o1.x, v0
              store o1.y, v0
              store o1.z, v0
              store o1.w, v0
              store kill, v1
              done
        "#]],
    );
}

#[test]
fn a_stateful_run_loads_what_it_reads_and_stores_what_it_writes() {
    let function = function("(p1) add r0.x, r1.y, a0.z\nend", Domain::State);
    expect![[r#"
        block0:
          v0: f32 = load r0.x
          v1: i32 = load a0.z
          v2: f32 = frombits v1
          v3: f32 = load r1.y
          v4: f32 = fadd v3, v2
          v5: mask = load p1
          v6: f32 = select v5, v4, v0
          store r0.x, v6
          done
    "#]]
    .assert_eq(&function.to_string());
}

#[test]
fn lanes_that_end_early_leave_the_rest_under_a_mask() {
    check(
        "setplt p0, i0.x, 0\njmp p0, on\nmov o1.x, i1 <- end\non:\nmov o1.x, i2",
        expect![[r#"
            uniform:
              v0: f32 = const 0.0
              v1: i32 = const 0
            block0:
              v2: f32 = load i0.x
              v3: mask = flt v2, v0
              v4: mask = not v3
              any v4 ? block1 : block2(v0)
            block1:
              v5: f32 = load i1.x
              v6: f32 = select v3, v0, v5
              jump block2(v6)
            block2(v7: f32):
              any v3 ? block3 : block4(v7)
            block3:
              v8: f32 = load i2.x
              v9: f32 = select v3, v8, v7
              jump block4(v9)
            block4(v10: f32):
              store o1.x, v10
              store o1.y, v0
              store o1.z, v0
              store o1.w, v0
              store kill, v1
              done
        "#]],
    );
}

#[test]
fn values_of_a_long_program_do_not_pile_up() {
    let mut text = String::new();
    for n in 0..512 {
        let [a, b, c] = [n * 7, n * 5 + 1, n * 3 + 2].map(|n| n % 32);
        text += &format!("mad_sat r{a}, r{b}, r{c}, i0\nkil r{b}\n");
    }
    let function = function(&(text + "mov o1, r0\nend"), Domain::Io);
    let mut live = std::collections::HashSet::new();
    let mut most = 0;
    for &value in function.blocks[0].body.iter().rev() {
        live.remove(&value);
        live.extend(function.node(value).operands.iter().copied());
        most = most.max(live.len());
    }
    // The registers alone are 128 values.
    assert!(most < 700, "{most} values at once");
}

#[test]
fn instructions_of_the_ctm_path_flush_only_what_others_wrote_and_they_read() {
    let flushes = |text: &str| {
        let text = format!(".extended fragment\n{text}\nend");
        let function = function(&text, Domain::Io).to_string();
        function.matches(": f32 = flush").count()
    };
    assert_eq!(flushes("mul_canon o1.x, i0.x, i1.x"), 3);
    // Clamped, guarded and negated values hold none; neither do those that a loop passes on.
    let guarded = "mul_x4_sat r0.x, i0.x, i1.x\nsetplt p0, i1.x, c0.x\n(p0) frc_canon r0.x, i0.x";
    let negated = format!("{guarded}\nmin_canon o1.x, -|r0.x|, -|r0.x|");
    assert_eq!(flushes(&negated), 4);
    let turns = "loop:\nadd_canon r0.x, r0.x, c0.x\nsetplt p0, r0.x, c1.x\njmp p0, loop";
    let square = format!("{turns}\nmul_canon o1.x, r0.x, r0.x");
    assert_eq!(flushes(&square), 3);
    // The plain path and raw moves leave some.
    let plain = "mov r0.x, i0.x\nsetplt p0, i1.x, c0.x\n(p0) mul_canon r0.x, i0.x, i1.x";
    let product = format!("{plain}\nmul_canon o1.x, r0.x, i1.x");
    assert_eq!(flushes(&product), 5);
    assert_eq!(flushes("min_raw r0.x, i0.x, i0.x\nrcp_canon o1.x, r0.x"), 2);
    // The result of a choice is flushed once, and comparisons with zero and a half need no flush.
    for choice in [
        "mov_canon o1.x, i0.x",
        "cnd_canon o1.x, i0.x, i1.x, i2.x",
        "cmpge_canon o1.x, i0.x, i1.x, i2.x",
        "cmp_canon o1.x, i2.x, i0.x, i1.x",
    ] {
        assert_eq!(flushes(choice), 1, "{choice}");
    }
    assert_eq!(flushes("cmpge_raw o1.x, i0.x, i1.x, -|i2.x|"), 0);
    assert_eq!(flushes("slt_canon o1.x, i0.x, 0"), 0);
    assert_eq!(flushes("min_canon o1.x, i0.x, i1.x"), 2);
    assert_eq!(flushes("min_raw o1.x, i0.x, i1.x"), 2);
}
