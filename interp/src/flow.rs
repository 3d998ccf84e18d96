//! [`Flow`]: where the lanes of a quad are, and which instruction comes next.
//!
//! Each lane has its own block. The lanes at the lowest one execute it together, to its end; then
//! each goes on to the target of its own jump (machine.md 3.2). No lane can be waiting inside a
//! block, since every target of a jump begins one: so lanes that diverged meet again at the first
//! block that they have in common.

use attila_isa::{Block, BlockId};
use attila_machine::{LANES, Lanes, RunError};

use crate::lanes::{each, splat, words};
use crate::machine::Machine;
use crate::prepare::Prepared;

/// The block of a lane that has ended: after all others.
const ENDED: usize = usize::MAX;

/// The place of a quad within its program.
pub(crate) struct Flow {
    /// The block that each lane executes or waits for.
    at: Lanes<usize>,
    backward_jumps: Lanes<u32>,
    /// The block that is executed, or [`ENDED`].
    block: usize,
    /// The next instruction, and the end of its block.
    pc: usize,
    end: usize,
}

impl Flow {
    /// All lanes before the first instruction. Programs have one.
    pub(crate) fn begin(program: &Prepared, machine: &mut Machine<'_>) -> Flow {
        let mut flow = Flow {
            at: [0; LANES],
            backward_jumps: [0; LANES],
            block: ENDED,
            pc: 0,
            end: 0,
        };
        flow.enter(program.program.cfg().blocks(), machine);
        flow
    }

    /// The next instruction, for the machine's active lanes. `None` at the end.
    pub(crate) fn pc(&self) -> Option<usize> {
        (self.block != ENDED).then_some(self.pc)
    }

    /// Executes the next instruction. Returns whether there is one more.
    ///
    /// # Errors
    ///
    /// The instruction is a jump, and a lane has used up its loop budget: the quad has ended. `quad` is
    /// its number for the error.
    #[inline]
    pub(crate) fn step(
        &mut self,
        program: &Prepared,
        machine: &mut Machine<'_>,
        quad: usize,
    ) -> Result<bool, RunError> {
        program.steps[self.pc].execute(machine);
        self.pc += 1;
        if self.pc < self.end {
            return Ok(true);
        }
        self.go_on(program, machine, quad)
    }

    /// Executes the rest of the block. Returns whether there is another one.
    ///
    /// # Errors
    ///
    /// As [`Flow::step`].
    #[inline]
    pub(crate) fn run_block(
        &mut self,
        program: &Prepared,
        machine: &mut Machine<'_>,
        quad: usize,
    ) -> Result<bool, RunError> {
        for step in &program.steps[self.pc..self.end] {
            step.execute(machine);
        }
        self.pc = self.end;
        self.go_on(program, machine, quad)
    }

    /// Leaves the block, which has been executed, for the next one.
    #[inline]
    fn go_on(
        &mut self,
        program: &Prepared,
        machine: &mut Machine<'_>,
        quad: usize,
    ) -> Result<bool, RunError> {
        let blocks = program.program.cfg().blocks();
        let left = self.leave(&blocks[self.block], machine, quad);
        match left {
            Ok(()) => self.enter(blocks, machine),
            Err(_) => self.block = ENDED,
        }
        left.map(|()| self.block != ENDED)
    }

    /// Sends the active lanes to their next blocks.
    #[inline]
    fn leave(&mut self, block: &Block, machine: &Machine<'_>, quad: usize) -> Result<(), RunError> {
        let place = |id: Option<BlockId>| id.map_or(ENDED, |id| id.0);
        let (next, jump) = (place(block.next), place(block.jump));
        for lane in 0..LANES {
            if machine.active[lane] == 0 {
                continue;
            }
            let taken = machine.taken[lane] != 0;
            self.at[lane] = if taken { jump } else { next };
            if taken && jump <= self.block {
                let budget = machine.bindings.loop_budget();
                if self.backward_jumps[lane] == budget {
                    let pc = block.insts.end - 1;
                    return Err(RunError::LoopBudget { pc, quad, budget });
                }
                self.backward_jumps[lane] += 1;
            }
        }
        Ok(())
    }

    /// Begins the lowest block that any lane is at.
    #[inline]
    fn enter(&mut self, blocks: &[Block], machine: &mut Machine<'_>) {
        let [a, b, c, d] = self.at;
        let current = a.min(b).min(c.min(d));
        self.block = current;
        if current == ENDED {
            return;
        }
        let insts = &blocks[current].insts;
        (self.pc, self.end) = (insts.start, insts.end);
        machine.active = words(each(self.at, |lane| lane == current));
        machine.all_active = machine.active == splat(true);
        machine.taken = [0; LANES];
    }
}
