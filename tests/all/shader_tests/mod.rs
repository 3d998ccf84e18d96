//! Shader tests: those of this folder, which cover the format, and piglit's.

#![expect(clippy::print_stdout, reason = "tests say what they counted")]

mod faults;

use std::fs;
use std::path::{Path, PathBuf};

use attila_conformance::script_test::arb::ArbTest;
use attila_conformance::script_test::{Outcome, Report, ScriptTest};
use attila_shader::Engine;

/// The tests of a folder and the folders in it.
fn tests(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("it is a folder") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            files.extend(tests(&path));
        } else if path.extension().is_some_and(|it| it == "shader_test") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Runs a test on every engine; all do the same. Nothing if it is skipped.
fn run(name: &str, text: &str) -> Option<Report> {
    let test = ArbTest::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let reports = Engine::all()
        .into_iter()
        .map(|engine| match test.run(&engine) {
            Ok(Outcome::Ran(report)) => Some(report),
            Ok(Outcome::Skipped(_)) => None,
            Err(error) => panic!("{name}: {engine:?}: {error}"),
        });
    let reports: Vec<_> = reports.collect();
    assert!(
        reports.windows(2).all(|pair| pair[0] == pair[1]),
        "{name}: the engines differ"
    );
    reports.into_iter().next().flatten()
}

/// The complaints of the probes of a report.
fn complaints(name: &str, report: &Report) -> Vec<String> {
    let probes = report.probes.iter();
    probes.filter_map(|probe| probe.complaint(name)).collect()
}

/// Runs all tests of a folder, and returns the number of probes.
fn check(folder: &Path) -> (usize, usize) {
    let files = tests(folder);
    let mut probes = 0;
    let mut wrong = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).expect("it is text");
        let name = file.display().to_string();
        let Some(report) = run(&name, &text) else {
            panic!("{name} is skipped");
        };
        probes += report.probes.len();
        wrong.extend(complaints(&name, &report));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    (files.len(), probes)
}

#[test]
fn every_command_does_what_it_says_on_every_engine() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shader_tests");
    let (files, probes) = check(&folder);
    assert!(
        files >= 15 && probes >= 80,
        "{files} tests, {probes} probes"
    );
}

/// All of them can be run: their requirements are met.
#[test]
#[ignore = "needs ../shared/corpora/piglit"]
fn every_probe_of_piglit_passes_on_every_engine() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora/piglit/shader_tests");
    let (files, probes) = check(&folder);
    println!("{files} tests, {probes} probes");
    assert!(files > 0 && probes > 0);
}
