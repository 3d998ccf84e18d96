//! Operations on integers and bits, conversions and addresses.

use attila_shader::front::tgsi::Dialect::{self, T7, T10, T23};

use super::{NAN, Words, check_numbers, check_words};

/// An instruction: its opcode, its sources, and its result.
type Case = (&'static str, &'static [Words], Words);

/// `n` below 0, as a word.
const fn minus(n: u32) -> u32 {
    0u32.wrapping_sub(n)
}

const MIN: u32 = 1 << 31;
const ALL: u32 = u32::MAX;
const F: u32 = 0x3f80_0000;

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("AND", &[[0xff00; 4], [0x0ff0; 4]], [0x0f00; 4]),
    ("OR", &[[0xff00; 4], [0x0ff0; 4]], [0xfff0; 4]),
    ("XOR", &[[0xff00; 4], [0x0ff0; 4]], [0xf0f0; 4]),
    ("NOT", &[[0, ALL, 1, MIN]], [ALL, 0, minus(2), MIN - 1]),
    ("SHL", &[[1, 1, 3, 5], [4, 33, 31, 0]], [16, 2, MIN, 5]),
    ("ISHR", &[[minus(8), 8, MIN, MIN], [1, 2, 31, 63]], [minus(4), 2, ALL, ALL]),
    ("USHR", &[[minus(8), 8, MIN, MIN], [1, 2, 31, 63]], [0x7fff_fffc, 2, 1, 1]),
    ("UADD", &[[1, ALL, MIN, 7], [2, 1, MIN, minus(9)]], [3, 0, 0, minus(2)]),
    ("UMUL", &[[3, ALL, 0x10000, 7], [2, ALL, 0x10000, minus(1)]], [6, 1, 0, minus(7)]),
    ("UMAD", &[[3, 2, 1, 0], [5, 6, 7, 8], [1, 2, 3, 4]], [16, 14, 10, 4]),
    ("INEG", &[[1, 0, MIN, ALL]], [ALL, 0, MIN, 1]),
    ("IMIN", &[[1, minus(1), 5, MIN], [2, 1, 4, 0]], [1, minus(1), 4, MIN]),
    ("IMAX", &[[1, minus(1), 5, MIN], [2, 1, 4, 0]], [2, 1, 5, 0]),
    ("UMIN", &[[1, minus(1), 5, MIN], [2, 1, 4, 0]], [1, 1, 4, 0]),
    ("UMAX", &[[1, minus(1), 5, MIN], [2, 1, 4, 0]], [2, minus(1), 5, MIN]),
    ("IDIV", &[[7, minus(7), MIN, 5], [2, 2, ALL, 0]], [3, minus(3), MIN, 0]),
    ("UDIV", &[[7, minus(7), MIN, 5], [2, 2, ALL, 0]], [3, 0x7fff_fffc, 0, ALL]),
    ("MOD", &[[7, minus(7), MIN, 5], [2, 2, ALL, 0]], [1, minus(1), 0, ALL]),
    ("UMOD", &[[7, minus(7), MIN, 5], [2, 2, ALL, 0]], [1, 1, MIN, ALL]),
    ("ISLT", &[[1, minus(1), 5, MIN], [2, 1, 5, 0]], [ALL, ALL, 0, ALL]),
    ("ISGE", &[[1, minus(1), 5, MIN], [2, 1, 5, 0]], [0, 0, ALL, 0]),
    ("USLT", &[[1, minus(1), 5, MIN], [2, 1, 5, 0]], [ALL, 0, 0, 0]),
    ("USGE", &[[1, minus(1), 5, MIN], [2, 1, 5, 0]], [0, ALL, ALL, ALL]),
    ("USEQ", &[[1, 2, 5, 0], [2, 1, 5, MIN]], [0, 0, ALL, 0]),
    ("USNE", &[[1, 2, 5, 0], [2, 1, 5, MIN]], [ALL, ALL, 0, ALL]),
    ("F2I", &[[1.9f32.to_bits(), (-1.9f32).to_bits(), NAN.to_bits(), 1e10f32.to_bits()]], [1, ALL, MIN, MIN]),
    ("F2U", &[[1.9f32.to_bits(), (-1.9f32).to_bits(), NAN.to_bits(), 3e9f32.to_bits()]], [1, 0, 0, 3_000_000_000]),
    ("I2F", &[[1, ALL, 0, MIN]], [F, 0xbf80_0000, 0, 0xcf00_0000]),
    ("U2F", &[[1, ALL, 0, MIN]], [F, 0x4f80_0000, 0, 0x4f00_0000]),
];

#[rustfmt::skip]
const LATER: &[Case] = &[
    ("IMUL_HI", &[[MIN, ALL, 5, 0x10000], [2, ALL, 6, 0x10000]], [ALL, 0, 0, 1]),
    ("UMUL_HI", &[[MIN, ALL, 5, 0x10000], [2, ALL, 6, 0x10000]], [1, minus(2), 0, 1]),
    ("IABS", &[[1, ALL, 0, MIN]], [1, 1, 0, MIN]),
    ("ISSG", &[[7, minus(7), 0, MIN]], [1, ALL, 0, ALL]),
    ("FSEQ", &[[F, 0, MIN, 0x7fc0_0000], [F, F, 0, 0x7fc0_0000]], [ALL, 0, ALL, 0]),
    ("FSNE", &[[F, 0, MIN, 0x7fc0_0000], [F, F, 0, 0x7fc0_0000]], [0, ALL, 0, ALL]),
    ("FSLT", &[[F, 0, MIN, 0x7fc0_0000], [F, F, 0, F]], [0, ALL, 0, 0]),
    ("FSGE", &[[F, 0, MIN, 0x7fc0_0000], [F, F, 0, F]], [ALL, 0, ALL, 0]),
    ("UCMP", &[[1, 0, MIN, ALL], [5, 6, 7, 0x7f80_0001], [1, 2, 3, 4]], [5, 2, 7, 0x7f80_0001]),
];

#[rustfmt::skip]
const LATE: &[Case] = &[
    ("IBFE", &[[0xf0; 4], [4, 4, 0, 28], [4, 5, 32, 8]], [ALL, 15, 0xf0, 0]),
    ("UBFE", &[[0xf0; 4], [4, 4, 0, 28], [4, 5, 32, 8]], [15, 15, 0xf0, 0]),
    ("BREV", &[[1, 0xf0, ALL, 0]], [MIN, 0x0f00_0000, ALL, 0]),
    ("POPC", &[[1, 0xf0, ALL, 0]], [1, 4, 32, 0]),
    ("LSB", &[[1, 0xf0, MIN, 0]], [0, 4, 31, ALL]),
    ("IMSB", &[[1, minus(2), MIN, ALL]], [0, 0, 30, ALL]),
    ("UMSB", &[[1, 0xf0, MIN, 0]], [0, 7, 31, ALL]),
];

fn check_all(dialects: &[Dialect], cases: &[Case]) {
    for dialect in dialects {
        for (opcode, sources, expected) in cases {
            let operands = (0..sources.len()).map(|number| format!(", IN[{number}]"));
            let body = format!("{opcode} OUT[0]{}", operands.collect::<String>());
            check_words(*dialect, &body, sources, *expected);
        }
    }
}

#[test]
fn operations_on_integers_have_the_results_of_their_formulas() {
    check_all(&[T7, T10, T23], CASES);
    check_all(&[T10, T23], LATER);
    check_all(&[T23], LATE);
}

#[test]
fn fields_are_inserted() {
    let inputs = [
        [ALL, 0, 7, 0xff],
        [0, 3, 5, 6],
        [4, 30, 0, 8],
        [8, 2, 32, 0],
    ];
    let body = "BFI OUT[0], IN[0], IN[1], IN[2], IN[3]";
    check_words(T23, body, &inputs, [0xffff_f00f, 0xc000_0000, 5, 0xff]);
    // All bits are inserted as they are, as Mesa's interpreter has it.
    let inputs = [[ALL; 4], [1, 1, ALL, 8], [11, 0, 31, 32], [32; 4]];
    check_words(T23, body, &inputs, [1, 1, ALL, 8]);
}

#[test]
fn distances_of_integers_are_added() {
    let inputs = [[5, 7, minus(1), 0], [7, 5, 1, 0], [10, 20, 30, 40]];
    check_words(
        T7,
        "SAD OUT[0], IN[0], IN[1], IN[2]",
        &inputs,
        [12, 22, 32, 40],
    );
}

#[test]
fn signs_of_integers_wrap() {
    let inputs = [[1, 2, MIN, 0], [10; 4]];
    check_words(
        T23,
        "UADD OUT[0], IN[1], -IN[0]",
        &inputs,
        [9, 8, MIN + 10, 10],
    );
}

#[test]
fn addresses_are_floors_rounded_or_whole() {
    let input = [[2.5, -0.5, 1.0, 0.0]];
    let at = |load: &str| format!("{load}\nMOV OUT[0], CONST[ADDR[0].x+1]");
    for (load, register) in [
        ("ARL ADDR[0].x, IN[0]", 3.0),
        ("ARR ADDR[0].x, IN[0]", 4.0),
        ("FLR ADDR[0].x, IN[0]", 3.0),
        ("ARL ADDR[0].x, IN[0]\nARA ADDR[0].x, ADDR[0].xxxx", 5.0),
    ] {
        let expected = [0.0, 0.25, 0.5, 0.75].map(|part| register + part);
        check_numbers(T7, &at(load), &input, expected);
    }
    let body = "ARL TEMP[1].y, IN[0].xxxx\nUARL ADDR[1].w, TEMP[1].yyyy\nADD OUT[0], CONST[ADDR[1].w], CONST[TEMP[1].y-1]";
    check_numbers(T23, body, &input, [3.0, 3.5, 4.0, 4.5]);
    let outside = "ARL ADDR[0].x, IN[0]\nMOV OUT[0], CONST[ADDR[0].x-4]";
    check_numbers(T23, outside, &input, [0.0; 4]);
}

#[test]
fn addresses_may_differ_between_lanes() {
    let body = "ARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], CONST[ADDR[0].x]";
    super::check_lanes(T10, body, [0.0, 3.5, 1.0, 7.0], [0.0, 3.0, 1.0, 7.0]);
}

#[test]
fn immediates_may_be_addressed() {
    let body = "IMM FLT32 { 5, 6, 7, 8 }\nIMM FLT32 { 1, 2, 3, 4 }\nARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], IMM[ADDR[0].x].yyyy";
    super::check_lanes(T10, body, [0.0, 1.0, 1.5, 0.0], [6.0, 2.0, 2.0, 6.0]);
    let body = "DCL IMMX[0..1] {{ 5, 6, 7, 8 },{ 1, 2, 3, 4 }}\nARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], IMMX[ADDR[0].x].wwww";
    super::check_lanes(T7, body, [0.0, 1.0, 1.5, 0.0], [8.0, 4.0, 4.0, 8.0]);
}
