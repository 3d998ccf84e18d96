//! Results of each instruction, on every engine: values that were worked out by hand or in f64.

use attila_shader::front::arb::ArbStage;
use attila_shader::front::arb::{self, ArbOpcode, Form, Input, Profile, Translation};
use attila_shader::{Bindings, Engine, QuadIo};

use attila_conformance::texts::arb::Units;

type Vector = [f32; 4];

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;

/// An instruction on up to three vectors; of scalars x counts.
struct Case {
    opcode: ArbOpcode,
    sources: &'static [Vector],
    expected: Vector,
}

const fn case(opcode: ArbOpcode, sources: &'static [Vector], expected: Vector) -> Case {
    Case {
        opcode,
        sources,
        expected,
    }
}

const A: Vector = [1.5, -2.0, 0.0, 4.0];
const B: Vector = [0.5, 3.0, -0.0, -8.0];
const C: Vector = [10.0, 20.0, 30.0, 40.0];
const ODD: Vector = [NAN, INF, -INF, -0.0];
const ONE: Vector = [1.0; 4];

#[rustfmt::skip]
const CASES: &[Case] = &[
    case(ArbOpcode::Abs, &[B], [0.5, 3.0, 0.0, 8.0]),
    case(ArbOpcode::Abs, &[ODD], [NAN, INF, INF, 0.0]),
    case(ArbOpcode::Add, &[A, B], [2.0, 1.0, 0.0, -4.0]),
    case(ArbOpcode::Cmp, &[[-1.0, 1.0, -0.0, 0.0], A, B], [1.5, 3.0, -0.0, -8.0]),
    case(ArbOpcode::Cmp, &[ODD, A, B], [0.5, 3.0, 0.0, -8.0]),
    case(ArbOpcode::Cos, &[[0.5; 4]], [0.87758255; 4]),
    case(ArbOpcode::Cos, &[[1e30; 4]], [-0.6116048; 4]),
    case(ArbOpcode::Dp3, &[C, [0.5, 0.25, 2.0, 100.0]], [70.0; 4]),
    case(ArbOpcode::Dp4, &[C, [0.5, 0.25, 2.0, 100.0]], [4070.0; 4]),
    case(ArbOpcode::Dph, &[C, [0.5, 0.25, 2.0, 100.0]], [170.0; 4]),
    case(ArbOpcode::Dst, &[A, B], [1.0, -6.0, 0.0, -8.0]),
    case(ArbOpcode::Ex2, &[[2.5; 4]], [5.656854; 4]),
    case(ArbOpcode::Ex2, &[[-INF; 4]], [0.0; 4]),
    case(ArbOpcode::Exp, &[[-2.5; 4]], [0.125, 0.5, 0.1767767, 1.0]),
    case(ArbOpcode::Flr, &[[1.5, -1.5, -0.0, 1e10]], [1.0, -2.0, -0.0, 1e10]),
    case(ArbOpcode::Frc, &[[1.5, -1.25, 7.0, 0.0]], [0.5, 0.75, 0.0, 0.0]),
    case(ArbOpcode::Lg2, &[[1000.0; 4]], [9.965784; 4]),
    case(ArbOpcode::Lg2, &[[0.0; 4]], [-INF; 4]),
    case(ArbOpcode::Lit, &[[0.5, 2.0, 9.0, 3.0]], [1.0, 0.5, 8.0, 1.0]),
    case(ArbOpcode::Lit, &[[-0.5, 2.0, 9.0, 3.0]], [1.0, 0.0, 0.0, 1.0]),
    case(ArbOpcode::Lit, &[[0.5, 0.0, 9.0, 0.0]], [1.0, 0.5, 1.0, 1.0]),
    case(ArbOpcode::Lit, &[[0.5, 2.0, 9.0, 1000.0]], [1.0, 0.5, INF, 1.0]),
    case(ArbOpcode::Log, &[[-1000.0; 4]], [9.0, 1.953125, 9.965784, 1.0]),
    case(ArbOpcode::Log, &[[0.0; 4]], [-INF, 1.0, -INF, 1.0]),
    case(ArbOpcode::Lrp, &[[0.0, 1.0, 0.5, 0.25], [8.0, 1e-8, 2.0, 4.0], [3.0, 1.0, 4.0, 8.0]], [3.0, 1e-8, 3.0, 7.0]),
    case(ArbOpcode::Mad, &[A, B, C], [10.75, 14.0, 30.0, 8.0]),
    case(ArbOpcode::Mad, &[[1.000_000_1; 4], [1.000_000_1; 4], [-1.000_000_2; 4]], [0.0; 4]),
    case(ArbOpcode::Max, &[A, B], [1.5, 3.0, -0.0, 4.0]),
    case(ArbOpcode::Max, &[ODD, ONE], [1.0, INF, 1.0, 1.0]),
    case(ArbOpcode::Max, &[ONE, ODD], [NAN, INF, 1.0, 1.0]),
    case(ArbOpcode::Min, &[A, B], [0.5, -2.0, 0.0, -8.0]),
    case(ArbOpcode::Min, &[ODD, ONE], [NAN, 1.0, -INF, -0.0]),
    case(ArbOpcode::Min, &[ONE, ODD], [1.0, 1.0, -INF, -0.0]),
    case(ArbOpcode::Mov, &[ODD], ODD),
    case(ArbOpcode::Mul, &[A, B], [0.75, -6.0, -0.0, -32.0]),
    case(ArbOpcode::Pow, &[[3.0; 4], [4.0; 4]], [81.0; 4]),
    case(ArbOpcode::Pow, &[[0.0; 4], [0.5; 4]], [0.0; 4]),
    case(ArbOpcode::Rcp, &[[-4.0; 4]], [-0.25; 4]),
    case(ArbOpcode::Rcp, &[[-0.0; 4]], [-INF; 4]),
    case(ArbOpcode::Rsq, &[[-4.0; 4]], [0.5; 4]),
    case(ArbOpcode::Rsq, &[[-0.0; 4]], [INF; 4]),
    case(ArbOpcode::Scs, &[[0.5; 4]], [0.87758255, 0.47942555, 0.0, 0.0]),
    case(ArbOpcode::Sge, &[A, [1.5, 0.0, -0.0, 5.0]], [1.0, 0.0, 1.0, 0.0]),
    case(ArbOpcode::Sin, &[[0.5; 4]], [0.47942555; 4]),
    case(ArbOpcode::Slt, &[A, [1.5, 0.0, -0.0, 5.0]], [0.0, 1.0, 0.0, 1.0]),
    case(ArbOpcode::Slt, &[ODD, ONE], [0.0, 0.0, 1.0, 1.0]),
    case(ArbOpcode::Sub, &[A, B], [1.0, -5.0, 0.0, 12.0]),
    case(ArbOpcode::Xpd, &[[1.0, 2.0, 3.0, 9.0], [4.0, 5.0, 7.0, 9.0]], [-1.0, 5.0, -3.0, 0.0]),
];

/// True unless the opcode is an approximation, whose results have a tolerance.
fn is_exact(opcode: ArbOpcode) -> bool {
    !matches!(
        opcode,
        ArbOpcode::Cos
            | ArbOpcode::Ex2
            | ArbOpcode::Exp
            | ArbOpcode::Lg2
            | ArbOpcode::Lit
            | ArbOpcode::Log
            | ArbOpcode::Pow
            | ArbOpcode::Scs
            | ArbOpcode::Sin
    )
}

fn same(opcode: ArbOpcode, found: f32, expected: f32) -> bool {
    found.to_bits() == expected.to_bits()
        || found.is_nan() && expected.is_nan()
        || !is_exact(opcode) && (found - expected).abs() <= 1e-6 * expected.abs()
}

fn translated(text: &str) -> Translation {
    let translation = arb::compile(text, &Profile::default());
    translation.unwrap_or_else(|error| panic!("{error}\nin\n{text}"))
}

/// The first quad of a run on every engine, with the same in all lanes.
fn run(translation: &Translation, input: impl Fn(Input) -> Vector) -> Vec<QuadIo> {
    let program = translation.program.clone().validate().expect("it is valid");
    let units = Units(translation.textures.clone());
    let mut bindings = Bindings::new().with_textures(&units);
    for (register, value) in translation.constants(|param| panic!("{param} is not read")) {
        bindings.set_constant(register, value);
    }
    let engines = Engine::all().into_iter();
    let shade = |engine: Engine| {
        let shader = engine.prepare(&program).expect("the engine compiles it");
        let mut quads = [QuadIo::default()];
        for &(name, register) in &translation.inputs {
            quads[0].set_input(register.into(), [input(name); 4]);
        }
        shader.run(&bindings, &mut quads).expect("it runs");
        let [quad] = quads;
        quad
    };
    engines.map(shade).collect()
}

/// The sources are texture coordinates, which both kinds of programs have.
fn text(stage: ArbStage, case: &Case, result: &str) -> String {
    let info = case.opcode.info();
    let scalar = matches!(info.form, Form::Scalars(_));
    let suffix = if scalar { ".x" } else { "" };
    let sources = (0..case.sources.len()).map(|n| format!("{stage}.texcoord[{n}]{suffix}"));
    let sources: Vec<String> = sources.collect();
    let header = match stage {
        ArbStage::Vertex => "!!ARBvp1.0",
        ArbStage::Fragment => "!!ARBfp1.0",
    };
    format!(
        "{header}\n{} {result}, {};\nEND",
        info.name,
        sources.join(", ")
    )
}

fn check(stage: ArbStage, case: &Case) {
    let result = match stage {
        ArbStage::Vertex => "result.texcoord[3]",
        ArbStage::Fragment => "result.color",
    };
    let text = text(stage, case, result);
    let translation = translated(&text);
    let quads = run(&translation, |input| {
        let Input::TexCoord(n) = input else {
            panic!("{input:?} is not read");
        };
        case.sources[n as usize]
    });
    let (_, register) = translation.outputs[0];
    for quad in quads {
        let found = quad.output(register.into())[3];
        let mut pairs = found.iter().zip(&case.expected);
        let agree = pairs.all(|(found, expected)| same(case.opcode, *found, *expected));
        assert!(agree, "{found:?} is not {:?}: {text}", case.expected);
    }
}

#[test]
fn every_instruction_computes_what_it_should() {
    for case in CASES {
        for stage in [ArbStage::Vertex, ArbStage::Fragment] {
            if case.opcode.info().stages.has(stage) {
                check(stage, case);
            }
        }
    }
    for row in arb::OPCODES {
        let elsewhere = matches!(
            row.form,
            Form::Sample | Form::Kill | Form::Address | Form::Selectors
        );
        let is_here = CASES.iter().any(|case| case.opcode == row.opcode);
        assert!(is_here != elsewhere, "{} has no case", row.opcode);
    }
}

/// The colour of a fragment program, which reads the colours of A and B.
fn colour(body: &str) -> Vec<Vector> {
    let quads = run(&translated(&format!("!!ARBfp1.0\n{body}\nEND")), |input| {
        if input == Input::PrimaryColor { A } else { B }
    });
    quads.iter().map(|quad| quad.output(1)[0]).collect()
}

#[track_caller]
fn expect_colour(body: &str, expected: Vector) {
    for found in colour(body) {
        let bits = |vector: Vector| vector.map(f32::to_bits);
        assert_eq!(bits(found), bits(expected), "{found:?} of {body}");
    }
}

#[test]
fn selectors_may_be_numbers_of_either_sign() {
    expect_colour(
        "SWZ result.color, fragment.color, -y, 0, -1, w;",
        [2.0, 0.0, -1.0, 4.0],
    );
    expect_colour(
        "SWZ result.color, fragment.color, 1, -0, x, -x;",
        [1.0, -0.0, 1.5, -1.5],
    );
    expect_colour(
        "SWZ_SAT result.color.xw, fragment.color, -y, 0, 0, -w;",
        [1.0, 0.0, 0.0, 0.0],
    );
}

#[test]
fn results_may_be_clamped_after_the_last_step() {
    let pow = "POW_SAT result.color, 2.0.x, 3.0.x;";
    expect_colour(pow, [1.0; 4]);
    expect_colour(
        "LRP_SAT result.color, 2, fragment.color, 1;",
        [1.0, 0.0, 0.0, 1.0],
    );
    expect_colour(
        "SUB_SAT result.color, fragment.color, 1;",
        [0.5, 0.0, 0.0, 1.0],
    );
    expect_colour("DP4_SAT result.color, fragment.color, 0.5;", [1.0; 4]);
    expect_colour(
        "FLR_SAT result.color, fragment.color;",
        [1.0, 0.0, 0.0, 1.0],
    );
}

#[test]
fn a_result_may_be_among_its_sources() {
    let start = "TEMP t;\nMOV t, fragment.color;\n";
    let check = |line: &str, expected| {
        expect_colour(&format!("{start}{line}\nMOV result.color, t;"), expected);
    };
    check("XPD t.xyz, t, t.yzxw;", [-3.0, -2.25, -4.0, 4.0]);
    check("LRP t, t, t.wzyx, t.x;", [5.25, 4.5, 1.5, 1.5]);
    check("POW t.w, t.w, t.x;", [1.5, -2.0, 0.0, 8.0]);
    check("SWZ t, t, y, x, -w, 1;", [-2.0, 1.5, -4.0, 1.0]);
    check("SCS t.xy, t.z;", [1.0, 0.0, 0.0, 4.0]);
}

#[test]
fn fragments_are_killed_by_any_component_below_0() {
    let killed = |body: &str| {
        let text = format!("!!ARBfp1.0\n{body}\nMOV result.color, 1;\nEND");
        let quads = run(&translated(&text), |_| ODD);
        let killed = quads.iter().map(|quad| !quad.killed().is_empty());
        killed.collect::<Vec<bool>>()
    };
    for (source, expected) in [
        ("fragment.color", true),
        ("fragment.color.x", false),
        ("fragment.color.y", false),
        ("-fragment.color.y", true),
        ("-fragment.color.w", false),
    ] {
        let found = killed(&format!("KIL {source};"));
        assert!(found.iter().all(|killed| *killed == expected), "{source}");
    }
}

#[test]
fn addresses_are_rounded_down() {
    let text =
        "!!ARBvp1.0\nPARAM table[] = { 10, 20, 30, 40 };\nADDRESS A;\nARL A.x, vertex.attrib[3].x;
ADD result.position, table[A.x + 1], table[A.x + 2].x;\nEND";
    for (address, expected) in [
        (0.0, 50.0),
        (0.99, 50.0),
        (1.0, 70.0),
        (-0.5, 30.0),
        (-1.0, 30.0),
    ] {
        for quad in run(&translated(text), |_| [address; 4]) {
            assert_eq!(quad.output(0)[2], [expected; 4], "{address}");
        }
    }
}

#[test]
fn textures_are_asked_at_the_coordinates() {
    // The units of these tests add s and t, among others.
    expect_colour(
        "TEX result.color, fragment.texcoord[0], texture[1], 2D;",
        [3.5, 2.0, -0.5, 0.0],
    );
    expect_colour(
        "TXP result.color, fragment.color, texture[1], 2D;",
        [-0.125, -1.5, -0.5, 0.0],
    );
    expect_colour(
        "TXB_SAT result.color, fragment.color, texture[0], 3D;",
        [0.0, 0.0, 0.0, 1.0],
    );
}
