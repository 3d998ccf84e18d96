//! Every point at which dialects differ.

use attila_shader::front::tgsi::Dialect::{T7, T10, T23};

use super::{NAN, check_lanes, check_numbers};

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
fn sge_of_nan_is_true_in_t7() {
    let inputs = [[NAN, 1.0, 2.0, 0.0], [1.0, NAN, 1.0, -0.0]];
    check_numbers(T7, "SGE OUT[0], IN[0], IN[1]", &inputs, [1.0; 4]);
    for dialect in [T10, T23] {
        check_numbers(
            dialect,
            "SGE OUT[0], IN[0], IN[1]",
            &inputs,
            [0.0, 0.0, 1.0, 1.0],
        );
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
