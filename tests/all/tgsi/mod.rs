//! TGSI programs: translations compute on every engine what their texts say.

mod corpora;
mod dialects;
mod drawing;
mod floats;
mod flow;
mod integers;
mod interface;
mod lanes;
mod random;

use attila_shader::front::tgsi::Translation;
use attila_shader::front::tgsi::{self, Dialect, Input, Options, Param, Semantic, SemanticName};
use attila_shader::{Bindings, Engine, ExtendedQuadIo, Shader};

type Vector = [f32; 4];
type Words = [u32; 4];

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;

/// Declarations that the texts of these tests begin with.
const DECLARATIONS: &str = "FRAG
DCL IN[0..3], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0..7]
DCL TEMP[0..7]
DCL ADDR[0..1]
";

fn translated(text: &str, dialect: Dialect) -> Translation {
    let options = Options {
        dialect: Some(dialect),
        ..Options::default()
    };
    let translation = tgsi::compile(text, &options);
    translation.unwrap_or_else(|error| panic!("{error}\nin\n{text}"))
}

fn generic(input: Input) -> usize {
    match input {
        Input::Semantic(Semantic {
            name: SemanticName::Generic,
            index,
        }) => index as usize,
        Input::Semantic(_) | Input::Attribute(_) => panic!("{input} is no generic input"),
    }
}

/// Component x of register n of CONST[0] is n, y is n + 0.25, and so on.
fn constant(param: Param) -> Vector {
    match param {
        Param::Buffer { register, .. } => {
            std::array::from_fn(|component| register as f32 + component as f32 / 4.0)
        }
        Param::Window => [640.0, 480.0, 0.0, 1.0],
        Param::Constant(_) => unreachable!("constants of the text are known"),
    }
}

/// A translation on every engine.
fn prepared(translation: &Translation) -> Vec<Shader> {
    let program = translation.program.clone().validate().expect("it is valid");
    let prepared = |engine: Engine| engine.prepare(&program).expect("the engine compiles it");
    Engine::all().into_iter().map(prepared).collect()
}

/// The constants of a translation.
fn bindings(translation: &Translation, value: impl Fn(Param) -> Vector) -> Bindings<'static> {
    let mut bindings = Bindings::new();
    for (register, value) in translation.constants(value) {
        bindings.set_constant(register, value);
    }
    bindings
}

/// What each engine makes of a quad.
fn run(translation: &Translation, quad: &ExtendedQuadIo) -> Vec<ExtendedQuadIo> {
    let bindings = bindings(translation, constant);
    let shade = |shader: Shader| {
        let mut quads = [quad.clone()];
        shader.run_extended(&bindings, &mut quads).expect("it runs");
        let [quad] = quads;
        quad
    };
    prepared(translation).into_iter().map(shade).collect()
}

/// The quad that each engine computes of the generic inputs, by lane.
fn quads(translation: &Translation, inputs: impl Fn(usize) -> [Words; 4]) -> Vec<ExtendedQuadIo> {
    let mut quad = ExtendedQuadIo::default();
    for &(input, register) in &translation.inputs {
        let lanes = inputs(generic(input)).map(|words| words.map(f32::from_bits));
        quad.set_input(register.into(), lanes);
    }
    run(translation, &quad)
}

/// The words of OUT\[0] in each lane, by engine.
fn words(text: &str, dialect: Dialect, inputs: impl Fn(usize) -> [Words; 4]) -> Vec<[Words; 4]> {
    let translation = translated(text, dialect);
    let quads = quads(&translation, inputs).into_iter();
    quads
        .map(|quad| quad.output(1).map(|lane| lane.map(f32::to_bits)))
        .collect()
}

/// Checks the result of instructions that write OUT\[0], with the same inputs in all lanes.
fn check_words(dialect: Dialect, body: &str, inputs: &[Words], expected: Words) {
    let text = format!("{DECLARATIONS}{body}\nEND");
    for lanes in words(&text, dialect, |number| [inputs[number]; 4]) {
        assert_eq!(
            lanes, [expected; 4],
            "{lanes:x?} of {inputs:x?}\nin {dialect}\n{body}"
        );
    }
}

/// The same with numbers. A result that is not exact may differ by 1e-6 of it.
fn check_numbers(dialect: Dialect, body: &str, inputs: &[Vector], expected: Vector) {
    let text = format!("{DECLARATIONS}{body}\nEND");
    let bits = |number: usize| [inputs[number].map(f32::to_bits); 4];
    for lanes in words(&text, dialect, bits) {
        let found = lanes[0].map(f32::from_bits);
        let same = |(found, expected): (&f32, &f32)| {
            found.to_bits() == expected.to_bits()
                || found.is_nan() && expected.is_nan()
                || *found != 0.0 && (found - expected).abs() <= 1e-6 * expected.abs()
        };
        let fits = found.iter().zip(&expected).all(same) && lanes == [lanes[0]; 4];
        assert!(
            fits,
            "{found:?}, not {expected:?}, of {inputs:?}\nin {dialect}\n{body}"
        );
    }
}

/// The numbers that OUT\[0].x has in the four lanes, where IN\[0].x is different in each.
fn check_lanes(dialect: Dialect, body: &str, x: [f32; 4], expected: [f32; 4]) {
    let text = format!("{DECLARATIONS}{body}\nEND");
    let inputs = |_| x.map(|x| [x.to_bits(), 0, 0, 1.0f32.to_bits()]);
    for lanes in words(&text, dialect, inputs) {
        let found = lanes.map(|lane| f32::from_bits(lane[0]));
        assert_eq!(found, expected, "in {dialect}\n{body}");
    }
}
