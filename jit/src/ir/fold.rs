//! Build-time folding: constants, and identities that hold for every operand.
//!
//! "Every operand" includes -0, infinities and denormals: `x + 0` is not `x` (x may be -0), while
//! `x - 0` and `x * 1` are. The payload of an arithmetic NaN is unspecified, so folding may
//! change that and nothing else.

use attila_isa::arith::{Arith, HostLanes, trunc_to_i32};

use super::build::Builder;
use super::{Binary, Op, Rate, Shift, Type, Unary, Value};

const TRUE: u32 = u32::MAX;
const FALSE: u32 = 0;
const ONE: u32 = 0x3f80_0000;
const MINUS_ZERO: u32 = 0x8000_0000;

/// An existing value that `op` is equal to, or else the operation in its preferred form.
pub(super) fn fold(b: &mut Builder, op: Op, ty: Type) -> Result<Value, Op> {
    let folded = match op {
        Op::Unary(unary, a) => fold_unary(b, unary, a),
        Op::Binary(binary, x, y) => {
            let (x, y) = if binary.is_commutative() {
                preferred(b, x, y)
            } else {
                (x, y)
            };
            return fold_binary(b, binary, x, y, ty).ok_or(Op::Binary(binary, x, y));
        }
        Op::Shift(shift, a, n) => fold_shift(b, shift, a, n),
        Op::Fma(x, y, z) => fold_fma(b, x, y, z),
        Op::Select(mask, x, y) => return fold_select(b, mask, x, y),
        Op::Shuffle(a, lanes) => {
            let moves_nothing = lanes == [0, 1, 2, 3];
            (moves_nothing || b.function.node(a).rate == Rate::Uniform).then_some(a)
        }
        Op::SlowPath { mask, fast, .. } => (b.constant(mask) == Some(FALSE)).then_some(fast),
        Op::Indexed { index, component } => return fold_indexed(b, index, component),
        Op::Const(_)
        | Op::Param
        | Op::Uniform { .. }
        | Op::Load(_)
        | Op::Store(..)
        | Op::Draw(_)
        | Op::Span(_)
        | Op::Fragment(_)
        | Op::LoadPixels(_)
        | Op::StorePixels(..)
        | Op::Narrow(..)
        | Op::Pack(..)
        | Op::PackPixels(..)
        | Op::TextureField { .. }
        | Op::LevelField { .. }
        | Op::Texel { .. }
        | Op::Blend { .. }
        | Op::Transpose(_)
        | Op::Texture { .. }
        | Op::Attribute { .. }
        | Op::Part(..)
        | Op::FixedMul { .. }
        | Op::FixedMulAdd { .. }
        | Op::FixedResult { .. }
        | Op::Export { .. }
        | Op::LoopBudget => None,
    };
    folded.ok_or(op)
}

/// Operands of a commutative operation: the one that changes less often second, where it can be
/// a memory operand, and otherwise the older one first, so that equal operations look equal.
fn preferred(b: &Builder, x: Value, y: Value) -> (Value, Value) {
    let key = |v: Value| {
        (
            std::cmp::Reverse(b.function.node(v).rate),
            b.constant(v).is_some(),
            v,
        )
    };
    if key(x) <= key(y) { (x, y) } else { (y, x) }
}

fn fold_unary(b: &mut Builder, op: Unary, a: Value) -> Option<Value> {
    if let Some(bits) = b.constant(a) {
        return Some(b.bits(evaluate_unary(op, bits), op.ty()));
    }
    let Op::Unary(inner, x) = b.function.node(a).op else {
        return None;
    };
    match (op, inner) {
        (Unary::Fneg, Unary::Fneg) | (Unary::Not, Unary::Not) => Some(x),
        (Unary::ToBits, Unary::FromBits) if b.ty(x) == Type::I32 => Some(x),
        (Unary::FromBits, Unary::ToBits) if b.ty(x) == Type::F32 => Some(x),
        (Unary::Fabs, Unary::Fneg | Unary::Fabs) => Some(b.unary(Unary::Fabs, x)),
        _ => None,
    }
}

fn evaluate_unary(op: Unary, bits: u32) -> u32 {
    let a = f32::from_bits(bits);
    match op {
        Unary::Fneg => bits ^ MINUS_ZERO,
        Unary::Fabs => bits & !MINUS_ZERO,
        Unary::Sqrt => a.sqrt().to_bits(),
        Unary::Floor => a.floor().to_bits(),
        Unary::Nearest => a.round_ties_even().to_bits(),
        Unary::Trunc => trunc_to_i32(a).cast_unsigned(),
        Unary::ToF32 => (bits.cast_signed() as f32).to_bits(),
        Unary::ToBits | Unary::FromBits => bits,
        Unary::Iabs => bits.cast_signed().wrapping_abs().cast_unsigned(),
        Unary::Not => !bits,
    }
}

/// Sums with a negation as differences, and the other way round.
fn fold_sign(b: &mut Builder, op: Binary, x: Value, y: Value) -> Option<Value> {
    let negated = |b: &Builder, value: Value| {
        if let Op::Unary(Unary::Fneg, inner) = b.function.node(value).op {
            Some(inner)
        } else {
            None
        }
    };
    match (op, negated(b, x), negated(b, y)) {
        (Binary::Fadd, _, Some(y)) => Some(b.binary(Binary::Fsub, x, y)),
        (Binary::Fadd, Some(x), None) => Some(b.binary(Binary::Fsub, y, x)),
        (Binary::Fsub, _, Some(y)) => Some(b.binary(Binary::Fadd, x, y)),
        _ => None,
    }
}

fn fold_binary(b: &mut Builder, op: Binary, x: Value, y: Value, ty: Type) -> Option<Value> {
    if let Some(value) = fold_sign(b, op, x, y) {
        return Some(value);
    }
    match (b.constant(x), b.constant(y)) {
        (Some(x), Some(y)) => Some(b.bits(evaluate_binary(op, x, y), ty)),
        (None, Some(y_bits)) => fold_right(b, op, x, y_bits, y),
        (_, None) if x == y => match op {
            Binary::And | Binary::Or => Some(x),
            Binary::Xor | Binary::Isub => Some(b.bits(0, ty)),
            // Only a NaN, whose payload is free, or equal operands come out of these.
            Binary::Fmin | Binary::Fmax | Binary::Imin | Binary::Imax | Binary::Umin => Some(x),
            Binary::Flt | Binary::Ilt => Some(b.mask(false)),
            Binary::Ieq => Some(b.mask(true)),
            Binary::Fadd
            | Binary::Fsub
            | Binary::Fmul
            | Binary::Fdiv
            | Binary::Fle
            | Binary::Feq
            | Binary::Iadd
            | Binary::Imul => None,
        },
        (_, None) => None,
    }
}

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
        _ => None,
    }
}

fn evaluate_binary(op: Binary, x_bits: u32, y_bits: u32) -> u32 {
    let (x, y) = (f32::from_bits(x_bits), f32::from_bits(y_bits));
    let (i, j) = (x_bits.cast_signed(), y_bits.cast_signed());
    let mask = |set: bool| if set { TRUE } else { FALSE };
    match op {
        Binary::Fadd => (x + y).to_bits(),
        Binary::Fsub => (x - y).to_bits(),
        Binary::Fmul => (x * y).to_bits(),
        Binary::Fdiv => (x / y).to_bits(),
        Binary::Fmin => {
            if x < y {
                x_bits
            } else {
                y_bits
            }
        }
        Binary::Fmax => {
            if x > y {
                x_bits
            } else {
                y_bits
            }
        }
        Binary::Flt => mask(x < y),
        Binary::Fle => mask(x <= y),
        Binary::Feq => mask(x == y),
        Binary::Iadd => i.wrapping_add(j).cast_unsigned(),
        Binary::Isub => i.wrapping_sub(j).cast_unsigned(),
        Binary::Imul => i.wrapping_mul(j).cast_unsigned(),
        Binary::Imin => i.min(j).cast_unsigned(),
        Binary::Imax => i.max(j).cast_unsigned(),
        Binary::Umin => x_bits.min(y_bits),
        Binary::And => x_bits & y_bits,
        Binary::Or => x_bits | y_bits,
        Binary::Xor => x_bits ^ y_bits,
        Binary::Ilt => mask(i < j),
        Binary::Ieq => mask(i == j),
    }
}

fn fold_shift(b: &mut Builder, shift: Shift, a: Value, n: u8) -> Option<Value> {
    if n == 0 {
        return Some(a);
    }
    let bits = b.constant(a)?;
    let folded = match shift {
        Shift::Left => bits << n,
        Shift::RightUnsigned => bits >> n,
        Shift::RightSigned => (bits.cast_signed() >> n).cast_unsigned(),
    };
    Some(b.bits(folded, Type::I32))
}

fn fold_fma(b: &mut Builder, x: Value, y: Value, z: Value) -> Option<Value> {
    let float = |v| b.constant(v).map(f32::from_bits);
    let (x, y, z) = (float(x)?, float(y)?, float(z)?);
    let [folded] = HostLanes::<1>.fma([x], [y], [z]);
    Some(b.f32(folded))
}

/// `mask ? x : y`. Masks are chosen by logic, which folds further.
fn fold_select(b: &mut Builder, mask: Value, x: Value, y: Value) -> Result<Value, Op> {
    if x == y {
        return Ok(x);
    }
    match b.constant(mask) {
        Some(FALSE) => return Ok(y),
        Some(_) => return Ok(x),
        None => {}
    }
    if let Op::Unary(Unary::Not, inverse) = b.function.node(mask).op {
        return Ok(b.choose(inverse, y, x));
    }
    if b.ty(x) == Type::Mask
        && let Some(value) = fold_mask_select(b, mask, x, y)
    {
        return Ok(value);
    }
    // A choice by the same mask further in has been made already.
    let chosen = |value: Value, by_mask: bool| {
        let Op::Select(inner, taken, other) = b.function.node(value).op else {
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
        return Ok(b.choose(mask, taken, other));
    }
    Err(Op::Select(mask, x, y))
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

/// A constant index names its register.
fn fold_indexed(b: &mut Builder, index: Value, component: u8) -> Result<Value, Op> {
    let Some(bits) = b.constant(index) else {
        return Err(Op::Indexed { index, component });
    };
    match u16::try_from(bits) {
        Ok(index) if usize::from(index) < attila_isa::CONSTANTS => {
            Ok(b.push(Op::Uniform { index, component }, Type::F32))
        }
        _ => Ok(b.f32(0.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::Slot;

    fn input(b: &mut Builder) -> Value {
        b.load(Slot::Input {
            reg: 0,
            component: 0,
        })
    }

    #[test]
    fn adding_plus_zero_stays_and_adding_minus_zero_goes() {
        let mut b = Builder::new();
        let x = input(&mut b);
        let (plus, minus) = (b.f32(0.0), b.f32(-0.0));
        assert_ne!(b.add(x, plus), x);
        assert_eq!(b.add(minus, x), x);
        assert_eq!(b.sub(x, plus), x);
        assert_ne!(b.sub(x, minus), x);
    }

    #[test]
    fn sums_with_negations_are_differences() {
        let mut b = Builder::new();
        let (x, y) = (input(&mut b), b.load(Slot::Depth { sample: 0 }));
        let (minus_x, minus_y) = (b.neg(x), b.neg(y));
        let (difference, sum) = (b.sub(x, y), b.add(x, y));
        assert_eq!(b.add(x, minus_y), difference);
        assert_eq!(b.add(minus_y, x), difference);
        assert_eq!(b.sub(x, minus_y), sum);
        assert_eq!(b.add(minus_x, minus_y), b.sub(minus_x, y));
    }

    #[test]
    fn multiplying_by_zero_stays_for_the_sake_of_infinities() {
        let mut b = Builder::new();
        let x = input(&mut b);
        let (zero, one) = (b.f32(0.0), b.f32(1.0));
        let product = b.mul(x, zero);
        assert_eq!(b.constant(product), None);
        assert_eq!(b.mul(one, x), x);
    }

    #[test]
    fn constant_comparisons_with_nan_are_false() {
        let mut b = Builder::new();
        let (nan, one) = (b.f32(f32::NAN), b.f32(1.0));
        let no = b.mask(false);
        assert_eq!(b.lt(nan, one), no);
        assert_eq!(b.le(nan, nan), no);
        assert_eq!(b.eq(nan, nan), no);
        let min = b.binary(Binary::Fmin, nan, one);
        assert_eq!(min, one);
    }

    #[test]
    fn choices_by_the_same_mask_collapse() {
        let mut b = Builder::new();
        let x = input(&mut b);
        let zero = b.f32(0.0);
        let m = b.lt(x, zero);
        let inner = b.choose(m, x, zero);
        let one = b.f32(1.0);
        let direct = b.choose(m, x, one);
        assert_eq!(b.choose(m, inner, one), direct);
        let inverse = b.invert(m);
        assert_eq!(b.choose(inverse, one, x), direct);
    }

    #[test]
    fn a_constant_index_beyond_the_bank_is_zero() {
        let mut b = Builder::new();
        let (inside, outside, negative) = (b.i32(511), b.i32(512), b.i32(-1));
        let indexed = |b: &mut Builder, index| {
            let value = b.push(
                Op::Indexed {
                    index,
                    component: 1,
                },
                Type::F32,
            );
            b.function.node(value).op
        };
        assert_eq!(
            indexed(&mut b, inside),
            Op::Uniform {
                index: 511,
                component: 1
            }
        );
        assert_eq!(indexed(&mut b, outside), Op::Const(0));
        assert_eq!(indexed(&mut b, negative), Op::Const(0));
    }

    #[test]
    fn equal_operations_are_one_node_and_uniform_ones_leave_the_quad() {
        let mut b = Builder::new();
        let x = input(&mut b);
        let c = b.push(
            Op::Uniform {
                index: 3,
                component: 0,
            },
            Type::F32,
        );
        let (two, sum) = (b.f32(2.0), b.add(x, c));
        assert_eq!(b.add(c, x), sum);
        let scaled = b.mul(c, two);
        assert!(b.function.uniform.contains(&scaled));
        assert!(!b.function.uniform.contains(&sum));
    }
}
