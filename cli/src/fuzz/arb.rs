//! Random texts of ARB programs.

use std::io::{self, Write};

use attila_conformance::arb::{self, ArbFailure, ArbReport};
use attila_conformance::store_text;
use attila_shader::Engine;

use super::{Args, names, progress_bar, report_stored};
use crate::error::CliError;

/// Whether texts are treated as they should be.
pub(super) fn compare(
    args: &Args,
    engines: &[Engine],
    out: &mut dyn Write,
) -> Result<bool, CliError> {
    let bar = progress_bar(args);
    let report = arb::fuzz(&args.sequence(), engines, &|progress| {
        bar.set_position(progress.cases);
    });
    bar.finish_and_clear();
    summarize(out, &report, engines)?;
    if let Some(failure) = &report.failure {
        show_failure(out, failure, args)?;
    }
    Ok(report.failure.is_none())
}

fn summarize(out: &mut dyn Write, report: &ArbReport, engines: &[Engine]) -> io::Result<()> {
    let statistics = &report.statistics;
    let instructions: u64 = statistics.opcodes.values().sum();
    writeln!(
        out,
        "{} texts in {:.1} s: {} refused, {} run on {}, {} of these damaged; {instructions} \
         instructions of {} kinds, {:.1} ms for the slowest text",
        statistics.cases,
        report.elapsed.as_secs_f64(),
        statistics.cases - statistics.programs,
        statistics.programs,
        names(engines),
        statistics.survivors,
        statistics.opcodes.len(),
        statistics.slowest.as_secs_f64() * 1e3,
    )
}

fn show_failure(out: &mut dyn Write, failure: &ArbFailure, args: &Args) -> Result<(), CliError> {
    let (seed, index) = (failure.seed, failure.index);
    writeln!(out, "\ntext {index} of seed {seed}, after shrinking:\n")?;
    writeln!(out, "{}", arb::report(failure))?;
    let (text, name) = failure.to_text();
    writeln!(out, "as a file:\n\n{text}\n")?;
    writeln!(
        out,
        "again: attila fuzz --arb --seed {seed} --first {index} --cases 1"
    )?;
    if let Some(folder) = &args.store {
        report_stored(out, folder, store_text(folder, &text, name))?;
    }
    Ok(())
}
