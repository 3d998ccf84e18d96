//! The nodes that may be placed next, the best first.

use std::collections::BinaryHeap;

/// The gain in registers from placing a node. Where they are scarce, the greatest is best.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Relief {
    /// Registers that it gives back, minus those that it takes.
    pub(super) freed: i32,
    /// The place of its newest operand.
    pub(super) newest: u32,
}

/// A node and its rank.
pub(super) trait Ranked: Ord {
    /// The node.
    fn node(&self) -> usize;
}

/// A node and its rank by height: the node furthest from the block's end is the greatest, the first of equals.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ByHeight(u64);

impl ByHeight {
    pub(super) fn new(node: usize, height: u32) -> ByHeight {
        ByHeight(u64::from(height) << 32 | u64::from(!(node as u32)))
    }
}

impl Ranked for ByHeight {
    fn node(&self) -> usize {
        !(self.0 as u32) as usize
    }
}

/// A node and its rank by [`Relief`], then by height. One number takes a fraction of the time to compare that its
/// parts take.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ByRelief(u128);

impl ByRelief {
    pub(super) fn new(node: usize, height: u32, relief: Relief) -> ByRelief {
        let freed = relief.freed.wrapping_sub(i32::MIN).cast_unsigned();
        let relief = u64::from(freed) << 32 | u64::from(relief.newest);
        ByRelief(u128::from(relief) << 64 | u128::from(ByHeight::new(node, height).0))
    }
}

impl Ranked for ByRelief {
    fn node(&self) -> usize {
        ByHeight(self.0 as u64).node()
    }
}

/// Candidates, the greatest first. Those that have been placed meanwhile remain until they come up, or are most of all:
/// to take out all of them at once takes a fraction of the time of one after the other.
pub(super) struct Candidates<T> {
    entries: BinaryHeap<T>,
    /// How many there may be before those that have been placed are taken out.
    most: usize,
}

/// So few candidates that none is taken out.
const FEW: usize = 16;

impl<T: Ranked> Default for Candidates<T> {
    fn default() -> Candidates<T> {
        Candidates {
            entries: BinaryHeap::new(),
            most: FEW,
        }
    }
}

impl<T: Ranked> Candidates<T> {
    /// Enters a candidate.
    pub(super) fn push(&mut self, candidate: T) {
        self.entries.push(candidate);
    }

    /// Takes out the greatest candidate that is left, and gives its node.
    pub(super) fn pop(&mut self, is_left: impl Fn(usize) -> bool) -> Option<usize> {
        if self.entries.len() > self.most {
            self.entries.retain(|entry| is_left(entry.node()));
            self.most = 2 * self.entries.len() + FEW;
        }
        loop {
            let node = self.entries.pop()?.node();
            if is_left(node) {
                return Some(node);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_that_is_left_comes_first_however_many_are_not() {
        let mut candidates = Candidates::default();
        (0..1000).for_each(|node| candidates.push(ByHeight::new(node, node as u32 / 10)));
        let is_left = |node: usize| node % 100 == 7;
        let taken: Vec<usize> = std::iter::from_fn(|| candidates.pop(is_left)).collect();
        let expected: Vec<usize> = (0..10).rev().map(|n| 100 * n + 7).collect();
        assert_eq!(taken, expected);
    }

    #[test]
    fn relief_goes_before_height_and_the_first_of_equals_before_others() {
        let relief = |freed, newest| Relief { freed, newest };
        let ranked = [
            ByRelief::new(3, 9, relief(-1, 8)),
            ByRelief::new(2, 9, relief(0, 3)),
            ByRelief::new(8, 4, relief(1, 2)),
            ByRelief::new(5, 4, relief(1, 2)),
            ByRelief::new(9, 5, relief(1, 2)),
            ByRelief::new(1, 0, relief(1, 3)),
        ];
        assert!(ranked.is_sorted());
        assert_eq!(ranked.map(|it| it.node()), [3, 2, 8, 5, 9, 1]);
    }
}
