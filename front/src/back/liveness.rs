//! Components of temporaries, predicates, addresses and outputs that are needed later.
//!
//! A component is needed where an instruction that is itself needed reads it before it is written on
//! some way. Instructions that kill or export depth are needed, and so are the last writes of outputs
//! on each way.

use std::collections::BTreeMap;

use attila_isa::{OpFlags, Slots};

use super::Language;
use super::code::{Block, Code};
use super::step::{Place, Step};

/// All that is needed at a place within a block.
pub(super) struct Needed<L: Language> {
    /// The components of temporaries and predicates.
    pub(super) values: Vec<Slots>,
    /// A bit for each component of the address registers.
    addresses: u64,
    /// Components of outputs that are written later on every way.
    overwritten: BTreeMap<L::Output, Slots>,
}

/// The same at the border of a block.
#[derive(Clone, PartialEq, Debug)]
struct Border<L: Language> {
    /// The components of those values that live across borders, in their order.
    values: Vec<Slots>,
    addresses: u64,
    overwritten: BTreeMap<L::Output, Slots>,
}

/// The needs at the borders of all blocks.
#[derive(Debug)]
pub(super) struct Liveness<L: Language> {
    /// Values that some block reads without having written them.
    pub(super) global: Vec<usize>,
    /// The beginning of each block, and the end of the program.
    starts: Vec<Option<Border<L>>>,
    /// The end of each block.
    ends: Vec<Border<L>>,
}

impl<L: Language> Liveness<L> {
    pub(super) fn new(code: &Code<L>) -> Liveness<L> {
        let count = code.blocks.len();
        let mut liveness = Liveness {
            global: Vec::new(),
            starts: Vec::new(),
            ends: Vec::new(),
        };
        // Nothing is needed after the only block.
        if count > 1 {
            liveness.global = global(code);
            let shared = liveness.global.iter().map(|value| {
                let is_shared = code.shared.binary_search(value).is_ok();
                if is_shared {
                    Slots::all()
                } else {
                    Slots::empty()
                }
            });
            let end = Border {
                values: shared.collect(),
                addresses: 0,
                overwritten: BTreeMap::new(),
            };
            liveness.ends = vec![end.clone(); count];
            liveness.starts = vec![None; count];
            liveness.starts.push(Some(end));
            liveness.solve(code);
        }
        liveness
    }

    /// Goes back over the blocks until nothing changes.
    fn solve(&mut self, code: &Code<L>) {
        let mut needed = Needed::nothing(code);
        let shared = self.ends.first().map(|end| end.values.clone());
        let shared = shared.unwrap_or_default();
        let mut changed = true;
        while changed {
            changed = false;
            for (index, block) in code.blocks.iter().enumerate().rev() {
                // Lanes that go on from there do not end, as far as is known yet.
                let Some(end) = self.joined(code, index) else {
                    continue;
                };
                needed.enter(&self.global, &end);
                needed.block(block);
                let mut start = needed.leave(&self.global);
                unite(&mut start.values, &shared);
                self.ends[index] = end;
                if self.starts[index].as_ref() != Some(&start) {
                    self.starts[index] = Some(start);
                    changed = true;
                }
            }
        }
    }

    /// The needs of those blocks together that may be next and have been looked at.
    fn joined(&self, code: &Code<L>, block: usize) -> Option<Border<L>> {
        let next = code.successors(block);
        let mut next = next.filter_map(|block| self.starts.get(block)?.as_ref());
        let mut all = next.next()?.clone();
        for other in next {
            unite(&mut all.values, &other.values);
            all.addresses |= other.addresses;
            for (output, mask) in &mut all.overwritten {
                *mask &= other.overwritten.get(output).copied().unwrap_or_default();
            }
        }
        Some(all)
    }

    /// Sets `needed` to all that is needed at the end of a block.
    pub(super) fn at_end(&self, block: usize, needed: &mut Needed<L>) {
        if let Some(end) = self.ends.get(block) {
            needed.enter(&self.global, end);
        }
    }

    /// The values that are needed at the beginning of a block.
    pub(super) fn live_at_start(&self, block: usize) -> impl Iterator<Item = (usize, Slots)> {
        let border = self.starts.get(block).and_then(Option::as_ref);
        self.live(border)
    }

    /// The values that are needed at the end of a block.
    pub(super) fn live_at_end(&self, block: usize) -> impl Iterator<Item = (usize, Slots)> {
        self.live(self.ends.get(block))
    }

    fn live<'a>(
        &'a self,
        border: Option<&'a Border<L>>,
    ) -> impl Iterator<Item = (usize, Slots)> + use<'a, L> {
        let values = border.into_iter().flat_map(|border| &border.values);
        let live = self.global.iter().copied().zip(values.copied());
        live.filter(|(_, components)| !components.is_empty())
    }
}

fn unite(all: &mut [Slots], others: &[Slots]) {
    for (all, other) in all.iter_mut().zip(others) {
        *all |= *other;
    }
}

/// The values that some block reads without having written them before.
fn global<L: Language>(code: &Code<L>) -> Vec<usize> {
    let mut is_global = vec![false; code.values];
    let mut written = vec![Slots::empty(); code.values];
    for block in &code.blocks {
        for step in &block.steps {
            step.for_each_read(step.mask(), |value, read| {
                is_global[value] |= !written[value].contains(read);
            });
            if let Some((value, mask)) = step.written_value()
                && step.guard.is_none()
            {
                written[value] |= mask;
            }
        }
        if let Some(condition) = block.condition() {
            is_global[condition.predicate] |= written[condition.predicate].is_empty();
        }
        for (value, _) in block.steps.iter().filter_map(Step::written_value) {
            written[value] = Slots::empty();
        }
    }
    for value in &code.shared {
        is_global[*value] = true;
    }
    (0..code.values).filter(|value| is_global[*value]).collect()
}

impl<L: Language> Needed<L> {
    /// Nothing of all values of `code`.
    pub(super) fn nothing(code: &Code<L>) -> Needed<L> {
        Needed {
            values: vec![Slots::empty(); code.values],
            addresses: 0,
            overwritten: BTreeMap::new(),
        }
    }

    fn enter(&mut self, global: &[usize], border: &Border<L>) {
        for (value, live) in global.iter().zip(&border.values) {
            self.values[*value] = *live;
        }
        self.addresses = border.addresses;
        self.overwritten.clone_from(&border.overwritten);
    }

    fn leave(&mut self, global: &[usize]) -> Border<L> {
        let take = |value: &usize| std::mem::take(&mut self.values[*value]);
        Border {
            values: global.iter().map(take).collect(),
            addresses: self.addresses,
            overwritten: std::mem::take(&mut self.overwritten),
        }
    }

    /// Goes back over a block.
    fn block(&mut self, block: &Block<L>) {
        self.exit(block);
        for step in block.steps.iter().rev() {
            self.step(step);
        }
    }

    /// Goes back over the jump at the end of a block.
    pub(super) fn exit(&mut self, block: &Block<L>) {
        if let Some(condition) = block.condition() {
            self.values[condition.predicate] |= Slots::X;
        }
    }

    /// Goes back over an instruction. Gives the components of its result that are needed, or nothing
    /// if the instruction is not needed.
    pub(super) fn step(&mut self, step: &Step<L>) -> Option<Slots> {
        let needed = self.write(step)?;
        self.read(step, needed);
        Some(needed)
    }

    /// Goes back over the write of a temporary or predicate. Gives the components that are needed.
    pub(super) fn write_value(&mut self, step: &Step<L>, value: usize, mask: Slots) -> Slots {
        let live = &mut self.values[value];
        let needed = mask & *live;
        if step.guard.is_none() {
            *live -= mask;
        }
        needed
    }

    /// Goes back over the reads of temporaries and predicates by an instruction that writes `mask`.
    pub(super) fn read_values(&mut self, step: &Step<L>, mask: Slots) {
        step.for_each_read(mask, |value, components| self.values[value] |= components);
    }

    fn read(&mut self, step: &Step<L>, mask: Slots) {
        self.read_values(step, mask);
        for address in step.read_addresses() {
            self.addresses |= bit(address);
        }
    }

    /// Goes back over the write of an instruction.
    fn write(&mut self, step: &Step<L>) -> Option<Slots> {
        if step.reads_outputs() {
            self.overwritten.clear();
        }
        let Some((place, mask)) = step.result else {
            return Some(Slots::empty());
        };
        // Where the guard does not hold the old components stay.
        let replaces = step.guard.is_none();
        let needed = match place {
            Place::Temp(value) | Place::Predicate(value) => self.write_value(step, value, mask),
            Place::Output(output) => {
                let overwritten = self.overwritten.entry(output).or_default();
                let needed = mask - *overwritten;
                if replaces {
                    *overwritten |= mask;
                }
                needed
            }
            Place::Scratch(_) | Place::Storage => mask,
            Place::Address(number) => {
                let needed = self.addresses & bit(number) != 0;
                if replaces {
                    self.addresses &= !bit(number);
                }
                if needed { mask } else { Slots::empty() }
            }
        };
        if needed != mask && (step.op.has(OpFlags::KILL) || step.op.writes_memory()) {
            return Some(mask);
        }
        let needed = step.op.least_mask(mask, needed);
        (!needed.is_empty()).then_some(needed)
    }
}

/// The bit of an address; those that no address register has share one.
fn bit(address: usize) -> u64 {
    1 << address.min(63)
}
