//! Drawing with programs in TGSI: loops, integers, f64 and arrays that are indexed.
//!
//! Both engines draw each program, and the JIT draws its twin: the same program written by hand in
//! assembly, with a loop instead of without, or with floats instead of f64. All draw in turns, so that a
//! disturbance hits all of them, and the best of many rounds counts.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Instant;

use attila_conformance::directives;
use attila_shader::draw::{ColourBuffer, ColourImage, Draw, Varying};
use attila_shader::front::{self, ParameterValues};
use attila_shader::machine::pipeline::{ColourFormat, Plane};
use attila_shader::{Bindings, Engine, Program, Shader, ValidProgram};

/// Pixels along each side of the picture.
const SIDE: u32 = 1024;
/// Rounds, in each of which the JIT draws every program once.
const ROUNDS: usize = 40;
/// The interpreter takes long: rounds from one of its draws to the next.
const INTERP_EVERY: usize = 20;

/// A program, and the one that it is compared with.
struct Case {
    name: &'static str,
    text: &'static str,
    twin: Option<Twin>,
}

/// A program that another one is compared with.
struct Twin {
    name: &'static str,
    text: &'static str,
    /// Whether it draws the same picture.
    same: bool,
}

macro_rules! case {
    ($name:literal) => {
        Case {
            name: $name,
            text: include_str!(concat!("programs/tgsi/", $name, ".tgsi")),
            twin: None,
        }
    };
    ($name:literal, $twin:literal, $same:literal) => {
        Case {
            twin: Some(Twin {
                name: $twin,
                text: include_str!(concat!("programs/tgsi/", $twin)),
                same: $same,
            }),
            ..case!($name)
        }
    };
}

const CASES: [Case; 7] = [
    case!("mandelbrot", "mandelbrot.attila", true),
    case!("trips", "trips.attila", true),
    case!("nested", "nested.attila", true),
    case!("hash-loop"),
    case!("hash", "hash-loop.tgsi", true),
    case!("mad-double", "mad-float.tgsi", false),
    case!("scratch"),
];

/// A program that is ready, and what its constants hold.
struct Loaded {
    program: ValidProgram,
    bindings: Bindings<'static>,
}

impl Loaded {
    /// From a text in any language.
    fn new(text: &str) -> Loaded {
        let mut bindings = Bindings::new();
        let program = if front::language_of(text).is_some() {
            let values = ParameterValues {
                local: BTreeMap::new(),
                env: BTreeMap::new(),
                window: [SIDE; 2],
                dialect: None,
                agal: front::agal::Options::default(),
            };
            let listing = front::list(text, &values);
            let listing = listing.expect("a bench's text is right");
            for constant in listing.constants {
                bindings.set_constant(constant.register, constant.value);
            }
            listing.program
        } else {
            let directives = directives::parse(text, &[]).expect("the directives are right");
            for (register, bits) in directives.constants {
                bindings.set_constant(register, bits.map(f32::from_bits));
            }
            Program::assemble(text).expect("a bench's text is right")
        };
        let program = program.validate().expect("a bench's program is valid");
        Loaded { program, bindings }
    }

    /// The program on an engine, drawing in every so many rounds.
    fn contender<'a>(&'a self, engine: &Engine, every: usize) -> Contender<'a> {
        let shader = engine.prepare(&self.program).expect("it compiles");
        Contender {
            draw: drawing(&shader, &self.bindings),
            every,
            best: f64::INFINITY,
        }
    }
}

/// Draws the picture into its pixels.
type Drawing<'a> = Box<dyn FnMut(&mut [u8]) + 'a>;

/// A program on an engine.
struct Contender<'a> {
    draw: Drawing<'a>,
    /// Rounds from one of its draws to the next.
    every: usize,
    /// Seconds of its fastest draw.
    best: f64,
}

impl Contender<'_> {
    fn picture(&mut self) -> Vec<u8> {
        let mut pixels = vec![0; (4 * SIDE * SIDE) as usize];
        (self.draw)(&mut pixels);
        pixels
    }

    /// Millions of pixels in a second.
    fn speed(&self) -> f64 {
        f64::from(SIDE * SIDE) / self.best / 1e6
    }
}

/// Draws with a shader on one thread. Input 6 is the place in the picture, from 0 to 1, as
/// `attila bench` has it.
fn drawing<'a>(shader: &Shader, bindings: &'a Bindings<'a>) -> Drawing<'a> {
    let plane = |at, dx, dy| Plane { at, dx, dy };
    let (step, zero) = (1.0 / SIDE as f32, plane(0.0, 0.0, 0.0));
    let (u, v) = (plane(0.0, step, 0.0), plane(0.0, 0.0, step));
    let place = [u, v, zero, plane(1.0, 0.0, 0.0)];
    let format = ColourFormat::Rgba8;
    let mut image = ColourImage::new(format, SIDE, SIDE);
    let draw = Draw::new(shader).target(0, &mut image).threads(1);
    let draw = draw.varying(6, Varying::linear(place));
    let mut prepared = draw.prepare().expect("the draw is right");
    Box::new(move |pixels| {
        let target = ColourBuffer::new(format, SIDE, SIDE, pixels);
        let mut frame = prepared.frame(bindings).target(0, target);
        frame.rect(0..SIDE, 0..SIDE).expect("the draw is right");
    })
}

/// The line of the table for a case. Panics unless the pictures are the same.
fn line(case: &Case, rounds: usize) -> String {
    let [interp, jit] = [
        Engine::interp(),
        Engine::jit().expect("it knows this machine"),
    ];
    let program = Loaded::new(case.text);
    let twin = case
        .twin
        .as_ref()
        .map(|twin| (twin, Loaded::new(twin.text)));
    let mut contenders = vec![
        program.contender(&jit, 1),
        program.contender(&interp, INTERP_EVERY),
    ];
    let picture = contenders[0].picture();
    let name = case.name;
    assert!(
        picture == contenders[1].picture(),
        "{name}: the engines differ"
    );
    if let Some((twin, loaded)) = &twin {
        let mut contender = loaded.contender(&jit, 1);
        assert!(
            !twin.same || picture == contender.picture(),
            "{name}: its twin differs"
        );
        contenders.push(contender);
    }
    race(&mut contenders, rounds);
    let (jit, interp) = (contenders[0].speed(), contenders[1].speed());
    let mut line = format!("{name:<12}{interp:>10.2}{jit:>10.1}{:>14.1}", jit / interp);
    if let (Some((twin, _)), Some(contender)) = (&twin, contenders.get(2)) {
        line += &format!("{:>14.2}  {}", jit / contender.speed(), twin.name);
    }
    line
}

/// Lets every contender draw, in turn.
fn race(contenders: &mut [Contender<'_>], rounds: usize) {
    let mut pixels = vec![0; (4 * SIDE * SIDE) as usize];
    for round in 0..rounds {
        for contender in contenders.iter_mut().filter(|it| round % it.every == 0) {
            let start = Instant::now();
            (contender.draw)(&mut pixels);
            contender.best = contender.best.min(start.elapsed().as_secs_f64());
        }
    }
}

fn main() -> io::Result<()> {
    let only_try = std::env::args().any(|argument| argument == "--test");
    let rounds = if only_try { 1 } else { ROUNDS };
    let mut out = io::stdout();
    writeln!(
        out,
        "Mpixel/s, best of {rounds}, {SIDE}x{SIDE} RGBA8, 1 thread\n{:<12}{:>10}{:>10}{:>14}{:>14}  twin",
        "", "interp", "jit", "jit / interp", "jit / twin"
    )?;
    for case in &CASES {
        writeln!(out, "{}", line(case, rounds))?;
    }
    Ok(())
}
