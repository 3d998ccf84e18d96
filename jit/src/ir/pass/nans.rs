//! Leaves a NaN as it is where nobody sees its bits.
//!
//! The payload of an arithmetic NaN is free, and comparisons do not look at it. So [`Unary::OneNan`] has
//! no effect where its result only goes there, or to another one; it has where bits are stored, or taken for
//! an integer. [`Unary::Fabs`] of a value without a sign only clears that of a NaN.

use super::seen::{Use, seen};
use super::signs::unsigned;
use super::skip::skip;
use crate::ir::{Binary, Function, Op, Unary};

/// Removes the operations without an effect.
pub(super) fn defer(function: &mut Function) {
    let (one_nan, magnitude) = (Op::Unary(Unary::OneNan), Op::Unary(Unary::Fabs));
    let mut ops = function.nodes.iter().map(|node| node.op);
    if !ops.any(|op| op == one_nan || op == magnitude) {
        return;
    }
    let (seen, unsigned) = (seen(function, use_of, |_| false), unsigned(function));
    skip(function, |index, node| {
        let is_unchanged = || unsigned[node.operands[0].0 as usize];
        !seen[index] && (node.op == one_nan || node.op == magnitude && is_unchanged())
    });
}

/// The use that an operation makes of the bits of a NaN.
fn use_of(op: Op) -> Use {
    use Binary::{Fadd, Fdiv, Feq, Fle, Flt, Fmax, Fmin, Fmul, Fsub};
    use Unary::{
        Ceil, Fabs, Floor, Flush, FlushToPlus, Fneg, Nearest, OneNan, Sqrt, ToHalf, TowardZero,
        Trunc,
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
        Op::Unary(OneNan | Sqrt | Floor | Nearest | Ceil | ToHalf | TowardZero | Trunc)
            | Op::Binary(Fadd | Fsub | Fmul | Fdiv | Flt | Fle | Feq)
            | Op::Fma
    );
    match (passes, ignores) {
        (true, _) => Use::Passes,
        (false, true) => Use::Ignores,
        (false, false) => Use::Sees,
    }
}
