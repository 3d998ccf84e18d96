//! Draws ARB fragment programs with our engine and with Mesa's llvmpipe, and says who is faster.
//!
//! ```text
//! cargo run --release                          # the programs in shaders/
//! cargo run --release -- some.arbfp folder     # others
//! ```

mod compare;
mod contract;
mod gl;
mod llvmpipe;
mod options;
mod ours;
mod race;
mod report;

use std::error::Error;
use std::io::{self, Write};
use std::process::{Command, ExitCode};

use attila_shader::machine::ErrorChain;
use clap::Parser;

use compare::Agreement;
use contract::Inputs;
use llvmpipe::Llvmpipe;
use options::{Options, Text};
use ours::Ours;
use report::{Failure, Report, Row};

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
    let inputs = Inputs::new(options.scale);
    let size = options.size.0;
    let peer = match Llvmpipe::new(size, &inputs, options.sampling()) {
        Ok(peer) if peer.is_llvmpipe() => peer,
        Ok(peer) => return skip(&format!("the renderer is {}", peer.identity[0])),
        Err(reason) => return skip(&reason.to_string()),
    };
    let ours = Ours::new(inputs, options.sampling(), options.quads)?;
    let mut report = Report {
        processor: processor(),
        peer: peer.identity.clone(),
        size,
        rows: Vec::new(),
        failures: Vec::new(),
    };
    for text in &texts {
        match measure(text, &peer, &ours, options) {
            Ok(row) => report.rows.push(row),
            Err(error) => report.failures.push(Failure {
                shader: text.name.clone(),
                reason: ErrorChain(&*error).to_string(),
            }),
        }
    }
    if options.json {
        report.print_json()?;
    } else {
        report.print()?;
    }
    Ok(ExitCode::from(u8::from(!report.is_fine())))
}

/// Starts the program once more if the environment lacks a variable for Mesa. Changing the environment
/// of a running process is unsafe.
fn with_environment(options: &Options) -> io::Result<Option<ExitCode>> {
    let mut wanted = llvmpipe::ENVIRONMENT.to_vec();
    wanted.extend(options.float_filter.then_some(llvmpipe::FLOAT_FILTER));
    let is_set = |(name, value): &(&str, &str)| std::env::var(name).is_ok_and(|it| it == *value);
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

/// Prints that there is no llvmpipe, and the reason.
fn skip(reason: &str) -> Result<ExitCode, Box<dyn Error>> {
    writeln!(io::stdout(), "skipped, there is no llvmpipe: {reason}")?;
    Ok(ExitCode::SUCCESS)
}

/// The processor's name, where it is known how to find out.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    let model = lines.find(|(key, _)| key.trim() == "model name");
    model.map_or_else(
        || std::env::consts::ARCH.to_owned(),
        |(_, name)| name.trim().to_owned(),
    )
}

/// Compiles, compares and measures a program.
fn measure(
    text: &Text,
    peer: &Llvmpipe,
    ours: &Ours,
    options: &Options,
) -> Result<Row, Box<dyn Error>> {
    let size = options.size.0;
    let (seconds, program) = peer.compile(&text.text)?;
    let (our_seconds, loaded) = ours.compile(&text.text)?;
    let mut times = [vec![seconds], vec![our_seconds]];
    for _ in 1..options.compilations {
        let (seconds, again) = peer.compile(&text.text)?;
        peer.delete(again);
        times[0].push(seconds);
        times[1].push(ours.compile(&text.text)?.0);
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
    Ok(Row::new(&text.name, size, outcome, compile, picture))
}
