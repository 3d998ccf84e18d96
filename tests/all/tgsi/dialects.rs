//! Every point at which dialects differ.

use attila_shader::front::tgsi::Dialect::{T7, T10, T23};

use super::{INF, NAN, check_lanes, check_numbers, check_words};

const IF: &str = "IMM FLT32 { 1.0, 2.0, 0.0, 0.0 }\nMOV TEMP[0], IMM[0].xxxx\nIF IN[0].xxxx\n MOV TEMP[0], IMM[0].yyyy\nENDIF\nMOV OUT[0], TEMP[0]";

#[test]
fn if_tests_bits_in_t7_and_numbers_later() {
    let x = [0.0, -0.0, NAN, 1e-40];
    check_lanes(T7, IF, x, [1.0, 2.0, 2.0, 2.0]);
    check_lanes(T10, IF, x, [1.0, 1.0, 2.0, 2.0]);
    check_lanes(T23, IF, x, [1.0, 1.0, 2.0, 2.0]);
    check_lanes(T23, &IF.replace("IF IN", "UIF IN"), x, [1.0, 2.0, 2.0, 2.0]);
}

#[test]
fn rsq_takes_absolute_values_in_t7() {
    check_numbers(T7, "RSQ OUT[0], IN[0]", &[[-4.0; 4]], [0.5; 4]);
    for dialect in [T10, T23] {
        check_numbers(dialect, "RSQ OUT[0], IN[0]", &[[-4.0; 4]], [NAN; 4]);
        check_numbers(dialect, "RSQ OUT[0], IN[0]", &[[4.0; 4]], [0.5; 4]);
    }
}

#[test]
fn round_is_to_even_in_t23() {
    let input = [[0.5, 1.5, 2.5, -0.7]];
    check_numbers(T7, "ROUND OUT[0], IN[0]", &input, [1.0, 2.0, 3.0, -1.0]);
    check_numbers(T10, "ROUND OUT[0], IN[0]", &input, [1.0, 2.0, 3.0, -1.0]);
    check_numbers(T23, "ROUND OUT[0], IN[0]", &input, [0.0, 2.0, 2.0, -1.0]);
}

#[test]
fn extremes_of_nan_are_numbers_in_t23() {
    let inputs = [[NAN, 1.0, 3.0, NAN], [1.0, NAN, 2.0, NAN]];
    for dialect in [T7, T10] {
        check_numbers(
            dialect,
            "MAX OUT[0], IN[0], IN[1]",
            &inputs,
            [1.0, NAN, 3.0, NAN],
        );
        check_numbers(
            dialect,
            "MIN OUT[0], IN[0], IN[1]",
            &inputs,
            [1.0, NAN, 2.0, NAN],
        );
    }
    check_numbers(
        T23,
        "MAX OUT[0], IN[0], IN[1]",
        &inputs,
        [1.0, 1.0, 3.0, NAN],
    );
    check_numbers(
        T23,
        "MIN OUT[0], IN[0], IN[1]",
        &inputs,
        [1.0, 1.0, 2.0, NAN],
    );
}

#[test]
fn comparisons_with_nan_are_false_in_every_dialect() {
    let inputs = [[NAN, 1.0, 2.0, 0.0], [1.0, NAN, 1.0, -0.0]];
    for dialect in [T7, T10, T23] {
        let rows = [
            ("SGE", [0.0, 0.0, 1.0, 1.0]),
            ("SLE", [0.0, 0.0, 0.0, 1.0]),
            ("SLT", [0.0; 4]),
            ("SGT", [0.0, 0.0, 1.0, 0.0]),
            ("SEQ", [0.0, 0.0, 0.0, 1.0]),
            ("SNE", [1.0, 1.0, 1.0, 0.0]),
        ];
        for (opcode, expected) in rows {
            let body = format!("{opcode} OUT[0], IN[0], IN[1]");
            check_numbers(dialect, &body, &inputs, expected);
        }
    }
}

#[test]
fn lit_selects_in_t7_and_keeps_nan_later() {
    let cases = [
        (
            [NAN, 2.0, 0.0, 2.0],
            [1.0, 0.0, 0.0, 1.0],
            [1.0, NAN, 0.0, 1.0],
        ),
        (
            [2.0, NAN, 0.0, 2.0],
            [1.0, 2.0, 0.0, 1.0],
            [1.0, 2.0, NAN, 1.0],
        ),
        (
            [2.0, 0.5, 0.0, NAN],
            [1.0, 2.0, NAN, 1.0],
            [1.0, 2.0, f32::from_bits(1 << 21), 1.0],
        ),
        (
            [-1.0, 0.5, 0.0, NAN],
            [1.0, 0.0, 0.0, 1.0],
            [1.0, 0.0, 0.0, 1.0],
        ),
        (
            [0.5, 0.5, 0.0, 3.0],
            [1.0, 0.5, 0.125, 1.0],
            [1.0, 0.5, 0.125, 1.0],
        ),
        (
            [0.5, -0.5, 0.0, 0.0],
            [1.0, 0.5, 1.0, 1.0],
            [1.0, 0.5, 1.0, 1.0],
        ),
        (
            [1.0, 2.0, 0.0, 500.0],
            [1.0, 1.0, INF, 1.0],
            [1.0, 1.0, INF, 1.0],
        ),
    ];
    for (input, old, later) in cases {
        check_numbers(T7, "LIT OUT[0], IN[0]", &[input], old);
        check_numbers(T10, "LIT OUT[0], IN[0]", &[input], later);
        check_numbers(T23, "LIT OUT[0], IN[0]", &[input], later);
    }
}

/// The words of two doubles.
fn doubles(numbers: [f64; 2]) -> [u32; 4] {
    let [a, b] = numbers.map(f64::to_bits);
    [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]
}

#[test]
fn comparisons_of_doubles_are_numbers_in_t7_and_masks_later() {
    let inputs = [doubles([2.0, f64::NAN]), doubles([2.0, 5.0])];
    let rows = [
        ("DSEQ", [1.0, 0.0]),
        ("DSLT", [0.0, 0.0]),
        ("DSGE", [1.0, 0.0]),
        ("DSNE", [0.0, 1.0]),
    ];
    for (opcode, numbers) in rows {
        let body = format!("{opcode} OUT[0], IN[0], IN[1]");
        check_words(T7, &body, &inputs, doubles(numbers));
        let [first, second] = numbers.map(|number| if number == 1.0 { u32::MAX } else { 0 });
        for dialect in [T10, T23] {
            check_words(dialect, &body, &inputs, [first, second, 0, 0]);
        }
    }
    let body = "DSEQ OUT[0].zw, IN[0].zwxy, IN[1].xyxy";
    check_words(T7, body, &inputs, doubles([0.0, 1.0]));
}

#[test]
fn exponents_stand_beside_their_mantissas_in_t7() {
    let inputs = [doubles([6.0, 0.375])];
    let body = "DFRACEXP TEMP[0], OUT[0], IN[0]";
    let [three, minus_one] = [3, -1i32 as u32];
    check_words(T7, body, &inputs, [three, three, minus_one, minus_one]);
    for dialect in [T10, T23] {
        check_words(dialect, body, &inputs, [three, minus_one, 0, 0]);
    }
    // The exponents do not depend on the mantissas that are written.
    let body = "DFRACEXP TEMP[0].xy, OUT[0].xz, IN[0]";
    check_words(T7, body, &inputs, [three, 0, minus_one, 0]);
    let back = "DFRACEXP TEMP[0], TEMP[1], IN[0]\nDLDEXP OUT[0], TEMP[0], TEMP[1]";
    check_words(T7, back, &inputs, inputs[0]);
}

/// The words of two outputs of a vertex program, by its text after the declaration of IN\[0].
fn vertex(dialect: attila_shader::front::tgsi::Dialect, text: &str) -> Vec<[[f32; 4]; 2]> {
    let text = format!("VERT\nDCL IN[0]\n{text}\nEND");
    let translation = super::translated(&text, dialect);
    let mut quad = attila_shader::ExtendedQuadIo::default();
    quad.set_input(0, [[7.0, 8.0, 9.0, 5.0]; 4]);
    let quads = super::run(&translation, &quad).into_iter();
    quads
        .map(|quad| [quad.output(0)[3], quad.output(1)[3]])
        .collect()
}

#[test]
fn components_of_vertices_that_nothing_writes_have_the_values_of_the_document_in_t7() {
    let cases = [
        // Nothing is written.
        ("DCL OUT[0], COLOR\nNOP", [[0.0, 0.0, 0.0, 1.0]; 2]),
        // Parts are.
        (
            "DCL OUT[0], POSITION\nDCL OUT[1], COLOR\nMOV OUT[0].xy, IN[0]\nMOV OUT[1].xyz, IN[0]",
            [[7.0, 8.0, 0.0, 1.0], [7.0, 8.0, 9.0, 1.0]],
        ),
        // Some lanes write them: the others have the value.
        (
            "DCL OUT[0], POSITION\nDCL OUT[1], COLOR\nSLT OUT[1].x, IN[0].xxxx, IN[0].yyyy\nIF OUT[1].yyyy\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\nENDIF",
            [[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]],
        ),
        // All are.
        (
            "DCL OUT[0], POSITION\nDCL OUT[1], COLOR\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[0]",
            [[7.0, 8.0, 9.0, 5.0]; 2],
        ),
        // The declaration has a part.
        (
            "DCL OUT[0].xy, POSITION\nDCL OUT[1].xyz, COLOR\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[0]",
            [[7.0, 8.0, 0.0, 1.0], [7.0, 8.0, 9.0, 1.0]],
        ),
        // An address chooses the register.
        (
            "DCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL ADDR[0]\nIMM FLT32 { 1, 1, 1, 1 }\nARL ADDR[0], IMM[0]\nMOV OUT[ADDR[0].x].yz, IN[0]",
            [[0.0, 0.0, 0.0, 1.0], [0.0, 8.0, 9.0, 1.0]],
        ),
    ];
    for (text, expected) in cases {
        for found in vertex(T7, text) {
            assert_eq!(found, expected, "{text}");
        }
    }
    let text =
        "DCL OUT[0], POSITION\nDCL OUT[1], COLOR\nMOV OUT[0].xy, IN[0]\nMOV OUT[1].xyz, IN[0]";
    for dialect in [T10, T23] {
        for found in vertex(dialect, text) {
            assert_eq!(found, [[7.0, 8.0, 0.0, 0.0], [7.0, 8.0, 9.0, 0.0]]);
        }
    }
}

#[test]
fn lrp_weighs_both_in_t7() {
    // The difference of the two loses the second one.
    let inputs = [
        [1.0, 0.25, 0.5, 0.0],
        [1e-8, 4.0, 2.0, 9.0],
        [1.0, 8.0, 4.0, 7.0],
    ];
    check_numbers(
        T7,
        "LRP OUT[0], IN[0], IN[1], IN[2]",
        &inputs,
        [1e-8, 7.0, 3.0, 7.0],
    );
    for dialect in [T10, T23] {
        let expected = [0.0, 7.0, 3.0, 7.0];
        check_numbers(
            dialect,
            "LRP OUT[0], IN[0], IN[1], IN[2]",
            &inputs,
            expected,
        );
    }
}

#[test]
fn derivatives_are_those_of_the_quad_later() {
    let x = [1.0, 4.0, 10.0, 17.0];
    check_lanes(T7, "DDX OUT[0], IN[0]", x, [3.0, 3.0, 7.0, 7.0]);
    check_lanes(T7, "DDY OUT[0], IN[0]", x, [9.0, 13.0, 9.0, 13.0]);
    for dialect in [T10, T23] {
        check_lanes(dialect, "DDX OUT[0], IN[0]", x, [7.0; 4]);
        check_lanes(dialect, "DDY OUT[0], IN[0]", x, [9.0; 4]);
        check_lanes(dialect, "DDX_FINE OUT[0], IN[0]", x, [3.0, 3.0, 7.0, 7.0]);
        check_lanes(dialect, "DDY_FINE OUT[0], IN[0]", x, [9.0, 13.0, 9.0, 13.0]);
    }
}
