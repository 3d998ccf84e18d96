//! Drawing with AGAL programs, against the same programs written by hand in ARB's language, and the time
//! that both take to compile: AGAL from bytes, ARB from text.

mod noise;
mod turns;

use std::io::{self, Write};
use std::time::Instant;

use attila_shader::draw::{ColourImage, Draw, Varying};
use attila_shader::front::agal;
use attila_shader::front::arb::{self, Param, Profile};
use attila_shader::machine::pipeline::{ColourFormat, Plane};
use attila_shader::texture::Textures;
use attila_shader::{Bindings, Engine, Program, Shader};

use turns::{Contender, SIDE, place, race};

/// Rounds, in each of which every program draws once.
const ROUNDS: usize = 60;
/// Compilations of each program, of which the fastest counts.
const COMPILATIONS: usize = 200;
/// The largest difference of colours, in 255ths: roots and powers are rounded differently.
const TOLERANCE: u8 = 1;

/// A program in both languages.
struct Case {
    name: &'static str,
    agal: &'static str,
    arb: &'static str,
}

macro_rules! case {
    ($name:literal) => {
        case!($name, $name)
    };
    ($name:literal, $twin:literal) => {
        Case {
            name: $twin,
            agal: include_str!(concat!("programs/agal/", $name, ".agal")),
            arb: include_str!(concat!("programs/agal/", $twin, ".arbfp")),
        }
    };
}

const CASES: [Case; 6] = [
    case!("textured"),
    case!("lit"),
    // Not the same: ARB's POW, a logarithm and an exponential, is less exact than AGAL's pow.
    case!("lit", "lit-pow"),
    case!("julia"),
    case!("colour-matrix"),
    case!("branches"),
];

/// The constants of a program, by number.
fn constants(name: &str) -> &'static [[f32; 4]] {
    match name {
        "textured" => &[[0.9, 0.7, 0.5, 1.0]],
        "lit" | "lit-pow" => &[
            [0.6, 0.25, 0.1, 1.0],
            [2.0, 1.0, 12.0, 0.0001],
            [0.48, 0.6, 0.64, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ],
        "julia" => &[
            [1.0, 0.8, 0.4, 1.0],
            [3.0, 1.5, 4.0, 0.0],
            [-0.8, 0.156, 8.0, 1.0 / 16.0],
        ],
        "colour-matrix" => &[
            [0.0; 4],
            [0.0; 4],
            [0.4, 0.5, 0.1, 0.0],
            [0.3, 0.6, 0.1, 0.0],
            [0.3, 0.4, 0.3, 0.0],
            [0.0, 0.0, 0.0, 1.0],
            [0.05, 0.0, -0.05, 0.0],
            [0.001, 0.0, 0.0, 0.0],
        ],
        _ => &[
            [0.5, 0.25, 0.75, 1.0],
            [16.0, 5.0, 0.0, 0.0],
            [0.5, 1.0, 0.0, 0.0],
            [1.25, 0.0, 0.0, 0.0],
        ],
    }
}

/// The result of the fastest of many compilations, and its milliseconds.
fn timed<T>(mut compile: impl FnMut() -> T, turns: usize) -> (T, f64) {
    let mut best = f64::INFINITY;
    let mut result = None;
    for _ in 0..turns {
        let start = Instant::now();
        result = Some(compile());
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    (result.expect("there is a turn"), best)
}

fn prepared(engine: &Engine, program: Program) -> Shader {
    let program = program.validate().expect("a bench's program is valid");
    engine.prepare(&program).expect("it compiles")
}

/// Compiles a program for a draw, and draws a few pixels.
fn compile(program: Program, bindings: &Bindings<'_>, varyings: &[(usize, [Plane; 4])]) {
    let engine = Engine::jit().expect("the JIT knows this machine");
    let shader = prepared(&engine, program);
    let mut image = ColourImage::new(ColourFormat::Rgba8, 8, 8);
    let mut draw = Draw::new(&shader).target(0, &mut image).threads(1);
    for (register, planes) in varyings {
        draw = draw.varying(*register, Varying::linear(*planes));
    }
    draw.bindings(bindings)
        .rect(0..8, 0..8)
        .expect("the draw is right");
}

/// The bindings of both translations.
fn bindings<'a>(
    name: &str,
    ours: &agal::Translation,
    theirs: &arb::Translation,
    textures: &'a Textures,
) -> [Bindings<'a>; 2] {
    let values = constants(name);
    let value = |number: usize| values.get(number).copied().unwrap_or_default();
    let ours = ours.constants(|param| match param {
        agal::Param::Constant(number) => value(number.into()),
        agal::Param::Words(bits) => bits.map(f32::from_bits),
    });
    let theirs = theirs.constants(|param| match param {
        Param::Local(number) => value(number as usize),
        Param::Env(_) | Param::State(_) | Param::Window | Param::Constant(_) => [0.0; 4],
    });
    let [mut first, mut second] = [(); 2].map(|()| Bindings::new().with_textures(textures));
    ours.for_each(|(register, value)| first.set_constant(register, value));
    theirs.for_each(|(register, value)| second.set_constant(register, value));
    [first, second]
}

/// The line of the table for a case. Panics if the pictures differ.
fn line(case: &Case, textures: &Textures, rounds: usize, turns: usize) -> String {
    let engine = Engine::jit().expect("the JIT knows this machine");
    let options = agal::Options::default();
    let program = agal::assemble(case.agal, &options).expect("a bench's text is right");
    let bytes = agal::encode(&program);
    let from_bytes = || agal::compile_bytes(&bytes, &options).expect("the bytes are right");
    let from_text =
        || arb::compile(case.arb, &Profile::default()).expect("a bench's text is right");
    let (ours, our_front) = timed(from_bytes, turns);
    let (theirs, their_front) = timed(from_text, turns);
    let planes = [place(1.0), place(0.1)];
    let varyings = [[1, 2], [6, 7]].map(|registers| [0, 1].map(|n| (registers[n], planes[n])));
    let bare = Bindings::new().with_textures(textures);
    let our_code = || compile(from_bytes().program, &bare, &varyings[0]);
    let their_code = || compile(from_text().program, &bare, &varyings[1]);
    let (((), our_time), ((), their_time)) = (timed(our_code, turns), timed(their_code, turns));
    let bindings = bindings(case.name, &ours, &theirs, textures);
    let [ours, theirs] = [ours.program, theirs.program].map(|it| prepared(&engine, it));
    let mut contenders = [
        Contender::new(&ours, &bindings[0], &varyings[0], 1),
        Contender::new(&theirs, &bindings[1], &varyings[1], 1),
    ];
    let pictures = contenders.each_mut().map(Contender::picture);
    let differences = pictures[0]
        .iter()
        .zip(&pictures[1])
        .map(|(a, b)| a.abs_diff(*b));
    let largest = differences.max().unwrap_or(0);
    assert!(
        largest <= TOLERANCE,
        "{}: colours differ by {largest}",
        case.name
    );
    race(&mut contenders, rounds);
    let [ours, theirs] = contenders.each_ref().map(Contender::speed);
    let name = case.name;
    format!(
        "{name:<16}{ours:>9.1}{theirs:>9.1}{:>7.2}{:>10.3}{:>7.2}{:>10.3}{:>7.2}",
        ours / theirs,
        our_front,
        our_front / their_front,
        our_time,
        our_time / their_time
    )
}

fn main() -> io::Result<()> {
    let only_try = std::env::args().any(|argument| argument == "--test");
    let (rounds, turns) = if only_try {
        (1, 1)
    } else {
        (ROUNDS, COMPILATIONS)
    };
    let textures = noise::textures();
    let mut out = io::stdout();
    writeln!(
        out,
        "Mpixel/s, best of {rounds}, {SIDE}x{SIDE} RGBA8, 1 thread; ms from bytes to a program and to code\n{:<16}{:>9}{:>9}{:>7}{:>10}{:>7}{:>10}{:>7}",
        "", "AGAL", "ARB", "/ ARB", "program", "/ ARB", "code", "/ ARB"
    )?;
    for case in &CASES {
        writeln!(out, "{}", line(case, &textures, rounds, turns))?;
    }
    Ok(())
}
