//! Removes instructions, and components of their results, that nobody reads.

use super::super::Language;
use super::super::code::Code;
use super::super::liveness::{Liveness, Needed};

pub(in super::super) fn remove<L: Language>(code: &mut Code<L>) {
    let liveness = Liveness::new(code);
    let mut needed = Needed::nothing(code);
    for (index, block) in code.blocks.iter_mut().enumerate() {
        liveness.at_end(index, &mut needed);
        needed.exit(block);
        for step in block.steps.iter_mut().rev() {
            match needed.step(step) {
                None => step.cancel(),
                Some(components) => {
                    if let Some((_, mask)) = &mut step.result {
                        *mask = components;
                    }
                }
            }
        }
        block.steps.retain(|step| !step.is_cancelled());
    }
}
