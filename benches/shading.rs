//! Fragments per second of the interpreter and of the JIT with vectors of every width that the machine
//! has, one thread.
//!
//! A table comes first: a million lanes of a program of 100 instructions, once as one call for records
//! in memory, and once as many calls for records that stay in the cache. The engines take turns, and the
//! best of many rounds counts. Then Criterion measures one engine after the other.

mod programs;

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

use attila_shader::{Bindings, Engine, JitOptions, QuadIo, Shader, ValidProgram, Vectors};
use criterion::{Criterion, Throughput};

/// Enough to make the call's fixed costs vanish, few enough to stay in the cache.
const QUADS: usize = 256;

/// Quads of the table.
const MANY: usize = 1 << 18;
/// Rounds of the table, in each of which every engine runs once. The interpreter runs in the first.
const ROUNDS: usize = 20;

/// The interpreter, and the JIT with vectors of each width.
fn engines() -> Vec<(String, Engine)> {
    let jit = |vectors| {
        let options = JitOptions {
            vectors,
            ..JitOptions::default()
        };
        let engine = Engine::with_jit_options(&options).expect("the JIT knows this machine");
        let bits = match vectors {
            Vectors::Auto => unreachable!("a width of the machine"),
            Vectors::V128 => 128,
            Vectors::V256 => 256,
            Vectors::V512 => 512,
        };
        (format!("jit {bits}"), engine)
    };
    let interp = ("interp".into(), Engine::interp());
    let jits = Vectors::here().into_iter().map(jit);
    std::iter::once(interp).chain(jits).collect()
}

/// Quads whose inputs run smoothly over [-1, 1].
fn quads(count: usize) -> Vec<QuadIo> {
    let wave = |n: usize| ((n * 37 % 255) as f32) / 127.5 - 1.0;
    let mut quads = vec![QuadIo::default(); count];
    for (index, quad) in quads.iter_mut().enumerate() {
        for input in 0..4 {
            let lane = |lane| std::array::from_fn(|c| wave(index * 16 + lane * 4 + c + input));
            quad.set_input(input, std::array::from_fn(lane));
        }
    }
    quads
}

/// Constants between -0.4 and 0.6.
fn bindings() -> Bindings<'static> {
    let mut bindings = Bindings::new();
    for index in 0..32 {
        let value = |c: usize| ((index * 4 + c) * 29 % 64) as f32 / 64.0 - 0.4;
        bindings.set_constant(index, std::array::from_fn(value));
    }
    bindings
}

fn bench_program(criterion: &mut Criterion, name: &str, program: &ValidProgram) {
    let mut group = criterion.benchmark_group(format!("shading/{name}"));
    group.throughput(Throughput::Elements(4 * QUADS as u64));
    let bindings = bindings();
    for (name, engine) in engines() {
        let shader = engine.prepare(program).expect("the program compiles");
        let mut quads = quads(QUADS);
        group.bench_function(name, |bencher| {
            bencher.iter(|| shader.run(&bindings, black_box(&mut quads)));
        });
    }
}

fn shading(criterion: &mut Criterion) {
    for length in [20, 100, 500] {
        bench_program(criterion, &format!("alu{length}"), &programs::alu(length));
    }
    bench_program(criterion, "lane-loop", &programs::lane_loop());
    bench_program(criterion, "predication", &programs::predication());
}

/// An engine's shader and its fastest runs in seconds: in one call, and in many.
struct Contender {
    name: String,
    shader: Shader,
    best: [f64; 2],
}

/// Runs `shader` on all quads, so many in each call, and returns the seconds.
fn run(shader: &Shader, bindings: &Bindings<'_>, quads: &mut [QuadIo], calls: usize) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        shader
            .run(bindings, black_box(quads))
            .expect("the program runs");
    }
    start.elapsed().as_secs_f64()
}

/// Prints the millions of lanes that each engine shades in a second, and the gain over the narrowest
/// vectors.
fn table(rounds: usize) -> io::Result<()> {
    let (program, bindings) = (programs::alu(100), bindings());
    let contender = |(name, engine): (String, Engine)| Contender {
        name,
        shader: engine.prepare(&program).expect("the program compiles"),
        best: [f64::INFINITY; 2],
    };
    let mut contenders: Vec<Contender> = engines().into_iter().map(contender).collect();
    let (mut many, mut few) = (quads(MANY), quads(QUADS));
    for round in 0..rounds {
        for contender in contenders.iter_mut().skip(usize::from(round > 0)) {
            let Contender { shader, best, .. } = contender;
            let whole = run(shader, &bindings, &mut many, 1);
            let parts = run(shader, &bindings, &mut few, MANY / QUADS);
            *best = [best[0].min(whole), best[1].min(parts)];
        }
    }
    let mut out = io::stdout();
    let lanes = (4 * MANY) as f64;
    writeln!(
        out,
        "Mlane/s, best of {rounds}, {lanes} lanes of 100 instructions; records of {} bytes per quad\n\
         {:<10}{:>12}{:>12}{:>16}{:>12}",
        size_of::<QuadIo>(),
        "",
        "one call",
        "jit 128",
        format!("{QUADS} quads/call"),
        "jit 128"
    )?;
    let narrow = contenders[1].best;
    for Contender { name, best, .. } in &contenders {
        let [speed, speed_parts] = best.map(|seconds| lanes / seconds / 1e6);
        let [gain, gain_parts] = [narrow[0] / best[0], narrow[1] / best[1]];
        writeln!(
            out,
            "{name:<10}{speed:>12.2}{gain:>11.2}x{speed_parts:>16.2}{gain_parts:>11.2}x"
        )?;
    }
    writeln!(out)
}

fn main() -> io::Result<()> {
    let only_try = std::env::args().any(|argument| argument == "--test");
    table(if only_try { 1 } else { ROUNDS })?;
    let mut criterion = Criterion::default().configure_from_args();
    shading(&mut criterion);
    criterion.final_summary();
    Ok(())
}
