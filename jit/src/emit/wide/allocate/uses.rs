//! When virtual registers are used next: within a block exactly, across blocks at least.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::wide::mir::{Region, Role, Vreg, Vregs};

/// The distance that leaving a loop counts as: further than anything within.
pub(super) const OUTSIDE: u32 = 100_000;

/// The next use, and the distance, of a value that is not used again.
pub(super) const NEVER: u32 = u32::MAX;

/// Where values are used. Instructions are numbered through the region; the end of a block is one more.
pub(super) struct Uses {
    /// The uses of each register that are still to come, in `places`.
    left: Vec<Range<usize>>,
    places: Vec<u32>,
    /// The number of each block's first instruction, and that after the last.
    pub(super) starts: Vec<u32>,
    /// For each block, values that are needed when it begins, and how far off their use is.
    pub(super) live_in: Vec<FxHashMap<Vreg, u32>>,
    /// The same for its end.
    pub(super) live_out: Vec<FxHashMap<Vreg, u32>>,
}

impl Uses {
    /// Those of a region.
    pub(super) fn new(region: &Region, vregs: &Vregs) -> Uses {
        let mut starts = vec![0];
        let insts: usize = region.blocks.iter().map(|block| block.insts.len()).sum();
        let mut uses = Vec::with_capacity(2 * insts);
        let mut place = 0;
        for block in &region.blocks {
            for inst in &block.insts {
                inst.vregs(|vreg, role| {
                    if role == Role::Reads {
                        uses.push((vreg, place));
                    }
                });
                place += 1;
            }
            end_uses(block, &mut |vreg| uses.push((vreg, place)));
            place += 1;
            starts.push(place);
        }
        let (left, places) = by_register(&uses, vregs.len());
        let mut all = Uses {
            left,
            places,
            starts,
            live_in: vec![FxHashMap::default(); region.blocks.len()],
            live_out: vec![FxHashMap::default(); region.blocks.len()],
        };
        if region.blocks.len() > 1 {
            all.across_blocks(region, vregs);
        }
        all
    }

    /// The next use after instruction `now` of `block`. Instructions have to come in their order.
    pub(super) fn next(&mut self, vreg: Vreg, now: u32, block: usize) -> u32 {
        let end = self.starts[block + 1];
        let left = &mut self.left[vreg.index()];
        while left.start < left.end && self.places[left.start] <= now {
            left.start += 1;
        }
        if left.start < left.end && self.places[left.start] < end {
            return self.places[left.start];
        }
        match self.live_out[block].get(&vreg) {
            Some(&beyond) => beyond.saturating_add(end).min(NEVER - 1),
            None => NEVER,
        }
    }

    /// Whether another block needs it.
    pub(super) fn leaves(&self, vreg: Vreg, block: usize) -> bool {
        self.live_out[block].contains_key(&vreg)
    }

    fn across_blocks(&mut self, region: &Region, vregs: &Vregs) {
        let own: Vec<_> = (0..region.blocks.len())
            .map(|block| self.exposed(region, vregs, block))
            .collect();
        let innermost = loops(region);
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..region.blocks.len()).rev() {
                let mut out = FxHashMap::default();
                for edge in region.blocks[block].end.edges() {
                    let leaves = innermost[block] > innermost[edge.block];
                    for (&vreg, &distance) in &self.live_in[edge.block] {
                        let more = if leaves { OUTSIDE } else { 0 };
                        let distance = distance.saturating_add(more).min(NEVER - 1);
                        let known = out.entry(vreg).or_insert(distance);
                        *known = distance.min(*known);
                    }
                }
                let length = self.starts[block + 1] - self.starts[block];
                let (exposed, defined) = &own[block];
                let mut live = exposed.clone();
                for (&vreg, &distance) in &out {
                    if !defined.contains_key(&vreg) {
                        let through = distance.saturating_add(length).min(NEVER - 1);
                        live.entry(vreg).or_insert(through);
                    }
                }
                changed |= live != self.live_in[block];
                self.live_in[block] = live;
                self.live_out[block] = out;
            }
        }
    }

    /// The values of a block that others compute, with their first use, and those that it computes.
    fn exposed(&self, region: &Region, vregs: &Vregs, block: usize) -> (Exposed, Exposed) {
        let (mut exposed, mut defined) = (Exposed::default(), Exposed::default());
        let data = &region.blocks[block];
        defined.extend(data.params.iter().map(|&param| (param, 0)));
        let mut read = |vreg: Vreg, place: u32, defined: &Exposed| {
            if vregs.home(vreg).is_none() && !defined.contains_key(&vreg) {
                exposed.entry(vreg).or_insert(place);
            }
        };
        for (place, inst) in (0..).zip(&data.insts) {
            inst.vregs(|vreg, role| {
                if role == Role::Reads {
                    read(vreg, place, &defined);
                }
            });
            inst.vregs(|vreg, role| {
                if role == Role::Writes {
                    defined.insert(vreg, place);
                }
            });
        }
        let end = data.insts.len() as u32;
        end_uses(data, &mut |vreg| read(vreg, end, &defined));
        (exposed, defined)
    }
}

/// Values with a place in their block.
type Exposed = FxHashMap<Vreg, u32>;

/// Calls `f` with every value that the end of a block uses.
fn end_uses(block: &crate::wide::mir::Block, f: &mut impl FnMut(Vreg)) {
    if let crate::wide::mir::End::Any { mask, .. } = &block.end {
        f(*mask);
    }
    let args = block.end.edges().flat_map(|edge| &edge.args);
    args.for_each(|&arg| f(arg));
}

/// The uses of each register, in their order.
fn by_register(uses: &[(Vreg, u32)], registers: usize) -> (Vec<Range<usize>>, Vec<u32>) {
    let mut ranges = vec![0..0; registers];
    for (vreg, _) in uses {
        ranges[vreg.index()].end += 1;
    }
    let mut first = 0;
    for range in &mut ranges {
        let count = range.end;
        *range = first..first;
        first += count;
    }
    let mut places = vec![0; uses.len()];
    for (vreg, place) in uses {
        let range = &mut ranges[vreg.index()];
        places[range.end] = *place;
        range.end += 1;
    }
    (ranges, places)
}

/// How many loops each block is in: one for every jump back over it.
fn loops(region: &Region) -> Vec<u32> {
    let mut depth = vec![0; region.blocks.len()];
    for (from, block) in region.blocks.iter().enumerate() {
        for edge in block.end.edges().filter(|edge| edge.block <= from) {
            depth[edge.block..=from].iter_mut().for_each(|it| *it += 1);
        }
    }
    depth
}
