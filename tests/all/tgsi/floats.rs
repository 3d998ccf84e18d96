//! Operations on floats, by their formulas.

use attila_shader::front::tgsi::Dialect::{self, T7, T10, T23};

use super::{INF, NAN, Vector, check_numbers};

/// An instruction on up to three vectors: its opcode, its sources, and its result.
type Case = (&'static str, &'static [Vector], Vector);

const A: Vector = [1.5, -2.0, 0.0, 4.0];
const B: Vector = [0.5, 3.0, -0.0, -8.0];
const C: Vector = [10.0, 20.0, 30.0, 40.0];
const ODD: Vector = [NAN, INF, -INF, -0.0];
const ONE: Vector = [1.0; 4];

#[rustfmt::skip]
const ALL: &[Case] = &[
    ("MOV", &[ODD], ODD),
    ("ADD", &[A, B], [2.0, 1.0, 0.0, -4.0]),
    ("MUL", &[A, B], [0.75, -6.0, -0.0, -32.0]),
    ("MAD", &[A, B, C], [10.75, 14.0, 30.0, 8.0]),
    ("MAD", &[[1.000_000_1; 4], [1.000_000_1; 4], [-1.000_000_2; 4]], [0.0; 4]),
    ("DIV", &[A, B], [3.0, -0.666_666_7, NAN, -0.5]),
    ("DIV", &[ONE, [0.0, -0.0, INF, 3.0]], [INF, -INF, 0.0, 0.333_333_34]),
    ("SSG", &[[2.5, -1e-40, 0.0, NAN]], [1.0, -1.0, 0.0, 0.0]),
    ("FRC", &[[1.5, -1.25, 7.0, 0.0]], [0.5, 0.75, 0.0, 0.0]),
    ("FLR", &[[1.5, -1.5, -0.0, 1e10]], [1.0, -2.0, -0.0, 1e10]),
    ("CEIL", &[[1.5, -0.5, 3.0, 1e10]], [2.0, -0.0, 3.0, 1e10]),
    ("TRUNC", &[[1.7, -1.7, -0.5, 1e10]], [1.0, -1.0, -0.0, 1e10]),
    ("CMP", &[[-1.0, 1.0, -0.0, NAN], A, B], [1.5, 3.0, -0.0, -8.0]),
    ("SLT", &[A, [1.5, 0.0, -0.0, NAN]], [0.0, 1.0, 0.0, 0.0]),
    ("SEQ", &[A, [1.5, 0.0, -0.0, NAN]], [1.0, 0.0, 1.0, 0.0]),
    ("SNE", &[A, [1.5, 0.0, -0.0, NAN]], [0.0, 1.0, 0.0, 1.0]),
    ("SGT", &[A, [1.0, 0.0, -0.0, NAN]], [1.0, 0.0, 0.0, 0.0]),
    ("SLE", &[A, [1.0, 0.0, -0.0, NAN]], [0.0, 1.0, 1.0, 0.0]),
    ("RCP", &[[-4.0, 9.0, 9.0, 9.0]], [-0.25; 4]),
    ("RCP", &[[-0.0; 4]], [-INF; 4]),
    ("EX2", &[[2.5, 9.0, 9.0, 9.0]], [5.656_854; 4]),
    ("LG2", &[[1000.0, 9.0, 9.0, 9.0]], [9.965_784; 4]),
    ("SIN", &[[0.5, 9.0, 9.0, 9.0]], [0.479_425_55; 4]),
    ("COS", &[[0.5, 9.0, 9.0, 9.0]], [0.877_582_55; 4]),
    ("DP2", &[C, [0.5, 0.25, 2.0, 100.0]], [10.0; 4]),
    ("DP3", &[C, [0.5, 0.25, 2.0, 100.0]], [70.0; 4]),
    ("DP4", &[C, [0.5, 0.25, 2.0, 100.0]], [4070.0; 4]),
    ("LIT", &[[0.5, 2.0, 9.0, 3.0]], [1.0, 0.5, 8.0, 1.0]),
    ("LIT", &[[-0.5, 2.0, 9.0, 3.0]], [1.0, 0.0, 0.0, 1.0]),
    ("EXP", &[[-2.5, 9.0, 9.0, 9.0]], [0.125, 0.5, 0.176_776_7, 1.0]),
    ("LOG", &[[-1000.0, 9.0, 9.0, 9.0]], [9.0, 1.953_125, 9.965_784, 1.0]),
    ("DST", &[A, B], [1.0, -6.0, 0.0, -8.0]),
];

#[rustfmt::skip]
const EARLY: &[Case] = &[
    ("SUB", &[A, B], [1.0, -5.0, 0.0, 12.0]),
    ("ABS", &[ODD], [NAN, INF, INF, 0.0]),
    ("CLAMP", &[A, [0.0; 4], ONE], [1.0, 0.0, 0.0, 1.0]),
    ("CLAMP", &[[0.5, 2.0, 5.0, NAN], ONE, [-1.0, -1.0, 3.0, 0.0]], [1.0, -1.0, 3.0, NAN]),
    ("CND", &[A, B, [0.5, 0.6, -1.0, 7.0]], [0.5, -2.0, -0.0, 4.0]),
    ("SFL", &[A, B], [0.0; 4]),
    ("STR", &[ODD, B], [1.0; 4]),
    ("RCC", &[[4.0; 4]], [0.25; 4]),
    ("RCC", &[[0.0; 4]], [1.884467e19; 4]),
    ("RCC", &[[-0.0; 4]], [-1.884467e19; 4]),
    ("RCC", &[[1e30; 4]], [5.42101e-20; 4]),
    ("RCC", &[[-INF; 4]], [-5.42101e-20; 4]),
    ("DP2A", &[C, [0.5, 0.25, 2.0, 100.0], A], [11.5; 4]),
    ("DPH", &[C, [0.5, 0.25, 2.0, 100.0]], [170.0; 4]),
    ("XPD", &[[1.0, 2.0, 3.0, 9.0], [4.0, 5.0, 7.0, 9.0]], [-1.0, 5.0, -3.0, 1.0]),
    ("NRM", &[[3.0, 0.0, 4.0, 5.0]], [0.6, 0.0, 0.8, 1.0]),
    ("NRM4", &[[1.0, 1.0, -1.0, 1.0]], [0.5, 0.5, -0.5, 0.5]),
    ("SCS", &[[0.5, 9.0, 9.0, 9.0]], [0.877_582_55, 0.479_425_55, 0.0, 1.0]),
    ("RFL", &[[0.0, 2.0, 0.0, 9.0], [1.0, -1.0, 3.0, 9.0]], [-1.0, -1.0, -3.0, 1.0]),
    ("X2D", &[[1.0, 2.0, 9.0, 9.0], [3.0, 4.0, 9.0, 9.0], [5.0, 6.0, 7.0, 8.0]], [40.0, 55.0, 40.0, 55.0]),
];

#[rustfmt::skip]
const LATE: &[Case] = &[
    ("FMA", &[[1.000_000_1; 4], [1.000_000_1; 4], [-1.000_000_2; 4]], [1.421_085_5e-14; 4]),
    ("SQRT", &[[9.0, 1.0, 1.0, 1.0]], [3.0; 4]),
    ("SQRT", &[[-1.0; 4]], [NAN; 4]),
];

/// The instruction of a case, on IN\[0] and so on.
fn instruction(opcode: &str, sources: usize, destination: &str) -> String {
    let sources = (0..sources).map(|number| format!(", IN[{number}]"));
    format!("{opcode} {destination}{}", sources.collect::<String>())
}

fn check_all(dialects: &[Dialect], cases: &[Case]) {
    for dialect in dialects {
        for (opcode, sources, expected) in cases {
            let text = instruction(opcode, sources.len(), "OUT[0]");
            check_numbers(*dialect, &text, sources, *expected);
        }
    }
}

#[test]
fn operations_of_all_dialects_have_the_results_of_their_formulas() {
    check_all(&[T7, T10, T23], ALL);
}

#[test]
fn operations_that_were_lost_have_the_results_of_their_formulas() {
    check_all(&[T7, T10], EARLY);
}

#[test]
fn operations_that_are_new_have_the_results_of_their_formulas() {
    check_all(&[T23], LATE);
}

#[test]
fn destinations_may_be_sources() {
    for (opcode, sources, expected) in ALL.iter().chain(EARLY) {
        for target in 0..sources.len() {
            let copies = (0..sources.len()).map(|n| format!("MOV TEMP[{n}], IN[{n}]\n"));
            let copies: String = copies.collect();
            let text = instruction(opcode, sources.len(), &format!("TEMP[{target}]"));
            let text = text.replace("IN[", "TEMP[");
            let body = format!("{copies}{text}\nMOV OUT[0], TEMP[{target}]");
            check_numbers(T7, &body, sources, *expected);
        }
    }
}

#[test]
fn masks_and_modifiers_apply_to_operations_of_several_instructions() {
    let body = "MOV OUT[0], IN[1]\nXPD OUT[0].yw, -IN[0], |IN[1]|";
    let inputs = [[1.0, 2.0, 3.0, 9.0], [-4.0, 5.0, -7.0, 9.0]];
    // -(1, 2, 3) x (4, 5, 7) = -(-1, 5, -3)
    check_numbers(T7, body, &inputs, [-4.0, -5.0, -7.0, 1.0]);
    let body = "MOV OUT[0], IN[1]\nLRP OUT[0].xz, |IN[0]|, IN[1].wwww, -IN[0]";
    let inputs = [[-0.5, 9.0, 0.25, 9.0], [8.0, 7.0, 6.0, 4.0]];
    check_numbers(T23, body, &inputs, [2.25, 7.0, 0.8125, 4.0]);
}

#[test]
fn results_are_clamped_and_nan_counts_as_0() {
    for dialect in [T7, T10, T23] {
        let inputs = [[1.5, -2.0, NAN, 0.25], [0.0; 4]];
        check_numbers(
            dialect,
            "ADD_SAT OUT[0], IN[0], IN[1]",
            &inputs,
            [1.0, 0.0, 0.0, 0.25],
        );
        check_numbers(
            dialect,
            "MOV_SAT OUT[0].yzw, IN[0]",
            &inputs,
            [0.0, 0.0, 0.0, 0.25],
        );
    }
    let inputs = [[1.5, -2.0, NAN, -0.25], [0.0; 4]];
    check_numbers(
        T7,
        "ADD_SATNV OUT[0], IN[0], IN[1]",
        &inputs,
        [1.0, -1.0, 0.0, -0.25],
    );
    let body = "MOV TEMP[0], IN[0]\nMUL_SAT TEMP[0], TEMP[0], TEMP[0]\nMOV OUT[0], TEMP[0]";
    check_numbers(T23, body, &[[0.5, 2.0, NAN, -1.0]], [0.25, 1.0, 0.0, 1.0]);
}

#[test]
fn zero_wins_in_products_where_the_text_says_so() {
    let text = "FRAG\nPROPERTY LEGACY_MATH_RULES 1\nDCL IN[0..1], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nMUL OUT[0], IN[0], IN[1]\nEND";
    let inputs = [[0.0, -0.0, INF, 2.0], [INF, NAN, 0.0, 3.0]];
    let bits = |number: usize| [inputs[number].map(f32::to_bits); 4];
    for lanes in super::words(text, T23, bits) {
        assert_eq!(lanes[2].map(f32::from_bits), [0.0, 0.0, 0.0, 6.0]);
    }
}
