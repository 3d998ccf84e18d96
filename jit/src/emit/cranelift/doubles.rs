//! Operations on f64, two lanes to a vector.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::types::{F32X4, F64X2, I32X4, I64X2};
use cranelift_codegen::ir::{self as clif, InstBuilder};

use super::pixels::{EVEN, HIGH_WORDS, LOW_HALVES, LOW_WORDS, ODD};
use super::shader::Emission;
use crate::ir::{Compare, Compute, DoubleOp, Half, Value, Word};
use crate::runtime::{Entry, double_site};

/// The bits of every NaN that is settled.
const NAN: u64 = 0x7ff8_0000_0000_0000;

/// Lanes 2 and 3 as the first two.
const UPPER: [u8; 4] = [2, 3, 2, 3];

impl Emission<'_, '_> {
    /// An operation on f64.
    pub(super) fn double(&mut self, op: DoubleOp, of: &[Value], quad: usize) -> clif::Value {
        let of: Vec<_> = of.iter().map(|&value| self.value(value, quad)).collect();
        match op {
            DoubleOp::Compute(op) => self.compute(op, &of),
            DoubleOp::Compare(op) => self.compare(op, [of[0], of[1]], [of[2], of[3]]),
            DoubleOp::ToF32 => {
                let [first, second] = [of[0], of[1]].map(|half| self.ins().fvdemote(half));
                let words = self.words(first, second, LOW_HALVES);
                self.cast(words, F32X4)
            }
            DoubleOp::Word(word) => {
                let words = match word {
                    Word::Low => EVEN,
                    Word::High => ODD,
                };
                let words = self.words(of[0], of[1], words);
                self.cast(words, I32X4)
            }
            DoubleOp::Join(half) => {
                let words = match half {
                    Half::First => LOW_WORDS,
                    Half::Second => HIGH_WORDS,
                };
                let words = self.words(of[0], of[1], words);
                self.cast(words, F64X2)
            }
            DoubleOp::OfF32(half) => {
                let lanes = self.lanes_of(half, of[0], F32X4);
                self.ins().fvpromote_low(lanes)
            }
            DoubleOp::OfI32(half) => {
                let lanes = self.lanes_of(half, of[0], I32X4);
                let wide = self.ins().swiden_low(lanes);
                self.ins().fcvt_from_sint(F64X2, wide)
            }
        }
    }

    /// The lanes of a half as the first two.
    fn lanes_of(&mut self, half: Half, vector: clif::Value, ty: clif::Type) -> clif::Value {
        match half {
            Half::First => vector,
            Half::Second => {
                let upper = self.words(vector, vector, UPPER);
                self.cast(upper, ty)
            }
        }
    }

    fn compute(&mut self, op: Compute, of: &[clif::Value]) -> clif::Value {
        match (op, of) {
            (Compute::Add, &[a, b]) => self.ins().fadd(a, b),
            (Compute::Sub, &[a, b]) => self.ins().fsub(a, b),
            (Compute::Mul, &[a, b]) => self.ins().fmul(a, b),
            (Compute::Div, &[a, b]) => self.ins().fdiv(a, b),
            (Compute::Sqrt, &[a]) => self.ins().sqrt(a),
            (Compute::Neg, &[a]) => self.ins().fneg(a),
            (Compute::Abs, &[a]) => self.ins().fabs(a),
            (Compute::Settle, &[a]) => self.settled(a),
            (Compute::Fma, &[a, b, c]) if self.native.vectors.fma => self.ins().fma(a, b, c),
            (Compute::Floor, &[a]) if self.native.round => self.ins().floor(a),
            (Compute::Ceil, &[a]) if self.native.round => self.ins().ceil(a),
            (Compute::TowardZero, &[a]) if self.native.round => self.ins().trunc(a),
            (Compute::Nearest, &[a]) if self.native.round => self.ins().nearest(a),
            // There is no instruction for it.
            (op, of) => {
                self.call(Entry::Double, None, double_site(op), of);
                self.result(0, F64X2)
            }
        }
    }

    /// Every NaN with the same bits.
    fn settled(&mut self, a: clif::Value) -> clif::Value {
        let nan = [NAN; 2].map(u64::to_le_bytes);
        let nan = nan.as_flattened().try_into().expect("two f64");
        let nan = self.constant_bytes(nan, F64X2);
        let is_nan = self.ins().fcmp(FloatCC::Unordered, a, a);
        let is_nan = self.cast(is_nan, F64X2);
        self.ins().bitselect(is_nan, nan, a)
    }

    /// A mask for each lane.
    fn compare(&mut self, op: Compare, a: [clif::Value; 2], b: [clif::Value; 2]) -> clif::Value {
        let code = match op {
            Compare::Lt => FloatCC::LessThan,
            Compare::Le => FloatCC::LessThanOrEqual,
            Compare::Eq => FloatCC::Equal,
        };
        let [first, second] = [0, 1].map(|half| {
            let mask = self.ins().fcmp(code, a[half], b[half]);
            debug_assert_eq!(self.builder.func.dfg.value_type(mask), I64X2);
            mask
        });
        let words = self.words(first, second, EVEN);
        self.cast(words, I32X4)
    }
}
