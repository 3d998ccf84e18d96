//! Sums and differences: of negations, and compared with zero.

use super::are_slower;
use crate::ir::{Binary, Builder, Op, Unary, Value};

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
    let is_zero = |b: &Builder, value| b.constant(value).is_some_and(|bits| bits << 1 == 0);
    if op != Binary::Flt {
        None
    } else if is_zero(b, y) {
        let [x, y] = terms(b, x)?;
        Some(b.binary(op, x, y))
    } else if is_zero(b, x) {
        let [x, y] = terms(b, y)?;
        Some(b.binary(op, y, x))
    } else {
        None
    }
}

/// The numbers of which a value is the difference. What changes less often may be added as well.
fn terms(b: &mut Builder, value: Value) -> Option<[Value; 2]> {
    let node = *b.function.node(value);
    match (node.op, &*node.operands) {
        (Op::Binary(Binary::Fsub), &[x, y]) => Some([x, y]),
        (Op::Binary(Binary::Fadd), &[x, y]) if are_slower(b, [y, y], &node) => {
            Some([x, b.unary(Unary::Fneg, y)])
        }
        (_, _) => None,
    }
}
