//! The JIT's code as WebAssembly, which Node.js runs, against its machine code with vectors of 128 bits: the fastest of many
//! draws, and the first.
//!
//! `ATTILA_RELAXED=0` in the environment takes relaxed SIMD away from Node.js.

#[expect(dead_code, reason = "other benches run the other programs")]
mod programs;

use std::io::{self, Write};
use std::time::Instant;

use attila_scene::{Loader, Scene};
use attila_shader::draw::{ColourImage, Draw};
use attila_shader::{ColourFormat, EmitterKind, Engine, JitOptions, Shader, Vectors, time_in_node};

/// Pixels along each side of the picture.
const SIDE: u32 = 1024;

/// Draws on each engine, in turns.
const ROUNDS: usize = 40;

/// Programs by name.
const CASES: [(&str, &str); 4] = [
    ("passthrough", include_str!("programs/passthrough.attila")),
    ("blinn-phong", include_str!("programs/blinn-phong.attila")),
    ("julia", include_str!("programs/julia.attila")),
    ("bilinear", include_str!("programs/bilinear.attila")),
];

/// Draws the picture.
fn draw(scene: &Scene, shader: &Shader, image: &mut ColourImage) {
    let bindings = scene.bindings();
    let draw = Draw::new(shader).bindings(&bindings).threads(1);
    let draw = scene.draw_on(draw, [SIDE; 2]).target(0, image);
    draw.rect(0..SIDE, 0..SIDE).expect("the draw is right");
}

/// Millions of pixels in a second.
fn speed(seconds: f64) -> f64 {
    f64::from(SIDE * SIDE) / seconds / 1e6
}

/// The line of the table for a program.
fn line((name, text): (&str, &str), engines: &[Engine; 2], rounds: usize) -> String {
    let scene = Loader::new()
        .read(name, text)
        .expect("a bench's text is right");
    let shaders = engines
        .each_ref()
        .map(|engine| scene.shader(engine).expect("it compiles"));
    let mut images = [(); 2].map(|()| ColourImage::new(ColourFormat::Rgba8, SIDE, SIDE));
    let (mut best, mut first) = ([f64::INFINITY; 2], 0.0);
    for round in 0..rounds {
        let start = Instant::now();
        draw(&scene, &shaders[0], &mut images[0]);
        best[0] = best[0].min(start.elapsed().as_secs_f64());
        let before = time_in_node();
        draw(&scene, &shaders[1], &mut images[1]);
        let time = (time_in_node() - before).as_secs_f64();
        best[1] = best[1].min(time);
        if round == 0 {
            first = time;
        }
    }
    assert!(
        images[0].bytes() == images[1].bytes(),
        "{name}: pictures differ"
    );
    let [native, wasm] = best.map(speed);
    format!(
        "| {name} | {native:.0} | {wasm:.0} | {:.2} | {:.0} |",
        wasm / native,
        speed(first)
    )
}

/// Milliseconds from the text of 150 instructions to 16x16 pixels, the median of several times.
fn milliseconds(engine: &Engine, rounds: usize) -> f64 {
    let text = programs::alu(150).program().to_string();
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            let scene = Loader::new().read("alu", &text).expect("it is right");
            let mut image = ColourImage::new(ColourFormat::Rgba8, 16, 16);
            scene.draw(engine, &mut image).expect("it draws");
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() -> io::Result<()> {
    // `cargo test --benches` only checks that it runs.
    let rounds = if std::env::args().any(|it| it == "--bench") {
        ROUNDS
    } else {
        1
    };
    let options = JitOptions {
        emitter: EmitterKind::WebAssembly,
        ..JitOptions::default()
    };
    let mut out = io::stdout().lock();
    let wasm = match Engine::with_jit_options(&options) {
        Ok(engine) => engine,
        Err(error) => return writeln!(out, "SKIPPED: {error}"),
    };
    let options = JitOptions {
        vectors: Vectors::V128,
        ..JitOptions::default()
    };
    let native = Engine::with_jit_options(&options).expect("the JIT knows this machine");
    let engines = [native, wasm];
    writeln!(
        out,
        "| Mpixel/s | 128 bits | WebAssembly | ratio | its first draw |"
    )?;
    writeln!(out, "|---|--:|--:|--:|--:|")?;
    CASES
        .into_iter()
        .try_for_each(|case| writeln!(out, "{}", line(case, &engines, rounds)))?;
    let time = milliseconds(&engines[1], rounds);
    writeln!(
        out,
        "150 instructions from their text to 16x16 pixels: {time:.1} ms"
    )
}
