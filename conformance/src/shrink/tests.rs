use std::cell::Cell;

use attila_shader::isa::{Inst, Opcode, Program};
use attila_shader::machine::QuadState;
use attila_shader::texture::{Filter, Sampler};

use super::program::without;
use super::*;
use crate::case::{Case, CaseOptions};
use crate::dice::Dice;
use crate::subject::case;
use crate::textures::Scope;

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

fn fault() -> Fault {
    Fault::new("", "")
}

/// The smallest case that `needs` holds for.
fn smallest(found: Case, needs: fn(&Case) -> bool) -> Case {
    let check = |case: &Case| needs(case).then(fault);
    shrink_with(found, fault(), &check).0
}

#[test]
fn a_case_shrinks_to_what_a_difference_needs() {
    let text = ";! input i1 = 2 3 4 5\n;! input q2 i0[1] = 7\n;! const c9 = 1\n\
                add r0, i0, c9\n(p1) jmp p0, 2\nmul_sat r1.xyz, -r0.zyxw, |i1|\nmov o0, r0\nend";
    let (found, _) = Case::from_text(text).unwrap_or_else(|error| panic!("{error}"));
    let multiplies = |case: &Case| case.insts().iter().any(|inst| inst.op == Opcode::Mul);
    let small = smallest(found, multiplies);
    assert_eq!(
        small.program.program().to_string().trim_end(),
        "mul r1.x, r0, i1 <- end"
    );
    assert_eq!((small.quads.len(), small.constants.len()), (1, 0));
    assert_eq!(small.quads[0], QuadState::default());
}

#[test]
fn images_and_samplers_shrink_to_what_a_difference_needs() {
    let needs = |case: &Case| {
        let Some((image, sampler)) = case.textures.first() else {
            return false;
        };
        let word = case.quads[0].io.inputs[0][1][2];
        image.size.width > 2 && word != 0 && sampler.mag == Filter::Linear
    };
    let scope = CaseOptions::Textures(Scope::All);
    let found: Vec<Case> = (0..60)
        .map(|index| case(1, index, &scope))
        .filter(needs)
        .collect();
    assert!(found.len() > 10, "{}", found.len());
    for found in found {
        let small = smallest(found, needs);
        let text = small.to_text("");
        let [(image, sampler)] = &small.textures[..] else {
            panic!("one image will do:\n{text}");
        };
        assert_eq!((image.size.width, image.levels.len()), (3, 1), "{text}");
        assert!(image.levels[0].iter().all(|byte| *byte == 0), "{text}");
        let expected = Sampler {
            mag: Filter::Linear,
            ..Sampler::RESET
        };
        assert_eq!(*sampler, expected, "{text}");
        assert_eq!((small.quads.len(), small.insts().len()), (1, 1), "{text}");
        assert_eq!(text.matches(";! input").count(), 1, "{text}");
    }
}

/// A case with two kinds of parts.
#[derive(Clone)]
struct Parts([usize; 2]);

impl Subject for Parts {
    type Options = ();

    fn make(_dice: &mut Dice<'_>, (): &()) -> Parts {
        Parts([0; 2])
    }

    fn check(&self, _engines: &[Engine], _tally: &mut Tally) -> Result<(), Fault> {
        Ok(())
    }

    fn is_specified(&self) -> bool {
        true
    }

    fn passes() -> Vec<Pass<Parts>> {
        let pass = |kind: usize| {
            Pass::parts(
                move |case: &Parts| case.0[kind],
                move |case: &Parts, range| {
                    let mut parts = case.0;
                    parts[kind] -= range.len();
                    Some(Parts(parts))
                },
            )
        };
        [0, 1].map(pass).into()
    }

    fn to_text(&self, _note: &str) -> String {
        format!("{:?}", self.0)
    }

    fn read(_text: &str) -> Option<Result<Parts, String>> {
        None
    }

    fn file_name(&self) -> String {
        String::new()
    }
}

#[test]
fn shrinking_ends_after_so_many_rounds_however_long_it_could_go_on() {
    // Parts of both kinds may go only by turns, which is one of each for a round.
    let start = [ROUNDS + 5, ROUNDS + 5];
    let (left, turn) = (Cell::new(start), Cell::new(0));
    let check = |case: &Parts| {
        let mut next = left.get();
        next[turn.get()] -= 1;
        (case.0 == next).then(|| {
            left.set(next);
            turn.set(1 - turn.get());
            fault()
        })
    };
    let (small, _) = shrink_with(Parts(start), fault(), &check);
    assert_eq!(small.0, [5, 5]);
}
