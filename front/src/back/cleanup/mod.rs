//! Leaves out what need not be done.
//!
//! The JIT would do so by itself, component by component; what is left here is what people read, and
//! what the interpreter runs.

mod copies;
mod dead;
mod split;
mod ways;

use super::Language;
use super::code::Code;

pub(super) use dead::remove as remove_dead;
pub(super) use ways::straighten;

/// Removes copies and gives values names of their own, where what is not needed has been removed
/// already. The time that it takes grows with the square of the program's length.
pub(super) fn clean<L: Language>(code: &mut Code<L>) {
    split::split(code);
    code.note_neighbours();
    copies::write_directly(code);
    copies::read_directly(code);
    remove_dead(code);
    if ways::straighten(code) {
        // The conditions of jumps that are gone may be needed no more.
        remove_dead(code);
    }
}
