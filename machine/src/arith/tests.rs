use std::hint::black_box;

use super::{fma, fma64, fused_by_f64, fused_carefully, is_below_zero, number_or, saturate};

/// Quiet and signalling NaNs of either sign.
const NANS: [u32; 6] = [
    0x7fc0_0000,
    0x7f80_0001,
    0x7fbf_ffff,
    0xffc0_0000,
    0xff80_0001,
    u32::MAX,
];

fn nans() -> [f32; 6] {
    black_box(NANS.map(f32::from_bits))
}

#[test]
fn only_numbers_from_minus_infinity_to_the_last_denormal_are_below_0() {
    let tiny = f32::from_bits(1);
    for below in black_box([-tiny, -f32::MIN_POSITIVE, -1.0, f32::MIN, -f32::INFINITY]) {
        assert!(is_below_zero(below), "{below:e}");
        assert!(!is_below_zero(-below), "{below:e}");
    }
    for other in [0.0, -0.0].into_iter().chain(nans()) {
        assert!(!is_below_zero(other), "{:#x}", other.to_bits());
    }
    // One of them beside any NaN is enough.
    for nan in nans() {
        assert!(black_box([nan, -1.0, 2.0]).into_iter().any(is_below_zero));
        assert!(!black_box([nan, nan, 2.0]).into_iter().any(is_below_zero));
    }
}

#[test]
fn saturation_leaves_minus_0_and_makes_1_of_every_nan() {
    let inside = [0.0, -0.0, f32::from_bits(1), 0.5, 1.0];
    for a in black_box(inside) {
        assert_eq!(saturate(a).to_bits(), a.to_bits());
    }
    for below in black_box([-f32::from_bits(1), -1.0, -f32::INFINITY]) {
        assert_eq!(saturate(below).to_bits(), 0, "{below:e}");
    }
    let above = black_box([1.0f32.next_up(), f32::MAX, f32::INFINITY]);
    for above in above.into_iter().chain(nans()) {
        assert_eq!(saturate(above), 1.0, "{:#x}", above.to_bits());
    }
}

#[test]
fn every_nan_is_replaced_and_no_number() {
    for a in black_box([0.0, -0.0, -1.0, f32::MAX, f32::INFINITY, -f32::INFINITY]) {
        assert_eq!(number_or(a, 7.0).to_bits(), a.to_bits());
    }
    for nan in nans() {
        assert_eq!(number_or(nan, 7.0), 7.0, "{:#x}", nan.to_bits());
        // A limit that is a constant is what a minimum could be made of.
        let a = number_or(nan, 7.0);
        assert_eq!(if a < 3.0 { a } else { 3.0 }, 3.0);
    }
}

#[test]
fn products_and_sums_are_rounded_once_on_every_host() {
    // Found on Windows, whose C library gave 2716004.8.
    let [a, b] = black_box([-1.2950922_f32, -2097151.5]);
    assert_eq!(fma(a, b, 0.0).to_bits(), 0x4a25_c592);
    // (1 + e) (1 - e) - 1, of which the product rounds to 1.
    let e = black_box(f64::EPSILON);
    assert_eq!(fma64(1.0 + e, 1.0 - e, -1.0), -(e * e));
}

/// Compares with the fused multiplication of the standard library, which is exact on the hosts of tests.
fn check(a: f32, b: f32, c: f32) {
    #[allow(clippy::disallowed_methods, reason = "what it is compared with")]
    let want = a.mul_add(b, c);
    for got in [fused_by_f64([a], [b], [c])[0], fused_carefully(a, b, c)] {
        let same = got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
        assert!(same, "{a:e} * {b:e} + {c:e} is {want:e}, not {got:e}");
    }
}

#[test]
fn fused_by_f64_rounds_once_for_special_values() {
    let positive = [
        0.0,
        f32::from_bits(1),
        f32::from_bits(0x007f_ffff),
        f32::MIN_POSITIVE,
        2f32.powi(-75),
        f32::EPSILON,
        1.0,
        1.0 + f32::EPSILON,
        3.0,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
    ];
    let values = || positive.into_iter().flat_map(|x| [x, -x]);
    for a in values() {
        for b in values() {
            values().for_each(|c| check(a, b, c));
        }
    }
}

#[test]
fn fused_by_f64_rounds_once_for_random_values() {
    let mut random = crate::sweep::SplitMix64::new(1);
    let mut ties = 0;
    for _ in 0..500_000 {
        let (r, s) = (random.next(), random.next());
        let (a, b) = (f32::from_bits(r as u32), f32::from_bits((r >> 32) as u32));
        check(a, b, f32::from_bits(s as u32));
        // Cancellation.
        check(a, b, f32::from_bits((-a * b).to_bits() ^ (s as u32 & 7)));
        // Small mantissas, a sum far below c: the halves between two f32, hit and just missed.
        let a = f32::from_bits(r as u32 & 0x000f_0000 | 0x3f80_0000);
        let b = f32::from_bits((r >> 32) as u32 & 0x800f_0000 | 0x3f80_0000);
        for shift in [24, 25, 48, 54, 60] {
            let c = f32::from_bits(s as u32 & 0x807f_ffff | (127 + shift) << 23);
            let (small, normal) = (2f32.powi(-60), 2f32.powi(-60 - shift as i32));
            check(a, b, c);
            check(a * small, b * normal, c * small * normal);
            // The same among denormal results.
            check(
                a * small,
                b * 2f32.powi(-66),
                c * 2f32.powi(-66) * 2f32.powi(-66),
            );
            let tie = f64::from(a) * f64::from(b) + f64::from(c);
            ties += u32::from(tie.to_bits() as u32 & 0x1fff_ffff == 0x1000_0000);
        }
    }
    assert!(ties > 1000, "the ties are what this test is about: {ties}");
}
