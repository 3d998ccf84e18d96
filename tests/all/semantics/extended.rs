//! The extended profile: registers beyond the base profile's, and its modifiers.

use attila_shader::isa::Reg;
use attila_shader::isa::{Bank, Profile};
use attila_shader::{Bindings, Engine, ExtendedQuadIo, Program, QuadIo, RunError, Shader};

fn shaders(text: &str) -> Vec<Shader> {
    let program = Program::assemble(text).expect("it assembles");
    let program = program.validate().expect("it is valid");
    let engines = Engine::all().into_iter();
    let prepare = |engine: Engine| engine.prepare(&program).expect("it compiles");
    engines.map(prepare).collect()
}

#[test]
fn registers_beyond_the_base_profile_hold_values() {
    let text = ".extended\narl a3.x, i63.x\nmov r255, c0[a3.x]\nadd o63, r255, i20";
    for shader in shaders(text) {
        let bindings = Bindings::new().with_constant(7, [1.0, 2.0, 3.0, 4.0]);
        let mut quads = vec![ExtendedQuadIo::default(); 3];
        for quad in &mut quads {
            quad.set_input(63, [[7.5; 4]; 4]);
            quad.set_input(20, [[10.0; 4]; 4]);
        }
        shader.run_extended(&bindings, &mut quads).expect("it runs");
        for quad in &quads {
            assert_eq!(quad.output(63), [[11.0, 12.0, 13.0, 14.0]; 4]);
        }
    }
}

#[test]
fn quads_without_a_programs_registers_are_refused() {
    for (text, bank, index) in [
        (".extended\nmov o1, i16", Bank::Input, 16),
        (".extended\nmov o40, i1", Bank::Output, 40),
    ] {
        for shader in shaders(text) {
            let error = shader.run(&Bindings::new(), &mut [QuadIo::default()]);
            let register = Reg::within(Profile::Extended, bank, index).expect("it exists");
            assert_eq!(error, Err(RunError::MissingRegister { register }));
        }
    }
}

#[test]
fn base_and_extended_quads_give_the_same_where_both_fit() {
    for shader in shaders("mad o1, i0, c0, i1") {
        let bindings = Bindings::new().with_constant(0, [3.0; 4]);
        let mut base = [QuadIo::default()];
        base[0].set_input(0, [[1.5, -0.0, f32::MAX, 1e-40]; 4]);
        let mut extended: [ExtendedQuadIo; 1] = [base[0].resized()];
        shader.run(&bindings, &mut base).expect("it runs");
        shader
            .run_extended(&bindings, &mut extended)
            .expect("it runs");
        assert_eq!(extended[0].resized(), base[0]);
    }
}

/// Runs a program on one value in all lanes and components of i0, i1 and i2.
fn results(text: &str, inputs: [f32; 3]) -> Vec<u32> {
    let shaders = shaders(text).into_iter();
    let result = |shader: Shader| {
        let mut quads = [QuadIo::default()];
        for (index, value) in inputs.into_iter().enumerate() {
            quads[0].set_input(index, [[value; 4]; 4]);
        }
        let run = shader.run(&Bindings::new(), &mut quads);
        run.expect("it runs");
        quads[0].outputs[1][0][0]
    };
    shaders.map(result).collect()
}

#[test]
fn signed_saturation_clamps_to_minus_one_and_one() {
    for (value, expected) in [
        (2.0, 1.0),
        (-2.0, -1.0),
        (0.5, 0.5),
        (-0.0, -0.0),
        (f32::INFINITY, 1.0),
        (f32::NEG_INFINITY, -1.0),
        (f32::NAN, 0.0),
        (-1e-45, -1e-45),
    ] {
        for result in results(".extended\nmov_satn o1, i0", [value, 0.0, 0.0]) {
            assert_eq!(result, f32::to_bits(expected), "{value}");
        }
    }
}

#[test]
fn zero_wins_in_products_that_say_so() {
    let values = [0.0, -0.0, f32::INFINITY, f32::NAN, 3.0];
    let forms = [
        ("mul", "i0, i1", 0),
        ("mad", "i0, i1, i2", 1),
        ("dp3", "i0, i1", 2),
        ("dp4", "i0, i1", 3),
        ("dph", "i0, i1", 4),
    ];
    for (mnemonic, operands, form) in forms {
        let text = format!(".extended\n{mnemonic}_z o1, {operands}");
        for (a, b) in values.iter().flat_map(|a| values.map(|b| (*a, b))) {
            let product = if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
            let expected = match form {
                0 => product,
                1 => product + 5.0,
                2 => product + product + product,
                3 => product + product + product + product,
                _ => product + product + product + b,
            };
            for result in results(&text, [a, b, 5.0]) {
                let result = f32::from_bits(result);
                let both_nan = result.is_nan() && expected.is_nan();
                let equal = result.to_bits() == expected.to_bits();
                assert!(both_nan || equal, "{text}: {a}, {b}: {result}");
            }
        }
    }
    for result in results(
        ".extended\ndst_z r0, i0, i1\nmov o1, r0.y",
        [0.0, f32::NAN, 0.0],
    ) {
        assert_eq!(result, 0);
    }
}
