//! Conditions, loops, choices, calls and jumps.

use std::collections::BTreeMap;
use std::ops::Range;

use attila_isa::{Opcode, Remark};

use super::super::dialect::IfTest;
use super::super::program::{Flow, Instruction};
use super::super::table::TgsiOpcode;
use super::{Lowering, Named, Operand};
use crate::back::{Condition, Label};

/// The main program or a subroutine that is being lowered in place of a call.
pub(super) struct Body {
    /// The labels before instructions that jumps, SWITCH and BRK lead to.
    labels: BTreeMap<usize, Label>,
    /// The vectors on the stack at its beginning.
    depth: i32,
}

impl Lowering<'_> {
    /// Lowers all that is in no subroutine.
    pub(super) fn main(&mut self) -> Result<(), Remark> {
        let pieces = &self.program.main;
        self.code.begin_call("the main program", 0..0)?;
        self.enter(pieces, 0);
        for piece in pieces {
            self.run(piece.clone())?;
        }
        self.bodies.pop();
        self.code.end_call(0..0)
    }

    /// Lowers instructions of the current body.
    fn run(&mut self, instructions: Range<usize>) -> Result<(), Remark> {
        let mut at = instructions.start;
        while at < instructions.end {
            self.place_label(at);
            if self.leave_if(at)? {
                at += 3;
                continue;
            }
            self.instruction(&self.program.instructions[at])?;
            self.code.check_limits()?;
            at += 1;
        }
        Ok(())
    }

    /// Begins a body: makes its labels.
    fn enter(&mut self, pieces: &[Range<usize>], depth: i32) {
        let mut labels = BTreeMap::new();
        for at in pieces.iter().cloned().flatten() {
            let mut add = |at: usize| {
                let code = &mut self.code;
                labels.entry(at).or_insert_with(|| code.label());
            };
            match &self.program.instructions[at].flow {
                Flow::Jump { target } => add(*target),
                Flow::Switch {
                    cases,
                    default,
                    end,
                } => cases
                    .iter()
                    .chain(default)
                    .chain([end])
                    .for_each(|at| add(*at)),
                Flow::Next
                | Flow::If { .. }
                | Flow::Else { .. }
                | Flow::EndIf { .. }
                | Flow::Loop { .. }
                | Flow::EndLoop { .. }
                | Flow::Case { .. }
                | Flow::EndSwitch { .. }
                | Flow::Break { .. }
                | Flow::Continue { .. }
                | Flow::Call { .. }
                | Flow::Return
                | Flow::BeginRoutine { .. }
                | Flow::EndRoutine { .. }
                | Flow::End => {}
            }
        }
        self.bodies.push(Body { labels, depth });
    }

    fn label(&self, at: usize) -> Option<Label> {
        self.bodies.last()?.labels.get(&at).copied()
    }

    fn place_label(&mut self, at: usize) {
        if let Some(label) = self.label(at) {
            self.code.place(label);
        }
    }

    /// Jumps to an instruction of the same body that has a label.
    fn jump_to(&mut self, condition: Option<Condition>, at: usize) {
        if let Some(label) = self.label(at) {
            let span = self.current.span.clone();
            self.code.jump(condition, label, span);
        }
    }

    /// Lowers an instruction that decides which one is next.
    pub(super) fn flow(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let span = instruction.span.clone();
        match &instruction.flow {
            Flow::Next
            | Flow::Case { .. }
            | Flow::EndSwitch { .. }
            | Flow::BeginRoutine { .. }
            | Flow::EndRoutine { .. } => Ok(()),
            Flow::If { .. } => {
                let condition = self.tested(instruction)?;
                self.code.begin_if(condition, span);
                Ok(())
            }
            Flow::Else { .. } => self.code.begin_else(span),
            Flow::EndIf { .. } => self.code.end_if(span),
            Flow::Loop { .. } => {
                self.code.begin_loop(span);
                Ok(())
            }
            Flow::EndLoop { .. } => self.code.end_loop(span),
            Flow::Break { .. } if instruction.opcode == TgsiOpcode::Breakc => {
                let condition = self.tested(instruction)?;
                self.depart(instruction, Some(condition))
            }
            Flow::Break { .. }
            | Flow::Continue { .. }
            | Flow::Jump { .. }
            | Flow::Return
            | Flow::End => self.depart(instruction, None),
            Flow::Switch {
                cases,
                default,
                end,
            } => self.choose(instruction, cases, default.unwrap_or(*end)),
            Flow::Call { routine } => self.call(instruction, *routine),
        }
    }

    /// Lowers IF, an instruction that leaves, and ENDIF as one jump, if it is all that there is between
    /// them.
    fn leave_if(&mut self, at: usize) -> Result<bool, Remark> {
        let program = self.program;
        let [test, leave] = [at, at + 1].map(|at| program.instructions.get(at));
        let (Some(test), Some(leave)) = (test, leave) else {
            return Ok(false);
        };
        let is_alone = test.flow
            == Flow::If {
                other: None,
                end: at + 2,
            };
        let is_jump = matches!(
            leave.flow,
            Flow::Break { .. } | Flow::Continue { .. } | Flow::Return | Flow::Jump { .. }
        );
        let is_jump = is_jump && leave.opcode != TgsiOpcode::Breakc;
        let is_target = self.label(at + 1).or(self.label(at + 2)).is_some();
        if !is_alone || !is_jump || is_target {
            return Ok(false);
        }
        self.current.span = test.span.clone();
        let condition = self.tested(test)?;
        self.current.span = leave.span.clone();
        self.depart(leave, Some(condition))?;
        Ok(true)
    }

    /// The condition of an instruction that tests its source.
    fn tested(&mut self, instruction: &Instruction) -> Result<Condition, Remark> {
        let operand = self.first(instruction)?;
        let is_float = instruction.opcode == TgsiOpcode::If && self.rules.if_test == IfTest::Float;
        Ok(match is_float {
            true => self.is_not_zero(operand),
            false => self.has_bits(operand),
        })
    }

    /// The only source of an instruction.
    pub(super) fn first(&mut self, instruction: &Instruction) -> Result<Operand, Remark> {
        match instruction.sources.first() {
            Some(source) => self.operand(source),
            None => Err(self.remark(format!("{} has no source", instruction.opcode))),
        }
    }

    /// BRK, CONT, RET and BRA, where a condition holds.
    fn depart(
        &mut self,
        instruction: &Instruction,
        condition: Option<Condition>,
    ) -> Result<(), Remark> {
        let span = instruction.span.clone();
        match instruction.flow {
            Flow::Break { start } => {
                let Flow::Switch { end, .. } = self.program.instructions[start].flow else {
                    return self.code.break_loop(condition, span);
                };
                self.jump_to(condition, end);
            }
            Flow::Continue { .. } => return self.code.continue_loop(condition, span),
            Flow::Jump { target } => self.jump_to(condition, target),
            Flow::Return | Flow::End => return self.code.return_call(condition, span),
            Flow::Next
            | Flow::If { .. }
            | Flow::Else { .. }
            | Flow::EndIf { .. }
            | Flow::Loop { .. }
            | Flow::EndLoop { .. }
            | Flow::Switch { .. }
            | Flow::Case { .. }
            | Flow::EndSwitch { .. }
            | Flow::Call { .. }
            | Flow::BeginRoutine { .. }
            | Flow::EndRoutine { .. } => {}
        }
        Ok(())
    }

    /// SWITCH: all tests first, then the bodies, where lanes go on from one to the next.
    fn choose(
        &mut self,
        instruction: &Instruction,
        cases: &[usize],
        other: usize,
    ) -> Result<(), Remark> {
        use attila_isa::Component::X;
        let value = self.first(instruction)?.only(X);
        for case in cases {
            let operand = self.first(&self.program.instructions[*case])?.only(X);
            let span = instruction.span.clone();
            let is_it = self.code.compare(Opcode::Stpeqi, [value, operand], span);
            self.jump_to(Some(is_it), *case);
        }
        self.jump_to(None, other);
        Ok(())
    }

    /// CAL and CALLNZ: the subroutine in place of the call.
    fn call(&mut self, instruction: &Instruction, routine: usize) -> Result<(), Remark> {
        let span = instruction.span.clone();
        let is_conditional = instruction.opcode == TgsiOpcode::Callnz;
        if is_conditional {
            let condition = self.tested(instruction)?;
            self.code.begin_if(condition, span.clone());
        }
        let instructions = self.program.routines[routine].instructions.clone();
        let name = format!("BGNSUB at {}", instructions.start);
        self.code.begin_call(&name, span.clone())?;
        let depth = self.bodies.last().map_or(0, |body| body.depth) + instruction.depth;
        self.enter(std::slice::from_ref(&instructions), depth);
        self.run(instructions)?;
        self.bodies.pop();
        self.code.end_call(span.clone())?;
        match is_conditional {
            true => self.code.end_if(span),
            false => Ok(()),
        }
    }

    /// PUSHA: a vector onto the stack, whose places are known.
    pub(super) fn push(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let operand = self.first(instruction)?;
        let temp = self.stack(instruction.depth);
        self.write(temp, attila_isa::Slots::all(), Opcode::Mov, [operand]);
        Ok(())
    }

    /// POPA.
    pub(super) fn pop(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let temp = self.stack(instruction.depth - 1);
        self.finish(Opcode::Mov, [Operand::temp(temp)]);
        Ok(())
    }

    /// The temporary of a place of the stack, counted from the beginning of the current body.
    fn stack(&mut self, place: i32) -> usize {
        let bottom = self.bodies.last().map_or(0, |body| body.depth);
        self.named(Named::Stack(bottom + place))
    }
}
