//! A lane's own way: the steps that it executes.

use attila_shader::debug::Step;

use crate::debugger::{Debugger, Way};

impl Debugger {
    /// The step that a lane executes next; `None` if it has ended.
    pub fn standing(&self, lane: usize) -> Option<Step<'_>> {
        let mut steps = (self.step..self.last()).filter_map(|step| self.recording().step(step));
        steps.find(|step| step.active.has(lane))
    }

    /// The steps of a lane that way, the nearest first.
    pub fn steps_of_lane(&self, lane: usize, way: Way) -> impl Iterator<Item = Step<'_>> {
        let steps = self
            .steps(way)
            .filter_map(|step| self.recording().step(step));
        steps.filter(move |step| step.active.has(lane))
    }

    /// The step of a lane's next line, or instruction if it is so fine, or the end; backwards that at which a line begins.
    pub fn next_of_lane(&self, lane: usize, way: Way, is_fine: bool) -> usize {
        let line = |step: &Step<'_>| self.line_of(step.number);
        let here = self.standing(lane).and_then(|step| line(&step));
        let mut steps = self.steps_of_lane(lane, way);
        let found = steps.find(|step| is_fine || line(step) != here);
        match (found, way) {
            (None, Way::Forwards) => self.last(),
            (None, Way::Backwards) => 0,
            (Some(found), Way::Forwards) => found.number,
            (Some(found), Way::Backwards) if is_fine => found.number,
            (Some(found), Way::Backwards) => {
                let same = steps.take_while(|step| line(step) == line(&found));
                same.last().unwrap_or(found).number
            }
        }
    }

    /// Where control comes back to the lane's innermost loop, if it is in one: its first and last instruction.
    pub fn innermost_loop(&self, pc: usize) -> Option<[usize; 2]> {
        let blocks = self.recording().program().cfg().blocks();
        let back = blocks.iter().filter_map(|block| {
            let (to, from) = (blocks[block.jump?.0].insts.start, block.insts.end - 1);
            (to <= pc && pc <= from).then_some([to, from])
        });
        back.min_by_key(|[to, from]| from - to)
    }
}
