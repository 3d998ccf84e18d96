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

use super::live::Live;
use super::{Domain, Lower, Passing, Unlowered, Var};
use crate::abi::Slot;
use crate::ir::{Binary, Block, Edge, Op, Origin, Terminator, Type, Unary, Value};

/// The most block parameters that lowering makes, most of which the passes take away again.
const MOST_PARAMS: usize = 50_000;

/// A lowering's blocks.
struct Chain {
    /// The reachable basic blocks in program order.
    order: Vec<usize>,
    /// Whether all lanes execute the basic block together.
    meets: Vec<bool>,
    /// All variables that blocks pass on: none if they wait in memory.
    vars: Vec<Var>,
    /// The variables that each block is passed, in the order of `order`, then the exit.
    passed: Vec<Vec<Var>>,
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
    // The number of ways on which lanes may be apart, as it changes from block to block.
    let mut ways = vec![0; blocks.len() + 1];
    for (from, block) in blocks.iter().enumerate() {
        if !cfg.is_reachable(BlockId(from)) {
            continue;
        }
        if let Some(BlockId(to)) = block.jump {
            // Lanes that jump ahead wait at `to`; lanes that do not jump back wait after `from`.
            let (first, end) = if to > from {
                (from + 1, to)
            } else {
                (to, from + 1)
            };
            ways[first] += 1;
            ways[end] -= 1;
        }
        if insts[block.insts.end - 1].end {
            ways[from + 1] += 1;
        }
    }
    let mut apart = 0;
    let meets = ways.iter().take(blocks.len()).map(|change| {
        apart += change;
        apart == 0
    });
    meets.collect()
}

impl Lower<'_> {
    /// Lowers the whole program from the open entry block on.
    ///
    /// # Errors
    ///
    /// It would take too many parameters, or is too much work.
    pub(super) fn flow(&mut self) -> Result<(), Unlowered> {
        let cfg = self.program.cfg();
        let order: Vec<usize> = (0..cfg.blocks().len())
            .filter(|&index| cfg.is_reachable(BlockId(index)))
            .collect();
        if order.len() == 1 && cfg.blocks()[0].jump.is_none() {
            self.instructions(0)?;
            self.finish_quad();
            return Ok(());
        }
        let chain = self.chain(order)?;
        let all = self.active;
        if !chain.meets[0] {
            self.state.set(Var::waiting(0), all);
        }
        self.jump(&chain, 0);
        for position in 0..chain.order.len() {
            self.basic_block(&chain, position, all)?;
        }
        let exit = chain.order.len();
        self.open_with_params(&chain, chain.heads[exit], exit);
        self.finish_quad();
        Ok(())
    }

    fn chain(&mut self, order: Vec<usize>) -> Result<Chain, Unlowered> {
        let meets = meets(self);
        let mut vars = self.written();
        let blocks = self.program.cfg().blocks();
        let back = |from: usize| blocks[from].jump.filter(|to| to.0 <= from);
        // The last positions that the count of jumps and the waiting lanes are passed to: no lane waits at a block that
        // has been passed.
        let last_back = order.iter().rposition(|&from| back(from).is_some());
        let waiting = order.iter().enumerate().filter(|it| !meets[*it.1]);
        let waiting = waiting.map(|(position, &index)| (position, Var::waiting(index)));
        let jumps = last_back.map(|position| (position, Var::JUMPS));
        let others: Vec<(usize, Var)> = jumps.into_iter().chain(waiting).collect();
        let mut passed = self.passed(&order, &vars);
        vars.extend(others.iter().map(|(_, var)| *var));
        match self.passing {
            Passing::Params => {
                let mut params: usize = passed.iter().map(Vec::len).sum();
                for (last, var) in others {
                    params += last + 1;
                    if params > MOST_PARAMS {
                        return Err(Unlowered::Params);
                    }
                    passed[..=last].iter_mut().for_each(|it| it.push(var));
                }
            }
            Passing::Variables => self.state.keep(&std::mem::take(&mut vars)),
        }
        let types = |vars: &Vec<Var>| -> Vec<Type> { vars.iter().map(|var| var.ty()).collect() };
        let types: Vec<_> = passed.iter().map(types).collect();
        let heads = types.iter().map(|types| self.b.declare(types)).collect();
        let mut is_loop = vec![false; blocks.len()];
        for BlockId(to) in order.iter().filter_map(|&from| back(from)) {
            is_loop[to] = true;
        }
        let bodies = order.iter().zip(&types);
        let bodies = bodies.map(|(&index, types)| is_loop[index].then(|| self.b.declare(types)));
        let bodies = bodies.collect();
        Ok(Chain {
            order,
            meets,
            vars,
            passed,
            heads,
            bodies,
        })
    }

    /// The written variables that each block is passed, and the exit.
    fn passed(&self, order: &[usize], vars: &[Var]) -> Vec<Vec<Var>> {
        if self.passing == Passing::Variables {
            return vec![Vec::new(); order.len() + 1];
        }
        let is_result = |var: Var| match (var.slot(), self.domain) {
            (_, Domain::State) | (Some(Slot::Output { .. } | Slot::Kill), _) => true,
            (Some(Slot::Depth { sample }), _) => usize::from(sample) < self.exported_samples(),
            (_, Domain::Io | Domain::ExtendedIo | Domain::Draw(_) | Domain::Columns(_)) => false,
        };
        Live::new(self.program, vars, order, is_result).passed()
    }

    /// Leaves variables in memory there, if they have changed.
    fn keep_changed(&mut self) {
        for (_, name, value) in self.state.changed(&self.b) {
            self.b.push(Op::Keep(name), [value]);
        }
    }

    /// The current values of the variables that the block at a position is passed.
    fn args(&mut self, chain: &Chain, position: usize) -> Vec<Value> {
        let vars = chain.passed[position].iter();
        vars.map(|&var| self.get(var)).collect()
    }

    /// Ends a block with a jump to the head at a position.
    fn jump(&mut self, chain: &Chain, position: usize) {
        self.keep_changed();
        let args = self.args(chain, position);
        self.b.jump(chain.heads[position], args);
    }

    /// Begins the head or body at a position.
    fn open_with_params(&mut self, chain: &Chain, block: Block, position: usize) {
        self.b.open(block);
        self.state.leave_block();
        chain.vars.iter().for_each(|&var| self.state.reset(var));
        for (index, &var) in chain.passed[position].iter().enumerate() {
            let param = self.b.params(block)[index];
            self.state.set(var, param);
        }
    }

    fn basic_block(&mut self, chain: &Chain, position: usize, all: Value) -> Result<(), Unlowered> {
        let index = chain.order[position];
        self.open_with_params(chain, chain.heads[position], position);
        self.active = all;
        if !chain.meets[index] {
            self.enter(chain, position);
        }
        self.state.begin_block();
        self.instructions(index)?;
        let taken = self.jump_condition(index);
        self.blend(chain, position);
        self.leave(chain, position, taken);
        Ok(())
    }

    /// From the head of a basic block to its body, with the lanes that wait there, or past it if no
    /// lane waits.
    fn enter(&mut self, chain: &Chain, position: usize) {
        let waiting = Var::waiting(chain.order[position]);
        self.keep_changed();
        let args = self.args(chain, position + 1);
        let shared = chain.bodies[position];
        let body = shared.unwrap_or_else(|| self.b.declare(&[]));
        let passed = match shared {
            Some(_) => self.args(chain, position),
            None => Vec::new(),
        };
        let mask = self.get(waiting);
        self.b.close(Terminator::Any {
            mask,
            then: Edge {
                block: body,
                args: passed,
            },
            other: Edge {
                block: chain.heads[position + 1],
                args,
            },
        });
        match shared {
            Some(body) => self.open_with_params(chain, body, position),
            None => self.b.open_successor(body),
        }
        self.active = self.get(waiting);
        let nobody = self.b.mask(false);
        self.state.set(waiting, nobody);
    }

    /// The instructions of a basic block; a jump at its end is left to [`Lower::leave`].
    fn instructions(&mut self, index: usize) -> Result<(), Unlowered> {
        let program = self.program.program();
        for pc in self.program.cfg().blocks()[index].insts.clone() {
            self.b.set_origin(Origin::instruction(pc));
            self.instruction(&program.insts()[pc]);
            let counted = self.work.count(self.b.nodes());
            counted.map_err(Unlowered::Work)?;
        }
        Ok(())
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
    fn blend(&mut self, chain: &Chain, position: usize) {
        let changed = self.state.changed(&self.b);
        let changed = changed.into_iter().map(|(var, ..)| var);
        let blocks = self.program.cfg().blocks();
        let jump = blocks[chain.order[position]].jump;
        // A block that lanes jump back to is passed all that the next one is.
        let after = match jump.filter(|to| to.0 <= chain.order[position]) {
            Some(BlockId(to)) => chain.position(to),
            None => position + 1,
        };
        for var in changed.chain(chain.passed[after].iter().copied()) {
            if var.slot().is_some() {
                let (new, old) = (self.get(var), self.before(var));
                let blended = self.b.choose(self.active, new, old);
                self.state.set(var, blended);
            }
        }
    }

    /// Sends the block's lanes on their ways.
    fn leave(&mut self, chain: &Chain, position: usize, taken: Option<Value>) {
        let index = chain.order[position];
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
                    self.jump_back(chain, position, to, taken);
                } else {
                    self.jump(chain, position + 1);
                }
            }
            _ => self.jump(chain, position + 1),
        }
    }

    fn wait_at(&mut self, block: usize, lanes: Value) {
        let waiting = self.get(Var::waiting(block));
        let waiting = self.b.binary(Binary::Or, waiting, lanes);
        self.state.set(Var::waiting(block), waiting);
    }

    /// Counts the jump in the lanes that take it, then goes back if there are any.
    fn jump_back(&mut self, chain: &Chain, position: usize, to: usize, taken: Value) {
        let before = self.get(Var::JUMPS);
        // A set mask is -1.
        let minus_one = self.b.unary(Unary::ToBits, taken);
        let jumps = self.b.binary(Binary::Isub, before, minus_one);
        self.state.set(Var::JUMPS, jumps);
        let again = self.b.declare(&[]);
        let fail = self.b.declare(&[]);
        let target = |block, args| Edge { block, args };
        self.keep_changed();
        let (next, start) = (position + 1, chain.position(to));
        let on = self.args(chain, next);
        let back = self.args(chain, start);
        self.b.close(Terminator::Any {
            mask: taken,
            then: target(again, Vec::new()),
            other: target(chain.heads[next], on),
        });
        self.b.open_successor(again);
        let body = chain.bodies[start].expect("a lane jumps back there");
        let budget = self.b.push(Op::LoopBudget, []);
        // No count ever passes the budget, so that the largest needs no more bits either.
        let at_limit = self.b.binary(Binary::Ieq, before, budget);
        let spent = self.b.binary(Binary::And, at_limit, taken);
        self.b.close(Terminator::Any {
            mask: spent,
            then: target(fail, Vec::new()),
            other: target(body, back),
        });
        self.b.open(fail);
        let index = chain.order[position];
        let pc = self.program.cfg().blocks()[index].insts.end - 1;
        self.b.close(Terminator::Fail { pc: pc as u32 });
    }
}
