//! Kinds of names, and how names are read.

use attila_isa::text::is_whole;
use attila_isa::{
    ADDRESSES, Bank, Component, INPUTS, OUTPUTS, PREDICATES, Pred, Profile, Reg, TEMPS,
};
use thiserror::Error;

use super::StateName;
use crate::state::SAMPLES;

/// A kind of names. Inputs, outputs, kill masks and depths are in
/// [`QuadIo`](crate::QuadIo), the others in [`RegFile`](crate::RegFile).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StateKind {
    /// `i0`-`i63`.
    Input,
    /// `o0`-`o63`.
    Output,
    /// `r0`-`r255`.
    Temp,
    /// `a0`-`a3`.
    Address,
    /// `p0`-`p31`.
    Predicate,
    /// The current sample.
    Sample,
    /// The exported depths of samples, `s0`-`s15`.
    Depth,
    /// The kill masks.
    Kill,
    /// The components of the fixed-point accumulator.
    Accumulator,
    /// The number of samples of a pixel.
    SampleCount,
    /// The covered samples.
    Coverage,
    /// The sample that the program runs for.
    OwnSample,
    /// The positions of samples, `s0`-`s15`.
    Position,
}

/// The meaning of a word's bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Meaning {
    /// An f32.
    Float,
    /// An i32.
    Integer,
    /// All bits set for true, 0 for false.
    Truth,
    /// A set of samples.
    Samples,
    /// Part of a fixed-point number.
    Fixed,
    /// A packed offset from a pixel's centre.
    Offset,
}

impl StateKind {
    /// All kinds: inputs first.
    pub const ALL: [StateKind; 13] = [
        StateKind::Input,
        StateKind::Output,
        StateKind::Temp,
        StateKind::Address,
        StateKind::Predicate,
        StateKind::Sample,
        StateKind::Depth,
        StateKind::Kill,
        StateKind::Accumulator,
        StateKind::SampleCount,
        StateKind::Coverage,
        StateKind::OwnSample,
        StateKind::Position,
    ];

    /// The kinds that a run may change: results first.
    pub const CHANGED: [StateKind; 8] = [
        StateKind::Output,
        StateKind::Kill,
        StateKind::Depth,
        StateKind::Temp,
        StateKind::Address,
        StateKind::Predicate,
        StateKind::Sample,
        StateKind::Accumulator,
    ];

    /// The word for the kind in texts: `input`, `pred`, `depth` and so on.
    pub const fn word(self) -> &'static str {
        match self {
            StateKind::Input => "input",
            StateKind::Output => "output",
            StateKind::Temp => "temp",
            StateKind::Address => "address",
            StateKind::Predicate => "pred",
            StateKind::Sample => "sample",
            StateKind::Depth => "depth",
            StateKind::Kill => "kill",
            StateKind::Accumulator => "accumulator",
            StateKind::SampleCount => "samples",
            StateKind::Coverage => "coverage",
            StateKind::OwnSample => "own-sample",
            StateKind::Position => "position",
        }
    }

    /// The meaning of words of this kind.
    pub const fn meaning(self) -> Meaning {
        match self {
            StateKind::Input | StateKind::Output | StateKind::Temp | StateKind::Depth => {
                Meaning::Float
            }
            StateKind::Address
            | StateKind::Sample
            | StateKind::SampleCount
            | StateKind::Coverage
            | StateKind::OwnSample => Meaning::Integer,
            StateKind::Position => Meaning::Offset,
            StateKind::Predicate => Meaning::Truth,
            StateKind::Kill => Meaning::Samples,
            StateKind::Accumulator => Meaning::Fixed,
        }
    }

    /// The bank of registers of this kind.
    pub const fn bank(self) -> Option<Bank> {
        match self {
            StateKind::Input => Some(Bank::Input),
            StateKind::Output => Some(Bank::Output),
            StateKind::Temp => Some(Bank::Temp),
            StateKind::Address => Some(Bank::Address),
            StateKind::Predicate
            | StateKind::Sample
            | StateKind::Depth
            | StateKind::Kill
            | StateKind::Accumulator
            | StateKind::SampleCount
            | StateKind::Coverage
            | StateKind::OwnSample
            | StateKind::Position => None,
        }
    }

    /// The names of this kind, in order.
    pub fn names(self) -> impl Iterator<Item = StateName> {
        (0..self.count()).filter_map(move |index| self.name(index))
    }

    /// The letter before the number of a name.
    pub(super) const fn letter(self) -> Option<char> {
        match self {
            StateKind::Predicate => Some('p'),
            StateKind::Depth | StateKind::Position => Some('s'),
            StateKind::Sample
            | StateKind::Kill
            | StateKind::Accumulator
            | StateKind::SampleCount
            | StateKind::Coverage
            | StateKind::OwnSample => None,
            StateKind::Input | StateKind::Output | StateKind::Temp | StateKind::Address => {
                match self.bank() {
                    Some(bank) => Some(bank.letter()),
                    None => None,
                }
            }
        }
    }

    fn count(self) -> usize {
        match self {
            StateKind::Input => INPUTS,
            StateKind::Output => OUTPUTS,
            StateKind::Temp => TEMPS,
            StateKind::Address => ADDRESSES,
            StateKind::Predicate => PREDICATES.into(),
            StateKind::Depth | StateKind::Position => SAMPLES,
            StateKind::Accumulator => Component::ALL.len(),
            StateKind::Sample
            | StateKind::Kill
            | StateKind::SampleCount
            | StateKind::Coverage
            | StateKind::OwnSample => 1,
        }
    }

    pub(super) fn name(self, index: usize) -> Option<StateName> {
        if let Some(bank) = self.bank() {
            let index = u16::try_from(index).ok()?;
            return Reg::within(Profile::Extended, bank, index).map(StateName::Register);
        }
        let number = u8::try_from(index).ok().filter(|_| index < self.count())?;
        match self {
            StateKind::Predicate => Pred::new(number).map(StateName::Predicate),
            StateKind::Depth => Some(StateName::Depth(number)),
            StateKind::Accumulator => Some(StateName::Accumulator(Component::from_bits(number))),
            StateKind::Sample => Some(StateName::Sample),
            StateKind::SampleCount => Some(StateName::SampleCount),
            StateKind::Coverage => Some(StateName::Coverage),
            StateKind::OwnSample => Some(StateName::OwnSample),
            StateKind::Position => Some(StateName::Position(number)),
            StateKind::Kill
            | StateKind::Input
            | StateKind::Output
            | StateKind::Temp
            | StateKind::Address => Some(StateName::Kill),
        }
    }

    /// Reads a name of this kind, in upper or lower case: `r3`, `p5`, `s2` for a depth, `x` for the accumulator.
    ///
    /// # Errors
    ///
    /// `text` is not one; the error tells the names that there are.
    pub fn read(self, text: &str) -> Result<StateName, StateNameError> {
        let Some(letter) = self.letter() else {
            if self == StateKind::Accumulator {
                return component(text).map(StateName::Accumulator);
            }
            let own = self
                .name(0)
                .filter(|_| text.eq_ignore_ascii_case(self.word()));
            return own.ok_or_else(|| StateNameError::unknown(text));
        };
        let lower = text.to_ascii_lowercase();
        let digits = lower.strip_prefix(letter).filter(|rest| is_whole(rest));
        let number = digits.and_then(|digits| digits.parse().ok());
        number
            .and_then(|number| self.name(number))
            .ok_or_else(|| StateNameError::Number {
                name: text.to_owned(),
                letter,
                last: self.count() - 1,
            })
    }
}

pub(super) fn component(text: &str) -> Result<Component, StateNameError> {
    let is = |c: &Component| text.eq_ignore_ascii_case(c.letter().encode_utf8(&mut [0; 4]));
    let found = Component::ALL.into_iter().find(is);
    found.ok_or_else(|| StateNameError::Component {
        name: text.to_owned(),
    })
}

/// The reason why a text is not a name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum StateNameError {
    /// The number is missing or too large.
    #[error("`{name}` is not {letter}0 to {letter}{last}")]
    Number {
        /// The text.
        name: String,
        /// The first letter of the names.
        letter: char,
        /// The last number.
        last: usize,
    },
    /// It is not a component.
    #[error("`{name}` is not a component x, y, z or w")]
    Component {
        /// The text.
        name: String,
    },
    /// No kind of names looks like it.
    #[error("`{name}` is not part of a quad's state")]
    Unknown {
        /// The text.
        name: String,
    },
}

impl StateNameError {
    pub(super) fn unknown(name: &str) -> StateNameError {
        StateNameError::Unknown {
            name: name.to_owned(),
        }
    }
}
