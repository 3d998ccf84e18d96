//! Control flow: basic blocks in program order, under masks.
//!
//! Lanes at the lowest instruction execute first. So after a block comes the next one in program
//! order in which lanes wait, or, if some lanes jumped back, the one that they jumped to. The
//! blocks form a chain:
//!
//! ```text
//! head b:  any lane waiting at b?  ── no ──► head b+1
//!             │ yes
//! body b:  instructions; what changed is blended with what it was in the other lanes
//!             │                  a lane jumps back to t?  ── yes ──► body t
//!             ▼ no
//! head b+1
//! ```
//!
//! Where all lanes of the quad are sure to have come together there is no mask, no test and no
//! blending ([`meets`]).

use attila_isa::{BlockId, Inst};

use super::{Lower, Passing, Var};
use crate::ir::{Binary, Block, Edge, Op, Terminator, Type, Unary, Value};

/// The most block parameters that lowering makes, most of which the passes take away again.
const MOST_PARAMS: usize = 50_000;

/// A lowering's blocks.
struct Chain {
    /// The reachable basic blocks in program order.
    order: Vec<usize>,
    /// Whether all lanes execute the basic block together.
    meets: Vec<bool>,
    /// The variables that blocks pass on: every one that the program may change, unless they wait
    /// in
    /// memory.
    passed: Vec<Var>,
    /// The head of each basic block, in the order of `order`, then the exit.
    heads: Vec<Block>,
    /// The body of each basic block that lanes jump back to, in the same order.
    bodies: Vec<Option<Block>>,
}

impl Chain {
    fn position(&self, basic_block: usize) -> usize {
        self.order.partition_point(|&other| other < basic_block)
    }
}

/// For each basic block, whether all lanes of the quad are there when it executes: none waits
/// elsewhere, and none has ended.
fn meets(lower: &Lower<'_>) -> Vec<bool> {
    let cfg = lower.program.cfg();
    let blocks = cfg.blocks();
    let insts = lower.program.program().insts();
    let mut meets = vec![true; blocks.len()];
    for (from, block) in blocks.iter().enumerate() {
        if !cfg.is_reachable(BlockId(from)) {
            continue;
        }
        if let Some(BlockId(to)) = block.jump {
            // Lanes that jump ahead wait at `to`; lanes that do not jump back wait after `from`.
            let apart = if to > from {
                from + 1..to
            } else {
                to..from + 1
            };
            meets[apart].fill(false);
        }
        if insts[block.insts.end - 1].end {
            meets[from + 1..].fill(false);
        }
    }
    meets
}

impl Lower<'_> {
    /// Lowers the whole program from the open entry block on. `None` if it would take too many
    /// parameters.
    pub(super) fn flow(&mut self) -> Option<()> {
        let cfg = self.program.cfg();
        let order: Vec<usize> = (0..cfg.blocks().len())
            .filter(|&index| cfg.is_reachable(BlockId(index)))
            .collect();
        if order.len() == 1 && cfg.blocks()[0].jump.is_none() {
            self.instructions(0);
            self.finish_quad();
            return Some(());
        }
        let chain = self.chain(order)?;
        let all = self.active;
        if !chain.meets[0] {
            self.state.set(Var::waiting(0), all);
        }
        let first = chain.heads[0];
        self.jump(&chain, first);
        for position in 0..chain.order.len() {
            self.basic_block(&chain, position, all);
        }
        self.open_with_params(&chain, chain.heads[chain.order.len()]);
        self.finish_quad();
        Some(())
    }

    fn chain(&mut self, order: Vec<usize>) -> Option<Chain> {
        let meets = meets(self);
        let mut vars = self.written();
        let blocks = self.program.cfg().blocks();
        if order
            .iter()
            .any(|&from| blocks[from].jump.is_some_and(|to| to.0 <= from))
        {
            vars.push(Var::JUMPS);
        }
        vars.extend(
            order
                .iter()
                .filter(|&&index| !meets[index])
                .map(|&index| Var::waiting(index)),
        );
        match self.passing {
            Passing::Params if vars.len() * order.len() > MOST_PARAMS => return None,
            Passing::Params => {}
            Passing::Variables => self.state.keep(&std::mem::take(&mut vars)),
        }
        let types: Vec<Type> = vars.iter().map(|var| var.ty()).collect();
        let heads = (0..=order.len()).map(|_| self.b.declare(&types)).collect();
        let mut is_loop = vec![false; blocks.len()];
        for &from in &order {
            if let Some(BlockId(to)) = blocks[from].jump.filter(|to| to.0 <= from) {
                is_loop[to] = true;
            }
        }
        let bodies = order
            .iter()
            .map(|&index| is_loop[index].then(|| self.b.declare(&types)));
        let bodies = bodies.collect();
        Some(Chain {
            order,
            meets,
            passed: vars,
            heads,
            bodies,
        })
    }

    /// The current values of the variables, for the next block. Variables in memory that change are
    /// left there.
    fn args(&mut self, chain: &Chain) -> Vec<Value> {
        for (_, name, value) in self.state.changed(&self.b) {
            self.b.push(Op::Keep(name), [value]);
        }
        chain.passed.iter().map(|&var| self.get(var)).collect()
    }

    /// Ends a block with a jump.
    fn jump(&mut self, chain: &Chain, to: Block) {
        let args = self.args(chain);
        self.b.jump(to, args);
    }

    fn open_with_params(&mut self, chain: &Chain, block: Block) {
        self.b.open(block);
        self.state.leave_block();
        for (index, &var) in chain.passed.iter().enumerate() {
            let param = self.b.params(block)[index];
            self.state.set(var, param);
        }
    }

    fn basic_block(&mut self, chain: &Chain, position: usize, all: Value) {
        let index = chain.order[position];
        let next = chain.heads[position + 1];
        self.open_with_params(chain, chain.heads[position]);
        self.active = all;
        if !chain.meets[index] {
            self.enter(chain, position, next);
        }
        self.state.begin_block();
        self.instructions(index);
        let taken = self.jump_condition(index);
        self.blend(chain);
        self.leave(chain, index, taken, next);
    }

    /// From the head of a basic block to its body, with the lanes that wait there, or past it if no
    /// lane waits.
    fn enter(&mut self, chain: &Chain, position: usize, next: Block) {
        let waiting = Var::waiting(chain.order[position]);
        let args = self.args(chain);
        let shared = chain.bodies[position];
        let body = shared.unwrap_or_else(|| self.b.declare(&[]));
        let passed = if shared.is_some() {
            args.clone()
        } else {
            Vec::new()
        };
        let mask = self.get(waiting);
        self.b.close(Terminator::Any {
            mask,
            then: Edge {
                block: body,
                args: passed,
            },
            other: Edge { block: next, args },
        });
        match shared {
            Some(body) => self.open_with_params(chain, body),
            None => self.b.open_successor(body),
        }
        self.active = self.get(waiting);
        let nobody = self.b.mask(false);
        self.state.set(waiting, nobody);
    }

    /// The instructions of a basic block; a jump at its end is left to [`Lower::leave`].
    fn instructions(&mut self, index: usize) {
        let program = self.program.program();
        for inst in &program.insts()[self.program.cfg().blocks()[index].insts.clone()] {
            self.instruction(inst);
        }
    }

    fn last_inst(&self, index: usize) -> &Inst {
        let block = &self.program.cfg().blocks()[index];
        &self.program.program().insts()[block.insts.end - 1]
    }

    /// The lanes that take the jump at the block's end.
    fn jump_condition(&mut self, index: usize) -> Option<Value> {
        self.program.cfg().blocks()[index].jump?;
        let inst = *self.last_inst(index);
        let guard = self.guard_mask(&inst);
        let condition = self.boolean(&inst, 0);
        let guarded = self.b.binary(Binary::And, condition, guard);
        Some(self.b.binary(Binary::And, guarded, self.active))
    }

    /// Lanes that do not execute the block keep what they had.
    fn blend(&mut self, chain: &Chain) {
        let changed = self.state.changed(&self.b);
        let changed = changed.into_iter().map(|(var, ..)| var);
        for var in changed.chain(chain.passed.iter().copied()) {
            if var.slot().is_some() {
                let (new, old) = (self.get(var), self.before(var));
                let blended = self.b.choose(self.active, new, old);
                self.state.set(var, blended);
            }
        }
    }

    /// Sends the block's lanes on their ways.
    fn leave(&mut self, chain: &Chain, index: usize, taken: Option<Value>, next: Block) {
        let block = &self.program.cfg().blocks()[index];
        if let Some(BlockId(after)) = block.next
            && !chain.meets[after]
        {
            let stay = match taken {
                None => self.active,
                Some(taken) => {
                    let not_taken = self.b.invert(taken);
                    self.b.binary(Binary::And, self.active, not_taken)
                }
            };
            self.wait_at(after, stay);
        }
        match (block.jump, taken) {
            (Some(BlockId(to)), Some(taken)) => {
                if !chain.meets[to] {
                    self.wait_at(to, taken);
                }
                if to <= index {
                    self.jump_back(chain, index, to, taken, next);
                } else {
                    self.jump(chain, next);
                }
            }
            _ => self.jump(chain, next),
        }
    }

    fn wait_at(&mut self, block: usize, lanes: Value) {
        let waiting = self.get(Var::waiting(block));
        let waiting = self.b.binary(Binary::Or, waiting, lanes);
        self.state.set(Var::waiting(block), waiting);
    }

    /// Counts the jump in the lanes that take it, then goes back if there are any.
    fn jump_back(&mut self, chain: &Chain, index: usize, to: usize, taken: Value, next: Block) {
        let before = self.get(Var::JUMPS);
        // A set mask is -1.
        let minus_one = self.b.unary(Unary::ToBits, taken);
        let jumps = self.b.binary(Binary::Isub, before, minus_one);
        self.state.set(Var::JUMPS, jumps);
        let again = self.b.declare(&[]);
        let fail = self.b.declare(&[]);
        let target = |block, args| Edge { block, args };
        let args = self.args(chain);
        self.b.close(Terminator::Any {
            mask: taken,
            then: target(again, Vec::new()),
            other: target(next, args.clone()),
        });
        self.b.open_successor(again);
        let body = chain.bodies[chain.position(to)].expect("a lane jumps back there");
        let budget = self.b.push(Op::LoopBudget, []);
        // No count ever passes the budget, so that the largest needs no more bits either.
        let at_limit = self.b.binary(Binary::Ieq, before, budget);
        let spent = self.b.binary(Binary::And, at_limit, taken);
        self.b.close(Terminator::Any {
            mask: spent,
            then: target(fail, Vec::new()),
            other: target(body, args),
        });
        self.b.open(fail);
        let pc = self.program.cfg().blocks()[index].insts.end - 1;
        self.b.close(Terminator::Fail { pc: pc as u32 });
    }
}
