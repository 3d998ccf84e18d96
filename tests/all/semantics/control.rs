//! Lanes that part and meet again (machine.md 3.2), ends, and the loop budget.

use attila_shader::{QuadIo, RunError};

use super::bindings::Echo;
use crate::common::{case, check, check_with, compile, engines};

#[test]
fn lanes_that_parted_meet_again_at_the_first_common_instruction() {
    // After the jumps the derivative sees what each side has written.
    check(
        "
        ;! pred p0 = 0110
        jmp p0, other
        add r0, r0, 3.0
        jmp true, both
        other: add r0, r0, 10.0
        both: ddx o0, r0
        ;! expect o0[0] = 7
        ;! expect o0[1] = 7
        ;! expect o0[2] = -7
        ;! expect o0[3] = -7
        mov o1, r0
        ;! expect o1[0] = 3
        ;! expect o1[1] = 10
        ;! expect o1[2] = 10
        ;! expect o1[3] = 3",
    );
}

#[test]
fn the_lanes_at_the_lowest_instruction_execute_first() {
    // Lanes 3 and 1 jump ahead, and wait there for the others.
    let echo = Echo::default();
    check_with(
        "
        ;! pred p0 = 0001
        ;! pred p1 = 0100
        jmp p0, late
        jmp p1, middle
        tex r0, i0, t1
        middle: tex r1, i0, t2
        late: tex o0, i0, t3
        ;! expect o0 = 0",
        |bindings| bindings.with_textures(&echo),
    );
    for requests in echo.requests().chunks(3) {
        let seen: Vec<(u8, u8)> = requests.iter().map(|r| (r.unit, r.active.bits())).collect();
        assert_eq!(seen, [(1, 0b0101), (2, 0b0111), (3, 0b1111)]);
    }
}

#[test]
fn every_lane_has_its_own_number_of_turns() {
    // o0.x = i0.x * i0.y by two nested loops of additions.
    check(
        "
        ;! input i0[0] = 3 4 0 0
        ;! input i0[1] = 0 7 0 0
        ;! input i0[2] = 5 1 0 0
        ;! input i0[3] = 2 0 0 0
        outer: setplt !p0, r0.x, i0.x
        jmp p0, done
        add r0.x, r0.x, 1.0
        mov r1.x, c0.x
        inner: setplt !p1, r1.x, i0.y
        jmp p1, outer
        add r1.x, r1.x, 1.0
        add r2.x, r2.x, 1.0
        jmp true, inner
        done: mov o0.x, r2.x
        ;! expect o0[0] = 12 0 0 0
        ;! expect o0[1] = 0
        ;! expect o0[2] = 5 0 0 0
        ;! expect o0[3] = 0",
    );
}

#[test]
fn a_jump_is_taken_where_condition_and_guard_are_true() {
    check(
        "
        ;! pred p0 = 0011
        ;! pred p1 = 0101
        (p0) jmp p1, 2
        add o0, r0, 1.0
        end
        ;! expect o0[0] = 1
        ;! expect o0[1] = 1
        ;! expect o0[2] = 1
        ;! expect o0[3] = 0",
    );
    check(
        "
        ;! pred p0 = 0011
        ;! pred p1 = 0101
        (!p0) jmp !p1, 2
        add o0, r0, 1.0
        end
        ;! expect o0[0] = 0
        ;! expect o0[1] = 1
        ;! expect o0[2] = 1
        ;! expect o0[3] = 1",
    );
}

#[test]
fn a_guard_does_not_reach_lanes_that_are_elsewhere() {
    check(
        "
        ;! const c0 = -1
        ;! pred p0 = 1100
        ;! pred p1 = 0110
        jmp p0, after
        (p1) mov o0, c0
        (p1) setpeq p2, c0, c0
        (p1) kil c0
        (p1) chs
        (p1) fxmul r0.x, c0, c0
        after: end
        ;! expect o0[0] = 0
        ;! expect o0[1] = 0
        ;! expect p2 = 0010
        ;! expect kill = 0010
        ;! expect sample = 0 0 1 0
        ;! expect accumulator x = 0 0 0x10000 0",
    );
}

#[test]
fn a_constant_is_a_condition_if_its_bits_are_not_0() {
    check(
        "
        ;! const c3 = 0 -0 1i 0
        jmp c3.x, 2
        add o0, r0, 1.0
        jmp c3.y, 2
        add o1, r0, 1.0
        jmp !c3.z, 2
        add o2, r0, 1.0
        end
        ;! expect o0 = 1
        ;! expect o1 = 0
        ;! expect o2 = 1",
    );
}

#[test]
fn lanes_end_one_by_one() {
    check(
        "
        ;! pred p0 = 0100
        ;! pred p1 = 1100
        add o0, r0, 1.0
        jmp !p0, 2
        end
        add o0, r0, 2.0
        jmp !p1, 2
        add o1, r0, 3.0 <- end
        add o0, r0, 4.0
        ;! expect o0[0] = 2
        ;! expect o0[1] = 1
        ;! expect o0[2] = 4
        ;! expect o0[3] = 4
        ;! expect o1[0] = 3
        ;! expect o1[1] = 0
        ;! expect o1[2] = 0",
    );
}

#[test]
fn an_end_is_not_guarded_and_comes_after_its_instruction() {
    check(
        "
        ;! pred p0 = 1010
        (p0) add o0, r0, 1.0 <- end
        add o0, r0, 2.0
        end
        ;! expect o0[0] = 1
        ;! expect o0[1] = 0
        ;! expect o0[2] = 1
        ;! expect o0[3] = 0",
    );
    check(
        "
        (p5) end
        add o0, r0, 1.0
        end
        ;! expect o0 = 0",
    );
}

#[test]
fn an_end_wins_over_the_jump_it_stands_on() {
    check(
        "
        jmp true, 2 <- end
        add o0, r0, 1.0
        add o1, r0, 1.0
        end
        ;! expect o0 = 0
        ;! expect o1 = 0",
    );
}

#[test]
fn a_program_ends_after_its_last_instruction() {
    check(
        "
        ;! pred p0 = 1010
        jmp p0, last
        end
        last: (!p0) jmp true, -1
        ;! expect o0 = 0",
    );
}

/// Counts r0.x down from i0.x, with one backward jump less than that.
const COUNTDOWN: &str = "
    mov r0.x, i0.x
    again: add r0.x, r0.x, -1.0
    setpgt p0, r0.x, 0.0
    jmp p0, again
    mov o0.x, r0.x";

#[test]
fn as_many_backward_jumps_as_the_budget_has_are_free() {
    check(&format!(
        ";! loop-budget 9
        ;! input i0 = 10
        ;! expect o0 = 0
        {COUNTDOWN}"
    ));
}

#[test]
fn a_jump_to_itself_is_a_backward_jump() {
    stops_at("jmp !p1, 0 \n end", 0, 0);
    stops_at("nop \n jmp p1, 2 \n jmp !p0, 0 \n end", 2, 0);
}

#[test]
fn the_budget_error_names_the_jump_and_the_quad() {
    let (case, _) = case(COUNTDOWN);
    for engine in engines() {
        let shader = compile(&engine, &case);
        let bindings = case.bindings().with_loop_budget(9);
        let mut quads = vec![QuadIo::default(); 5];
        for (quad, turns) in quads.iter_mut().zip([3.0, 10.0, 1.0, 11.0, 2.0]) {
            // One lane of the quad is enough; each counts for itself.
            quad.set_input(0, [[1.0; 4], [turns; 4], [9.0; 4], [2.0; 4]]);
        }
        let error = shader.run(&bindings, &mut quads);
        let (pc, quad, budget) = (3, 3, 9);
        assert_eq!(
            error,
            Err(RunError::LoopBudget { pc, quad, budget }),
            "{}",
            engine.name()
        );
        for quad in &quads[..3] {
            assert_eq!(
                quad.output(0),
                [[0.0; 4]; 4],
                "a quad before it is complete"
            );
        }
    }
}

/// Runs a program with no budget.
fn stops_at(text: &str, pc: usize, quad: usize) {
    let (case, _) = case(text);
    for engine in engines() {
        let shader = compile(&engine, &case);
        let bindings = case.bindings().with_loop_budget(0);
        let error = shader.run(&bindings, &mut [QuadIo::default()]);
        let budget = 0;
        assert_eq!(
            error,
            Err(RunError::LoopBudget { pc, quad, budget }),
            "{}",
            engine.name()
        );
    }
}
