//! Runs of many quads, one after another.

use std::sync::Arc;

use attila_machine::{Bindings, LANES, QuadRecord, QuadReg, QuadState, RunError, Running, SAMPLES};

use crate::flow::Flow;
use crate::lanes::splat;
use crate::machine::Machine;
use crate::prepare::Prepared;

impl Prepared {
    /// Runs every quad with all registers 0 at the start.
    pub(crate) fn run_stateless<const I: usize, const O: usize>(
        &self,
        bindings: &Bindings<'_>,
        quads: &mut [QuadRecord<I, O>],
    ) -> Result<(), RunError> {
        QuadRecord::<I, O>::check(self.program.usage())?;
        bindings.check_units(self.program.usage())?;
        let _running = Running::begin(bindings)?;
        let mut machine = self.machine(bindings);
        for (index, quad) in quads.iter_mut().enumerate() {
            self.start(&mut machine, quad);
            self.run_quad(&mut machine, index)?;
            self.finish(&machine, quad);
        }
        Ok(())
    }

    /// Runs every quad from the state in which it is.
    pub(crate) fn run_stateful(
        &self,
        bindings: &Bindings<'_>,
        quads: &mut [QuadState],
    ) -> Result<(), RunError> {
        bindings.check_units(self.program.usage())?;
        let _running = Running::begin(bindings)?;
        let mut machine = self.machine(bindings);
        for (index, quad) in quads.iter_mut().enumerate() {
            machine.load(quad);
            let result = self.run_quad(&mut machine, index);
            machine.save(quad);
            result?;
        }
        Ok(())
    }

    fn run_quad(&self, machine: &mut Machine<'_>, quad: usize) -> Result<(), RunError> {
        machine.quad = quad;
        let mut flow = Flow::begin(self, machine);
        while flow.run_block(self, machine, quad)? {}
        Ok(())
    }

    pub(crate) fn machine<'a>(&self, bindings: &'a Bindings<'a>) -> Machine<'a> {
        let stage = self.program.program().stage();
        let outputs = (self.places, Arc::clone(&self.touched.outputs));
        let (uniforms, scratch) = (self.uniforms(bindings), self.program.usage().scratch);
        Machine::new(bindings, stage, outputs, uniforms, scratch)
    }

    /// Sets the registers that the last quad may have changed back to 0, and takes the inputs over.
    fn start<const I: usize, const O: usize>(
        &self,
        machine: &mut Machine<'_>,
        quad: &QuadRecord<I, O>,
    ) {
        let touched = &self.touched;
        for &number in &touched.inputs {
            machine.registers[number] = quad.inputs[number];
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
        if touched.samples {
            machine.samples.clone_from(&quad.samples);
        }
        machine.scratch.fill(QuadReg::default());
        machine.sample = [0; LANES];
        machine.killed = [0; LANES];
    }

    /// Hands the results out.
    fn finish<const I: usize, const O: usize>(
        &self,
        machine: &Machine<'_>,
        quad: &mut QuadRecord<I, O>,
    ) {
        for &number in &*self.touched.outputs {
            quad.outputs[number] = machine.registers[self.places.output(number)];
        }
        quad.kill = machine.killed;
        if self.touched.depth {
            quad.depth = machine.depth;
        }
    }
}
