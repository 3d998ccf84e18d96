//! Components of temporaries, predicates, addresses and outputs that are needed later.
//!
//! A component is needed where an instruction that is itself needed reads it before it is written on
//! some way. Instructions that kill or export depth are needed, and so are the last writes of outputs
//! on each way.

use std::collections::{BTreeMap, BTreeSet};

use attila_isa::{Bank, OpFlags, PREDICATES, Profile, Remark, Slots};

use super::Language;
use super::allocate::too_many;
use super::code::{Block, Code};
use super::step::{Place, Step};

/// All that is needed at a place within a block.
pub(super) struct Needed<L: Language> {
    /// The components of temporaries and predicates.
    pub(super) values: Vec<Slots>,
    /// All values of which components may be needed, in no order and perhaps more than once.
    live: Vec<usize>,
    /// A bit for each component of the address registers.
    addresses: u64,
    /// Components of outputs that are written later on every way.
    overwritten: BTreeMap<L::Output, Slots>,
}

/// The same at the border of a block.
#[derive(Clone, PartialEq, Debug)]
struct Border<L: Language> {
    /// The values of which components are needed, ascending.
    values: Vec<Live>,
    overwritten: BTreeMap<L::Output, Slots>,
}

/// A value, and its components that are needed.
type Live = (u32, Slots);

/// The needs at the borders of all blocks.
#[derive(Debug)]
pub(super) struct Liveness<L: Language> {
    /// The beginning of each block from which lanes come to an end, and the end of the program. None if there is only
    /// one block.
    starts: Vec<Option<Border<L>>>,
    /// The need at the end of a block from which no lane comes to an end.
    end: Border<L>,
}

impl<L: Language> Liveness<L> {
    /// Finds what is needed.
    ///
    /// # Errors
    ///
    /// More values are needed at a border than there are registers.
    pub(super) fn new(code: &Code<L>) -> Result<Liveness<L>, Remark> {
        let count = code.blocks.len();
        let shared = code.shared.iter();
        let mut liveness = Liveness {
            starts: Vec::new(),
            end: Border {
                values: shared.map(|value| (*value as u32, Slots::all())).collect(),
                overwritten: BTreeMap::new(),
            },
        };
        // Nothing is needed after the only block.
        if count > 1 {
            liveness.starts = vec![None; count];
            liveness.starts.push(Some(liveness.end.clone()));
            liveness.solve(code)?;
        }
        Ok(liveness)
    }

    /// Goes back over the blocks until nothing changes.
    fn solve(&mut self, code: &Code<L>) -> Result<(), Remark> {
        let before = predecessors(code);
        let mut needed = Needed::nothing(code);
        let mut waiting: BTreeSet<usize> = (0..code.blocks.len()).collect();
        while let Some(index) = waiting.pop_last() {
            // Lanes that go on from there do not end, as far as is known yet.
            let Some(end) = self.joined(code, index) else {
                continue;
            };
            needed.enter(end);
            needed.block(&code.blocks[index]);
            let mut start = needed.leave();
            unite(&mut start.values, &self.end.values);
            check(&start.values, code, index)?;
            if self.starts[index].as_ref() != Some(&start) {
                self.starts[index] = Some(start);
                waiting.extend(&before[index]);
            }
        }
        Ok(())
    }

    /// The needs of those blocks together that may be next and have been looked at.
    fn joined(&self, code: &Code<L>, block: usize) -> Option<Border<L>> {
        let next = code.successors(block).into_iter();
        let mut next = next.filter_map(|block| self.starts.get(block)?.as_ref());
        let mut all = next.next()?.clone();
        for other in next {
            unite(&mut all.values, &other.values);
            for (output, mask) in &mut all.overwritten {
                *mask &= other.overwritten.get(output).copied().unwrap_or_default();
            }
        }
        Some(all)
    }

    /// The needs at the end of a block; `None` if nothing is needed after the only one.
    fn end(&self, code: &Code<L>, block: usize) -> Option<Border<L>> {
        let end = || self.end.clone();
        (!self.starts.is_empty()).then(|| self.joined(code, block).unwrap_or_else(end))
    }

    /// Sets `needed` to all that is needed at the end of a block.
    pub(super) fn at_end(&self, code: &Code<L>, block: usize, needed: &mut Needed<L>) {
        if let Some(end) = self.end(code, block) {
            needed.enter(end);
        }
    }

    /// The values that are needed at the beginning of a block, ascending.
    pub(super) fn live_at_start(&self, block: usize) -> impl Iterator<Item = (usize, Slots)> {
        let border = self.starts.get(block).and_then(Option::as_ref);
        let values = border.into_iter().flat_map(|border| &border.values);
        values.map(|(value, components)| (*value as usize, *components))
    }

    /// The values that are needed at the end of a block, ascending.
    pub(super) fn live_at_end(
        &self,
        code: &Code<L>,
        block: usize,
    ) -> impl Iterator<Item = (usize, Slots)> {
        let values = self.end(code, block).map(|border| border.values);
        let values = values.into_iter().flatten();
        values.map(|(value, components)| (value as usize, components))
    }
}

/// The blocks that may lead to each block.
fn predecessors<L: Language>(code: &Code<L>) -> Vec<Vec<usize>> {
    let count = code.blocks.len();
    let mut before = vec![Vec::new(); count];
    for block in 0..count {
        let next = code.successors(block).into_iter();
        for next in next.filter(|next| *next < count) {
            before[next].push(block);
        }
    }
    before
}

/// Adds the values of `others`. Both ascend.
fn unite(all: &mut Vec<Live>, others: &[Live]) {
    let mut united = Vec::with_capacity(all.len().max(others.len()));
    let mut rest = others.iter().copied().peekable();
    for &(value, components) in &*all {
        while let Some(other) = rest.next_if(|other| other.0 < value) {
            united.push(other);
        }
        let same = rest.next_if(|other| other.0 == value);
        united.push((
            value,
            components | same.map_or(Slots::empty(), |same| same.1),
        ));
    }
    united.extend(rest);
    *all = united;
}

/// Checks that the values that are needed where a block begins may have registers.
///
/// # Errors
///
/// A component of more values is needed than there are temporaries and predicates. To find the needs of many more at all
/// borders takes long and much memory.
fn check<L: Language>(live: &[Live], code: &Code<L>, block: usize) -> Result<(), Remark> {
    let most = usize::from(Bank::Temp.size(Profile::Extended));
    let all = most + usize::from(PREDICATES);
    let crowded = |component: Slots| {
        let needed = live
            .iter()
            .filter(|(_, needed)| needed.intersects(component));
        needed.count() > all
    };
    let components = [Slots::X, Slots::Y, Slots::Z, Slots::W];
    if live.len() <= all || !components.into_iter().any(crowded) {
        return Ok(());
    }
    let after = code.blocks[block..].iter().flat_map(|block| &block.steps);
    let at = after.map(|step| step.span.clone()).next();
    Err(too_many(at.unwrap_or(0..0), &format!("{most} temporaries")))
}

impl<L: Language> Needed<L> {
    /// Nothing of all values of `code`.
    pub(super) fn nothing(code: &Code<L>) -> Needed<L> {
        Needed {
            values: vec![Slots::empty(); code.values],
            live: Vec::new(),
            addresses: 0,
            overwritten: BTreeMap::new(),
        }
    }

    fn enter(&mut self, border: Border<L>) {
        for value in self.live.drain(..) {
            self.values[value] = Slots::empty();
        }
        for (value, components) in border.values {
            self.need(value as usize, components);
        }
        // Each block loads the addresses that it reads. Before a load under a guard they seem to be needed, too.
        self.addresses = 0;
        self.overwritten = border.overwritten;
    }

    fn leave(&mut self) -> Border<L> {
        self.live.sort_unstable();
        let mut values = Vec::with_capacity(self.live.len());
        for value in self.live.drain(..) {
            let components = std::mem::take(&mut self.values[value]);
            if !components.is_empty() {
                values.push((value as u32, components));
            }
        }
        Border {
            values,
            overwritten: std::mem::take(&mut self.overwritten),
        }
    }

    fn need(&mut self, value: usize, components: Slots) {
        if self.values[value].is_empty() {
            self.live.push(value);
        }
        self.values[value] |= components;
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
            self.need(condition.predicate, Slots::X);
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
        step.for_each_read(mask, |value, components| self.need(value, components));
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
