//! `attila fuzz`: random programs on both engines.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use attila_shader::Engine;
use attila_shader::conformance::{self, Failure, FuzzOptions, Statistics, report, store};
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
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila fuzz                          10000 cases
  attila fuzz --time 60 --seed 7       a minute of other cases
  attila fuzz --first 4711 --cases 1   one case again")]
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
    /// Store a case that differs in this folder
    #[arg(long, value_name = "FOLDER")]
    store: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let engines = EngineArg::Both.engines()?;
    let cases = match (args.cases, args.time) {
        (Some(cases), _) => cases,
        (None, Some(_)) => u64::MAX,
        (None, None) => DEFAULT_CASES,
    };
    let options = FuzzOptions {
        first: args.first,
        time: args.time.map(Duration::from_secs),
        threads: args
            .threads
            .map_or_else(rayon::current_num_threads, |n| n as usize),
        ..FuzzOptions::new(args.seed, cases)
    };
    let bar = progress_bar(args, cases);
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

/// A bar if the number of cases is known, a count of them if only the time is.
fn progress_bar(args: &Args, cases: u64) -> ProgressBar {
    let (bar, style) = match args.cases.or(args.time.is_none().then_some(cases)) {
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
