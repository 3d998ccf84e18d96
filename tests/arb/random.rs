//! Random programs, translated and run on every engine, against the evaluator: bit for bit.

use std::fmt::Write;

use attila_shader::front::arb::{self, Output, Profile};
use attila_shader::{Engine, Stage};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use crate::compare::check;

/// How many programs of each kind are tried.
const PROGRAMS: u64 = 1500;

/// The targets of the units.
const TARGETS: [&str; 6] = ["1D", "2D", "3D", "CUBE", "RECT", "SHADOW1D"];

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
                let (source, target) = (self.source(true), TARGETS[unit]);
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
                "fragment.fogcoord",
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
    let translation = arb::compile(text, &Profile::default()).expect("it is a program");
    assert_eq!(translation.outputs, [(Output::Color, 1)]);
}
