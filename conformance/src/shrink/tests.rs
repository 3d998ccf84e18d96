use std::cell::RefCell;

use super::*;
use attila_shader::isa::Program;

fn insts(text: &str) -> Vec<Inst> {
    let program = Program::assemble(text).unwrap_or_else(|error| panic!("{error}"));
    program.insts().to_vec()
}

#[test]
fn jumps_over_removed_instructions_are_shortened() {
    let old = insts("jmp p0, 3\nmov o0, i0\nmov o1, i1\nmov o2, i2\njmp p1, -3\nend");
    let new = insts("jmp p0, 2\nmov o0, i0\nmov o2, i2\njmp p1, -2\nend");
    assert_eq!(without(&old, 2..3), Some(new));
}

#[test]
fn a_jump_to_a_removed_instruction_leads_to_the_next() {
    let old = insts("jmp p0, 2\nmov o0, i0\nmov o1, i1\nmov o2, i2 <- end");
    let new = insts("jmp p0, 2\nmov o0, i0\nmov o2, i2 <- end");
    assert_eq!(without(&old, 2..3), Some(new));
}

#[test]
fn what_is_left_last_ends_the_program() {
    let old = insts("mov o0, i0\nmov o1, i1\nend");
    assert_eq!(without(&old, 1..3), Some(insts("mov o0, i0 <- end")));
    assert_eq!(without(&old, 0..3), None);
}

#[test]
fn a_case_shrinks_to_what_a_difference_needs() {
    let text = ";! input i1 = 2 3 4 5\n;! input q2 i0[1] = 7\n;! const c9 = 1\n\
                add r0, i0, c9\n(p1) jmp p0, 2\nmul_sat r1.xyz, -r0.zyxw, |i1|\nmov o0, r1\nend";
    let (case, _) = Case::from_text(text).unwrap_or_else(|error| panic!("{error}"));
    let multiplies = |case: &Case| case.insts().iter().any(|inst| inst.op == Opcode::Mul);
    let small = shrink(&case, &multiplies);
    assert_eq!(
        small.program.program().to_string().trim_end(),
        "mul r1.x, r0, i1 <- end"
    );
    assert_eq!((small.quads.len(), small.constants.len()), (1, 0));
    assert_eq!(small.quads[0], QuadState::default());
}

#[test]
fn shrinking_ends_after_so_many_rounds_however_long_it_could_go_on() {
    let inputs = ";! input i0 = 1 1 1 1\n;! input i1 = 1 1 1 1\n;! input i2 = 1 1 1 1\n";
    let text = format!("{inputs}{}", "add r0, r0, r1\n".repeat(ROUNDS + 5));
    let (case, _) = Case::from_text(&text).unwrap_or_else(|error| panic!("{error}"));
    let (words, parts) = (nonzero_count(&case), part_count(&case));
    // Instructions and words may go only by turns, which is one of each for a round.
    let next = RefCell::new(without_last_inst(&case));
    let differs = |candidate: &Case| {
        let expected = next.borrow().as_ref() == Some(candidate);
        if expected {
            let is_turn_over = (parts - part_count(candidate)).is_multiple_of(2);
            next.replace(if is_turn_over {
                without_last_inst(candidate)
            } else {
                without_last_word(candidate)
            });
        }
        expected
    };
    let small = shrink(&case, &differs);
    assert_eq!(
        (small.insts().len(), nonzero_count(&small)),
        (5, words - ROUNDS)
    );
}

fn without_last_inst(case: &Case) -> Option<Case> {
    let count = case.insts().len();
    without_insts(case, count - 1..count)
}

fn without_last_word(case: &Case) -> Option<Case> {
    let count = nonzero_count(case);
    with_zeros(case, count - 1..count)
}

fn part_count(case: &Case) -> usize {
    case.insts().len() + nonzero_count(case)
}
