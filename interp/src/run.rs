//! The run loop: moves the lanes of a quad from block to block.
//!
//! Every lane is at a block of its own. The lanes at the lowest one execute it together, to its
//! end; then each goes on to wherever its own jump takes it (machine.md 3.2). No lane can be waiting
//! inside a block, since whatever can be jumped to begins one: so lanes that parted come together
//! again at the first block that they have in common.

use attila_isa::BlockId;
use attila_machine::{
    Bindings, LANES, Lanes, QuadIo, QuadReg, QuadState, RunError, Running, SAMPLES,
};

use crate::lanes::{each, splat, words};
use crate::machine::Machine;
use crate::prepare::Prepared;
use crate::registers::{input, output};
use crate::trace::{Hook, Untraced};

/// The block of a lane that has ended: after all others.
const ENDED: usize = usize::MAX;

impl Prepared {
    /// Runs every quad with all registers 0 at the start.
    pub(crate) fn run_stateless(
        &self,
        bindings: &Bindings<'_>,
        quads: &mut [QuadIo],
    ) -> Result<(), RunError> {
        self.check_textures(bindings)?;
        let _running = Running::begin()?;
        let mut machine = self.machine(bindings);
        for (index, quad) in quads.iter_mut().enumerate() {
            self.start(&mut machine, quad);
            self.run_quad(&mut machine, index, &mut Untraced)?;
            self.finish(&machine, quad);
        }
        Ok(())
    }

    /// Runs every quad from the state in which it is.
    pub(crate) fn run_stateful(
        &self,
        bindings: &Bindings<'_>,
        quads: &mut [QuadState],
        hook: &mut impl Hook,
    ) -> Result<(), RunError> {
        self.check_textures(bindings)?;
        let _running = Running::begin()?;
        let mut machine = self.machine(bindings);
        for (index, quad) in quads.iter_mut().enumerate() {
            machine.load(quad);
            let result = self.run_quad(&mut machine, index, hook);
            machine.save(quad);
            result?;
        }
        Ok(())
    }

    fn machine<'a>(&self, bindings: &'a Bindings<'a>) -> Machine<'a> {
        let stage = self.program.program().stage();
        Machine::new(bindings, stage, self.uniforms(bindings))
    }

    fn check_textures(&self, bindings: &Bindings<'_>) -> Result<(), RunError> {
        let used = self.program.usage().textures;
        let is_bound = |unit| bindings.textures().is_some_and(|t| t.has_unit(unit));
        match (0..16).find(|&unit| used >> unit & 1 != 0 && !is_bound(unit)) {
            Some(unit) => Err(RunError::UnboundTexture { unit }),
            None => Ok(()),
        }
    }

    /// Sets the registers that the last quad may have changed back to 0, and takes the inputs over.
    fn start(&self, machine: &mut Machine<'_>, quad: &QuadIo) {
        let touched = &self.touched;
        for &number in &touched.inputs {
            machine.registers[input(number)] = quad.inputs[number];
        }
        for &place in &touched.registers {
            machine.registers[place] = QuadReg::default();
        }
        for &number in &touched.predicates {
            machine.predicates[number] = splat(false);
        }
        if touched.accumulator {
            machine.accumulator = Default::default();
        }
        if touched.depth {
            machine.depth = [[0; LANES]; SAMPLES];
        }
        machine.sample = [0; LANES];
        machine.killed = [0; LANES];
    }

    /// Hands the results out.
    fn finish(&self, machine: &Machine<'_>, quad: &mut QuadIo) {
        for &number in &self.touched.outputs {
            quad.outputs[number] = machine.registers[output(number)];
        }
        quad.kill = machine.killed;
        if self.touched.depth {
            quad.depth = machine.depth;
        }
    }

    fn run_quad(
        &self,
        machine: &mut Machine<'_>,
        quad: usize,
        hook: &mut impl Hook,
    ) -> Result<(), RunError> {
        let blocks = self.program.cfg().blocks();
        let budget = machine.bindings.loop_budget();
        let mut at: Lanes<usize> = [0; LANES];
        let mut backward_jumps: Lanes<u32> = [0; LANES];
        loop {
            let current = lowest(at);
            if current == ENDED {
                return Ok(());
            }
            let block = &blocks[current];
            machine.active = words(each(at, |lane| lane == current));
            machine.all_active = machine.active == splat(true);
            machine.taken = [0; LANES];
            for pc in block.insts.clone() {
                hook.before(quad, pc, machine);
                self.steps[pc].execute(machine);
                hook.after(quad, pc, machine);
            }
            let place = |id: Option<BlockId>| id.map_or(ENDED, |id| id.0);
            let (next, jump) = (place(block.next), place(block.jump));
            for lane in 0..LANES {
                if machine.active[lane] == 0 {
                    continue;
                }
                let taken = machine.taken[lane] != 0;
                at[lane] = if taken { jump } else { next };
                if taken && jump <= current {
                    if backward_jumps[lane] == budget {
                        let pc = block.insts.end - 1;
                        return Err(RunError::LoopBudget { pc, quad, budget });
                    }
                    backward_jumps[lane] += 1;
                }
            }
        }
    }
}

fn lowest(at: Lanes<usize>) -> usize {
    at[0].min(at[1]).min(at[2].min(at[3]))
}
