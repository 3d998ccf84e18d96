//! Random textures, samplers and coordinates.

use std::io::{self, Write};

use attila_conformance::textures::{self, Scope, TextureFailure, TextureFuzz, TextureReport};
use attila_shader::Engine;
use clap::ValueEnum;

use super::{Args, names, progress_bar, report_side};
use crate::error::CliError;

/// The choice of textures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Which {
    /// Every dimension, format and sampler
    All,
    /// Textures that the JIT samples inline
    Inlinable,
}

impl Which {
    /// The options that choose this.
    fn options(self) -> &'static str {
        match self {
            Which::All => "--textures",
            Which::Inlinable => "--textures inlinable",
        }
    }

    fn scope(self) -> Scope {
        match self {
            Which::All => Scope::All,
            Which::Inlinable => Scope::Inlinable,
        }
    }
}

/// Whether the engines sample alike.
pub(super) fn compare(
    args: &Args,
    which: Which,
    engines: &[Engine],
    out: &mut dyn Write,
) -> Result<bool, CliError> {
    let options = TextureFuzz {
        sequence: args.sequence(),
        scope: which.scope(),
    };
    let bar = progress_bar(args);
    let report = textures::fuzz(&options, engines, &|progress| {
        bar.set_position(progress.cases);
    });
    bar.finish_and_clear();
    summarize(out, &report, engines)?;
    if let Some(failure) = &report.failure {
        report_side(out, engines, failure.difference.engines[1])?;
        show_failure(out, failure, which)?;
    }
    Ok(report.failure.is_none())
}

fn summarize(out: &mut dyn Write, report: &TextureReport, engines: &[Engine]) -> io::Result<()> {
    let statistics = &report.statistics;
    writeln!(
        out,
        "{} texture cases on {} in {:.1} s: {} quads, {} samples, {} of them inlined",
        statistics.cases,
        names(engines),
        report.elapsed.as_secs_f64(),
        statistics.quads,
        statistics.samples,
        statistics.samples.saturating_sub(statistics.called),
    )
}

fn show_failure(out: &mut dyn Write, failure: &TextureFailure, which: Which) -> io::Result<()> {
    let (seed, index) = (failure.seed, failure.index);
    writeln!(out, "\ncase {index} of seed {seed}, after shrinking:\n")?;
    writeln!(out, "{}", textures::report(failure))?;
    writeln!(
        out,
        "again: attila fuzz {} --seed {seed} --first {index} --cases 1",
        which.options(),
    )
}
