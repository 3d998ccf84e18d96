//! The approximations: EX2, LG2, SIN, COS, SINT, COST, powers and sRGB's curve, written once for both
//! engines.
//!
//! Each is a function over [`Arith`], so the interpreter evaluates and the JIT emits the very same
//! sequence of IEEE steps: the results are the same on every host, bit for bit. A comparison of the
//! engines could not show how accurate they are (at most 2 ulp from the exact value, see each
//! function); [`crate::sweep`] measures it against f64.
//!
//! Polynomials are evaluated by Horner's rule with [`Arith::fma`]. Their coefficients come from
//! `docs/derivations/coefficients.py`; beside each array stand its interval, degree and error.

#[cfg(test)]
mod denormals;
mod exp;
mod large;
mod log;
mod pow;
mod srgb;
#[cfg(test)]
mod tests;
mod trig;
mod turns;

pub use exp::ex2;
pub use large::{cos_large, sin_large};
pub use log::lg2;
pub use pow::{lit_power, pow};
pub use srgb::{from_srgb, to_srgb};
pub use trig::{cos, sin};
pub use turns::{cos_turns, sin_turns};

use crate::arith::Arith;

/// `c[0] + c[1] x + c[2] x² + …`
fn polynomial<A: Arith>(a: &mut A, x: A::F, c: &[f32]) -> A::F {
    let (last, rest) = c.split_last().expect("a polynomial has a coefficient");
    let mut sum = a.f32(*last);
    for &coefficient in rest.iter().rev() {
        let coefficient = a.f32(coefficient);
        sum = a.fma(sum, x, coefficient);
    }
    sum
}
