//! Holds the approximations to steps that are quick on every processor.
//!
//! Some processors take a hundred cycles and more for a product among the denormals, and for an
//! operand that is one. A result that is 0 or normal needs neither, unless the approximation's own
//! operand is denormal.

use super::{cos, cos_turns, ex2, from_srgb, lg2, lit_power, sin, sin_turns, to_srgb};
use crate::arith::{Arith, HostLanes, SlowPath};
use crate::sweep::SplitMix64;

type F = [f32; 1];
type I = [i32; 1];
type M = [bool; 1];

/// The smallest magnitude of an exact result that is slow, 2^-158; the normal ones are the first above
/// that are not. All up to 2^-150 round to 0, but only smaller ones do so quickly.
const SLOW_FROM: f64 = 1.0 / (1u64 << 32) as f64 / (1u128 << 126) as f64;

/// One lane on the host that counts the slow steps.
#[derive(Default)]
struct Watch {
    slow: usize,
}

impl Watch {
    /// Looks at a step with these operands and this exact result.
    fn step(&mut self, operands: &[f32], exact: f64) {
        let slow = SLOW_FROM..f64::from(f32::MIN_POSITIVE);
        let denormal = operands.iter().any(|operand| operand.is_subnormal());
        self.slow += usize::from(denormal || slow.contains(&exact.abs()));
    }
}

/// Steps that are done as on the host.
macro_rules! quick {
    ($($name:ident($($operand:ident: $type:ty),*) -> $result:ty;)*) => {
        $(fn $name(&mut self, $($operand: $type),*) -> $result {
            HostLanes::<1>.$name($($operand),*)
        })*
    };
}

/// Steps that are done as on the host, and looked at: with the value in f64.
macro_rules! watched {
    ($($name:ident($($operand:ident),*) = $exact:expr;)*) => {
        $(fn $name(&mut self, $($operand: F),*) -> F {
            let result = HostLanes::<1>.$name($($operand),*);
            let operands = [$($operand[0]),*];
            let [$($operand),*] = operands.map(f64::from);
            self.step(&operands, $exact);
            result
        })*
    };
}

impl Arith for Watch {
    type F = F;
    type I = I;
    type M = M;

    watched! {
        add(a, b) = a + b;
        sub(a, b) = a - b;
        mul(a, b) = a * b;
        div(a, b) = a / b;
        fma(a, b, c) = a * b + c;
        sqrt(a) = a.sqrt();
    }
    quick! {
        f32(value: f32) -> F;
        i32(value: i32) -> I;
        floor(a: F) -> F;
        nearest(a: F) -> F;
        neg(a: F) -> F;
        abs(a: F) -> F;
        lt(a: F, b: F) -> M;
        le(a: F, b: F) -> M;
        eq(a: F, b: F) -> M;
        to_bits(a: F) -> I;
        from_bits(a: I) -> F;
        trunc_to_i32(a: F) -> I;
        to_f32(a: I) -> F;
        iadd(a: I, b: I) -> I;
        isub(a: I, b: I) -> I;
        imul(a: I, b: I) -> I;
        iand(a: I, b: I) -> I;
        ior(a: I, b: I) -> I;
        ixor(a: I, b: I) -> I;
        shl(a: I, n: u32) -> I;
        shr_u(a: I, n: u32) -> I;
        shr_s(a: I, n: u32) -> I;
        ilt(a: I, b: I) -> M;
        ieq(a: I, b: I) -> M;
        both(a: M, b: M) -> M;
        either(a: M, b: M) -> M;
        not(a: M) -> M;
        select(mask: M, a: F, b: F) -> F;
        iselect(mask: M, a: I, b: I) -> I;
        slow_path(path: SlowPath, mask: M, x: F, fast: F) -> F;
    }
}

/// The result of `function`, and how many of its steps were slow.
fn watch(function: impl Fn(&mut Watch) -> F) -> (f32, usize) {
    let mut watch = Watch::default();
    let [result] = function(&mut watch);
    (result, watch.slow)
}

/// Both zeros, infinities and NaN, and some of the normal numbers of either sign.
fn ordinary() -> impl Iterator<Item = f32> {
    let normal = (f32::MIN_POSITIVE.to_bits()..f32::INFINITY.to_bits()).step_by(65_521);
    let positive = normal.map(f32::from_bits);
    let special = [0.0, f32::INFINITY, f32::NAN];
    positive.chain(special).flat_map(|x| [x, -x])
}

/// Numbers from `start` to `end`, both of the same sign, and both included.
fn between(start: f32, end: f32) -> impl Iterator<Item = f32> {
    let bits = (start.to_bits()..end.to_bits()).step_by(997);
    bits.map(f32::from_bits).chain([end])
}

#[test]
fn a_power_of_two_that_is_0_comes_about_without_denormals() {
    for x in between(-158.5, f32::NEG_INFINITY) {
        let (result, slow) = watch(|a| ex2(a, [x]));
        assert_eq!((result.to_bits(), slow), (0, 0), "at {x:e}");
    }
}

#[test]
fn a_power_of_two_that_is_normal_comes_about_without_denormals() {
    let negative = between(-f32::MIN_POSITIVE, -126.0);
    let positive = between(f32::MIN_POSITIVE, f32::INFINITY);
    for x in negative.chain(positive).chain([0.0, -0.0, f32::NAN]) {
        let (_, slow) = watch(|a| ex2(a, [x]));
        assert_eq!(slow, 0, "at {x:e}");
    }
}

#[test]
fn a_power_of_two_that_is_denormal_is_so_in_its_last_step_only() {
    for x in between(-126.0, -158.5) {
        let (_, slow) = watch(|a| ex2(a, [x]));
        assert!(slow <= 1, "{slow} at {x:e}");
    }
}

#[test]
fn a_power_that_is_0_comes_about_without_denormals() {
    let mut random = SplitMix64::new(1);
    let mut powers: Vec<[f32; 2]> = (0..50_000)
        .map(|_| {
            // A logarithm below -159, of a power with an exponent of either sign.
            let w = random.between(2.0, 128.0);
            let log = -159.0 / w - random.between(0.0, 1.0) * (125.9 - 159.0 / w).max(0.0);
            [log.exp2() as f32, w as f32]
        })
        .flat_map(|[y, w]| [[y, w], [1.0 / y, -w]])
        .collect();
    powers.extend([[0.0, 1.0], [0.0, 2.4], [0.0, 128.0], [f32::INFINITY, -3.0]]);
    for [y, w] in powers {
        let (result, slow) = watch(|a| lit_power(a, [y], [w]));
        assert_eq!((result.to_bits(), slow), (0, 0), "{y:e} to the {w:e}");
    }
}

#[test]
fn a_power_that_is_normal_comes_about_without_denormals() {
    let mut random = SplitMix64::new(2);
    let mut powers: Vec<[f32; 2]> = (0..50_000)
        .map(|_| {
            let w = random.between(-128.0, 128.0);
            let log = random.between(-125.9, 128.0);
            [(log / w).clamp(-126.0, 127.0).exp2() as f32, w as f32]
        })
        .collect();
    powers.extend([[1.0, 3.0], [0.0, 0.0], [2.0, 0.0], [f32::INFINITY, 2.0]]);
    for [y, w] in powers {
        let (result, slow) = watch(|a| lit_power(a, [y], [w]));
        assert!(result.is_normal() || result == f32::INFINITY, "{result:e}");
        assert_eq!(slow, 0, "{y:e} to the {w:e}");
    }
}

#[test]
fn logarithms_sines_and_cosines_come_about_without_denormals() {
    for x in ordinary() {
        for function in [lg2, sin, cos, sin_turns, cos_turns] {
            let (_, slow) = watch(|a| function(a, [x]));
            assert_eq!(slow, 0, "at {x:e}");
        }
    }
}

#[test]
fn srgb_comes_about_without_denormals_in_both_directions() {
    for x in between(f32::MIN_POSITIVE * 16.0, 1.0).chain([0.0]) {
        for function in [to_srgb::<Watch>, from_srgb::<Watch>] {
            let (_, slow) = watch(|a| function(a, [x]));
            assert_eq!(slow, 0, "at {x:e}");
        }
    }
}
