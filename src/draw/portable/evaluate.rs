//! Inputs at other places of pixels than those where they are, for programs that run in a batch of quads.

use attila_machine::pipeline::Batch;
use attila_machine::{InputSource, Lanes, QuadReg};

use super::Pending;
use super::inputs::{Inputs, Spot};

/// The inputs of quads that wait to be run, by their numbers.
pub(super) struct Evaluation<'a> {
    pub(super) inputs: &'a Inputs,
    pub(super) batch: &'a Batch<'a>,
    pub(super) pending: &'a [Pending],
}

impl InputSource for Evaluation<'_> {
    fn evaluate(&self, quad: usize, register: u8, offset: Lanes<[i16; 2]>) -> QuadReg {
        let Pending {
            place, primitive, ..
        } = self.pending[quad];
        let spot = Spot::at(place, offset);
        self.inputs
            .register(register.into(), self.batch, primitive, &spot)
    }
}
