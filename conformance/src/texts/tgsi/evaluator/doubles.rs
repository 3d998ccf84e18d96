//! Operations on doubles: pairs of components, the low word first.

use attila_shader::front::tgsi::{TgsiOpcode as T, Type};
use attila_shader::isa::Modifiers;
use attila_shader::machine::arith;

use super::rules::Rule::{self, Bits, Chosen, Narrowed, Pairs, Tests, Widened};

/// The bits of every NaN that arithmetic makes.
const NAN: u64 = 0x7ff8_0000_0000_0000;
const SIGN: u64 = 1 << 63;

/// The operations.
pub(super) const ROWS: &[(T, Rule)] = &[
    (T::Dadd, Pairs(|[a, b, _]| a + b)),
    (T::Dmul, Pairs(|[a, b, _]| a * b)),
    (T::Ddiv, Pairs(|[a, b, _]| a / b)),
    (T::Dmad, Pairs(|[a, b, c]| a * b + c)),
    (T::Dfma, Pairs(|[a, b, c]| arith::fma64(a, b, c))),
    (T::Dmin, Chosen(|[a, b]| if a < b { a } else { b })),
    (T::Dmax, Chosen(|[a, b]| if a > b { a } else { b })),
    (T::Drcp, Pairs(|[a, ..]| 1.0 / a)),
    (T::Dsqrt, Pairs(|[a, ..]| a.sqrt())),
    (T::Drsq, Pairs(|[a, ..]| 1.0 / a.sqrt())),
    (
        T::Dabs,
        Chosen(|[a, _]| f64::from_bits(a.to_bits() & !SIGN)),
    ),
    (T::Dneg, Chosen(|[a, _]| f64::from_bits(a.to_bits() ^ SIGN))),
    (T::Dssg, Pairs(|[a, ..]| one_if(a > 0.0) - one_if(a < 0.0))),
    (T::Dfrac, Pairs(|[a, ..]| a - a.floor())),
    (T::Dflr, Pairs(|[a, ..]| a.floor())),
    (T::Dceil, Pairs(|[a, ..]| a.ceil())),
    (T::Dtrunc, Pairs(|[a, ..]| a.trunc())),
    (T::Dround, Pairs(|[a, ..]| a.round_ties_even())),
    (T::Dseq, Tests(|a, b| a == b)),
    (T::Dsne, Tests(|a, b| a != b)),
    (T::Dslt, Tests(|a, b| a < b)),
    (T::Dsge, Tests(|a, b| a >= b)),
    (T::D2f, Narrowed(|a| (a as f32).to_bits())),
    (T::D2i, Narrowed(whole)),
    (T::D2u, Narrowed(|a| a as u32)),
    (T::F2d, Widened(|a| f32::from_bits(a).into())),
    (T::I2d, Widened(|a| a.cast_signed().into())),
    (T::U2d, Widened(f64::from)),
    (
        T::Dldexp,
        Bits(|[a, exponents, ..]| {
            joined([0, 1].map(|pair| scaled(number(a, pair), exponents[pair * 2].cast_signed())))
        }),
    ),
    (
        T::Dfracexp,
        Bits(|[a, ..]| joined([0, 1].map(|pair| split(number(a, pair)).0)).with_bits_of(a)),
    ),
];

fn one_if(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

/// The double of a pair: 0 for xy, 1 for zw.
pub(super) fn number(words: [u32; 4], pair: usize) -> f64 {
    let [low, high] = [words[pair * 2], words[pair * 2 + 1]].map(u64::from);
    f64::from_bits(high << 32 | low)
}

/// Two doubles as words; NaN as arithmetic makes it.
pub(super) fn joined(numbers: [f64; 2]) -> [u32; 4] {
    words(numbers.map(|it| if it.is_nan() { NAN } else { it.to_bits() }))
}

/// The words of two doubles.
pub(super) fn words([a, b]: [u64; 2]) -> [u32; 4] {
    [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]
}

trait WithBits {
    /// The same, with the bits of the pairs of `source` that are NaN.
    fn with_bits_of(self, source: Self) -> Self;
}

impl WithBits for [u32; 4] {
    fn with_bits_of(mut self, source: [u32; 4]) -> [u32; 4] {
        for pair in [0, 1] {
            if number(source, pair).is_nan() {
                self[pair * 2..][..2].copy_from_slice(&source[pair * 2..][..2]);
            }
        }
        self
    }
}

/// The whole part; NaN and numbers that do not fit give the smallest integer.
fn whole(a: f64) -> u32 {
    let whole = a.trunc();
    match (-2_147_483_648.0..=2_147_483_647.0).contains(&whole) {
        true => (whole as i32).cast_unsigned(),
        false => 1 << 31,
    }
}

/// The mantissa from 0.5 to 1 and the exponent, found by halving and doubling, which are exact. Zeros, infinities and
/// NaN stay.
pub(super) fn split(a: f64) -> (f64, i32) {
    if a == 0.0 || !a.is_finite() {
        return (a, 0);
    }
    let (mut mantissa, mut exponent) = (a, 0);
    while mantissa.abs() >= 1.0 {
        mantissa *= 0.5;
        exponent += 1;
    }
    while mantissa.abs() < 0.5 {
        mantissa *= 2.0;
        exponent -= 1;
    }
    (mantissa, exponent)
}

/// A double times a power of two, rounded once.
fn scaled(a: f64, power: i32) -> f64 {
    let (mantissa, exponent) = split(a);
    if a == 0.0 || !a.is_finite() {
        return a;
    }
    match exponent.saturating_add(power) {
        1025.. => f64::INFINITY.copysign(a),
        exponent @ -1021.. => mantissa * 2.0 * f64::from(exponent - 1).exp2(),
        // In units of the smallest double, which are rounded to a whole number.
        exponent @ -1130.. => {
            let units = (mantissa.abs() * f64::from(exponent + 1074).exp2()).round_ties_even();
            f64::from_bits(units as u64).copysign(a)
        }
        _ => 0f64.copysign(a),
    }
}

/// The word of a slot of a double with its absolute value and its sign, which are in the high word.
pub(super) fn signed(word: u32, slot: usize, modifiers: Modifiers) -> u32 {
    let is_high = slot % 2 == 1;
    let modifiers = Modifiers {
        negate: modifiers.negate && is_high,
        absolute: modifiers.absolute && is_high,
    };
    super::registers::signed(word, Type::Float, modifiers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_scale_with_one_rounding() {
        assert_eq!(scaled(1.5, 3), 12.0);
        assert_eq!(scaled(1.0, 1024), f64::INFINITY);
        assert_eq!(scaled(f64::MAX, 0), f64::MAX);
        assert_eq!(scaled(1.0, -1074), f64::from_bits(1));
        // Halfway between 1 and 2 units, and just below.
        assert_eq!(scaled(1.5, -1074), f64::from_bits(2));
        assert_eq!(scaled(1.499_999, -1074), f64::from_bits(1));
        assert_eq!(scaled(-1.0, -1076).to_bits(), SIGN);
        assert_eq!(scaled(f64::from_bits(3), 1076), 12.0);
    }

    #[test]
    fn doubles_are_taken_apart() {
        assert_eq!(split(-6.0), (-0.75, 3));
        assert_eq!(split(f64::from_bits(1)), (0.5, -1073));
        assert_eq!(split(f64::INFINITY), (f64::INFINITY, 0));
    }
}
