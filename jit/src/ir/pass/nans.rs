//! Leaves a NaN as it is where nobody sees its bits.
//!
//! The payload of an arithmetic NaN is free, and comparisons do not look at it. So [`Unary::OneNan`] has
//! no effect where its result only goes there, or to another one; it has where bits are stored, or taken for
//! an integer.

use super::seen::{Use, seen};
use super::skip::skip;
use crate::ir::{Binary, Function, Op, Unary};

/// Removes the operations without an effect.
pub(super) fn defer(function: &mut Function) {
    let is_one_nan = |op: Op| op == Op::Unary(Unary::OneNan);
    if !function.nodes.iter().any(|node| is_one_nan(node.op)) {
        return;
    }
    let seen = seen(function, use_of);
    skip(function, |index, node| is_one_nan(node.op) && !seen[index]);
}

/// The use that an operation makes of the bits of a NaN.
fn use_of(op: Op) -> Use {
    use Binary::{Fadd, Fdiv, Feq, Fle, Flt, Fmax, Fmin, Fmul, Fsub};
    use Unary::{
        Ceil, Fabs, Floor, Flush, FlushToPlus, Fneg, Nearest, OneNan, Sqrt, TowardZero, Trunc,
    };
    let passes = matches!(
        op,
        Op::Unary(Fneg | Fabs | Flush | FlushToPlus)
            | Op::Binary(Fmin | Fmax)
            | Op::Select
            | Op::Shuffle(_)
    );
    let ignores = matches!(
        op,
        Op::Unary(OneNan | Sqrt | Floor | Nearest | Ceil | TowardZero | Trunc)
            | Op::Binary(Fadd | Fsub | Fmul | Fdiv | Flt | Fle | Feq)
            | Op::Fma
    );
    match (passes, ignores) {
        (true, _) => Use::Passes,
        (false, true) => Use::Ignores,
        (false, false) => Use::Sees,
    }
}
