//! Draws ARB fragment programs with our engine and with Mesa's llvmpipe, and says who is faster.
//!
//! ```text
//! cargo run --release                          # the programs in shaders/
//! cargo run --release -- some.arbfp folder     # others
//! cargo run --release -- folder --tgsi other   # and the same programs in TGSI
//! cargo run --release -- --samples 4           # triangles into four samples per pixel
//! cargo run --release -- --scenes depth        # scenes of a kind: meshes, depth, layers and others
//! cargo run --release -- --all                 # all scenes, in one table
//! cargo run --release -- --sweep               # filters and sizes, with means
//! cargo run --release -- --threads 2           # both on two threads
//! cargo run --release -- --mesa folder         # a Mesa that is unpacked there
//! ```

mod compare;
mod contract;
mod gl;
mod llvmpipe;
mod mesa;
mod options;
mod ours;
mod race;
mod report;
mod samples;
mod scenes;
mod sweep;

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::{Command, ExitCode};

use attila_shader::machine::ErrorChain;
use clap::Parser;

use compare::Agreement;
use contract::Inputs;
use llvmpipe::Llvmpipe;
use options::{Options, Text, Twin};
use ours::{Loaded, Ours, Ready, Source};
use report::{Failure, Identity, Report, Row, Tgsi};
use sweep::Sweep;

fn main() -> ExitCode {
    run(&Options::parse()).unwrap_or_else(|error| {
        // If even that cannot be said, the exit code does.
        let _ = writeln!(io::stderr(), "error: {}", ErrorChain(&*error));
        ExitCode::from(2)
    })
}

fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    if let Some(code) = with_environment(options)? {
        return Ok(code);
    }
    let texts = options.texts()?;
    if options.sweep {
        let sweep = sweep::measure(&texts, options, compare);
        return finish(sweep, |it| it.print(options.json), Sweep::is_fine);
    }
    let kinds = options.kinds();
    if !kinds.is_empty() {
        let report =
            players(options).map(|(peer, ours)| scenes::measure(&kinds, &peer, &ours, options));
        return finish(report, |it| it.print(options.json), scenes::Report::is_fine);
    }
    if let Some(count) = options.samples {
        let report = players(options)
            .and_then(|(peer, ours)| samples::measure(count, &texts, &peer, &ours, options));
        let is_fine = samples::Report::is_fine;
        return finish(report, |it| it.print(options.json), is_fine);
    }
    let print = |report: &Report| match options.json {
        true => report.print_json(),
        false => report.print(),
    };
    finish(compare(&texts, options), print, Report::is_fine)
}

/// There is no llvmpipe, for this reason.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Skipped(String);

/// Prints what was measured, or that there is no llvmpipe.
fn finish<T>(
    measured: Result<T, Box<dyn Error>>,
    print: impl Fn(&T) -> io::Result<()>,
    is_fine: impl Fn(&T) -> bool,
) -> Result<ExitCode, Box<dyn Error>> {
    match measured {
        Ok(report) => {
            print(&report)?;
            Ok(ExitCode::from(u8::from(!is_fine(&report))))
        }
        Err(error) => match error.downcast::<Skipped>() {
            Ok(skipped) => {
                writeln!(io::stdout(), "skipped, there is no llvmpipe: {skipped}")?;
                Ok(ExitCode::SUCCESS)
            }
            Err(error) => Err(error),
        },
    }
}

/// llvmpipe and our engine.
fn players(options: &Options) -> Result<(Llvmpipe, Ours), Box<dyn Error>> {
    let inputs = Inputs::new(options.scale);
    let peer = Llvmpipe::new(options.size.0, &inputs, options.sampling());
    let peer = peer.map_err(|reason| Skipped(reason.to_string()))?;
    if !peer.is_llvmpipe() {
        let [renderer, _] = &peer.identity;
        return Err(Skipped(format!("the renderer is {renderer}")).into());
    }
    Ok((peer, Ours::new(inputs, options)?))
}

/// Compares and measures programs.
fn compare(texts: &[Text], options: &Options) -> Result<Report, Box<dyn Error>> {
    let (peer, ours) = players(options)?;
    let mut report = Report {
        identity: Identity::new(&peer.identity, options.threads),
        size: options.size.0,
        rows: Vec::new(),
        failures: Vec::new(),
    };
    for text in texts {
        match measure(text, &peer, &ours, options) {
            Ok(row) => report.rows.push(row),
            Err(error) => report.failures.push(Failure {
                shader: text.name.clone(),
                reason: ErrorChain(&*error).to_string(),
            }),
        }
    }
    Ok(report)
}

/// Starts the program once more if the environment lacks a variable for Mesa. Changing the environment
/// of a running process is unsafe.
fn with_environment(options: &Options) -> Result<Option<ExitCode>, Box<dyn Error>> {
    let mut wanted = llvmpipe::ENVIRONMENT.to_vec();
    wanted.extend(options.float_filter.then_some(llvmpipe::FLOAT_FILTER));
    let threads = match options.threads {
        1 => "0".to_owned(),
        several => several.to_string(),
    };
    wanted.push((llvmpipe::THREADS, &threads));
    let mut wanted: Vec<(&str, OsString)> = wanted
        .into_iter()
        .map(|(name, value)| (name, value.into()))
        .collect();
    if let Some(folder) = &options.mesa {
        let libraries = std::env::var_os("LD_LIBRARY_PATH");
        wanted.extend(mesa::environment(folder, libraries)?);
    }
    let is_set = |(name, value): &(&str, OsString)| std::env::var_os(name).as_ref() == Some(value);
    if wanted.iter().all(is_set) {
        return Ok(None);
    }
    let mut again = Command::new(std::env::current_exe()?);
    let status = again
        .args(std::env::args_os().skip(1))
        .envs(wanted)
        .status()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(Some(ExitCode::from(code.unwrap_or(1))))
}

/// Compiles, compares and measures a program.
fn measure(
    text: &Text,
    peer: &Llvmpipe,
    ours: &Ours,
    options: &Options,
) -> Result<Row, Box<dyn Error>> {
    let size = options.size.0;
    let arb = Source::Arb(&text.text);
    let (seconds, program) = peer.compile(&text.text)?;
    let (our_seconds, loaded) = ours.compile(arb)?;
    let mut times = [vec![seconds], vec![our_seconds]];
    for _ in 1..options.compilations {
        let (seconds, again) = peer.compile(&text.text)?;
        peer.delete(again);
        times[0].push(seconds);
        times[1].push(ours.compile(arb)?.0);
    }
    let mut ready = ours.prepare(&loaded, size)?;
    let expected = peer.picture(program);
    let mut pixels = vec![0; expected.len()];
    ready.draw(&mut pixels)?;
    let tolerance = options.tolerance(loaded.is_textured());
    let picture = Agreement::of(&expected, &pixels, tolerance);
    let mut frame = || ready.draw(&mut pixels).expect("it was drawn before");
    let outcome = race::race([&mut || peer.frame(), &mut frame], options.pace());
    peer.delete(program);
    let compile = times.map(race::median);
    let mut row = Row::new(&text.name, size, outcome, compile, picture);
    if let Some(twin) = &text.twin {
        row.tgsi = Some(measure_twin(twin, arb, ours, options)?);
    }
    Ok(row)
}

/// Compares the TGSI form of a program with its ARB form.
fn measure_twin(
    twin: &Twin,
    arb: Source<'_>,
    ours: &Ours,
    options: &Options,
) -> Result<Tgsi, Box<dyn Error>> {
    let sources = [arb, Source::Tgsi(twin)];
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..options.compilations.max(1) {
        for (times, source) in times.iter_mut().zip(sources) {
            times.push(ours.compile(source)?.0);
        }
    }
    let [arb_time, tgsi_time] = times.map(race::median);
    let loaded = sources.map(|source| ours.compile(source));
    let [arb, tgsi] = loaded.map(|loaded| loaded.map(|(_, loaded)| loaded));
    let ready = |loaded| ours.prepare(loaded, options.size.0);
    let (arb, tgsi): (Loaded, Loaded) = (arb?, tgsi?);
    let (mut arb, mut tgsi): (Ready<'_>, Ready<'_>) = (ready(&arb)?, ready(&tgsi)?);
    let [width, height] = options.size.0.map(|side| side as usize);
    let mut pixels = [vec![0; 4 * width * height], vec![0; 4 * width * height]];
    let [arb_pixels, tgsi_pixels] = &mut pixels;
    arb.draw(arb_pixels)?;
    tgsi.draw(tgsi_pixels)?;
    // Both filter with floats; texts may round at other places.
    let picture = Agreement::of(arb_pixels, tgsi_pixels, options::TOLERANCE);
    let drawn = "it was drawn before";
    let outcome = race::race(
        [&mut || arb.draw(arb_pixels).expect(drawn), &mut || {
            tgsi.draw(tgsi_pixels).expect(drawn)
        }],
        options.pace(),
    );
    Ok(Tgsi {
        ratio: outcome.ratio,
        spread: outcome.spread,
        compile_ratio: tgsi_time / arb_time,
        picture,
    })
}
