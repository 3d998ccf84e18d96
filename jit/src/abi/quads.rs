//! The record of a quad: its slots, and where they lie.

use std::fmt;
use std::mem::offset_of;

use attila_isa::{BASE_INPUTS, BASE_OUTPUTS, Bank, Component, INPUTS, OUTPUTS, Pred, Profile, Reg};
use attila_machine::{
    ExtendedQuadIo, Fixed, Lanes, QuadIo, QuadSamples, QuadState, RegFile, StateName, StateWord,
};

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
    /// The number of samples of a pixel.
    SampleCount,
    /// The covered samples.
    Coverage,
    /// The sample that the program runs for.
    OwnSample,
}

impl Slot {
    /// The word of a quad's state; `None` for a register beyond its bank.
    fn word(self) -> Option<StateWord> {
        let of = |bank, reg: u8, component| {
            let reg = Reg::within(Profile::Extended, bank, reg.into())?;
            Some(StateWord::component(reg, Component::from_bits(component)))
        };
        match self {
            Slot::Input { reg, component } => of(Bank::Input, reg, component),
            Slot::Output { reg, component } => of(Bank::Output, reg, component),
            Slot::Temp { reg, component } => of(Bank::Temp, reg, component),
            Slot::Address { reg, component } => of(Bank::Address, reg, component),
            Slot::Predicate { reg } => Pred::new(reg).map(|p| StateName::Predicate(p).into()),
            Slot::Sample => Some(StateWord::SAMPLE),
            Slot::Kill => Some(StateWord::KILL),
            Slot::Depth { sample } => Some(StateName::Depth(sample).into()),
            Slot::SampleCount => Some(StateName::SampleCount.into()),
            Slot::Coverage => Some(StateName::Coverage.into()),
            Slot::OwnSample => Some(StateName::OwnSample.into()),
        }
    }

    /// The type.
    pub(crate) fn ty(self) -> Type {
        match self {
            Slot::Input { .. } | Slot::Output { .. } | Slot::Temp { .. } | Slot::Depth { .. } => {
                Type::F32
            }
            Slot::Address { .. }
            | Slot::Sample
            | Slot::Kill
            | Slot::SampleCount
            | Slot::Coverage
            | Slot::OwnSample => Type::I32,
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
            Slot::SampleCount => return f.write_str("samples"),
            Slot::Coverage => return f.write_str("coverage"),
            Slot::OwnSample => return f.write_str("own_sample"),
        };
        write!(f, "{bank}{reg}.{}", letter(component))
    }
}

/// The record that holds a quad.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum RecordLayout {
    /// [`QuadIo`]: shading, every register starts as 0.
    Io,
    /// [`ExtendedQuadIo`]: shading with the registers of the extended profile.
    ExtendedIo,
    /// [`QuadState`]: stateful runs.
    State,
    /// No record: inputs and results are those of a draw.
    Draw,
    /// No record, but columns: a quad is 16 bytes of a column that has a word for each element.
    Columns,
}

impl RecordLayout {
    /// Bytes from one record to the next.
    pub(crate) const fn size(self) -> usize {
        match self {
            RecordLayout::Io => size_of::<QuadIo>(),
            RecordLayout::ExtendedIo => size_of::<ExtendedQuadIo>(),
            RecordLayout::State => size_of::<QuadState>(),
            RecordLayout::Draw => 0,
            RecordLayout::Columns => size_of::<Lanes<u32>>(),
        }
    }

    /// Byte offset of `slot` in the record. `None` for what the record does not have.
    pub(crate) fn offset(self, slot: Slot) -> Option<usize> {
        match self {
            RecordLayout::Io => slot.word()?.io_offset::<BASE_INPUTS, BASE_OUTPUTS>(),
            RecordLayout::ExtendedIo => slot.word()?.io_offset::<INPUTS, OUTPUTS>(),
            RecordLayout::State => slot.word()?.offset(),
            RecordLayout::Draw | RecordLayout::Columns => None,
        }
    }

    /// Whether code writes nothing that it reads, so that it may run twice.
    pub(crate) fn keeps_what_it_reads(self) -> bool {
        match self {
            RecordLayout::Io | RecordLayout::ExtendedIo => true,
            RecordLayout::State | RecordLayout::Draw | RecordLayout::Columns => false,
        }
    }

    /// Byte offset of the fixed-point accumulator, if the record has one.
    pub(crate) fn accumulator(self) -> Option<usize> {
        self.regs()
            .map(|regs| regs + offset_of!(RegFile, accumulator))
    }

    /// Byte offset of the packed positions of samples, if the record has them.
    pub(crate) const fn positions(self) -> Option<usize> {
        const WITHIN: usize = offset_of!(QuadSamples, positions);
        match self {
            RecordLayout::Io => Some(offset_of!(QuadIo, samples) + WITHIN),
            RecordLayout::ExtendedIo => Some(offset_of!(ExtendedQuadIo, samples) + WITHIN),
            RecordLayout::State => {
                let io = offset_of!(QuadState, io);
                Some(io + offset_of!(ExtendedQuadIo, samples) + WITHIN)
            }
            RecordLayout::Draw | RecordLayout::Columns => None,
        }
    }

    const fn regs(self) -> Option<usize> {
        match self {
            RecordLayout::Io
            | RecordLayout::ExtendedIo
            | RecordLayout::Draw
            | RecordLayout::Columns => None,
            RecordLayout::State => Some(offset_of!(QuadState, regs)),
        }
    }
}

/// Bytes of a line of a cache. Records in memory begin with one.
pub(crate) const LINE: usize = 64;

/// Bytes of the fixed-point accumulator's component.
pub(crate) const ACCUMULATOR_COMPONENT: usize = size_of::<Lanes<Fixed>>();

/// Bytes of the whole fixed-point accumulator.
pub(crate) const ACCUMULATOR: usize = 4 * ACCUMULATOR_COMPONENT;

// Emitted code reads and writes whole vectors and relies on their alignment; it prefetches whole lines.
const _: () = assert!(align_of::<QuadIo>() == LINE);
const _: () = assert!(align_of::<ExtendedQuadIo>() == LINE);
const _: () = assert!(align_of::<QuadState>() == LINE);
