//! Where a quad's slots lie in the memory that a compiled shader works on.

use core::mem::{offset_of, size_of};

use attila_isa::{Fixed, Lanes, QuadIo, QuadReg, QuadState, RegFile, SAMPLES};

use crate::ir::Slot;

/// The record that holds a quad.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Layout {
    /// [`QuadIo`]: shading, every register starts as 0.
    Io,
    /// [`QuadState`]: stateful runs.
    State,
    /// No record: inputs and results are those of a draw. Only exported depths are in memory,
    /// in the frame of the code.
    Draw,
}

impl Layout {
    /// Bytes from one record to the next.
    pub(crate) const fn size(self) -> usize {
        match self {
            Layout::Io => size_of::<QuadIo>(),
            Layout::State => size_of::<QuadState>(),
            Layout::Draw => SAMPLES * VECTOR,
        }
    }

    /// Byte offset of `slot` in the record. `None` for what the record does not have.
    pub(crate) fn offset(self, slot: Slot) -> Option<usize> {
        let Some(io) = self.io() else {
            return if let Slot::Depth { sample } = slot {
                Some(usize::from(sample) * VECTOR)
            } else {
                None
            };
        };
        let in_reg = |reg: u8, component: u8| {
            usize::from(reg) * size_of::<QuadReg>() + usize::from(component) * VECTOR
        };
        let regs = self.regs();
        match slot {
            Slot::Input { reg, component } => {
                Some(io + offset_of!(QuadIo, inputs) + in_reg(reg, component))
            }
            Slot::Output { reg, component } => {
                Some(io + offset_of!(QuadIo, outputs) + in_reg(reg, component))
            }
            Slot::Temp { reg, component } => {
                regs.map(|regs| regs + offset_of!(RegFile, temps) + in_reg(reg, component))
            }
            Slot::Address { reg, component } => {
                regs.map(|regs| regs + offset_of!(RegFile, addresses) + in_reg(reg, component))
            }
            Slot::Predicate { reg } => {
                regs.map(|regs| regs + offset_of!(RegFile, predicates) + usize::from(reg) * VECTOR)
            }
            Slot::Sample => regs.map(|regs| regs + offset_of!(RegFile, sample)),
            Slot::Kill => Some(io + offset_of!(QuadIo, kill)),
            Slot::Depth { sample } => {
                Some(io + offset_of!(QuadIo, depth) + usize::from(sample) * VECTOR)
            }
        }
    }

    /// Byte offset of the fixed-point accumulator, if the record has one.
    pub(crate) fn accumulator(self) -> Option<usize> {
        self.regs()
            .map(|regs| regs + offset_of!(RegFile, accumulator))
    }

    const fn io(self) -> Option<usize> {
        match self {
            Layout::Io => Some(0),
            Layout::State => Some(offset_of!(QuadState, io)),
            Layout::Draw => None,
        }
    }

    const fn regs(self) -> Option<usize> {
        match self {
            Layout::Io | Layout::Draw => None,
            Layout::State => Some(offset_of!(QuadState, regs)),
        }
    }
}

/// Bytes of one component of a quad: four 32-bit words.
const VECTOR: usize = size_of::<Lanes<u32>>();

/// Bytes of the fixed-point accumulator's component.
pub(crate) const ACCUMULATOR_COMPONENT: usize = size_of::<Lanes<Fixed>>();

/// Bytes of the whole fixed-point accumulator.
pub(crate) const ACCUMULATOR: usize = 4 * ACCUMULATOR_COMPONENT;

// Emitted code reads and writes whole vectors and relies on their alignment.
const _: () = assert!(size_of::<QuadIo>().is_multiple_of(VECTOR) && align_of::<QuadIo>() == VECTOR);
const _: () =
    assert!(size_of::<QuadState>().is_multiple_of(VECTOR) && align_of::<QuadState>() == VECTOR);

#[cfg(test)]
mod tests {
    use super::*;

    /// The address of a field of `record`, relative to it.
    fn within<T, F>(record: &T, field: &F) -> Option<usize> {
        Some(core::ptr::from_ref(field).addr() - core::ptr::from_ref(record).addr())
    }

    #[test]
    fn offsets_are_those_of_the_fields() {
        let (reg, component) = (7, 2);
        let io = QuadIo::default();
        let at = |slot| Layout::Io.offset(slot);
        assert_eq!(
            at(Slot::Input { reg, component }),
            within(&io, &io.inputs[7][2])
        );
        assert_eq!(
            at(Slot::Output { reg, component }),
            within(&io, &io.outputs[7][2])
        );
        assert_eq!(at(Slot::Kill), within(&io, &io.kill));
        assert_eq!(at(Slot::Depth { sample: 9 }), within(&io, &io.depth[9]));
        assert_eq!(at(Slot::Temp { reg, component }), None);

        let state = QuadState::default();
        let at = |slot| Layout::State.offset(slot);
        let regs = &state.regs;
        assert_eq!(
            at(Slot::Input { reg, component }),
            within(&state, &state.io.inputs[7][2])
        );
        assert_eq!(
            at(Slot::Temp { reg, component }),
            within(&state, &regs.temps[7][2])
        );
        let address = Slot::Address { reg: 1, component };
        assert_eq!(at(address), within(&state, &regs.addresses[1][2]));
        assert_eq!(
            at(Slot::Predicate { reg: 31 }),
            within(&state, &regs.predicates[31])
        );
        assert_eq!(at(Slot::Sample), within(&state, &regs.sample));
        assert_eq!(
            Layout::State.accumulator(),
            within(&state, &regs.accumulator)
        );
    }
}
