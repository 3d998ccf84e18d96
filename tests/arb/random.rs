//! Random programs, translated and run on every engine, against the evaluator: bit for bit.

use std::fmt::Write;

use attila_shader::front::arb::{
    self, Input, Output, Param, Profile, Target, TextureUse, Translation,
};
use attila_shader::{
    Bindings, Engine, LANES, Lanes, QuadIo, Stage, TextureOp, TextureRequest, TextureUnit,
};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use crate::evaluator::{self, Vector, World};

/// How many programs of each kind are tried.
const PROGRAMS: u64 = 1500;

/// Numbers that find what is wrong.
const NUMBERS: [f32; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    -3.25,
    7.0,
    1e-3,
    100.5,
    -1e30,
    3e38,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    1e-40,
];

/// Something that depends on `key` alone.
fn number(key: u64) -> f32 {
    let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33;
    match mixed % 3 {
        0 => NUMBERS[(mixed / 3) as usize % NUMBERS.len()],
        _ => (mixed % 4001) as f32 / 500.0 - 4.0,
    }
}

fn vector(key: u64) -> Vector {
    std::array::from_fn(|c| number(key.wrapping_mul(4).wrapping_add(c as u64)))
}

/// The world of one lane.
struct Lane {
    seed: u64,
    lane: usize,
}

impl Lane {
    fn key(&self, what: u64, index: u32) -> u64 {
        (self.seed * 8 + what) * 4096 + u64::from(index)
    }
}

impl World for Lane {
    fn input(&self, input: Input) -> Vector {
        let number = match input {
            Input::Position => 0,
            Input::Weight(_) => 1,
            Input::Normal => 2,
            Input::PrimaryColor => 3,
            Input::SecondaryColor => 4,
            Input::FogCoord => 5,
            Input::MatrixIndex(_) => 6,
            Input::TexCoord(n) => 8 + n,
            // For addresses, which stay in their arrays.
            Input::Generic(7) => return [self.lane as f32 + 2.5; 4],
            Input::Generic(n) => n,
        };
        vector(self.key(self.lane as u64, number))
    }

    fn param(&self, param: Param) -> Vector {
        match param {
            Param::Constant(bits) => bits.map(f32::from_bits),
            Param::Env(n) => vector(self.key(4, n)),
            Param::Local(n) => vector(self.key(5, n)),
            Param::Window => [640.0, 480.0, 0.0, 1.0],
            Param::State(state) => {
                let mut key = self.key(6, 0);
                for byte in format!("{state:?}").bytes() {
                    key = key.wrapping_mul(31).wrapping_add(u64::from(byte));
                }
                vector(key)
            }
        }
    }

    fn sample(&self, texture: TextureUse, at: [f32; 3], bias: f32) -> Vector {
        texel(texture.unit as u8, at, bias)
    }
}

/// The targets of the units, which tell how many coordinates they have.
const TARGETS: [(&str, Target, bool); 6] = [
    ("1D", Target::OneD, false),
    ("2D", Target::TwoD, false),
    ("3D", Target::ThreeD, false),
    ("CUBE", Target::Cube, false),
    ("RECT", Target::Rectangle, false),
    ("SHADOW1D", Target::OneD, true),
];

fn texel(unit: u8, [s, t, r]: [f32; 3], bias: f32) -> Vector {
    let (_, target, shadow) = TARGETS[usize::from(unit)];
    let t = if target == Target::OneD { 0.25 } else { t };
    let deep = shadow || matches!(target, Target::ThreeD | Target::Cube);
    let r = if deep { r } else { f32::from(unit) };
    [s + t, t - r, r * 0.5, bias]
}

struct Units;

impl TextureUnit for Units {
    fn has_unit(&self, unit: u8) -> bool {
        usize::from(unit) < TARGETS.len()
    }

    fn sample(&self, request: &TextureRequest) -> [Lanes<f32>; 4] {
        let texels: Lanes<Vector> = std::array::from_fn(|lane| {
            let bias = match request.op {
                TextureOp::Txb => request.param[lane],
                TextureOp::Tex | TextureOp::Txp | TextureOp::Txl => 0.0,
            };
            texel(request.unit, request.coords.map(|c| c[lane]), bias)
        });
        std::array::from_fn(|c| std::array::from_fn(|lane| texels[lane][c]))
    }
}

/// Writes a random program.
struct Author {
    rng: ChaCha8Rng,
    stage: Stage,
    invariant: bool,
}

const PARAMS: &str = "PARAM p = {0.5, -2, 3, 0};
PARAM q[4] = { program.env[0..1], {1, 2, 3, 4}, 0.25 };
PARAM bones[] = { program.local[0..7], state.matrix.mvp, {7, -1, .5, 0}, 1 };
TEMP a, b, c, d;\n";

const OPTIONS: [&str; 8] = [
    "",
    "",
    "OPTION ARB_fog_linear;\n",
    "OPTION ARB_fog_exp;\n",
    "OPTION ARB_fog_exp2;\n",
    "OPTION ARB_fragment_coord_origin_upper_left;\n",
    "OPTION ARB_fragment_coord_pixel_center_integer;\n",
    "OPTION ARB_fragment_coord_origin_upper_left;\nOPTION ARB_fragment_coord_pixel_center_integer;\n",
];

impl Author {
    fn below(&mut self, n: usize) -> usize {
        self.rng.next_u32() as usize % n
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn program(&mut self) -> String {
        let mut text = match self.stage {
            Stage::Vertex => "!!ARBvp1.0\n".to_owned(),
            Stage::Fragment => "!!ARBfp1.0\nOPTION ARB_fragment_program_shadow;\n".to_owned(),
        };
        match self.stage {
            Stage::Vertex if self.invariant => text += "OPTION ARB_position_invariant;\n",
            Stage::Vertex => {}
            Stage::Fragment => text += self.pick(&OPTIONS),
        }
        text += PARAMS;
        if self.stage == Stage::Vertex {
            text += "ADDRESS A, B;\nARL A.x, vertex.attrib[7].x;\nARL B.x, 3.5.x;\n";
        }
        for _ in 0..1 + self.below(24) {
            self.instruction(&mut text);
        }
        text + "END\n"
    }

    fn instruction(&mut self, text: &mut String) {
        let rows: Vec<_> = arb::OPCODES
            .iter()
            .filter(|row| row.stages.has(self.stage))
            .collect();
        let row = self.pick(&rows);
        let saturate = self.stage == Stage::Fragment && row.opcode.has_saturated_form();
        let saturate = saturate && self.below(6) == 0;
        let name = row.name.to_owned() + if saturate { "_SAT" } else { "" };
        let result = self.result();
        let line = match row.form {
            arb::Form::Vectors(count) => {
                let sources: Vec<String> = (0..count).map(|_| self.source(true)).collect();
                format!("{result}, {}", sources.join(", "))
            }
            arb::Form::Scalars(count) => {
                let sources: Vec<String> = (0..count).map(|_| self.scalar()).collect();
                format!("{result}, {}", sources.join(", "))
            }
            arb::Form::Selectors => {
                let mut selectors =
                    [(); 4].map(|()| self.pick(&["x", "-y", "z", "w", "0", "1", "-1", "-0"]));
                if self.below(3) == 0 {
                    selectors = [self.pick(&["x", "w"]), "z", "y", "x"];
                }
                format!("{result}, {}, {}", self.source(false), selectors.join(", "))
            }
            arb::Form::Sample => {
                let unit = self.below(TARGETS.len());
                let (source, target) = (self.source(true), TARGETS[unit].0);
                format!("{result}, {source}, texture[{unit}], {target}")
            }
            arb::Form::Kill => self.source(true),
            arb::Form::Address => "B.x, vertex.attrib[7].x".to_owned(),
        };
        writeln!(text, "{name} {line};").expect("strings take everything");
    }

    fn result(&mut self) -> String {
        let outputs: &[&str] = match self.stage {
            Stage::Fragment => &["result.color", "result.depth"],
            Stage::Vertex if self.invariant => &["result.color.back.secondary", "result.fogcoord"],
            Stage::Vertex => &["result.position", "result.texcoord[3]", "result.pointsize"],
        };
        let register = match self.below(4) {
            0 => self.pick(outputs),
            _ => self.pick(&["a", "b", "c", "d"]),
        };
        let mask = self.pick(&["", "", "", ".x", ".y", ".w", ".xyz", ".yw", ".xz", ".z"]);
        format!("{register}{mask}")
    }

    fn register(&mut self) -> &'static str {
        let inputs: &[&str] = match self.stage {
            Stage::Fragment => &[
                "fragment.color",
                "fragment.texcoord[2]",
                "fragment.position",
            ],
            Stage::Vertex => &["vertex.position", "vertex.attrib[9]", "vertex.weight"],
        };
        match self.below(12) {
            0 | 1 => self.pick(inputs),
            2 | 3 => self.pick(&[
                "p",
                "q[1]",
                "q[2]",
                "q[3]",
                "bones[9]",
                "program.env[5]",
                "state.fog.color",
            ]),
            4 => self.pick(&["0.25", "{1, 2}", "{-3}", "{0.5, 0.25, 1, 2}", "1.0"]),
            5 | 6 if self.stage == Stage::Vertex => self.pick(&[
                "bones[A.x]",
                "bones[A.x + 3]",
                "bones[B.x - 2]",
                "bones[B.x + 3]",
            ]),
            _ => self.pick(&["a", "b", "c", "d"]),
        }
    }

    fn source(&mut self, swizzled: bool) -> String {
        let register = self.register();
        if !swizzled {
            return register.to_owned();
        }
        let sign = self.pick(&["", "", "-"]);
        let swizzle = self.pick(&["", "", "", ".x", ".w", ".wzyx", ".yzxw", ".xxyy"]);
        format!("{sign}{register}{swizzle}")
    }

    fn scalar(&mut self) -> String {
        let (sign, register) = (self.pick(&["", "", "-"]), self.register());
        format!("{sign}{register}{}", self.pick(&[".x", ".y", ".z", ".w"]))
    }
}

/// The quads before the run: four lanes, each with its own world.
fn quad(translation: &Translation, worlds: &Lanes<Lane>) -> QuadIo {
    let mut quad = QuadIo::default();
    for &(input, register) in &translation.inputs {
        let lanes = std::array::from_fn(|lane| worlds[lane].input(input));
        quad.set_input(register.into(), lanes);
    }
    quad
}

fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// What of a lane's results is not as the evaluator says.
fn difference(
    translation: &Translation,
    quad: &QuadIo,
    lane: usize,
    expected: &evaluator::Results,
) -> Option<String> {
    for (&output, value) in &expected.outputs {
        let register = translation
            .outputs
            .iter()
            .find(|(known, _)| *known == output);
        let found = register.map_or([0.0; 4], |(_, r)| quad.output(usize::from(*r))[lane]);
        if found.iter().zip(value).any(|(a, b)| !same(*a, *b)) {
            return Some(format!("{output:?} is {found:?}, not {value:?}"));
        }
    }
    if let Some(depth) = expected.depth {
        let found = f32::from_bits(quad.depth[0][lane]);
        if !same(found, depth) {
            return Some(format!("depth is {found:?}, not {depth:?}"));
        }
    }
    let killed = quad.killed().has(lane);
    (killed != expected.killed).then(|| format!("killed is {killed}"))
}

fn check(text: &str, seed: u64, engines: &[Engine]) {
    let parsed = arb::parse(text, &Profile::default());
    let parsed = parsed.unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
    let translation = arb::translate(&parsed, text);
    let translation = translation.unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
    let program = translation.program.clone().validate().expect("it is valid");
    let worlds: Lanes<Lane> = std::array::from_fn(|lane| Lane { seed, lane });
    let mut bindings = Bindings::new().with_textures(&Units);
    for (index, value) in translation.constants(|param| worlds[0].param(param)) {
        bindings.set_constant(index, value);
    }
    for engine in engines {
        let shader = engine.prepare(&program).expect("the engine compiles it");
        let mut quads = [quad(&translation, &worlds)];
        shader.run(&bindings, &mut quads).expect("it runs");
        for (lane, world) in worlds.iter().enumerate().take(LANES) {
            let expected = evaluator::evaluate(&parsed, world);
            if let Some(difference) = difference(&translation, &quads[0], lane, &expected) {
                let listing = translation.program.listing();
                panic!(
                    "{} lane {lane}: {difference}\n{text}\n{listing}",
                    engine.name()
                );
            }
        }
    }
}

fn check_many(stage: Stage) {
    let engines = Engine::all();
    for seed in 0..PROGRAMS {
        let mut author = Author {
            rng: ChaCha8Rng::seed_from_u64(seed),
            stage,
            invariant: seed % 3 == 0,
        };
        let text = author.program();
        check(&text, seed, &engines);
    }
}

#[test]
fn fragment_programs_compute_what_their_text_says() {
    check_many(Stage::Fragment);
}

#[test]
fn vertex_programs_compute_what_their_text_says() {
    check_many(Stage::Vertex);
}

/// Outputs that no instruction writes are 0, and so are the components of others.
#[test]
fn what_is_not_written_is_zero() {
    let text =
        "!!ARBfp1.0\nTEMP t;\nMOV t.y, fragment.color;\nADD result.color.xyz, t, t.zzzz;\nEND";
    check(text, 1, &Engine::all());
    let all: Output = Output::Color;
    let translation = arb::compile(text, &Profile::default()).expect("it is a program");
    assert_eq!(translation.outputs, [(all, 1)]);
}
