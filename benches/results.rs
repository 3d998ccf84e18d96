//! Drawing with the CTM path of results: programs with a suffix on every instruction that takes one, against the same
//! programs without.

mod noise;
mod turns;

use std::io::{self, Write};

use attila_scene::directives;
use attila_shader::isa::{CtmModifier, Profile, ResultPath, Stage};
use attila_shader::texture::Textures;
use attila_shader::{Bindings, Engine, Program, Shader};

use turns::{Contender, SIDE, place, race};

/// Rounds, in each of which every program draws once.
const ROUNDS: usize = 60;

/// Programs by name: one that is all arithmetic, one of other programs, and lookups of a texture.
const CASES: [(&str, &str); 4] = [
    ("blinn-phong", include_str!("programs/blinn-phong.attila")),
    ("julia", include_str!("programs/julia.attila")),
    ("multiplications", MULTIPLICATIONS),
    ("lookups", LOOKUPS),
];

/// Multiplications and sums, each of the result of the one before.
const MULTIPLICATIONS: &str = "\
mad r0, i6, c0, c1\nmad r1, i6, c1, c0\nmad r2, i6, c2, c1\nmad r3, i6, c3, c0
mad r0, r0, c0, c1\nmad r1, r1, c1, c0\nmad r2, r2, c2, c1\nmad r3, r3, c3, c0
mad r0, r0, c0, r1\nmad r1, r1, c1, r2\nmad r2, r2, c2, r3\nmad r3, r3, c3, r0
mad r0, r0, c0, r1\nmad r1, r1, c1, r2\nmad r2, r2, c2, r3\nmad r3, r3, c3, r0
mad r0, r0, c0, r1\nmad r1, r1, c1, r2\nmad r2, r2, c2, r3\nmad r3, r3, c3, r0
mad r0, r0, c0, r1\nmad r1, r1, c1, r2\nmad o1, r2, c2, r0\nend";

/// Four lookups, and a little arithmetic between. The first is at a place that is not scaled.
const LOOKUPS: &str = "\
tex r0, i7, t0\nmad r1, r0, c0, i6\ntex r2, r1, t0\nmad r3, r2, c1, i6
tex r4, r3, t0\nmad r5, r4, c2, i6\ntex r6, r5, t0\nadd r0, r0, r2\nadd r4, r4, r6\nmad o1, r0, c3, r4\nend";

/// The suffixes that are measured.
const MODIFIERS: [(&str, CtmModifier); 3] = [
    ("_canon", CtmModifier::X1),
    ("_x2", CtmModifier::X2),
    ("_d2", CtmModifier::D2),
];

/// A program of a text with directives, and its bindings.
struct Scene<'a> {
    shader: Shader,
    bindings: Bindings<'a>,
    /// The factor of its results.
    factor: f32,
}

impl<'a> Scene<'a> {
    /// The program with a modifier everywhere, or as it is. Constants that the text does not set are less by the square
    /// of the factor, and i6 is less by it: then lookups are at the same places.
    fn new(text: &str, modifier: Option<CtmModifier>, textures: &'a Textures) -> Scene<'a> {
        let mut program = Program::assemble(text).expect("a bench's text is right");
        let mut factor = 1.0;
        if let Some(modifier) = modifier {
            program = modified(&program, modifier);
            factor = modifier.factor().expect("none is raw");
        }
        let directives = directives::parse(text, &["varying"]);
        let directives = directives.expect("the directives are right");
        let mut bindings = Bindings::new().with_textures(textures);
        for constant in 0..4 {
            let value = [0.75, -0.5, 0.625, 0.25].map(|c| c - constant as f32 / 8.0);
            bindings.set_constant(constant, value.map(|c| c / (factor * factor)));
        }
        for (constant, value) in &directives.constants {
            bindings.set_constant_bits(*constant, *value);
        }
        let engine = Engine::jit().expect("the JIT knows this machine");
        Scene {
            shader: prepared(&engine, program),
            bindings,
            factor,
        }
    }

    fn contender(&self) -> Contender<'_> {
        let varyings = [(6, place(1.0 / self.factor)), (7, place(1.0))];
        Contender::new(&self.shader, &self.bindings, &varyings, 1)
    }
}

/// The program with a modifier on every instruction that takes one.
fn modified(program: &Program, modifier: CtmModifier) -> Program {
    let insts = program.insts().iter().map(|inst| {
        let mut modified = *inst;
        let saturate = inst.path == ResultPath::Saturate;
        modified.path = ResultPath::Ctm { modifier, saturate };
        match modified.check(Profile::Extended) {
            Ok(()) => modified,
            Err(_) => *inst,
        }
    });
    let program = Program::in_profile(Profile::Extended, insts.collect());
    program.expect("they fit").with_stage(Stage::Fragment)
}

fn prepared(engine: &Engine, program: Program) -> Shader {
    let program = program.validate().expect("a bench's program is valid");
    engine.prepare(&program).expect("it compiles")
}

/// The line of the table for a program.
fn line((name, text): (&str, &str), textures: &Textures, rounds: usize) -> String {
    let modifiers = MODIFIERS.map(|(_, modifier)| Some(modifier));
    let modifiers = [None].into_iter().chain(modifiers);
    let scenes: Vec<_> = modifiers.map(|it| Scene::new(text, it, textures)).collect();
    let mut contenders: Vec<_> = scenes.iter().map(Scene::contender).collect();
    // These programs make neither NaN nor denormals that a byte would show.
    let pictures = [0, 1].map(|index| contenders[index].picture());
    assert!(
        pictures[0] == pictures[1],
        "{name}: _canon changes the picture"
    );
    race(&mut contenders, rounds);
    let plain = contenders[0].speed();
    let ratios = contenders[1..]
        .iter()
        .map(|it| format!("{:>9.2}", it.speed() / plain));
    format!("{name:<16}{plain:>9.1}{}", ratios.collect::<String>())
}

fn main() -> io::Result<()> {
    let only_try = std::env::args().any(|argument| argument == "--test");
    let rounds = if only_try { 1 } else { ROUNDS };
    let textures = noise::textures();
    let mut out = io::stdout();
    let names = MODIFIERS.map(|(name, _)| format!("{name:>9}")).concat();
    writeln!(
        out,
        "Mpixel/s, best of {rounds}, {SIDE}x{SIDE} RGBA8, 1 thread; with a suffix everywhere, as a share of it\n{:<16}{:>9}{names}",
        "", "plain"
    )?;
    for case in CASES {
        writeln!(out, "{}", line(case, &textures, rounds))?;
    }
    Ok(())
}
