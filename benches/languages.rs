//! Drawing with programs in TGSI: loops, integers, f64 and arrays that are indexed.
//!
//! Both engines draw each program, and the JIT draws its twin: the same program written by hand in
//! assembly, with a loop instead of without, or with floats instead of f64. All draw in turns.

mod turns;

use std::io::{self, Write};

use attila_scene::directives;
use attila_shader::front::{self, ParameterValues};
use attila_shader::{Bindings, Engine, Program, ValidProgram};

use turns::{Contender, SIDE, place, race};

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
                window: [SIDE; 2],
                ..ParameterValues::default()
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

    /// The program on an engine, drawing in every so many rounds. Input 6 is the place in the picture, from
    /// 0 to 1, as `attila bench` has it.
    fn contender<'a>(&'a self, engine: &Engine, every: usize) -> Contender<'a> {
        let shader = engine.prepare(&self.program).expect("it compiles");
        Contender::new(&shader, &self.bindings, &[(6, place(1.0))], every)
    }
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
