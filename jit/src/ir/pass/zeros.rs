//! Makes denormals +0 where they have no sign, or nobody sees that of a zero.
//!
//! Comparisons and conversions to integers do not look at it, and all that it changes in sums, products and
//! choices is the sign of a zero again. It is seen where bits are stored or taken for an integer, and in
//! divisors.

use super::seen::{Use, seen};
use super::signs::unsigned;
use crate::ir::{Binary, Function, Node, Op, Unary};

/// Replaces each [`Unary::Flush`] that may lose the sign, of those that stay.
pub(super) fn forget_signs(function: &mut Function, stays: impl Fn(&Node) -> bool) {
    let unsigned = unsigned(function);
    let seen = seen(function, use_of, |value| unsigned[value.0 as usize]);
    for (node, is_seen) in function.nodes.iter_mut().zip(seen) {
        let loses_none = |node: &Node| !is_seen || unsigned[node.operands[0].0 as usize];
        if node.op == Op::Unary(Unary::Flush) && loses_none(node) && stays(node) {
            node.op = Op::Unary(Unary::FlushToPlus);
        }
    }
}

/// The use that an operation makes of the sign of a zero.
fn use_of(op: Op) -> Use {
    use Binary::{Fadd, Feq, Fle, Flt, Fmax, Fmin, Fmul, Fsub};
    use Unary::{
        Ceil, Fabs, Floor, Flush, FlushToPlus, Fneg, Nearest, OneNan, Sqrt, TowardZero, Trunc,
    };
    let passes = matches!(
        op,
        Op::Unary(Fneg | Flush | OneNan | Sqrt | Floor | Nearest | Ceil | TowardZero)
            | Op::Binary(Fadd | Fsub | Fmul | Fmin | Fmax)
            | Op::Fma
            | Op::Select
            | Op::Shuffle(_)
    );
    let ignores = matches!(
        op,
        Op::Unary(Fabs | FlushToPlus | Trunc) | Op::Binary(Flt | Fle | Feq)
    );
    match (passes, ignores) {
        (true, _) => Use::Passes,
        (false, true) => Use::Ignores,
        (false, false) => Use::Sees,
    }
}
