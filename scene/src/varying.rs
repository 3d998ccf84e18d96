//! [`LinearInput`]: an input that changes linearly over a rectangle, and how it is written.

use std::str::FromStr;

use attila_shader::draw::{self, Draw};
use attila_shader::isa::Inputs;
use attila_shader::machine::pipeline::Plane;
use thiserror::Error;

/// The coordinates of a rectangle that a varying is made of, with the letters that name them.
const COORDINATES: [char; 4] = ['u', 'v', 's', 't'];

/// A number, or a multiple of a coordinate: `[1, u, v, s, t]` times these.
type Sum = [f32; 1 + COORDINATES.len()];

/// An input that changes linearly over the rectangle.
///
/// Each component is a sum of a number and multiples of four coordinates:
/// * `u` runs from 0 at the left edge to 1 at the right edge,
/// * `v` from 0 at the top edge to 1 at the bottom edge,
/// * `t` from 1 at the top edge to -1 at the bottom edge,
/// * `s` to the right, 0 in the middle, in the same unit as `t`, so that squares stay squares.
///
/// As text, components are separated by commas, as in `2*u-1, 0.5*t, -s, 1`; a single one stands
/// for all four.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct LinearInput {
    components: [Sum; 4],
}

impl LinearInput {
    /// The same value everywhere.
    pub const fn constant(value: [f32; 4]) -> LinearInput {
        let [x, y, z, w] = value;
        LinearInput {
            components: [
                [x, 0.0, 0.0, 0.0, 0.0],
                [y, 0.0, 0.0, 0.0, 0.0],
                [z, 0.0, 0.0, 0.0, 0.0],
                [w, 0.0, 0.0, 0.0, 0.0],
            ],
        }
    }

    /// As the varying of a draw, over a rectangle of `width` by `height` pixels whose upper left
    /// corner is the draw's anchor.
    pub fn over(&self, width: usize, height: usize) -> draw::Varying<'static> {
        let planes = self.planes(width, height);
        let [x, y, z, w] = planes.map(|plane| {
            if plane.dx == 0.0 && plane.dy == 0.0 {
                draw::Varying::flat([plane.at; 4])
            } else {
                draw::Varying::linear([plane; 4])
            }
        });
        draw::Varying::join(x, y, z, w)
    }

    /// The planes of the components over a rectangle of `width` by `height` pixels, for a [`Draw`]
    /// whose anchor is the rectangle's upper left corner.
    ///
    /// [`Draw`]: attila_shader::Draw
    pub fn planes(&self, width: usize, height: usize) -> [Plane; 4] {
        let aspect = width as f32 / height as f32;
        self.components.map(|[one, u, v, s, t]| Plane {
            // A constant keeps its bits, those of -0 too.
            at: if s == 0.0 && t == 0.0 {
                one
            } else {
                one - s * aspect + t
            },
            dx: (u + 2.0 * s * aspect) / width as f32,
            dy: (v - 2.0 * t) / height as f32,
        })
    }
}

/// The values of each input over the rectangle.
///
/// The default shows something with simple programs: `i0` is the position in pixels
/// `(x + 0.5, y + 0.5, 0.5, 1)`, `i1` a colour gradient, and `i6` to `i15` are the texture
/// coordinates `(u, v, 0, 1)` of [`LinearInput`]. The others are 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Varyings {
    /// `None`: the position.
    inputs: Inputs<Option<LinearInput>>,
}

impl Default for Varyings {
    fn default() -> Self {
        let parse = |text: &str| text.parse().expect("the text is a varying");
        let gradient = parse("0.1+0.9*u, 0.2+0.7*v, 0.9-0.5*u-0.3*v, 1");
        let coordinates = parse("u, v, 0, 1");
        Varyings {
            inputs: Inputs::from_fn(|index| match index {
                0 => None,
                1 => Some(gradient),
                6.. => Some(coordinates),
                _ => Some(LinearInput::default()),
            }),
        }
    }
}

impl Varyings {
    /// Sets input `index`.
    ///
    /// # Panics
    ///
    /// If `index` is not below 16.
    pub fn set(&mut self, index: usize, varying: LinearInput) {
        self.inputs[index] = Some(varying);
    }

    /// Sets the inputs of a draw, over the whole of a picture.
    pub fn set_on<'a>(&self, mut draw: Draw<'a>, width: usize, height: usize) -> Draw<'a> {
        for (register, varying) in self.inputs.iter().enumerate() {
            if let Some(varying) = varying {
                draw = draw.varying(register, varying.over(width, height));
            }
        }
        draw
    }
}

/// Why a text is no varying.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum VaryingError {
    /// Neither one component nor four.
    #[error("{0} components; a varying has one for all or four")]
    Count(usize),
    /// Something that is no sum of numbers and multiples of u, v, s, t.
    #[error("`{0}` is not a sum of numbers and multiples of u, v, s and t")]
    Sum(String),
}

impl FromStr for LinearInput {
    type Err = VaryingError;

    fn from_str(text: &str) -> Result<LinearInput, VaryingError> {
        let sums = text.split(',').map(|sum| {
            let sum = sum.trim();
            parse_sum(sum).ok_or_else(|| VaryingError::Sum(sum.to_owned()))
        });
        let components = match *sums.collect::<Result<Vec<Sum>, _>>()? {
            [all] => [all; 4],
            [x, y, z, w] => [x, y, z, w],
            ref others => return Err(VaryingError::Count(others.len())),
        };
        Ok(LinearInput { components })
    }
}

fn parse_sum(text: &str) -> Option<Sum> {
    let mut sum = Sum::default();
    let mut rest = text;
    loop {
        let end = end_of_term(rest);
        let (slot, value) = parse_term(rest[..end].trim())?;
        sum[slot] += value;
        rest = rest[end..].trim_start();
        if rest.is_empty() {
            return sum.iter().all(|value| value.is_finite()).then_some(sum);
        }
    }
}

/// Where the next term starts: at a sign that is neither the first character nor an exponent's.
fn end_of_term(text: &str) -> usize {
    let signs = text.char_indices().filter(|(_, c)| matches!(c, '+' | '-'));
    let starts = signs.map(|(at, _)| at).find(|&at| {
        let before = text[..at].trim_end();
        !before.is_empty() && !before.ends_with(['e', 'E', '*'])
    });
    starts.unwrap_or(text.len())
}

fn parse_term(term: &str) -> Option<(usize, f32)> {
    let (sign, term) = match term.strip_prefix('-') {
        Some(rest) => (-1.0, rest.trim_start()),
        None => (1.0, term.strip_prefix('+').unwrap_or(term).trim_start()),
    };
    let coordinate = |text: &str| {
        let mut letters = COORDINATES.iter();
        let found = letters.position(|letter| text.chars().eq([*letter]));
        found.map(|index| 1 + index)
    };
    let number = |text: &str| text.parse::<f32>().ok();
    let (slot, value) = match term.split_once('*') {
        None => match coordinate(term) {
            Some(slot) => (slot, 1.0),
            None => (0, number(term)?),
        },
        Some((left, right)) => {
            let (left, right) = (left.trim(), right.trim());
            match (coordinate(left), coordinate(right)) {
                (Some(slot), None) => (slot, number(right)?),
                (None, Some(slot)) => (slot, number(left)?),
                (None, None) | (Some(_), Some(_)) => return None,
            }
        }
    };
    Some((slot, sign * value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(text: &str) -> [[f32; 4]; 2] {
        let planes = text.parse::<LinearInput>().unwrap().planes(4, 2);
        let at = |x, y| planes.map(|plane: Plane| plane.at + x * plane.dx + y * plane.dy);
        [at(0.0, 0.0), at(4.0, 2.0)]
    }

    #[test]
    fn coordinates_run_between_the_edges() {
        assert_eq!(
            corners("u, v, s, t"),
            [[0.0, 0.0, -2.0, 1.0], [1.0, 1.0, 2.0, -1.0]]
        );
    }

    #[test]
    fn sums_may_have_signs_exponents_and_factors_on_either_side() {
        assert_eq!(
            corners("2*u - 1, -v*3, 1e-1 + 1.5E+1, u*-2"),
            [[-1.0, 0.0, 15.1, 0.0], [1.0, -3.0, 15.1, -2.0]]
        );
        assert_eq!(corners(" 0.5 "), [[0.5; 4]; 2]);
    }

    #[test]
    fn constants_keep_their_bits() {
        let value = [
            -0.0,
            f32::from_bits(7),
            f32::INFINITY,
            f32::from_bits(0x7fc0_0001),
        ];
        let planes = LinearInput::constant(value).planes(4, 2);
        assert_eq!(
            planes.map(|plane| plane.at.to_bits()),
            value.map(f32::to_bits)
        );
        assert!(
            planes
                .iter()
                .all(|plane| plane.dx == 0.0 && plane.dy == 0.0)
        );
    }

    #[test]
    fn what_is_no_sum_is_refused() {
        for text in ["", "u+", "2u", "u*v", "w", "1,,2,3", "nan", "1e999", "--1"] {
            assert!(text.parse::<LinearInput>().is_err(), "{text}");
        }
        assert_eq!("1, 2".parse::<LinearInput>(), Err(VaryingError::Count(2)));
    }
}
