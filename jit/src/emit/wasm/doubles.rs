//! Operations on f64, two lanes to a vector.

use super::function::Emission;
use super::locals::Local;
use super::ops::{EVEN, HIGH_WORDS, LOW_HALVES, LOW_WORDS, ODD};
use crate::ir::{Compare, Compute, DoubleOp, Half, Value, Word};
use crate::runtime::{Entry, double_site};

/// The words of every NaN that is settled.
const NAN: [u32; 2] = [0, 0x7ff8_0000];
/// Lanes 2 and 3 as the first two.
const UPPER: [u8; 4] = [2, 3, 2, 3];

impl Emission<'_> {
    /// An operation on f64.
    pub(super) fn double(&mut self, op: DoubleOp, of: &[Value]) {
        match op {
            DoubleOp::Compute(op) => self.compute(op, of),
            DoubleOp::Compare(op) => {
                for half in 0..2 {
                    self.get(of[half]);
                    self.get(of[2 + half]);
                    match op {
                        Compare::Lt => self.then(|i| i.f64x2_lt()),
                        Compare::Le => self.then(|i| i.f64x2_le()),
                        Compare::Eq => self.then(|i| i.f64x2_eq()),
                    }
                }
                self.shuffle_words(EVEN);
            }
            DoubleOp::ToF32 => {
                for &half in of {
                    self.get(half);
                    self.ins().f32x4_demote_f64x2_zero();
                }
                self.shuffle_words(LOW_HALVES);
            }
            DoubleOp::Word(word) => {
                of.iter().for_each(|&half| self.get(half));
                self.shuffle_words(match word {
                    Word::Low => EVEN,
                    Word::High => ODD,
                });
            }
            DoubleOp::Join(half) => {
                of.iter().for_each(|&words| self.get(words));
                self.shuffle_words(match half {
                    Half::First => LOW_WORDS,
                    Half::Second => HIGH_WORDS,
                });
            }
            DoubleOp::OfF32(half) => {
                self.lanes_of_half(half, of[0]);
                self.ins().f64x2_promote_low_f32x4();
            }
            DoubleOp::OfI32(half) => {
                self.lanes_of_half(half, of[0]);
                self.ins().f64x2_convert_low_i32x4_s();
            }
        }
    }

    /// The lanes of a half as the first two.
    fn lanes_of_half(&mut self, half: Half, value: Value) {
        self.get(value);
        if half == Half::Second {
            self.get(value);
            self.shuffle_words(UPPER);
        }
    }

    fn compute(&mut self, op: Compute, of: &[Value]) {
        if op == Compute::Fma {
            // There is no instruction for it.
            self.call(Entry::Double, None, double_site(op), of);
            return self.result(0);
        }
        of.iter().for_each(|&operand| self.get(operand));
        match op {
            Compute::Add => self.then(|i| i.f64x2_add()),
            Compute::Sub => self.then(|i| i.f64x2_sub()),
            Compute::Mul => self.then(|i| i.f64x2_mul()),
            Compute::Div => self.then(|i| i.f64x2_div()),
            Compute::Sqrt => self.then(|i| i.f64x2_sqrt()),
            Compute::Floor => self.then(|i| i.f64x2_floor()),
            Compute::Ceil => self.then(|i| i.f64x2_ceil()),
            Compute::TowardZero => self.then(|i| i.f64x2_trunc()),
            Compute::Nearest => self.then(|i| i.f64x2_nearest()),
            Compute::Neg => self.then(|i| i.f64x2_neg()),
            Compute::Abs => self.then(|i| i.f64x2_abs()),
            Compute::Settle => {
                let a = self.vector();
                self.settled(a);
            }
            Compute::Fma => unreachable!("it was called for"),
        }
    }

    /// Every NaN with the same bits.
    fn settled(&mut self, a: Local) {
        let [low, high] = NAN;
        self.words([low, high, low, high]);
        self.push(a);
        self.push(a);
        self.push(a);
        self.ins().f64x2_ne().v128_bitselect();
    }
}
