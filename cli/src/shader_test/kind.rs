//! Tests of all formats, which are run in the same way.

use std::path::Path;

use attila_conformance::script_test::agal::AgalTest;
use attila_conformance::script_test::arb::ArbTest;
use attila_conformance::script_test::tgsi::TgsiTest;
use attila_conformance::script_test::{self, Report, RunError, ScriptTest};
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
pub(super) struct Test {
    test: Box<dyn ScriptTest>,
    /// Whether its programs may be ones that cannot be translated: those of TGSI tests come from elsewhere.
    may_refuse: bool,
}

/// The outcome of a test.
pub(super) enum Outcome {
    /// A program has mistakes.
    Mistaken(Vec<Diagnostic>),
    /// A program cannot be translated.
    Refused(Vec<Diagnostic>),
    /// It asks for something that is not supported.
    Skipped(String),
    /// It stopped.
    Stopped(String),
    Ran(Report),
}

impl Test {
    /// Reads a test. Its format is that of its name; that of a text without one shows in its sections. A
    /// dialect replaces that of the test.
    pub(super) fn parse(
        file: &Path,
        text: &str,
        dialect: Option<Dialect>,
    ) -> Result<Test, Vec<Diagnostic>> {
        let ends = |end: &str| file.extension().is_some_and(|it| it == end);
        let has = |section: &str| !is_test(file) && text.lines().any(|it| it.starts_with(section));
        let may_refuse = ends(TGSI) || has("[tgsi ");
        let test: Result<Box<dyn ScriptTest>, _> = if may_refuse {
            TgsiTest::parse(text).map(|mut test| {
                test.dialect = dialect.unwrap_or(test.dialect);
                Box::new(test) as _
            })
        } else if ends(AGAL) || has("[agal ") {
            AgalTest::parse(text).map(|test| Box::new(test) as _)
        } else {
            ArbTest::parse(text).map(|test| Box::new(test) as _)
        };
        let test = test.map_err(|error| error.diagnostics)?;
        Ok(Test { test, may_refuse })
    }

    pub(super) fn run(&self, engine: &Engine) -> Outcome {
        match self.test.run(engine) {
            Ok(script_test::Outcome::Ran(report)) => Outcome::Ran(report),
            Ok(script_test::Outcome::Skipped(reason)) => Outcome::Skipped(reason),
            Err(RunError::Program(error)) if self.may_refuse => Outcome::Refused(error.diagnostics),
            Err(RunError::Program(error)) => Outcome::Mistaken(error.diagnostics),
            Err(error) => Outcome::Stopped(ErrorChain(&error).to_string()),
        }
    }
}

/// The picture in the end; `None` if there is no target.
pub(super) fn picture(report: &Report) -> Option<Picture> {
    let target = report.targets.first()?;
    Some(Picture::from_pixels(
        target.width() as usize,
        target.pixels(),
    ))
}

/// Whether a file's name is that of a test.
pub(super) fn is_test(path: &Path) -> bool {
    let ends = |end: &str| path.extension().is_some_and(|it| it == end);
    [ARB, TGSI, AGAL].into_iter().any(ends)
}
