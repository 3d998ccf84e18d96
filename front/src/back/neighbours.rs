//! Blocks that lanes run through while others are elsewhere, and the values that these lanes read
//! of each other.
//!
//! Derivatives, and textures that choose their level by them, read a register of all four lanes as it
//! stands. The lanes that wait in another block hold there what they have last written, although they
//! may not need it any more. So a value that is read this way in a parted block keeps one register,
//! and all its writes, in the whole program.

use super::Language;
use super::code::{Code, Exit};

impl<L: Language> Code<L> {
    /// Finds parted blocks and shared values. Blocks stay as they are afterwards.
    pub(super) fn note_neighbours(&mut self) {
        if self.blocks.len() == 1 {
            return;
        }
        self.parted = parted(self);
        let mut shared = Vec::new();
        for (block, _) in self.blocks.iter().zip(&self.parted).filter(|(_, it)| **it) {
            for step in block.steps.iter().filter(|step| step.reads_neighbours()) {
                shared.extend(step.read_temps().map(|(temp, _)| temp));
            }
        }
        shared.sort_unstable();
        shared.dedup();
        self.shared = shared;
    }
}

/// Whether some lanes may be elsewhere while others run through each block.
fn parted<L: Language>(code: &Code<L>) -> Vec<bool> {
    let count = code.blocks.len();
    let mut borders = vec![0i32; count + 1];
    for (from, block) in code.blocks.iter().enumerate() {
        let Exit::Jump { to, .. } = &block.exit else {
            continue;
        };
        let to = code.target(*to);
        // Lanes that jump forward wait; lanes that jump back leave the others waiting.
        let (first, end) = match to > from {
            true => (from + 1, to),
            false => (to, from + 1),
        };
        borders[first] += 1;
        borders[end] -= 1;
    }
    let mut around = 0;
    let blocks = borders.iter().take(count);
    let parted = blocks.map(|change| {
        around += change;
        around > 0
    });
    parted.collect()
}
