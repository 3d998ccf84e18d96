//! The vocabulary of a quad's state: [`StateName`] is a register or what stands beside registers, as `r3` or `depth s2`;
//! [`StateWord`] is one 32-bit word of it in all lanes, as `r3.x`.
//!
//! Code that iterates over a state, prints it, reads it or asks where a word lies takes the names
//! from here.

use std::fmt;
use std::mem::offset_of;
use std::str::FromStr;

use attila_isa::{Bank, Component, INPUTS, OUTPUTS, Pred, Reg};

use crate::quad::{LANES, Lanes};
use crate::samples::QuadSamples;
use crate::state::{QuadRecord, QuadReg, QuadState, RegFile};
use kind::component;
pub use kind::{Meaning, StateKind, StateNameError};

mod kind;

/// A register of a quad, or what stands beside registers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StateName {
    /// An input, output, temporary or address register. Constants are not part of a quad's state: they read as 0 and
    /// cannot be set.
    Register(Reg),
    /// A predicate register.
    Predicate(Pred),
    /// The killed samples.
    Kill,
    /// The exported depth of a sample.
    Depth(u8),
    /// The current sample.
    Sample,
    /// A component of the fixed-point accumulator: sign, upper and lower half of the magnitude.
    Accumulator(Component),
    /// The number of samples that a pixel has.
    SampleCount,
    /// The covered samples.
    Coverage,
    /// The sample that the program runs for.
    OwnSample,
    /// The position of a sample, packed: the same in all lanes.
    Position(u8),
}

impl StateName {
    /// The kind; `None` for a constant.
    pub const fn kind(self) -> Option<StateKind> {
        match self {
            StateName::Register(reg) => match reg.bank() {
                Bank::Input => Some(StateKind::Input),
                Bank::Output => Some(StateKind::Output),
                Bank::Temp => Some(StateKind::Temp),
                Bank::Address => Some(StateKind::Address),
                Bank::Constant => None,
            },
            StateName::Predicate(_) => Some(StateKind::Predicate),
            StateName::Kill => Some(StateKind::Kill),
            StateName::Depth(_) => Some(StateKind::Depth),
            StateName::Sample => Some(StateKind::Sample),
            StateName::Accumulator(_) => Some(StateKind::Accumulator),
            StateName::SampleCount => Some(StateKind::SampleCount),
            StateName::Coverage => Some(StateKind::Coverage),
            StateName::OwnSample => Some(StateKind::OwnSample),
            StateName::Position(_) => Some(StateKind::Position),
        }
    }

    /// The meaning of its words.
    pub const fn meaning(self) -> Meaning {
        match self.kind() {
            Some(kind) => kind.meaning(),
            None => Meaning::Float,
        }
    }

    /// Its words, in order: the components of a register; sign, upper and lower half of an accumulator; else one.
    pub fn words(self) -> impl Iterator<Item = StateWord> {
        let parts = match self {
            StateName::Register(_) => 4,
            StateName::Accumulator(_) => 3,
            StateName::Predicate(_)
            | StateName::Kill
            | StateName::Depth(_)
            | StateName::Sample
            | StateName::SampleCount
            | StateName::Coverage
            | StateName::OwnSample
            | StateName::Position(_) => 1,
        };
        (0..parts).map(move |part| StateWord { name: self, part })
    }

    /// The values of its words in one lane.
    pub fn values(self, state: &QuadState, lane: usize) -> Vec<u32> {
        self.words().map(|word| word.get(state)[lane]).collect()
    }
}

/// As `r3`, `p5`, `kill`, `depth s2`, `sample`, `accumulator x`, `own-sample`.
impl fmt::Display for StateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateName::Register(reg) => reg.fmt(f),
            StateName::Predicate(pred) => pred.fmt(f),
            StateName::Kill => f.write_str("kill"),
            StateName::Depth(sample) => write!(f, "depth s{sample}"),
            StateName::Sample => f.write_str("sample"),
            StateName::Accumulator(c) => write!(f, "accumulator {}", c.letter()),
            StateName::SampleCount => f.write_str("samples"),
            StateName::Coverage => f.write_str("coverage"),
            StateName::OwnSample => f.write_str("own-sample"),
            StateName::Position(sample) => write!(f, "position s{sample}"),
        }
    }
}

impl FromStr for StateName {
    type Err = StateNameError;

    fn from_str(text: &str) -> Result<StateName, StateNameError> {
        let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
        let mut kinds = StateKind::ALL.into_iter();
        let is = |kind: &StateKind| first.eq_ignore_ascii_case(kind.word());
        if let Some(kind) = kinds.clone().find(is) {
            return kind.read(if rest.is_empty() { first } else { rest });
        }
        // `s2` alone could be anything.
        let letter = text.chars().next().map(|c| c.to_ascii_lowercase());
        let has_letter = |kind: &StateKind| kind.letter().is_some() && kind.letter() == letter;
        let kind = kinds.find(|kind| has_letter(kind) && kind.letter() != Some('s'));
        kind.ok_or_else(|| StateNameError::unknown(text))?
            .read(text)
    }
}

/// A word of a quad's state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateWord {
    name: StateName,
    part: u8,
}

impl StateWord {
    /// The killed samples.
    pub const KILL: StateWord = StateWord::only(StateName::Kill);
    /// The current sample.
    pub const SAMPLE: StateWord = StateWord::only(StateName::Sample);

    const fn only(name: StateName) -> StateWord {
        StateWord { name, part: 0 }
    }

    /// A component of a register.
    pub const fn component(reg: Reg, component: Component) -> StateWord {
        StateWord {
            name: StateName::Register(reg),
            part: component as u8,
        }
    }

    /// All words of a state.
    pub fn all() -> impl Iterator<Item = StateWord> {
        let names = StateKind::ALL.into_iter().flat_map(StateKind::names);
        names.flat_map(StateName::words)
    }

    /// The words that a run may change, results first.
    pub fn changed() -> impl Iterator<Item = StateWord> {
        let names = StateKind::CHANGED.into_iter().flat_map(StateKind::names);
        names.flat_map(StateName::words)
    }

    /// The name of which it is a word.
    pub const fn name(self) -> StateName {
        self.name
    }

    /// The component of the register of which it is a word.
    pub const fn register(self) -> Option<(Reg, Component)> {
        match self.name {
            StateName::Register(reg) => Some((reg, Component::from_bits(self.part))),
            StateName::Predicate(_)
            | StateName::Kill
            | StateName::Depth(_)
            | StateName::Sample
            | StateName::Accumulator(_)
            | StateName::SampleCount
            | StateName::Coverage
            | StateName::OwnSample
            | StateName::Position(_) => None,
        }
    }

    /// Its values in `state`.
    pub fn get(self, state: &QuadState) -> Lanes<u32> {
        let part = usize::from(self.part);
        match self.name {
            StateName::Register(reg) => {
                let bank: &[QuadReg] = match reg.bank() {
                    Bank::Input => &state.io.inputs,
                    Bank::Output => &state.io.outputs,
                    Bank::Temp => &state.regs.temps,
                    Bank::Address => &state.regs.addresses,
                    Bank::Constant => &[],
                };
                bank.get(reg.index()).map_or([0; 4], |reg| reg[part])
            }
            StateName::Predicate(pred) => state.regs.predicates[pred.index()],
            StateName::Kill => state.io.kill,
            StateName::Depth(sample) => {
                let depth = state.io.depth.get(usize::from(sample));
                depth.copied().unwrap_or_default()
            }
            StateName::Sample => state.regs.sample,
            StateName::SampleCount => state.io.samples.count,
            StateName::Coverage => state.io.samples.coverage,
            StateName::OwnSample => state.io.samples.own,
            StateName::Position(sample) => {
                let position = state.io.samples.positions.get(usize::from(sample));
                [position.copied().unwrap_or_default(); LANES]
            }
            StateName::Accumulator(c) => {
                state.regs.accumulator[c.index()].map(|fixed| match part {
                    0 => fixed.negative as u32,
                    1 => (fixed.magnitude >> 32) as u32,
                    _ => fixed.magnitude as u32,
                })
            }
        }
    }

    /// Sets its values in `state`.
    pub fn set(self, state: &mut QuadState, lanes: Lanes<u32>) {
        let part = usize::from(self.part);
        match self.name {
            StateName::Register(reg) => {
                let bank: &mut [QuadReg] = match reg.bank() {
                    Bank::Input => &mut state.io.inputs,
                    Bank::Output => &mut state.io.outputs,
                    Bank::Temp => &mut state.regs.temps,
                    Bank::Address => &mut state.regs.addresses,
                    Bank::Constant => &mut [],
                };
                if let Some(reg) = bank.get_mut(reg.index()) {
                    reg[part] = lanes;
                }
            }
            StateName::Predicate(pred) => state.regs.predicates[pred.index()] = lanes,
            StateName::Kill => state.io.kill = lanes,
            StateName::Depth(sample) => {
                if let Some(depth) = state.io.depth.get_mut(usize::from(sample)) {
                    *depth = lanes;
                }
            }
            StateName::Sample => state.regs.sample = lanes,
            StateName::SampleCount => state.io.samples.count = lanes,
            StateName::Coverage => state.io.samples.coverage = lanes,
            StateName::OwnSample => state.io.samples.own = lanes,
            StateName::Position(sample) => {
                if let Some(position) = state.io.samples.positions.get_mut(usize::from(sample)) {
                    // All lanes have it: one that differs is one that is set.
                    let other = lanes.into_iter().find(|word| word != position);
                    *position = other.unwrap_or(*position);
                }
            }
            StateName::Accumulator(c) => {
                let values = state.regs.accumulator[c.index()].iter_mut();
                for (fixed, word) in values.zip(lanes) {
                    let (high, low) = (fixed.magnitude >> 32, fixed.magnitude & 0xffff_ffff);
                    match part {
                        0 => fixed.negative = word.into(),
                        1 => fixed.magnitude = u64::from(word) << 32 | low,
                        _ => fixed.magnitude = high << 32 | u64::from(word),
                    }
                }
            }
        }
    }

    /// Sets its value in one lane.
    pub fn set_lane(self, state: &mut QuadState, lane: usize, value: u32) {
        let mut lanes = self.get(state);
        lanes[lane] = value;
        self.set(state, lanes);
    }

    /// Byte offset of its four lanes in a [`QuadState`], which lie one after the other; `None` for constants, and for
    /// the accumulator and positions, whose lanes do not.
    pub const fn offset(self) -> Option<usize> {
        const IO: usize = offset_of!(QuadState, io);
        const REGS: usize = offset_of!(QuadState, regs);
        if let Some(offset) = self.io_offset::<INPUTS, OUTPUTS>() {
            return Some(IO + offset);
        }
        let (start, index) = match self.name {
            StateName::Register(reg) => {
                let bank = match reg.bank() {
                    Bank::Temp => offset_of!(RegFile, temps),
                    Bank::Address => offset_of!(RegFile, addresses),
                    Bank::Input | Bank::Output | Bank::Constant => return None,
                };
                (bank, 4 * reg.index() + self.part as usize)
            }
            StateName::Predicate(pred) => (offset_of!(RegFile, predicates), pred.index()),
            StateName::Sample => (offset_of!(RegFile, sample), 0),
            StateName::Kill
            | StateName::Depth(_)
            | StateName::Accumulator(_)
            | StateName::SampleCount
            | StateName::Coverage
            | StateName::OwnSample
            | StateName::Position(_) => return None,
        };
        Some(REGS + start + index * size_of::<Lanes<u32>>())
    }

    /// Byte offset of its four lanes in a [`QuadRecord`]; `None` for what that does not have.
    pub const fn io_offset<const I: usize, const O: usize>(self) -> Option<usize> {
        let (start, index) = match self.name {
            StateName::Register(reg) => {
                let (bank, count) = match reg.bank() {
                    Bank::Input => (offset_of!(QuadRecord<I, O>, inputs), I),
                    Bank::Output => (offset_of!(QuadRecord<I, O>, outputs), O),
                    Bank::Temp | Bank::Address | Bank::Constant => return None,
                };
                if reg.index() >= count {
                    return None;
                }
                (bank, 4 * reg.index() + self.part as usize)
            }
            StateName::Kill => (offset_of!(QuadRecord<I, O>, kill), 0),
            StateName::Depth(sample) => (offset_of!(QuadRecord<I, O>, depth), sample as usize),
            StateName::SampleCount => (
                offset_of!(QuadRecord<I, O>, samples) + offset_of!(QuadSamples, count),
                0,
            ),
            StateName::Coverage => (
                offset_of!(QuadRecord<I, O>, samples) + offset_of!(QuadSamples, coverage),
                0,
            ),
            StateName::OwnSample => (
                offset_of!(QuadRecord<I, O>, samples) + offset_of!(QuadSamples, own),
                0,
            ),
            StateName::Predicate(_)
            | StateName::Sample
            | StateName::Accumulator(_)
            | StateName::Position(_) => return None,
        };
        Some(start + index * size_of::<Lanes<u32>>())
    }
}

/// The first word of a name: the only one of those that are not registers or accumulators.
impl From<StateName> for StateWord {
    fn from(name: StateName) -> StateWord {
        StateWord::only(name)
    }
}

/// As `r3.x`, `p5`, `kill`, `depth s2`, `sample`, `accumulator x high`.
impl fmt::Display for StateWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)?;
        match self.name {
            StateName::Register(_) => write!(f, ".{}", Component::from_bits(self.part).letter()),
            StateName::Accumulator(_) => {
                write!(f, " {}", ACCUMULATOR_PARTS[usize::from(self.part)])
            }
            StateName::Predicate(_)
            | StateName::Kill
            | StateName::Depth(_)
            | StateName::Sample
            | StateName::SampleCount
            | StateName::Coverage
            | StateName::OwnSample
            | StateName::Position(_) => Ok(()),
        }
    }
}

/// The words for the parts of an accumulator.
const ACCUMULATOR_PARTS: [&str; 3] = ["sign", "high", "low"];

impl FromStr for StateWord {
    type Err = StateNameError;

    fn from_str(text: &str) -> Result<StateWord, StateNameError> {
        if let Some((reg, letter)) = text.split_once('.') {
            let part = component(letter)? as u8;
            let name: StateName = reg.parse()?;
            return match name {
                StateName::Register(_) => Ok(StateWord { name, part }),
                StateName::Predicate(_)
                | StateName::Kill
                | StateName::Depth(_)
                | StateName::Sample
                | StateName::Accumulator(_)
                | StateName::SampleCount
                | StateName::Coverage
                | StateName::OwnSample
                | StateName::Position(_) => Err(StateNameError::unknown(text)),
            };
        }
        let (name, last) = text.rsplit_once(' ').unwrap_or((text, ""));
        if let Some(part) = (0..).zip(ACCUMULATOR_PARTS).find(|(_, word)| *word == last) {
            let name = name.parse()?;
            return match name {
                StateName::Accumulator(_) => Ok(StateWord { name, part: part.0 }),
                StateName::Register(_)
                | StateName::Predicate(_)
                | StateName::Kill
                | StateName::Depth(_)
                | StateName::Sample
                | StateName::SampleCount
                | StateName::Coverage
                | StateName::OwnSample
                | StateName::Position(_) => Err(StateNameError::unknown(text)),
            };
        }
        let name: StateName = text.parse()?;
        match name.words().count() {
            1 => Ok(StateWord { name, part: 0 }),
            _ => Err(StateNameError::unknown(text)),
        }
    }
}

#[cfg(test)]
mod tests;
