//! The evaluator of operations on f64.

use std::array::from_fn;

use attila_machine::arith;

use super::{Vector, truth};
use crate::ir::{Compare, Compute, DoubleOp, Half, Word};

/// The bits of every NaN that is settled.
const NAN: u64 = 0x7ff8_0000_0000_0000;

/// The f64 of two lanes.
fn numbers(words: Vector) -> [f64; 2] {
    let number = |low: u32, high: u32| f64::from_bits(u64::from(high) << 32 | u64::from(low));
    [number(words[0], words[1]), number(words[2], words[3])]
}

/// Their words.
fn words(numbers: [f64; 2]) -> Vector {
    let [a, b] = numbers.map(f64::to_bits);
    [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]
}

/// The f64 of all lanes.
fn lanes(first: Vector, second: Vector) -> [f64; 4] {
    let [[a, b], [c, d]] = [first, second].map(numbers);
    [a, b, c, d]
}

/// The words of the lanes of a half.
fn half_of(half: Half, words: Vector) -> [u32; 2] {
    from_fn(|n| words[2 * half.index() + n])
}

/// The result of an operation.
pub(crate) fn double(op: DoubleOp, of: &[Vector]) -> Vector {
    match op {
        DoubleOp::Compute(op) => compute(op, of),
        DoubleOp::Compare(op) => {
            let (a, b) = (lanes(of[0], of[1]), lanes(of[2], of[3]));
            from_fn(|lane| {
                truth(match op {
                    Compare::Lt => a[lane] < b[lane],
                    Compare::Le => a[lane] <= b[lane],
                    Compare::Eq => a[lane] == b[lane],
                })
            })
        }
        DoubleOp::ToF32 => lanes(of[0], of[1]).map(|a| (a as f32).to_bits()),
        DoubleOp::Word(word) => {
            let shift = match word {
                Word::Low => 0,
                Word::High => 32,
            };
            lanes(of[0], of[1]).map(|a| (a.to_bits() >> shift) as u32)
        }
        DoubleOp::Join(half) => {
            let ([a, b], [c, d]) = (half_of(half, of[0]), half_of(half, of[1]));
            [a, c, b, d]
        }
        DoubleOp::OfF32(half) => {
            let number = |word| f64::from(f32::from_bits(word));
            words(half_of(half, of[0]).map(number))
        }
        DoubleOp::OfI32(half) => {
            let number = |word: u32| f64::from(word.cast_signed());
            words(half_of(half, of[0]).map(number))
        }
    }
}

/// The same where operands and result are f64.
pub(crate) fn compute(op: Compute, of: &[Vector]) -> Vector {
    let operand = |n: usize| of.get(n).map_or([0.0; 2], |&words| numbers(words));
    let [a, b, c] = [0, 1, 2].map(operand);
    words(from_fn(|lane| lane_of(op, [a[lane], b[lane], c[lane]])))
}

/// A lane of it.
fn lane_of(op: Compute, [a, b, c]: [f64; 3]) -> f64 {
    match op {
        Compute::Add => a + b,
        Compute::Sub => a - b,
        Compute::Mul => a * b,
        Compute::Div => a / b,
        Compute::Fma => arith::fma64(a, b, c),
        Compute::Sqrt => a.sqrt(),
        Compute::Floor => a.floor(),
        Compute::Ceil => a.ceil(),
        Compute::TowardZero => a.trunc(),
        Compute::Nearest => a.round_ties_even(),
        Compute::Neg => -a,
        Compute::Abs => a.abs(),
        Compute::Settle if a.is_nan() => f64::from_bits(NAN),
        Compute::Settle => a,
    }
}
