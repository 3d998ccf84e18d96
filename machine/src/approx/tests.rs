//! Promises of the approximations. The exhaustive sweep measures accuracy over all inputs;
//! the strided one here only notices breakage.

use super::polynomial;
use crate::approx::{
    cos, cos_large, cos_turns, ex2, lg2, lit_power, pow, sin, sin_large, sin_turns,
};
use crate::arith::HostLanes;
use crate::sweep::{Function, SplitMix64, sweep, sweep_pow, sweep_power, ulp_error};

fn one(function: fn(&mut HostLanes<1>, [f32; 1]) -> [f32; 1], x: f32) -> f32 {
    function(&mut HostLanes, [x])[0]
}

fn power(y: f32, w: f32) -> f32 {
    lit_power(&mut HostLanes, [y], [w])[0]
}

#[track_caller]
fn assert_bits(got: f32, want: f32) {
    let same = got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
    assert!(
        same,
        "{got:e} ({:08x}) is not {want:e} ({:08x})",
        got.to_bits(),
        want.to_bits()
    );
}

#[track_caller]
fn assert_near(got: f32, want_bits: u32) {
    let want = f32::from_bits(want_bits);
    let ulp = ulp_error(got, f64::from(want));
    assert!(ulp <= 2.0, "{got:e} is {ulp} ulp from {want:e}");
}

const INFINITY: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;
/// The smallest denormal.
const TINY: f32 = f32::from_bits(1);

#[test]
fn special_values_of_ex2() {
    for (x, y) in [
        (INFINITY, INFINITY),
        (-INFINITY, 0.0),
        (NAN, NAN),
        (0.0, 1.0),
        (-0.0, 1.0),
        (TINY, 1.0),
        (-TINY, 1.0),
        (1e10, INFINITY),
        (-1e10, 0.0),
        (f32::MAX, INFINITY),
        (f32::MIN, 0.0),
        (128.0, INFINITY),
        (-150.0, 0.0),
    ] {
        assert_bits(one(ex2, x), y);
    }
}

#[test]
fn special_values_of_lg2() {
    for (x, y) in [
        (0.0, -INFINITY),
        (-0.0, -INFINITY),
        (INFINITY, INFINITY),
        (-INFINITY, NAN),
        (NAN, NAN),
        (-NAN, NAN),
        (-4.0, NAN),
        (-TINY, NAN),
        (1.0, 0.0),
        (f32::MAX, 128.0),
    ] {
        assert_bits(one(lg2, x), y);
    }
}

#[test]
fn special_values_of_sin_and_cos() {
    assert_bits(one(sin, 0.0), 0.0);
    assert_bits(one(sin, -0.0), -0.0);
    for x in [TINY, -TINY, 1e-30, -1e-30] {
        assert_bits(one(sin, x), x);
        assert_bits(one(cos, x), 1.0);
    }
    assert_bits(one(cos, 0.0), 1.0);
    assert_bits(one(cos, -0.0), 1.0);
    for x in [INFINITY, -INFINITY, NAN, -NAN] {
        assert_bits(one(sin, x), NAN);
        assert_bits(one(cos, x), NAN);
    }
}

#[test]
fn quarter_turns_are_exact() {
    // Quarters of turns up to 2^22, then numbers of whole turns, up to those next to the largest.
    let near = (0..=1 << 12).chain((1 << 24) - 64..=1 << 24);
    let near = near.map(|k| (k % 4, k as f32 / 4.0));
    let halves = (1..64).map(|k| (2, (1 << 22) as f32 + k as f32 + 0.5));
    let whole = (0x4b00_0000..f32::INFINITY.to_bits()).step_by(40_009);
    let whole = whole.chain([f32::MAX.to_bits()]);
    let whole = whole.map(|bits| (0, f32::from_bits(bits)));
    for (quarters, x) in near.chain(halves).chain(whole) {
        let (sine, cosine) = match quarters {
            0 => (0.0, 1.0),
            1 => (1.0, 0.0),
            2 => (0.0, -1.0),
            _ => (-1.0, 0.0),
        };
        assert_bits(one(sin_turns, x), sine);
        assert_bits(one(sin_turns, -x), -sine);
        assert_bits(one(cos_turns, x), cosine);
        assert_bits(one(cos_turns, -x), cosine);
    }
}

#[test]
fn special_values_of_turns() {
    for x in [INFINITY, -INFINITY, NAN, -NAN] {
        assert_bits(one(sin_turns, x), NAN);
        assert_bits(one(cos_turns, x), NAN);
    }
    for x in [TINY, -TINY, 1e-30, -1e-30] {
        let sine = (f64::from(x) * std::f64::consts::TAU) as f32;
        assert_bits(one(sin_turns, x), sine);
        assert_bits(one(cos_turns, x), 1.0);
    }
}

/// Just beside a zero the argument has few bits, and all of them count.
#[test]
fn sines_and_cosines_beside_their_zeros_stay_within_two_ulp() {
    let tau = std::f64::consts::TAU;
    let steps = |x: f32| [x.next_down(), x.next_up()];
    for half in 1..1000 {
        let zero = half as f32 / 2.0;
        let sign = if half % 2 == 0 { 1.0 } else { -1.0 };
        for x in steps(zero) {
            let exact = sign * tau * (f64::from(x) - f64::from(zero));
            let ulp = ulp_error(one(sin_turns, x), exact);
            assert!(ulp <= 2.0, "sine of {x}: {ulp} ulp");
        }
        let zero = zero - 0.25;
        for x in steps(zero) {
            let exact = sign * tau * (f64::from(x) - f64::from(zero));
            let ulp = ulp_error(one(cos_turns, x), exact);
            assert!(ulp <= 2.0, "cosine of {x}: {ulp} ulp");
        }
    }
}

#[test]
fn values_that_the_original_simulator_computed() {
    assert_near(one(sin, 0.5), 0x3ef5_7744);
    assert_near(one(cos, 0.5), 0x3f60_a940);
    assert_near(one(sin, 1000.0), 0x3f53_ae61);
    assert_near(one(cos, 1e30), 0xbf1c_9222);
    assert_near(one(ex2, 2.5), 0x40b5_04f3);
    assert_near(one(ex2, -2.5), 0x3e35_04f3);
    assert_near(one(lg2, 1000.0), 0x411f_73da);
    assert_near(power(2.0, -128.0), 0x0020_0000);
    assert_bits(one(lg2, TINY), f32::from_bits(0xc315_0000));
}

#[test]
fn ex2_of_integers_is_exact() {
    for k in -160..=140 {
        assert_bits(one(ex2, k as f32), f64::from(k).exp2() as f32);
    }
}

#[test]
fn lg2_of_powers_of_two_is_exact() {
    for k in -149..=127 {
        assert_bits(one(lg2, f64::from(k).exp2() as f32), k as f32);
    }
}

#[test]
fn sin_is_odd_and_cos_is_even_and_neither_leaves_its_range() {
    for [sin, cos] in [[sin, cos], [sin_turns, cos_turns]] {
        for bits in (0..0x7f80_0000).step_by(4001) {
            let x = f32::from_bits(bits);
            assert_bits(one(sin, -x), -one(sin, x));
            assert!(
                one(sin, x).abs() <= 1.0 && one(cos, x).abs() <= 1.0,
                "at {x:e}"
            );
            assert_bits(one(cos, -x), one(cos, x));
        }
    }
}

#[test]
fn slow_path_agrees_with_f64_wherever_it_is_valid() {
    let mut worst = 0f64;
    for bits in (0x3f80_0000..0x7f80_0000).step_by(997) {
        let x = f32::from_bits(bits);
        for (got, want) in [
            (sin_large(x), f64::from(x).sin()),
            (sin_large(-x), f64::from(-x).sin()),
            (cos_large(x), f64::from(x).cos()),
            (cos_large(-x), f64::from(-x).cos()),
        ] {
            worst = worst.max(ulp_error(got, want));
        }
    }
    assert!(worst < 0.500_001, "{worst} ulp");
}

#[test]
fn power_of_special_values_is_that_of_c() {
    for (y, w, z) in [
        (0.0, 0.0, 1.0),
        (0.0, -0.0, 1.0),
        (0.0, -1.0, INFINITY),
        (0.0, 1.0, 0.0),
        (-0.0, 2.0, 0.0),
        (INFINITY, 2.0, INFINITY),
        (INFINITY, -2.0, 0.0),
        (INFINITY, 0.0, 1.0),
        (NAN, 0.0, 1.0),
        (NAN, 2.0, NAN),
        (1.0, 128.0, 1.0),
        (1.0, -0.3, 1.0),
        (f32::MAX, 128.0, INFINITY),
        (f32::MAX, -128.0, 0.0),
        (TINY, 128.0, 0.0),
        (TINY, -128.0, INFINITY),
        (TINY, TINY, 1.0),
    ] {
        assert_bits(power(y, w), z);
    }
}

#[test]
fn power_of_powers_of_two_is_exact_for_integers() {
    for k in -20..=20 {
        for w in -7..=7 {
            assert_bits(
                power(f64::from(k).exp2() as f32, w as f32),
                f64::from(k * w).exp2() as f32,
            );
        }
    }
}

#[test]
fn strided_sweep_stays_within_two_ulp() {
    for function in Function::ALL {
        let report = sweep(function, 0..1 << 32, 4099, |_| ());
        assert_eq!(report.count, (1u64 << 32).div_ceil(4099));
        assert!(report.worst_ulp <= 2.0, "{}: {report:?}", function.name());
    }
}

#[test]
fn random_powers_stay_within_two_ulp() {
    let report = sweep_power(1, 1_000_000, |_| ());
    assert!(report.worst_ulp <= 2.0, "{report:?}");
}

#[test]
fn random_powers_with_any_exponent_stay_within_two_ulp() {
    let report = sweep_pow(1, 1_000_000, |_| ());
    assert!(report.worst_ulp <= 2.0, "{report:?}");
}

#[test]
fn special_values_of_pow() {
    for (x, y, z) in [
        (0.0, 0.0, 1.0),
        (NAN, -0.0, 1.0),
        (-3.0, 0.0, 1.0),
        (-INFINITY, 0.0, 1.0),
        (INFINITY, 0.0, 1.0),
        (1.0, NAN, NAN),
        (2.0, NAN, NAN),
        (0.0, NAN, NAN),
        (NAN, 2.0, NAN),
        (-1.0, 2.0, NAN),
        (-TINY, 1.0, NAN),
        (-1.0, INFINITY, NAN),
        (-INFINITY, 3.0, NAN),
        (-0.0, 3.0, 0.0),
        (-0.0, -3.0, INFINITY),
        (0.0, INFINITY, 0.0),
        (0.0, -INFINITY, INFINITY),
        (0.0, TINY, 0.0),
        (0.0, -TINY, INFINITY),
        (1.0, INFINITY, 1.0),
        (1.0, -INFINITY, 1.0),
        (1.0, f32::MAX, 1.0),
        (0.5, INFINITY, 0.0),
        (0.5, -INFINITY, INFINITY),
        (2.0, INFINITY, INFINITY),
        (2.0, -INFINITY, 0.0),
        (INFINITY, INFINITY, INFINITY),
        (INFINITY, -INFINITY, 0.0),
        (INFINITY, TINY, INFINITY),
        (INFINITY, -TINY, 0.0),
        (f32::MAX, f32::MAX, INFINITY),
        (f32::MAX, f32::MIN, 0.0),
        (TINY, f32::MAX, 0.0),
        (TINY, f32::MIN, INFINITY),
        (2.0, -149.0, TINY),
        (3.0, 5.0, 243.0),
        (1.0f32.next_down(), f32::MAX, 0.0),
        (1.0f32.next_up(), f32::MAX, INFINITY),
    ] {
        assert_bits(pow(&mut HostLanes, [x], [y])[0], z);
    }
}

/// A host that computes anything differently, or an accidental change, shows here and not as a
/// picture that is off by a bit. A deliberate change takes the new numbers from the message.
#[test]
fn result_bits_are_the_same_everywhere() {
    let mut hashes = Vec::new();
    for function in Function::ALL {
        let mut hash = 0u64;
        for bits in (0..=u32::MAX).step_by(40_009) {
            mix(&mut hash, function.approximate([f32::from_bits(bits)])[0]);
        }
        hashes.push(hash);
    }
    let mut random = SplitMix64::new(7);
    let mut hash = 0u64;
    for _ in 0..100_000 {
        let y = f32::from_bits(random.next() as u32 >> 1);
        mix(&mut hash, power(y, random.between(-128.0, 128.0) as f32));
    }
    hashes.push(hash);
    let pinned: [u64; 7] = [
        0x181e_41a0_8d67_cd86,
        0x58ad_e013_03bf_a1c2,
        0x996a_5a45_c210_7707,
        0xe09b_91df_edce_4232,
        0x401f_9d14_a578_32c3,
        0xb6f6_23ab_fd0c_d9af,
        0xabb3_d078_55a0_3505,
    ];
    assert_eq!(hashes, pinned, "{hashes:x?}");
}

/// Adds a result to a hash (FNV-1a by words); NaNs are all the same.
fn mix(hash: &mut u64, result: f32) {
    let bits = if result.is_nan() {
        0x7fc0_0000
    } else {
        result.to_bits()
    };
    *hash = (*hash ^ u64::from(bits)).wrapping_mul(0x0000_0100_0000_01b3);
}

/// The sweep can fail: one coefficient wrong by a few units in its last place is enough.
#[test]
fn wrong_coefficient_is_noticed() {
    let right = super::log::LOG2;
    let worst = |coefficients: &[f32]| {
        (0..0x40_0000).step_by(101).fold(0f64, |worst, bits| {
            let m = f32::from_bits(0x3f80_0000 + bits);
            let r = m - 1.0;
            if m >= std::f32::consts::SQRT_2 {
                return worst;
            }
            let factor = polynomial(&mut HostLanes::<1>, [r], coefficients)[0];
            worst.max(ulp_error(r * factor, f64::from(m).log2()))
        })
    };
    assert!(worst(&right) <= 2.0);
    for index in 0..5 {
        let mut wrong = right;
        wrong[index] *= 1.0 + 64.0 * f32::EPSILON;
        assert!(worst(&wrong) > 2.0, "coefficient {index}");
    }
}
