//! Multiplications that are folded, ones that are not, and the arithmetic that says which.

use attila_isa::CtmModifier;

use super::super::super::compile;
use super::{both, modifier};

fn listing(text: &str) -> String {
    let translation = compile(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let listing = translation.program.to_string();
    let listing = listing.strip_prefix(".extended fragment\n");
    let listing = listing.and_then(|it| it.strip_suffix("\nend\n"));
    listing.expect("it has both lines").to_owned()
}

const CONSTANTS: &str = "const c0 = 2 0.25 8 -2\nconst c1 = 2 2 2 2\n";

/// The translation of lines, with constants before them.
fn with_constants(lines: &str) -> String {
    listing(&format!("{CONSTANTS}{lines}"))
}

#[test]
#[rustfmt::skip]
fn a_multiplication_becomes_the_modifier_of_the_result_that_it_multiplies() {
    let cases = [
        // Adding -0 keeps zeros.
        ("rgb mad t0 = i0, i1, i2\nrgb mad o1 = t0, c1, -0", "mad_x2 o1.xyz, i0, i1, i2"),
        ("rgb min t0 = i0, i1\nrgb mad.sat o1 = half, t0, -0", "min_d2_sat o1.xyz, i0, i1"),
        ("alpha rcp.d2 t0 = i0\nalpha mad o1 = t0, c0.g, -abs(0)", "rcp_d8 o1.w, i0.w"),
        ("alpha rcp.x2 t0 = i0\nalpha mad.x2 t0 = t0, c0.r, -0\nalpha frc o1 = t0", "rcp_x8 r0.w, i0.w\nfrc_canon o1.w, r0.w"),
        // These results are not -0.
        ("alpha ex2 t0 = i0\nalpha mad o1 = t0, c0.b, 0", "ex2_x8 o1.w, i0.w"),
        ("alpha rsq t0 = i0\nalpha mad o1 = c0.r, t0, 0", "rsqt_x2 o1.w, i0.w"),
        ("rgb frc t0.gb = i0\nrgb mad o1.gb = t0, half, 0", "frc_d2 o1.yz, i0"),
        // Other instructions stand between the two.
        ("alpha ex2 t0 = i0\nrgb frc t0 = i1\nalpha mad t1 = t0, c1, 0\nalpha frc t0 = t1", "ex2_x2 r1.w, i0.w\nfrc_canon r0.xyz, i1\nfrc_canon r0.w, r1.w"),
    ];
    for (text, expected) in cases {
        assert_eq!(with_constants(text), expected, "{text}");
    }
}

/// None of these keeps all bits, or leaves the values of registers that are read.
#[test]
fn a_multiplication_stays_where_a_bit_would_change() {
    let cases = [
        // -0 becomes +0, or a zero wins.
        "rgb mad t0 = i0, i1, i2\nrgb mad o1 = t0, c1, 0",
        "option mulz\nrgb min t0 = i0, i1\nrgb mad o1 = t0, c1, -0",
        // 00800000 halved and doubled is 0; 7f000000 doubled and halved is infinite.
        "rgb min.d2 t0 = i0, i1\nrgb mad o1 = t0, c1, -0",
        "rgb min.x2 t0 = i0, i1\nrgb mad o1 = t0, half, -0",
        // No modifier has the factor.
        "rgb min.x8 t0 = i0, i1\nrgb mad o1 = t0, c1, -0",
        "rgb min t0 = i0, i1\nrgb mad o1 = t0, c0, -0",
        "rgb min t0 = i0, i1\nrgb mad o1 = t0, c0.aaa, -0",
        "rgb min t0 = i0, i1\nrgb mad o1 = t0, c2, -0",
        "rgb min t0 = i0, i1\nrgb mad o1 = t0, c1, -1",
        // The first result is clamped, or moved as it is.
        "rgb min.sat t0 = i0, i1\nrgb mad o1 = t0, c1, -0",
        "rgb min.raw t0 = i0, i1\nrgb mad o1 = t0, c1, -0",
        // The value has a sign, or components in other places.
        "rgb min t0 = i0, i1\nrgb mad o1 = abs(t0), c1, -0",
        "rgb min t0 = i0, i1\nrgb mad o1 = t0.bgr, c1, -0",
        "rgb min t0 = i0, i1\nrgb mad o1.r = t0, c1, -0",
        "rgb min t0.r = i0, i1\nrgb mad o1 = t0, c1, -0",
        // It is read elsewhere, too.
        "rgb min t0 = i0, i1\nrgb mad o1 = t0, c1, -0\nrgb frc o2 = t0",
        "rgb min t0 = i0, i1\nrgb frc o2.r = t0.bbb\nrgb mad o1 = t0, c1, -0",
        "rgb min t0 = i0, i1\nrgb mad o1 = t0, c1, -0 ; alpha frc o1 = t0.r",
        // The register of the product is used in between.
        "rgb min t0 = i0, i1\nrgb frc o2 = t1\nrgb mad t1 = t0, c1, -0\nrgb frc o1 = t1",
        "rgb min t0 = i0, i1\nrgb frc o1 = i2\nrgb mad o1 = t0, c1, -0",
        // There is no first instruction.
        "rgb mad o1 = t0, c1, -0",
        "rgb mad o1 = i0, c1, -0",
    ];
    for text in cases {
        let halves = text.matches("rgb ").count() + text.matches("alpha ").count();
        assert_eq!(with_constants(text).lines().count(), halves, "{text}");
    }
}

#[test]
fn folded_instructions_are_counted_and_constants_without_use_are_left_out() {
    let translation = compile("const c0 = 2 2 2 2\nalpha ex2 t0 = i0\nalpha mad o1 = t0, c0, 0");
    let translation = translation.expect("it is a program");
    assert_eq!(translation.details.folded, 1);
    assert_eq!(translation.params, []);
}

/// A result as the CTM path leaves it, as docs/numerics.md 3 has it.
fn path(bits: u32, factor: f32) -> u32 {
    let flush = |bits: u32| match bits & 0x7f80_0000 {
        0 => bits & 0x8000_0000,
        _ => bits,
    };
    match f32::from_bits(bits).is_nan() {
        true => 0x7fff_ffff,
        false => flush((f32::from_bits(flush(bits)) * factor).to_bits()),
    }
}

/// The same after a multiplication on the same path.
fn twice(bits: u32, first: f32, second: f32, own: f32, added: f32) -> u32 {
    let value = f32::from_bits(path(bits, first));
    path((value * second + added).to_bits(), own)
}

/// Results of which a factor may make something else than another one after the other does.
fn edges() -> impl Iterator<Item = u32> {
    let exponents = (0..=255u32).map(|it| it << 23);
    let mantissas = [0, 1, 2, 3, 5, 0x40_0000, 0x7f_fffd, 0x7f_fffe, 0x7f_ffff];
    let magnitudes = exponents.flat_map(move |it| mantissas.map(|mantissa| it | mantissa));
    magnitudes.flat_map(|it| [it, it | 0x8000_0000])
}

fn factors() -> impl Iterator<Item = (CtmModifier, f32)> {
    let all = CtmModifier::ALL.into_iter();
    all.filter_map(|it| Some((it, it.factor()?)))
}

/// A pair of factors is joined unless some result differs; so is the factor of the multiplication's own path.
#[test]
fn factors_are_joined_exactly_where_no_result_differs() {
    let is_same = |[a, b, c]: [f32; 3]| {
        let product = modifier(a * b * c).and_then(CtmModifier::factor);
        product.is_some_and(|it| {
            let mut edges = edges();
            edges.all(|bits| twice(bits, a, b, c, -0.0) == path(bits, it))
        })
    };
    for (first, a) in factors() {
        for (second, b) in factors() {
            let joined = both(first, second);
            assert_eq!(
                joined.is_some(),
                is_same([a, b, 1.0]),
                "{first:?} {second:?}"
            );
            for (own, c) in factors() {
                let all = joined.and_then(|it| both(it, own));
                assert!(
                    all.is_none() || is_same([a, b, c]),
                    "{first:?} {second:?} {own:?}"
                );
            }
        }
    }
}

/// The sum with +0 makes +0 of -0, and changes nothing else.
#[test]
fn a_sum_with_zero_matters_to_negative_zeros_only() {
    for (first, a) in factors() {
        for (second, b) in factors() {
            let Some(joined) = both(first, second).and_then(CtmModifier::factor) else {
                continue;
            };
            for bits in edges() {
                let (expected, found) = (path(bits, joined), twice(bits, a, b, 1.0, 0.0));
                let is_lost = (expected, found) == (0x8000_0000, 0);
                assert!(found == expected || is_lost, "{bits:08x}");
            }
            assert_eq!(twice(0x8000_0000, a, b, 1.0, 0.0), 0);
        }
    }
}

#[test]
#[ignore = "takes minutes: every result with every pair of factors that is joined"]
fn joined_factors_keep_all_results() {
    for (first, a) in factors() {
        for (second, b) in factors() {
            let Some(joined) = both(first, second).and_then(CtmModifier::factor) else {
                continue;
            };
            for bits in 0..=u32::MAX {
                let (found, expected) = (twice(bits, a, b, 1.0, -0.0), path(bits, joined));
                assert_eq!(found, expected, "{bits:08x} {first:?} {second:?}");
            }
        }
    }
}
