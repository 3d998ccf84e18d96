//! Componentwise opcodes on f32, and those that combine components.

use std::array::from_fn;

use attila_isa::VectorOp;
use attila_machine::arith::{self, number_or};
use attila_machine::{DDX_LANES, DDY_LANES, Lanes};

use crate::lanes::{Floats, each};
use crate::machine::{Machine, flushed};
use crate::ops::Action;
use crate::ops::floor;
use crate::prepare::Step;

/// The function that carries out `op`; `zero_wins` if its products are +0 where a factor is.
pub(super) fn action(op: VectorOp, zero_wins: bool) -> Action {
    if zero_wins {
        products::<true>(op)
    } else {
        products::<false>(op)
    }
}

fn products<const ZERO_WINS: bool>(op: VectorOp) -> Action {
    match op {
        VectorOp::Add => add,
        VectorOp::Mul => mul::<ZERO_WINS>,
        VectorOp::Mad => mad::<ZERO_WINS>,
        VectorOp::Mov => mov,
        VectorOp::Min => min,
        VectorOp::Max => max,
        VectorOp::Sge => sge,
        VectorOp::Slt => slt,
        VectorOp::Cmp => cmp,
        VectorOp::Flr => flr,
        VectorOp::Frc => frc,
        VectorOp::Dst => dst::<ZERO_WINS>,
        VectorOp::Dp3 => dp3::<ZERO_WINS>,
        VectorOp::Dp4 => dp4::<ZERO_WINS>,
        VectorOp::Dph => dph::<ZERO_WINS>,
        VectorOp::Ddx => ddx,
        VectorOp::Ddy => ddy,
        VectorOp::Div => div,
        VectorOp::Seq => seq,
        VectorOp::Sne => sne,
        VectorOp::Sgeo => sgeo,
        VectorOp::Sgn => sgn,
        VectorOp::Sel => sel,
        VectorOp::Maxn => maxn,
        VectorOp::Minn => minn,
        VectorOp::Fma => fma,
        VectorOp::Ceil => ceil,
        VectorOp::Trunc => trunc,
        VectorOp::Round => round,
        VectorOp::Ldexp => ldexp,
        VectorOp::Ddxc => ddxc,
        VectorOp::Ddyc => ddyc,
        VectorOp::Cnd => cnd,
        VectorOp::Cmpge => cmpge,
        VectorOp::Maxge => maxge,
        VectorOp::D2a => d2a::<ZERO_WINS>,
        VectorOp::Mdh => mdh::<ZERO_WINS>,
        VectorOp::Mdv => mdv::<ZERO_WINS>,
    }
}

#[inline(always)]
fn componentwise1(machine: &mut Machine<'_>, step: &Step, op: impl Fn(f32) -> f32) {
    let a = machine.floats(step, 0);
    machine.write(step, each(a, |slot| each(slot, &op)));
}

#[inline(always)]
fn componentwise2(machine: &mut Machine<'_>, step: &Step, op: impl Fn(f32, f32) -> f32) {
    let (a, b) = (machine.floats(step, 0), machine.floats(step, 1));
    let op = |slot: usize| from_fn(|lane| op(a[slot][lane], b[slot][lane]));
    machine.write(step, from_fn(op));
}

#[inline(always)]
fn componentwise3(machine: &mut Machine<'_>, step: &Step, op: impl Fn(f32, f32, f32) -> f32) {
    let (a, b) = (machine.floats(step, 0), machine.floats(step, 1));
    let c = machine.floats(step, 2);
    let op = |slot: usize| from_fn(|lane| op(a[slot][lane], b[slot][lane], c[slot][lane]));
    machine.write(step, from_fn(op));
}

/// The same result in all slots, from two operands in one lane.
#[inline(always)]
fn dot(machine: &mut Machine<'_>, step: &Step, op: impl Fn([f32; 4], [f32; 4]) -> f32) {
    let (a, b) = (machine.floats(step, 0), machine.floats(step, 1));
    let value = from_fn(|lane| op(of_lane(&a, lane), of_lane(&b, lane)));
    machine.write_scalar(step, value);
}

#[inline(always)]
fn of_lane(value: &Floats, lane: usize) -> [f32; 4] {
    each(*value, |slot: Lanes<f32>| slot[lane])
}

fn mov(machine: &mut Machine<'_>, step: &Step) {
    componentwise1(machine, step, |a| a);
}

fn flr(machine: &mut Machine<'_>, step: &Step) {
    componentwise1(machine, step, floor);
}

/// Tiny negatives give 1 (D44).
fn frc(machine: &mut Machine<'_>, step: &Step) {
    componentwise1(machine, step, |a| a - floor(a));
}

fn add(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| a + b);
}

/// `a * b`, or +0 if a zero wins and there is one.
#[inline(always)]
fn product<const ZERO_WINS: bool>(a: f32, b: f32) -> f32 {
    if ZERO_WINS && (a == 0.0 || b == 0.0) {
        0.0
    } else {
        a * b
    }
}

fn mul<const ZERO_WINS: bool>(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, product::<ZERO_WINS>);
}

/// Not fused: two roundings.
fn mad<const ZERO_WINS: bool>(machine: &mut Machine<'_>, step: &Step) {
    componentwise3(machine, step, |a, b, c| product::<ZERO_WINS>(a, b) + c);
}

/// The first operand where a comparison holds, else the second. Raw results are compared without denormals.
#[inline(always)]
fn choice(machine: &mut Machine<'_>, step: &Step, holds: impl Fn(f32, f32) -> bool) {
    let choose = |a, b, holds| if holds { a } else { b };
    match step.is_raw() {
        true => componentwise2(machine, step, |a, b| {
            choose(a, b, holds(flushed(a), flushed(b)))
        }),
        false => componentwise2(machine, step, |a, b| choose(a, b, holds(a, b))),
    }
}

/// Equal zeros and NaN select the second operand (D17).
fn min(machine: &mut Machine<'_>, step: &Step) {
    choice(machine, step, |a, b| a < b);
}

/// As `min`.
fn max(machine: &mut Machine<'_>, step: &Step) {
    choice(machine, step, |a, b| a > b);
}

/// NaN gives 1 (D37).
fn sge(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| if a < b { 0.0 } else { 1.0 });
}

fn slt(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| if a < b { 1.0 } else { 0.0 });
}

/// -0 and NaN select the third operand.
fn cmp(machine: &mut Machine<'_>, step: &Step) {
    componentwise3(machine, step, |a, b, c| if a < 0.0 { b } else { c });
}

/// The sum of three products, from left to right.
#[inline(always)]
fn three<const ZERO_WINS: bool>(a: [f32; 4], b: [f32; 4]) -> f32 {
    let product = |c: usize| product::<ZERO_WINS>(a[c], b[c]);
    product(0) + product(1) + product(2)
}

fn dp3<const ZERO_WINS: bool>(machine: &mut Machine<'_>, step: &Step) {
    dot(machine, step, three::<ZERO_WINS>);
}

fn dp4<const ZERO_WINS: bool>(machine: &mut Machine<'_>, step: &Step) {
    dot(machine, step, |a, b| {
        three::<ZERO_WINS>(a, b) + product::<ZERO_WINS>(a[3], b[3])
    });
}

fn dph<const ZERO_WINS: bool>(machine: &mut Machine<'_>, step: &Step) {
    dot(machine, step, |a, b| three::<ZERO_WINS>(a, b) + b[3]);
}

/// `(1, a.y*b.y, a.z, b.w)`
fn dst<const ZERO_WINS: bool>(machine: &mut Machine<'_>, step: &Step) {
    let (a, b) = (machine.floats(step, 0), machine.floats(step, 1));
    let y = from_fn(|lane| product::<ZERO_WINS>(a[1][lane], b[1][lane]));
    machine.write(step, [[1.0; 4], y, a[2], b[3]]);
}

/// Differences between the lanes of a quad, whichever of them are active.
fn difference(machine: &mut Machine<'_>, step: &Step, lanes: Lanes<(usize, usize)>) {
    let a = machine.floats(step, 0);
    let difference = |(from, to): (usize, usize), slot: Lanes<f32>| slot[to] - slot[from];
    machine.write(
        step,
        each(a, |slot| from_fn(|lane| difference(lanes[lane], slot))),
    );
}

fn ddx(machine: &mut Machine<'_>, step: &Step) {
    difference(machine, step, DDX_LANES);
}

fn ddy(machine: &mut Machine<'_>, step: &Step) {
    difference(machine, step, DDY_LANES);
}

/// One value for the quad: the lower row's.
fn ddxc(machine: &mut Machine<'_>, step: &Step) {
    difference(machine, step, [(2, 3); 4]);
}

/// One value for the quad: the left column's.
fn ddyc(machine: &mut Machine<'_>, step: &Step) {
    difference(machine, step, [(0, 2); 4]);
}

fn div(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| a / b);
}

/// 1 for true, 0 for false.
fn one_if(condition: bool) -> f32 {
    if condition { 1.0 } else { 0.0 }
}

fn seq(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| one_if(a == b));
}

fn sne(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| one_if(a != b));
}

/// NaN gives 0, unlike SGE.
fn sgeo(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| one_if(a >= b));
}

/// Zeros and NaN give +0.
fn sgn(machine: &mut Machine<'_>, step: &Step) {
    componentwise1(machine, step, |a| one_if(a > 0.0) - one_if(a < 0.0));
}

/// The condition is an integer; -0 is not 0.
fn sel(machine: &mut Machine<'_>, step: &Step) {
    let condition = machine.ints(step, 0);
    let (b, c) = (machine.floats(step, 1), machine.floats(step, 2));
    let select = |slot: usize, lane: usize| {
        let chosen = if condition[slot][lane] != 0 { &b } else { &c };
        chosen[slot][lane]
    };
    machine.write(step, from_fn(|slot| from_fn(|lane| select(slot, lane))));
}

/// With a NaN as its second operand, `max` would choose that; everything else is as there.
fn maxn(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| {
        let b = number_or(b, a);
        if a > b { a } else { b }
    });
}

/// As `maxn`.
fn minn(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| {
        let b = number_or(b, a);
        if a < b { a } else { b }
    });
}

fn fma(machine: &mut Machine<'_>, step: &Step) {
    componentwise3(machine, step, arith::fma);
}

fn ceil(machine: &mut Machine<'_>, step: &Step) {
    componentwise1(machine, step, |a| -floor(-a));
}

/// Results between -1 and 0 are -0.
fn trunc(machine: &mut Machine<'_>, step: &Step) {
    componentwise1(machine, step, |a| floor(a.abs()).copysign(a));
}

fn round(machine: &mut Machine<'_>, step: &Step) {
    componentwise1(machine, step, f32::round_ties_even);
}

/// The product is exact in f64.
fn ldexp(machine: &mut Machine<'_>, step: &Step) {
    let (a, exponents) = (machine.floats(step, 0), machine.ints(step, 1));
    let scaled = |slot: usize, lane: usize| {
        // From 278 on every number but 0 is infinite, even the smallest denormal.
        let exponent = exponents[slot][lane].cast_signed().clamp(-278, 278);
        let scale = f64::from_bits(u64::from((exponent + 1023).cast_unsigned()) << 52);
        (f64::from(a[slot][lane]) * scale) as f32
    };
    machine.write(step, from_fn(|slot| from_fn(|lane| scaled(slot, lane))));
}

fn cnd(machine: &mut Machine<'_>, step: &Step) {
    componentwise3(machine, step, |a, b, c| if c > 0.5 { a } else { b });
}

/// -0 selects the first operand, NaN the second. A raw result's comparison takes a denormal for a zero.
fn cmpge(machine: &mut Machine<'_>, step: &Step) {
    match step.is_raw() {
        true => componentwise3(
            machine,
            step,
            |a, b, c| if flushed(c) >= 0.0 { a } else { b },
        ),
        false => componentwise3(machine, step, |a, b, c| if c >= 0.0 { a } else { b }),
    }
}

/// Equal zeros select the first operand, unlike MAX; NaN the second.
fn maxge(machine: &mut Machine<'_>, step: &Step) {
    choice(machine, step, |a, b| a >= b);
}

fn d2a<const ZERO_WINS: bool>(machine: &mut Machine<'_>, step: &Step) {
    let (a, b) = (machine.floats(step, 0), machine.floats(step, 1));
    let c = machine.floats(step, 2)[2];
    let sum = |lane: usize| {
        let product = |slot: usize| product::<ZERO_WINS>(a[slot][lane], b[slot][lane]);
        product(0) + product(1) + c[lane]
    };
    machine.write_scalar(step, from_fn(sum));
}

/// `a*b + c` with the first lane's a and the c of another one, whichever are active.
fn mad_of_lanes<const ZERO_WINS: bool>(machine: &mut Machine<'_>, step: &Step, other: usize) {
    let (a, b) = (machine.floats(step, 0), machine.floats(step, 1));
    let c = machine.floats(step, 2);
    let value =
        |slot: usize, lane: usize| product::<ZERO_WINS>(a[slot][0], b[slot][lane]) + c[slot][other];
    machine.write(step, from_fn(|slot| from_fn(|lane| value(slot, lane))));
}

fn mdh<const ZERO_WINS: bool>(machine: &mut Machine<'_>, step: &Step) {
    mad_of_lanes::<ZERO_WINS>(machine, step, 1);
}

fn mdv<const ZERO_WINS: bool>(machine: &mut Machine<'_>, step: &Step) {
    mad_of_lanes::<ZERO_WINS>(machine, step, 2);
}
