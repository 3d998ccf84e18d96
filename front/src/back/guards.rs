//! Short branches as guarded instructions: to part and to meet costs lanes more than a few
//! instructions that have no effect on them.

use super::Language;
use super::code::{Block, Code, Exit};
use super::step::{Condition, Place};

/// The most instructions of a branch that are guarded instead of jumped over.
const SHORT: usize = 8;

/// Where the branches of a condition are, while they are added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Branches {
    /// The condition of the first branch.
    condition: Condition,
    /// The block before them.
    before: usize,
    /// The number of labels placed before them.
    placed: usize,
}

impl<L: Language> Code<L> {
    /// The branches that begin after the current instruction.
    pub(super) fn branches(&self, condition: Condition) -> Branches {
        Branches {
            condition,
            before: self.blocks.len().saturating_sub(1),
            placed: self.placed,
        }
    }

    /// Guards the instructions of branches that are complete, if they are short: two of them, or one.
    pub(super) fn guard(&mut self, branches: &Branches, two: bool) -> bool {
        let Branches {
            condition,
            before,
            placed,
        } = *branches;
        let inside = self.blocks.get(before + 1..).unwrap_or_default();
        let count = 1 + usize::from(two);
        let is_plain = inside.len() == count && self.placed == placed + usize::from(two);
        if !is_plain || !inside.iter().all(|block| is_short(block, condition)) {
            return false;
        }
        let conditions = [condition, condition.negated()];
        self.borders += 1;
        let inside: Vec<Block<L>> = self.blocks.drain(before + 1..).collect();
        let here = &mut self.blocks[before];
        here.exit = Exit::Next;
        for (block, condition) in inside.into_iter().zip(conditions) {
            here.steps.extend(block.steps.into_iter().map(|mut step| {
                step.guard = Some(condition);
                step
            }));
        }
        true
    }
}

/// Whether a branch has few instructions, which can be guarded by `condition`.
fn is_short<L: Language>(block: &Block<L>, condition: Condition) -> bool {
    let predicate = Place::Predicate(condition.predicate);
    let is_plain = |place: Option<Place<L>>| place != Some(predicate);
    let mut steps = block.steps.iter();
    block.steps.len() <= SHORT
        && steps.all(|step| step.guard.is_none() && is_plain(step.result.map(|(place, _)| place)))
}
