//! Removes flushes of denormals that make no difference: where there is no denormal, and where nobody tells one
//! from zero.
//!
//! There is none among the multiples of 2^-126.
//!
//! Nobody tells in a sum with a much larger float, which is the sum, whatever tiny number is added; in a comparison with
//! a larger one; in a square, which is zero; and before another flush that makes +0 of all that is tiny. What comes between
//! may differ, as long as it is tiny.

use super::sizes::{Size, literal, sizes};
use super::skip::skip;
use super::{scales, zeros};
use crate::float::FloatFormat;
use crate::ir::{Binary, Function, Node, Op, Rate, Type, Unary, Value};
use crate::size::{NONE, WHOLE};
use crate::specialisation::Specialisation;

/// Removes the flushes without an effect, and the signs of zeros that nobody sees from the others. Returns whether the
/// function may have changed: there were flushes.
pub(super) fn remove(function: &mut Function, known: Specialisation<'_>) -> bool {
    let (flush, to_plus) = (Op::Unary(Unary::Flush), Op::Unary(Unary::FlushToPlus));
    if !function.nodes.iter().any(|node| node.op == flush) {
        return false;
    }
    let normal = function.format.normal();
    let mut sizes = sizes(function, known);
    compare_with_normal(function, &mut sizes);
    let has_denormals = |node: &Node| sizes[node.operands[0].0 as usize].grain < normal;
    zeros::forget_signs(function, has_denormals);
    let limits = limits(function, &sizes);
    skip(function, |index, node| {
        let is_unseen = limits[index] >= normal;
        node.op == flush && (is_unseen || !has_denormals(node)) || node.op == to_plus && is_unseen
    });
    scales::fold(function, &sizes);
    true
}

/// Has comparisons with zero look at numbers before a flush that stays: what is not zero then is no less than the least
/// normal number.
fn compare_with_normal(function: &mut Function, sizes: &mut Vec<Size>) {
    let mut bounds = Vec::new();
    let normal = function.format.normal();
    let min_positive = function.format.min_positive();
    for index in 0..function.nodes.len() {
        let node = function.nodes[index];
        let (Op::Binary(op @ (Binary::Flt | Binary::Fle)), &[a, b]) = (node.op, &*node.operands)
        else {
            continue;
        };
        let zero_is_first = literal(function, a) == Some(0.0);
        if !zero_is_first && literal(function, b) != Some(0.0) {
            continue;
        }
        let compared = if zero_is_first { b } else { a };
        let Some(of) = before_flush(function, scales::unscaled(function, compared, sizes)) else {
            continue;
        };
        if sizes[of.0 as usize].grain >= normal {
            continue;
        }
        // Less than zero is at most the greatest normal number below it, and at most zero is less than the least one.
        let is_less = op == Binary::Flt;
        let bits = match is_less == zero_is_first {
            true => min_positive.to_bits(),
            false => (-min_positive).to_bits(),
        };
        let bound = function.append(Op::Const(bits), [].into(), Type::F32, Rate::Uniform);
        sizes.push(Size::of_bits(bits));
        bounds.push(bound);
        let node = &mut function.nodes[index];
        node.op = Op::Binary(if is_less { Binary::Fle } else { Binary::Flt });
        node.operands = if zero_is_first {
            [bound, of]
        } else {
            [of, bound]
        }
        .into();
    }
    function.uniform.splice(..0, bounds);
}

/// The number before a flush.
fn before_flush(function: &Function, value: Value) -> Option<Value> {
    match function.node(value).as_unary() {
        Some((Unary::Flush | Unary::FlushToPlus, of)) => Some(of),
        Some(_) | None => None,
    }
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
            *limit = (*limit).min(limit_of(function.format, node, place, own, sizes));
        }
    }
    limits
}

/// The limit of the operand at `place` of a node whose result has the limit `own`.
fn limit_of(format: FloatFormat, node: &Node, place: usize, own: i32, sizes: &[Size]) -> i32 {
    use Binary::{Fadd, Feq, Fle, Flt, Fmax, Fmin, Fmul, Fsub};
    use Unary::{Fabs, Flush, FlushToPlus, Fneg, Nearest, OneNan, TowardZero, Trunc};
    match (node.op, &*node.operands) {
        (Op::Unary(Fneg | Fabs | OneNan | Flush) | Op::Shuffle(_), _) => own,
        (Op::Unary(FlushToPlus), _) => own.max(format.normal()),
        (Op::Binary(Fmin | Fmax), _) => own,
        // Numbers below the other are all on the same side of it.
        (Op::Binary(Flt | Fle | Feq), operands) => sizes[operands[1 - place].0 as usize].least,
        (Op::Select, _) if place > 0 => own,
        // All below 1/2 become zeros.
        (Op::Unary(Nearest | TowardZero), _) => own.min(-1),
        (Op::Unary(Trunc), _) => -1,
        (Op::Binary(Fadd | Fsub), &[a, b]) if a == b => own - 1,
        (Op::Binary(Fadd | Fsub), operands) => {
            let other = operands[1 - place];
            let other = sizes[other.0 as usize];
            let absorbed = other.least - format.absorbs();
            // The other is no less than its grain, or is zero and leaves the sum as tiny as this one.
            let absorbed_or_alone = own.min(other.grain - format.absorbs());
            // Where it is not absorbed, the other is so small that their sum is tiny, too.
            absorbed
                .max(absorbed_or_alone)
                .max(own - format.absorbs() - 1)
        }
        (Op::Binary(Fmul), &[a, b]) if a == b => match own >= format.normal() {
            true => own.div_euclid(2),
            false => format.square_is_zero(),
        },
        (Op::Binary(Fmul), operands) => match sizes[operands[1 - place].0 as usize].most {
            WHOLE => NONE,
            most => own - most.max(0),
        },
        (_, _) => NONE,
    }
}

#[cfg(test)]
mod tests;
