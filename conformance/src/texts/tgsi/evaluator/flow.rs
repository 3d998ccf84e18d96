//! The statements of a text: which lanes execute which instructions, and how often.

use std::ops::Range;

use attila_shader::front::tgsi::{Dialect, Flow, Instruction, TgsiOpcode, Type};

use super::{Machine, Mask, STEPS};

const NOBODY: Mask = [false; 4];

/// The lanes that have left statements around the current one.
#[derive(Default)]
pub(super) struct Exits {
    /// By loop and SWITCH, the outermost first.
    breaks: Vec<Mask>,
    /// By loop.
    continues: Vec<Mask>,
    /// By subroutine; the first one is the main program.
    returns: Vec<Mask>,
}

fn either(a: Mask, b: Mask) -> Mask {
    std::array::from_fn(|lane| a[lane] || b[lane])
}

fn without(a: Mask, b: Mask) -> Mask {
    std::array::from_fn(|lane| a[lane] && !b[lane])
}

/// Notes lanes that leave the innermost of some statements.
fn leave(exits: &mut [Mask], lanes: Mask) {
    if let Some(last) = exits.last_mut() {
        *last = either(*last, lanes);
    }
}

impl Machine<'_> {
    /// Runs the instructions that are in no subroutine.
    pub(super) fn main(&mut self) -> Option<()> {
        self.exits.returns.push(NOBODY);
        let mut mask = [true; 4];
        for piece in &self.program.main {
            mask = self.run(piece.clone(), mask)?;
        }
        Some(())
    }

    /// Runs instructions in the lanes of `mask`. Returns the lanes that come to their end.
    fn run(&mut self, instructions: Range<usize>, mut mask: Mask) -> Option<Mask> {
        let mut at = instructions.start;
        while at < instructions.end && mask != NOBODY {
            self.steps += 1;
            if self.steps > STEPS {
                return None;
            }
            (at, mask) = self.step(at, mask)?;
        }
        Some(mask)
    }

    /// Runs an instruction, or the statement that it begins. Returns the place of the next one.
    fn step(&mut self, at: usize, mask: Mask) -> Option<(usize, Mask)> {
        let instruction = &self.program.instructions[at];
        let mask = match &instruction.flow {
            Flow::Next => {
                self.execute(instruction, mask)?;
                mask
            }
            Flow::Else { .. }
            | Flow::EndIf { .. }
            | Flow::EndLoop { .. }
            | Flow::Case { .. }
            | Flow::EndSwitch { .. }
            | Flow::BeginRoutine { .. }
            | Flow::EndRoutine { .. } => mask,
            Flow::If { other, end } => {
                let after = self.choice(at, *other, *end, mask)?;
                return Some((end + 1, after));
            }
            Flow::Loop { end } => return Some((end + 1, self.repeat(at + 1..*end, mask)?)),
            Flow::Switch {
                cases,
                default,
                end,
            } => {
                let entries = self.entries(instruction, cases, default.unwrap_or(*end), mask);
                return Some((end + 1, self.switch(at, entries, *end)?));
            }
            Flow::Break { .. } => {
                let lanes = self.conditional(instruction, mask);
                leave(&mut self.exits.breaks, lanes);
                without(mask, lanes)
            }
            Flow::Continue { .. } => {
                leave(&mut self.exits.continues, mask);
                NOBODY
            }
            Flow::Return | Flow::End => {
                leave(&mut self.exits.returns, mask);
                NOBODY
            }
            Flow::Call { routine } => {
                let lanes = self.conditional(instruction, mask);
                let body = self.program.routines[*routine].instructions.clone();
                self.exits.returns.push(NOBODY);
                let through = self.run(body.start + 1..body.end - 1, lanes)?;
                let returned = self.exits.returns.pop()?;
                either(either(through, returned), without(mask, lanes))
            }
            // The evaluator does not have it.
            Flow::Jump { .. } => return None,
        };
        Some((at + 1, mask))
    }

    /// The lanes that take a step which some opcodes take under a condition.
    fn conditional(&mut self, instruction: &Instruction, mask: Mask) -> Mask {
        match instruction.sources.is_empty() {
            true => mask,
            false => self.holds(instruction, mask),
        }
    }

    /// The lanes in which the source of an instruction holds.
    fn holds(&mut self, instruction: &Instruction, mask: Mask) -> Mask {
        let is_float = instruction.opcode == TgsiOpcode::If && self.rules.dialect != Dialect::T7;
        let kind = match instruction.opcode == TgsiOpcode::If {
            true => Type::Float,
            false => Type::Uint,
        };
        let words = self.source(&instruction.sources[0], kind, mask);
        std::array::from_fn(|lane| {
            let word = words[lane][0];
            let holds = match is_float {
                true => f32::from_bits(word) != 0.0,
                false => word != 0,
            };
            mask[lane] && holds
        })
    }

    fn choice(&mut self, at: usize, other: Option<usize>, end: usize, mask: Mask) -> Option<Mask> {
        let holds = self.holds(&self.program.instructions[at], mask);
        let first = self.run(at + 1..other.unwrap_or(end), holds)?;
        let rest = without(mask, holds);
        let second = match other {
            Some(other) => self.run(other + 1..end, rest)?,
            None => rest,
        };
        Some(either(first, second))
    }

    fn repeat(&mut self, body: Range<usize>, mut mask: Mask) -> Option<Mask> {
        self.exits.breaks.push(NOBODY);
        while mask != NOBODY {
            // A body may be empty.
            self.steps += 1;
            if self.steps > STEPS {
                return None;
            }
            self.exits.continues.push(NOBODY);
            let through = self.run(body.clone(), mask)?;
            mask = either(through, self.exits.continues.pop()?);
        }
        self.exits.breaks.pop()
    }

    /// The instruction at which each lane enters a SWITCH: the first CASE of its value, or `other`.
    fn entries(
        &mut self,
        instruction: &Instruction,
        cases: &[usize],
        other: usize,
        mask: Mask,
    ) -> [Option<usize>; 4] {
        let value = self.source(&instruction.sources[0], Type::Uint, mask);
        let mut entries = mask.map(|lane| lane.then_some(other));
        for case in cases.iter().rev() {
            let source = &self.program.instructions[*case].sources[0];
            let label = self.source(source, Type::Uint, mask);
            for lane in (0..4).filter(|lane| mask[*lane]) {
                if label[lane][0] == value[lane][0] {
                    entries[lane] = Some(*case);
                }
            }
        }
        entries
    }

    /// Runs the bodies of a SWITCH, each of which leads to the next.
    fn switch(&mut self, start: usize, entries: [Option<usize>; 4], end: usize) -> Option<Mask> {
        let Flow::Switch { cases, default, .. } = &self.program.instructions[start].flow else {
            return None;
        };
        let mut labels: Vec<usize> = cases.iter().chain(default).copied().collect();
        labels.sort_unstable();
        let ends = labels.iter().skip(1).copied().chain([end]);
        self.exits.breaks.push(NOBODY);
        let mut mask = NOBODY;
        for (label, next) in labels.iter().zip(ends) {
            mask = either(mask, entries.map(|entry| entry == Some(*label)));
            mask = self.run(label + 1..next, mask)?;
        }
        let past = entries.map(|entry| entry == Some(end));
        Some(either(either(mask, past), self.exits.breaks.pop()?))
    }
}
