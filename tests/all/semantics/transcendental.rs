//! Vectors of the original simulator, executed there, of approximations: 2 ulp off at most.

use attila_shader::machine::{Lanes, QuadReg};

use crate::common::{case, engines, run};

/// Runs `program`, whose constants are c0 = `operand`, and compares o0 in every lane.
fn check(program: &str, operand: [f32; 4], expected: [f32; 4]) {
    let (mut case, _) = case(program);
    case.constants.insert(0, operand.map(f32::to_bits));
    for engine in engines() {
        let quads = run(&engine, &case, &case.bindings()).expect("the run ends");
        let found: &QuadReg = &quads[0].io.outputs[0];
        for (lanes, expected) in found.iter().zip(expected) {
            let found: Lanes<f32> = lanes.map(f32::from_bits);
            assert!(
                found.iter().all(|&found| is_close(found, expected)),
                "{program} of {operand:?} on {}: {found:?}, not {expected}",
                engine.name()
            );
        }
    }
}

fn is_close(found: f32, expected: f32) -> bool {
    let ordered = |value: f32| {
        let bits = value.to_bits().cast_signed();
        i64::from(if bits < 0 { i32::MIN - bits } else { bits })
    };
    found.is_nan() && expected.is_nan()
        || (ordered(found) - ordered(expected)).abs() <= 2
            && found.is_infinite() == expected.is_infinite()
}

/// The operand in all components, the result in all of them.
fn scalar(program: &str, cases: &[(f32, f32)]) {
    for &(operand, expected) in cases {
        check(program, [operand; 4], [expected; 4]);
    }
}

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;

#[test]
fn ex2() {
    scalar(
        "ex2 o0, c0.x",
        &[
            (INF, INF),
            (-INF, 0.0),
            (NAN, NAN),
            (2.5, f32::from_bits(0x40b5_04f3)),
            (1e10, INF),
            (2.0, 4.0),
            (-149.0, f32::from_bits(1)),
        ],
    );
}

#[test]
fn lg2() {
    scalar(
        "lg2 o0, c0.x",
        &[
            (0.0, -INF),
            (-0.0, -INF),
            (-4.0, NAN),
            (INF, INF),
            (f32::from_bits(1), -149.0),
            (0.25, -2.0),
            (8.0, 3.0),
            (1000.0, f32::from_bits(0x411f_73da)),
        ],
    );
}

#[test]
fn sin_and_cos() {
    scalar(
        "sin o0, c0.x",
        &[
            (-0.0, -0.0),
            (0.5, f32::from_bits(0x3ef5_7744)),
            (1000.0, f32::from_bits(0x3f53_ae61)),
            (INF, NAN),
        ],
    );
    scalar(
        "cos o0, c0.x",
        &[
            (0.0, 1.0),
            (0.5, f32::from_bits(0x3f60_a940)),
            (1e30, f32::from_bits(0xbf1c_9222)),
            (NAN, NAN),
        ],
    );
}

#[test]
fn exp() {
    for (operand, expected) in [
        (2.5, [4.0, 0.5, f32::from_bits(0x40b5_04f3), 1.0]),
        (-2.5, [0.125, 0.5, f32::from_bits(0x3e35_04f3), 1.0]),
        (INF, [INF, NAN, INF, 1.0]),
    ] {
        check("exp o0, c0.x", [operand; 4], expected);
    }
}

#[test]
fn log_takes_the_absolute_value_and_the_exact_exponent() {
    let z = f32::from_bits(0x411f_73da);
    for (operand, expected) in [
        (1000.0, [9.0, 1.953_125, z, 1.0]),
        (-1000.0, [9.0, 1.953_125, z, 1.0]),
        (8.0, [3.0, 1.0, 3.0, 1.0]),
        (2f32.powi(-29), [-29.0, 1.0, -29.0, 1.0]),
        (f32::from_bits(3), [-148.0, 1.5, -147.415_04, 1.0]),
        (0.0, [-INF, 1.0, -INF, 1.0]),
        (-INF, [INF, 1.0, INF, 1.0]),
        (NAN, [NAN, NAN, NAN, 1.0]),
    ] {
        check("log o0, c0.x", [operand; 4], expected);
    }
}

#[test]
fn lit_reads_x_y_and_w() {
    for (operand, expected) in [
        ([-1.0, 2.0, 9.0, 200.0], [1.0, 0.0, 0.0, 1.0]),
        ([1.0, -2.0, 9.0, 2.0], [1.0, 1.0, 0.0, 1.0]),
        ([1.0, 0.0, 9.0, 0.0], [1.0, 1.0, 1.0, 1.0]),
        ([NAN, 2.0, 9.0, NAN], [1.0, NAN, 0.0, 1.0]),
        ([0.5, 2.0, 0.0, -200.0], [1.0, 0.5, 2f32.powi(-128), 1.0]),
        ([1.0, 0.0, 0.0, -1.0], [1.0, 1.0, INF, 1.0]),
        ([-0.0, 2.0, 0.0, 2.0], [1.0, -0.0, 0.0, 1.0]),
    ] {
        check("lit o0, c0", operand, expected);
    }
}
