//! Operations on floats of any format, written apart from `eval.rs`: a result is computed in f64, which is exact or rounds
//! far behind the last bit, and the nearest float is looked for among all. Formats of few bits let tests try everything.

use attila_machine::{arith, half};

use crate::float::FloatFormat;
use crate::ir::{Binary, Function, Op, Shift, Unary, Value};

pub(crate) const E3M2: FloatFormat = FloatFormat {
    fraction_bits: 2,
    above: 4,
};

pub(crate) const E4M1: FloatFormat = FloatFormat {
    fraction_bits: 1,
    above: 8,
};

pub(crate) const E4M3: FloatFormat = FloatFormat {
    fraction_bits: 3,
    above: 8,
};

/// The formats of six bits of which all operands are tried. The exponent of the least float is even in one, and odd in the
/// other, as it is in binary32.
pub(crate) const SIX_BITS: [FloatFormat; 2] = [E3M2, E4M1];

const SIGN: u32 = 1 << 31;

/// The NaN of arithmetic here, and the one of [`Unary::OneNan`].
const NAN: u32 = 0x7fc0_0000;
const ONE_NAN: u32 = 0x7fff_ffff;

/// The arithmetic of a format. Words are those of binary32.
pub(crate) struct Plain {
    pub(crate) format: FloatFormat,
    /// The magnitudes of all numbers, ascending, and the power of two that would be next. Binary32 has too many.
    magnitudes: Vec<f64>,
    /// The least number that is no denormal.
    normal: f64,
}

/// Whether a result is the one that is expected. The payloads of NaN are free, but for the one that has been asked for,
/// with either sign.
pub(crate) fn is_same(expected: u32, actual: u32) -> bool {
    let is_free = expected | SIGN != ONE_NAN | SIGN;
    let is_nan = |word: u32| f32::from_bits(word).is_nan();
    expected == actual || is_free && is_nan(expected) && is_nan(actual)
}

impl Plain {
    pub(crate) fn new(format: FloatFormat) -> Plain {
        let bias = format.above - 1;
        let numbers = |exponent: i32| {
            let fractions = 1 << format.fraction_bits;
            (0..fractions).map(move |fraction| {
                let hidden = if exponent == 0 { 0 } else { fractions };
                let last = exponent.max(1) - bias - format.fraction_bits;
                f64::from(hidden + fraction) * 2f64.powi(last)
            })
        };
        let mut magnitudes = Vec::new();
        if format != FloatFormat::BINARY32 {
            magnitudes.extend((0..=2 * bias).flat_map(numbers));
            magnitudes.push(2f64.powi(format.above));
        }
        Plain {
            format,
            magnitudes,
            normal: 2f64.powi(1 - bias),
        }
    }

    /// All floats, two of them NaN; of binary32 numbers with every exponent.
    pub(crate) fn floats(&self) -> Vec<u32> {
        let finite = self.magnitudes.split_last();
        let magnitudes: Vec<u32> = match finite {
            Some((_, finite)) => finite.iter().map(|&it| (it as f32).to_bits()).collect(),
            None => (0..255)
                .flat_map(|exponent| [0, 1, 0x7f_ffff].map(|fraction| exponent << 23 | fraction))
                .collect(),
        };
        let others = [f32::INFINITY.to_bits(), NAN];
        let positive = magnitudes.into_iter().chain(others);
        positive.flat_map(|word| [word, word | SIGN]).collect()
    }

    /// The float nearest to a number, the one with an even significand of two that are as near.
    fn round(&self, value: f64) -> u32 {
        if value.is_nan() {
            return NAN;
        }
        if self.magnitudes.is_empty() {
            return (value as f32).to_bits();
        }
        let magnitude = value.abs();
        let above = self.magnitudes.partition_point(|&it| it <= magnitude);
        let nearest = match self.magnitudes.get(above) {
            None => above - 1,
            Some(high) => {
                let low = self.magnitudes[above - 1];
                let [down, up] = [magnitude - low, high - magnitude];
                let is_up = up < down || up == down && above % 2 == 0;
                above - 1 + usize::from(is_up)
            }
        };
        let rounded = if nearest == self.magnitudes.len() - 1 {
            f64::INFINITY
        } else {
            self.magnitudes[nearest]
        };
        (rounded.copysign(value) as f32).to_bits()
    }

    /// The result of an operation, which is the same for all lanes.
    pub(crate) fn result(&self, op: Op, of: &[u32]) -> u32 {
        match (op, of) {
            (Op::Const(word), _) => word,
            (Op::Unary(op), &[a, ..]) => self.unary(op, a),
            (Op::Binary(op), &[a, b, ..]) => self.binary(op, a, b),
            (Op::Shift(Shift::Left, by), &[a, ..]) => a << by,
            (Op::Shift(Shift::RightUnsigned, by), &[a, ..]) => a >> by,
            (Op::Shift(Shift::RightSigned, by), &[a, ..]) => {
                (a.cast_signed() >> by).cast_unsigned()
            }
            (Op::Select, &[mask, a, b]) => {
                if mask != 0 {
                    a
                } else {
                    b
                }
            }
            (Op::SlowPath(path), &[mask, a, _]) if mask != 0 => {
                path.apply(f32::from_bits(a)).to_bits()
            }
            (Op::SlowPath(_), &[_, _, fast]) => fast,
            (Op::Shuffle(_), &[a, ..]) => a,
            (Op::Fma, &[a, b, c]) => self.fma([a, b, c].map(f32::from_bits)),
            (op, _) => unreachable!("tests make no {op:?}"),
        }
    }

    fn fma(&self, [a, b, c]: [f32; 3]) -> u32 {
        if self.format == FloatFormat::BINARY32 {
            return arith::fma(a, b, c).to_bits();
        }
        // An f64 has all bits of the product and the sum that matter to floats of few.
        self.round(f64::from(a) * f64::from(b) + f64::from(c))
    }

    fn unary(&self, op: Unary, word: u32) -> u32 {
        let a = f64::from(f32::from_bits(word));
        let is_denormal = a != 0.0 && a.abs() < self.normal;
        match op {
            Unary::Fneg => word ^ SIGN,
            Unary::Fabs => word & !SIGN,
            Unary::Sqrt => self.round(a.sqrt()),
            Unary::Floor => self.round(a.floor()),
            Unary::Nearest => self.round(a.round_ties_even()),
            Unary::Ceil => self.round(a.ceil()),
            Unary::TowardZero => self.round(a.trunc()),
            Unary::Flush => word & if is_denormal { SIGN } else { u32::MAX },
            Unary::FlushToPlus => word & if is_denormal || a == 0.0 { 0 } else { u32::MAX },
            Unary::OneNan => {
                if a.is_nan() {
                    ONE_NAN
                } else {
                    word
                }
            }
            Unary::Trunc => {
                let whole = a.trunc();
                let is_there = (-2f64.powi(31)..2f64.powi(31)).contains(&whole);
                if is_there {
                    whole as i32 as u32
                } else {
                    1 << 31
                }
            }
            Unary::ToHalf => half::from_f32(f32::from_bits(word)).into(),
            Unary::FromHalf => half::to_f32(word as u16).to_bits(),
            Unary::ToF32 => self.round(f64::from(word.cast_signed())),
            Unary::ToBits | Unary::FromBits => word,
            Unary::Iabs => word.cast_signed().unsigned_abs(),
            Unary::Not => !word,
        }
    }

    fn binary(&self, op: Binary, x: u32, y: u32) -> u32 {
        let [a, b] = [x, y].map(|word| f64::from(f32::from_bits(word)));
        let [i, j] = [x, y].map(|word| i64::from(word.cast_signed()));
        let [m, n] = [x, y].map(u64::from);
        let mask = |set: bool| if set { u32::MAX } else { 0 };
        let choice = |first: bool| if first { x } else { y };
        match op {
            Binary::Fadd => self.round(a + b),
            Binary::Fsub => self.round(a - b),
            Binary::Fmul => self.round(a * b),
            Binary::Fdiv => self.round(a / b),
            Binary::Fmin => choice(a < b),
            Binary::Fmax => choice(a > b),
            Binary::Flt => mask(a < b),
            Binary::Fle => mask(a <= b),
            Binary::Feq => mask(a == b),
            Binary::Iadd => (i + j) as u32,
            Binary::Isub => (i - j) as u32,
            Binary::Imul => (m * n) as u32,
            Binary::UmulHigh => ((m * n) >> 32) as u32,
            Binary::Idiv => i.checked_div(j).unwrap_or(0) as u32,
            Binary::Udiv => m.checked_div(n).unwrap_or(u64::MAX) as u32,
            Binary::Irem => i.checked_rem(j).unwrap_or(-1) as u32,
            Binary::Urem => m.checked_rem(n).unwrap_or(u64::MAX) as u32,
            Binary::Imin => choice(i < j),
            Binary::Imax => choice(i > j),
            Binary::Umin => choice(m < n),
            Binary::Umax => choice(m > n),
            Binary::LeftBy => (m << (n % 32)) as u32,
            Binary::RightUnsignedBy => (m >> (n % 32)) as u32,
            Binary::RightSignedBy => (i >> (n % 32)) as u32,
            Binary::And => x & y,
            Binary::Or => x | y,
            Binary::Xor => x ^ y,
            Binary::Ilt => mask(i < j),
            Binary::Ult => mask(m < n),
            Binary::Ieq => mask(x == y),
        }
    }

    /// Evaluates a function of one block: `words` becomes the results of its nodes. `read` has the words of operations that
    /// compute nothing.
    pub(crate) fn evaluate(
        &self,
        function: &Function,
        words: &mut Vec<u32>,
        read: impl Fn(Op) -> Option<u32>,
    ) {
        words.clear();
        words.resize(function.nodes.len(), 0);
        let lists = [&function.uniform, &function.row, &function.blocks[0].body];
        for value in lists.into_iter().flatten() {
            let node = function.node(*value);
            let of = |value: &Value| words[value.0 as usize];
            let mut operands = [0; 3];
            for (word, value) in operands.iter_mut().zip(node.operands.iter()) {
                *word = of(value);
            }
            let is_store = matches!(node.op, Op::Store(_));
            let given = if is_store {
                Some(operands[0])
            } else {
                read(node.op)
            };
            let result = given.unwrap_or_else(|| self.result(node.op, &operands));
            words[value.0 as usize] = result;
        }
    }
}

/// The results that a function stores.
pub(crate) fn stored(function: &Function) -> Vec<Value> {
    let body = function.blocks[0].body.iter();
    let stores = body.filter(|&&value| matches!(function.node(value).op, Op::Store(_)));
    stores
        .map(|&value| function.node(value).operands[0])
        .collect()
}
