//! The values of operations, and the way of results to registers, one number at a time.

use attila_shader::front::ctm::CtmOpcode as C;
use attila_shader::isa::CtmModifier;
use attila_shader::machine::approx;
use attila_shader::machine::arith::HostLanes;

/// The sign of a float.
pub(super) const SIGN: u32 = 1 << 31;

/// A component of a register.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in super::super) struct Number {
    pub(in super::super) bits: u32,
    /// Whether arithmetic made it, and it is a NaN: its sign and payload mean nothing.
    is_made: bool,
}

impl Number {
    /// A value of arithmetic.
    pub(super) fn made(value: f32) -> Number {
        Number {
            bits: value.to_bits(),
            is_made: value.is_nan(),
        }
    }

    /// A word as it is.
    pub(super) fn moved(bits: u32) -> Number {
        Number {
            bits,
            is_made: false,
        }
    }

    /// The number with other bits that say as much.
    pub(super) fn with(self, bits: u32) -> Number {
        Number { bits, ..self }
    }

    pub(super) fn float(self) -> f32 {
        f32::from_bits(self.bits)
    }

    /// Operands of an operation: the unit has no denormals.
    fn read(self) -> f32 {
        without_denormals(self.float())
    }

    /// Whether `word` is this number.
    pub(in super::super) fn is(self, word: u32) -> bool {
        self.bits == word || self.is_made && f32::from_bits(word).is_nan()
    }
}

/// A value on its way to a register.
pub(super) fn result(value: Number, modifier: CtmModifier, saturate: bool) -> Number {
    let factor = match modifier {
        CtmModifier::Raw => return value,
        CtmModifier::X1 => 1.0,
        CtmModifier::X2 => 2.0,
        CtmModifier::X4 => 4.0,
        CtmModifier::X8 => 8.0,
        CtmModifier::D2 => 1.0 / 2.0,
        CtmModifier::D4 => 1.0 / 4.0,
        CtmModifier::D8 => 1.0 / 8.0,
    };
    if value.float().is_nan() {
        return Number::moved(0x7fff_ffff);
    }
    let product = without_denormals(without_denormals(value.float()) * factor);
    Number::moved(match saturate {
        true if product < 0.0 => 0,
        true if product > 1.0 => 1.0f32.to_bits(),
        true | false => product.to_bits(),
    })
}

/// A denormal becomes a zero of its sign.
fn without_denormals(value: f32) -> f32 {
    if value.is_subnormal() {
        0.0f32.copysign(value)
    } else {
        value
    }
}

/// The rules of a program for products.
#[derive(Clone, Copy)]
pub(super) struct Arithmetic {
    pub(super) zero_wins: bool,
}

impl Arithmetic {
    fn product(self, a: Number, b: Number) -> f32 {
        let (a, b) = (a.read(), b.read());
        match self.zero_wins && (a == 0.0 || b == 0.0) {
            true => 0.0,
            false => a * b,
        }
    }

    /// `a * b + c`, rounded twice.
    pub(super) fn mad(self, a: Number, b: Number, c: Number) -> Number {
        let product = self.product(a, b);
        Number::made(product + c.read())
    }

    /// The value of an operation on vectors; `None` if it is one on numbers.
    pub(super) fn dot(self, opcode: C, vectors: &[[Number; 4]]) -> Option<Number> {
        let of = |a: &[Number; 4], b: &[Number; 4], n: usize| self.product(a[n], b[n]);
        let value = match (opcode, vectors) {
            (C::Dp3, [a, b]) => of(a, b, 0) + of(a, b, 1) + of(a, b, 2),
            (C::Dp4, [a, b]) => of(a, b, 0) + of(a, b, 1) + of(a, b, 2) + of(a, b, 3),
            (C::D2a, [a, b, c]) => of(a, b, 0) + of(a, b, 1) + c[2].read(),
            _ => return None,
        };
        Some(Number::made(value))
    }

    /// The value of an operation on numbers. Operations on others have none here.
    pub(super) fn scalar(self, opcode: C, [a, b, c]: [Number; 3]) -> Number {
        // The bits of an operand, which stay if the result is raw: others lose a denormal on their way.
        let choose = |holds: bool| if holds { a } else { b };
        let x = a.read();
        match opcode {
            C::Mad => self.mad(a, b, c),
            C::Min => choose(x < b.read()),
            C::Max => choose(x >= b.read()),
            C::Cnd => choose(c.read() > 0.5),
            C::Cmp => choose(c.read() >= 0.0),
            C::Frc => Number::made(x - x.floor()),
            C::Ex2 => Number::made(approx::ex2(&mut HostLanes, [x])[0]),
            C::Ln2 => Number::made(approx::lg2(&mut HostLanes, [x])[0]),
            C::Rcp => Number::made(1.0 / x),
            C::Rsq => Number::made(1.0 / x.sqrt()),
            C::Sin => Number::made(sine(x)),
            C::Cos => Number::made(cosine(x)),
            C::Dp3 | C::Dp4 | C::D2a | C::Dp | C::Sop | C::Mdh | C::Mdv | C::Nop => {
                Number::default()
            }
        }
    }
}

/// The quarters of a turn that `turns` is, from 0 to 3; `None` between them.
fn quarter(turns: f32) -> Option<u8> {
    let quarters = f64::from(turns) * 4.0;
    (quarters.fract() == 0.0).then(|| quarters.rem_euclid(4.0) as u8)
}

fn sine(turns: f32) -> f32 {
    match quarter(turns) {
        Some(1) => 1.0,
        Some(3) => -1.0,
        Some(_) => 0.0f32.copysign(turns),
        None => approx::sin_turns(&mut HostLanes, [turns])[0],
    }
}

fn cosine(turns: f32) -> f32 {
    match quarter(turns) {
        Some(0) => 1.0,
        Some(2) => -1.0,
        Some(_) => 0.0,
        None => approx::cos_turns(&mut HostLanes, [turns])[0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_flushed_before_and_after_the_product_and_clamped_last() {
        let of = |bits, modifier, saturate| result(Number::moved(bits), modifier, saturate).bits;
        assert_eq!(of(0xffc0_0001, CtmModifier::X1, true), 0x7fff_ffff);
        assert_eq!(of(0x8040_0000, CtmModifier::X8, false), SIGN);
        assert_eq!(of(0x00ff_ffff, CtmModifier::D2, false), 0x0080_0000);
        assert_eq!(of(0x00ff_fffd, CtmModifier::D2, false), 0);
        assert_eq!(of(0x3f40_0000, CtmModifier::X2, true), 0x3f80_0000);
        assert_eq!(of(SIGN, CtmModifier::X2, true), SIGN);
        assert_eq!(of(0xbf80_0000, CtmModifier::X2, true), 0);
        assert_eq!(of(0xff80_0001, CtmModifier::Raw, true), 0xff80_0001);
    }

    #[test]
    fn quarters_of_turns_are_exact() {
        let sines = [0.25, -0.25, 0.75, 1.0, -1.5].map(sine);
        assert_eq!(sines, [1.0, -1.0, -1.0, 0.0, -0.0]);
        assert_eq!(sine(-1e30).to_bits(), SIGN);
        assert_eq!([0.25, -0.5, 2.0, -0.75].map(cosine), [0.0, -1.0, 1.0, 0.0]);
        assert!(sine(f32::INFINITY).is_nan() && cosine(f32::NAN).is_nan());
    }
}
