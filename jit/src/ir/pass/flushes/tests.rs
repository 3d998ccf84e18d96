//! Random functions of floats, evaluated before and after the pass on numbers that tell the most.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use super::*;
use crate::abi::{Constant, Slot};
use crate::constants::{Sizes, Terms};
use crate::ir::{Builder, Terminator, Type, Value, eval};

/// Random numbers, the same in every run.
struct Random(ChaCha8Rng);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.next_u32() as usize % limit
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A power of two about the least whose sums with denormals are no denormals.
    fn scale(&mut self) -> u32 {
        (20 + self.below(14) as u32) << 23
    }

    /// Near a number, or near half a unit in its last place.
    fn beside(&mut self, word: u32) -> u32 {
        let by = [0, 22, 23, 24, 25, 26, 0][self.below(7)] << 23;
        let magnitude = (word & !SIGN).saturating_sub(by);
        let magnitude = (magnitude + self.below(3) as u32).saturating_sub(self.below(3) as u32);
        magnitude | self.of(&[0, SIGN])
    }

    /// Near a power of two, or 0; often a denormal or little more, at times near the greatest number.
    fn number(&mut self) -> u32 {
        let exponent = match self.below(9) {
            0..2 => 0,
            2..4 => 1 + self.below(3),
            4..6 => 20 + self.below(110),
            6 => 248 + self.below(7),
            _ => self.below(152),
        };
        let fraction = self.of(&[0, 0, 1, 2, FRACTION, FRACTION - 1, FRACTION / 2, 0x2b_cdef]);
        self.of(&[0, SIGN]) | (exponent as u32) << 23 | fraction
    }
}

const SIGN: u32 = 1 << 31;
const FRACTION: u32 = 0x007f_ffff;

/// A function of random operations on inputs, constants and these literals, and its outputs.
fn function(random: &mut Random, literals: [u32; 2]) -> Function {
    let mut b = Builder::new();
    let mut floats: Vec<Value> = (0..4).map(|n| b.load(input(n))).collect();
    floats.extend([0, 1].map(|index| {
        let constant = Constant {
            index,
            component: 0,
        };
        b.push_as(Op::Uniform(constant), [], Type::F32)
    }));
    for word in literals {
        floats.push(b.bits(word, Type::F32));
    }
    if random.below(4) == 0 {
        // A sum of a flushed value, and a sum of that.
        let flushed = b.unary(Unary::Flush, floats[0]);
        let sum = b.binary(Binary::Fadd, flushed, floats[1]);
        floats.push(b.binary(Binary::Fadd, sum, floats[7]));
    }
    if random.below(4) == 0 {
        // A product of a flushed value with a constant, and a sum of that with the other.
        let flushed = b.unary(Unary::Flush, floats[2]);
        let product = b.binary(Binary::Fmul, flushed, floats[4]);
        floats.push(b.binary(Binary::Fadd, product, floats[5]));
    }
    if random.below(4) == 0 {
        let scaled = scaled(&mut b, random, [floats[0], floats[1], floats[7]]);
        floats.push(scaled);
    }
    for _ in 0..3 + random.below(9) {
        let recent = &floats[floats.len().saturating_sub(1 + random.below(7))..];
        let (x, y) = (random.of(recent), random.of(&floats));
        let value = operation(&mut b, random, x, y);
        // Mostly as the path has it.
        let is_flushed = random.below(4) > 0;
        let value = if is_flushed {
            b.unary(Unary::Flush, value)
        } else {
            value
        };
        floats.push(value);
    }
    for n in 0..2 {
        let seen = floats[floats.len() - 1 - random.below(4)];
        let seen = match random.below(3) {
            0 => b.unary(Unary::Trunc, seen),
            1 => b.unary(Unary::Flush, seen),
            _ => seen,
        };
        let seen = b.as_f32(seen);
        b.store(
            Slot::Output {
                reg: 0,
                component: n,
            },
            seen,
        );
    }
    b.close(Terminator::Done);
    b.finish()
}

fn input(n: u8) -> Slot {
    Slot::Input {
        reg: 0,
        component: n,
    }
}

/// Factors and bounds; the last is a denormal.
const LITERALS: [f32; 10] = [
    2.0,
    0.5,
    0.75,
    f32::EPSILON * f32::EPSILON,
    -3.0,
    255.0,
    0.0,
    1e-5,
    f32::MIN_POSITIVE,
    f32::MIN_POSITIVE / 2.0,
];

fn operation(b: &mut Builder, random: &mut Random, x: Value, y: Value) -> Value {
    let literal = b.bits(random.of(&LITERALS).to_bits(), Type::F32);
    match random.below(12) {
        0..4 => b.binary(random.of(&[Binary::Fadd, Binary::Fsub]), x, y),
        4 => b.binary(Binary::Fmul, x, y),
        5 => b.binary(Binary::Fmul, x, literal),
        6 => b.binary(Binary::Fadd, x, x),
        7 => b.binary(random.of(&[Binary::Fmin, Binary::Fmax]), x, y),
        8 => b.unary(
            random.of(&[Unary::Fneg, Unary::Fabs, Unary::Nearest, Unary::Floor]),
            x,
        ),
        9 => b.binary(Binary::Fmul, x, x),
        10 => {
            let magnitude = b.unary(Unary::Fabs, x);
            b.unary(Unary::Sqrt, magnitude)
        }
        _ => {
            let mask = comparison(b, random, [literal, y]);
            b.choose(mask, x, y)
        }
    }
}

/// A product with two literals, of a number that is a multiple of 1, of `least` or of less, or what is chosen by
/// whether that is above zero.
fn scaled(b: &mut Builder, random: &mut Random, [x, y, least]: [Value; 3]) -> Value {
    let flushed = b.unary(Unary::Flush, x);
    let whole = b.unary(Unary::Floor, x);
    let factors = [0, 1].map(|_| b.bits(random.of(&LITERALS).to_bits(), Type::F32));
    let small = b.binary(Binary::Fmul, whole, least);
    let of = random.of(&[x, flushed, whole, small]);
    let [once, twice] = factors.map(|factor| b.binary(Binary::Fmul, of, factor));
    let product = b.binary(Binary::Fmul, once, factors[1]);
    if random.below(2) == 0 {
        return product;
    }
    let zero = b.bits(0, Type::F32);
    let mask = comparison(b, random, [twice, zero]);
    b.choose(mask, y, flushed)
}

fn comparison(b: &mut Builder, random: &mut Random, [x, y]: [Value; 2]) -> Value {
    let [x, y] = random.of(&[[x, y], [y, x]]);
    b.binary(random.of(&[Binary::Flt, Binary::Fle, Binary::Feq]), x, y)
}

/// The words that a function stores.
fn stored(function: &Function, inputs: [u32; 4], constants: [u32; 2]) -> Vec<u32> {
    let mut words = vec![0; function.nodes.len()];
    let lists = [&function.uniform, &function.row, &function.blocks[0].body];
    let mut stored = Vec::new();
    for value in lists.into_iter().flatten() {
        let node = function.node(*value);
        let of = |value: Value| words[value.0 as usize];
        words[value.0 as usize] = match (node.op, &*node.operands) {
            (Op::Const(bits), _) => bits,
            (Op::Uniform(constant), _) => constants[usize::from(constant.index)],
            (Op::Load(Slot::Input { component, .. }), _) => inputs[usize::from(component)],
            (Op::Unary(op), &[a]) => eval::unary(function.format, op, of(a)),
            (Op::Binary(op), &[a, b]) => eval::binary(function.format, op, of(a), of(b)),
            (Op::Select, &[mask, a, _]) if of(mask) != 0 => of(a),
            (Op::Select, &[_, _, b]) => of(b),
            (Op::Store(_), &[a]) => {
                stored.push(of(a));
                0
            }
            (op, _) => unreachable!("{op:?} is not made"),
        };
    }
    stored
}

#[test]
fn what_is_removed_makes_no_difference() {
    let mut random = Random(ChaCha8Rng::seed_from_u64(0));
    let mut removed = [0; 2];
    for _ in 0..20_000 {
        let literals = [0, 1].map(|_| random.scale());
        let before = function(&mut random, literals);
        let mut constants = [0, 1].map(|_| random.number());
        if random.below(2) == 0 {
            // Greater than what tests with small numbers would have.
            let greater = [
                1.0,
                -0.0625,
                0.75,
                3.0,
                0.1,
                f32::exp2(120.0),
                f32::exp2(100.0),
            ];
            constants = [0, 1].map(|_| random.of(&greater).to_bits());
        }
        let all = [0, 1].map(|index| Constant {
            index,
            component: 0,
        });
        let terms = Terms::new(&all, &all[random.below(3).min(1)..]);
        let sizes = terms.sizes_of(|constant| constants[usize::from(constant.index)]);
        let mut after = before.clone();
        let known = Specialisation {
            constants: terms.known(sizes),
            ..Specialisation::default()
        };
        remove(&mut after, known);
        let flushes = |function: &Function| {
            let mut used = function.clone();
            super::super::dead::remove(&mut used);
            let bodies = used.blocks[0].body.iter().chain(&used.uniform);
            bodies
                .filter(|it| used.node(**it).op == Op::Unary(Unary::Flush))
                .count()
        };
        removed[usize::from(sizes != Sizes::ANY)] += flushes(&before) - flushes(&after);
        for _ in 0..20 {
            let inputs = [literals[0], literals[1], constants[0], constants[1]].map(|word| {
                match random.below(2) {
                    0 => random.beside(word),
                    _ => random.number(),
                }
            });
            let [expected, actual] = [&before, &after].map(|it| stored(it, inputs, constants));
            let is_same = |(a, b): (&u32, &u32)| {
                let is_nan = |bits: u32| f32::from_bits(bits).is_nan();
                a == b || is_nan(*a) && is_nan(*b)
            };
            assert!(
                expected.iter().zip(&actual).all(is_same),
                "{inputs:x?}, {constants:x?}: {actual:x?}, not {expected:x?} by\n{before}\nand\n{after}"
            );
        }
    }
    assert!(removed.iter().all(|&count| count > 1000), "{removed:?}");
}

#[test]
fn a_flushed_constant_is_known_to_be_as_small_as_the_constant() {
    let constant = Constant {
        index: 0,
        component: 0,
    };
    let flushes = |factor: f32| {
        let mut b = Builder::new();
        let number = b.load(input(0));
        let uniform = b.push_as(Op::Uniform(constant), [], Type::F32);
        let [number, factor_value] = [number, uniform].map(|it| b.unary(Unary::Flush, it));
        let product = b.binary(Binary::Fmul, number, factor_value);
        let one = b.bits(1f32.to_bits(), Type::F32);
        let sum = b.binary(Binary::Fadd, product, one);
        let out = Slot::Output {
            reg: 0,
            component: 0,
        };
        b.store(out, sum);
        b.close(Terminator::Done);
        let mut function = b.finish();
        let terms = Terms::new(&[constant], &[]);
        let known = Specialisation {
            constants: terms.known(terms.sizes_of(|_| factor.to_bits())),
            ..Specialisation::default()
        };
        remove(&mut function, known);
        super::super::dead::remove(&mut function);
        function.to_string().matches("= flush").count()
    };
    assert_eq!(flushes(65535.0), 0);
    assert_eq!(flushes(65536.0), 1);
}
