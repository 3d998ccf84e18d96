//! `attila fuzz`: random programs on both engines.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use attila_shader::conformance::textures::{self, TextureReport};
use attila_shader::conformance::{
    self, Failure, FuzzOptions, Sequence, Statistics, generate, report, store,
};
use attila_shader::{Engine, Jit};
use indicatif::{ProgressBar, ProgressStyle};

use crate::FAULT;
use crate::engines::EngineArg;
use crate::error::CliError;

/// Cases if neither their number nor a time is given.
const DEFAULT_CASES: u64 = 10_000;

/// Compare the engines on random programs
///
/// Every case is a valid random program with random registers. It runs on both engines, and every
/// register, kill, exported depth and texture request must be the same. The first case that
/// differs is made as small as possible and printed; `attila run` takes it as it is.
///
/// Textures are answered by a formula there. With --textures they are random images with random
/// samplers, and the programs are few.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila fuzz                          10000 cases
  attila fuzz --time 60 --seed 7       a minute of other cases
  attila fuzz --first 4711 --cases 1   one case again
  attila fuzz --textures               10000 cases with images and samplers")]
pub(crate) struct Args {
    /// How many cases to run [default: 10000, or what --time allows]
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// How long to run at most
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Which sequence of cases
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The first case of the sequence
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,
    /// Threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,
    /// Compare how the engines sample random images
    #[arg(long)]
    textures: bool,
    /// Store a case that differs in this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "textures")]
    store: Option<PathBuf>,
}

impl Args {
    fn cases(&self) -> u64 {
        match (self.cases, self.time) {
            (Some(cases), _) => cases,
            (None, Some(_)) => u64::MAX,
            (None, None) => DEFAULT_CASES,
        }
    }

    fn sequence(&self) -> Sequence {
        let threads = self.threads.map(|n| n as usize);
        Sequence {
            seed: self.seed,
            first: self.first,
            cases: self.cases(),
            time: self.time.map(Duration::from_secs),
            threads: threads.unwrap_or_else(rayon::current_num_threads),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    if args.textures {
        return run_textures(args);
    }
    let engines = EngineArg::Both.engines()?;
    let options = FuzzOptions {
        sequence: args.sequence(),
        generate: generate::Options::DEFAULT,
    };
    let bar = progress_bar(args);
    let report = conformance::fuzz(&options, &engines, &|progress| {
        bar.set_position(progress.cases);
    });
    bar.finish_and_clear();

    let mut out = io::stdout().lock();
    summarize(&mut out, &report.statistics, report.elapsed, &engines)?;
    match &report.failure {
        None => Ok(ExitCode::SUCCESS),
        Some(failure) => {
            show_failure(&mut out, failure, args)?;
            Ok(ExitCode::from(FAULT))
        }
    }
}

/// The same with random images; tells how often the JIT sampled by itself.
fn run_textures(args: &Args) -> Result<ExitCode, CliError> {
    let jit = Jit::new().map_err(|source| CliError::Prepare {
        engine: "jit",
        source,
    })?;
    let engines = [Engine::interp(), Engine::custom(Arc::new(jit.clone()))];
    let bar = progress_bar(args);
    let report = textures::fuzz(&args.sequence(), &engines, &|progress| {
        bar.set_position(progress.cases);
    });
    bar.finish_and_clear();

    let mut out = io::stdout().lock();
    show_textures(&mut out, &report, jit.specialisations())?;
    Ok(match report.failure {
        None => ExitCode::SUCCESS,
        Some(_) => ExitCode::from(FAULT),
    })
}

fn show_textures(out: &mut dyn Write, report: &TextureReport, inlined: usize) -> io::Result<()> {
    writeln!(
        out,
        "{} texture cases on interp and jit in {:.1} s: {} quads, {inlined} cases with inlined samples",
        report.statistics.cases,
        report.elapsed.as_secs_f64(),
        report.statistics.quads,
    )?;
    let Some(failure) = &report.failure else {
        return Ok(());
    };
    let (seed, index) = (failure.seed, failure.index);
    writeln!(
        out,
        "\ncase {index} of seed {seed}, made as plain as possible:\n"
    )?;
    writeln!(out, "{}", textures::report(failure))?;
    writeln!(
        out,
        "again: attila fuzz --textures --seed {seed} --first {index} --cases 1"
    )
}

/// A bar if the number of cases is known, a count of them if only the time is.
fn progress_bar(args: &Args) -> ProgressBar {
    let (bar, style) = match args.cases.or(args.time.is_none().then_some(DEFAULT_CASES)) {
        Some(cases) => (
            ProgressBar::new(cases),
            "{wide_bar} {pos}/{len} cases, {per_sec}, {eta} left",
        ),
        None => (
            ProgressBar::no_length(),
            "{spinner} {pos} cases, {per_sec}, {elapsed}",
        ),
    };
    bar.with_style(ProgressStyle::with_template(style).expect("the template is well formed"))
}

fn summarize(
    out: &mut dyn Write,
    statistics: &Statistics,
    elapsed: Duration,
    engines: &[Engine],
) -> io::Result<()> {
    let names: Vec<&str> = engines.iter().map(Engine::name).collect();
    let instructions: u64 = statistics.opcodes.values().sum();
    writeln!(
        out,
        "{} cases on {} in {:.1} s: {} quads, {instructions} instructions of {} kinds, \
         {} texture and attribute requests, {} cases with kills, {} with a loop budget used up",
        statistics.cases,
        names.join(" and "),
        elapsed.as_secs_f64(),
        statistics.quads,
        statistics.opcodes.len(),
        statistics.requests,
        statistics.kills,
        statistics.loop_budgets,
    )
}

fn show_failure(out: &mut dyn Write, failure: &Failure, args: &Args) -> Result<(), CliError> {
    let Failure {
        seed,
        index,
        minimal,
        ..
    } = failure;
    writeln!(
        out,
        "\ncase {index} of seed {seed}, made as small as possible:\n"
    )?;
    writeln!(out, "{}", report::report(minimal))?;
    let note = report::summary(minimal);
    writeln!(out, "as a file:\n")?;
    writeln!(out, "{}", minimal.case.to_text(&note))?;
    writeln!(
        out,
        "again: attila fuzz --seed {seed} --first {index} --cases 1"
    )?;
    if let Some(folder) = &args.store {
        let stored = store(folder, &minimal.case, "fuzz", &note);
        let path = stored.map_err(|source| CliError::Write {
            name: folder.display().to_string(),
            source,
        })?;
        writeln!(out, "stored as {}", path.display())?;
    }
    Ok(())
}
