//! `attila corpus`: whether the right texts are taken as programs.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use attila_conformance::corpus::{Class, Corpus, Entry, Verdicts};

use crate::FAULT;
use crate::error::CliError;
use crate::progress::Progress;

/// Check that a folder's programs are accepted or rejected as its index says
///
/// DIR has an `index.json` with the stage of each file and whether it must be rejected. Every file
/// is read with LF and with CR LF line ends. Files that need an unsupported extension are counted
/// separately, and may differ from the index.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  attila corpus piglit/asmparser")]
pub(crate) struct Args {
    /// The folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Files of a class, and how many were taken or refused as they should be.
#[derive(Default)]
struct Count {
    files: usize,
    agree: usize,
}

impl Count {
    fn add(&mut self, agree: bool) {
        self.files += 1;
        self.agree += usize::from(agree);
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let corpus = Corpus::open(&args.folder)?;
    let mut out = io::stdout().lock();
    let mut classes: BTreeMap<&Class, Count> = BTreeMap::new();
    let mut total = Count::default();
    let progress = Progress::new(corpus.entries.len() as u64);
    for entry in &corpus.entries {
        let verdicts = corpus.check(entry)?;
        let count = classes.entry(&entry.class).or_default();
        count.add(verdicts.agree());
        if entry.class.skip.is_none() {
            total.add(verdicts.agree());
            progress.suspend(|| explain(&mut out, entry, &verdicts))?;
        }
        progress.step();
    }
    drop(progress);
    for (class, Count { files, agree }) in &classes {
        let note = if class.skip.is_some() {
            ", skipped"
        } else {
            ""
        };
        writeln!(out, "{class}{note}: {agree} of {files} agree")?;
    }
    let Count { files, agree } = total;
    writeln!(
        out,
        "in all: {agree} of {files} agree, with LF and with CR LF"
    )?;
    Ok(if agree == files {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAULT)
    })
}

/// Says what should have been otherwise.
fn explain(out: &mut impl Write, entry: &Entry, verdicts: &Verdicts) -> io::Result<()> {
    for (end, refusal) in verdicts.wrong() {
        match refusal {
            None => writeln!(
                out,
                "{} ({end}): accepted; the index says rejected",
                entry.file
            )?,
            Some(refusal) => {
                writeln!(
                    out,
                    "{} ({end}): rejected; the index says accepted",
                    entry.file
                )?;
                for line in refusal.to_string().lines() {
                    writeln!(out, "  {line}")?;
                }
            }
        }
    }
    Ok(())
}
