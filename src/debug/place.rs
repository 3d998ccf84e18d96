//! [`Place`]: where a word of a quad is.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use attila_isa::{Component, Inst, OpFlags, Opcode, Reg, ValidProgram};
use attila_machine::{QuadState, SAMPLES, StateName, StateWord};
use thiserror::Error;

/// A 32-bit word of all lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A word of the state.
    Word(StateWord),
    /// A component of a scratch vector.
    Scratch {
        /// The vector.
        vector: u16,
        /// The component.
        component: Component,
    },
}

impl Place {
    /// A component of a register.
    pub const fn component(reg: Reg, component: Component) -> Place {
        Place::Word(StateWord::component(reg, component))
    }
}

impl From<StateWord> for Place {
    fn from(word: StateWord) -> Place {
        Place::Word(word)
    }
}

/// As `r3.x`, `p5`, `kill`, `scratch 7.x`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Word(word) => word.fmt(f),
            Place::Scratch { vector, component } => {
                write!(f, "scratch {vector}.{}", component.letter())
            }
        }
    }
}

/// A text that names no place.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "`{0}` is not a word of a quad; write it like `r0.x`, `p1`, `kill`, `depth s0` or `scratch 3.x`"
)]
pub struct PlaceError(pub String);

impl Place {
    /// The name and the component that a text such as `r0.x` or `t3.a` has.
    pub fn split(text: &str) -> Option<(&str, Component)> {
        let (name, letter) = text.rsplit_once('.')?;
        let is = |component: &Component| {
            let colour = ["r", "g", "b", "a"][*component as usize];
            letter.eq_ignore_ascii_case(&component.letter().to_string())
                || letter.eq_ignore_ascii_case(colour)
        };
        let component = Component::ALL.into_iter().find(is)?;
        Some((name.trim(), component))
    }
}

impl FromStr for Place {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Place, PlaceError> {
        let error = || PlaceError(text.to_owned());
        let text = text.trim();
        let (name, component) = match Place::split(text) {
            Some((name, component)) => (name, Some(component)),
            None => (text, None),
        };
        if let Some(vector) = name.strip_prefix("scratch ") {
            let vector = vector.trim().parse().map_err(|_| error())?;
            let component = component.ok_or_else(error)?;
            return Ok(Place::Scratch { vector, component });
        }
        let name: StateName = name.parse().map_err(|_| error())?;
        match (name, component) {
            (StateName::Register(reg), Some(component)) => Ok(Place::component(reg, component)),
            (StateName::Register(_), None) | (_, Some(_)) => Err(error()),
            (name, None) => Ok(Place::Word(name.into())),
        }
    }
}

/// The places that a program writes, numbered.
#[derive(Debug)]
pub(super) struct Places {
    places: Vec<Place>,
    numbers: HashMap<Place, u32>,
    /// The state's words that each instruction may write, by their numbers.
    of_inst: Vec<Vec<u32>>,
}

impl Places {
    pub(super) fn new(program: &ValidProgram) -> Places {
        let mut places = Places {
            places: Vec::new(),
            numbers: HashMap::new(),
            of_inst: Vec::new(),
        };
        for inst in program.program().insts() {
            let written = written(inst).into_iter();
            let numbers = written.map(|word| places.number(Place::Word(word)));
            let numbers = numbers.collect();
            places.of_inst.push(numbers);
        }
        places
    }

    /// The number of a place, which is new if it has none.
    pub(super) fn number(&mut self, place: Place) -> u32 {
        *self.numbers.entry(place).or_insert_with(|| {
            self.places.push(place);
            self.places.len() as u32 - 1
        })
    }

    /// The number of a place that the program writes.
    pub(super) fn find(&self, place: Place) -> Option<u32> {
        self.numbers.get(&place).copied()
    }

    pub(super) fn place(&self, number: u32) -> Place {
        self.places[number as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = Place> {
        self.places.iter().copied()
    }

    /// The words that an instruction may write.
    pub(super) fn of_inst(&self, pc: usize) -> &[u32] {
        &self.of_inst[pc]
    }

    /// The values in a state. Scratch memory is not there yet.
    pub(super) fn values(&self, state: &QuadState) -> Vec<[u32; 4]> {
        let value = |place: &Place| match place {
            Place::Word(word) => word.get(state),
            Place::Scratch { .. } => [0; 4],
        };
        self.places.iter().map(value).collect()
    }
}

/// The words of the state that an instruction may write.
fn written(inst: &Inst) -> Vec<StateWord> {
    let mut words = Vec::new();
    if inst.op.info().results.is_accumulator() {
        let components = inst.written().components();
        words.extend(components.flat_map(|c| StateName::Accumulator(c).words()));
    } else if let Some(dst) = inst.dst.reg {
        let components = dst.mask.components();
        words.extend(components.map(|c| StateWord::component(dst.reg, c)));
    }
    words.extend(
        inst.dst
            .pred
            .map(|it| StateWord::from(StateName::Predicate(it))),
    );
    if inst.op.has(OpFlags::KILL) {
        words.push(StateWord::KILL);
    }
    if inst.op.has(OpFlags::DEPTH) {
        let samples = 0..SAMPLES as u8;
        words.extend(samples.map(|it| StateWord::from(StateName::Depth(it))));
    }
    if inst.op == Opcode::Chs {
        words.push(StateWord::SAMPLE);
    }
    words
}

/// Whether an instruction may leave a word alone that it [may write](Places::of_inst), in lanes in which it takes
/// effect.
pub(super) fn chooses(inst: &Inst) -> bool {
    inst.op.has(OpFlags::DEPTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_they_are_printed() {
        for text in [
            "r3.x",
            "o1.w",
            "a0.y",
            "p5",
            "kill",
            "depth s2",
            "sample",
            "scratch 7.z",
        ] {
            let place: Place = text.parse().expect("it is one");
            assert_eq!(place.to_string(), text);
        }
        for text in [
            "",
            "r3",
            "r3.q",
            "r999.x",
            "p5.x",
            "scratch 3",
            "scratch .x",
            "c0.x!",
        ] {
            assert!(text.parse::<Place>().is_err(), "{text}");
        }
    }
}
