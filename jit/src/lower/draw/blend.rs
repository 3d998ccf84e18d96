//! Blending.

use attila_machine::arith::Arith;
use attila_machine::pipeline::{Blend, BlendEquation, BlendFactor, BlendOp, ColourFormat};

use super::clamp;
use crate::abi::DrawField;
use crate::ir::{Binary, Builder, Op, Value};

/// Red, green, blue, alpha.
type Colour = [Value; 4];

/// The three colours of an equation.
struct Mix {
    src: Colour,
    dst: Colour,
    constant: Colour,
}

/// The program's colour mixed with the one that is stored.
pub(super) fn mix(
    b: &mut Builder,
    blend: Blend,
    format: ColourFormat,
    src: Colour,
    dst: Colour,
) -> Colour {
    let constant = std::array::from_fn(|c| {
        let field = DrawField::BlendConstant(c as u8);
        b.push(Op::Draw(field), [])
    });
    let mut limited = |colour: Colour| {
        if format.is_normalised() {
            colour.map(|value| clamp(b, value))
        } else {
            colour
        }
    };
    let mix = Mix {
        src: limited(src),
        dst,
        constant: limited(constant),
    };
    std::array::from_fn(|c| {
        let equation = if c == 3 { blend.alpha } else { blend.colour };
        mix.component(b, equation, c)
    })
}

impl Mix {
    fn component(&self, b: &mut Builder, equation: BlendEquation, c: usize) -> Value {
        let (src, dst) = (self.src[c], self.dst[c]);
        let product = |b: &mut Builder, factor, colour| self.product(b, factor, c, colour);
        match equation.op {
            BlendOp::Min => b.binary(Binary::Fmin, src, dst),
            BlendOp::Max => b.binary(Binary::Fmax, src, dst),
            BlendOp::Add => {
                let (src, dst) = (product(b, equation.src, src), product(b, equation.dst, dst));
                b.add(src, dst)
            }
            BlendOp::Subtract => {
                let (src, dst) = (product(b, equation.src, src), product(b, equation.dst, dst));
                b.sub(src, dst)
            }
            BlendOp::ReverseSubtract => {
                let (src, dst) = (product(b, equation.src, src), product(b, equation.dst, dst));
                b.sub(dst, src)
            }
        }
    }

    /// A colour's component `c` times its factor.
    fn product(&self, b: &mut Builder, factor: BlendFactor, c: usize, colour: Value) -> Value {
        let Mix { src, dst, constant } = self;
        let factor = match factor {
            BlendFactor::Zero => return b.f32(0.0),
            BlendFactor::One => return colour,
            BlendFactor::SrcColour => src[c],
            BlendFactor::OneMinusSrcColour => rest(b, src[c]),
            BlendFactor::DstColour => dst[c],
            BlendFactor::OneMinusDstColour => rest(b, dst[c]),
            BlendFactor::SrcAlpha => src[3],
            BlendFactor::OneMinusSrcAlpha => rest(b, src[3]),
            BlendFactor::DstAlpha => dst[3],
            BlendFactor::OneMinusDstAlpha => rest(b, dst[3]),
            BlendFactor::ConstantColour => constant[c],
            BlendFactor::OneMinusConstantColour => rest(b, constant[c]),
            BlendFactor::ConstantAlpha => constant[3],
            BlendFactor::OneMinusConstantAlpha => rest(b, constant[3]),
            BlendFactor::SrcAlphaSaturate if c == 3 => return colour,
            BlendFactor::SrcAlphaSaturate => {
                let rest = rest(b, dst[3]);
                b.binary(Binary::Fmin, src[3], rest)
            }
        };
        b.mul(colour, factor)
    }
}

fn rest(b: &mut Builder, value: Value) -> Value {
    let one = b.f32(1.0);
    b.sub(one, value)
}
