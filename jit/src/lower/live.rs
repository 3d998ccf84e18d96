//! The variables that each block has to be handed: those that may have been written before, and that some
//! lane may still read.
//!
//! The blocks form a chain ([`super::flow`]): when one is entered, all lanes wait there or at later ones.
//! So a variable matters there if it is live where any of these begins, as a lane of its own sees it.
//! Derivatives and texture requests read registers of all lanes as they stand, wherever these are: they
//! keep a variable alive in every block from which they can be reached.

use attila_isa::{Bank, BlockId, BoolSrc, Inst, OpFlags, Opcode, Operand, ValidProgram};
use attila_machine::SAMPLES;

use super::Var;

/// A set of the variables that a program writes, by their places among these.
#[derive(Clone, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn empty(vars: usize) -> Set {
        Set(vec![0; vars.div_ceil(64)])
    }

    fn insert(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }

    fn has(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 != 0
    }

    fn unite(&mut self, other: &Set) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    fn subtract(&mut self, other: &Set) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
    }
}

/// The variables that a block's instructions touch.
struct Facts {
    /// Read before the block replaces them.
    read: Set,
    /// Written by an instruction without a guard: their earlier values are gone.
    replaced: Set,
    /// Written at all.
    written: Set,
    /// Read in all lanes, wherever these are.
    shared: Set,
}

/// Liveness of the variables that a program writes.
pub(super) struct Live<'a> {
    program: &'a ValidProgram,
    /// The written variables, ascending.
    vars: &'a [Var],
    /// The reachable basic blocks in program order.
    order: &'a [usize],
    /// The variables that are read after the last block.
    results: Set,
}

impl<'a> Live<'a> {
    /// The liveness of the variables `vars`; `is_result` says which of them matter after the program.
    pub(super) fn new(
        program: &'a ValidProgram,
        vars: &'a [Var],
        order: &'a [usize],
        is_result: impl Fn(Var) -> bool,
    ) -> Live<'a> {
        let mut results = Set::empty(vars.len());
        let places = vars.iter().enumerate();
        for (place, _) in places.filter(|(_, var)| is_result(**var)) {
            results.insert(place);
        }
        Live {
            program,
            vars,
            order,
            results,
        }
    }

    /// The variables that each block of the chain is handed, in its order, and those of the exit.
    pub(super) fn passed(&self) -> Vec<Vec<Var>> {
        let count = self.order.len();
        let facts: Vec<Facts> = (0..count).map(|at| self.facts(at)).collect();
        let earliest = self.earliest();
        // A lane waits at this block or at a later one.
        let mut needed = self.live(&facts);
        needed.push(self.results.clone());
        unite_later(&mut needed);
        let mut shared_from: Vec<Set> = facts.iter().map(|facts| facts.shared.clone()).collect();
        shared_from.push(Set::empty(self.vars.len()));
        unite_later(&mut shared_from);
        let mut before = Set::empty(self.vars.len());
        let mut united = 0;
        let mut passed = Vec::with_capacity(needed.len());
        for (at, mut needed) in needed.into_iter().enumerate() {
            let from = earliest.get(at).copied().unwrap_or(at);
            needed.unite(&shared_from[from]);
            // `earliest` ascends: the blocks that can execute before this one are the first ones.
            let reach = earliest.partition_point(|&earliest| earliest <= at);
            for facts in &facts[united..reach] {
                before.unite(&facts.written);
            }
            united = reach;
            let vars = self.vars.iter().enumerate();
            let vars = vars.filter(|(place, _)| needed.has(*place) && before.has(*place));
            passed.push(vars.map(|(_, var)| *var).collect());
        }
        passed
    }

    /// For each block of the chain the first one that can follow.
    fn earliest(&self) -> Vec<usize> {
        let blocks = self.program.cfg().blocks();
        let position = |block: usize| self.order.partition_point(|&other| other < block);
        let mut earliest: Vec<usize> = (0..self.order.len()).collect();
        // From a block all later ones can follow, and what these jump back to. The target of the last
        // jump back is known before those of earlier ones.
        for at in (0..self.order.len()).rev() {
            if let Some(after) = earliest.get(at + 1) {
                earliest[at] = earliest[at].min(*after);
            }
            if let Some(BlockId(to)) = blocks[self.order[at]].jump {
                earliest[at] = earliest[at].min(position(to));
            }
        }
        // Blocks between the target of a jump back and the jump go round with it.
        for at in 0..self.order.len() {
            earliest[at] = earliest[earliest[at]].min(earliest[at]);
        }
        earliest
    }

    /// The variables that are live where each block begins, in a lane that is there.
    fn live(&self, facts: &[Facts]) -> Vec<Set> {
        let count = self.order.len();
        let mut live = vec![Set::empty(self.vars.len()); count];
        loop {
            let mut changed = false;
            for at in (0..count).rev() {
                let mut set = self.at_end(at, &live);
                set.subtract(&facts[at].replaced);
                set.unite(&facts[at].read);
                changed |= set != live[at];
                live[at] = set;
            }
            if !changed {
                return live;
            }
        }
    }

    /// The variables that are live where a block ends, from those of the blocks after it.
    fn at_end(&self, at: usize, live: &[Set]) -> Set {
        let block = &self.program.cfg().blocks()[self.order[at]];
        let last = &self.program.program().insts()[block.insts.end - 1];
        let mut set = Set::empty(self.vars.len());
        let position = |block: usize| self.order.partition_point(|&other| other < block);
        let targets = block.next.into_iter().chain(block.jump);
        targets.for_each(|BlockId(to)| set.unite(&live[position(to)]));
        if block.next.is_none() || last.end {
            set.unite(&self.results);
        }
        set
    }

    fn facts(&self, at: usize) -> Facts {
        let empty = || Set::empty(self.vars.len());
        let mut facts = Facts {
            read: empty(),
            replaced: empty(),
            written: empty(),
            shared: empty(),
        };
        let looks = OpFlags::QUAD.union(OpFlags::TEXTURE);
        for inst in self.insts(at) {
            let is_shared = inst.op.info().flags.intersects(looks);
            read(inst, self.program, |var| {
                self.with_place(var, |place| {
                    if !facts.replaced.has(place) {
                        facts.read.insert(place);
                    }
                    if is_shared {
                        facts.shared.insert(place);
                    }
                });
            });
            changed(inst, |var| {
                self.with_place(var, |place| facts.written.insert(place));
            });
            written(inst, |var| {
                self.with_place(var, |place| {
                    facts.written.insert(place);
                    if inst.guard.is_none() {
                        facts.replaced.insert(place);
                    }
                });
            });
        }
        facts
    }

    fn insts(&self, at: usize) -> impl Iterator<Item = &'a Inst> {
        let block = &self.program.cfg().blocks()[self.order[at]];
        self.program.program().insts()[block.insts.clone()].iter()
    }

    /// Calls `f` with the place of a variable, if the program writes it.
    fn with_place(&self, var: Var, f: impl FnOnce(usize)) {
        if let Ok(place) = self.vars.binary_search(&var) {
            f(place);
        }
    }
}

/// Adds to each set those after it.
fn unite_later(sets: &mut [Set]) {
    for at in (1..sets.len()).rev() {
        let (before, after) = sets.split_at_mut(at);
        before[at - 1].unite(&after[0]);
    }
}

/// Calls `f` with the variables that an instruction without a guard writes in its lanes, whatever they
/// were.
pub(super) fn written(inst: &Inst, mut f: impl FnMut(Var)) {
    if let Some(dst) = inst.dst.reg
        && !inst.op.info().results.is_accumulator()
    {
        let components = dst.mask.components();
        components.for_each(|component| f(Var::register(dst.reg, component)));
    }
    inst.dst
        .pred
        .map(Var::predicate)
        .into_iter()
        .for_each(&mut f);
}

/// Calls `f` with the variables that an instruction changes by reading and writing them.
pub(super) fn changed(inst: &Inst, mut f: impl FnMut(Var)) {
    if inst.op.has(OpFlags::KILL) {
        f(Var::KILL);
    }
    if inst.op == Opcode::Chs {
        f(Var::SAMPLE);
    }
    if inst.op == Opcode::Zxp {
        f(Var::depth(0));
    }
    if inst.op == Opcode::Zxs {
        (0..SAMPLES).map(Var::depth).for_each(f);
    }
}

/// Calls `f` with the variables that an instruction reads.
fn read(inst: &Inst, program: &ValidProgram, mut f: impl FnMut(Var)) {
    for (src, slots) in inst.sources() {
        if matches!(src.reg.bank(), Bank::Temp | Bank::Address) {
            let components = src.swizzle.sources(slots).components();
            components.for_each(|component| f(Var::register(src.reg, component)));
        }
    }
    if let Some(relative) = inst.relative {
        f(Var::register(relative.reg, relative.component));
    }
    let tested = inst.operands.iter().filter_map(|operand| {
        let Operand::Bool(BoolSrc::Pred { pred, .. }) = operand else {
            return None;
        };
        Some(*pred)
    });
    let guard = inst.guard.map(|guard| guard.pred);
    tested.chain(guard).map(Var::predicate).for_each(&mut f);
    changed(inst, &mut f);
    if inst.op == Opcode::Zxs {
        f(Var::SAMPLE);
    }
    if inst.op.has(OpFlags::EMIT) {
        for (register, slots) in program.usage().outputs.iter().enumerate() {
            let components = slots.components();
            components.for_each(|component| f(Var::output(register, component.index())));
        }
    }
}
