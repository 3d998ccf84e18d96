//! The processor's time that the longest programs take to compile, or to be refused.
//!
//! `cargo bench --bench longest -- 1000` makes as many random programs of 8000 instructions, has
//! [`Engine::auto`] compile each for quads in memory and for a draw, runs it on one quad, and prints
//! the longest times. The first program is the one that took longest, once. `-- 1 858` measures number
//! 858 alone.

mod grey;
mod long;

use std::fs;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use attila_conformance::{Case, CaseOptions, case, generate};
use attila_shader::draw::{ColourImage, Draw, Plane, Varying};
use attila_shader::isa::{Inst, Opcode};
use attila_shader::machine::pipeline::ColourFormat;
use attila_shader::{Bindings, Engine, Program, QuadIo, RunError, ValidProgram};

use grey::Grey;
use long::{Random, dot_products, jumping};

/// Instructions of a program.
const LENGTH: usize = 8000;

/// The number of programs, unless an argument says otherwise.
const PROGRAMS: usize = 20;

/// The time that the processor has spent on this thread. Where the system does not count that, the time
/// since `start`.
fn processor_time(start: Instant) -> Duration {
    let counted = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let counted = counted.and_then(|text| text.split(' ').next()?.parse().ok());
    counted.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let before = processor_time(start);
    let result = work();
    (result, processor_time(start) - before)
}

/// Programs of the generator that the engines are compared with, one after the other.
fn generated(index: usize) -> ValidProgram {
    let options = CaseOptions::Programs(generate::Options {
        mode: Some(generate::Mode::Program),
        vertex: 0,
        length: 40 << (index % 6),
        ..generate::Options::DEFAULT
    });
    let mut insts: Vec<Inst> = Vec::new();
    for part in 0.. {
        let made: Case = case(index as u64, part, &options);
        let more = made.program.program().insts();
        if insts.len() + more.len() >= LENGTH {
            break;
        }
        insts.extend(more);
        if let Some(last) = insts.last_mut() {
            last.end = false;
            if last.op == Opcode::End {
                *last = Inst::new(Opcode::Nop);
            }
        }
    }
    insts.push(Inst::new(Opcode::End));
    let program = Program::new(insts).expect("the instructions are right");
    program.validate().expect("the program is valid")
}

/// A line of a random program: half of it dot products, which keep everything alive, the rest mostly
/// of the program's favourite kind.
fn line(random: &mut Random, favourite: usize) -> String {
    let kind = match random.below(10) {
        0..5 => FAVOURITES,
        5..8 => favourite,
        _ => random.below(FAVOURITES),
    };
    let [a, b, c, d] = [(); 4].map(|()| random.below(32));
    let [to, from, other] = [(); 3].map(|()| random.component());
    match kind {
        0 => format!("mad r{a}, r{b}, r{c}, r{d}"),
        1 => format!("lit r{a}, r{b}.{}", &from[from.len() - 1..].repeat(4)),
        2 => format!("sin {to}, {from}"),
        3 => format!("lg2 {to}, {from}"),
        4 => format!("ex2_sat {to}, {from}"),
        5 => format!("tex r{a}, r{b}, t{}", c % 16),
        6 if d == 0 => format!("arl a0.x, {from}"),
        6 => format!("add r{a}, r{b}, c{}[a0.x]", c * 8),
        7 if d % 8 == 0 => format!("setplt p{b}, {from}, {other}"),
        7 => format!("(p{a}) mul_sat r{b}, r{c}, -r{d}"),
        8 => format!("ddx r{a}, r{b}"),
        9 => format!("kil r{a}"),
        10 if d % 2 == 0 => format!("fxmad2 r{a}, r{b}, r{c}, r{d}"),
        10 => format!("fxmad r{a}, r{b}, r{c}"),
        11 => format!("cmpkil r{a}, r{b}, r{c}, r{d}"),
        12 => format!("rcp {to}, {from}"),
        13 => format!("zxp r{a}"),
        _ => format!("dp4_sat {to}, r{a}, r{b}"),
    }
}

/// The kinds of lines that a program may prefer.
const FAVOURITES: usize = 14;

/// Program number `index`.
fn program(index: usize) -> ValidProgram {
    if index == 0 {
        return dot_products();
    }
    if index.is_multiple_of(4) {
        return generated(index);
    }
    let mut random = Random((index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let favourite = random.below(FAVOURITES);
    let most = [1, 10, 200, 800][random.below(4)];
    let blocks = 1 + random.below(most);
    jumping(&mut random, LENGTH, blocks, |random| {
        line(random, favourite)
    })
}

/// A form of a program and the longest time that one took.
struct Form {
    name: &'static str,
    run: fn(&ValidProgram) -> &'static str,
    /// The program, the engine that ran it, the time.
    longest: (usize, &'static str, Duration),
    total: Duration,
    refused: usize,
}

impl Form {
    fn new(name: &'static str, run: fn(&ValidProgram) -> &'static str) -> Form {
        Form {
            name,
            run,
            longest: (0, "", Duration::ZERO),
            total: Duration::ZERO,
            refused: 0,
        }
    }

    fn measure(&mut self, index: usize, program: &ValidProgram) -> Duration {
        let (engine, time) = timed(|| (self.run)(program));
        self.total += time;
        self.refused += usize::from(engine != "jit");
        if time > self.longest.2 {
            self.longest = (index, engine, time);
        }
        time
    }
}

/// Prepares the program and runs a quad.
fn quads(program: &ValidProgram) -> &'static str {
    let shader = Engine::auto().prepare(program);
    let shader = shader.expect("one of the engines takes the program");
    let bindings = Bindings::new().with_textures(&Grey).with_loop_budget(2);
    let result = shader.run(&bindings, &mut [QuadIo::default()]);
    let ends = matches!(result, Ok(()) | Err(RunError::LoopBudget { .. }));
    assert!(ends, "{result:?}");
    shader.engine()
}

/// Prepares the program and draws a quad.
fn draw(program: &ValidProgram) -> &'static str {
    let shader = Engine::auto().prepare(program);
    let shader = shader.expect("one of the engines takes the program");
    let bindings = Bindings::new().with_textures(&Grey).with_loop_budget(2);
    let mut image = ColourImage::new(ColourFormat::Rgba8, 2, 2);
    let mut draw = Draw::new(&shader).bindings(&bindings).threads(1);
    for register in 1..16 {
        let slopes = [0.25, 0.5, -0.125, 0.0].map(|dx| Plane {
            at: 0.5,
            dx,
            dy: -dx,
        });
        draw = draw.varying(register, Varying::linear(slopes));
    }
    // A loop that goes on for too long is an error, after the program was compiled.
    draw.target(0, &mut image).rect(0..2, 0..2).ok();
    shader.engine()
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let only_try = arguments.iter().any(|argument| argument == "--test");
    let mut numbers = arguments
        .iter()
        .filter_map(|argument| argument.parse().ok());
    let (count, first) = (numbers.next(), numbers.next().unwrap_or(0));
    let count = if only_try {
        1
    } else {
        count.unwrap_or(PROGRAMS)
    };
    let mut out = io::stdout();
    let mut forms = [Form::new("quads", quads), Form::new("draw", draw)];
    for index in first..first + count {
        let program = program(index);
        let times = forms.each_mut().map(|form| form.measure(index, &program));
        let (instructions, blocks) = (
            program.program().insts().len(),
            program.cfg().blocks().len(),
        );
        let [quads, draw] = times.map(|time| time.as_secs_f64());
        writeln!(
            out,
            "{index:>4}: {instructions} instructions, {blocks:>4} blocks: quads {quads:.3} s, draw {draw:.3} s"
        )?;
    }
    for form in forms {
        let (index, engine, longest) = form.longest;
        let mean = form.total.as_secs_f64() / count as f64;
        writeln!(
            out,
            "{}: at most {:.3} s, for program {index} on {engine}; {mean:.3} s in the mean; {} of {count} left to the interpreter",
            form.name,
            longest.as_secs_f64(),
            form.refused,
        )?;
    }
    Ok(())
}
