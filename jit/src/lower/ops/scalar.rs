//! Functions of one scalar, slot w of the operand, and LIT.

use attila_isa::{Component, Inst, ScalarOp};
use attila_machine::approx;
use attila_machine::arith::Arith;

use crate::ir::{Binary, Builder, Value};
use crate::lower::Lower;

use Component::{W, X, Y, Z};

/// `1 / a`.
fn reciprocal(b: &mut Builder, a: Value) -> Value {
    let one = b.f32(1.0);
    b.div(one, a)
}

/// `sqrt(1 / |a|)`, rounded twice.
fn reciprocal_root(b: &mut Builder, a: Value) -> Value {
    let a = b.abs(a);
    let reciprocal = reciprocal(b, a);
    b.sqrt(reciprocal)
}

/// `1 / sqrt(a)`, rounded twice.
fn reciprocal_of_root(b: &mut Builder, a: Value) -> Value {
    let root = b.sqrt(a);
    reciprocal(b, root)
}

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn scalar_op(&mut self, op: ScalarOp, inst: &Inst) {
        match op {
            ScalarOp::Lit => self.lit(inst),
            ScalarOp::Rcp => self.scalar(inst, reciprocal),
            ScalarOp::Rsq => self.scalar(inst, reciprocal_root),
            ScalarOp::Sqrt => self.scalar(inst, |b, a| b.sqrt(a)),
            ScalarOp::Rsqt => self.scalar(inst, reciprocal_of_root),
            ScalarOp::Pow => self.pow(inst),
            ScalarOp::Ex2 => self.scalar(inst, approx::ex2),
            ScalarOp::Lg2 => self.scalar(inst, approx::lg2),
            ScalarOp::Sin => self.scalar(inst, approx::sin),
            ScalarOp::Cos => self.scalar(inst, approx::cos),
            ScalarOp::Sint => self.scalar(inst, approx::sin_turns),
            ScalarOp::Cost => self.scalar(inst, approx::cos_turns),
            ScalarOp::Exp => self.exp(inst),
            ScalarOp::Log => self.log(inst),
        }
    }

    /// `f` of the scalar operand, in all components.
    fn scalar(&mut self, inst: &Inst, f: impl Fn(&mut Builder, Value) -> Value) {
        let a = self.float(inst, 0, W);
        let result = f(&mut self.b, a);
        self.write(inst, |_, _| result);
    }

    fn pow(&mut self, inst: &Inst) {
        let (x, y) = (self.float(inst, 0, W), self.float(inst, 1, W));
        let power = approx::pow(&mut self.b, x, y);
        self.write(inst, |_, _| power);
    }

    fn exp(&mut self, inst: &Inst) {
        let a = self.float(inst, 0, W);
        let floor = self.b.floor(a);
        self.write(inst, |l, c| match c {
            X => approx::ex2(&mut l.b, floor),
            Y => l.b.sub(a, floor),
            Z => approx::ex2(&mut l.b, a),
            W => l.b.f32(1.0),
        });
    }

    fn lit(&mut self, inst: &Inst) {
        self.write(inst, |l, c| match c {
            X | W => l.b.f32(1.0),
            Y => l.not_negative(inst, X),
            Z => {
                let (x, y) = (l.not_negative(inst, X), l.not_negative(inst, Y));
                let exponent = l.float(inst, 0, W);
                let (low, high) = (l.b.f32(-128.0), l.b.f32(128.0));
                // A NaN exponent becomes 128: the operand orders matter (numerics.md 8).
                let exponent = l.b.binary(Binary::Fmin, exponent, high);
                let exponent = l.b.binary(Binary::Fmax, low, exponent);
                let power = approx::lit_power(&mut l.b, y, exponent);
                let zero = l.b.f32(0.0);
                let lit = l.b.lt(zero, x);
                l.b.choose(lit, power, zero)
            }
        });
    }

    /// `a < 0 ? 0 : a`: NaN and -0 stay.
    fn not_negative(&mut self, inst: &Inst, c: Component) -> Value {
        let a = self.float(inst, 0, c);
        let zero = self.b.f32(0.0);
        self.b.binary(Binary::Fmax, zero, a)
    }

    /// Exponent and mantissa are taken from the bits, so they are exact (D14).
    fn log(&mut self, inst: &Inst) {
        let a = self.float(inst, 0, W);
        let magnitude = self.b.abs(a);
        let (exponent, mantissa) = self.split(magnitude);
        self.write(inst, |l, c| match c {
            X => exponent,
            Y => mantissa,
            Z => approx::lg2(&mut l.b, magnitude),
            W => l.b.f32(1.0),
        });
    }

    /// Exponent and mantissa of a value that is not negative: (-inf, 1) for 0, (inf, 1) for
    /// infinity, NaN for NaN.
    fn split(&mut self, a: Value) -> (Value, Value) {
        let b = &mut self.b;
        let (zero, infinity) = (b.f32(0.0), b.f32(f32::INFINITY));
        let smallest_normal = b.f32(f32::MIN_POSITIVE);
        let is_denormal = b.lt(a, smallest_normal);
        let scale = b.f32((1u32 << 24) as f32);
        let scaled = b.mul(a, scale);
        let normal = b.choose(is_denormal, scaled, a);
        let bits = b.to_bits(normal);
        let biased = b.shr_u(bits, 23);
        let (bias, denormal_bias) = (b.i32(127), b.i32(127 + 24));
        let bias = b.choose(is_denormal, denormal_bias, bias);
        let unbiased = b.isub(biased, bias);
        let exponent = b.to_f32(unbiased);
        let (fraction_bits, one_bits) = (b.i32(0x007f_ffff), b.i32(0x3f80_0000));
        let fraction = b.iand(bits, fraction_bits);
        let mantissa = b.ior(fraction, one_bits);
        let mantissa = b.from_bits(mantissa);

        let is_zero = b.eq(a, zero);
        let is_infinite = b.eq(a, infinity);
        let is_number = b.eq(a, a);
        let minus_infinity = b.f32(f32::NEG_INFINITY);
        let exponent = b.choose(is_zero, minus_infinity, exponent);
        let exponent = b.choose(is_infinite, infinity, exponent);
        let exponent = b.choose(is_number, exponent, a);
        // Zero and infinity have no fraction bits, which makes 1 of them already.
        let mantissa = b.choose(is_number, mantissa, a);
        (exponent, mantissa)
    }
}
