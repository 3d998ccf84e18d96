//! Random programs.

use std::io::{self, Write};
use std::time::Duration;

use attila_conformance::{Failure, FuzzOptions, Statistics, generate, report, store};
use attila_shader::Engine;

use super::{Args, names, progress_bar, report_side, report_stored};
use crate::error::CliError;

/// Whether the engines agree on programs.
pub(super) fn compare(
    args: &Args,
    engines: &[Engine],
    out: &mut dyn Write,
) -> Result<bool, CliError> {
    let options = FuzzOptions {
        sequence: args.sequence(),
        generate: generate::Options::DEFAULT,
    };
    let bar = progress_bar(args);
    let report = attila_conformance::fuzz(&options, engines, &|progress| {
        bar.set_position(progress.cases);
    });
    bar.finish_and_clear();
    summarize(out, &report.statistics, report.elapsed, engines)?;
    if let Some(failure) = &report.failure {
        report_side(out, engines, failure.minimal.engines[1])?;
        show_failure(out, failure, args)?;
    }
    Ok(report.failure.is_none())
}

fn summarize(
    out: &mut dyn Write,
    statistics: &Statistics,
    elapsed: Duration,
    engines: &[Engine],
) -> io::Result<()> {
    let instructions: u64 = statistics.opcodes.values().sum();
    writeln!(
        out,
        "{} cases on {} in {:.1} s: {} quads, {instructions} instructions of {} kinds, \
         {} texture and attribute requests, {} cases with kills, {} with a loop budget used up",
        statistics.cases,
        names(engines),
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
    writeln!(out, "\ncase {index} of seed {seed}, after shrinking:\n")?;
    writeln!(out, "{}", report::report(minimal))?;
    let note = report::summary(minimal);
    writeln!(out, "as a file:\n")?;
    writeln!(out, "{}", minimal.case.to_text(&note))?;
    writeln!(
        out,
        "again: attila fuzz --seed {seed} --first {index} --cases 1"
    )?;
    if let Some(folder) = &args.store {
        report_stored(out, folder, store(folder, &minimal.case, "fuzz", &note))?;
    }
    Ok(())
}
