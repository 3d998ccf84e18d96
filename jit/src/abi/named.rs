//! The registers of records that code names.

use attila_isa::{INPUTS, OUTPUTS};
use attila_machine::QuadRecord;

use super::Slot;
use crate::bits::ones;

/// Registers of a record that code reads or writes. Most programs name few of them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Named {
    /// Input registers, bit n = register n.
    inputs: u64,
    /// Output registers, bit n = register n.
    outputs: u64,
    /// Whether exported depths are among them.
    depths: bool,
}

const _: () = assert!(INPUTS <= u64::BITS as usize && OUTPUTS <= u64::BITS as usize);

impl Named {
    /// Collects the registers that slots name.
    pub(crate) fn of(slots: impl Iterator<Item = Slot>) -> Named {
        let mut named = Named::default();
        for slot in slots {
            match slot {
                Slot::Input { reg, .. } => named.inputs |= 1 << reg,
                Slot::Output { reg, .. } => named.outputs |= 1 << reg,
                Slot::Depth { .. } => named.depths = true,
                // Copied in any case.
                Slot::Kill | Slot::SampleCount | Slot::Coverage | Slot::OwnSample => {}
                // Only records with all registers have them.
                Slot::Temp { .. }
                | Slot::Address { .. }
                | Slot::Predicate { .. }
                | Slot::Sample => {}
            }
        }
        named
    }

    /// Copies what the code reads and writes. Code may leave what it writes as it was: in lanes that are killed
    /// early, and components that the program does not name.
    pub(crate) fn copy<const I: usize, const O: usize>(
        self,
        from: &QuadRecord<I, O>,
        to: &mut QuadRecord<I, O>,
    ) {
        for register in ones(self.inputs) {
            to.inputs[register as usize] = from.inputs[register as usize];
        }
        for register in ones(self.outputs) {
            to.outputs[register as usize] = from.outputs[register as usize];
        }
        if self.depths {
            to.depth = from.depth;
        }
        to.kill = from.kill;
        to.samples.clone_from(&from.samples);
    }
}

#[cfg(test)]
mod tests {
    use attila_machine::QuadIo;

    use super::*;

    #[test]
    fn what_is_not_named_is_not_copied() {
        let (input, output) = (
            Slot::Input {
                reg: 3,
                component: 1,
            },
            Slot::Output {
                reg: 0,
                component: 2,
            },
        );
        let mut from = QuadIo::default();
        from.inputs[2..4].fill([[7; 4]; 4]);
        from.outputs[..2].fill([[8; 4]; 4]);
        from.depth[1] = [9; 4];
        from.kill = [1, 0, 0, 0];
        from.samples.coverage = [5; 4];

        let mut expected = QuadIo::default();
        expected.inputs[3] = from.inputs[3];
        expected.outputs[0] = from.outputs[0];
        expected.kill = from.kill;
        expected.samples = from.samples.clone();
        let mut copy = QuadIo::default();
        Named::of([input, output].into_iter()).copy(&from, &mut copy);
        assert_eq!(copy, expected);

        expected.depth = from.depth;
        Named::of([Slot::Depth { sample: 1 }].into_iter()).copy(&from, &mut copy);
        assert_eq!(copy, expected);
    }
}
