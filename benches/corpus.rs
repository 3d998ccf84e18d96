//! The time that the programs of TGSI shader tests take: translated, compiled by the JIT and run on a
//! quad.
//!
//! `cargo bench --bench corpus -- FOLDER` takes the `.tgsi_test` files of a folder; without one it takes
//! `tests/tgsi_tests`. It prints the median, the longest times, and the longest one of programs of up to
//! twenty blocks. Each program is measured several times, and the shortest time counts.

mod grey;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use attila_conformance::script_test::tgsi::TgsiTest;
use attila_shader::front::tgsi::{self, Options, Processor};
use attila_shader::{Bindings, Engine, ExtendedQuadIo, RunError};

use grey::Grey;

/// Turns of each program.
const TURNS: usize = 8;
/// How many of the longest times are printed.
const LISTED: usize = 10;
/// The blocks of a program that is not a large one.
const BLOCKS: usize = 20;

const STAGES: [Processor; 4] = [
    Processor::Vertex,
    Processor::Fragment,
    Processor::Geometry,
    Processor::Compute,
];

/// A program that was measured.
struct Measured {
    name: String,
    instructions: usize,
    blocks: usize,
    time: Duration,
}

/// Translates and compiles a text, and runs it on a quad. `None` for a text that is refused.
fn once(text: &str, options: &Options, engine: &Engine) -> Option<(usize, usize, Duration)> {
    let start = Instant::now();
    let program = tgsi::compile(text, options).ok()?.program.validate().ok()?;
    let shader = engine.prepare(&program).ok()?;
    let bindings = Bindings::new().with_textures(&Grey).with_loop_budget(2);
    let result = shader.run_extended(&bindings, &mut [ExtendedQuadIo::default()]);
    let time = start.elapsed();
    // Other errors might come before the program is compiled.
    let ends = matches!(result, Ok(()) | Err(RunError::LoopBudget { .. }));
    assert!(ends, "{result:?}");
    let insts = program.program().insts().len();
    Some((insts, program.cfg().blocks().len(), time))
}

/// The programs of a test.
fn measure(path: &Path, engine: &Engine) -> io::Result<Vec<Measured>> {
    let file = path.file_stem().unwrap_or_default().to_string_lossy();
    let test = TgsiTest::parse(&fs::read_to_string(path)?);
    let test = test.map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
    let options = Options {
        dialect: Some(test.dialect),
        ..Options::default()
    };
    let texts = STAGES.map(|stage| (stage, test.program(stage)));
    let texts = texts
        .into_iter()
        .filter_map(|(stage, text)| Some((stage, text?)));
    let measured = texts.filter_map(|(stage, text)| {
        let turns = (0..TURNS).map(|_| once(text, &options, engine));
        let best = turns.collect::<Option<Vec<_>>>()?;
        let (instructions, blocks, time) = best.into_iter().min_by_key(|turn| turn.2)?;
        Some(Measured {
            name: format!("{file} {stage:?}"),
            instructions,
            blocks,
            time,
        })
    });
    Ok(measured.collect())
}

fn print(measured: &Measured, out: &mut impl Write) -> io::Result<()> {
    let Measured {
        name,
        instructions,
        blocks,
        time,
    } = measured;
    let time = time.as_secs_f64() * 1e3;
    writeln!(
        out,
        "{time:>9.2} ms {instructions:>6} instructions {blocks:>5} blocks  {name}"
    )
}

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.find(|argument| !argument.starts_with("--"));
    let folder = folder.map_or_else(|| PathBuf::from("tests/tgsi_tests"), PathBuf::from);
    let mut paths = Vec::new();
    for entry in fs::read_dir(&folder)? {
        paths.push(entry?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|it| it == "tgsi_test"));
    paths.sort();
    let engine = Engine::jit().expect("the JIT knows this machine");
    let mut all = Vec::new();
    for path in &paths {
        all.extend(measure(path, &engine)?);
    }
    all.sort_by_key(|measured| measured.time);
    let mut out = io::stdout();
    writeln!(out, "{} programs of {} tests", all.len(), paths.len())?;
    if let Some(median) = all.get(all.len() / 2) {
        writeln!(out, "median:")?;
        print(median, &mut out)?;
    }
    let small = all.iter().rev().find(|measured| measured.blocks <= BLOCKS);
    if let Some(longest) = small {
        writeln!(out, "up to {BLOCKS} blocks:")?;
        print(longest, &mut out)?;
    }
    writeln!(out, "longest:")?;
    let longest = all.iter().rev().take(LISTED);
    longest.into_iter().try_for_each(|it| print(it, &mut out))
}
