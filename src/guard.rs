//! Programs that do nothing in lanes which nothing is behind: for what others see, such as writes to storage buffers.

use attila_isa::{
    Bank, BoolSrc, Component, Dst, Imm, Inst, Modifiers, Opcode, Operand, Pred, Program, Reg, Src,
    Stage, Swizzle, ValidProgram,
};
use attila_machine::RunError;

/// Instructions before those of the program.
const BEFORE: usize = 2;

/// The program for a stage, in lanes where w of an input is 0. The others end at once.
///
/// # Errors
///
/// The number of its instructions, if three more are too many.
pub(crate) fn guarded(
    program: &Program,
    (stage, input): (Stage, usize),
) -> Result<ValidProgram, usize> {
    let too_long = || program.insts().len();
    // Lanes that go on have the predicate as they would find it: false.
    let is_beyond = Pred::new(0).expect("there is a predicate 0");
    let input = Reg::within(program.profile(), Bank::Input, input as u16);
    let mut test = Inst::new(Opcode::Stpgti);
    test.dst = Dst::pred(is_beyond);
    let zero = Imm {
        bits: 0,
        modifiers: Modifiers::default(),
    };
    let input = Src {
        swizzle: Swizzle::broadcast(Component::W),
        ..Src::new(input.expect("it is an input of the program's profile"))
    };
    test.operands = [Operand::Reg(input), Operand::Imm(zero), Operand::None];
    let mut leave = Inst::new(Opcode::Jmp);
    let condition = BoolSrc::Pred {
        pred: is_beyond,
        negate: false,
    };
    let distance = program.insts().len() as i32 + 1;
    leave.operands = [
        Operand::Bool(condition),
        Operand::Offset(distance),
        Operand::None,
    ];
    let end = Inst::new(Opcode::End);
    let insts = [&[test, leave], program.insts(), &[end]].concat();
    let guarded = Program::in_profile(program.profile(), insts).map_err(|_| too_long())?;
    let guarded = guarded.with_stage(stage).with_scratch(program.scratch());
    guarded.validate().map_err(|_| too_long())
}

/// The error with the places of the program itself.
pub(crate) fn without_guard(error: RunError) -> RunError {
    if let RunError::LoopBudget { pc, quad, budget } = error {
        return RunError::LoopBudget {
            pc: pc.saturating_sub(BEFORE),
            quad,
            budget,
        };
    }
    error
}
