//! Opcodes on slot w of one operand, and LIT.

use std::array::from_fn;

use attila_isa::ScalarOp;
use attila_machine::approx;
use attila_machine::arith::{HostLanes, number_or};
use attila_machine::{LANES, Lanes};

use crate::lanes::each;
use crate::machine::{Machine, W};
use crate::ops::Action;
use crate::ops::floor;
use crate::prepare::Step;

/// The function that carries out `op`.
pub(super) fn action(op: ScalarOp) -> Action {
    match op {
        ScalarOp::Rcp => rcp,
        ScalarOp::Rsq => rsq,
        ScalarOp::Pow => pow,
        ScalarOp::Sqrt => sqrt,
        ScalarOp::Rsqt => rsqt,
        ScalarOp::Sin => sin,
        ScalarOp::Cos => cos,
        ScalarOp::Sint => sint,
        ScalarOp::Cost => cost,
        ScalarOp::Ex2 => ex2,
        ScalarOp::Lg2 => lg2,
        ScalarOp::Exp => exp,
        ScalarOp::Log => log,
        ScalarOp::Lit => lit,
    }
}

const ONE: Lanes<f32> = [1.0; LANES];

/// Where the approximations compute.
type Host = HostLanes<LANES>;

/// The same result in all slots.
#[inline(always)]
fn scalar(machine: &mut Machine<'_>, step: &Step, op: impl Fn(Lanes<f32>) -> Lanes<f32>) {
    let a = machine.float(step, 0, W);
    machine.write_scalar(step, op(a));
}

fn rcp(machine: &mut Machine<'_>, step: &Step) {
    scalar(machine, step, |a| each(a, |a| 1.0 / a));
}

/// Two roundings; -0 gives +inf (D15).
fn rsq(machine: &mut Machine<'_>, step: &Step) {
    scalar(machine, step, |a| each(a, |a| (1.0 / a.abs()).sqrt()));
}

fn pow(machine: &mut Machine<'_>, step: &Step) {
    let (a, b) = (machine.float(step, 0, W), machine.float(step, 1, W));
    machine.write_scalar(step, approx::pow(&mut Host::default(), a, b));
}

fn sqrt(machine: &mut Machine<'_>, step: &Step) {
    scalar(machine, step, |a| each(a, f32::sqrt));
}

/// Two roundings. Unlike `rsq`, -0 gives -inf, and other numbers below 0 give NaN.
fn rsqt(machine: &mut Machine<'_>, step: &Step) {
    scalar(machine, step, |a| each(a, |a| 1.0 / a.sqrt()));
}

fn sin(machine: &mut Machine<'_>, step: &Step) {
    scalar(machine, step, |a| approx::sin(&mut Host::default(), a));
}

fn cos(machine: &mut Machine<'_>, step: &Step) {
    scalar(machine, step, |a| approx::cos(&mut Host::default(), a));
}

fn sint(machine: &mut Machine<'_>, step: &Step) {
    scalar(machine, step, |a| {
        approx::sin_turns(&mut Host::default(), a)
    });
}

fn cost(machine: &mut Machine<'_>, step: &Step) {
    scalar(machine, step, |a| {
        approx::cos_turns(&mut Host::default(), a)
    });
}

fn ex2(machine: &mut Machine<'_>, step: &Step) {
    scalar(machine, step, |a| approx::ex2(&mut Host::default(), a));
}

fn lg2(machine: &mut Machine<'_>, step: &Step) {
    scalar(machine, step, |a| approx::lg2(&mut Host::default(), a));
}

/// `(2^floor(a), a - floor(a), 2^a, 1)`
fn exp(machine: &mut Machine<'_>, step: &Step) {
    let a = machine.float(step, 0, W);
    let whole = each(a, floor);
    let fraction = from_fn(|lane| a[lane] - whole[lane]);
    let x = approx::ex2(&mut Host::default(), whole);
    let z = approx::ex2(&mut Host::default(), a);
    machine.write(step, [x, fraction, z, ONE]);
}

/// `(floor(log2|a|), |a| / 2^floor(log2|a|), log2|a|, 1)`, exact in x and y (D14).
fn log(machine: &mut Machine<'_>, step: &Step) {
    let a = each(machine.float(step, 0, W), f32::abs);
    let parts = each(a, exponent_and_fraction);
    let z = approx::lg2(&mut Host::default(), a);
    machine.write(step, [each(parts, |p| p.0), each(parts, |p| p.1), z, ONE]);
}

/// e and f with a = f * 2^e, f in [1, 2), for a positive a; 0 and infinity have the fraction 1.
fn exponent_and_fraction(a: f32) -> (f32, f32) {
    if a == 0.0 {
        return (f32::NEG_INFINITY, 1.0);
    }
    if a.is_nan() {
        return (a, a);
    }
    if a.is_infinite() {
        return (a, 1.0);
    }
    // A denormal has its first bit somewhere below bit 23, where that of a normal number would be.
    let bits = a.to_bits();
    let shift = bits.leading_zeros().saturating_sub(8);
    let exponent = (bits >> 23).max(1).cast_signed() - 127 - shift.cast_signed();
    let fraction = (bits << shift) & 0x007f_ffff | 1.0f32.to_bits();
    (exponent as f32, f32::from_bits(fraction))
}

/// `(1, max0(x), x > 0 ? max0(y)^clamp(w, -128, 128) : 0, 1)`
fn lit(machine: &mut Machine<'_>, step: &Step) {
    let x = each(machine.float(step, 0, 0), max0);
    let y = each(machine.float(step, 0, 1), max0);
    let w = each(machine.float(step, 0, W), clamp_exponent);
    let power = approx::lit_power(&mut Host::default(), y, w);
    let z = from_fn(|lane| if x[lane] > 0.0 { power[lane] } else { 0.0 });
    machine.write(step, [ONE, x, z, ONE]);
}

/// -0 and NaN stay.
fn max0(a: f32) -> f32 {
    if a < 0.0 { 0.0 } else { a }
}

/// NaN gives 128, as it gives 1 when saturated.
fn clamp_exponent(a: f32) -> f32 {
    let a = number_or(a, 128.0);
    if (-128.0..=128.0).contains(&a) {
        a
    } else if a < -128.0 {
        -128.0
    } else {
        128.0
    }
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn every_nan_is_the_largest_exponent() {
        for nan in [0x7fc0_0000, 0x7f80_0001, 0xffc0_0000, 0xff80_0001] {
            let exponents = black_box([f32::from_bits(nan), 3.0, -129.0, f32::INFINITY]);
            let clamped = each(exponents, clamp_exponent);
            assert_eq!(clamped, [128.0, 3.0, -128.0, 128.0], "{nan:#x}");
        }
    }

    #[test]
    fn the_exponent_is_exact_for_every_power_of_two() {
        for exponent in -149..128 {
            let a = 2f64.powi(exponent) as f32;
            assert_eq!(exponent_and_fraction(a), (exponent as f32, 1.0));
        }
        assert_eq!(exponent_and_fraction(1000.0), (9.0, 1.953125));
        assert_eq!(
            exponent_and_fraction(f32::from_bits(3)),
            (-148.0, 1.5),
            "a denormal"
        );
    }
}
