//! The record of a quad: its slots, and where they lie.

use std::fmt;
use std::mem::offset_of;

use attila_machine::{Fixed, Lanes, QuadIo, QuadReg, QuadState, RegFile, SAMPLES};

use super::letter;
use crate::ir::Type;

/// A place in a quad's memory that holds one vector of four words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Slot {
    /// A component of an input register.
    Input { reg: u8, component: u8 },
    /// A component of an output register.
    Output { reg: u8, component: u8 },
    /// A component of a temporary. Stateful runs only, like the four below.
    Temp { reg: u8, component: u8 },
    /// A component of an address register.
    Address { reg: u8, component: u8 },
    /// A predicate register, as a mask.
    Predicate { reg: u8 },
    /// The current sample.
    Sample,
    /// The killed samples.
    Kill,
    /// The exported depth of a sample.
    Depth { sample: u8 },
}

impl Slot {
    /// The type.
    pub(crate) fn ty(self) -> Type {
        match self {
            Slot::Input { .. } | Slot::Output { .. } | Slot::Temp { .. } | Slot::Depth { .. } => {
                Type::F32
            }
            Slot::Address { .. } | Slot::Sample | Slot::Kill => Type::I32,
            Slot::Predicate { .. } => Type::Mask,
        }
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bank, reg, component) = match *self {
            Slot::Input { reg, component } => ('i', reg, component),
            Slot::Output { reg, component } => ('o', reg, component),
            Slot::Temp { reg, component } => ('r', reg, component),
            Slot::Address { reg, component } => ('a', reg, component),
            Slot::Predicate { reg } => return write!(f, "p{reg}"),
            Slot::Sample => return f.write_str("sample"),
            Slot::Kill => return f.write_str("kill"),
            Slot::Depth { sample } => return write!(f, "depth{sample}"),
        };
        write!(f, "{bank}{reg}.{}", letter(component))
    }
}

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
