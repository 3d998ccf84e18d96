//! Tests of all kinds, which are run in the same way.

use std::fmt::Display;
use std::path::Path;

use attila_conformance::agal_test::{self, AgalTest};
use attila_conformance::script::ProbeResult;
use attila_conformance::shader_test::{self, ShaderTest, WINDOW};
use attila_conformance::tgsi_test::{self, TgsiTest};
use attila_shader::Engine;
use attila_shader::front::tgsi::Dialect;
use attila_shader::isa::Diagnostic;
use attila_shader::machine::ErrorChain;

use crate::picture::Picture;

/// The ends of the names of tests.
const ARB: &str = "shader_test";
const TGSI: &str = "tgsi_test";
const AGAL: &str = "agal_test";

/// A test that has been read.
pub(super) enum Test {
    Arb(ShaderTest),
    Tgsi(TgsiTest),
    Agal(AgalTest),
}

/// The outcome of a test.
pub(super) enum Outcome {
    /// An ARB program has mistakes.
    Mistaken(Vec<Diagnostic>),
    /// A TGSI program cannot be translated.
    Refused(Vec<Diagnostic>),
    /// It asks for something that is not supported.
    Skipped(String),
    /// It stopped.
    Stopped(String),
    Ran(Report),
}

/// The results of a test, which engines have in common.
#[derive(PartialEq)]
pub(super) enum Report {
    Arb(shader_test::Report),
    Tgsi(tgsi_test::Report),
    Agal(agal_test::Report),
}

/// A probe: its line, its text and its difference.
pub(super) struct Probe {
    pub(super) line: usize,
    pub(super) text: String,
    pub(super) mismatch: Option<String>,
}

impl Test {
    /// Reads a test. Its kind is that of its name; that of a text without one shows in its sections. A
    /// dialect replaces that of the test.
    pub(super) fn parse(
        file: &Path,
        text: &str,
        dialect: Option<Dialect>,
    ) -> Result<Test, Vec<Diagnostic>> {
        let ends = |end: &str| file.extension().is_some_and(|it| it == end);
        let has = |section: &str| !is_test(file) && text.lines().any(|it| it.starts_with(section));
        let test = if ends(TGSI) || has("[tgsi ") {
            TgsiTest::parse(text).map(|mut test| {
                test.dialect = dialect.unwrap_or(test.dialect);
                Test::Tgsi(test)
            })
        } else if ends(AGAL) || has("[agal ") {
            AgalTest::parse(text).map(Test::Agal)
        } else {
            ShaderTest::parse(text).map(Test::Arb)
        };
        test.map_err(|error| error.diagnostics)
    }

    pub(super) fn run(&self, engine: &Engine) -> Outcome {
        match self {
            Test::Arb(test) => match test.run(engine) {
                Ok(shader_test::Outcome::Ran(report)) => Outcome::Ran(Report::Arb(report)),
                Ok(shader_test::Outcome::Skipped(reason)) => Outcome::Skipped(reason),
                Err(shader_test::RunError::Load(shader_test::LoadError::Program(error))) => {
                    Outcome::Mistaken(error.diagnostics)
                }
                Err(error) => Outcome::Stopped(ErrorChain(&error).to_string()),
            },
            Test::Tgsi(test) => match test.run(engine) {
                Ok(tgsi_test::Outcome::Ran(report)) => Outcome::Ran(Report::Tgsi(report)),
                Ok(tgsi_test::Outcome::Skipped(reason)) => Outcome::Skipped(reason),
                Ok(tgsi_test::Outcome::Refused(diagnostics)) => Outcome::Refused(diagnostics),
                Err(error) => Outcome::Stopped(ErrorChain(&error).to_string()),
            },
            Test::Agal(test) => match test.run(engine) {
                Ok(agal_test::Outcome::Ran(report)) => Outcome::Ran(Report::Agal(report)),
                Ok(agal_test::Outcome::Skipped(reason)) => Outcome::Skipped(reason),
                Err(error) => Outcome::Stopped(ErrorChain(&error).to_string()),
            },
        }
    }
}

impl Probe {
    /// The same for all kinds of tests.
    fn of<Mismatch: Display>(probe: &ProbeResult<Mismatch>) -> Probe {
        Probe {
            line: probe.line,
            text: probe.text.clone(),
            mismatch: probe.mismatch.as_ref().map(ToString::to_string),
        }
    }
}

impl Report {
    /// The probes in their order.
    pub(super) fn probes(&self) -> Vec<Probe> {
        match self {
            Report::Arb(report) => report.probes.iter().map(Probe::of).collect(),
            Report::Tgsi(report) => report.probes.iter().map(Probe::of).collect(),
            Report::Agal(report) => report.probes.iter().map(Probe::of).collect(),
        }
    }

    /// The picture in the end; `None` if there is no target.
    pub(super) fn picture(&self) -> Option<Picture> {
        match self {
            Report::Arb(report) => Some(Picture::from_pixels(WINDOW as usize, report.pixels())),
            Report::Tgsi(report) => {
                let target = report.targets.first()?;
                Some(Picture::from_pixels(target.width as usize, target.pixels()))
            }
            Report::Agal(report) => {
                let (width, pixels) = report.pixels()?;
                Some(Picture::from_pixels(width as usize, pixels))
            }
        }
    }
}

/// Whether a file's name is that of a test.
pub(super) fn is_test(path: &Path) -> bool {
    let ends = |end: &str| path.extension().is_some_and(|it| it == end);
    [ARB, TGSI, AGAL].into_iter().any(ends)
}
