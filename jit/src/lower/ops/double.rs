//! Operations on f64, which are pairs of components.

use attila_isa::{Component, DoubleOp as Row, Inst, Operand};
use attila_machine::arith::Arith;

use crate::ir::{Binary, Builder, Compare, Compute, DoubleOp, Half, Op, Value, Word};
use crate::lower::Lower;

use Component::{W, X, Y, Z};

/// Low words and high words.
type Pair = [Value; 2];

/// The components of pairs.
const PAIRS: [[Component; 2]; 2] = [[X, Y], [Z, W]];

const SIGN: i32 = i32::MIN;
/// The bits of an exponent in a high word, and where they begin.
const EXPONENT: i32 = 0x7ff0_0000;
const EXPONENT_SHIFT: u32 = 20;
/// High words of numbers whose low words are 0.
const ONE: i32 = 0x3ff0_0000;
const HALF: i32 = 0x3fe0_0000;
const TWO_TO_31: i32 = 0x41e0_0000;
const TWO_TO_32: i32 = 0x41f0_0000;
const TWO_TO_54: i32 = 0x4350_0000;
/// 2^52 + 2^51: added to a small integer, it leaves that integer's low 32 bits in the low word.
const WHOLE: i32 = 0x4338_0000;

/// The f64 with this high word, and 0 below it.
fn number(b: &mut Builder, high: i32) -> Pair {
    [b.i32(0), b.i32(high)]
}

/// The f64 of each half, of which words are parts.
fn halves(b: &mut Builder, [low, high]: Pair) -> [Value; 2] {
    Half::ALL.map(|half| b.push(Op::Double(DoubleOp::Join(half)), [low, high]))
}

/// The words of what an operation made of each half. They are observed, and so is the payload of NaN.
fn words(b: &mut Builder, halves: [Value; 2]) -> Pair {
    let settle = Op::Double(DoubleOp::Compute(Compute::Settle));
    let [first, second] = halves.map(|half| b.push(settle, [half]));
    [Word::Low, Word::High].map(|word| b.push(Op::Double(DoubleOp::Word(word)), [first, second]))
}

/// An operation whose result is f64.
fn double<const N: usize>(b: &mut Builder, op: Compute, operands: [Pair; N]) -> Pair {
    let operands = operands.map(|pair| halves(b, pair));
    let results = [0, 1].map(|half| {
        let operands = operands.map(|operand| operand[half]);
        b.push(Op::Double(DoubleOp::Compute(op)), operands)
    });
    words(b, results)
}

/// A comparison.
fn compare(b: &mut Builder, op: Compare, x: Pair, y: Pair) -> Value {
    let ([x1, x2], [y1, y2]) = (halves(b, x), halves(b, y));
    b.push(Op::Double(DoubleOp::Compare(op)), [x1, x2, y1, y2])
}

/// The nearest f32.
fn nearest(b: &mut Builder, a: Pair) -> Value {
    let halves = halves(b, a);
    b.push(Op::Double(DoubleOp::ToF32), halves)
}

/// `x != y`, true with NaN.
fn not_equal(b: &mut Builder, x: Pair, y: Pair) -> Value {
    let equal = compare(b, Compare::Eq, x, y);
    b.invert(equal)
}

/// `mask ? x : y`.
fn choose(b: &mut Builder, mask: Value, x: Pair, y: Pair) -> Pair {
    [0, 1].map(|word| b.choose(mask, x[word], y[word]))
}

/// `a - floor(a)`.
fn fraction(b: &mut Builder, a: Pair) -> Pair {
    let whole = double(b, Compute::Floor, [a]);
    double(b, Compute::Sub, [a, whole])
}

/// `1 / a`.
fn reciprocal(b: &mut Builder, a: Pair) -> Pair {
    let one = number(b, ONE);
    double(b, Compute::Div, [one, a])
}

/// 1, -1, or +0 for zeros and NaN.
fn sign(b: &mut Builder, a: Pair) -> Pair {
    let zero = number(b, 0);
    let below = compare(b, Compare::Lt, a, zero);
    let above = compare(b, Compare::Lt, zero, a);
    let (one, minus_one) = (number(b, ONE), number(b, SIGN | ONE));
    let not_below = choose(b, above, one, zero);
    choose(b, below, minus_one, not_below)
}

/// An f64 taken apart.
struct Parts {
    /// 0.5 to 1 in magnitude; the number itself if it is 0, infinite or NaN.
    mantissa: Pair,
    /// As an integer.
    exponent: Value,
}

fn parts(b: &mut Builder, a: Pair) -> Parts {
    let (field, none) = (b.i32(EXPONENT), b.i32(0));
    let own = b.iand(a[1], field);
    // Denormal numbers are scaled first, which is exact.
    let (is_small, scale) = (b.ieq(own, none), number(b, TWO_TO_54));
    let scaled = double(b, Compute::Mul, [a, scale]);
    let normal = choose(b, is_small, scaled, a);
    let raised = b.iand(normal[1], field);
    let raised = b.shr_u(raised, EXPONENT_SHIFT);
    let (bias, bias_of_scaled) = (b.i32(1022), b.i32(1022 + 54));
    let bias = b.iselect(is_small, bias_of_scaled, bias);
    let exponent = b.isub(raised, bias);
    let (rest, half) = (b.i32(!EXPONENT), b.i32(HALF));
    let high = b.iand(normal[1], rest);
    let high = b.binary(Binary::Or, high, half);
    // Infinities and NaN have the greatest exponent.
    let zero = number(b, 0);
    let is_zero = compare(b, Compare::Eq, a, zero);
    let is_great = b.ieq(own, field);
    let is_special = b.binary(Binary::Or, is_zero, is_great);
    Parts {
        mantissa: choose(b, is_special, a, [normal[0], high]),
        exponent: b.iselect(is_special, none, exponent),
    }
}

/// `a * 2^exponent` by three products, of which at most one rounds: a step down leaves 53 bits of
/// exponent for the next.
fn scaled(b: &mut Builder, a: Pair, exponent: Value) -> Pair {
    const LEAST: i32 = -1022;
    const GREATEST: i32 = 1023;
    let (mut product, mut rest) = (a, exponent);
    let (least, greatest, step_down) = (b.i32(LEAST), b.i32(GREATEST), b.i32(LEAST + 53));
    for last in [false, false, true] {
        let below = b.ilt(rest, least);
        let low = if last { least } else { step_down };
        let limited = b.binary(Binary::Imin, rest, greatest);
        let power = b.iselect(below, low, limited);
        rest = b.isub(rest, power);
        let bias = b.i32(GREATEST);
        let high = b.iadd(power, bias);
        let high = b.shl(high, EXPONENT_SHIFT);
        let low = b.i32(0);
        product = double(b, Compute::Mul, [product, [low, high]]);
    }
    product
}

/// The low 32 bits of the integer part of a number below 2^51 in magnitude.
fn whole(b: &mut Builder, a: Pair) -> Value {
    let whole = double(b, Compute::TowardZero, [a]);
    let magic = number(b, WHOLE);
    let [low, _] = double(b, Compute::Add, [whole, magic]);
    low
}

/// A signed integer: the smallest for NaN and out of range.
fn to_signed(b: &mut Builder, a: Pair) -> Value {
    let (end, low) = (number(b, TWO_TO_31), number(b, SIGN | TWO_TO_31));
    let (below, above) = (
        compare(b, Compare::Lt, a, end),
        compare(b, Compare::Le, low, a),
    );
    let fits = b.binary(Binary::And, below, above);
    let (whole, smallest) = (whole(b, a), b.i32(i32::MIN));
    b.iselect(fits, whole, smallest)
}

/// An unsigned integer: 0 for NaN and below 1, all bits from 2^32 on.
fn to_unsigned(b: &mut Builder, a: Pair) -> Value {
    let (zero, end) = (number(b, 0), number(b, TWO_TO_32));
    let is_positive = compare(b, Compare::Lt, zero, a);
    let fits = compare(b, Compare::Lt, a, end);
    let (whole, all, none) = (whole(b, a), b.i32(-1), b.i32(0));
    let limited = b.iselect(fits, whole, all);
    b.iselect(is_positive, limited, none)
}

/// Exact: 2^31 more than a signed integer.
fn from_unsigned(b: &mut Builder, a: Value) -> Pair {
    let sign = b.i32(SIGN);
    let shifted = b.ixor(a, sign);
    let signed = from_word(b, DoubleOp::OfI32, shifted);
    let half = number(b, TWO_TO_31);
    double(b, Compute::Add, [signed, half])
}

/// A conversion from a word.
fn from_word(b: &mut Builder, op: fn(Half) -> DoubleOp, word: Value) -> Pair {
    let halves = Half::ALL.map(|half| b.push(Op::Double(op(half)), [word]));
    words(b, halves)
}

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn double_op(&mut self, op: Row, inst: &Inst) {
        match op {
            Row::Dadd => self.doubles2(inst, |b, x, y| double(b, Compute::Add, [x, y])),
            Row::Dmul => self.doubles2(inst, |b, x, y| double(b, Compute::Mul, [x, y])),
            Row::Ddiv => self.doubles2(inst, |b, x, y| double(b, Compute::Div, [x, y])),
            Row::Dmad => self.doubles3(inst, |b, x, y, z| {
                let product = double(b, Compute::Mul, [x, y]);
                double(b, Compute::Add, [product, z])
            }),
            Row::Dfma => self.doubles3(inst, |b, x, y, z| double(b, Compute::Fma, [x, y, z])),
            Row::Dmin => self.doubles2(inst, |b, x, y| {
                let less = compare(b, Compare::Lt, x, y);
                choose(b, less, x, y)
            }),
            Row::Dmax => self.doubles2(inst, |b, x, y| {
                let greater = compare(b, Compare::Lt, y, x);
                choose(b, greater, x, y)
            }),
            Row::Drcp => self.doubles1(inst, reciprocal),
            Row::Dsqrt => self.doubles1(inst, |b, a| double(b, Compute::Sqrt, [a])),
            Row::Drsq => self.doubles1(inst, |b, a| {
                let root = double(b, Compute::Sqrt, [a]);
                reciprocal(b, root)
            }),
            Row::Dfrac => self.doubles1(inst, fraction),
            Row::Dflr => self.doubles1(inst, |b, a| double(b, Compute::Floor, [a])),
            Row::Dceil => self.doubles1(inst, |b, a| double(b, Compute::Ceil, [a])),
            Row::Dtrunc => self.doubles1(inst, |b, a| double(b, Compute::TowardZero, [a])),
            Row::Dround => self.doubles1(inst, |b, a| double(b, Compute::Nearest, [a])),
            Row::Dssg => self.doubles1(inst, sign),
            Row::Dldexp => self.dldexp(inst),
            Row::Dfrexpm => self.doubles1(inst, |b, a| parts(b, a).mantissa),
            Row::Dfrexpe => self.narrow(inst, |b, a| parts(b, a).exponent),
            Row::Dseq => self.double_mask(inst, |b, x, y| compare(b, Compare::Eq, x, y)),
            Row::Dsne => self.double_mask(inst, not_equal),
            Row::Dslt => self.double_mask(inst, |b, x, y| compare(b, Compare::Lt, x, y)),
            Row::Dsge => self.double_mask(inst, |b, x, y| compare(b, Compare::Le, y, x)),
            Row::F2d => self.pairs(inst, |l, pair| {
                let a = l.float(inst, 0, PAIRS[0][pair]);
                from_word(&mut l.b, DoubleOp::OfF32, a)
            }),
            Row::I2d => self.pairs(inst, |l, pair| {
                let a = l.int(inst, 0, PAIRS[0][pair]);
                from_word(&mut l.b, DoubleOp::OfI32, a)
            }),
            Row::U2d => self.pairs(inst, |l, pair| {
                let a = l.int(inst, 0, PAIRS[0][pair]);
                from_unsigned(&mut l.b, a)
            }),
            Row::D2f => self.narrow(inst, nearest),
            Row::D2i => self.narrow(inst, to_signed),
            Row::D2u => self.narrow(inst, to_unsigned),
        }
    }

    /// Slot x of the second operand is the exponent of the first pair, slot z that of the second.
    fn dldexp(&mut self, inst: &Inst) {
        self.pairs(inst, |l, pair| {
            let a = l.double(inst, 0, pair);
            let exponent = l.int(inst, 1, PAIRS[pair][0]);
            scaled(&mut l.b, a, exponent)
        });
    }

    /// A comparison, the same mask in both words.
    fn double_mask(&mut self, inst: &Inst, f: impl Fn(&mut Builder, Pair, Pair) -> Value) {
        self.doubles2(inst, |b, x, y| [f(b, x, y); 2]);
    }

    /// `f` of each f64 of one operand.
    fn doubles1(&mut self, inst: &Inst, f: impl Fn(&mut Builder, Pair) -> Pair) {
        self.pairs(inst, |l, pair| {
            let a = l.double(inst, 0, pair);
            f(&mut l.b, a)
        });
    }

    /// `f` of the f64 of two operands.
    fn doubles2(&mut self, inst: &Inst, f: impl Fn(&mut Builder, Pair, Pair) -> Pair) {
        self.pairs(inst, |l, pair| {
            let [x, y] = [0, 1].map(|number| l.double(inst, number, pair));
            f(&mut l.b, x, y)
        });
    }

    /// `f` of the f64 of three operands.
    fn doubles3(&mut self, inst: &Inst, f: impl Fn(&mut Builder, Pair, Pair, Pair) -> Pair) {
        self.pairs(inst, |l, pair| {
            let [x, y, z] = [0, 1, 2].map(|number| l.double(inst, number, pair));
            f(&mut l.b, x, y, z)
        });
    }

    /// Writes the words that `compute` gives for each pair of the mask, by its number.
    fn pairs(&mut self, inst: &Inst, compute: impl Fn(&mut Self, usize) -> Pair) {
        let written = inst.written();
        let results = [0, 1].map(|pair| {
            let wanted = written.has(PAIRS[pair][0]);
            wanted.then(|| compute(self, pair))
        });
        self.write(inst, |_, c| {
            let pair = results[c.index() / 2].expect("masks are of pairs");
            pair[c.index() % 2]
        });
    }

    /// Writes the words that `compute` gives for the first and the second f64 to the first and the
    /// second component of the mask.
    fn narrow(&mut self, inst: &Inst, compute: impl Fn(&mut Builder, Pair) -> Value) {
        let mut pair = 0;
        self.write(inst, |l, _| {
            let a = l.double(inst, 0, pair);
            pair += 1;
            compute(&mut l.b, a)
        });
    }

    /// An f64 of operand `number`, with its modifiers.
    fn double(&mut self, inst: &Inst, number: usize, pair: usize) -> Pair {
        let Operand::Reg(src) = inst.operands[number] else {
            unreachable!("operand {number} of {} is a register", inst.op)
        };
        let [low, mut high] = PAIRS[pair].map(|slot| {
            let word = self.component(inst, &src, slot);
            self.b.as_i32(word)
        });
        if src.modifiers.absolute {
            let magnitude = self.b.i32(!SIGN);
            high = self.b.iand(high, magnitude);
        }
        if src.modifiers.negate {
            let sign = self.b.i32(SIGN);
            high = self.b.ixor(high, sign);
        }
        [low, high]
    }
}
