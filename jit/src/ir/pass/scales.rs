//! Factors that are powers of two, and round nothing: comparisons with zero and with values of the run look at numbers
//! before they are scaled, and products with a constant are those with a scaled constant.

use super::sizes::{Size, literal};
use crate::float::FloatFormat;
use crate::ir::fold::differences::difference;
use crate::ir::fold::scaled;
use crate::ir::{Binary, Function, Op, Rate, Type, Value};
use crate::size;

/// Leaves out the factors that are not needed. Constants that are new come before all other values; functions have to be
/// copied before their numbers are in order again.
pub(super) fn fold(function: &mut Function, sizes: &[Size]) {
    compare_unscaled(function, sizes);
    scale_compared(function, sizes);
    scale_constants(function, sizes);
}

/// Has comparisons with zero look at numbers before they are scaled, and at the terms of differences.
fn compare_unscaled(function: &mut Function, sizes: &[Size]) {
    for index in 0..function.nodes.len() {
        let node = function.nodes[index];
        let (Op::Binary(Binary::Flt | Binary::Fle | Binary::Feq), &[a, b]) =
            (node.op, &*node.operands)
        else {
            continue;
        };
        let is_zero = |value| literal(function, value) == Some(0.0);
        let (of, zero, zero_is_first) = match (is_zero(a), is_zero(b)) {
            (_, true) => (a, b, false),
            (true, false) => (b, a, true),
            (false, false) => continue,
        };
        let of = unscaled(function, of, sizes);
        let is_less = node.op == Op::Binary(Binary::Flt);
        let terms = difference(function, of).filter(|_| is_less);
        let [x, y] = terms.unwrap_or([of, zero]);
        let compared = if zero_is_first { [y, x] } else { [x, y] };
        function.nodes[index].operands = compared.into();
    }
}

/// A number that has the sign of another, and is zero where that is: it is that times a power of two.
pub(super) fn unscaled(function: &Function, mut value: Value, sizes: &[Size]) -> Value {
    while let Some((of, factor)) = scaled(function, value) {
        if !keeps_sign(function.format, sizes[of.0 as usize], factor) {
            break;
        }
        value = of;
    }
    value
}

/// Whether no number but zero becomes zero by a factor.
fn keeps_sign(format: FloatFormat, of: Size, factor: f32) -> bool {
    of.grain + size::least(factor.to_bits()) >= format.least()
}

/// Compares numbers before they are scaled with values of the run that are scaled the other way. Only denormals are
/// rounded, and they stay below what is twice the least normal number.
fn scale_compared(function: &mut Function, sizes: &[Size]) {
    for index in 0..sizes.len() {
        let node = function.nodes[index];
        let Op::Binary(Binary::Flt | Binary::Fle | Binary::Feq) = node.op else {
            continue;
        };
        // Comparisons of two values of the run are made once: no factor is worth a new constant there.
        let is_uniform = |value| function.node(value).rate == Rate::Uniform;
        let place = match [0, 1].map(|place| is_uniform(node.operands[place])) {
            [false, true] => 0,
            [true, false] => 1,
            [false, false] | [true, true] => continue,
        };
        let (compared, bound) = (node.operands[place], node.operands[1 - place]);
        let Some((of, factor)) = scaled(function, compared) else {
            continue;
        };
        if !is_scaled_exactly(function.format, sizes[bound.0 as usize], factor) {
            continue;
        }
        let other = unscaled_bound(function, bound, factor);
        let mut operands = [of; 2];
        operands[1 - place] = other;
        function.nodes[index].operands = operands.into();
    }
}

/// Whether a bound can be divided by a factor, and is no number that a denormal may be rounded to.
fn is_scaled_exactly(format: FloatFormat, bound: Size, factor: f32) -> bool {
    let by = -size::least(factor.to_bits());
    let is_exact = bound.grain + by >= format.least() && bound.most + by <= format.above;
    is_exact && bound.least > format.normal() && format.is_normal(factor) && factor > 0.0
}

/// A value of the run divided by a factor.
fn unscaled_bound(function: &mut Function, bound: Value, factor: f32) -> Value {
    let inverse = Op::Const(factor.recip().to_bits());
    let inverse = function.append(inverse, [].into(), Type::F32, Rate::Uniform);
    let product = Op::Binary(Binary::Fmul);
    let other = function.append(product, [bound, inverse].into(), Type::F32, Rate::Uniform);
    function.uniform.extend([inverse, other]);
    other
}

/// Multiplies by a scaled constant at once.
fn scale_constants(function: &mut Function, sizes: &[Size]) {
    let mut constants = Vec::new();
    for index in 0..sizes.len() {
        let Some((product, scale)) = scaled(function, Value(index as u32)) else {
            continue;
        };
        let (Op::Binary(Binary::Fmul), &[of, by]) =
            (function.node(product).op, &*function.node(product).operands)
        else {
            continue;
        };
        let Some(factor) = literal(function, by) else {
            continue;
        };
        if !are_one_factor(function.format, sizes[product.0 as usize], factor, scale) {
            continue;
        }
        let both = Op::Const((factor * scale).to_bits());
        let both = function.append(both, [].into(), Type::F32, Rate::Uniform);
        constants.push(both);
        let node = &mut function.nodes[index];
        (node.op, node.operands) = (Op::Binary(Binary::Fmul), [of, both].into());
    }
    function.uniform.splice(..0, constants);
}

/// Whether a product with a factor, scaled, is one with the scaled factor. A product is rounded as another one that is a
/// power of two times it, but where one of the two is a denormal, or only the first is too great.
fn are_one_factor(format: FloatFormat, product: Size, factor: f32, scale: f32) -> bool {
    let least = product
        .grain
        .min(product.grain + size::least(scale.to_bits()));
    let is_in_range = scale >= 1.0 || factor.abs() <= 1.0;
    let are_normal = format.is_normal(factor) && format.is_normal(factor * scale);
    least >= format.normal() && is_in_range && are_normal
}

#[cfg(test)]
mod tests;
