//! The control-flow graph: maximal runs of instructions that execute together.

use std::ops::Range;

use crate::program::Program;

/// Index of a basic block, in program order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockId(pub usize);

/// Instructions that every lane executes together, once it has come to the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The instructions. Never empty.
    pub insts: Range<usize>,
    /// Where lanes go that do not jump. `None` if none do, or if they end there: the last
    /// instruction ends the lane, or the program stops after it.
    pub next: Option<BlockId>,
    /// Where lanes go that take the jump at the block's end.
    pub jump: Option<BlockId>,
}

/// The basic blocks of a program, in program order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cfg {
    blocks: Vec<Block>,
    reachable: Vec<bool>,
}

impl Cfg {
    /// The graph of a program whose jumps all stay within it.
    pub(crate) fn new(program: &Program) -> Cfg {
        let insts = program.insts();
        let mut leader = vec![false; insts.len() + 1];
        leader[0] = true;
        for (pc, inst) in insts.iter().enumerate() {
            if let Some(target) = jump_target(program, pc) {
                leader[target] = true;
                leader[pc + 1] = true;
            }
            leader[pc + 1] |= inst.end;
        }
        leader[insts.len()] = false;
        let starts: Vec<usize> = (0..insts.len()).filter(|&pc| leader[pc]).collect();
        let block_of = |pc: usize| BlockId(starts.partition_point(|&start| start <= pc) - 1);
        let ends = starts.iter().skip(1).copied().chain([insts.len()]);
        let blocks = starts.iter().zip(ends).map(|(&start, end)| {
            let last = &insts[end - 1];
            let falls = !last.never_falls_through() && end < insts.len();
            Block {
                insts: start..end,
                next: falls.then(|| block_of(end)),
                jump: jump_target(program, end - 1).map(block_of),
            }
        });
        let blocks: Vec<Block> = blocks.collect();
        let reachable = reachable(&blocks);
        Cfg { blocks, reachable }
    }

    /// The blocks in program order; block 0 is the entry.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Whether any lane can come to the block.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.reachable[block.0]
    }

    /// Whether some instruction jumps.
    pub fn has_jumps(&self) -> bool {
        self.blocks.iter().any(|block| block.jump.is_some())
    }
}

/// Where instruction `pc` jumps to, if it is a jump; as an index into the program, which it may
/// leave.
pub(crate) fn jump_distance(program: &Program, pc: usize) -> Option<i64> {
    program.insts()[pc]
        .jump_offset()
        .map(|offset| pc as i64 + i64::from(offset))
}

fn jump_target(program: &Program, pc: usize) -> Option<usize> {
    jump_distance(program, pc).map(|target| target as usize)
}

fn reachable(blocks: &[Block]) -> Vec<bool> {
    let mut seen = vec![false; blocks.len()];
    let mut work = vec![BlockId(0)];
    while let Some(BlockId(index)) = work.pop() {
        if !std::mem::replace(&mut seen[index], true) {
            work.extend(blocks[index].next.into_iter().chain(blocks[index].jump));
        }
    }
    seen
}
