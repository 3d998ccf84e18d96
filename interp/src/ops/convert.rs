//! Conversions between floats, integers and packed numbers.

use std::array::from_fn;

use attila_isa::ConvertOp;
use attila_machine::Lanes;
use attila_machine::arith::{number_or, trunc_to_i32};

use crate::lanes::each;
use crate::machine::Machine;
use crate::ops::Action;
use crate::prepare::Step;

/// The function that carries out `op`.
pub(super) fn action(op: ConvertOp) -> Action {
    match op {
        ConvertOp::F2i => f2i,
        ConvertOp::F2u => f2u,
        ConvertOp::I2f => i2f,
        ConvertOp::U2f => u2f,
        ConvertOp::Pk2h => pk2h,
        ConvertOp::Pk2us => pk2us,
        ConvertOp::Pk4ub => pk4ub,
        ConvertOp::Pk4b => pk4b,
        ConvertOp::Up2h => up2h,
        ConvertOp::Up2us => up2us,
        ConvertOp::Up4ub => up4ub,
        ConvertOp::Up4b => up4b,
    }
}

/// An integer from each float.
fn from_floats(machine: &mut Machine<'_>, step: &Step, op: impl Fn(f32) -> u32) {
    let a = machine.floats(step, 0);
    machine.store(step, each(a, |slot| each(slot, &op)));
}

/// A float from each integer.
fn from_integers(machine: &mut Machine<'_>, step: &Step, op: impl Fn(u32) -> f32) {
    let a = machine.ints(step, 0);
    machine.write(step, each(a, |slot| each(slot, &op)));
}

/// NaN and what does not fit give the smallest integer.
fn f2i(machine: &mut Machine<'_>, step: &Step) {
    from_floats(machine, step, |a| trunc_to_i32(a).cast_unsigned());
}

/// Rust's conversion saturates, and NaN gives 0.
fn f2u(machine: &mut Machine<'_>, step: &Step) {
    from_floats(machine, step, |a| a as u32);
}

fn i2f(machine: &mut Machine<'_>, step: &Step) {
    from_integers(machine, step, |a| a.cast_signed() as f32);
}

fn u2f(machine: &mut Machine<'_>, step: &Step) {
    from_integers(machine, step, |a| a as f32);
}

/// The first `N` components side by side, the first one lowest, in all components.
fn pack<const N: usize>(machine: &mut Machine<'_>, step: &Step, op: impl Fn(f32) -> u32) {
    let a = machine.floats(step, 0);
    let bits = u32::BITS / N as u32;
    let word = |lane: usize| {
        let parts = (0..N).map(|slot| op(a[slot][lane]) << (bits * slot as u32));
        parts.fold(0, |word, part| word | part)
    };
    let words: Lanes<u32> = from_fn(word);
    machine.store(step, [words; 4]);
}

/// The parts of slot x, the lowest one first, and again from the first one on.
fn unpack<const N: usize>(machine: &mut Machine<'_>, step: &Step, op: impl Fn(u32) -> f32) {
    let words = machine.int(step, 0, 0);
    let bits = u32::BITS / N as u32;
    let part = |slot: usize, word: u32| {
        let part = word >> (bits * (slot % N) as u32);
        op(part & (u32::MAX >> (u32::BITS - bits)))
    };
    machine.write(step, from_fn(|slot| each(words, |word| part(slot, word))));
}

/// `a` times `scale`, limited to `low` and `scale`, to the nearest integer; NaN counts as 0. The product
/// is exact as an f64.
fn scaled(a: f32, scale: f32, low: f32) -> i32 {
    let [a, scale, low] = [number_or(a, 0.0), scale, low].map(f64::from);
    (a * scale).clamp(low, scale).round_ties_even() as i32
}

fn pk2h(machine: &mut Machine<'_>, step: &Step) {
    pack::<2>(machine, step, to_half);
}

fn pk2us(machine: &mut Machine<'_>, step: &Step) {
    pack::<2>(machine, step, |a| scaled(a, 65535.0, 0.0).cast_unsigned());
}

fn pk4ub(machine: &mut Machine<'_>, step: &Step) {
    pack::<4>(machine, step, |a| scaled(a, 255.0, 0.0).cast_unsigned());
}

/// The bytes are biased, not in two's complement.
fn pk4b(machine: &mut Machine<'_>, step: &Step) {
    pack::<4>(machine, step, |a| {
        (scaled(a, 127.0, -128.0) + 128).cast_unsigned()
    });
}

fn up2h(machine: &mut Machine<'_>, step: &Step) {
    unpack::<2>(machine, step, from_half);
}

fn up2us(machine: &mut Machine<'_>, step: &Step) {
    unpack::<2>(machine, step, |part| part as f32 / 65535.0);
}

fn up4ub(machine: &mut Machine<'_>, step: &Step) {
    unpack::<4>(machine, step, |part| part as f32 / 255.0);
}

fn up4b(machine: &mut Machine<'_>, step: &Step) {
    unpack::<4>(machine, step, |part| (part as f32 - 128.0) / 127.0);
}

/// Fraction bits of a binary16.
const HALF_FRACTION: i32 = 10;
/// The exponent of its smallest normal numbers.
const HALF_LEAST: i32 = -14;
/// 65520: this number and larger ones round to infinity.
const HALF_END: f32 = 65520.0;

/// A binary16, rounded to nearest even; 7e00h for NaN.
fn to_half(a: f32) -> u32 {
    let sign = a.to_bits() >> 16 & 0x8000;
    let magnitude = a.abs();
    if a.is_nan() {
        return 0x7e00;
    }
    if magnitude >= HALF_END {
        return sign | 0x7c00;
    }
    // The number in units of its last place as a binary16, which is exact before it is rounded.
    let exponent = ((magnitude.to_bits() >> 23).cast_signed() - 127).max(HALF_LEAST);
    let units = (f64::from(magnitude) * power_of_two(HALF_FRACTION - exponent)).round_ties_even();
    // The fraction's hidden bit, and a carry, add to the exponent.
    let field = (exponent - HALF_LEAST).cast_unsigned() << HALF_FRACTION;
    sign | (field + units as u32)
}

/// The number that a binary16 stands for; a NaN for every NaN.
fn from_half(half: u32) -> f32 {
    let (exponent, fraction) = (half >> HALF_FRACTION & 0x1f, half & 0x3ff);
    let magnitude = match (exponent, fraction) {
        (0x1f, 0) => f64::INFINITY,
        (0x1f, _) => f64::NAN,
        (0, _) => f64::from(fraction) * power_of_two(HALF_LEAST - HALF_FRACTION),
        _ => {
            let units = f64::from(fraction | 1 << HALF_FRACTION);
            units * power_of_two(exponent.cast_signed() - 1 + HALF_LEAST - HALF_FRACTION)
        }
    };
    let sign = if half & 0x8000 == 0 { 1.0 } else { -1.0 };
    (magnitude * sign) as f32
}

/// `2^exponent`, for exponents of normal numbers.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(u64::from((exponent + 1023).cast_unsigned()) << 52)
}
