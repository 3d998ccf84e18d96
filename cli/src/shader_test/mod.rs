//! `attila shader-test`: runs tests of ARB, TGSI and AGAL programs that draw and probe.

mod kind;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use attila_conformance::script_test::Report;
use attila_scene::source::{name_of, read_text};
use attila_scene::{Host, Message};
use attila_shader::Engine;
use attila_shader::front::tgsi::Dialect;
use attila_shader::isa::Diagnostic;
use clap::CommandFactory;
use clap::error::ErrorKind;
use serde_json::{Value, json};

use crate::engines::EngineArg;
use crate::error::CliError;
use crate::files;
use crate::output::Output;
use crate::parameters::DialectArg;
use crate::progress::Progress;
use crate::render::file;
use crate::report::Reporter;
use crate::{Cli, FAULT};
use kind::{Outcome, Test};

/// Run tests of ARB, TGSI and AGAL programs that draw and probe pixels
///
/// A `.shader_test` file is a test of ARB programs in piglit's format: requirements, a vertex
/// program, an optional fragment program, and a script that draws rectangles. A `.tgsi_test` file
/// is a test of TGSI programs: texts, vertices, textures, and a script that draws triangles. An
/// `.agal_test` file is the same for AGAL programs. All tests in a folder are run. Failed probes are listed with their expected and actual colours.
/// Tests with unsupported requirements are skipped, and those with programs that cannot be
/// translated are refused.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila shader-test tests/*.shader_test
  attila shader-test fog.shader_test --engine both --save fog.png")]
pub(crate) struct Args {
    /// The tests, or folders of them; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The engine that runs the programs; with `both`, the pictures must be the same
    #[arg(long, value_enum, default_value_t = EngineArg::Auto)]
    engine: EngineArg,
    #[command(flatten)]
    dialect: DialectArg,
    /// Save the picture of a single test as a PNG
    #[arg(long, value_name = "PNG", value_parser = file::path())]
    save: Option<PathBuf>,
    /// Print a line of JSON for each test
    #[arg(long)]
    json: bool,
}

/// How many there were.
#[derive(Default)]
struct Count {
    passed: usize,
    failed: usize,
    refused: usize,
    skipped: usize,
}

impl Count {
    fn add(&mut self, passed: bool) {
        let place = if passed {
            &mut self.passed
        } else {
            &mut self.failed
        };
        *place += 1;
    }

    /// `3 probes: 2 passed, 1 failed`.
    fn line(&self, what: &str) -> String {
        let all = self.passed + self.failed + self.refused + self.skipped;
        let mut line = format!("{}: {} passed", counted(all, what), self.passed);
        for (number, word) in [
            (self.failed, "failed"),
            (self.refused, "refused"),
            (self.skipped, "skipped"),
        ] {
            if number > 0 {
                line.push_str(&format!(", {number} {word}"));
            }
        }
        line
    }
}

/// `1 test`, `2 tests`.
fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// The data that is kept while tests are run.
struct Session {
    engines: Vec<Engine>,
    reporter: Reporter,
    tests: Count,
    probes: Count,
    progress: Progress,
    /// The dialect of TGSI programs, if it is not that of their tests.
    dialect: Option<Dialect>,
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let files = files::found(&args.files, kind::is_test)?;
    if args.save.is_some() && files.len() != 1 {
        let number = if files.is_empty() { "none" } else { "several" };
        let message = format!("--save takes one test, but there are {number}");
        let error = Cli::command().error(ErrorKind::ArgumentConflict, message);
        return Err(CliError::Usage(error));
    }
    if files.is_empty() {
        return Err(files::none("tests", &args.files));
    }
    let output = args.save.as_deref().map(Output::open).transpose()?;
    let mut session = Session {
        engines: args.engine.engines()?,
        reporter: match args.json {
            true => Reporter::keeping(),
            false => Reporter::new(),
        },
        tests: Count::default(),
        probes: Count::default(),
        progress: Progress::new(files.len() as u64),
        dialect: args.dialect.dialect,
        json: args.json,
    };
    for file in &files {
        let report = session.file(&file.path)?;
        let picture = report.and_then(|report| kind::picture(&report));
        if let (Some(output), Some(picture)) = (&output, picture) {
            file::write(output, &picture.opaque())?;
        }
        session.progress.step();
    }
    if files.len() != 1 && !args.json {
        let (tests, probes) = (session.tests.line("test"), session.probes.line("probe"));
        session.say(&format!("{tests}; {probes}"))?;
    }
    Ok(if session.tests.failed + session.tests.refused == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAULT)
    })
}

impl Session {
    /// Runs a test, and says what became of it.
    fn file(&mut self, file: &Path) -> Result<Option<Report>, CliError> {
        let name = name_of(file);
        let text = read_text(file, &self.reporter)?;
        let test = match Test::parse(file, &text, self.dialect) {
            Ok(test) => test,
            Err(diagnostics) => {
                self.show(&name, &text, &diagnostics);
                return self.failed(&name, "the text has mistakes");
            }
        };
        let mut reports = Vec::new();
        for engine in &self.engines {
            match test.run(engine) {
                Outcome::Ran(report) => reports.push(report),
                Outcome::Skipped(reason) => {
                    self.tests.skipped += 1;
                    self.verdict(&name, "skipped", &reason.to_string())?;
                    return Ok(None);
                }
                Outcome::Mistaken(diagnostics) => {
                    self.show(&name, &text, &diagnostics);
                    return self.failed(&name, "a program has mistakes");
                }
                Outcome::Refused(diagnostics) => {
                    self.show(&name, &text, &diagnostics);
                    self.tests.refused += 1;
                    self.verdict(&name, "refused", "a program cannot be translated")?;
                    return Ok(None);
                }
                Outcome::Stopped(reason) => return self.failed(&name, &reason),
            }
        }
        if reports.windows(2).any(|pair| pair[0] != pair[1]) {
            return self.failed(&name, "the engines differ");
        }
        let report = reports.swap_remove(0);
        self.report(&name, &report)?;
        Ok(Some(report))
    }

    fn failed(&mut self, name: &str, why: &str) -> Result<Option<Report>, CliError> {
        self.tests.failed += 1;
        self.verdict(name, "failed", why)?;
        Ok(None)
    }

    /// Says that a test was not run to its end, and why.
    fn verdict(&self, name: &str, verdict: &str, reason: &str) -> io::Result<()> {
        if !self.json {
            return self.say(&format!("{name}: {verdict}: {reason}"));
        }
        let messages = self.reporter.take();
        let value = json!({
            "file": name,
            "verdict": verdict,
            "reason": reason,
            "messages": messages,
        });
        self.say(&value.to_string())
    }

    /// Prints a line of results.
    fn say(&self, line: &str) -> io::Result<()> {
        self.progress.suspend(|| writeln!(io::stdout(), "{line}"))
    }

    /// Shows what is wrong with a text.
    fn show(&self, name: &str, text: &str, diagnostics: &[Diagnostic]) {
        let messages = diagnostics.iter().map(Message::from).collect();
        let show = || self.reporter.report(name, text, messages);
        self.progress.suspend(show);
    }

    /// Says what the probes of a test saw.
    fn report(&mut self, name: &str, report: &Report) -> Result<(), CliError> {
        let mut count = Count::default();
        for probe in &report.probes {
            count.add(probe.mismatch.is_none());
            self.probes.add(probe.mismatch.is_none());
            if let Some(mismatch) = &probe.mismatch
                && !self.json
            {
                self.say(&format!("{name}:{}: {}", probe.line, probe.text))?;
                self.say(&format!("  {mismatch}"))?;
            }
        }
        self.tests.add(count.failed == 0);
        if self.json {
            let probes = report.probes.iter().map(|probe| {
                let mismatch = probe.mismatch.as_ref().map(ToString::to_string);
                json!({ "line": probe.line, "text": probe.text, "mismatch": mismatch })
            });
            let verdict = if count.failed == 0 {
                "passed"
            } else {
                "failed"
            };
            let probes: Vec<Value> = probes.collect();
            let value = json!({ "file": name, "verdict": verdict, "probes": probes });
            return Ok(self.say(&value.to_string())?);
        }
        Ok(self.say(&format!("{name}: {}", count.line("probe")))?)
    }
}
