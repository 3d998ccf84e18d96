//! Random cases, valid by construction.
//!
//! 1. Pick the shape: one instruction, or a program with control flow (`structure`).
//! 2. Fill it with instructions made from the rows of the opcode table (`instruction`): operand
//!    kinds say what may stand where, the result kind what is written.
//! 3. Make what it runs on (`start`): biased values in every register that the program names.
//!
//! No case depends on the payload of a NaN made by arithmetic: integers are read only from
//! registers that nothing but integers is written to. [`NanFlow`] checks that of every case.

mod instruction;
mod options;
mod start;
mod structure;

use attila_shader::isa::{Dst, Inst, Opcode, OperandKind, Program, ScratchArray, Stage};

use super::case::Case;
use super::dice::Dice;
use super::nan_payload::NanFlow;
use instruction::{Instructions, Registers};
pub use options::{Mode, Options};

/// Makes a case. The same words of the generator give the same case.
///
/// # Panics
///
/// If the program made is not valid or depends on unspecified bits: an error in this module.
pub fn generate(dice: &mut Dice<'_>, options: &Options) -> Case {
    let mode = options.mode.unwrap_or_else(|| {
        if dice.percent(options.single) {
            Mode::Single
        } else {
            Mode::Program
        }
    });
    let stage = if dice.percent(options.vertex) {
        Stage::Vertex
    } else if options.geometry > 0 && dice.percent(options.geometry) {
        Stage::Geometry
    } else {
        Stage::Fragment
    };
    let insts = match mode {
        Mode::Single => single(dice, options, stage),
        Mode::Program => structure::program(dice, options, stage),
    };
    let program = Program::in_profile(options.profile, insts)
        .unwrap_or_else(|(index, error)| panic!("instruction {index}: {error}"))
        .with_stage(stage);
    let arrays = program.insts().iter().filter_map(Inst::scratch);
    let scratch = arrays.map(ScratchArray::end).max().unwrap_or(0);
    let program = program.with_scratch(scratch);
    assert_eq!(
        NanFlow::new(&program).first_dependent(&program),
        None,
        "the program depends on the payload of a NaN"
    );
    let valid = program
        .validate()
        .unwrap_or_else(|error| panic!("the generator made an invalid program:\n{error}"));
    start::case(dice, options, mode, valid)
}

/// One instruction with the end flag. A jump stands among landmarks instead, so that it shows
/// where it leads.
fn single(dice: &mut Dice<'_>, options: &Options, stage: Stage) -> Vec<Inst> {
    let mut instructions = Instructions::new(dice, options, stage, Registers::all(options.profile));
    let op = instructions.opcode(|_| true);
    let mut inst = instructions.instruction(op);
    if !op.operands().contains(&OperandKind::Offset) {
        inst.end = true;
        // Seen as a bag of one instruction, an address or integer that it both writes and uses is
        // suspect. Nothing is read from outputs.
        if depends_on_itself(options, inst) {
            inst.relative = None;
        }
        if depends_on_itself(options, inst) {
            let dst = instructions.output();
            inst.dst = Dst::reg(dst, inst.written());
        }
        return vec![inst];
    }
    let mut insts: Vec<Inst> = (0..4)
        .map(|_| instructions.instruction(Opcode::Mov))
        .collect();
    let mut last = instructions.instruction(Opcode::Mov);
    last.end = true;
    insts.push(last);
    let at = instructions.dice.below(insts.len() - 1);
    instructions.guard_if_certain(&mut inst);
    insts.insert(at, inst);
    let target = instructions.dice.below(insts.len());
    structure::set_target(&mut insts, at, target);
    insts
}

/// Whether an instruction could read a NaN as an integer that it has made itself.
fn depends_on_itself(options: &Options, inst: Inst) -> bool {
    let alone = Program::in_profile(options.profile, vec![inst]);
    alone.is_ok_and(|p| NanFlow::new(&p).first_dependent(&p).is_some())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use attila_shader::isa::Profile;

    use super::*;
    use crate::dice::{ByteRng, case_rng};

    fn cases(mode: Mode, count: u64) -> impl Iterator<Item = Case> {
        let options = Options {
            mode: Some(mode),
            ..Options::DEFAULT
        };
        (0..count).map(move |index| {
            let mut rng = case_rng(1, index);
            generate(&mut Dice::new(&mut rng), &options)
        })
    }

    #[test]
    fn single_instructions_cover_the_table() {
        let ops: BTreeSet<Opcode> = cases(Mode::Single, 2000)
            .flat_map(|case| case.program.program().insts().to_vec())
            .map(|inst| inst.op)
            .collect();
        assert_eq!(ops.len(), Profile::Base.opcodes().count());
    }

    #[test]
    fn programs_of_the_extended_profile_cover_the_table_soon() {
        let case = |index| {
            let mut rng = case_rng(2, index);
            generate(&mut Dice::new(&mut rng), &Options::EXTENDED)
        };
        let ops: BTreeSet<Opcode> = (0..500)
            .map(case)
            .flat_map(|case| case.program.program().insts().to_vec())
            .map(|inst| inst.op)
            .collect();
        let missing = Opcode::ALL.iter().find(|op| !ops.contains(op));
        assert_eq!(missing, None);
    }

    #[test]
    fn programs_have_every_kind_of_jump_and_many_lengths() {
        let mut lengths = BTreeSet::new();
        let (mut forward, mut backward) = (0, 0);
        for case in cases(Mode::Program, 300) {
            let insts = case.program.program().insts();
            lengths.insert(insts.len());
            for offset in insts.iter().filter_map(Inst::jump_offset) {
                *if offset > 0 {
                    &mut forward
                } else {
                    &mut backward
                } += 1;
            }
        }
        assert!(lengths.len() > 30, "{lengths:?}");
        assert!(forward > 100 && backward > 50, "{forward} {backward}");
    }

    #[test]
    fn any_bytes_make_a_valid_case() {
        for length in 0..200 {
            let bytes: Vec<u8> = (0..length * 7)
                .map(|n| (n * n * 31 + length) as u8)
                .collect();
            generate(&mut Dice::new(&mut ByteRng::new(&bytes)), &Options::DEFAULT);
        }
    }
}
