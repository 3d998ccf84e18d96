//! Sums and differences: of negations, and compared with zero.

use super::are_slower;
use crate::ir::{Binary, Builder, Function, Op, Unary, Value};

/// Sums with a negation as differences, and the other way round.
pub(super) fn fold_sign(b: &mut Builder, op: Binary, x: Value, y: Value) -> Option<Value> {
    let (sum, difference) = (Binary::Fadd, Binary::Fsub);
    if op != sum && op != difference {
        return None;
    }
    // A number doubled stays a sum, which facts know more of.
    if op == sum && x == y {
        return None;
    }
    if let Some(y) = negated(b, y) {
        let opposite = if op == sum { difference } else { sum };
        return Some(b.binary(opposite, x, y));
    }
    if op == sum {
        let x = negated(b, x)?;
        return Some(b.binary(difference, y, x));
    }
    None
}

/// The opposite of a negation, or of a product with a factor that is one.
fn negated(b: &mut Builder, value: Value) -> Option<Value> {
    let inner = |b: &Builder, value: Value| match b.function.node(value).as_unary() {
        Some((Unary::Fneg, inner)) => Some(inner),
        _ => None,
    };
    if let Some(inner) = inner(b, value) {
        return Some(inner);
    }
    let node = b.function.node(value);
    let (Op::Binary(Binary::Fmul), &[x, y]) = (node.op, &*node.operands) else {
        return None;
    };
    match (inner(b, x), inner(b, y)) {
        (Some(x), None) => Some(b.binary(Binary::Fmul, x, y)),
        (None, Some(y)) => Some(b.binary(Binary::Fmul, x, y)),
        (Some(_), Some(_)) | (None, None) => None,
    }
}

/// Whether a difference is below zero, or above, by its terms: with denormals, it is zero only where they are equal. That
/// of two infinities that are equal is NaN, and none of them is less.
pub(super) fn fold_compared(b: &mut Builder, op: Binary, x: Value, y: Value) -> Option<Value> {
    let is_zero = |value| b.constant(value).is_some_and(|bits| bits << 1 == 0);
    let (of, zero_is_less) = match (op, is_zero(x), is_zero(y)) {
        (Binary::Flt, _, true) => (x, false),
        (Binary::Flt, true, false) => (y, true),
        (_, _, _) => return None,
    };
    let [x, y] = terms(b, of)?;
    let [x, y] = if zero_is_less { [y, x] } else { [x, y] };
    Some(b.binary(op, x, y))
}

/// The numbers of which a value is the difference. What changes less often may be added as well.
fn terms(b: &mut Builder, value: Value) -> Option<[Value; 2]> {
    let node = *b.function.node(value);
    match (node.op, &*node.operands) {
        (Op::Binary(Binary::Fadd), &[x, y]) if are_slower(b, [y, y], &node) => {
            Some([x, b.unary(Unary::Fneg, y)])
        }
        (_, _) => difference(&b.function, value),
    }
}

/// The operands of a difference.
pub(in crate::ir) fn difference(function: &Function, value: Value) -> Option<[Value; 2]> {
    let node = function.node(value);
    match (node.op, &*node.operands) {
        (Op::Binary(Binary::Fsub), &[x, y]) => Some([x, y]),
        (_, _) => None,
    }
}
