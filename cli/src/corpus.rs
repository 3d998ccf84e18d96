//! `attila corpus`: whether the right texts are taken as programs.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use attila_conformance::agal_corpus::{self, Ran};
use attila_conformance::corpus::{Class, Corpus, Entry, Trial, Verdicts};
use attila_shader::Engine;

use crate::FAULT;
use crate::error::CliError;
use crate::progress::Progress;

/// Check a folder of ARB, TGSI or AGAL programs
///
/// DIR has an `index.json` with the stage of each file and whether it must be rejected. Every file
/// is read with LF and with CR LF line ends. Each file to accept is translated. The translation
/// must survive printing, assembling and encoding. All engines must compute the same, and compute
/// what an evaluator of the text does. Files that need an unsupported extension are counted
/// separately, may differ from the index, and are not run.
///
/// AGAL programs have their bytes in the index. They must stay the same when they are decoded and
/// encoded, and disassembled and assembled. A file of JSON lines has bytes to accept or to reject.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila corpus piglit/asmparser
  attila corpus agal/errors.jsonl")]
pub(crate) struct Args {
    /// The folder, or a file of JSON lines
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

/// Counts of runs.
#[derive(Default)]
struct Runs {
    programs: usize,
    passed: usize,
    unspecified: usize,
}

impl Runs {
    /// Counts a run. A fault is the file's, with its report.
    fn add(&mut self, out: &mut impl Write, entry: &Entry, trial: &Trial) -> io::Result<()> {
        match trial {
            Trial::Refused => return Ok(()),
            Trial::Passed => self.passed += 1,
            Trial::Unspecified => self.unspecified += 1,
            Trial::Failed(fault) => {
                writeln!(out, "{}: {}", entry.file, fault.summary)?;
                for line in fault.report().lines().skip(1).filter(|it| !it.is_empty()) {
                    writeln!(out, "  {line}")?;
                }
            }
        }
        self.programs += 1;
        Ok(())
    }

    fn all_right(&self) -> bool {
        self.passed + self.unspecified == self.programs
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let Runs {
            programs,
            passed,
            unspecified,
        } = self;
        write!(
            out,
            "in all forms and on all engines: {passed} of {programs} programs agree"
        )?;
        match unspecified {
            0 => writeln!(out),
            count => writeln!(
                out,
                "; {count} not compared, as results depend on the payload of a NaN"
            ),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let mut out = io::stdout().lock();
    if let Some(entries) = agal_corpus::open(&args.folder)? {
        return agal(&mut out, &entries);
    }
    let corpus = Corpus::open(&args.folder)?;
    let mut classes: BTreeMap<&Class, Count> = BTreeMap::new();
    let mut total = Count::default();
    let (engines, mut runs) = (Engine::all(), Runs::default());
    let progress = Progress::new(corpus.entries.len() as u64);
    for entry in &corpus.entries {
        let verdicts = corpus.check(entry)?;
        let count = classes.entry(&entry.class).or_default();
        count.add(verdicts.agree());
        if entry.class.skip.is_none() {
            total.add(verdicts.agree());
            progress.suspend(|| explain(&mut out, entry, &verdicts))?;
            if !entry.class.must_fail {
                let trial = corpus.run(entry, &engines)?;
                progress.suspend(|| runs.add(&mut out, entry, &trial))?;
            }
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
    runs.print(&mut out)?;
    Ok(if agree == files && runs.all_right() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAULT)
    })
}

/// Checks and runs AGAL programs.
fn agal(out: &mut impl Write, entries: &[agal_corpus::Entry]) -> Result<ExitCode, CliError> {
    let mut classes: BTreeMap<agal_corpus::Class, Count> = BTreeMap::new();
    let (engines, mut runs) = (Engine::all(), Runs::default());
    let progress = Progress::new(entries.len() as u64);
    for entry in entries {
        let found = entry.check();
        let count = classes.entry(entry.class).or_default();
        count.add(found.is_empty());
        for line in found {
            progress.suspend(|| writeln!(out, "{}: {line}", entry.name))?;
        }
        if let Some(ran) = entry.run(&engines) {
            runs.programs += 1;
            match ran {
                Ok(Ran::Passed) => runs.passed += 1,
                Ok(Ran::Unspecified) => runs.unspecified += 1,
                Err(fault) => progress.suspend(|| writeln!(out, "{}: {fault}", entry.name))?,
            }
        }
        progress.step();
    }
    drop(progress);
    for (class, Count { files, agree }) in &classes {
        writeln!(out, "{class}: {agree} of {files} agree")?;
    }
    if runs.programs > 0 {
        runs.print(out)?;
    }
    let agree = classes.values().all(|count| count.agree == count.files);
    Ok(if agree && runs.all_right() {
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
