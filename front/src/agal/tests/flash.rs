//! Flash's list of errors: a program for each that a file can have, by number and token.

use super::*;

/// A program with one mistake: Flash's number, the token, whether the machine can run it, its text and version,
/// and bits of the bytes that are set in it: byte and bits.
type Row = (
    u16,
    Option<usize>,
    bool,
    &'static str,
    Version,
    &'static [(usize, u8)],
);

use Version::{V1, V2, V3};

/// The first byte of the token after the first one.
const SECOND: usize = 31;

const ROWS: &[Row] = &[
    (3616, None, false, "mov oc, v0", V1, &[(0, 0x0f)]),
    (3617, None, false, "mov oc, v0", V1, &[(1, 0x62)]),
    (3618, None, false, "mov oc, v0", V1, &[(5, 0x02)]),
    (3619, None, false, "mov oc, v0", V1, &[(6, 0x02)]),
    (3620, Some(1), false, "mov oc, v0", V1, &[(7, 0x22)]),
    (3620, Some(1), false, "mov oc, v0", V1, &[(8, 0x01)]),
    (3621, Some(1), false, "mov op, va0", V3, &[(7, 0x2e)]),
    (
        3621,
        Some(1),
        false,
        "tex oc, v0, fs0",
        V1,
        &[(7, 0x26 ^ 0x28)],
    ),
    (
        3621,
        Some(1),
        false,
        "tex oc, v0, fs0 <miplinear>",
        V2,
        &[(7, 0x26 ^ 0x28)],
    ),
    (
        3622,
        Some(1),
        false,
        "mov vt0, va0\nmov op, va0",
        V1,
        &[(7, 0x27), (13, 0x0f), (14, 0x02)],
    ),
    (3622, Some(1), false, "mov op, va0", V2, &[(7, 0x1a)]),
    (
        3622,
        Some(1),
        false,
        "mov op, va0",
        V1,
        &[(7, 0x28), (27, 0x05)],
    ),
    (3623, Some(2), false, "mov oc, v0\neif", V2, &[]),
    (
        3624,
        Some(6),
        true,
        "mov ft0, v0\nife v0.x, fc0.x\nife v0.x, fc0.x\nife v0.x, fc0.x\nife v0.x, fc0.x\nife v0.x, fc0.x\nmov ft0, v0\neif\neif\neif\neif\neif\nmov oc, ft0",
        V2,
        &[],
    ),
    (
        3625,
        Some(1),
        true,
        "mul ft0, fc0, fc1\nmov oc, ft0",
        V1,
        &[],
    ),
    (
        3626,
        Some(1),
        true,
        "add op, vc[va0.x+1], vc[va0.y]",
        V1,
        &[],
    ),
    (
        3627,
        Some(1),
        false,
        "kil v0.x\nmov oc, v0",
        V1,
        &[(13, 0x0f)],
    ),
    (
        3627,
        Some(2),
        false,
        "ife v0.x, fc0.x\nels\nmov ft0, v0\neif\nmov oc, v0",
        V2,
        &[(SECOND + 4, 1)],
    ),
    (
        3628,
        Some(1),
        false,
        "nrm ft0.xyz, v0\nmov oc, v0",
        V1,
        &[(13, 0x08)],
    ),
    (
        3628,
        Some(1),
        false,
        "m33 ft0.xyz, v0, fc0\nmov oc, v0",
        V1,
        &[(13, 0x08)],
    ),
    (3634, None, true, "mov ft0, v0", V1, &[]),
    (3635, None, true, "mov v0, va0", V1, &[]),
    (3635, None, true, "mov op.xyz, va0", V1, &[]),
    (3636, Some(1), false, "mov oc, v0", V1, &[(27, 0x04)]),
    (
        3636,
        Some(1),
        false,
        "kil v0.x\nmov oc, v0",
        V1,
        &[(23, 0x01)],
    ),
    (3638, Some(1), false, "mov oc, v0", V1, &[(19, 0x01)]),
    (3639, Some(1), false, "mov oc, v0", V1, &[(22, 0x80)]),
    (
        3640,
        Some(1),
        false,
        "mov op, vc[va0.x]",
        V1,
        &[(19, 0x02 ^ 0x01)],
    ),
    (3641, Some(1), true, "m44 op, vc[va0.x], vc8", V1, &[]),
    (3642, Some(1), false, "mov op, vc[va0.x]", V1, &[(20, 0x04)]),
    (3643, Some(1), false, "mov op, vc1", V1, &[(17, 0x07)]),
    (3643, Some(1), false, "mov op, vc1", V1, &[(21, 0x01)]),
    (3644, Some(2), true, "mov v0, va0\nmov op, v0", V1, &[]),
    (3645, Some(1), false, "mov oc, v0", V1, &[(19, 0x04)]),
    (
        3646,
        Some(2),
        false,
        "mov oc, v0\nmov ft0, v0",
        V1,
        &[(SECOND + 12, 0x03 ^ 0x04)],
    ),
    (
        3646,
        Some(2),
        false,
        "mov oc, v0\nmov ft0, v0",
        V2,
        &[(SECOND + 12, 0x06 ^ 0x04)],
    ),
    (3647, Some(1), true, "mov oc, ft0", V1, &[]),
    (3648, Some(2), true, "mov ft0.x, v0\nmov oc, ft0", V1, &[]),
    (3649, Some(1), false, "mov oc, v0", V1, &[(14, 0x05 ^ 0x03)]),
    (3650, Some(1), false, "mov oc, v0", V1, &[(14, 0x04 ^ 0x03)]),
    (3651, Some(1), false, "mov op, va0", V1, &[(14, 0x03)]),
    (3652, Some(1), false, "mov oc, v0", V1, &[(14, 0x01 ^ 0x03)]),
    (3653, Some(1), true, "mov ft0._, v0\nmov oc, v0", V1, &[]),
    (3654, Some(1), false, "mov oc, v0", V1, &[(13, 0x10)]),
    (3654, Some(1), false, "mov oc, v0", V1, &[(22, 0x04)]),
    (3654, Some(1), false, "tex oc, v0, fs0", V1, &[(26, 0x01)]),
    (3655, Some(1), false, "mov oc, v0", V1, &[(19, 0x08)]),
    (3655, Some(1), false, "mov op, va0", V2, &[(19, 0x07)]),
    (3655, Some(1), false, "mov oc, v0", V1, &[(14, 0x0c)]),
    (3656, Some(1), true, "tex oc, v0, fs8", V1, &[]),
    (3656, Some(1), false, "tex oc, v0, fs16", V2, &[]),
    (3657, Some(1), true, "mov oc, v8", V1, &[]),
    (3657, Some(1), false, "mov oc, v15", V1, &[]),
    (3658, Some(1), true, "mov op, va8", V2, &[]),
    (3658, Some(1), false, "mov op, va16", V3, &[]),
    (3659, Some(1), true, "mov oc, fc28", V1, &[]),
    (3659, Some(1), true, "m44 op, va0, vc125", V1, &[]),
    (3659, Some(1), false, "mov oc, fc512", V3, &[]),
    (3660, Some(2), true, "mov oc, v0\nmov oc1, v0", V1, &[]),
    (3660, Some(1), false, "mov op1, va0", V1, &[]),
    (3661, Some(1), true, "mov ft26, v0\nmov oc, v0", V2, &[]),
    (
        3662,
        Some(1),
        true,
        "tex oc, v0, fs0 <cube,miplinear,repeat>",
        V1,
        &[],
    ),
    (3664, Some(1), false, "tex oc, v0, fs0", V1, &[(28, 0x30)]),
    (3665, Some(1), false, "tex oc, v0, fs0", V1, &[(30, 0x60)]),
    (3666, Some(1), false, "tex oc, v0, fs0", V1, &[(30, 0x03)]),
    (3667, Some(1), false, "tex oc, v0, fs0", V1, &[(29, 0x40)]),
    (3668, Some(1), false, "tex oc, v0, fs0", V1, &[(29, 0x08)]),
    (3689, Some(1), true, "m44 op, va0, vc0.wzyx", V1, &[]),
    (3693, Some(1), false, "tex oc, v0, fs0", V1, &[(27, 0x04)]),
    (
        3696,
        Some(2),
        false,
        "tex ft0, v0, fs0\ntex oc, v0, fs0",
        V1,
        &[(SECOND + 22, 0x10)],
    ),
    (
        3696,
        Some(2),
        true,
        "tex ft0, v0, fs0 <ignoresampler>\ntex oc, v0, fs0 <linear,ignoresampler>",
        V1,
        &[],
    ),
    (
        3696,
        Some(2),
        false,
        "tex ft0, v0, fs0 <ignoresampler>\ntex oc, v0, fs0 <ignoresampler>",
        V1,
        &[(SECOND + 21, 0x10)],
    ),
    (
        3696,
        Some(2),
        false,
        "tex ft0, v0, fs0 <ignoresampler>\ntex oc, v0, fs0 <ignoresampler>",
        V1,
        &[(SECOND + 21, 0x01)],
    ),
    (3701, Some(1), true, "mov oc.xyz, v0", V1, &[]),
    (
        3703,
        Some(1),
        false,
        "kil v0.x\nmov oc, v0",
        V1,
        &[(18, 0xe4)],
    ),
    (
        3703,
        Some(1),
        false,
        "ife v0.x, fc0.x\nmov ft0, v0\neif\nmov oc, v0",
        V2,
        &[(26, 0x04)],
    ),
    (3704, Some(1), true, "tex oc, v0, fs0 <cube>", V1, &[]),
    (3726, Some(1), false, "mov oc, v0", V1, &[(7, 0x1a)]),
    (3739, Some(1), false, "ife v0.x, fc0.x\nmov oc, v0", V2, &[]),
    (
        3740,
        Some(1),
        false,
        "tex oc, v0, fs0 <miplinear,1>",
        V2,
        &[(7, 0x26 ^ 0x28)],
    ),
    (
        3741,
        Some(3),
        true,
        "mov ft0, v0\nife v0.x, fc0.x\ntex ft1, ft0, fs0\neif\nmov oc, v0",
        V2,
        &[],
    ),
    (
        3742,
        Some(2),
        true,
        "ife v0.x, fc0.x\nddx ft0, v0\neif\nmov oc, v0",
        V2,
        &[],
    ),
    (
        3743,
        Some(1),
        false,
        "tex oc, v0, fs0",
        V2,
        &[(7, 0x26 ^ 0x28)],
    ),
    (3744, Some(2), true, "mov oc, v0\nmov oc, v0", V1, &[]),
    (
        3748,
        Some(1),
        true,
        "ife v0.x, fc0.x\neif\nmov oc, v0",
        V2,
        &[],
    ),
    (
        3748,
        Some(3),
        true,
        "ife v0.x, fc0.x\nmov ft0, v0\nels\neif\nmov oc, v0",
        V2,
        &[],
    ),
    (3749, Some(2), false, "mov oc, v0\nmov od.x, v0", V1, &[]),
    (3749, Some(1), false, "mov oc, v0", V1, &[(19, 0x02)]),
    (3750, Some(1), false, "mov op, va0", V2, &[(14, 0x05)]),
    (
        3751,
        Some(2),
        true,
        "ife v0.x, fc0.x\nmov oc, v0\neif",
        V2,
        &[],
    ),
    (3752, Some(1), false, "els\nmov oc, v0", V2, &[]),
    (
        3752,
        Some(5),
        false,
        "ife v0.x, fc0.x\nmov ft0, v0\nels\nmov ft0, v0\nels\nmov ft0, v0\neif\nmov oc, v0",
        V2,
        &[],
    ),
    (3756, Some(2), true, "mov oc, v0\nmov od, v0", V2, &[]),
    (
        3758,
        Some(1),
        true,
        "ife v0.x, v0.x\nmov ft0, v0\neif\nmov oc, v0",
        V2,
        &[],
    ),
];

/// The bytes of a row: its text is read without any check, so that it may have mistakes.
fn bytes(text: &str, version: Version, set: &[(usize, u8)]) -> Vec<u8> {
    let mut diagnostics = Diagnostics::default();
    let stage = stage_of(text).unwrap_or(Stage::Fragment);
    let program = text::read(text, stage, Some(version), &mut diagnostics);
    let errors = diagnostics.finish(text);
    assert!(errors.is_empty(), "{errors:?}");
    let mut bytes = encode(&program);
    set.iter().for_each(|(byte, bits)| bytes[*byte] ^= bits);
    bytes
}

#[test]
fn every_error_of_flash_has_its_number_and_its_token() {
    for &(number, token, can_run, text, version, set) in ROWS {
        let bytes = bytes(text, version, set);
        let error = decode(&bytes, &STRICT).expect_err(text);
        let first = error.first().expect("there is an error");
        assert_eq!(
            (first.number, first.token),
            (Some(number), token),
            "{text}: {error}"
        );
        let compiled = compile_bytes(&bytes, &OPTIONS);
        match (&compiled, can_run) {
            (Ok(_), true) => {
                let warnings = byte_warnings(&bytes, &OPTIONS);
                assert_eq!(warnings[0].number, Some(number), "{text}");
            }
            (Err(error), false) => {
                let first = error.first().expect("there is an error");
                assert_eq!((first.number, first.token), (Some(number), token), "{text}");
            }
            (Ok(_), false) | (Err(_), true) => panic!("{number}: {compiled:?}"),
        }
    }
}

#[test]
fn programs_that_are_too_short_or_too_long_have_numbers() {
    let first = |bytes: &[u8], options: &Options| {
        let error = decode(bytes, options).expect_err("it is wrong");
        error.first().and_then(|first| first.number)
    };
    for length in [0, 1, 2, 7, 30] {
        assert_eq!(first(&vec![0; length], &OPTIONS), Some(3615));
        let whole = bytes("mov oc, v0", V1, &[]);
        assert_eq!(first(&whole[..length], &OPTIONS), Some(3615));
    }
    let long = "mov ft0, v0\n".repeat(200) + "mov oc, ft0";
    let long = bytes(&long, V1, &[]);
    assert_eq!(first(&long, &STRICT), Some(3629));
    assert!(decode(&long, &OPTIONS).is_ok());
}

#[test]
fn programs_of_another_stage_than_the_wanted_one_have_a_number() {
    for (text, wanted, number) in [
        ("mov op, va0", Stage::Fragment, 3630),
        ("mov oc, v0", Stage::Vertex, 3631),
    ] {
        let bytes = bytes(text, V1, &[]);
        let options = |stage| Options { stage, ..OPTIONS };
        let error = decode(&bytes, &options(Some(wanted))).expect_err("it is of the other");
        let first = error.first().map(|first| (first.number, first.token));
        assert_eq!(first, Some((Some(number), None)));
        assert!(decode(&bytes, &options(stage_of(text))).is_ok());
    }
}

#[test]
fn samplers_in_vertex_programs_have_both_numbers() {
    let bytes = bytes("mov op, va0", V1, &[(19, 0x05)]);
    let error = decode(&bytes, &OPTIONS).expect_err("it is wrong");
    let numbers: Vec<_> = error.findings.iter().map(|it| it.number).collect();
    assert_eq!(numbers, [Some(3638), Some(3637)]);
}

#[test]
fn programs_that_keep_the_limits_have_no_remarks() {
    for text in [
        "m44 op, va0, vc0\nmov v0, va1",
        "mov op, vc[va0.x+3]",
        "tex ft0, v0, fs0 <cube,miplinear,linear>\nmul ft0.xyz, ft0, fc0.w\nmov oc, ft0",
        "mov ft0, v0\nife v0.x, fc0.x\ntex ft0, v1, fs0\nels\nmov ft0.x, fc0.y\neif\nmov oc, ft0",
        "mov oc, v0\nmov oc1, v1\nmov od.x, v0.z",
    ] {
        assert_eq!(mistakes(text, &STRICT), "");
        assert_eq!(remarks(text).0, [""; 0], "{text}");
    }
}
