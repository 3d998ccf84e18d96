//! Build-time folding: constants, and identities that hold for every operand.
//!
//! "Every operand" includes -0, infinities and denormals: `x + 0` is not `x` (x may be -0), while
//! `x - 0` and `x * 1` are. The payload of an arithmetic NaN is unspecified, so folding may
//! change that and nothing else.

pub(super) mod differences;
pub(super) mod facts;

use smallvec::SmallVec;

use super::build::Builder;
use super::{
    Binary, Compute, DoubleOp, Function, Half, Node, Op, Operands, Rate, Shift, Type, Unary, Value,
    Word, eval,
};
use crate::abi::Constant;
use crate::float::FloatFormat;
use crate::size;

const TRUE: u32 = u32::MAX;
const FALSE: u32 = 0;
const ONE: u32 = 0x3f80_0000;
const MINUS_ZERO: u32 = 0x8000_0000;

/// An existing value that `op` is equal to. Without one, the operation is in its preferred form afterwards.
pub(super) fn fold(
    b: &mut Builder,
    op: &mut Op,
    operands: &mut Operands,
    ty: Type,
) -> Option<Value> {
    if let Op::Double(double) = op
        && is_uniform(b, operands)
    {
        *double = double.of_uniform();
    }
    if let (Op::Binary(binary), &[x, y]) = (&*op, &**operands)
        && binary.commutes()
        && !is_preferred(b, x, y)
    {
        *operands = [y, x].into();
    }
    folded(b, *op, operands, ty)
}

/// The value that an operation is equal to. Operations that nothing is known of stay as they are.
fn folded(b: &mut Builder, op: Op, operands: &[Value], ty: Type) -> Option<Value> {
    match (op, operands) {
        (Op::Unary(unary), &[a]) => fold_unary(b, unary, a, ty),
        (Op::Binary(binary), &[x, y]) => fold_binary(b, binary, x, y, ty),
        (Op::Shift(_, 0), &[a]) => Some(a),
        (Op::Shift(shift, by), &[a]) => {
            let bits = b.constant(a)?;
            Some(b.bits(eval::shift(shift, bits, by), ty))
        }
        (Op::Fma, &[x, y, z]) => {
            let bits = [b.constant(x)?, b.constant(y)?, b.constant(z)?];
            Some(b.bits(eval::fma(b.function.format, bits), ty))
        }
        // A pixel may be chosen beside a number.
        (Op::Select, &[mask, x, y]) if b.ty(x) == b.ty(y) => fold_select(b, mask, x, y),
        (Op::Shuffle(lanes), &[a]) => {
            let moves_nothing = lanes == [0, 1, 2, 3];
            (moves_nothing || b.is_alike(a)).then_some(a)
        }
        (Op::SlowPath(_), &[mask, _, fast]) => (b.constant(mask) == Some(FALSE)).then_some(fast),
        (Op::Double(op), operands) => fold_double(b, op, operands),
        (Op::Indexed(component), &[index]) => fold_indexed(b, index, component as u8, ty),
        (_, _) => None,
    }
}

/// Whether two operands of a commutative operation stand as they are to: the one that changes less often second, where
/// it can be a memory operand, and otherwise the older one first, so that equal operations look equal.
fn is_preferred(b: &Builder, x: Value, y: Value) -> bool {
    let key = |v: Value| {
        (
            std::cmp::Reverse(b.function.node(v).rate),
            b.constant(v).is_some(),
            v,
        )
    };
    key(x) <= key(y)
}

fn fold_unary(b: &mut Builder, op: Unary, a: Value, ty: Type) -> Option<Value> {
    if let Some(bits) = b.constant(a) {
        return Some(b.bits(eval::unary(b.function.format, op, bits), ty));
    }
    if let Some(value) = fold_unary_of_choice(b, op, a, ty) {
        return Some(value);
    }
    if op == Unary::Flush && facts::is_never_denormal(b, a)
        || op == Unary::OneNan && facts::has_one_nan(b, a)
    {
        return Some(a);
    }
    let (inner, x) = b.function.node(a).as_unary()?;
    match (op, inner) {
        (Unary::Fneg, Unary::Fneg) | (Unary::Not, Unary::Not) => Some(x),
        (Unary::ToBits, Unary::FromBits) if b.ty(x) == Type::I32 => Some(x),
        (Unary::ToBits, Unary::FromBits) => Some(b.unary(Unary::ToBits, x)),
        (Unary::FromBits, Unary::ToBits) if b.ty(x) == Type::F32 => Some(x),
        (Unary::Fabs, Unary::Fneg | Unary::Fabs) => Some(b.unary(Unary::Fabs, x)),
        _ => None,
    }
}

/// A choice between what the operation makes of constants, or of values that change less often than the choice.
fn fold_unary_of_choice(b: &mut Builder, op: Unary, a: Value, ty: Type) -> Option<Value> {
    let node = b.function.node(a);
    let (Op::Select, &[mask, x, y]) = (node.op, &*node.operands) else {
        return None;
    };
    let are_once = are_slower(b, [x, y], node);
    let [x, y] = if matches!(op, Unary::ToBits | Unary::FromBits) {
        let (x, y) = (b.constant(x)?, b.constant(y)?);
        [x, y].map(|bits| b.bits(bits, ty))
    } else if op == Unary::Flush && are_once {
        [x, y].map(|of| b.unary(op, of))
    } else {
        return None;
    };
    Some(b.choose(mask, x, y))
}

fn fold_binary(b: &mut Builder, op: Binary, x: Value, y: Value, ty: Type) -> Option<Value> {
    let any = differences::fold_sign(b, op, x, y)
        .or_else(|| fold_scale(b, op, x, y))
        .or_else(|| differences::fold_compared(b, op, x, y));
    if any.is_some() {
        return any;
    }
    match (b.constant(x), b.constant(y)) {
        (Some(x), Some(y)) => Some(b.bits(eval::binary(b.function.format, op, x, y), ty)),
        (None, Some(y_bits)) => {
            fold_right(b, op, x, y_bits, y).or_else(|| fold_choice(b, op, x, y_bits, ty))
        }
        (_, None) if x == y => {
            let (_, same) = SAME.into_iter().find(|(other, _)| *other == op)?;
            Some(same.map_or(x, |bits| b.bits(bits, ty)))
        }
        (_, None) => fold_bits_of_masks(b, op, x, y, ty),
    }
}

/// A choice again, or a mask: what an operation makes of a choice between constants and of another constant.
fn fold_choice(b: &mut Builder, op: Binary, x: Value, y: u32, ty: Type) -> Option<Value> {
    if b.ty(x) != Type::I32 {
        return None;
    }
    let (mask, choice) = choice_of_constants(b, x)?;
    let [taken, other] =
        choice.map(|bits| b.bits(eval::binary(b.function.format, op, bits, y), ty));
    Some(b.choose(mask, taken, other))
}

/// Bits that one mask or another sets: those that either sets.
fn fold_bits_of_masks(b: &mut Builder, op: Binary, x: Value, y: Value, ty: Type) -> Option<Value> {
    let (of_x, x_bits) = choice_of_constants(b, x)?;
    let (of_y, y_bits) = choice_of_constants(b, y)?;
    let are_alike = op == Binary::Or && x_bits == y_bits && x_bits[1] == 0;
    if !are_alike {
        return None;
    }
    let [bits, zero] = x_bits.map(|bits| b.bits(bits, ty));
    let either = b.binary(Binary::Or, of_x, of_y);
    Some(b.choose(either, bits, zero))
}

/// The mask of a choice between two constants, and their bits.
fn choice_of_constants(b: &Builder, value: Value) -> Option<(Value, [u32; 2])> {
    let node = b.function.node(value);
    let (Op::Select, &[mask, taken, other]) = (node.op, &*node.operands) else {
        return None;
    };
    Some((mask, [b.constant(taken)?, b.constant(other)?]))
}

/// A number scaled several times by powers of two as one product, and a choice between values that change less often,
/// scaled, as one between scaled values. Powers of two that are not less than 1 round nothing, and neither does
/// doubling a number that is at most half of another.
fn fold_scale(b: &mut Builder, op: Binary, x: Value, y: Value) -> Option<Value> {
    let doubles = op == Binary::Fadd && x == y;
    let scale = if doubles { 2.0 } else { factor(b, op, y)? };
    let node = *b.function.node(x);
    match (node.op, &*node.operands) {
        (Op::Select, &[mask, taken, other]) if are_slower(b, [taken, other], &node) => {
            let scaled = |of| b.binary(op, of, if doubles { of } else { y });
            let [taken, other] = [taken, other].map(scaled);
            Some(b.choose(mask, taken, other))
        }
        (_, _) => {
            let (of, inner) = scaled(&b.function, x)?;
            let format = b.function.format;
            let is_exact = enlarges(format, scale) && enlarges(format, inner)
                || inner == 2.0 && scale < 1.0 && is_power_of_two(scale) && is_at_most_half(b, of);
            let both = is_exact.then_some(inner * scale)?;
            let both = b.bits(both.to_bits(), Type::F32);
            Some(b.binary(Binary::Fmul, of, both))
        }
    }
}

/// The number and the power of two whose product a value is.
pub(super) fn scaled(function: &Function, value: Value) -> Option<(Value, f32)> {
    let node = function.node(value);
    match (node.op, &*node.operands) {
        (Op::Binary(Binary::Fadd), &[a, b]) if a == b => Some((a, 2.0)),
        (Op::Binary(Binary::Fmul), &[a, b]) => {
            let factor = f32::from_bits(function.constant(b)?);
            is_power_of_two(factor).then_some((a, factor))
        }
        (_, _) => None,
    }
}

/// Whether a number can be doubled: it is a product of another one with 1/2 or less.
fn is_at_most_half(b: &Builder, value: Value) -> bool {
    let node = b.function.node(value);
    let (Op::Binary(op), &[_, y]) = (node.op, &*node.operands) else {
        return false;
    };
    factor(b, op, y).is_some_and(|factor| factor.abs() <= 0.5)
}

/// The constant that a product has as its second factor.
fn factor(b: &Builder, op: Binary, y: Value) -> Option<f32> {
    let bits = (op == Binary::Fmul).then(|| b.constant(y))?;
    bits.map(f32::from_bits)
}

/// Whether a factor is a power of two of which a product with another is one as well, and rounds nothing.
fn enlarges(format: FloatFormat, factor: f32) -> bool {
    (1.0..=format.greatest_joined()).contains(&factor) && is_power_of_two(factor)
}

fn is_power_of_two(factor: f32) -> bool {
    factor > 0.0 && size::is_power_of_two(factor.to_bits())
}

/// Whether values change less often than a choice between them.
fn are_slower(b: &Builder, values: [Value; 2], choice: &Node) -> bool {
    values
        .iter()
        .all(|&of| b.function.node(of).rate < choice.rate)
}

/// Results of operations on two operands that are the same: these bits, or the operand. Minimum and
/// maximum return the operand, or a NaN, whose payload is free.
const SAME: [(Binary, Option<u32>); 14] = [
    (Binary::And, None),
    (Binary::Or, None),
    (Binary::Xor, Some(0)),
    (Binary::Isub, Some(0)),
    (Binary::Fmin, None),
    (Binary::Fmax, None),
    (Binary::Imin, None),
    (Binary::Imax, None),
    (Binary::Umin, None),
    (Binary::Umax, None),
    (Binary::Flt, Some(FALSE)),
    (Binary::Ilt, Some(FALSE)),
    (Binary::Ult, Some(FALSE)),
    (Binary::Ieq, Some(TRUE)),
];

/// `x op y` with a constant y.
fn fold_right(b: &mut Builder, op: Binary, x: Value, y_bits: u32, y: Value) -> Option<Value> {
    match (op, y_bits) {
        (Binary::Fadd, MINUS_ZERO) | (Binary::Fsub, 0) | (Binary::Fmul | Binary::Fdiv, ONE) => {
            Some(x)
        }
        (Binary::Iadd | Binary::Isub | Binary::Or | Binary::Xor, 0) => Some(x),
        (Binary::Imul, 1) | (Binary::And, TRUE) => Some(x),
        (Binary::Imul | Binary::And, 0) | (Binary::Or, TRUE) => Some(y),
        (Binary::Xor, TRUE) if b.ty(x) == Type::Mask => Some(b.invert(x)),
        (Binary::Ieq, FALSE | TRUE) => {
            let mask = mask_of(b, x)?;
            Some(if y_bits == TRUE { mask } else { b.invert(mask) })
        }
        (Binary::And, _) => {
            let mask = mask_of(b, x)?;
            let zero = b.bits(0, Type::I32);
            Some(b.choose(mask, y, zero))
        }
        (Binary::LeftBy, by) => Some(shifted(b, Shift::Left, x, by)),
        (Binary::RightUnsignedBy, by) => Some(shifted(b, Shift::RightUnsigned, x, by)),
        (Binary::RightSignedBy, by) => Some(shifted(b, Shift::RightSigned, x, by)),
        _ => None,
    }
}

/// The mask that is all the bits of an i32.
fn mask_of(b: &Builder, value: Value) -> Option<Value> {
    let (op, mask) = b.function.node(value).as_unary()?;
    (op == Unary::ToBits && b.ty(mask) == Type::Mask).then_some(mask)
}

/// x shifted by a constant modulo 32.
fn shifted(b: &mut Builder, shift: Shift, x: Value, by: u32) -> Value {
    b.push(Op::Shift(shift, (by & 31) as u8), [x])
}

/// `mask ? x : y`. Masks are chosen by logic, which folds further.
fn fold_select(b: &mut Builder, mask: Value, x: Value, y: Value) -> Option<Value> {
    if x == y {
        return Some(x);
    }
    match b.constant(mask) {
        Some(FALSE) => return Some(y),
        Some(_) => return Some(x),
        None => {}
    }
    if let Some((Unary::Not, inverse)) = b.function.node(mask).as_unary() {
        return Some(b.choose(inverse, y, x));
    }
    if b.ty(x) == Type::Mask
        && let Some(value) = fold_mask_select(b, mask, x, y)
    {
        return Some(value);
    }
    // A choice by the same mask further in has been made already.
    let chosen = |value: Value, by_mask: bool| {
        let node = b.function.node(value);
        let (Op::Select, &[inner, taken, other]) = (node.op, &*node.operands) else {
            return value;
        };
        match (inner == mask, by_mask) {
            (false, _) => value,
            (true, true) => taken,
            (true, false) => other,
        }
    };
    let (taken, other) = (chosen(x, true), chosen(y, false));
    if (taken, other) != (x, y) {
        return Some(b.choose(mask, taken, other));
    }
    None
}

fn fold_mask_select(b: &mut Builder, mask: Value, x: Value, y: Value) -> Option<Value> {
    match (b.constant(x), b.constant(y)) {
        (Some(FALSE), _) => {
            let inverse = b.invert(mask);
            Some(b.binary(Binary::And, inverse, y))
        }
        (Some(_), _) => Some(b.binary(Binary::Or, mask, y)),
        (None, Some(FALSE)) => Some(b.binary(Binary::And, mask, x)),
        (None, Some(_)) => {
            let inverse = b.invert(mask);
            Some(b.binary(Binary::Or, inverse, x))
        }
        (None, None) => None,
    }
}

/// Whether operands are the same for the whole draw.
fn is_uniform(b: &Builder, operands: &[Value]) -> bool {
    let mut operands = operands.iter();
    operands.all(|&operand| b.function.node(operand).rate == Rate::Uniform)
}

/// f64 made of the words of f64, and integers, which are no NaN.
fn fold_double(b: &mut Builder, op: DoubleOp, operands: &[Value]) -> Option<Value> {
    match (op, operands) {
        (DoubleOp::Join(half), &[low, high]) => fold_join(b, half, low, high),
        (DoubleOp::Compute(Compute::Settle), &[a]) => {
            let settled = matches!(b.function.node(a).op, Op::Double(DoubleOp::OfI32(_)));
            settled.then_some(a)
        }
        (_, _) => None,
    }
}

/// The f64 that words were taken from. A change of the high word's sign is one of the f64's. Operations
/// on f64 do not see whether a NaN was settled.
fn fold_join(b: &mut Builder, half: Half, low: Value, mut high: Value) -> Option<Value> {
    let mut signs = SmallVec::<[Compute; 2]>::new();
    while let Some((op, unsigned)) = fold_high(b, high) {
        signs.push(op);
        high = unsigned;
    }
    let (low, high) = (b.function.node(low), b.function.node(high));
    let is_word = |node: &Node, word| node.op == Op::Double(DoubleOp::Word(word));
    if !is_word(low, Word::Low) || !is_word(high, Word::High) || low.operands != high.operands {
        return None;
    }
    let from = low.operands[half.index()];
    let node = b.function.node(from);
    let from = match (node.op, &*node.operands) {
        (Op::Double(DoubleOp::Compute(Compute::Settle)), &[unsettled]) => unsettled,
        (_, _) => from,
    };
    let signs = signs.into_iter().rev();
    Some(signs.fold(from, |a, op| b.push(Op::Double(DoubleOp::Compute(op)), [a])))
}

/// A high word whose sign is changed: the change, and the word before it.
fn fold_high(b: &Builder, high: Value) -> Option<(Compute, Value)> {
    const SIGN: u32 = 1 << 31;
    const MAGNITUDE: u32 = !SIGN;
    let node = b.function.node(high);
    let (Op::Binary(op), &[word, by]) = (node.op, &*node.operands) else {
        return None;
    };
    match (op, b.constant(by)?) {
        (Binary::Xor, SIGN) => Some((Compute::Neg, word)),
        (Binary::And, MAGNITUDE) => Some((Compute::Abs, word)),
        (_, _) => None,
    }
}

/// A constant index names its register.
fn fold_indexed(b: &mut Builder, index: Value, component: u8, ty: Type) -> Option<Value> {
    let bits = b.constant(index)?;
    match u16::try_from(bits) {
        Ok(index) if usize::from(index) < attila_machine::CONSTANTS => {
            let constant = Constant { index, component };
            Some(b.push_as(Op::Uniform(constant), [], ty))
        }
        _ => Some(b.bits(0, ty)),
    }
}

#[cfg(test)]
mod tests;
