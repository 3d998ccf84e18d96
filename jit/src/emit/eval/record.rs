//! A quad in a record.

use attila_isa::Component;
use attila_machine::{Fixed, LANES, Lanes, QuadRecord, QuadReg, QuadSamples, QuadState, RegFile};

use crate::abi::Slot;
use crate::ir::{Quad, Vector};

/// The inputs and results of a record with any number of registers.
pub(crate) struct Io<'a> {
    inputs: &'a mut [QuadReg],
    outputs: &'a mut [QuadReg],
    kill: &'a mut Vector,
    depth: &'a mut [Vector],
    samples: &'a mut QuadSamples,
}

impl<'a, const I: usize, const O: usize> From<&'a mut QuadRecord<I, O>> for Io<'a> {
    fn from(io: &'a mut QuadRecord<I, O>) -> Io<'a> {
        Io {
            inputs: &mut io.inputs,
            outputs: &mut io.outputs,
            kill: &mut io.kill,
            depth: &mut io.depth,
            samples: &mut io.samples,
        }
    }
}

impl Io<'_> {
    /// The same, borrowed for less long.
    fn again(&mut self) -> Io<'_> {
        Io {
            inputs: self.inputs,
            outputs: self.outputs,
            kill: self.kill,
            depth: self.depth,
            samples: self.samples,
        }
    }
}

/// A record, and what quads have that are shaded in one without registers.
pub(crate) struct RecordQuad<'a> {
    io: Io<'a>,
    regs: Option<&'a mut RegFile>,
    accumulator: [Lanes<Fixed>; 4],
}

impl<'a, const I: usize, const O: usize> From<&'a mut QuadRecord<I, O>> for RecordQuad<'a> {
    fn from(io: &'a mut QuadRecord<I, O>) -> RecordQuad<'a> {
        RecordQuad {
            io: io.into(),
            regs: None,
            accumulator: [[Fixed::default(); LANES]; 4],
        }
    }
}

impl<'a> From<&'a mut QuadState> for RecordQuad<'a> {
    fn from(QuadState { io, regs }: &'a mut QuadState) -> RecordQuad<'a> {
        RecordQuad {
            regs: Some(regs),
            ..RecordQuad::from(io)
        }
    }
}

/// A slot of a record. `None` if the record has no such slot.
pub(crate) fn slot<'a>(
    io: impl Into<Io<'a>>,
    regs: Option<&'a mut RegFile>,
    slot: Slot,
) -> Option<&'a mut Vector> {
    let io = io.into();
    let at = |reg: u8, component: u8| (usize::from(reg), usize::from(component));
    Some(match slot {
        Slot::Input { reg, component } => {
            let (reg, component) = at(reg, component);
            &mut io.inputs.get_mut(reg)?[component]
        }
        Slot::Output { reg, component } => {
            let (reg, component) = at(reg, component);
            &mut io.outputs.get_mut(reg)?[component]
        }
        Slot::Temp { reg, component } => {
            let (reg, component) = at(reg, component);
            &mut regs?.temps[reg][component]
        }
        Slot::Address { reg, component } => {
            let (reg, component) = at(reg, component);
            &mut regs?.addresses[reg][component]
        }
        Slot::Predicate { reg } => &mut regs?.predicates[usize::from(reg)],
        Slot::Sample => &mut regs?.sample,
        Slot::Kill => io.kill,
        Slot::Depth { sample } => &mut io.depth[usize::from(sample)],
        Slot::SampleCount => &mut io.samples.count,
        Slot::Coverage => &mut io.samples.coverage,
        Slot::OwnSample => &mut io.samples.own,
    })
}

impl Quad for RecordQuad<'_> {
    fn slot(&mut self, name: Slot) -> &mut Vector {
        let regs = self.regs.as_deref_mut();
        slot(self.io.again(), regs, name).expect("lowering names only what the record has")
    }

    fn position(&self, sample: usize) -> u32 {
        self.io.samples.positions[sample]
    }

    fn accumulator(&mut self, component: Component) -> &mut Lanes<Fixed> {
        let accumulator = match &mut self.regs {
            Some(regs) => &mut regs.accumulator,
            None => &mut self.accumulator,
        };
        &mut accumulator[component.index()]
    }
}
