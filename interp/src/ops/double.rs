//! Operations on f64, which are pairs of slots: xy and zw, the low word first.

use std::array::from_fn;

use attila_isa::{Component, DoubleOp};
use attila_machine::{Lanes, QuadReg, arith};

use crate::lanes::each;
use crate::machine::Machine;
use crate::ops::Action;
use crate::prepare::Step;

/// The bits of every NaN that arithmetic makes.
const NAN: u64 = 0x7ff8_0000_0000_0000;
const SIGN: u64 = 1 << 63;
/// Bits of an f64 below its exponent.
const FRACTION_BITS: u32 = 52;
const FRACTION: u64 = (1 << FRACTION_BITS) - 1;
/// The exponent field of 0.5.
const HALF: u64 = 1022;

/// Slots x and z, where f64 begin.
const LOW_WORDS: [usize; 2] = [0, 2];
/// Slots x and y, which conversions to f64 read.
const HALVES: [usize; 2] = [0, 1];

/// The function that carries out `op`.
pub(super) fn action(op: DoubleOp) -> Action {
    match op {
        DoubleOp::Dadd => dadd,
        DoubleOp::Dmul => dmul,
        DoubleOp::Ddiv => ddiv,
        DoubleOp::Dmad => dmad,
        DoubleOp::Dfma => dfma,
        DoubleOp::Dmin => dmin,
        DoubleOp::Dmax => dmax,
        DoubleOp::Drcp => drcp,
        DoubleOp::Dsqrt => dsqrt,
        DoubleOp::Drsq => drsq,
        DoubleOp::Dfrac => dfrac,
        DoubleOp::Dflr => dflr,
        DoubleOp::Dceil => dceil,
        DoubleOp::Dtrunc => dtrunc,
        DoubleOp::Dround => dround,
        DoubleOp::Dssg => dssg,
        DoubleOp::Dldexp => dldexp,
        DoubleOp::Dfrexpm => dfrexpm,
        DoubleOp::Dfrexpe => dfrexpe,
        DoubleOp::Dseq => dseq,
        DoubleOp::Dsne => dsne,
        DoubleOp::Dslt => dslt,
        DoubleOp::Dsge => dsge,
        DoubleOp::F2d => f2d,
        DoubleOp::I2d => i2d,
        DoubleOp::U2d => u2d,
        DoubleOp::D2f => d2f,
        DoubleOp::D2i => d2i,
        DoubleOp::D2u => d2u,
    }
}

/// The bits of what arithmetic makes.
fn made(a: f64) -> u64 {
    if a.is_nan() { NAN } else { a.to_bits() }
}

/// Writes 64 bits to each pair.
fn store(machine: &mut Machine<'_>, step: &Step, pairs: [Lanes<u64>; 2]) {
    let word = |slot: usize| each(pairs[slot / 2], |bits| (bits >> (slot % 2 * 32)) as u32);
    machine.store(step, from_fn(word));
}

/// The bits that `op` gives for each f64 of one operand.
fn unary(machine: &mut Machine<'_>, step: &Step, op: impl Fn(f64) -> u64) {
    let a = machine.doubles(step, 0);
    store(machine, step, a.map(|pair| each(pair, &op)));
}

/// The bits that `op` gives for the f64 of two operands.
fn binary(machine: &mut Machine<'_>, step: &Step, op: impl Fn(f64, f64) -> u64) {
    let (a, b) = (machine.doubles(step, 0), machine.doubles(step, 1));
    let op = |pair: usize| from_fn(|lane| op(a[pair][lane], b[pair][lane]));
    store(machine, step, from_fn(op));
}

/// The same for three operands.
fn ternary(machine: &mut Machine<'_>, step: &Step, op: impl Fn(f64, f64, f64) -> f64) {
    let (a, b) = (machine.doubles(step, 0), machine.doubles(step, 1));
    let c = machine.doubles(step, 2);
    let op = |pair: usize| from_fn(|lane| made(op(a[pair][lane], b[pair][lane], c[pair][lane])));
    store(machine, step, from_fn(op));
}

/// All bits where `holds` holds, else none.
fn compare(machine: &mut Machine<'_>, step: &Step, holds: impl Fn(f64, f64) -> bool) {
    binary(machine, step, |a, b| if holds(a, b) { u64::MAX } else { 0 });
}

/// A word from each f64, for the first and the second component that is written.
fn narrowed(machine: &Machine<'_>, step: &Step, op: impl Fn(f64) -> u32) -> QuadReg {
    let words = machine.doubles(step, 0).map(|pair| each(pair, &op));
    let mut register = QuadReg::default();
    for (component, word) in step.mask.components().map(Component::index).zip(words) {
        register[component] = word;
    }
    register
}

fn narrow(machine: &mut Machine<'_>, step: &Step, op: impl Fn(f64) -> u32) {
    let words = narrowed(machine, step, op);
    machine.store(step, words);
}

fn dadd(machine: &mut Machine<'_>, step: &Step) {
    binary(machine, step, |a, b| made(a + b));
}

fn dmul(machine: &mut Machine<'_>, step: &Step) {
    binary(machine, step, |a, b| made(a * b));
}

fn ddiv(machine: &mut Machine<'_>, step: &Step) {
    binary(machine, step, |a, b| made(a / b));
}

fn dmad(machine: &mut Machine<'_>, step: &Step) {
    ternary(machine, step, |a, b, c| a * b + c);
}

fn dfma(machine: &mut Machine<'_>, step: &Step) {
    ternary(machine, step, arith::fma64);
}

fn dmin(machine: &mut Machine<'_>, step: &Step) {
    binary(machine, step, |a, b| if a < b { a } else { b }.to_bits());
}

fn dmax(machine: &mut Machine<'_>, step: &Step) {
    binary(machine, step, |a, b| if a > b { a } else { b }.to_bits());
}

fn drcp(machine: &mut Machine<'_>, step: &Step) {
    unary(machine, step, |a| made(1.0 / a));
}

fn dsqrt(machine: &mut Machine<'_>, step: &Step) {
    unary(machine, step, |a| made(a.sqrt()));
}

fn drsq(machine: &mut Machine<'_>, step: &Step) {
    unary(machine, step, |a| made(1.0 / a.sqrt()));
}

fn dfrac(machine: &mut Machine<'_>, step: &Step) {
    unary(machine, step, |a| made(a - a.floor()));
}

fn dflr(machine: &mut Machine<'_>, step: &Step) {
    unary(machine, step, |a| made(a.floor()));
}

fn dceil(machine: &mut Machine<'_>, step: &Step) {
    unary(machine, step, |a| made(a.ceil()));
}

fn dtrunc(machine: &mut Machine<'_>, step: &Step) {
    unary(machine, step, |a| made(a.trunc()));
}

fn dround(machine: &mut Machine<'_>, step: &Step) {
    unary(machine, step, |a| made(a.round_ties_even()));
}

fn dssg(machine: &mut Machine<'_>, step: &Step) {
    unary(machine, step, |a| {
        let above = f64::from(u8::from(a > 0.0));
        let below = f64::from(u8::from(a < 0.0));
        (above - below).to_bits()
    });
}

fn dldexp(machine: &mut Machine<'_>, step: &Step) {
    let (a, exponents) = (machine.doubles(step, 0), machine.ints(step, 1));
    let op = |pair: usize| {
        let exponents = exponents[LOW_WORDS[pair]];
        from_fn(|lane| made(scaled(a[pair][lane], exponents[lane].cast_signed())))
    };
    store(machine, step, from_fn(op));
}

/// A mantissa of 0.5 to 1 in magnitude, and the exponent. `None` for zeros, infinities and NaN.
fn parts(a: f64) -> Option<(f64, i32)> {
    if a == 0.0 || !a.is_finite() {
        return None;
    }
    let (bits, sign) = (a.to_bits() & !SIGN, a.to_bits() & SIGN);
    // The fraction of a denormal number is moved to where its highest bit is implied.
    let highest = 63 - bits.leading_zeros();
    let (exponent, fraction) = match highest.checked_sub(FRACTION_BITS) {
        Some(_) => ((bits >> FRACTION_BITS) as i32, bits & FRACTION),
        None => {
            let shift = FRACTION_BITS - highest;
            (1 - shift as i32, bits << shift & FRACTION)
        }
    };
    let mantissa = f64::from_bits(sign | HALF << FRACTION_BITS | fraction);
    Some((mantissa, exponent - HALF as i32))
}

/// `a * 2^by`, rounded once.
fn scaled(a: f64, by: i32) -> f64 {
    /// More than all exponents are apart.
    const FAR: i32 = 3000;
    let Some((mantissa, exponent)) = parts(a) else {
        return a;
    };
    let exponent = exponent + by.clamp(-FAR, FAR);
    // The product of the mantissa and a power of two that is a normal number.
    let raised = |power: i32| {
        let field = (power + HALF as i32 + 1) as u64;
        mantissa * f64::from_bits(field << FRACTION_BITS)
    };
    match exponent {
        1025.. => f64::INFINITY.copysign(a),
        1024 => raised(1023) * 2.0,
        -1021..1024 => raised(exponent),
        // The second product is the one that rounds.
        -1100..-1021 => raised(exponent + 200) * f64::from_bits((HALF + 1 - 200) << FRACTION_BITS),
        ..-1100 => 0f64.copysign(a),
    }
}

fn dfrexpm(machine: &mut Machine<'_>, step: &Step) {
    unary(machine, step, |a| {
        parts(a).map_or(a, |(mantissa, _)| mantissa).to_bits()
    });
}

fn dfrexpe(machine: &mut Machine<'_>, step: &Step) {
    narrow(machine, step, |a| {
        parts(a).map_or(0, |(_, exponent)| exponent).cast_unsigned()
    });
}

fn dseq(machine: &mut Machine<'_>, step: &Step) {
    compare(machine, step, |a, b| a == b);
}

fn dsne(machine: &mut Machine<'_>, step: &Step) {
    compare(machine, step, |a, b| a != b);
}

fn dslt(machine: &mut Machine<'_>, step: &Step) {
    compare(machine, step, |a, b| a < b);
}

fn dsge(machine: &mut Machine<'_>, step: &Step) {
    compare(machine, step, |a, b| a >= b);
}

fn f2d(machine: &mut Machine<'_>, step: &Step) {
    let a = machine.floats(step, 0);
    let pairs = HALVES.map(|slot| each(a[slot], |a| made(f64::from(a))));
    store(machine, step, pairs);
}

/// An f64 from each of two integers.
fn from_integers(machine: &mut Machine<'_>, step: &Step, op: impl Fn(u32) -> f64) {
    let a = machine.ints(step, 0);
    let pairs = HALVES.map(|slot| each(a[slot], |a| op(a).to_bits()));
    store(machine, step, pairs);
}

fn i2d(machine: &mut Machine<'_>, step: &Step) {
    from_integers(machine, step, |a| f64::from(a.cast_signed()));
}

fn u2d(machine: &mut Machine<'_>, step: &Step) {
    from_integers(machine, step, f64::from);
}

fn d2f(machine: &mut Machine<'_>, step: &Step) {
    let words = narrowed(machine, step, |a| (a as f32).to_bits());
    machine.write(step, each(words, |slot| each(slot, f32::from_bits)));
}

/// NaN and what does not fit give the smallest integer.
fn d2i(machine: &mut Machine<'_>, step: &Step) {
    narrow(machine, step, |a| {
        let whole = a.trunc();
        let fits = whole >= f64::from(i32::MIN) && whole <= f64::from(i32::MAX);
        (if fits { whole as i32 } else { i32::MIN }).cast_unsigned()
    });
}

/// Rust's conversion saturates, and NaN gives 0.
fn d2u(machine: &mut Machine<'_>, step: &Step) {
    narrow(machine, step, |a| a as u32);
}
