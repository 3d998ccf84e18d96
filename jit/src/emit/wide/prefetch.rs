//! Prefetches of records. A record is more than half a page, and the processor's own prefetchers do not go on
//! from page to page: without these, an iteration waits for its records to come from memory.

use std::collections::BTreeSet;

use iced_x86::Code;

use super::draw::QUAD;
use super::instructions::begin;
use super::mir::{Inst, Mem};
use super::values::Emission;
use crate::abi::{LINE, RecordLayout};

/// Records from one that is shaded to the one that is prefetched for it. Eight are too few to hide the time that
/// memory takes; what programs touch of so many fits the first cache.
pub(super) const AHEAD: usize = 32;

impl Emission<'_> {
    /// Prefetches of what a later iteration reads and writes, record by record. Past the last record they do
    /// nothing: prefetches never fault.
    pub(super) fn prefetches(&self) -> Vec<Inst> {
        let size = match self.layout {
            RecordLayout::Draw => return Vec::new(),
            RecordLayout::Io | RecordLayout::WideIo | RecordLayout::State => self.layout.size(),
        };
        let lines = self.lines();
        let records = AHEAD..AHEAD + self.quads();
        let places = records.flat_map(|record| lines.iter().map(move |at| record * size + at));
        let prefetch = |at: usize| {
            let mut form = begin(Code::Prefetcht0_m8);
            Inst::Raw(form.memory(Mem::at(QUAD, at as i32)).end())
        };
        places.map(prefetch).collect()
    }

    /// The offsets of the lines that the function reads and writes.
    fn lines(&self) -> BTreeSet<usize> {
        let slots = self.function.slots();
        let places = slots.filter_map(|slot| self.layout.offset(slot));
        places.map(|at| at / LINE * LINE).collect()
    }
}
