//! Blending: OpenGL's equations.

use attila_machine::pipeline::{Blend, BlendEquation, BlendFactor, BlendOp};

/// `colour` mixed with what is there.
pub(super) fn blend(
    blend: &Blend,
    colour: [f32; 4],
    there: [f32; 4],
    constant: [f32; 4],
) -> [f32; 4] {
    std::array::from_fn(|component| {
        let equation = match component {
            3 => &blend.alpha,
            _ => &blend.colour,
        };
        let colours = Colours {
            colour,
            there,
            constant,
            component,
        };
        colours.mix(equation)
    })
}

/// The values that the equation of a component refers to.
struct Colours {
    colour: [f32; 4],
    there: [f32; 4],
    constant: [f32; 4],
    component: usize,
}

impl Colours {
    fn mix(&self, equation: &BlendEquation) -> f32 {
        let (colour, there) = (self.colour[self.component], self.there[self.component]);
        let source = || self.times(colour, equation.src);
        let destination = || self.times(there, equation.dst);
        match equation.op {
            BlendOp::Add => source() + destination(),
            BlendOp::Subtract => source() - destination(),
            BlendOp::ReverseSubtract => destination() - source(),
            BlendOp::Min if colour < there => colour,
            BlendOp::Max if colour > there => colour,
            BlendOp::Min | BlendOp::Max => there,
        }
    }

    /// `value` times a factor.
    fn times(&self, value: f32, factor: BlendFactor) -> f32 {
        let (of, alpha) = (self.component, 3);
        let factor = match factor {
            BlendFactor::Zero => return 0.0,
            BlendFactor::One => return value,
            BlendFactor::SrcColour => self.colour[of],
            BlendFactor::OneMinusSrcColour => 1.0 - self.colour[of],
            BlendFactor::DstColour => self.there[of],
            BlendFactor::OneMinusDstColour => 1.0 - self.there[of],
            BlendFactor::SrcAlpha => self.colour[alpha],
            BlendFactor::OneMinusSrcAlpha => 1.0 - self.colour[alpha],
            BlendFactor::DstAlpha => self.there[alpha],
            BlendFactor::OneMinusDstAlpha => 1.0 - self.there[alpha],
            BlendFactor::ConstantColour => self.constant[of],
            BlendFactor::OneMinusConstantColour => 1.0 - self.constant[of],
            BlendFactor::ConstantAlpha => self.constant[alpha],
            BlendFactor::OneMinusConstantAlpha => 1.0 - self.constant[alpha],
            BlendFactor::SrcAlphaSaturate if of == alpha => return value,
            BlendFactor::SrcAlphaSaturate => {
                let (source, rest) = (self.colour[alpha], 1.0 - self.there[alpha]);
                if source < rest { source } else { rest }
            }
        };
        value * factor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLOUR: [f32; 4] = [0.5, 0.25, 1.0, 0.75];
    const THERE: [f32; 4] = [0.25, 0.5, 0.0, 0.5];
    const CONSTANT: [f32; 4] = [0.125, 0.375, 0.625, 0.875];

    fn mixed(op: BlendOp, src: BlendFactor, dst: BlendFactor) -> [f32; 4] {
        let equation = BlendEquation { op, src, dst };
        blend(&Blend::all(equation), COLOUR, THERE, CONSTANT)
    }

    #[test]
    fn factors_are_those_of_opengl() {
        let expected = [
            [0.0; 4],
            [1.0; 4],
            [0.5, 0.25, 1.0, 0.75],
            [0.5, 0.75, 0.0, 0.25],
            [0.25, 0.5, 0.0, 0.5],
            [0.75, 0.5, 1.0, 0.5],
            [0.75; 4],
            [0.25; 4],
            [0.5; 4],
            [0.5; 4],
            [0.125, 0.375, 0.625, 0.875],
            [0.875, 0.625, 0.375, 0.125],
            [0.875; 4],
            [0.125; 4],
            [0.5, 0.5, 0.5, 1.0],
        ];
        for (factor, expected) in BlendFactor::ALL.into_iter().zip(expected) {
            let products: [f32; 4] = std::array::from_fn(|c| COLOUR[c] * expected[c]);
            let source = mixed(BlendOp::Add, factor, BlendFactor::Zero);
            assert_eq!(source, products, "{factor:?} of the source");
            let products: [f32; 4] = std::array::from_fn(|c| THERE[c] * expected[c]);
            let destination = mixed(BlendOp::Add, BlendFactor::Zero, factor);
            assert_eq!(destination, products, "{factor:?} of the destination");
        }
    }

    #[test]
    fn operations_are_those_of_opengl() {
        let ops = BlendOp::ALL.map(|op| mixed(op, BlendFactor::One, BlendFactor::One));
        assert_eq!(
            ops,
            [
                [0.75, 0.75, 1.0, 1.25],
                [0.25, -0.25, 1.0, 0.25],
                [-0.25, 0.25, -1.0, -0.25],
                [0.25, 0.25, 0.0, 0.5],
                [0.5, 0.5, 1.0, 0.75],
            ]
        );
        // Without factors.
        assert_eq!(
            mixed(BlendOp::Max, BlendFactor::Zero, BlendFactor::Zero),
            ops[4]
        );
    }

    #[test]
    fn zero_gives_zero_and_one_the_colour_whatever_it_is() {
        let equation = BlendEquation {
            op: BlendOp::Add,
            src: BlendFactor::Zero,
            dst: BlendFactor::One,
        };
        let all = Blend::all(equation);
        let mixed = blend(
            &all,
            [f32::NAN, f32::INFINITY, -1.0, 0.0],
            THERE,
            [f32::NAN; 4],
        );
        assert_eq!(mixed, THERE);
    }
}
