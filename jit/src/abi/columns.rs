//! The columns of elements: what code is made for, and where they lie.
//!
//! Places are numbered: values, then inputs, then outputs, then the elements that were killed.

use std::fmt;

use attila_isa::Component;
use attila_machine::{Columns, Part};
use smallvec::SmallVec;

/// Numbers of a place, the same for every element: some words out of every `stride`, or always the same ones if it is 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Column {
    /// The number of its place.
    pub(crate) place: u8,
    /// Words of an element: 1 to 4.
    pub(crate) words: u8,
    /// Words from one element to the next.
    pub(crate) stride: u32,
}

impl Column {
    /// The largest stride: offsets of an iteration's elements fit instructions.
    pub(crate) const MOST: u32 = 1 << 16;

    /// Bytes from the first element to a word of another one.
    pub(crate) fn offset(self, element: usize, word: usize) -> i32 {
        (size_of::<u32>() * (element * self.stride as usize + word)) as i32
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column{}:{}/{}", self.place, self.words, self.stride)
    }
}

/// Columns without their memory: what code is specialised by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ColumnShape {
    /// The registers of inputs that are the same for every element.
    values: SmallVec<[u8; 8]>,
    inputs: Slots,
    outputs: Slots,
    /// Whether it is told which elements were killed.
    pub(crate) tells_killed: bool,
}

type Slots = SmallVec<[Slot; 8]>;

/// A part without its memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Slot {
    register: u8,
    component: u8,
    components: u8,
    stride: u32,
}

impl Slot {
    /// `None` if code cannot be made for it.
    fn of<V>(part: &Part<V>) -> Option<Slot> {
        Some(Slot {
            register: part.register.try_into().ok()?,
            component: part.component as u8,
            components: part.components as u8,
            stride: u32::try_from(part.stride)
                .ok()
                .filter(|it| *it <= Column::MOST)?,
        })
    }

    /// The column at a place.
    fn column(&self, place: usize) -> Column {
        Column {
            place: place as u8,
            words: self.components,
            stride: self.stride,
        }
    }
}

/// The memory of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Value(usize),
    Input(usize),
    Output(usize),
    Killed,
}

impl ColumnShape {
    /// The shape of columns; `None` if code cannot be made for it.
    pub(crate) fn of(columns: &Columns<'_>) -> Option<ColumnShape> {
        let shape = ColumnShape {
            values: columns.values.iter().map(|value| value.0 as u8).collect(),
            inputs: columns.inputs.iter().map(Slot::of).collect::<Option<_>>()?,
            outputs: columns
                .outputs
                .iter()
                .map(Slot::of)
                .collect::<Option<_>>()?,
            tells_killed: columns.killed.is_some(),
        };
        (shape.places() <= usize::from(u8::MAX)).then_some(shape)
    }

    /// How many places there are.
    fn places(&self) -> usize {
        self.values.len() + self.inputs.len() + self.outputs.len() + 1
    }

    /// The place with a number.
    pub(crate) fn place(&self, number: u8) -> Place {
        let (values, inputs) = (self.values.len(), self.inputs.len());
        let number = usize::from(number);
        if number < values {
            Place::Value(number)
        } else if number < values + inputs {
            Place::Input(number - values)
        } else if number < values + inputs + self.outputs.len() {
            Place::Output(number - values - inputs)
        } else {
            Place::Killed
        }
    }

    /// The column of an input's component, and its word there. `None` for inputs that are not given.
    pub(crate) fn input(&self, register: usize, component: Component) -> Option<(Column, u8)> {
        let component = component.index() as u8;
        let has = |slot: &Slot| {
            let components = slot.component..slot.component + slot.components;
            usize::from(slot.register) == register && components.contains(&component)
        };
        if let Some(index) = self.inputs.iter().position(has) {
            let slot = self.inputs[index];
            let column = slot.column(self.values.len() + index);
            return Some((column, component - slot.component));
        }
        let is_there = |value: &u8| usize::from(*value) == register;
        let place = self.values.iter().position(is_there)?;
        let column = Column {
            place: place as u8,
            words: 4,
            stride: 0,
        };
        Some((column, component))
    }

    /// The columns of outputs, each with its register and first component.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = (Column, usize, usize)> {
        let first = self.values.len() + self.inputs.len();
        let outputs = (first..).zip(&self.outputs);
        outputs.map(|(place, slot)| {
            let column = slot.column(place);
            (column, slot.register.into(), slot.component.into())
        })
    }

    /// The column of killed elements: a word for each.
    pub(crate) fn killed(&self) -> Column {
        Column {
            place: (self.places() - 1) as u8,
            words: 1,
            stride: 1,
        }
    }
}
