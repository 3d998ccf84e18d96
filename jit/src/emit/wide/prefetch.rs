//! Prefetches of what later iterations touch. The processor's own prefetchers do not go on from page to page, and a
//! record is more than half a page, a row of a picture often a whole one.

use std::collections::BTreeSet;

use iced_x86::Code;

use super::draw::QUAD;
use super::instructions::begin;
use super::measured::AHEAD;
use super::mir::{Inst, Mem};
use super::values::Emission;
use crate::abi::{LINE, Pixels, RecordLayout};
use crate::ir::Origin;

/// A prefetch for a later iteration. Past the last quad it does nothing: prefetches never fault.
#[derive(Clone, Copy)]
pub(super) enum Prefetch {
    /// The line so many bytes from the iteration's first record.
    Record(usize),
    /// The pixels of the next iteration's quads. Stores wait in a queue for lines that are not there, and the stores
    /// of the next iteration behind them, until the queue is full: without these, a program that keeps 200 vectors in
    /// its frame takes a seventh longer to store four samples.
    Pixels(Pixels),
}

impl Emission<'_> {
    /// The prefetches of an iteration.
    pub(super) fn prefetches(&self) -> Vec<Prefetch> {
        let size = match self.layout {
            RecordLayout::Draw => {
                let surfaces = self.plan.surfaces.iter();
                return surfaces.copied().map(Prefetch::Pixels).collect();
            }
            RecordLayout::Io | RecordLayout::ExtendedIo | RecordLayout::State => self.layout.size(),
            RecordLayout::Columns => return Vec::new(),
        };
        let lines = self.lines();
        let records = AHEAD..AHEAD + self.quads();
        let places = records.flat_map(|record| lines.iter().map(move |at| record * size + at));
        places.map(Prefetch::Record).collect()
    }

    pub(super) fn prefetch(&mut self, what: Prefetch) {
        self.set_origin(Origin::default());
        match what {
            Prefetch::Record(at) => self.insts.push(prefetch(Mem::at(QUAD, at as i32))),
            Prefetch::Pixels(pixels) => self.prefetch_pixels(pixels),
        }
    }

    fn prefetch_pixels(&mut self, pixels: Pixels) {
        let bytes = self.quads() * 2 * pixels.size();
        let rows = self.after_quads(pixels, bytes);
        let lines = (0..bytes as i32).step_by(LINE);
        let places = rows
            .into_iter()
            .flat_map(|row| lines.clone().map(move |line| row.after(line)));
        self.insts.extend(places.map(prefetch));
    }

    /// The offsets of the lines that the function reads and writes.
    fn lines(&self) -> BTreeSet<usize> {
        let slots = self.function.slots();
        let places = slots.filter_map(|slot| self.layout.offset(slot));
        places.map(|at| at / LINE * LINE).collect()
    }
}

fn prefetch(at: Mem) -> Inst {
    Inst::Raw(begin(Code::Prefetcht0_m8).memory(at).end())
}
