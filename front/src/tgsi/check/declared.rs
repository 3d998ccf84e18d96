//! The registers that a text declares.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use attila_isa::Slots;

use super::super::words::File;

/// Registers that are declared together.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) last: u32,
    /// Whether there is one for each vertex of a primitive.
    pub(super) per_vertex: bool,
    /// The components that they have.
    pub(super) mask: Slots,
}

/// Numbers of registers, in ranges that do not overlap.
#[derive(Clone, Default, Debug)]
pub(super) struct Ranges(BTreeMap<u32, Entry>);

impl Ranges {
    /// Adds a range, unless it overlaps with another.
    pub(super) fn add(&mut self, first: u32, entry: Entry) -> bool {
        let before = self.0.range(..=entry.last).next_back();
        let overlaps = before.is_some_and(|(_, other)| other.last >= first);
        if !overlaps {
            self.0.insert(first, entry);
        }
        !overlaps
    }

    /// The declaration of a register.
    pub(super) fn find(&self, register: u32) -> Option<&Entry> {
        let (_, entry) = self.0.range(..=register).next_back()?;
        (entry.last >= register).then_some(entry)
    }

    /// Adds components to a register, which has been declared alone.
    fn extend(&mut self, register: u32, mask: Slots) {
        if let Some(entry) = self.0.get_mut(&register) {
            entry.mask |= mask;
        }
    }

    /// The components that any of several registers has.
    pub(super) fn mask(&self, registers: RangeInclusive<u32>) -> Slots {
        let (first, last) = registers.into_inner();
        let before = self.0.range(..=last).rev();
        let before = before.take_while(|(_, entry)| entry.last >= first);
        before.fold(Slots::empty(), |all, (_, entry)| all | entry.mask)
    }

    /// From the first register to the last.
    pub(super) fn hull(&self) -> Option<Range<u32>> {
        let (first, _) = self.0.first_key_value()?;
        let (_, last) = self.0.last_key_value()?;
        Some(*first..last.last + 1)
    }

    /// The number of the highest register, plus 1.
    pub(super) fn end(&self) -> u32 {
        self.hull().map_or(0, |hull| hull.end)
    }

    /// The first ranges, as messages list them.
    pub(super) fn listed(&self, prefix: &str) -> Option<String> {
        const MOST: usize = 4;
        let range = |(first, entry): (&u32, &Entry)| match entry.last == *first {
            true => format!("{prefix}[{first}]"),
            false => format!("{prefix}[{first}..{}]", entry.last),
        };
        let mut list: Vec<String> = self.0.iter().take(MOST).map(range).collect();
        if self.0.len() > MOST {
            list.push("more".to_owned());
        }
        let last = list.pop()?;
        Some(match list.is_empty() {
            true => last,
            false => format!("{} and {last}", list.join(", ")),
        })
    }
}

/// The registers of a file.
#[derive(Clone, Default, Debug)]
pub(super) struct Registers {
    /// By the dimension, which is 0 in files that have none.
    dimensions: BTreeMap<u32, Ranges>,
    /// The registers of each array with a number.
    pub(super) arrays: BTreeMap<u32, Range<u32>>,
    /// Whether a declaration was faulty, so that undeclared registers cannot be told.
    pub(super) broken: bool,
}

impl Registers {
    pub(super) fn add(&mut self, dimension: u32, first: u32, entry: Entry) -> bool {
        let ranges = self.dimensions.entry(dimension).or_default();
        ranges.add(first, entry)
    }

    /// Adds components to a register of a file without dimensions.
    pub(super) fn extend(&mut self, register: u32, mask: Slots) {
        self.dimensions.entry(0).or_default().extend(register, mask);
    }

    pub(super) fn of(&self, dimension: u32) -> Option<&Ranges> {
        self.dimensions.get(&dimension)
    }

    pub(super) fn find(&self, dimension: u32, register: u32) -> Option<&Entry> {
        self.of(dimension)?.find(register)
    }

    pub(super) fn dimensions(&self) -> impl Iterator<Item = (u32, &Ranges)> {
        self.dimensions
            .iter()
            .map(|(number, ranges)| (*number, ranges))
    }

    /// The number of the highest register, plus 1.
    pub(super) fn end(&self) -> u32 {
        self.dimensions.values().map(Ranges::end).max().unwrap_or(0)
    }
}

/// The registers of all files.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    files: Vec<Registers>,
}

impl Default for Declared {
    fn default() -> Declared {
        Declared {
            files: vec![Registers::default(); File::ALL.len()],
        }
    }
}

impl Declared {
    pub(super) fn of(&self, file: File) -> &Registers {
        &self.files[file as usize]
    }

    pub(super) fn of_mut(&mut self, file: File) -> &mut Registers {
        &mut self.files[file as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(last: u32) -> Entry {
        Entry {
            last,
            per_vertex: false,
            mask: Slots::X,
        }
    }

    #[test]
    fn ranges_do_not_overlap() {
        let mut ranges = Ranges::default();
        assert!(ranges.add(4, entry(7)));
        assert!(ranges.add(0, entry(1)));
        for (first, last) in [(1, 1), (7, 9), (3, 4), (0, 9), (5, 6)] {
            assert!(!ranges.add(first, entry(last)), "{first}..{last}");
        }
        assert!(ranges.add(2, entry(3)));
        assert!((0..8).all(|register| ranges.find(register).is_some()));
        assert!(ranges.find(8).is_none());
        assert_eq!(ranges.hull(), Some(0..8));
    }

    #[test]
    fn registers_have_the_components_of_their_declarations() {
        let mut ranges = Ranges::default();
        ranges.add(0, entry(3));
        ranges.add(4, entry(4));
        ranges.extend(4, Slots::W);
        assert_eq!(ranges.mask(2..=3), Slots::X);
        assert_eq!(ranges.mask(3..=4), Slots::X | Slots::W);
        assert_eq!(ranges.mask(5..=9), Slots::empty());
    }

    #[test]
    fn messages_list_a_few_ranges() {
        let mut ranges = Ranges::default();
        assert_eq!(ranges.listed("TEMP"), None);
        ranges.add(0, entry(3));
        assert_eq!(ranges.listed("TEMP").as_deref(), Some("TEMP[0..3]"));
        for first in [10, 20, 30, 40] {
            ranges.add(first, entry(first));
        }
        let listed = ranges.listed("TEMP");
        let expected = "TEMP[0..3], TEMP[10], TEMP[20], TEMP[30] and more";
        assert_eq!(listed.as_deref(), Some(expected));
    }
}
