//! Removes blocks that no lane comes to, and jumps that lead on to the next instruction.

use super::super::Language;
use super::super::code::{Code, Exit};

/// Empties blocks that cannot be reached, and removes useless jumps. Whether anything was removed.
pub(in super::super) fn straighten<L: Language>(code: &mut Code<L>) -> bool {
    if code.blocks.len() == 1 {
        return false;
    }
    let reached = reached(code);
    let mut changed = false;
    for (block, _) in code.blocks.iter_mut().zip(reached).filter(|(_, it)| !it) {
        changed |= !block.steps.is_empty() || block.exit != Exit::Next;
        block.steps.clear();
        block.exit = Exit::Next;
    }
    for index in (0..code.blocks.len()).rev() {
        let Exit::Jump { to, .. } = code.blocks[index].exit else {
            continue;
        };
        let to = code.target(to);
        let between = code.blocks.get(index + 1..to).unwrap_or_default();
        let mut between = between.iter();
        if to > index && between.all(|block| block.steps.is_empty() && block.exit == Exit::Next) {
            code.blocks[index].exit = Exit::Next;
            changed = true;
        }
    }
    changed
}

fn reached<L: Language>(code: &Code<L>) -> Vec<bool> {
    let mut reached = vec![false; code.blocks.len()];
    let mut work = vec![0];
    while let Some(block) = work.pop() {
        // The one after the last is the end of the program.
        if let Some(reached) = reached.get_mut(block)
            && !std::mem::replace(reached, true)
        {
            work.extend(code.successors(block));
        }
    }
    reached
}
