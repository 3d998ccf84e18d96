//! Fixed-point opcodes (numerics.md 9): 16.F inputs, 32.2F products, sign and magnitude, with
//! F = [`Bindings::fixed_bits`](attila_machine::Bindings::fixed_bits).

use std::array::from_fn;

use attila_isa::FixedOp;
use attila_machine::Fixed;

use crate::machine::Machine;
use crate::ops::Action;
use crate::prepare::Step;

/// The function that carries out `op`.
pub(super) fn action(op: FixedOp) -> Action {
    match op {
        FixedOp::Fxmul => fxmul,
        FixedOp::Fxmad => fxmad,
        FixedOp::Fxmad2 => fxmad2,
    }
}

/// The accumulator becomes `a * b`.
fn fxmul(machine: &mut Machine<'_>, step: &Step) {
    let format = Format::new(machine.bindings.fixed_bits());
    let (a, b) = (machine.floats(step, 0), machine.floats(step, 1));
    machine.accumulate(step, |slot, lane| {
        format.product(a[slot][lane], b[slot][lane])
    });
}

/// The accumulator becomes `a * b + c`.
fn fxmad2(machine: &mut Machine<'_>, step: &Step) {
    let format = Format::new(machine.bindings.fixed_bits());
    let (a, b) = (machine.floats(step, 0), machine.floats(step, 1));
    let c = machine.floats(step, 2);
    machine.accumulate(step, |slot, lane| {
        let product = format.product(a[slot][lane], b[slot][lane]);
        format.sum(product, format.summand(c[slot][lane]))
    });
}

/// The result is `a * b` and the accumulator, as f32.
fn fxmad(machine: &mut Machine<'_>, step: &Step) {
    let format = Format::new(machine.bindings.fixed_bits());
    let (a, b) = (machine.floats(step, 0), machine.floats(step, 1));
    let accumulator = machine.accumulator;
    let value = |slot: usize, lane: usize| {
        let product = format.product(a[slot][lane], b[slot][lane]);
        format.to_f32(format.sum(product, accumulator[slot][lane]))
    };
    machine.write(step, from_fn(|slot| from_fn(|lane| value(slot, lane))));
}

/// A fixed-point format.
#[derive(Clone, Copy)]
struct Format {
    /// Fraction bits of an input; products have twice as many.
    fraction_bits: u32,
    /// All bits of a product's magnitude.
    all: u64,
}

impl Format {
    fn new(fraction_bits: u32) -> Format {
        Format {
            fraction_bits,
            all: u64::MAX >> (32 - 2 * fraction_bits),
        }
    }

    /// The magnitude of an input that is finite: truncated, its integer part modulo 2^16, and
    /// 32767 from 2^24 on.
    fn input(self, value: f32) -> u64 {
        let value = value.abs();
        if value >= 16_777_216.0 {
            return 32_767 << self.fraction_bits;
        }
        // Exact: the factor is a power of two, and the product is below 2^40.
        let scaled = f64::from(value) * f64::from(1u32 << self.fraction_bits);
        scaled as u64 & ((1 << (16 + self.fraction_bits)) - 1)
    }

    /// `a * b`. NaN counts as +0, and so does the product; infinity times anything but 0 has all
    /// bits set.
    fn product(self, a: f32, b: f32) -> Fixed {
        if a.is_nan() || b.is_nan() {
            return Fixed::default();
        }
        let negative = u64::from(a.is_sign_negative() != b.is_sign_negative());
        let is_zero = |value: f32| value.is_finite() && self.input(value) == 0;
        let magnitude = if is_zero(a) || is_zero(b) {
            0
        } else if a.is_infinite() || b.is_infinite() {
            self.all
        } else {
            self.input(a) * self.input(b)
        };
        Fixed {
            magnitude,
            negative,
        }
    }

    /// An input with the fraction bits of a product.
    fn summand(self, value: f32) -> Fixed {
        if value.is_nan() {
            return Fixed::default();
        }
        let magnitude = if value.is_infinite() {
            self.all
        } else {
            self.input(value) << self.fraction_bits
        };
        Fixed {
            magnitude,
            negative: u64::from(value.is_sign_negative()),
        }
    }

    /// `a + b`, with the sign of the larger one, or of `a` if they are equal.
    fn sum(self, a: Fixed, b: Fixed) -> Fixed {
        if a.negative == b.negative {
            Fixed {
                magnitude: a.magnitude.wrapping_add(b.magnitude) & self.all,
                negative: a.negative,
            }
        } else if a.magnitude >= b.magnitude {
            Fixed {
                magnitude: a.magnitude - b.magnitude,
                negative: a.negative,
            }
        } else {
            Fixed {
                magnitude: b.magnitude - a.magnitude,
                negative: b.negative,
            }
        }
    }

    /// Integer and fraction, each rounded to f32, added.
    fn to_f32(self, value: Fixed) -> f32 {
        let bits = 2 * self.fraction_bits;
        let sign = if value.negative == 0 { 1.0 } else { -1.0 };
        let integer = (value.magnitude >> bits) as f32;
        let fraction = (value.magnitude & ((1 << bits) - 1)) as f32 / (1u64 << bits) as f32;
        sign * integer + sign * fraction
    }
}
