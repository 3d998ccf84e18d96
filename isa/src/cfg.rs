//! The control-flow graph: maximal runs of instructions that execute together.

use std::ops::Range;

use crate::program::Program;

/// Index of a basic block, in program order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockId(pub usize);

/// Instructions that every lane executes together, once it has come to the first.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
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

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use std::fmt::Write;

    /// The blocks of `text`: instructions, where lanes go on, where they jump.
    fn check(text: &str, expected: Expect) {
        let cfg = Cfg::new(&Program::assemble(text).expect("assembles"));
        let mut report = String::new();
        for (index, block) in cfg.blocks().iter().enumerate() {
            write!(report, "{index}: {:?}", block.insts).expect("strings take everything");
            if let Some(BlockId(next)) = block.next {
                report += &format!(", next {next}");
            }
            if let Some(BlockId(jump)) = block.jump {
                report += &format!(", jump {jump}");
            }
            report += if cfg.is_reachable(BlockId(index)) {
                "\n"
            } else {
                ", unreachable\n"
            };
        }
        expected.assert_eq(&report);
    }

    #[test]
    fn a_program_without_jumps_is_one_block() {
        check(
            "nop\nnop\nend",
            expect![[r#"
            0: 0..3
        "#]],
        );
    }

    #[test]
    fn jumps_and_their_targets_part_blocks() {
        check(
            "
            nop
            loop: nop
            jmp p0, out
            nop
            jmp true, loop
            out: end",
            expect![[r#"
                0: 0..1, next 1
                1: 1..3, next 2, jump 3
                2: 3..5, jump 1
                3: 5..6
            "#]],
        );
    }

    #[test]
    fn a_guarded_jump_is_not_always_taken() {
        check(
            "(p0) jmp true, 2\nnop\nend",
            expect![[r#"
            0: 0..1, next 1, jump 2
            1: 1..2, next 2
            2: 2..3
        "#]],
        );
        check(
            "jmp false, 2\nnop\nend",
            expect![[r#"
            0: 0..1, next 1, jump 2
            1: 1..2, next 2
            2: 2..3
        "#]],
        );
    }

    #[test]
    fn a_jump_with_an_end_flag_ends_instead() {
        check(
            "jmp p0, 2 <- end\nnop\nend",
            expect![[r#"
            0: 0..1
            1: 1..3, unreachable
        "#]],
        );
    }

    #[test]
    fn a_guarded_end_flag_ends_every_lane() {
        check(
            "(p0) mov r0, i0 <- end\nend",
            expect![[r#"
            0: 0..1
            1: 1..2, unreachable
        "#]],
        );
    }

    #[test]
    fn a_jump_to_itself_is_a_block_of_its_own() {
        check(
            "nop\njmp p0, 0\nend",
            expect![[r#"
            0: 0..1, next 1
            1: 1..2, next 2, jump 1
            2: 2..3
        "#]],
        );
    }

    #[test]
    fn lanes_stop_after_the_last_instruction() {
        check(
            "jmp p0, 2\nend\nnop",
            expect![[r#"
            0: 0..1, next 1, jump 2
            1: 1..2
            2: 2..3
        "#]],
        );
    }
}
