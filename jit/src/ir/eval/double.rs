//! The evaluator of operations on f64.

use attila_machine::LANES;

use super::{Vector, truth};
use crate::ir::DoubleOp;

/// The bits of every NaN that an operation makes.
const NAN: u64 = 0x7ff8_0000_0000_0000;

/// The results of an operation; zeros in place of those that it does not have.
pub(crate) fn double(op: DoubleOp, of: &[Vector]) -> [Vector; 4] {
    let mut results = [[0; LANES]; 4];
    for lane in 0..LANES {
        let word = of[0][lane];
        let number = |n: usize| match of.get(2 * n..2 * n + 2) {
            Some(&[low, high]) => {
                f64::from_bits(u64::from(high[lane]) << 32 | u64::from(low[lane]))
            }
            Some(_) | None => 0.0,
        };
        let bits = lane_of(op, word, [number(0), number(1), number(2)]);
        results[0][lane] = bits as u32;
        results[1][lane] = (bits >> 32) as u32;
    }
    results
}

/// A lane: the f64 of the result, or its word.
fn lane_of(op: DoubleOp, word: u32, [a, b, c]: [f64; 3]) -> u64 {
    let made = |a: f64| if a.is_nan() { NAN } else { a.to_bits() };
    let mask = |set| u64::from(truth(set));
    match op {
        DoubleOp::Add => made(a + b),
        DoubleOp::Sub => made(a - b),
        DoubleOp::Mul => made(a * b),
        DoubleOp::Div => made(a / b),
        DoubleOp::Fma => made(a.mul_add(b, c)),
        DoubleOp::Sqrt => made(a.sqrt()),
        DoubleOp::Floor => made(a.floor()),
        DoubleOp::Ceil => made(a.ceil()),
        DoubleOp::TowardZero => made(a.trunc()),
        DoubleOp::Nearest => made(a.round_ties_even()),
        DoubleOp::Lt => mask(a < b),
        DoubleOp::Le => mask(a <= b),
        DoubleOp::Eq => mask(a == b),
        DoubleOp::FromF32 => made(f64::from(f32::from_bits(word))),
        DoubleOp::FromI32 => f64::from(word.cast_signed()).to_bits(),
        DoubleOp::ToF32 => u64::from((a as f32).to_bits()),
    }
}
