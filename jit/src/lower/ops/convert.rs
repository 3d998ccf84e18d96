//! Conversions between floats, integers and packed numbers.

use attila_isa::{Component, ConvertOp, Inst};
use attila_machine::arith::Arith;

use crate::ir::{Binary, Builder, Unary, Value};
use crate::lower::Lower;

use Component::{W, X, Y, Z};

/// Components by their first bit in a word.
const HALVES: [(Component, u32); 2] = [(X, 0), (Y, 16)];
const BYTES: [(Component, u32); 4] = [(X, 0), (Y, 8), (Z, 16), (W, 24)];

const TWO_TO_16: f32 = 65_536.0;
const TWO_TO_31: f32 = 2_147_483_648.0;
const TWO_TO_32: f32 = 4_294_967_296.0;

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn convert_op(&mut self, op: ConvertOp, inst: &Inst) {
        match op {
            ConvertOp::F2i => self.each1(inst, |b, a| b.trunc_to_i32(a)),
            ConvertOp::F2u => self.each1(inst, to_unsigned),
            ConvertOp::I2f => self.integer(inst, |b, a| b.to_f32(a)),
            ConvertOp::U2f => self.integer(inst, from_unsigned),
            ConvertOp::Pk2h => self.pack(inst, &HALVES, |b, a| b.unary(Unary::ToHalf, a)),
            ConvertOp::Pk2us => self.pack(inst, &HALVES, |b, a| fraction(b, a, 65535.0)),
            ConvertOp::Pk4ub => self.pack(inst, &BYTES, |b, a| fraction(b, a, 255.0)),
            ConvertOp::Pk4b => self.pack(inst, &BYTES, biased),
            ConvertOp::Up2h => self.unpack(inst, |b, word, c| {
                let half = b.shr_u(word, HALVES[c.index() % 2].1);
                b.unary(Unary::FromHalf, half)
            }),
            ConvertOp::Up2us => self.unpack(inst, |b, word, c| {
                let part = part(b, word, HALVES[c.index() % 2].1, 16);
                divided(b, part, 65535.0)
            }),
            ConvertOp::Up4ub => self.unpack(inst, |b, word, c| {
                let part = part(b, word, BYTES[c.index()].1, 8);
                divided(b, part, 255.0)
            }),
            ConvertOp::Up4b => self.unpack(inst, |b, word, c| {
                let (part, bias) = (part(b, word, BYTES[c.index()].1, 8), b.i32(128));
                let part = b.isub(part, bias);
                divided(b, part, 127.0)
            }),
        }
    }

    /// The given components, each at its place in a word, in all components.
    fn pack(
        &mut self,
        inst: &Inst,
        places: &[(Component, u32)],
        f: impl Fn(&mut Builder, Value) -> Value,
    ) {
        let mut word = self.b.i32(0);
        for &(component, shift) in places {
            let a = self.float(inst, 0, component);
            let part = f(&mut self.b, a);
            let part = self.b.shl(part, shift);
            word = self.b.ior(word, part);
        }
        self.write(inst, |_, _| word);
    }

    /// `f` of slot x, for each component.
    fn unpack(&mut self, inst: &Inst, f: impl Fn(&mut Builder, Value, Component) -> Value) {
        let word = self.int(inst, 0, X);
        self.write(inst, |l, c| f(&mut l.b, word, c));
    }
}

/// A number in [0, 1], times `scale`, to the nearest integer. NaN counts as 0: with these orders of
/// operands the two selections say so.
fn fraction(b: &mut Builder, a: Value, scale: f32) -> Value {
    let (zero, one, scale) = (b.f32(0.0), b.f32(1.0), b.f32(scale));
    let a = b.binary(Binary::Fmax, a, zero);
    let a = b.binary(Binary::Fmin, a, one);
    let product = b.mul(a, scale);
    let product = nearest_product(b, product, [a, scale]);
    b.trunc_to_i32(product)
}

/// The integer nearest to the exact product of two factors, where `product` is the rounded one: that may
/// have become a number between two integers, which decides nothing then.
fn nearest_product(b: &mut Builder, product: Value, [a, scale]: [Value; 2]) -> Value {
    let (zero, half) = (b.f32(0.0), b.f32(0.5));
    let negated = b.neg(product);
    let rest = b.fma(a, scale, negated);
    let nearest = b.nearest(product);
    let distance = b.sub(product, nearest);
    let distance = b.abs(distance);
    let is_between = b.eq(distance, half);
    let (is_above, is_below) = (b.lt(zero, rest), b.lt(rest, zero));
    let (above, below) = (b.both(is_between, is_above), b.both(is_between, is_below));
    let (up, down) = (b.add(product, half), b.sub(product, half));
    let nearest = b.choose(above, up, nearest);
    b.choose(below, down, nearest)
}

/// The same of [-128/127, 1] and 127, plus 128.
fn biased(b: &mut Builder, a: Value) -> Value {
    let (zero, scale) = (b.f32(0.0), b.f32(127.0));
    let is_number = b.eq(a, a);
    let a = b.choose(is_number, a, zero);
    let product = b.mul(a, scale);
    let (low, bias) = (b.f32(-128.0), b.i32(128));
    let product = b.binary(Binary::Fmax, product, low);
    let product = b.binary(Binary::Fmin, product, scale);
    let product = nearest_product(b, product, [a, scale]);
    let integer = b.trunc_to_i32(product);
    b.iadd(integer, bias)
}

/// The `bits` bits of a word from bit `shift` on.
fn part(b: &mut Builder, word: Value, shift: u32, bits: u32) -> Value {
    let (word, mask) = (b.shr_u(word, shift), b.i32((1 << bits) - 1));
    b.iand(word, mask)
}

/// An integer divided by a float.
fn divided(b: &mut Builder, integer: Value, by: f32) -> Value {
    let (number, by) = (b.to_f32(integer), b.f32(by));
    b.div(number, by)
}

/// An unsigned integer: 0 for NaN and all that is below 1, all bits from 2^32 on.
fn to_unsigned(b: &mut Builder, a: Value) -> Value {
    let (half, end) = (b.f32(TWO_TO_31), b.f32(TWO_TO_32));
    let lower = b.trunc_to_i32(a);
    // Exact, as both are multiples of 2^8.
    let beyond = b.sub(a, half);
    let upper = b.trunc_to_i32(beyond);
    let sign = b.i32(i32::MIN);
    let upper = b.ixor(upper, sign);
    let (is_lower, fits) = (b.lt(a, half), b.lt(a, end));
    let all = b.i32(-1);
    let upper = b.iselect(fits, upper, all);
    let whole = b.iselect(is_lower, lower, upper);
    let (zero, none) = (b.f32(0.0), b.i32(0));
    let is_positive = b.lt(zero, a);
    b.iselect(is_positive, whole, none)
}

/// The halves are exact, and their sum is rounded once.
fn from_unsigned(b: &mut Builder, a: Value) -> Value {
    let low = b.i32(0xffff);
    let (high, low) = (b.shr_u(a, 16), b.iand(a, low));
    let (high, low) = (b.to_f32(high), b.to_f32(low));
    let scale = b.f32(TWO_TO_16);
    let high = b.mul(high, scale);
    b.add(high, low)
}
