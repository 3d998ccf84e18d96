//! The results of opcodes, one lane at a time.

use attila_shader::front::agal::AgalOpcode as A;
use attila_shader::machine::approx;
use attila_shader::machine::arith::HostLanes;

/// A component of a register.
#[derive(Clone, Copy, Default, Debug)]
pub(in super::super) struct Number {
    bits: u32,
    /// Whether arithmetic made it, and it is a NaN: its sign and payload mean nothing.
    is_made: bool,
}

impl Number {
    /// A result of arithmetic.
    pub(super) fn of(value: f32) -> Number {
        Number {
            bits: value.to_bits(),
            is_made: value.is_nan(),
        }
    }

    /// A word that comes from outside.
    pub(super) fn moved(bits: u32) -> Number {
        Number {
            bits,
            is_made: false,
        }
    }

    pub(super) fn float(self) -> f32 {
        f32::from_bits(self.bits)
    }

    /// The number with other bits that say as much.
    fn with(self, bits: u32) -> Number {
        Number { bits, ..self }
    }

    /// Whether `word` is this number.
    pub(in super::super) fn is(self, word: u32) -> bool {
        self.bits == word || self.is_made && f32::from_bits(word).is_nan()
    }

    /// Its bits.
    pub(in super::super) fn bits(self) -> u32 {
        self.bits
    }
}

type Vector = [Number; 4];

const SIGN: u32 = 1 << 31;

/// Whether the condition of a branch holds.
pub(super) fn holds(opcode: A, a: f32, b: f32) -> bool {
    if opcode == A::Ife {
        a == b
    } else if opcode == A::Ine {
        a != b
    } else if opcode == A::Ifg {
        a > b
    } else {
        a < b
    }
}

/// The dot product of the first components, summed from left to right.
pub(super) fn dot(a: Vector, b: Vector, length: usize) -> f32 {
    let mut products = a.iter().zip(b).take(length);
    let product = |(a, b): (&Number, Number)| a.float() * b.float();
    let first = products.next().map_or(0.0, product);
    products.map(product).fold(first, |sum, next| sum + next)
}

fn each(a: Vector, f: impl Fn(f32) -> f32) -> Vector {
    a.map(|a| Number::of(f(a.float())))
}

fn zip(a: Vector, b: Vector, f: impl Fn(f32, f32) -> f32) -> Vector {
    std::array::from_fn(|n| Number::of(f(a[n].float(), b[n].float())))
}

/// 1 where a comparison holds.
fn truth(a: Vector, b: Vector, holds: impl Fn(f32, f32) -> bool) -> Vector {
    zip(a, b, |a, b| f32::from(u8::from(holds(a, b))))
}

/// The first number where a comparison holds, else the second one, bit for bit.
fn choose(a: Vector, b: Vector, holds: impl Fn(f32, f32) -> bool) -> Vector {
    std::array::from_fn(|n| match holds(a[n].float(), b[n].float()) {
        true => a[n],
        false => b[n],
    })
}

/// Limits a number to 0..1. NaN becomes 1, and -0 stays.
fn saturate(a: f32) -> f32 {
    if a < 0.0 {
        0.0
    } else if a <= 1.0 {
        a
    } else {
        1.0
    }
}

fn sign(a: f32) -> f32 {
    if a > 0.0 {
        1.0
    } else if a < 0.0 {
        -1.0
    } else {
        0.0
    }
}

fn normalise(a: Vector) -> Vector {
    let factor = 1.0 / dot(a, a, 3).sqrt();
    each(a, |a| a * factor)
}

fn cross(a: Vector, b: Vector) -> Vector {
    let part = |n: usize, m: usize| a[n].float() * b[m].float() - a[m].float() * b[n].float();
    [part(1, 2), part(2, 0), part(0, 1), 0.0].map(Number::of)
}

/// `a` to the power of `b`.
fn power(a: f32, b: f32) -> f32 {
    if b == 0.0 {
        1.0
    } else if a.is_nan() || b.is_nan() || a < 0.0 {
        f32::NAN
    } else if a == 0.0 {
        if b > 0.0 { 0.0 } else { f32::INFINITY }
    } else {
        approx::pow(&mut HostLanes, [a], [b])[0]
    }
}

/// The result of an opcode; `None` if it needs more than one vector of each source in one lane.
pub(super) fn compute(opcode: A, a: Vector, b: Vector) -> Option<Vector> {
    let result = match opcode {
        A::Mov => a,
        A::Add => zip(a, b, |a, b| a + b),
        A::Sub => zip(a, b, |a, b| a - b),
        A::Mul => zip(a, b, |a, b| a * b),
        A::Div => zip(a, b, |a, b| a / b),
        A::Rcp => each(a, |a| 1.0 / a),
        A::Min => choose(a, b, |a, b| a < b),
        A::Max => choose(a, b, |a, b| a > b),
        A::Frc => each(a, |a| a - a.floor()),
        A::Sqt => each(a, f32::sqrt),
        A::Rsq => each(a, |a| 1.0 / a.sqrt()),
        A::Pow => zip(a, b, power),
        A::Log => each(a, |a| approx::lg2(&mut HostLanes, [a])[0]),
        A::Exp => each(a, |a| approx::ex2(&mut HostLanes, [a])[0]),
        A::Nrm => normalise(a),
        A::Sin => each(a, |a| approx::sin(&mut HostLanes, [a])[0]),
        A::Cos => each(a, |a| approx::cos(&mut HostLanes, [a])[0]),
        A::Crs => cross(a, b),
        A::Dp3 => [Number::of(dot(a, b, 3)); 4],
        A::Dp4 => [Number::of(dot(a, b, 4)); 4],
        A::Abs => a.map(|a| a.with(a.bits & !SIGN)),
        A::Neg => a.map(|a| a.with(a.bits ^ SIGN)),
        A::Sat => each(a, saturate),
        A::Sge => truth(a, b, |a, b| a >= b),
        A::Slt => truth(a, b, |a, b| a < b),
        A::Sgn => each(a, sign),
        A::Seq => truth(a, b, |a, b| a == b),
        A::Sne => truth(a, b, |a, b| a != b),
        A::M33
        | A::M44
        | A::M34
        | A::Ddx
        | A::Ddy
        | A::Ife
        | A::Ine
        | A::Ifg
        | A::Ifl
        | A::Els
        | A::Eif
        | A::Ted
        | A::Kil
        | A::Tex
        | A::Tld => return None,
    };
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(numbers: [f32; 4]) -> Vector {
        numbers.map(|number| Number::moved(number.to_bits()))
    }

    fn result(opcode: A, a: [f32; 4], b: [f32; 4]) -> [u32; 4] {
        compute(opcode, vector(a), vector(b))
            .expect("it computes")
            .map(Number::bits)
    }

    #[test]
    fn comparisons_do_not_hold_for_nan() {
        let (a, b) = ([f32::NAN, 1.0, -0.0, 2.0], [1.0, f32::NAN, 0.0, 1.0]);
        let bits = |numbers: [f32; 4]| numbers.map(f32::to_bits);
        assert_eq!(result(A::Sge, a, b), bits([0.0, 0.0, 1.0, 1.0]));
        assert_eq!(result(A::Slt, a, b), bits([0.0; 4]));
        assert_eq!(result(A::Seq, a, b), bits([0.0, 0.0, 1.0, 0.0]));
        assert_eq!(result(A::Sne, a, b), bits([1.0, 1.0, 0.0, 1.0]));
    }

    #[test]
    fn the_smaller_and_the_larger_keep_the_bits_of_the_second() {
        let payload = f32::from_bits(0xffc0_0123);
        let (a, b) = ([0.0, payload, 1.0, 3.0], [-0.0, 5.0, payload, 2.0]);
        let [zero, five, moved, _] = result(A::Min, a, b);
        assert_eq!([zero, five, moved], [SIGN, 5f32.to_bits(), 0xffc0_0123]);
        let number = compute(A::Max, vector(a), vector(b)).expect("it computes")[2];
        assert!(number.is(0xffc0_0123) && !number.is(0x7fc0_0000));
    }

    #[test]
    fn powers_of_zero_and_below_are_special() {
        assert_eq!(power(f32::NAN, -0.0), 1.0);
        assert_eq!(power(-0.0, 2.0).to_bits(), 0);
        assert_eq!(power(-0.0, -1.0), f32::INFINITY);
        assert!(power(-2.0, 2.0).is_nan() && power(1.0, f32::NAN).is_nan());
    }

    #[test]
    fn saturation_keeps_the_sign_of_zero_and_turns_nan_into_one() {
        assert_eq!(saturate(-0.0).to_bits(), SIGN);
        assert_eq!(saturate(-1.0).to_bits(), 0);
        assert_eq!(saturate(f32::NAN), 1.0);
    }
}
