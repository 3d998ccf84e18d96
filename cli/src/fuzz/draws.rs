//! Random draws.

use std::io::{self, Write};

use attila_conformance::draws::{self, DrawFailure, DrawReport};
use attila_conformance::store_text;
use attila_shader::Engine;

use super::{Args, names, progress_bar, report_side, report_stored};
use crate::error::CliError;

/// Whether the engines draw alike.
pub(super) fn compare(
    args: &Args,
    engines: &[Engine],
    out: &mut dyn Write,
) -> Result<bool, CliError> {
    let bar = progress_bar(args);
    let report = draws::fuzz(&args.sequence(), engines, &|progress| {
        bar.set_position(progress.cases);
    });
    bar.finish_and_clear();
    summarize(out, &report, engines)?;
    if let Some(failure) = &report.failure {
        report_side(out, engines, &failure.difference.drawn[1])?;
        show_failure(out, failure, args)?;
    }
    Ok(report.failure.is_none())
}

fn summarize(out: &mut dyn Write, report: &DrawReport, engines: &[Engine]) -> io::Result<()> {
    let statistics = &report.statistics;
    writeln!(
        out,
        "{} draws on {} in {:.1} s: {} frames, {} fragments, {} pixels changed, \
         {} frames with a loop budget used up",
        statistics.cases,
        names(engines),
        report.elapsed.as_secs_f64(),
        statistics.frames,
        statistics.covered,
        statistics.changed,
        statistics.loop_budgets,
    )
}

fn show_failure(out: &mut dyn Write, failure: &DrawFailure, args: &Args) -> Result<(), CliError> {
    let (seed, index) = (failure.seed, failure.index);
    writeln!(out, "\ncase {index} of seed {seed}, after shrinking:\n")?;
    writeln!(out, "{}", draws::report(failure))?;
    writeln!(
        out,
        "again: attila fuzz --draws --seed {seed} --first {index} --cases 1"
    )?;
    let Some(folder) = &args.store else {
        return Ok(());
    };
    if !failure.case.textures.is_empty() {
        writeln!(
            out,
            "not stored: the format of cases cannot hold its images"
        )?;
        return Ok(());
    }
    let text = failure.case.to_text(&draws::summary(&failure.difference));
    report_stored(out, folder, store_text(folder, &text, "draw.attila"))
}
