//! Registers that are addressed relatively.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::super::program::Array;
use super::super::words::File;
use super::Checker;

/// An array: its file, the array of TEMPX, and the number that the text gives it.
type Key = (File, u32, Option<u32>);

/// The arrays that instructions address, in the order in which they are found.
#[derive(Default, Debug)]
pub(super) struct ArrayUses {
    numbers: BTreeMap<Key, usize>,
    /// Whether instructions write each.
    list: Vec<(Key, bool)>,
}

impl ArrayUses {
    /// The number of an array among those that are used.
    pub(super) fn add(&mut self, key: Key, written: bool) -> usize {
        let next = self.list.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.list.push((key, false));
        }
        self.list[number].1 |= written;
        number
    }
}

impl Checker<'_> {
    /// Lists the arrays that instructions address. A file that is addressed as a whole, too, has one.
    pub(super) fn finish_arrays(&mut self) {
        let uses = std::mem::take(&mut self.uses.list);
        let whole: BTreeSet<(File, u32)> = uses
            .iter()
            .filter(|((_, _, number), _)| number.is_none())
            .map(|((file, dimension, _), _)| (*file, *dimension))
            .collect();
        let mut numbers: BTreeMap<Key, usize> = BTreeMap::new();
        let mut renumbered = Vec::with_capacity(uses.len());
        for ((file, dimension, number), written) in uses {
            let is_whole = whole.contains(&(file, dimension));
            let key = (file, dimension, number.filter(|_| !is_whole));
            let next = self.program.arrays.len();
            let array = *numbers.entry(key).or_insert(next);
            if array == next {
                let range = self.array_range(key);
                self.program.arrays.push(Array {
                    file,
                    dimension,
                    range,
                    written: false,
                });
            }
            self.program.arrays[array].written |= written;
            renumbered.push(array);
        }
        for instruction in &mut self.program.instructions {
            let destinations = instruction.destinations.iter_mut();
            let destinations = destinations.map(|it| &mut it.register);
            let sources = instruction.sources.iter_mut().map(|it| &mut it.register);
            let texture = instruction.texture.iter_mut();
            let offsets = texture.flat_map(|texture| &mut texture.offsets);
            let offsets = offsets.map(|offset| &mut offset.register);
            for register in destinations.chain(sources).chain(offsets) {
                register.array = register.array.map(|number| renumbered[number]);
            }
        }
    }

    fn array_range(&self, (file, dimension, number): Key) -> Range<u32> {
        if file == File::Immediate {
            return 0..self.program.immediates.len() as u32;
        }
        let registers = self.declared.of(file);
        let numbered = number.and_then(|number| registers.arrays.get(&number).cloned());
        let whole = || registers.of(dimension).and_then(|ranges| ranges.hull());
        numbered.or_else(whole).unwrap_or(0..0)
    }
}
