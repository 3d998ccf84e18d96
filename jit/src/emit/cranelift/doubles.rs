//! Operations on f64. The four f64 of a quad are two vectors, made from words when an operation begins.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::types::{F32X4, F64X2, I32X4, I64X2};
use cranelift_codegen::ir::{self as clif, InstBuilder};

use super::pixels::{EVEN, HIGH_WORDS, LOW_HALVES, LOW_WORDS, ODD};
use super::shader::Emission;
use crate::ir::{DoubleOp, Type, Value};
use crate::runtime::{Entry, double_site};

/// The f64 of lanes 0 and 1, then those of lanes 2 and 3.
type Halves = [clif::Value; 2];

/// The bits of every NaN that an operation makes.
const NAN: u64 = 0x7ff8_0000_0000_0000;

impl Emission<'_, '_> {
    /// An operation on f64: defines the parts of `whole`, or gives its word.
    pub(super) fn double(
        &mut self,
        whole: Value,
        op: DoubleOp,
        quad: usize,
    ) -> Option<clif::Value> {
        let operands = &self.function.node(whole).operands;
        let words: Vec<_> = operands
            .iter()
            .map(|&word| self.value(word, quad))
            .collect();
        if !self.has_double(op) {
            return self.call_double(whole, op, quad, &words);
        }
        let pairs = words.chunks_exact(2);
        let doubles: Vec<Halves> = pairs.map(|pair| self.halves(pair[0], pair[1])).collect();
        let result = match (op, &*doubles, &*words) {
            (DoubleOp::FromF32, ..) => self.promoted(words[0]),
            (DoubleOp::FromI32, ..) => self.of_integers(words[0]),
            (DoubleOp::ToF32, &[a], _) => return Some(self.demoted(a)),
            (DoubleOp::Lt, &[a, b], _) => return Some(self.compare(FloatCC::LessThan, a, b)),
            (DoubleOp::Le, &[a, b], _) => {
                return Some(self.compare(FloatCC::LessThanOrEqual, a, b));
            }
            (DoubleOp::Eq, &[a, b], _) => return Some(self.compare(FloatCC::Equal, a, b)),
            (op, doubles, _) => {
                let half = |n: usize| doubles.iter().map(move |double| double[n]);
                let halves = [half(0).collect::<Vec<_>>(), half(1).collect()];
                halves.map(|operands| self.arithmetic(op, &operands))
            }
        };
        let [first, second] = result.map(|half| self.cast(half, I32X4));
        let parts = [EVEN, ODD].map(|words| self.words(first, second, words));
        self.define_parts(whole, quad, &parts);
        None
    }

    /// Whether there is an instruction for it.
    fn has_double(&self, op: DoubleOp) -> bool {
        match op {
            DoubleOp::Floor | DoubleOp::Ceil | DoubleOp::TowardZero | DoubleOp::Nearest => {
                self.native.round
            }
            DoubleOp::Fma => self.native.vectors.fma,
            DoubleOp::Add
            | DoubleOp::Sub
            | DoubleOp::Mul
            | DoubleOp::Div
            | DoubleOp::Sqrt
            | DoubleOp::Lt
            | DoubleOp::Le
            | DoubleOp::Eq
            | DoubleOp::FromF32
            | DoubleOp::FromI32
            | DoubleOp::ToF32 => true,
        }
    }

    /// Asks the runtime.
    fn call_double(
        &mut self,
        whole: Value,
        op: DoubleOp,
        quad: usize,
        words: &[clif::Value],
    ) -> Option<clif::Value> {
        self.call(Entry::Double, None, double_site(op), words);
        match op.word() {
            Some(Type::F32) => Some(self.result(0, F32X4)),
            Some(_) => Some(self.result(0, I32X4)),
            None => {
                let parts = [0, 1].map(|place| self.result(place, I32X4));
                self.define_parts(whole, quad, &parts);
                None
            }
        }
    }

    /// An operation whose result is f64, for two lanes.
    fn arithmetic(&mut self, op: DoubleOp, operands: &[clif::Value]) -> clif::Value {
        let result = match (op, operands) {
            (DoubleOp::Add, &[a, b]) => self.ins().fadd(a, b),
            (DoubleOp::Sub, &[a, b]) => self.ins().fsub(a, b),
            (DoubleOp::Mul, &[a, b]) => self.ins().fmul(a, b),
            (DoubleOp::Div, &[a, b]) => self.ins().fdiv(a, b),
            (DoubleOp::Fma, &[a, b, c]) => self.ins().fma(a, b, c),
            (DoubleOp::Sqrt, &[a]) => self.ins().sqrt(a),
            (DoubleOp::Floor, &[a]) => self.ins().floor(a),
            (DoubleOp::Ceil, &[a]) => self.ins().ceil(a),
            (DoubleOp::TowardZero, &[a]) => self.ins().trunc(a),
            (DoubleOp::Nearest, &[a]) => self.ins().nearest(a),
            (op, operands) => unreachable!("{op:?} of {} f64", operands.len()),
        };
        self.without_payload(result)
    }

    /// Every NaN with the same bits.
    fn without_payload(&mut self, a: clif::Value) -> clif::Value {
        let nan = [NAN; 2].map(u64::to_le_bytes);
        let nan = nan.as_flattened().try_into().expect("two f64");
        let nan = self.constant_bytes(nan, F64X2);
        let is_nan = self.ins().fcmp(FloatCC::Unordered, a, a);
        let is_nan = self.cast(is_nan, F64X2);
        self.ins().bitselect(is_nan, nan, a)
    }

    /// The f64 with these words.
    fn halves(&mut self, low: clif::Value, high: clif::Value) -> Halves {
        [LOW_WORDS, HIGH_WORDS].map(|words| {
            let half = self.words(low, high, words);
            self.cast(half, F64X2)
        })
    }

    /// A mask for each lane.
    fn compare(&mut self, code: FloatCC, a: Halves, b: Halves) -> clif::Value {
        let masks = [0, 1].map(|half| {
            let mask = self.ins().fcmp(code, a[half], b[half]);
            debug_assert_eq!(self.builder.func.dfg.value_type(mask), I64X2);
            mask
        });
        let [first, second] = masks;
        let words = self.words(first, second, EVEN);
        self.cast(words, I32X4)
    }

    fn promoted(&mut self, word: clif::Value) -> Halves {
        let upper = self.words(word, word, [2, 3, 2, 3]);
        let upper = self.cast(upper, F32X4);
        [word, upper].map(|half| {
            let half = self.ins().fvpromote_low(half);
            self.without_payload(half)
        })
    }

    fn of_integers(&mut self, word: clif::Value) -> Halves {
        let upper = self.words(word, word, [2, 3, 2, 3]);
        let upper = self.cast(upper, I32X4);
        [word, upper].map(|half| {
            let wide = self.ins().swiden_low(half);
            self.ins().fcvt_from_sint(F64X2, wide)
        })
    }

    fn demoted(&mut self, a: Halves) -> clif::Value {
        let [first, second] = a.map(|half| self.ins().fvdemote(half));
        let words = self.words(first, second, LOW_HALVES);
        self.cast(words, F32X4)
    }
}
