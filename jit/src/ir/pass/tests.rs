//! Random functions of floats: what the passes make of them stores the same. Those of a format of few bits are evaluated for
//! all floats, so that little hides.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use super::{Trace, rebuild, simplify};
use crate::abi::{Constant, Slot};
use crate::constants::Terms;
use crate::emit::tests::Maker;
use crate::float::FloatFormat;
use crate::ir::tests::plain::{E4M3, Plain, is_same, stored};
use crate::ir::{Binary, Function, Op, Type, Unary, Value};
use crate::specialisation::Specialisation;

/// Random numbers, the same in every run.
struct Random(ChaCha8Rng);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.next_u32() as usize % limit
    }

    fn is_one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// The operands that the next operation may have.
struct Made<'a> {
    maker: Maker,
    random: &'a mut Random,
    /// Literals are some of these.
    words: &'a [u32],
    floats: Vec<Value>,
    masks: Vec<Value>,
}

const CONSTANTS: [Constant; 2] = [
    Constant {
        index: 0,
        component: 0,
    },
    Constant {
        index: 1,
        component: 0,
    },
];

impl Made<'_> {
    fn unary(&mut self, op: Unary, a: Value) -> Value {
        self.maker.push(Op::Unary(op), [a])
    }

    fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.maker.push(Op::Binary(op), [a, b])
    }

    fn literal(&mut self, value: f32) -> Value {
        self.maker.bits(value.to_bits(), Type::F32)
    }

    /// A power of two: near 1 or the ends of the format, or about the least whose sums with denormals are no denormals.
    fn power(&mut self) -> Value {
        let format = self.maker.function.format;
        let exponent = match self.random.below(5) {
            0 => format.normal() + self.random.below(3) as i32,
            1 => format.above - 2,
            2 => format.normal() + format.absorbs() + 1 - self.random.below(4) as i32,
            _ => self.random.below(8) as i32 - 4,
        };
        self.literal(2f32.powi(exponent))
    }

    fn any_literal(&mut self) -> Value {
        let word = self.random.of(self.words);
        self.maker.bits(word, Type::F32)
    }

    /// One of the last few.
    fn recent(&mut self) -> Value {
        let last = 1 + self.random.below(6).min(self.floats.len() - 1);
        self.floats[self.floats.len() - last]
    }

    fn any(&mut self) -> Value {
        self.random.of(&self.floats)
    }

    fn mask(&mut self, x: Value) -> Value {
        let factor = self.power();
        let term = self.any();
        let x = match self.random.below(5) {
            0 => self.binary(Binary::Fmul, x, factor),
            1 => self.binary(Binary::Fadd, x, x),
            2 => self.binary(Binary::Fdiv, factor, x),
            3 => self.binary(Binary::Fsub, x, term),
            _ => x,
        };
        let other = match self.random.below(4) {
            0 => self.literal(0.0),
            1 => self.literal(-0.0),
            2 => self.floats[2 + self.random.below(4)],
            _ => self.any(),
        };
        let [x, other] = self.random.of(&[[x, other], [other, x]]);
        let op = self.random.of(&[Binary::Flt, Binary::Fle, Binary::Feq]);
        let mask = self.binary(op, x, other);
        let mask = if self.random.is_one_in(5) {
            self.unary(Unary::Not, mask)
        } else {
            mask
        };
        if self.masks.is_empty() || !self.random.is_one_in(4) {
            return mask;
        }
        let earlier = self.random.of(&self.masks);
        let op = self.random.of(&[Binary::And, Binary::Or, Binary::Xor]);
        self.binary(op, mask, earlier)
    }

    fn operation(&mut self) -> Value {
        let [mut x, mut y] = [self.recent(), self.any()];
        if self.random.is_one_in(4) {
            [x, y] = [y, x];
        }
        if self.random.is_one_in(6) {
            let op = self.random.of(&[Unary::Fneg, Unary::Fabs]);
            x = self.unary(op, x);
        }
        match self.random.below(19) {
            0..3 => {
                let op = self.random.of(&[Binary::Fadd, Binary::Fsub]);
                self.binary(op, x, y)
            }
            3 => {
                let op = self.random.of(&[Binary::Fadd, Binary::Fsub]);
                let power = self.power();
                self.binary(op, x, power)
            }
            4 => self.binary(Binary::Fadd, x, x),
            5 => self.binary(Binary::Fmul, x, x),
            6 | 7 => self.binary(Binary::Fmul, x, y),
            8 | 9 => {
                let factor = self.power();
                self.binary(Binary::Fmul, x, factor)
            }
            10 => {
                let factor = self.any_literal();
                self.binary(Binary::Fmul, x, factor)
            }
            11 => {
                let op = self.random.of(&[Binary::Fmin, Binary::Fmax]);
                self.binary(op, x, y)
            }
            12 => {
                use Unary::{Ceil, Floor, Nearest, TowardZero};
                let op = self.random.of(&[Floor, Ceil, Nearest, TowardZero]);
                self.unary(op, x)
            }
            13 => {
                let whole = self.unary(Unary::Trunc, x);
                self.unary(Unary::ToF32, whole)
            }
            14 => {
                let magnitude = self.unary(Unary::Fabs, x);
                let of = self.random.of(&[x, magnitude]);
                self.unary(Unary::Sqrt, of)
            }
            15 => self.binary(Binary::Fdiv, x, y),
            16 => {
                let addend = self.any();
                self.maker.push(Op::Fma, [x, y, addend])
            }
            _ => {
                let mask = self.mask(x);
                self.masks.push(mask);
                let [a, b] = [self.any(), self.any()];
                self.maker.push(Op::Select, [mask, a, b])
            }
        }
    }

    /// A result as the CTM path has it, or in part.
    fn result(&mut self, mut value: Value) -> Value {
        if !self.random.is_one_in(3) {
            let op = if self.random.is_one_in(12) {
                Unary::FlushToPlus
            } else {
                Unary::Flush
            };
            value = self.unary(op, value);
        }
        if self.random.is_one_in(5) {
            let factor = self.power();
            value = self.binary(Binary::Fmul, value, factor);
            value = self.unary(Unary::Flush, value);
        }
        if self.random.is_one_in(6) {
            let [zero, one] = [0.0, 1.0].map(|bound| self.literal(bound));
            value = self.binary(Binary::Fmin, one, value);
            value = self.binary(Binary::Fmax, zero, value);
        }
        if self.random.is_one_in(3) {
            value = self.unary(Unary::OneNan, value);
        }
        value
    }
}

/// A function of two inputs and two constants that stores two results.
fn function(random: &mut Random, plain: &Plain, words: &[u32]) -> Function {
    let mut maker = Maker::new();
    maker.function.format = plain.format;
    let inputs = [0, 1].map(|reg| maker.input(reg, Type::F32));
    let constants = CONSTANTS.map(|constant| maker.uniform(Op::Uniform(constant), Type::F32));
    let mut made = Made {
        maker,
        random,
        words,
        floats: [inputs, constants].concat(),
        masks: Vec::new(),
    };
    for _ in 0..3 {
        let literal = made.any_literal();
        made.floats.push(literal);
    }
    for _ in 0..2 + made.random.below(9) {
        let value = made.operation();
        let value = made.result(value);
        made.floats.push(value);
    }
    for reg in 0..2 {
        let seen = made.recent();
        let seen = match made.random.below(5) {
            0 => {
                let whole = made.unary(Unary::Trunc, seen);
                made.unary(Unary::FromBits, whole)
            }
            1 => made.unary(Unary::Flush, seen),
            2 => made.unary(Unary::Fneg, seen),
            _ => seen,
        };
        made.maker.output(reg, seen);
    }
    made.maker.function
}

/// The function after the passes that need to know floats.
fn simplified(function: &Function, known: Specialisation<'_>) -> Function {
    let mut function = function.clone();
    rebuild::rebuild(&mut function, true);
    simplify(&mut function, known, &Trace::default());
    function
}

fn flushes(function: &Function) -> usize {
    let body = function.blocks[0].body.iter();
    let ops = body.map(|&value| function.node(value).op);
    ops.filter(|&op| matches!(op, Op::Unary(Unary::Flush | Unary::FlushToPlus)))
        .count()
}

/// Fails where two functions do not store the same, and shows them.
fn assert_same(
    plain: &Plain,
    functions: [&Function; 2],
    constants: [u32; 2],
    inputs: impl Iterator<Item = [u32; 2]>,
) {
    let outputs = functions.map(stored);
    let mut words = [Vec::new(), Vec::new()];
    for inputs in inputs {
        for (function, words) in functions.into_iter().zip(&mut words) {
            plain.evaluate(function, words, |op| {
                if let Op::Uniform(constant) = op {
                    return Some(constants[usize::from(constant.index)]);
                }
                let Op::Load(Slot::Input { reg, .. }) = op else {
                    return None;
                };
                Some(inputs[usize::from(reg)])
            });
        }
        for (before, after) in outputs[0].iter().zip(&outputs[1]) {
            let [expected, actual] = [words[0][before.0 as usize], words[1][after.0 as usize]];
            // Words that are no floats may look like a NaN.
            let is_float = functions[0].node(*before).op != Op::Unary(Unary::FromBits);
            assert!(
                expected == actual || is_float && is_same(expected, actual),
                "{inputs:x?}, {constants:x?}: {actual:x}, not {expected:x} by\n{}\nand\n{}",
                functions[0],
                functions[1]
            );
        }
    }
}

/// Constants that are plain or any floats.
fn constants(random: &mut Random, words: &[u32]) -> [u32; 2] {
    let plain = [1.0f32, 0.5, 3.0, -0.75, 0.0, 0.25, -2.0].map(f32::to_bits);
    let is_plain = random.is_one_in(2);
    [0, 1].map(|_| random.of(if is_plain { &plain } else { words }))
}

/// Makes functions of a format and tries each on pairs of inputs, of which the first is each of some words. Returns how many
/// flushes there were before and after.
fn try_functions(
    format: FloatFormat,
    functions: usize,
    mut first: impl FnMut(&mut Random, &[u32]) -> Vec<u32>,
) -> [usize; 2] {
    let plain = Plain::new(format);
    let words = plain.floats();
    let is_finite = |word: &u32| f32::from_bits(*word).is_finite();
    let finite: Vec<u32> = words.iter().copied().filter(is_finite).collect();
    let mut random = Random(ChaCha8Rng::seed_from_u64(0));
    let mut counts = [0; 2];
    for _ in 0..functions {
        let before = function(&mut random, &plain, &finite);
        let constants = constants(&mut random, &words);
        let terms = Terms::new(&CONSTANTS, &CONSTANTS[random.below(3).min(1)..]);
        let word = |constant: Constant| constants[usize::from(constant.index)];
        let sizes = match random.is_one_in(2) {
            true => terms.bounds_of(word),
            false => terms.sizes_of(word),
        };
        let known = Specialisation {
            constants: terms.known(sizes),
            ..Specialisation::default()
        };
        let after = simplified(&before, known);
        counts[0] += flushes(&before);
        counts[1] += flushes(&after);
        let first = first(&mut random, &words);
        let inputs = first
            .iter()
            .flat_map(|&x| [x; 2])
            .map(|x| [x, random.of(&words)]);
        assert_same(&plain, [&before, &after], constants, inputs);
    }
    counts
}

#[test]
fn functions_of_8_bit_floats_store_the_same() {
    let [before, after] = try_functions(E4M3, 6000, |_, words| words.to_vec());
    assert!(after < before / 2, "{after} flushes of {before}");
}

#[test]
fn functions_of_binary32_store_the_same() {
    let some = |random: &mut Random, words: &[u32]| (0..40).map(|_| random.of(words)).collect();
    let [before, after] = try_functions(FloatFormat::BINARY32, 2000, some);
    assert!(after < before / 2, "{after} flushes of {before}");
}
