//! Prefetches of records. A record is more than half a page, and the processor's own prefetchers do not go on
//! from page to page: without these, an iteration waits for its records to come from memory.

use std::collections::BTreeSet;

use iced_x86::Code;

use super::draw::QUAD;
use super::instructions::begin;
use super::mir::{Inst, Mem};
use super::values::Emission;
use crate::abi::RecordLayout;
use crate::ir::Op;
use crate::runtime::Vector;

/// Records from one that is shaded to the one that is prefetched for it. Eight are too few to hide the time that
/// memory takes; what programs touch of so many fits the first cache.
pub(super) const AHEAD: usize = 32;

/// Bytes of a line of a cache.
pub(super) const LINE: usize = 64;

impl Emission<'_> {
    /// Prefetches of what a later iteration reads and writes, record by record. Past the last record they do
    /// nothing: prefetches never fault.
    pub(super) fn prefetches(&self) -> Vec<Inst> {
        let size = match self.layout {
            RecordLayout::Draw => return Vec::new(),
            RecordLayout::Io | RecordLayout::WideIo | RecordLayout::State => self.layout.size(),
        };
        let lines = lines(&self.slots());
        let records = AHEAD..AHEAD + self.quads();
        let places = records.flat_map(|record| lines.iter().map(move |at| record * size + at));
        let prefetch = |at: usize| {
            let form = begin(Code::Prefetcht0_m8);
            Inst::Raw(form.memory(Mem::at(QUAD, at as i32)).end())
        };
        places.map(prefetch).collect()
    }

    /// The offsets of the slots that the function reads and writes.
    fn slots(&self) -> BTreeSet<usize> {
        let blocks = self.function.blocks.iter();
        let values = blocks.flat_map(|block| &block.body);
        let ops = values.map(|&value| &self.function.node(value).op);
        let slots = ops.filter_map(|op| {
            if let Op::Load(slot) | Op::Store(slot) = op {
                self.layout.offset(*slot)
            } else {
                None
            }
        });
        slots.collect()
    }
}

/// Offsets that are together in every line in which one of these slots is. Records begin anywhere within a
/// line, so that slots next to each other may be in one more line than they fill.
fn lines(slots: &BTreeSet<usize>) -> Vec<usize> {
    let mut lines: Vec<usize> = Vec::new();
    for &at in slots {
        let is_near = lines.last().is_some_and(|&line| at < line + LINE);
        let is_last = !slots.contains(&(at + Vector::SIZE));
        if is_last || !is_near {
            lines.push(at);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_is_in_a_line_that_is_prefetched_wherever_records_begin() {
        let numbers = (1..1 << 10).map(|bits| (0..10).filter(move |slot| bits >> slot & 1 != 0));
        for slots in numbers {
            let slots: BTreeSet<usize> = slots.map(|slot| slot * Vector::SIZE).collect();
            let lines = lines(&slots);
            assert!(lines.iter().all(|line| slots.contains(line)), "{slots:?}");
            for begin in (0..LINE).step_by(Vector::SIZE) {
                let line = |at: &usize| (begin + at) / LINE;
                let touched: BTreeSet<usize> = slots.iter().map(line).collect();
                let fetched: BTreeSet<usize> = lines.iter().map(line).collect();
                assert_eq!(touched, fetched, "{slots:?} from {begin}");
            }
        }
    }

    #[test]
    fn two_registers_take_three_prefetches() {
        let slots = (4..12).map(|slot| slot * Vector::SIZE).collect();
        assert_eq!(lines(&slots), [64, 128, 176]);
    }
}
