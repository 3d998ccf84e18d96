//! Where values are when a block begins.

use super::uses::{NEVER, OUTSIDE};
use super::{Allocator, Definition, State};
use crate::emit::wide::mir::{Block, Class, Vreg};

impl Allocator<'_> {
    /// Settles where values are when a block begins.
    pub(super) fn enter(&mut self, data: &Block) {
        if self.region.blocks.len() > 1 {
            self.uses.enter(self.block, data, self.next);
        }
        let entry = self.entry(data);
        for &(vreg, number) in &entry {
            self.occupy(vreg, self.vregs.class(vreg), number);
            if data.params.contains(&vreg) {
                self.defined[vreg.index()] = Definition {
                    block: self.block as u32,
                    place: 0,
                    number: self.now,
                    register: number,
                };
            }
        }
        self.entries[self.block] = Some(entry);
    }

    fn entry(&mut self, data: &Block) -> State {
        let index = self.block;
        let before = &self.uses.before[index];
        let is_loop = before.iter().any(|&from| from >= index);
        let done: Vec<usize> = before
            .iter()
            .copied()
            .filter(|&from| from < index)
            .collect();
        let start = self.uses.starts[index];
        let mut wanted: Vec<(u32, Vreg)> = Vec::new();
        for &param in &data.params {
            match self.next.of(param) {
                _ if start == 0 => wanted.push((1, param)),
                NEVER => {}
                // Counted from before the first instruction.
                next => wanted.push((next - start + 1, param)),
            }
        }
        for (&vreg, &distance) in &self.uses.live_in[index] {
            let held = |from: &usize| self.exits[*from].iter().any(|(it, _)| *it == vreg);
            if if is_loop {
                distance < OUTSIDE
            } else {
                done.iter().any(held)
            } {
                wanted.push((distance, vreg));
            }
        }
        wanted.sort_unstable_by_key(|&(distance, vreg)| (distance, vreg));
        let mut entry = State::new();
        for class in [Class::Vector, Class::Mask] {
            self.choose_entry(data, &wanted, &done, class, &mut entry);
        }
        let live = self.uses.live_in[index].keys().copied();
        let waiting = live.filter(|vreg| !entry.iter().any(|(it, _)| it == vreg));
        let waiting: Vec<Vreg> = waiting.collect();
        waiting
            .into_iter()
            .for_each(|vreg| self.keep_in_memory(vreg));
        for &param in &data.params {
            if !entry.iter().any(|(it, _)| *it == param) {
                self.slots
                    .give_for_good(param, self.vregs.class(param), self.width);
            }
        }
        entry
    }

    /// The registers of one class in which values are when a block begins: where they are at the end of
    /// a block before it, if that is possible.
    fn choose_entry(
        &self,
        data: &Block,
        wanted: &[(u32, Vreg)],
        done: &[usize],
        class: Class,
        entry: &mut State,
    ) {
        let all = self.file(class).all;
        let count = all.count_ones() as usize;
        let mut taken: u32 = 0;
        let of_class = wanted
            .iter()
            .filter(|(_, vreg)| self.vregs.class(*vreg) == class);
        let chosen: Vec<Vreg> = of_class.take(count).map(|(_, vreg)| *vreg).collect();
        let mut left = Vec::new();
        for vreg in chosen {
            let place = done.iter().find_map(|&from| {
                let source = self.source(data, from, vreg);
                let at = self.exits[from].iter().find(|(it, _)| Some(*it) == source);
                at.map(|(_, number)| *number)
            });
            match place {
                Some(number) if taken >> number & 1 == 0 => {
                    taken |= 1 << number;
                    entry.push((vreg, number));
                }
                _ => left.push(vreg),
            }
        }
        for vreg in left {
            // No more are chosen than there are.
            let free = (all & !taken).trailing_zeros();
            taken |= 1 << free;
            entry.push((vreg, free as u8));
        }
    }

    /// The value that the current block knows as `vreg`, at the end of a block before it.
    fn source(&self, data: &Block, from: usize, vreg: Vreg) -> Option<Vreg> {
        let Some(place) = data.params.iter().position(|&param| param == vreg) else {
            return Some(vreg);
        };
        let mut edges = self.region.blocks[from].end.edges();
        let edge = edges.find(|edge| edge.block == self.block)?;
        Some(edge.args[place])
    }
}
