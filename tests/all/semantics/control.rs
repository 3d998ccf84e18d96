//! Lanes that diverge and meet again (machine.md 3.2), ends, and the loop budget.

use attila_shader::machine::QuadState;
use attila_shader::{QuadIo, RunError};

use super::bindings::Echo;
use crate::common::{case, check_with, compile, engines};

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

/// Counts r0.x down from i0.x, with i0.x - 1 backward jumps.
const COUNTDOWN: &str = "
    mov r0.x, i0.x
    again: add r0.x, r0.x, -1.0
    setpgt p0, r0.x, 0.0
    jmp p0, again
    mov o0.x, r0.x";

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

#[test]
fn what_is_repeated_to_find_the_lane_accumulates_once() {
    let (case, _) = case(
        "
        fxmad o0, i0, i1
        fxmul r0, i0, i1
        setpgt p0, i2.x, 0
        turn: jmp p0, turn
        end",
    );
    for engine in engines() {
        let shader = engine.prepare_stateful(&case.program);
        let shader = shader.expect("the engine compiles it");
        let mut quads = vec![QuadState::default(); 2];
        for quad in &mut quads {
            quad.io.set_input(0, [[2.0; 4]; 4]);
            quad.io.set_input(1, [[3.0; 4]; 4]);
        }
        quads[1].io.set_input(2, [[1.0; 4]; 4]);
        let bindings = case.bindings().with_loop_budget(9);
        let (pc, quad, budget) = (3, 1, 9);
        let error = shader.run(&bindings, &mut quads);
        assert_eq!(error, Err(RunError::LoopBudget { pc, quad, budget }));
        assert_eq!(quads[0].io.output(0), [[6.0; 4]; 4], "{}", engine.name());
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
