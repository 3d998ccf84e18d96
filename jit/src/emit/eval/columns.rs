//! A quad of columns.

use attila_isa::Component;
use attila_machine::{Columns, Fixed, KILL_ALL, LANES, Lanes};

use crate::abi::{Column, ColumnShape, Place};
use crate::ir::{Quad, Vector};

/// Four elements.
pub(super) struct ColumnQuad<'a, 'c> {
    pub(super) shape: &'a ColumnShape,
    pub(super) columns: &'a mut Columns<'c>,
    /// The first element.
    pub(super) first: usize,
    pub(super) accumulator: [Lanes<Fixed>; 4],
}

impl ColumnQuad<'_, '_> {
    /// Where the words of an element begin.
    fn at(&self, column: Column, lane: usize) -> usize {
        (self.first + lane) * column.stride as usize
    }
}

impl Quad for ColumnQuad<'_, '_> {
    fn load_column(&self, column: Column) -> [Vector; 4] {
        let numbers = match self.shape.place(column.place) {
            Place::Value(index) => &self.columns.values[index].1[..],
            Place::Input(index) => self.columns.inputs[index].values,
            Place::Output(index) => self.columns.outputs[index].values,
            Place::Killed => unreachable!("nothing reads {column}"),
        };
        let mut words = [[0; LANES]; 4];
        for lane in 0..LANES {
            let element = &numbers[self.at(column, lane)..][..column.words.into()];
            for (word, number) in words.iter_mut().zip(element) {
                word[lane] = number.to_bits();
            }
        }
        words
    }

    fn store_column(&mut self, column: Column, words: &[Vector]) {
        for lane in 0..LANES {
            let at = self.at(column, lane);
            let numbers = match self.shape.place(column.place) {
                Place::Output(index) => &mut self.columns.outputs[index].values[at..],
                Place::Killed => {
                    if let Some(killed) = &mut self.columns.killed {
                        killed[at] = (words[0][lane] == KILL_ALL).into();
                    }
                    continue;
                }
                Place::Value(_) | Place::Input(_) => unreachable!("nothing writes {column}"),
            };
            for (number, word) in numbers.iter_mut().zip(words) {
                *number = f32::from_bits(word[lane]);
            }
        }
    }

    fn accumulator(&mut self, component: Component) -> &mut Lanes<Fixed> {
        &mut self.accumulator[component.index()]
    }
}
