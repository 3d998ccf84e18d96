//! Removes unnecessary instructions.
//!
//! The JIT would do so anyway, component by component; the rest is for people, who read it, and for
//! the interpreter, which runs it.

mod copies;
mod dead;
mod split;
mod ways;

use attila_isa::Remark;

use super::Language;
use super::code::Code;

pub(super) use dead::remove as remove_dead;
pub(super) use ways::straighten;

/// Removes copies and gives each value its own name. Dead code has been removed before.
///
/// # Errors
///
/// More values are needed at once than there are registers.
pub(super) fn clean<L: Language>(code: &mut Code<L>) -> Result<(), Remark> {
    split::split(code)?;
    code.note_neighbours();
    copies::write_directly(code);
    copies::read_directly(code);
    remove_dead(code)?;
    match ways::straighten(code) {
        // The conditions of jumps that are gone may be needed no more.
        true => remove_dead(code),
        false => Ok(()),
    }
}
