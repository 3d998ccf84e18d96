//! When virtual registers are used next: within a block exactly, across blocks at least.

use std::collections::BTreeSet;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::emit::wide::mir::{Block, Class, End, Region, Role, Vreg, Vregs};

/// The distance that leaving a loop counts as: further than anything within.
pub(super) const OUTSIDE: u32 = 100_000;

/// The next use, and the distance, of a value that is not used again.
pub(super) const NEVER: u32 = u32::MAX;

/// A virtual register in an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) vreg: Vreg,
    pub(super) class: Class,
    pub(super) role: Role,
    /// The instruction that uses it next, after this one.
    pub(super) next: u32,
}

impl Operand {
    /// Whether no instruction after this one uses it.
    pub(super) fn is_last(&self) -> bool {
        self.next == NEVER
    }
}

/// Where values of a region are used. Instructions are numbered through the region; the end of a block is one more.
#[derive(Default)]
pub(super) struct Uses {
    operands: Vec<Operand>,
    /// Where the operands of each instruction begin, and those of the last end.
    first: Vec<u32>,
    /// The number of each block's first instruction, and that after the last.
    pub(super) starts: Vec<u32>,
    /// For each block, the instructions that use its parameters first.
    params: Vec<Vec<u32>>,
    /// The blocks that lead to each block, if there are several.
    pub(super) before: Vec<Vec<usize>>,
    /// For each block, values that are needed when it begins, and how far off their use is.
    pub(super) live_in: Vec<FxHashMap<Vreg, u32>>,
    /// The same for its end.
    pub(super) live_out: Vec<FxHashMap<Vreg, u32>>,
}

/// The instruction that uses each value next, as far as the walk has come.
#[derive(Default)]
pub(super) struct Next(Vec<u32>);

impl Next {
    /// Begins with no uses of so many values.
    fn begin(&mut self, vregs: usize) {
        self.0.clear();
        self.0.resize(vregs, NEVER);
    }

    /// The next use of a value, or [`NEVER`].
    pub(super) fn of(&self, vreg: Vreg) -> u32 {
        self.0[vreg.index()]
    }

    fn set(&mut self, vreg: Vreg, next: u32) {
        self.0[vreg.index()] = next;
    }

    /// The walk comes to an instruction: what its operands are used for next is after it.
    pub(super) fn pass(&mut self, operands: &[Operand]) {
        for operand in operands {
            self.set(operand.vreg, operand.next);
        }
    }
}

impl Uses {
    /// Begins with those of a region, and `next` with the first of each value.
    pub(super) fn begin(&mut self, region: &Region, vregs: &Vregs, next: &mut Next) {
        let blocks = region.blocks.len();
        self.params.clear();
        self.live_in.clear();
        self.live_in.resize(blocks, FxHashMap::default());
        self.live_out.clear();
        self.live_out.resize(blocks, FxHashMap::default());
        self.before = vec![Vec::new()];
        self.list_operands(region, vregs);
        if blocks > 1 {
            self.across_blocks(region, vregs);
        }
        next.begin(vregs.len());
        for (index, block) in region.blocks.iter().enumerate().rev() {
            self.within(index, block, next);
            let params = block.params.iter().map(|&param| next.of(param));
            self.params.push(params.collect());
            if blocks > 1 {
                self.forget(index, block, next);
            }
        }
        self.params.reverse();
    }

    fn list_operands(&mut self, region: &Region, vregs: &Vregs) {
        let insts: usize = region.blocks.iter().map(|block| block.insts.len()).sum();
        self.operands.clear();
        self.operands.reserve(4 * insts);
        self.first.clear();
        self.first.reserve(insts + region.blocks.len() + 1);
        self.starts.clear();
        self.starts.push(0);
        for block in &region.blocks {
            for inst in &block.insts {
                self.first.push(self.operands.len() as u32);
                inst.vregs(|vreg, role| {
                    self.operands.push(Operand {
                        vreg,
                        class: vregs.class(vreg),
                        role,
                        next: NEVER,
                    });
                });
            }
            self.first.push(self.operands.len() as u32);
            self.starts.push(self.first.len() as u32);
        }
        self.first.push(self.operands.len() as u32);
    }

    /// The operands of instruction `number`.
    pub(super) fn operands(&self, number: u32) -> &[Operand] {
        &self.operands[self.range(number)]
    }

    fn range(&self, number: u32) -> Range<usize> {
        let [first, end] = [number, number + 1].map(|at| self.first[at as usize] as usize);
        first..end
    }

    /// The numbers of a block's instructions, without its end.
    fn numbers(&self, block: usize) -> Range<u32> {
        self.starts[block]..self.starts[block + 1] - 1
    }

    /// Fills in the next uses of one block's operands, from its last instruction to the first.
    fn within(&mut self, index: usize, block: &Block, next: &mut Next) {
        let end = self.starts[index + 1];
        for (&vreg, &beyond) in &self.live_out[index] {
            next.set(vreg, later(end, beyond));
        }
        end_uses(block, &mut |vreg| next.set(vreg, end - 1));
        for number in self.numbers(index).rev() {
            let range = self.range(number);
            let operands = &mut self.operands[range];
            for operand in operands.iter_mut() {
                operand.next = next.of(operand.vreg);
            }
            for operand in operands.iter().filter(|operand| operand.role.reads()) {
                next.set(operand.vreg, number);
            }
        }
    }

    /// Takes back what [`Uses::within`] has noted of a block.
    fn forget(&self, index: usize, block: &Block, next: &mut Next) {
        let [first, end] = [index, index + 1].map(|at| self.first[self.starts[at] as usize]);
        for operand in &self.operands[first as usize..end as usize] {
            next.set(operand.vreg, NEVER);
        }
        let live = self.live_out[index].keys();
        live.for_each(|&vreg| next.set(vreg, NEVER));
        end_uses(block, &mut |vreg| next.set(vreg, NEVER));
    }

    /// The walk comes to a block of several.
    pub(super) fn enter(&self, index: usize, block: &Block, next: &mut Next) {
        for (&vreg, &distance) in &self.live_in[index] {
            next.set(vreg, later(self.starts[index], distance));
        }
        for (&param, &first) in block.params.iter().zip(&self.params[index]) {
            next.set(param, first);
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
        self.before = predecessors(region);
        let mut waiting: BTreeSet<usize> = (0..region.blocks.len()).collect();
        while let Some(block) = waiting.pop_last() {
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
            if live != self.live_in[block] {
                waiting.extend(&self.before[block]);
            }
            self.live_in[block] = live;
            self.live_out[block] = out;
        }
    }

    /// The values that a block reads and other blocks define, each with the place of its first use; and those that the
    /// block defines.
    fn exposed(&self, region: &Region, vregs: &Vregs, block: usize) -> (Exposed, Exposed) {
        let (mut exposed, mut defined) = (Exposed::default(), Exposed::default());
        let data = &region.blocks[block];
        defined.extend(data.params.iter().map(|&param| (param, 0)));
        let mut read = |vreg: Vreg, place: u32, defined: &Exposed| {
            if vregs.home(vreg).is_none() && !defined.contains_key(&vreg) {
                exposed.entry(vreg).or_insert(place);
            }
        };
        for (place, number) in (0..).zip(self.numbers(block)) {
            let operands = self.operands(number);
            for operand in operands.iter().filter(|operand| operand.role.reads()) {
                read(operand.vreg, place, &defined);
            }
            for operand in operands.iter().filter(|operand| !operand.role.reads()) {
                defined.insert(operand.vreg, place);
            }
        }
        let end = data.insts.len() as u32;
        end_uses(data, &mut |vreg| read(vreg, end, &defined));
        (exposed, defined)
    }
}

/// Values with a place in their block.
type Exposed = FxHashMap<Vreg, u32>;

/// Calls `f` with every value that the end of a block uses.
fn end_uses(block: &Block, f: &mut impl FnMut(Vreg)) {
    if let End::Any { mask, .. } = &block.end {
        f(*mask);
    }
    let args = block.end.edges().flat_map(|edge| &edge.args);
    args.for_each(|&arg| f(arg));
}

/// The instruction so far after `number`, which is not [`NEVER`].
fn later(number: u32, distance: u32) -> u32 {
    number.saturating_add(distance).min(NEVER - 1)
}

/// The blocks that lead to each block.
fn predecessors(region: &Region) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); region.blocks.len()];
    for (from, block) in region.blocks.iter().enumerate() {
        for edge in block.end.edges() {
            if before[edge.block].last() != Some(&from) {
                before[edge.block].push(from);
            }
        }
    }
    before
}

/// How many loops each block is in: one for every jump back over it.
fn loops(region: &Region) -> Vec<u32> {
    let mut begun = vec![0; region.blocks.len()];
    let mut ended = begun.clone();
    for (from, block) in region.blocks.iter().enumerate() {
        for edge in block.end.edges().filter(|edge| edge.block <= from) {
            begun[edge.block] += 1;
            ended[from] += 1;
        }
    }
    let mut depth = 0;
    let around = begun.iter().zip(&ended).map(|(begun, ended)| {
        depth += begun;
        let around = depth;
        depth -= ended;
        around
    });
    around.collect()
}
