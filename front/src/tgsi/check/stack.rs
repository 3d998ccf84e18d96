//! The depth of the stack of PUSHA and POPA, which has to be the same on every way to an instruction.

use std::collections::BTreeMap;

use attila_isa::{Remark, code};

use super::super::program::{Flow, TgsiProgram};
use super::super::table::TgsiOpcode;
use super::Checker;

/// The most vectors on the stack.
const DEEPEST: i32 = 64;

/// The stack of a subroutine, or of the main program, relative to its beginning.
#[derive(Clone, Copy, Default, Debug)]
struct Effect {
    /// The vectors that it needs at its beginning.
    needs: i32,
    /// The depth at its end, once one is found.
    end: Option<i32>,
    /// The greatest depth.
    most: i32,
}

/// Adds the instructions that may follow one.
fn successors(program: &TgsiProgram, at: usize, next: &mut Vec<usize>) {
    match &program.instructions[at].flow {
        Flow::Next
        | Flow::EndIf { .. }
        | Flow::Loop { .. }
        | Flow::Case { .. }
        | Flow::EndSwitch { .. }
        | Flow::BeginRoutine { .. }
        | Flow::Call { .. } => next.push(at + 1),
        Flow::If { other, end } => next.extend([at + 1, other.map_or(*end, |other| other + 1)]),
        Flow::Else { end, .. } => next.push(*end),
        Flow::EndLoop { start } | Flow::Continue { start } => next.push(*start),
        Flow::Switch {
            cases,
            default,
            end,
        } => {
            next.extend(cases);
            next.push(default.unwrap_or(*end));
        }
        Flow::Break { start } => {
            if let Flow::Loop { end } | Flow::Switch { end, .. } =
                &program.instructions[*start].flow
            {
                next.push(end + 1);
            }
            if program.instructions[at].opcode == TgsiOpcode::Breakc {
                next.push(at + 1);
            }
        }
        Flow::Jump { target } => next.push(*target),
        Flow::Return | Flow::EndRoutine { .. } | Flow::End => {}
    }
}

impl Checker<'_> {
    /// Notes the depth before every instruction.
    pub(super) fn check_stack(&mut self) {
        let moves = [TgsiOpcode::Pusha, TgsiOpcode::Popa];
        let instructions = &self.program.instructions;
        if !instructions.iter().any(|it| moves.contains(&it.opcode)) {
            return;
        }
        // Subroutines follow those that they call.
        let mut effects = vec![None; self.program.routines.len()];
        for routine in std::mem::take(&mut self.structure.order) {
            let start = self.program.routines[routine].instructions.start;
            let Some(effect) = self.follow(start, false, &effects) else {
                return;
            };
            self.program.routines[routine].pushes = effect.end.unwrap_or(0);
            effects[routine] = Some(effect);
        }
        let start = self.program.main.first().map_or(0, |piece| piece.start);
        if let Some(effect) = self.follow(start, true, &effects) {
            self.program.stack = effect.most.unsigned_abs();
        }
    }

    /// Follows all ways from an instruction; `None` after an error.
    fn follow(
        &mut self,
        start: usize,
        is_main: bool,
        effects: &[Option<Effect>],
    ) -> Option<Effect> {
        let mut depths = BTreeMap::from([(start, 0)]);
        let mut waiting = vec![start];
        let mut effect = Effect::default();
        let mut next = Vec::new();
        while let Some(at) = waiting.pop() {
            let depth = depths[&at];
            self.program.instructions[at].depth = depth;
            let after = self.step(at, depth, is_main, &mut effect, effects)?;
            successors(&self.program, at, &mut next);
            let flow = &self.program.instructions[at].flow;
            if matches!(flow, Flow::Return | Flow::EndRoutine { .. })
                && *effect.end.get_or_insert(after) != after
            {
                return self.differs(at);
            }
            for successor in next.drain(..) {
                match depths.get(&successor) {
                    None => {
                        depths.insert(successor, after);
                        waiting.push(successor);
                    }
                    Some(known) if *known == after => {}
                    Some(_) => return self.differs(successor),
                }
            }
        }
        Some(effect)
    }

    fn differs(&mut self, at: usize) -> Option<Effect> {
        let span = self.program.instructions[at].span.clone();
        let message = "the stack of PUSHA is not equally deep on all ways to this instruction";
        self.diagnostics
            .error(Remark::new(span, message).code(&code::text::FLOW));
        None
    }

    /// The depth after an instruction; `None` after an error.
    fn step(
        &mut self,
        at: usize,
        depth: i32,
        is_main: bool,
        effect: &mut Effect,
        effects: &[Option<Effect>],
    ) -> Option<i32> {
        let instruction = &self.program.instructions[at];
        let span = instruction.span.clone();
        let moves = |end| Effect {
            needs: i32::from(end < 0),
            end: Some(end),
            most: end.max(0),
        };
        let callee = if let Flow::Call { routine } = instruction.flow {
            effects[routine].unwrap_or_default()
        } else if instruction.opcode == TgsiOpcode::Pusha {
            moves(1)
        } else if instruction.opcode == TgsiOpcode::Popa {
            moves(-1)
        } else {
            Effect::default()
        };
        let end = callee.end.unwrap_or(0);
        if instruction.opcode == TgsiOpcode::Callnz && end != 0 {
            // Fragments that do not call have another stack.
            return self.differs(at + 1).and(None);
        }
        effect.needs = effect.needs.max(callee.needs - depth);
        effect.most = effect.most.max(callee.most + depth);
        let problem = if is_main && effect.needs > 0 {
            match instruction.opcode == TgsiOpcode::Popa {
                true => "the stack of PUSHA is empty here".to_owned(),
                false => {
                    "the subroutine takes more from the stack of PUSHA than it holds".to_owned()
                }
            }
        } else if effect.most > DEEPEST {
            format!("the stack of PUSHA is more than {DEEPEST} vectors deep")
        } else {
            return Some(depth + end);
        };
        self.diagnostics
            .error(Remark::new(span, problem).code(&code::text::FLOW));
        None
    }
}
