//! Leaves out what need not be done.
//!
//! The JIT would do so by itself, component by component; what is left here is what people read, and
//! what the interpreter runs.

mod copies;
mod dead;
mod split;

use super::code::Code;

pub(super) use dead::remove as remove_dead;

/// All of it, where what is not needed has been removed already. The time that it takes grows with
/// the square of the program's length.
pub(super) fn clean(code: &mut Code) {
    split::split(code);
    copies::write_directly(code);
    copies::read_directly(code);
    remove_dead(code);
}
