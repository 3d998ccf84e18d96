//! Control flow: blocks of lane IR as structured blocks and loops.
//!
//! ```text
//! loop              a loop of lane IR: from its first block to behind its last jump back
//!   block           for each block of the loop that is jumped to, up to where that begins
//!     block
//!       b1 … b2
//!     end           a jump to b3 leaves the block that ends here
//!     b3
//!   end
//!   b4
//! end
//! ```
//!
//! Blocks are in program order, so that jumps to later ones are forward. If some jump goes into a loop past its first
//! block, all of the function is one loop that begins with a choice by the number of the next block.

use wasm_encoder::BlockType;

use super::function::Emission;
use super::locals::Local;
use crate::code::Failure;
use crate::ir::{Edge, Function, Terminator};

/// A structure that is open where code is emitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Open {
    /// A jump to it goes to a block that begins where it ends.
    Before(usize),
    /// A jump to it goes back to its first block.
    Loop(usize),
    /// The loop that begins with a choice.
    Dispatch,
    /// Some jump's arguments.
    Arguments,
}

/// A structure, and the block before which it ends.
type Scope = (Open, usize);

/// The structure of a function's blocks.
#[derive(PartialEq, Eq, Debug)]
struct Structure {
    /// For each block, where the loop ends that begins with it.
    loops: Vec<Option<usize>>,
    /// For each block, the blocks in front of which a structure ends that begins with it, the last first: outside of its
    /// loop, and inside.
    outside: Vec<Vec<usize>>,
    inside: Vec<Vec<usize>>,
    /// Whether blocks are chosen by number.
    dispatch: bool,
}

/// The edges of a block's end: the one that is taken on a condition, and the last.
fn edges<'a>(
    end: &'a Terminator,
    next: usize,
    done: &'a Edge,
) -> (Option<(bool, &'a Edge)>, Option<&'a Edge>) {
    match end {
        Terminator::Jump(edge) => (None, Some(edge)),
        Terminator::Done => (None, Some(done)),
        Terminator::Fail { .. } => (None, None),
        Terminator::Any { then, other, .. } => {
            if then.block.0 as usize == next {
                (Some((false, other)), Some(then))
            } else {
                (Some((true, then)), Some(other))
            }
        }
    }
}

impl Structure {
    fn of(function: &Function, done: &Edge) -> Structure {
        let count = function.blocks.len();
        let (mut back, mut forward) = (Vec::new(), Vec::new());
        for (from, block) in function.blocks.iter().enumerate() {
            let (conditional, last) = edges(&block.end, from + 1, done);
            let jumps = conditional.map(|(_, edge)| edge).into_iter();
            let falls = |edge: &&Edge| edge.block.0 as usize == from + 1;
            for edge in jumps.chain(last.filter(|edge| !falls(edge))) {
                let to = edge.block.0 as usize;
                if to > from {
                    forward.push((from, to));
                } else {
                    back.push((from, to));
                }
            }
        }
        let loops = loops(count, &back);
        let region = |to: usize| {
            (0..to)
                .rev()
                .find(|&at| loops[at].is_some_and(|end| to < end))
        };
        let enters = |&(from, to): &(usize, usize)| region(to).is_some_and(|first| from < first);
        let dispatch = forward.iter().any(enters);
        if dispatch {
            return Structure::dispatching(count);
        }
        let mut structure = Structure {
            loops: loops.clone(),
            outside: vec![Vec::new(); count],
            inside: vec![Vec::new(); count],
            dispatch,
        };
        forward.sort_by_key(|&(_, to)| std::cmp::Reverse(to));
        forward.dedup_by_key(|&mut (_, to)| to);
        for (_, to) in forward {
            match region(to) {
                Some(first) => structure.inside[first].push(to),
                None => structure.outside[0].push(to),
            }
        }
        structure
    }

    /// One loop around all blocks, each of which ends a structure.
    fn dispatching(count: usize) -> Structure {
        let mut structure = Structure {
            loops: vec![None; count],
            outside: vec![Vec::new(); count],
            inside: vec![Vec::new(); count],
            dispatch: true,
        };
        structure.outside[0].push(count);
        structure.inside[0].extend((0..count).rev());
        structure
    }
}

/// Where loops end, if those that overlap are made to contain each other.
fn loops(count: usize, back: &[(usize, usize)]) -> Vec<Option<usize>> {
    let mut loops: Vec<Option<usize>> = vec![None; count];
    for &(from, to) in back {
        loops[to] = loops[to].max(Some(from + 1));
    }
    for first in (0..count).rev() {
        let Some(mut end) = loops[first] else {
            continue;
        };
        let mut at = first + 1;
        while at < end {
            end = end.max(loops[at].unwrap_or(end));
            at += 1;
        }
        loops[first] = Some(end);
    }
    loops
}

/// The flow of the code of a quad while it is emitted.
pub(super) struct Flow {
    open: Vec<Scope>,
    /// The number of the next block, where blocks are chosen by it.
    next: Option<Local>,
    /// The edge to behind the last block.
    done: Edge,
}

impl Emission<'_> {
    /// The blocks of the function. A quad that is done leaves them at their end.
    pub(super) fn blocks(&mut self) {
        let function = self.function;
        let count = function.blocks.len();
        let done = Edge {
            block: crate::ir::Block(count as u32),
            args: Vec::new(),
        };
        let structure = Structure::of(function, &done);
        let mut flow = Flow {
            open: Vec::new(),
            next: structure.dispatch.then(|| self.number()),
            done,
        };
        if let Some(next) = flow.next {
            self.ins().i32_const(0).local_set(next.0);
        }
        for (number, block) in function.blocks.iter().enumerate() {
            self.close(&mut flow, number);
            self.begin(&mut flow, &structure, number);
            for (place, &value) in block.body.iter().enumerate() {
                self.node(value, number + 2, place);
            }
            self.leave_if_stopped();
            self.terminator(&mut flow, &block.end, number);
            let used: Vec<_> = block.end.values().collect();
            self.locals.retire(&used, number + 2, block.body.len());
        }
        self.close(&mut flow, count);
    }

    /// Ends the structures that end before a block.
    fn close(&mut self, flow: &mut Flow, before: usize) {
        while flow.open.pop_if(|&mut (_, end)| end == before).is_some() {
            self.ins().end();
        }
    }

    /// Begins the structures that begin with a block.
    fn begin(&mut self, flow: &mut Flow, structure: &Structure, number: usize) {
        self.begin_blocks(flow, &structure.outside[number]);
        if let Some(end) = structure.loops[number] {
            self.ins().loop_(BlockType::Empty);
            flow.open.push((Open::Loop(number), end));
        }
        let Some(next) = flow.next.filter(|_| number == 0) else {
            return self.begin_blocks(flow, &structure.inside[number]);
        };
        self.ins().loop_(BlockType::Empty);
        flow.open.push((Open::Dispatch, structure.loops.len()));
        self.begin_blocks(flow, &structure.inside[0]);
        let last = structure.loops.len() as u32 - 1;
        self.ins().local_get(next.0).br_table(0..last, last);
        self.close(flow, 0);
    }

    fn begin_blocks(&mut self, flow: &mut Flow, ends: &[usize]) {
        for &end in ends {
            self.ins().block(BlockType::Empty);
            flow.open.push((Open::Before(end), end));
        }
    }

    fn terminator(&mut self, flow: &mut Flow, end: &Terminator, number: usize) {
        let done = flow.done.clone();
        let (conditional, last) = edges(end, number + 1, &done);
        if let (Some((wanted, edge)), Terminator::Any { mask, .. }) = (conditional, end) {
            self.get(*mask);
            self.ins().v128_any_true();
            if !wanted {
                self.ins().i32_eqz();
            }
            self.conditional_jump(flow, edge, number);
        }
        if let Some(edge) = last {
            self.arguments(edge);
            if edge.block.0 as usize != number + 1 {
                self.jump(flow, edge, number);
            }
        } else if let &Terminator::Fail { pc } = end {
            self.place();
            self.ins()
                .i64_const(Failure::PC_BITS)
                .i64_shl()
                .i64_const(i64::from(pc) + 1)
                .i64_add()
                .return_();
        }
    }

    /// A jump if there is a number on the stack that is not 0.
    fn conditional_jump(&mut self, flow: &mut Flow, edge: &Edge, number: usize) {
        let is_back = edge.block.0 as usize <= number;
        if edge.args.is_empty() && !(is_back && flow.next.is_some()) {
            let depth = flow.depth(edge, number);
            self.ins().br_if(depth);
            return;
        }
        self.ins().if_(BlockType::Empty);
        flow.open.push((Open::Arguments, usize::MAX));
        self.arguments(edge);
        self.jump(flow, edge, number);
        flow.open.pop();
        self.ins().end();
    }

    fn jump(&mut self, flow: &Flow, edge: &Edge, number: usize) {
        let to = edge.block.0 as usize;
        if let Some(next) = flow.next.filter(|_| to <= number) {
            self.ins().i32_const(to as i32).local_set(next.0);
        }
        let depth = flow.depth(edge, number);
        self.ins().br(depth);
    }

    /// Gives a block's parameters their values, all at once.
    fn arguments(&mut self, edge: &Edge) {
        if edge.args.is_empty() {
            return;
        }
        let params = &self.function.block(edge.block).params;
        edge.args.iter().for_each(|&arg| self.get(arg));
        for &param in params.iter().rev() {
            self.set(param);
        }
    }
}

impl Flow {
    /// How many structures a jump from a block leaves before the one that it goes to.
    fn depth(&self, edge: &Edge, from: usize) -> u32 {
        let to = edge.block.0 as usize;
        let wanted = match self.next {
            _ if to > from => Open::Before(to),
            Some(_) => Open::Dispatch,
            None => Open::Loop(to),
        };
        let mut open = self.open.iter().rev();
        let depth = open.position(|&(open, _)| open == wanted);
        depth.expect("every jump has its structure") as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Block, parse};

    /// The structure of blocks, each of which jumps to these.
    fn structure(targets: &[&[u32]]) -> Structure {
        let mut text = String::from("block0:\n");
        for (number, targets) in targets.iter().enumerate() {
            if number > 0 {
                text.push_str(&format!("block{number}:\n"));
            }
            text.push_str(&match targets {
                [one] => format!("  jump block{one}\n"),
                [one, other] => {
                    format!(
                        "  m{number}: mask = load p0\n  any m{number} ? block{one} : block{other}\n"
                    )
                }
                _ => "  done\n".to_owned(),
            });
        }
        let function = parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let done = Edge {
            block: Block(targets.len() as u32),
            args: Vec::new(),
        };
        Structure::of(&function, &done)
    }

    #[test]
    fn blocks_that_are_only_fallen_into_need_no_structure() {
        let plain = structure(&[&[1], &[2], &[]]);
        assert_eq!(plain.outside, vec![Vec::<usize>::new(); 3]);
        let skipped = structure(&[&[1, 2], &[2], &[]]);
        assert_eq!(skipped.outside[0], [2]);
    }

    #[test]
    fn a_loop_ends_behind_its_last_jump_back_and_its_exits_are_outside() {
        let found = structure(&[&[1], &[2, 4], &[1, 3], &[1], &[]]);
        assert_eq!(found.loops, [None, Some(4), None, None, None]);
        assert_eq!(
            (&found.outside[0][..], &found.inside[1][..]),
            (&[4][..], &[][..])
        );
        assert!(!found.dispatch);
    }

    #[test]
    fn loops_that_overlap_are_made_to_contain_each_other() {
        let found = structure(&[&[1], &[2], &[1, 3], &[2, 4], &[]]);
        assert_eq!(found.loops, [None, Some(4), Some(4), None, None]);
        assert!(!found.dispatch);
    }

    #[test]
    fn a_jump_into_a_loop_makes_all_blocks_chosen_by_number() {
        let found = structure(&[&[1, 2], &[2], &[1, 3], &[]]);
        assert!(found.dispatch);
        assert_eq!(found.inside[0], [3, 2, 1, 0]);
    }
}
