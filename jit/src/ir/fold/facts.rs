//! Facts about values, whatever operands are.

use crate::ir::eval::ONE_NAN;
use crate::ir::{Binary, Builder, Op, Type, Unary, Value};

/// How far back a fact is looked for.
const DEPTH: usize = 8;

/// Whether a value is no denormal.
pub(in crate::ir) fn is_never_denormal(b: &Builder, value: Value) -> bool {
    holds(b, value, DEPTH, |b, value| {
        if let Some(bits) = b.constant(value) {
            return Some(!b.function.format.is_denormal(f32::from_bits(bits)));
        }
        let node = b.function.node(value);
        match (node.op, &*node.operands) {
            (Op::Unary(Unary::Flush | Unary::FlushToPlus | Unary::ToF32), _) => Some(true),
            (Op::Unary(Unary::Floor | Unary::Ceil), _) => Some(true),
            (Op::Unary(Unary::Nearest | Unary::TowardZero), _) => Some(true),
            // The root of the least denormal is far above.
            (Op::Unary(Unary::Sqrt), _) => Some(true),
            // A product that does not shrink.
            (Op::Binary(Binary::Fmul), &[_, factor]) => {
                let factor = b.constant(factor).map(f32::from_bits);
                let grows = factor.is_some_and(|factor| factor.abs() >= 1.0);
                (!grows).then_some(false)
            }
            // A sum that does not shrink.
            (Op::Binary(Binary::Fadd), &[x, y]) => {
                let grows = x == y || is_never_negative(b, x) && is_never_negative(b, y);
                (!grows).then_some(false)
            }
            (Op::Unary(Unary::Fneg | Unary::Fabs | Unary::OneNan), _)
            | (Op::Select | Op::Shuffle(_) | Op::Binary(Binary::Fmin | Binary::Fmax), _) => None,
            (_, _) => Some(false),
        }
    })
}

/// Whether a value is positive, a zero of either sign, or NaN: magnitudes, squares, and sums of such.
fn is_never_negative(b: &Builder, value: Value) -> bool {
    holds(b, value, DEPTH, |b, value| {
        let node = b.function.node(value);
        match (node.op, &*node.operands) {
            (Op::Unary(Unary::Fabs), _) => Some(true),
            (Op::Binary(Binary::Fmul), &[x, y]) if x == y => Some(true),
            (Op::Unary(Unary::Flush | Unary::FlushToPlus) | Op::Binary(Binary::Fadd), _) => None,
            (_, _) => Some(false),
        }
    })
}

/// Whether no NaN but that of [`Unary::OneNan`] is a value.
pub(super) fn has_one_nan(b: &Builder, value: Value) -> bool {
    holds(b, value, DEPTH, |b, value| {
        if let Some(bits) = b.constant(value) {
            return Some(!f32::from_bits(bits).is_nan() || bits == ONE_NAN);
        }
        let op = b.function.node(value).op;
        let passes = matches!(
            op,
            Op::Unary(Unary::Fabs | Unary::Flush | Unary::FlushToPlus)
                | Op::Select
                | Op::Binary(Binary::Fmin | Binary::Fmax)
        );
        (!passes).then_some(matches!(op, Op::Unary(Unary::OneNan | Unary::ToF32)))
    })
}

/// Whether a fact holds of a value, or follows from its holding of all operands that are floats. Where the
/// sign matters, it must not follow from that of a negation's operand.
fn holds(
    b: &Builder,
    value: Value,
    depth: usize,
    fact: fn(&Builder, Value) -> Option<bool>,
) -> bool {
    if let Some(is_fact) = fact(b, value) {
        return is_fact;
    }
    let operands = &b.function.node(value).operands;
    let mut floats = operands
        .iter()
        .filter(|&&operand| b.ty(operand) == Type::F32);
    depth > 0 && floats.all(|&operand| holds(b, operand, depth - 1, fact))
}
