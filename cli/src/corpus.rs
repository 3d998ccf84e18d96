//! `attila corpus`: whether the right texts are taken as programs.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use attila_conformance::agal_corpus::{self, Ran};
use attila_conformance::corpus::{Class, Corpus, Entry, Trial, Verdicts};
use attila_shader::Engine;
use serde_json::json;

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
    /// Print lines of JSON
    #[arg(long)]
    json: bool,
}

/// Where results go: as text, or as lines of JSON.
struct Results<'a> {
    out: io::StdoutLock<'a>,
    json: bool,
}

impl Results<'_> {
    /// Says what is wrong with a file, and how, in further lines.
    fn mistake(&mut self, file: &str, message: &str, notes: &[String]) -> io::Result<()> {
        if self.json {
            let message = message.trim_start_matches([':', ' ']);
            let value = json!({ "file": file, "message": message, "notes": notes });
            return writeln!(self.out, "{value}");
        }
        writeln!(self.out, "{file}{message}")?;
        let mut notes = notes.iter();
        notes.try_for_each(|note| writeln!(self.out, "  {note}"))
    }

    /// Counts the files of a class.
    fn class(&mut self, class: &str, is_skipped: bool, count: &Count) -> io::Result<()> {
        let Count { files, agree } = count;
        if self.json {
            let value =
                json!({ "class": class, "files": files, "agree": agree, "skipped": is_skipped });
            return writeln!(self.out, "{value}");
        }
        let note = if is_skipped { ", skipped" } else { "" };
        writeln!(self.out, "{class}{note}: {agree} of {files} agree")
    }
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
    fn add(&mut self, out: &mut Results<'_>, entry: &Entry, trial: &Trial) -> io::Result<()> {
        match trial {
            Trial::Refused => return Ok(()),
            Trial::Passed => self.passed += 1,
            Trial::Unspecified => self.unspecified += 1,
            Trial::Failed(fault) => {
                let report = fault.report();
                let lines = report.lines().skip(1).filter(|it| !it.is_empty());
                let lines: Vec<String> = lines.map(str::to_owned).collect();
                out.mistake(&entry.file, &format!(": {}", fault.summary), &lines)?;
            }
        }
        self.programs += 1;
        Ok(())
    }

    fn all_right(&self) -> bool {
        self.passed + self.unspecified == self.programs
    }

    fn print(&self, Results { out, json }: &mut Results<'_>) -> io::Result<()> {
        let Runs {
            programs,
            passed,
            unspecified,
        } = self;
        if *json {
            let value =
                json!({ "programs": programs, "passed": passed, "unspecified": unspecified });
            return writeln!(out, "{value}");
        }
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
    let mut out = Results {
        out: io::stdout().lock(),
        json: args.json,
    };
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
    for (class, count) in &classes {
        out.class(&class.to_string(), class.skip.is_some(), count)?;
    }
    let Count { files, agree } = total;
    if !args.json {
        let all = format!("in all: {agree} of {files} agree, with LF and with CR LF");
        writeln!(out.out, "{all}")?;
    }
    runs.print(&mut out)?;
    Ok(if agree == files && runs.all_right() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAULT)
    })
}

/// Checks and runs AGAL programs.
fn agal(out: &mut Results<'_>, entries: &[agal_corpus::Entry]) -> Result<ExitCode, CliError> {
    let mut classes: BTreeMap<agal_corpus::Class, Count> = BTreeMap::new();
    let (engines, mut runs) = (Engine::all(), Runs::default());
    let progress = Progress::new(entries.len() as u64);
    for entry in entries {
        let found = entry.check();
        let count = classes.entry(entry.class).or_default();
        count.add(found.is_empty());
        for line in found {
            progress.suspend(|| out.mistake(&entry.name, &format!(": {line}"), &[]))?;
        }
        if let Some(ran) = entry.run(&engines) {
            runs.programs += 1;
            match ran {
                Ok(Ran::Passed) => runs.passed += 1,
                Ok(Ran::Unspecified) => runs.unspecified += 1,
                Err(fault) => {
                    progress.suspend(|| out.mistake(&entry.name, &format!(": {fault}"), &[]))?;
                }
            }
        }
        progress.step();
    }
    drop(progress);
    for (class, count) in &classes {
        out.class(&class.to_string(), false, count)?;
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
fn explain(out: &mut Results<'_>, entry: &Entry, verdicts: &Verdicts) -> io::Result<()> {
    for (end, refusal) in verdicts.wrong() {
        match refusal {
            None => {
                let message = format!(" ({end}): accepted; the index says rejected");
                out.mistake(&entry.file, &message, &[])?;
            }
            Some(refusal) => {
                let message = format!(" ({end}): rejected; the index says accepted");
                let refusal = refusal.to_string();
                let lines: Vec<String> = refusal.lines().map(str::to_owned).collect();
                out.mistake(&entry.file, &message, &lines)?;
            }
        }
    }
    Ok(())
}
