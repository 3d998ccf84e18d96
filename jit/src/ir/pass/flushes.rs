//! Removes flushes of denormals that make no difference: where there is no denormal, and where nobody tells one
//! from zero.
//!
//! There is none among the multiples of 2^-126. Rounded sums of multiples of a power of two are such multiples, and
//! so are products of those of the product of two powers: what is rounded away is less than the last bit of a
//! float, which is a power of two itself.
//!
//! Nobody tells in a sum with a much larger float, which is the sum, whatever tiny number is added. What comes
//! between the flush and that sum may differ, as long as it is tiny.
//!
//! Numbers that are compared with zero need no scale, as far as they are known not to become zero by it.

use super::skip::skip;
use crate::ir::{Binary, Function, Node, Op, Unary, Value};
use crate::sampling::Sampling;
use crate::size::{self, NONE, WHOLE};
use crate::specialisation::Specialisation;

/// The exponent of the least float that is no denormal.
const NORMAL: i32 = f32::MIN_EXP - 1;

/// The exponent of the least float.
const LEAST: i32 = NORMAL - FRACTION_BITS;

/// Bits of a significand after the first.
const FRACTION_BITS: i32 = f32::MANTISSA_DIGITS as i32 - 1;

/// A float of at least 2^n is not changed by adding less than 2 to the power of n minus this: half the distance to the
/// next float, which is least below a power of two.
const ABSORBS: i32 = FRACTION_BITS + 2;

/// Removes the flushes without an effect. Returns whether there were any flushes.
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
    compare_unscaled(function, &sizes);
    true
}

/// Has comparisons with zero look at numbers before they are scaled.
fn compare_unscaled(function: &mut Function, sizes: &[Size]) {
    for index in 0..function.nodes.len() {
        let node = function.nodes[index];
        let (Op::Binary(Binary::Flt | Binary::Fle | Binary::Feq), &[a, b]) =
            (node.op, &*node.operands)
        else {
            continue;
        };
        let is_zero = |value| literal(function, value) == Some(0.0);
        let compared = if is_zero(b) {
            [unscaled(function, a, sizes), b]
        } else if is_zero(a) {
            [a, unscaled(function, b, sizes)]
        } else {
            continue;
        };
        function.nodes[index].operands = compared.into();
    }
}

/// A number that has the sign of another, and is zero where that is: it is that times a power of two.
fn unscaled(function: &Function, mut value: Value, sizes: &[Size]) -> Value {
    while let Some((of, exponent)) = scaled(function, value) {
        if sizes[of.0 as usize].grain + exponent < LEAST {
            break;
        }
        value = of;
    }
    value
}

/// The number, and the exponent of the power of two, whose product a value is.
fn scaled(function: &Function, value: Value) -> Option<(Value, i32)> {
    let node = function.node(value);
    match (node.op, &*node.operands) {
        (Op::Binary(Binary::Fadd), &[a, b]) if a == b => Some((a, 1)),
        (Op::Binary(Binary::Fmul), &[a, b]) => {
            let factor = literal(function, b).filter(|factor| *factor > 0.0)?;
            let exponent = size::least(factor.to_bits());
            (size::grain(factor.to_bits()) == exponent).then_some((a, exponent))
        }
        (_, _) => None,
    }
}

/// Bounds on a float, whatever inputs are.
#[derive(Clone, Copy)]
struct Size {
    /// It is a multiple of 2 to this power, or no number.
    grain: i32,
    /// Its magnitude is at least 2 to this power, or it is NaN.
    least: i32,
}

impl Size {
    const ANY: Size = Size {
        grain: LEAST,
        least: NONE,
    };

    /// The bounds on a choice between two.
    fn of_either(self, other: Size) -> Size {
        Size {
            grain: self.grain.min(other.grain),
            least: self.least.min(other.least),
        }
    }

    /// Multiples of 2 to a power.
    fn of_grain(grain: i32) -> Size {
        Size {
            grain: grain.clamp(LEAST, WHOLE),
            least: NONE,
        }
    }
}

/// The sizes of all values that are floats.
fn sizes(function: &Function, known: Specialisation<'_>) -> Vec<Size> {
    let mut sizes = Vec::with_capacity(function.nodes.len());
    for node in &function.nodes {
        // Operands come before their users.
        let of = |value: Value| sizes[value.0 as usize];
        let size = size(node, of, known);
        sizes.push(size);
    }
    sizes
}

fn size(node: &Node, of: impl Fn(Value) -> Size, known: Specialisation<'_>) -> Size {
    match (node.op, &*node.operands) {
        (Op::Const(bits), _) => Size {
            grain: size::grain(bits),
            least: size::least(bits),
        },
        (Op::Uniform(constant), _) => Size {
            grain: known.constants.grain(constant),
            least: known.constants.least(constant),
        },
        (Op::Unary(Unary::Fneg | Unary::Fabs | Unary::OneNan) | Op::Shuffle(_), &[a]) => of(a),
        (Op::Unary(Unary::Flush | Unary::FlushToPlus), &[a]) if of(a).least >= NORMAL => of(a),
        (Op::Unary(Unary::Flush | Unary::FlushToPlus), &[a]) => Size::of_grain(of(a).grain),
        (Op::Unary(Unary::Floor | Unary::Ceil), _) => Size::of_grain(0),
        (Op::Unary(Unary::Nearest | Unary::TowardZero | Unary::ToF32), _) => Size::of_grain(0),
        (Op::Select, &[_, a, b]) | (Op::Binary(Binary::Fmin | Binary::Fmax), &[a, b]) => {
            of(a).of_either(of(b))
        }
        (Op::Binary(Binary::Fadd | Binary::Fsub), &[a, b]) => {
            let (a, b) = (of(a), of(b));
            // If one is at least half as great as the other, both have this grain, and otherwise the sum is greater
            // than half of that other.
            let of_greater = a.least.max(b.least) - FRACTION_BITS - 1;
            Size::of_grain(a.grain.min(b.grain).max(of_greater))
        }
        (Op::Binary(Binary::Fmul), &[a, b]) => Size::of_grain(of(a).grain + of(b).grain),
        (Op::Fma, &[a, b, c]) => Size::of_grain((of(a).grain + of(b).grain).min(of(c).grain)),
        (Op::Blend(texture, ..) | Op::BlendOnto(texture, ..), [_, _, weights_and_pixels @ ..])
            if has_whole_texels(known, texture) =>
        {
            of_all(weights_and_pixels, of)
        }
        (Op::Transpose, pixels) => of_all(pixels, of),
        (Op::Extract(_), &[whole]) => of(whole),
        (_, _) => Size::ANY,
    }
}

/// The size of what is made of sums of whole multiples of these, or is one of them.
fn of_all(values: &[Value], of: impl Fn(Value) -> Size) -> Size {
    let grains = values.iter().map(|&value| of(value).grain);
    Size::of_grain(grains.min().unwrap_or(LEAST))
}

/// Whether the texels that a texture's linear filter mixes are known to be whole numbers.
fn has_whole_texels(known: Specialisation<'_>, texture: u8) -> bool {
    let sampling = known.samplings.get(usize::from(texture));
    sampling.is_some_and(Sampling::has_whole_texels)
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

/// A number that is known.
fn literal(function: &Function, value: Value) -> Option<f32> {
    let Op::Const(bits) = function.node(value).op else {
        return None;
    };
    Some(f32::from_bits(bits)).filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests;
