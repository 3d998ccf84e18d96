//! Sizes of the floats of a function, as far as they are known whatever inputs are.
//!
//! Rounded sums of multiples of a power of two are such multiples, and so are products of those of the product of two
//! powers: what is rounded away is less than the last bit of a float, which is a power of two itself.

use crate::float::FloatFormat;
use crate::ir::{Binary, Function, Node, Op, Unary, Value};
use crate::sampling::Sampling;
use crate::size::{self, NONE, WHOLE};
use crate::specialisation::Specialisation;

/// Bounds on a float, whatever inputs are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Size {
    /// It is a multiple of 2 to this power, or no number.
    pub(super) grain: i32,
    /// Its magnitude is at least 2 to this power, or it is NaN.
    pub(super) least: i32,
    /// Its magnitude is below 2 to this power, or it is NaN; unless this is [`WHOLE`].
    pub(super) most: i32,
}

impl Size {
    /// The bounds on all floats.
    const fn any(format: FloatFormat) -> Size {
        Size {
            grain: format.least(),
            least: NONE,
            most: WHOLE,
        }
    }

    /// The bounds on a float of these bits.
    pub(super) fn of_bits(bits: u32) -> Size {
        Size {
            grain: size::grain(bits),
            least: size::least(bits),
            most: size::most(bits),
        }
    }

    /// The bounds on a choice between two.
    fn of_either(self, other: Size) -> Size {
        Size {
            grain: self.grain.min(other.grain),
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    /// Multiples of 2 to a power.
    pub(super) fn of_grain(format: FloatFormat, grain: i32) -> Size {
        Size {
            grain: grain.clamp(format.least(), WHOLE),
            ..Size::any(format)
        }
    }
}

/// The sizes of all values that are floats.
pub(super) fn sizes(function: &Function, known: Specialisation<'_>) -> Vec<Size> {
    let mut sizes = Vec::with_capacity(function.nodes.len());
    for node in &function.nodes {
        // Operands come before their users.
        let of = |value: Value| sizes[value.0 as usize];
        let size = size(function.format, node, of, known);
        sizes.push(size);
    }
    sizes
}

/// The bounds on the result of a node, by those on its operands.
fn size(
    format: FloatFormat,
    node: &Node,
    of: impl Fn(Value) -> Size,
    known: Specialisation<'_>,
) -> Size {
    let of_grain = |grain| Size::of_grain(format, grain);
    match (node.op, &*node.operands) {
        (Op::Const(bits), _) => Size::of_bits(bits),
        (Op::Uniform(constant), _) => Size {
            grain: known.constants.grain(constant),
            least: known.constants.least(constant),
            most: known.constants.most(constant),
        },
        (Op::Unary(Unary::Fneg | Unary::Fabs | Unary::OneNan) | Op::Shuffle(_), &[a]) => of(a),
        (Op::Unary(Unary::Flush | Unary::FlushToPlus), &[a]) if of(a).least >= format.normal() => {
            of(a)
        }
        // It never enlarges.
        (Op::Unary(Unary::Flush | Unary::FlushToPlus), &[a]) => Size {
            most: of(a).most,
            ..of_grain(of(a).grain)
        },
        (Op::Unary(Unary::Floor | Unary::Ceil), _) => of_grain(0),
        (Op::Unary(Unary::Nearest | Unary::TowardZero | Unary::ToF32), _) => of_grain(0),
        (Op::Unary(Unary::Sqrt), _) => of_grain(format.root()),
        (Op::Select, &[_, a, b]) | (Op::Binary(Binary::Fmin | Binary::Fmax), &[a, b]) => {
            of(a).of_either(of(b))
        }
        (Op::Binary(Binary::Fadd | Binary::Fsub), &[a, b]) => {
            let (a, b) = (of(a), of(b));
            // If one is at least half as great as the other, both have this grain, and otherwise the sum is greater
            // than half of that other.
            let of_greater = a.least.max(b.least) - format.fraction_bits - 1;
            of_grain(a.grain.min(b.grain).max(of_greater))
        }
        (Op::Binary(Binary::Fmul), &[a, b]) => of_grain(of(a).grain + of(b).grain),
        (Op::Fma, &[a, b, c]) => of_grain((of(a).grain + of(b).grain).min(of(c).grain)),
        (Op::Blend(texture, ..) | Op::BlendOnto(texture, ..), [_, _, weights_and_pixels @ ..])
            if has_whole_texels(known, texture) =>
        {
            of_grain(least_grain(weights_and_pixels, of))
        }
        (Op::Transpose, pixels) => of_grain(least_grain(pixels, of)),
        (Op::Extract(_), &[whole]) => of(whole),
        (_, _) => Size::any(format),
    }
}

/// The grain of what is made of sums of whole multiples of these, or is one of them.
fn least_grain(values: &[Value], of: impl Fn(Value) -> Size) -> i32 {
    let grains = values.iter().map(|&value| of(value).grain);
    grains.min().unwrap_or(NONE)
}

/// Whether the texels that a texture's linear filter mixes are known to be whole numbers.
fn has_whole_texels(known: Specialisation<'_>, texture: u8) -> bool {
    let sampling = known.samplings.get(usize::from(texture));
    sampling.is_some_and(Sampling::has_whole_texels)
}

/// A number that is known.
pub(super) fn literal(function: &Function, value: Value) -> Option<f32> {
    let number = function.constant(value).map(f32::from_bits);
    number.filter(|number| number.is_finite())
}

#[cfg(test)]
pub(super) mod tests;
