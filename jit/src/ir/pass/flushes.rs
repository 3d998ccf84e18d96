//! Removes flushes of denormals that make no difference: where there is no denormal, and where nobody tells one
//! from zero.
//!
//! There is none among the multiples of 2^-126.
//!
//! Nobody tells in a sum with a much larger float, which is the sum, whatever tiny number is added. What comes
//! between the flush and that sum may differ, as long as it is tiny.

use super::scales;
use super::sizes::{FRACTION_BITS, NORMAL, Size, literal, sizes};
use super::skip::skip;
use crate::ir::{Binary, Function, Node, Op, Unary};
use crate::size::{self, NONE, WHOLE};
use crate::specialisation::Specialisation;

/// A float of at least 2^n is not changed by adding less than 2 to the power of n minus this: half the distance to the
/// next float, which is least below a power of two.
const ABSORBS: i32 = FRACTION_BITS + 2;

/// Removes the flushes without an effect. Returns whether the function may have changed: there were flushes.
pub(super) fn remove(function: &mut Function, known: Specialisation<'_>) -> bool {
    let is_flush = |op: Op| op == Op::Unary(Unary::Flush);
    if !function.nodes.iter().any(|node| is_flush(node.op)) {
        return false;
    }
    let sizes = sizes(function, known);
    let limits = limits(function, &sizes);
    skip(function, |index, node| {
        is_flush(node.op)
            && (limits[index] >= NORMAL || sizes[node.operands[0].0 as usize].grain >= NORMAL)
    });
    scales::fold(function, &sizes);
    true
}

/// For each value, the greatest exponent of a power of two for which nobody tells numbers below that from each other.
fn limits(function: &Function, sizes: &[Size]) -> Vec<i32> {
    let mut limits = vec![i32::MAX; function.nodes.len()];
    for block in &function.blocks {
        for value in block.end.values() {
            limits[value.0 as usize] = NONE;
        }
    }
    for (index, node) in function.nodes.iter().enumerate().rev() {
        let own = limits[index].min(WHOLE);
        for (place, operand) in node.operands.iter().enumerate() {
            let limit = &mut limits[operand.0 as usize];
            *limit = (*limit).min(limit_of(function, node, place, own, sizes));
        }
    }
    limits
}

/// The limit of the operand at `place` of a node whose result has the limit `own`.
fn limit_of(function: &Function, node: &Node, place: usize, own: i32, sizes: &[Size]) -> i32 {
    use Binary::{Fadd, Fmax, Fmin, Fmul, Fsub};
    use Unary::{Fabs, Flush, FlushToPlus, Fneg, Nearest, OneNan, TowardZero, Trunc};
    match (node.op, &*node.operands) {
        (Op::Unary(Fneg | Fabs | OneNan | Flush | FlushToPlus) | Op::Shuffle(_), _) => own,
        (Op::Binary(Fmin | Fmax), _) => own,
        (Op::Select, _) if place > 0 => own,
        // All below 1/2 become zeros.
        (Op::Unary(Nearest | TowardZero), _) => own.min(-1),
        (Op::Unary(Trunc), _) => -1,
        (Op::Binary(Fadd | Fsub), &[a, b]) if a == b => own - 1,
        (Op::Binary(Fadd | Fsub), operands) => {
            let other = operands[1 - place];
            let absorbed = sizes[other.0 as usize].least - ABSORBS;
            // Where it is not absorbed, the other is so small that their sum is tiny, too.
            absorbed.max(own - ABSORBS - 1)
        }
        (Op::Binary(Fmul), operands) => match literal(function, operands[1 - place]) {
            Some(factor) => own - (size::least(factor.to_bits()) + 1).max(0),
            None => NONE,
        },
        (_, _) => NONE,
    }
}

#[cfg(test)]
mod tests;
