//! Removes instructions, and components of their results, that nobody reads.

use attila_isa::Remark;

use super::super::Language;
use super::super::code::Code;
use super::super::liveness::{Liveness, Needed};

/// # Errors
///
/// More values are needed at once than there are registers.
pub(in super::super) fn remove<L: Language>(code: &mut Code<L>) -> Result<(), Remark> {
    let liveness = Liveness::new(code)?;
    let mut needed = Needed::nothing(code);
    for index in 0..code.blocks.len() {
        liveness.at_end(code, index, &mut needed);
        let block = &mut code.blocks[index];
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
    Ok(())
}
