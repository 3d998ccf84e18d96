//! Measures the approximations against f64.
//!
//! The engines share one text of [`crate::approx`], so comparing them says nothing about accuracy.
//! This module compares with the f64 functions of the host's C library instead, whose own
//! error, some 2^-53, is nothing beside an ulp of f32. It is the only place that uses them.

use crate::approx;
use crate::arith::{Arith, HostLanes};
use std::f64::consts::TAU;

/// How many inputs are evaluated together; enough for the widest SIMD registers.
const LANES: usize = 16;

/// An approximation of one argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// [`approx::ex2`].
    Ex2,
    /// [`approx::lg2`].
    Lg2,
    /// [`approx::sin`].
    Sin,
    /// [`approx::cos`].
    Cos,
    /// [`approx::sin_turns`].
    SinTurns,
    /// [`approx::cos_turns`].
    CosTurns,
}

impl Function {
    /// All of them.
    pub const ALL: [Function; 6] = [
        Function::Ex2,
        Function::Lg2,
        Function::Sin,
        Function::Cos,
        Function::SinTurns,
        Function::CosTurns,
    ];

    /// The mnemonic.
    pub fn name(self) -> &'static str {
        match self {
            Function::Ex2 => "ex2",
            Function::Lg2 => "lg2",
            Function::Sin => "sin",
            Function::Cos => "cos",
            Function::SinTurns => "sint",
            Function::CosTurns => "cost",
        }
    }

    /// The approximation, step by step.
    pub fn apply<A: Arith>(self, a: &mut A, x: A::F) -> A::F {
        match self {
            Function::Ex2 => approx::ex2(a, x),
            Function::Lg2 => approx::lg2(a, x),
            Function::Sin => approx::sin(a, x),
            Function::Cos => approx::cos(a, x),
            Function::SinTurns => approx::sin_turns(a, x),
            Function::CosTurns => approx::cos_turns(a, x),
        }
    }

    /// The approximation of every lane.
    pub fn approximate<const N: usize>(self, x: [f32; N]) -> [f32; N] {
        self.apply(&mut HostLanes, x)
    }

    /// The function's value, for all that f32 can tell.
    pub fn exact(self, x: f32) -> f64 {
        let x = f64::from(x);
        match self {
            Function::Ex2 => x.exp2(),
            Function::Lg2 => x.log2(),
            Function::Sin => x.sin(),
            Function::Cos => x.cos(),
            Function::SinTurns => sin_of_turns(x),
            Function::CosTurns => cos_of_turns(x),
        }
    }
}

/// sin 2πx, the zero of x's sign for whole half turns.
fn sin_of_turns(x: f64) -> f64 {
    let (quadrant, r) = reduce(x.abs());
    // A zero is +0 in every quadrant, so that x decides on its sign.
    let sine = match quadrant {
        0 => (TAU * r).sin(),
        1 => (TAU * r).cos(),
        2 => (TAU * (0.0 - r)).sin(),
        _ => -(TAU * r).cos(),
    };
    if x.is_sign_negative() { -sine } else { sine }
}

/// cos 2πx, +0 for odd quarter turns.
fn cos_of_turns(x: f64) -> f64 {
    let (quadrant, r) = reduce(x.abs());
    match quadrant {
        0 => (TAU * r).cos(),
        1 => (TAU * (0.0 - r)).sin(),
        2 => -(TAU * r).cos(),
        _ => (TAU * r).sin(),
    }
}

/// The quarter turn next to x, modulo 4, and the distance from it in turns, at most 1/8. Both are
/// exact, as x is an f32 that is not below 0. The distance is NaN if x is not finite.
fn reduce(x: f64) -> (u8, f64) {
    let quarters = (4.0 * x).round();
    (quarters.rem_euclid(4.0) as u8, x - quarters / 4.0)
}

/// The result of a sweep. `I` is the input: one f32, or two of a power.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct SweepReport<I = f32> {
    /// How many inputs were evaluated.
    pub count: u64,
    /// The largest error, in ulp.
    pub worst_ulp: f64,
    /// The first input with that error; `None` if there was no error at all.
    pub worst_input: Option<I>,
    /// The approximation there.
    pub result: f32,
    /// The exact value there.
    pub exact: f64,
}

impl<I: Copy> SweepReport<I> {
    /// The report on no inputs.
    pub const EMPTY: Self = SweepReport {
        count: 0,
        worst_ulp: 0.0,
        worst_input: None,
        result: 0.0,
        exact: 0.0,
    };

    /// Both reports as one.
    pub fn merge(self, other: Self) -> Self {
        let worst = if other.worst_ulp > self.worst_ulp {
            other
        } else {
            self
        };
        SweepReport {
            count: self.count + other.count,
            ..worst
        }
    }

    fn add(&mut self, input: I, result: f32, exact: f64) {
        self.count += 1;
        let ulp = ulp_error(result, exact);
        if ulp > self.worst_ulp {
            *self = SweepReport {
                count: self.count,
                worst_ulp: ulp,
                worst_input: Some(input),
                result,
                exact,
            };
        }
    }
}

/// How far `result` is from the exact value, in units in the last place that f32 has there.
///
/// Beyond the largest f32, the exact value and an infinite result both count as 2^128. Where the
/// exact value is NaN, infinite or zero, the result must be the same, with the same sign; otherwise
/// the error is infinite.
pub fn ulp_error(result: f32, exact: f64) -> f64 {
    const END: f64 = 2.0 * (1u128 << 127) as f64;
    if result.is_nan() || exact.is_nan() {
        return if result.is_nan() && exact.is_nan() {
            0.0
        } else {
            f64::INFINITY
        };
    }
    if exact.is_infinite() || exact == 0.0 {
        let same = f64::from(result).to_bits() == exact.to_bits();
        return if same { 0.0 } else { f64::INFINITY };
    }
    let exponent = ((exact.to_bits() >> 52) & 0x7ff).clamp(1023 - 126, 1023 + 127);
    let ulp = f64::from_bits((exponent - 23) << 52);
    let result = f64::from(result).clamp(-END, END);
    (result - exact.clamp(-END, END)).abs() / ulp
}

/// Evaluates `function` on every `step`-th f32 whose bits are in `bits`, and compares.
///
/// `progress` is told now and then how many inputs have been added since it was told last.
pub fn sweep(
    function: Function,
    bits: std::ops::Range<u64>,
    step: u64,
    mut progress: impl FnMut(u64),
) -> SweepReport {
    /// Inputs between two calls of `progress`.
    const BLOCK: u64 = 1 << 20;
    let mut report = SweepReport::EMPTY;
    let mut start = bits.start;
    while start < bits.end {
        let end = bits.end.min(start.saturating_add(BLOCK * step));
        let before = report.count;
        sweep_block(function, start..end, step, &mut report);
        progress(report.count - before);
        start = start.saturating_add(BLOCK * step);
    }
    report
}

fn sweep_block(
    function: Function,
    bits: std::ops::Range<u64>,
    step: u64,
    report: &mut SweepReport,
) {
    let mut start = bits.start;
    while start < bits.end {
        let inputs: [u64; LANES] = std::array::from_fn(|lane| start + lane as u64 * step);
        let x = inputs.map(|input| f32::from_bits(input as u32));
        let results = function.approximate(x);
        for lane in 0..LANES {
            if inputs[lane] < bits.end {
                report.add(x[lane], results[lane], function.exact(x[lane]));
            }
        }
        start += LANES as u64 * step;
    }
}

/// Evaluates [`approx::lit_power`] on random pairs (y, w) of its domain, and compares.
///
/// Half of the pairs are likely to have a result other than zero and infinity; the others have any
/// y. `pairs` is rounded up to a multiple of the lanes. `progress` is told now and then how many
/// pairs have been added since it was told last.
pub fn sweep_power(seed: u64, pairs: u64, progress: impl FnMut(u64)) -> SweepReport<[f32; 2]> {
    sweep_pairs(
        seed,
        pairs,
        [tame_pair, any_pair],
        approx::lit_power,
        progress,
    )
}

/// Evaluates a power on random pairs, of the two kinds in turns.
fn sweep_pairs(
    seed: u64,
    pairs: u64,
    kinds: [fn(&mut SplitMix64) -> [f32; 2]; 2],
    power: fn(&mut HostLanes<LANES>, [f32; LANES], [f32; LANES]) -> [f32; LANES],
    mut progress: impl FnMut(u64),
) -> SweepReport<[f32; 2]> {
    /// Groups of pairs between two calls of `progress`.
    const BLOCK: u64 = 1 << 16;
    let mut random = SplitMix64::new(seed);
    let mut report = SweepReport::EMPTY;
    let groups = pairs.div_ceil(LANES as u64);
    let mut told = 0;
    for group in 0..groups {
        let pair = kinds[(group % 2) as usize];
        let pairs: [[f32; 2]; LANES] = std::array::from_fn(|_| pair(&mut random));
        let results = power(
            &mut HostLanes::<LANES>,
            pairs.map(|[y, _]| y),
            pairs.map(|[_, w]| w),
        );
        for (&[y, w], result) in pairs.iter().zip(results) {
            report.add([y, w], result, exact_power(y, w));
        }
        if group % BLOCK == BLOCK - 1 || group + 1 == groups {
            progress(report.count - told);
            told = report.count;
        }
    }
    report
}

/// Evaluates [`approx::pow`] on random pairs (x, y), and compares.
///
/// Half of the pairs are likely to have a result other than 0, 1 and infinity; the others have any x
/// that is not below 0 and any y. Rounding and `progress` are as in [`sweep_power`].
pub fn sweep_pow(seed: u64, pairs: u64, progress: impl FnMut(u64)) -> SweepReport<[f32; 2]> {
    sweep_pairs(
        seed,
        pairs,
        [ordinary_pair, unlimited_pair],
        approx::pow,
        progress,
    )
}

/// A pair whose power is likely to be an ordinary number, with exponents of every magnitude.
fn ordinary_pair(random: &mut SplitMix64) -> [f32; 2] {
    let y = random.between(-40.0, 40.0).exp2() as f32;
    let log = random.between(-150.0, 128.5);
    let x = (log / f64::from(y)).clamp(-149.0, 128.0).exp2() as f32;
    if random.next() & 1 == 0 {
        [x, y]
    } else {
        [1.0 / x, -y]
    }
}

/// Any bits, but for the sign of x.
fn unlimited_pair(random: &mut SplitMix64) -> [f32; 2] {
    let bits = random.next();
    [
        f32::from_bits(bits as u32 >> 1),
        f32::from_bits((bits >> 32) as u32),
    ]
}

/// The power of C, but that of 1 and NaN is NaN.
fn exact_power(y: f32, w: f32) -> f64 {
    if w.is_nan() {
        return f64::NAN;
    }
    f64::from(y).powf(f64::from(w))
}

/// A pair whose power is likely to be a number other than zero and infinity.
fn tame_pair(random: &mut SplitMix64) -> [f32; 2] {
    let w = random.between(-128.0, 128.0);
    let exponent = random.between(-150.0, 128.5);
    let y = (exponent / w).clamp(-149.0, 128.0).exp2();
    [y as f32, w as f32]
}

/// Any y that is not negative (infinity and NaN are as rare as they are), any w.
fn any_pair(random: &mut SplitMix64) -> [f32; 2] {
    let y = f32::from_bits(random.next() as u32 >> 1);
    [y, random.between(-128.0, 128.0) as f32]
}

/// A small random generator (splitmix64): a counter with an odd step, and its bits mixed well.
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    pub(crate) fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * unit
    }
}

#[cfg(test)]
mod tests {
    use super::{Function, SweepReport, sweep, ulp_error};

    #[test]
    fn ulp_is_that_of_the_exact_value() {
        assert_eq!(ulp_error(1.0 + f32::EPSILON, 1.0), 1.0);
        assert_eq!(ulp_error(1.0 - f32::EPSILON, 1.0), 1.0);
        assert_eq!(ulp_error(1.0, 1.0 - f64::from(f32::EPSILON)), 2.0);
        assert_eq!(ulp_error(-3.0, -3.0), 0.0);
        let tiny = f32::from_bits(1);
        assert_eq!(ulp_error(tiny, 2.5 * f64::from(tiny)), 1.5);
        assert_eq!(ulp_error(0.0, 0.25 * f64::from(tiny)), 0.25);
    }

    #[test]
    fn infinity_counts_as_the_next_power_of_two_and_classes_must_agree() {
        assert_eq!(ulp_error(f32::INFINITY, f64::from(f32::MAX)), 1.0);
        assert_eq!(ulp_error(f32::MAX, 1e300), 1.0);
        assert_eq!(ulp_error(f32::INFINITY, 1e300), 0.0);
        for (result, exact) in [
            (f32::NAN, 1.0),
            (1.0, f64::NAN),
            (f32::MAX, f64::INFINITY),
            (f32::INFINITY, f64::NEG_INFINITY),
            (0.0, -0.0),
            (f32::from_bits(1), 0.0),
        ] {
            assert_eq!(
                ulp_error(result, exact),
                f64::INFINITY,
                "{result} for {exact}"
            );
        }
        assert_eq!(ulp_error(f32::NAN, f64::NAN), 0.0);
    }

    #[test]
    fn exact_values_of_turns_have_the_signs_of_their_quadrants() {
        let [sine, cosine] = [Function::SinTurns, Function::CosTurns];
        let root = std::f64::consts::FRAC_1_SQRT_2;
        let quarters = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)];
        let eighths = [(root, root), (root, -root), (-root, -root), (-root, root)];
        for whole in [0.0, 1.0, 1000.0] {
            for quarter in 0..4u8 {
                let x = whole + f32::from(quarter) / 4.0;
                let (sin, cos) = quarters[usize::from(quarter)];
                for (x, sin) in [(x, sin), (-x, -sin)] {
                    assert_eq!(sine.exact(x).to_bits(), f64::to_bits(sin), "sine of {x}");
                    assert_eq!(
                        cosine.exact(x).to_bits(),
                        f64::to_bits(cos),
                        "cosine of {x}"
                    );
                }
                let (sin, cos) = eighths[usize::from(quarter)];
                let x = x + 0.125;
                for (x, sin) in [(x, sin), (-x, -sin)] {
                    assert!((sine.exact(x) - sin).abs() < 1e-15, "sine of {x}");
                    assert!((cosine.exact(x) - cos).abs() < 1e-15, "cosine of {x}");
                }
            }
        }
        for x in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            assert!(sine.exact(x).is_nan() && cosine.exact(x).is_nan());
        }
    }

    #[test]
    fn chunks_add_up_to_the_whole() {
        let (start, end, step) = (0x3f00_0000, 0x4000_0003, 977);
        let mut told = 0;
        let whole = sweep(Function::Lg2, start..end, step, |count| told += count);
        assert_eq!(told, whole.count);
        let middle = start + 1000 * step;
        let parts = [start..middle, middle..end]
            .map(|part| sweep(Function::Lg2, part, step, |_| ()))
            .into_iter()
            .fold(SweepReport::EMPTY, SweepReport::merge);
        assert_eq!(parts, whole);
    }
}
