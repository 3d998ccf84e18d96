//! Tests of TGSI programs: those of `tests/tgsi_tests/`, which cover the format, and those of the reference.

#![expect(clippy::print_stdout, reason = "tests say what they counted")]

mod faults;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use attila_conformance::script_test::tgsi::TgsiTest;
use attila_conformance::script_test::{Outcome, Report, RunError, ScriptTest};
use attila_shader::Engine;

fn tests(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("it is a folder");
    let files = entries.map(|entry| entry.expect("it can be listed").path());
    let is_test = |path: &PathBuf| path.extension().is_some_and(|it| it == "tgsi_test");
    let mut files: Vec<PathBuf> = files.filter(is_test).collect();
    files.sort();
    files
}

/// Runs a test on every engine; all do the same. A message if it is not run.
fn run(name: &str, text: &str) -> Result<Report, String> {
    let test = TgsiTest::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut reports = Vec::new();
    for engine in Engine::all() {
        match test.run(&engine) {
            Ok(Outcome::Ran(report)) => reports.push(report),
            Ok(Outcome::Skipped(reason)) => return Err(reason),
            Err(RunError::Program(error)) => return Err(error.diagnostics[0].message.clone()),
            Err(error) => panic!("{name}: {engine:?}: {error}"),
        }
    }
    let same = reports.windows(2).all(|pair| pair[0] == pair[1]);
    assert!(same, "{name}: the engines differ");
    Ok(reports.swap_remove(0))
}

/// The complaints of the probes of a report.
fn complaints(name: &str, report: &Report) -> Vec<String> {
    let probes = report.probes.iter();
    probes.filter_map(|probe| probe.complaint(name)).collect()
}

#[test]
fn the_format_is_covered_by_tests_that_pass() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tgsi_tests");
    let files = tests(&folder);
    assert!(files.len() >= 18, "tests are missing");
    for file in files {
        let name = file.display().to_string();
        let text = fs::read_to_string(&file).expect("it is a text");
        let report = run(&name, &text).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        assert!(!report.probes.is_empty(), "{name}");
        assert_eq!(complaints(&name, &report), [""; 0]);
    }
}

#[test]
#[ignore = "needs ../shared/corpora, beside the repository"]
fn the_tests_of_the_reference_pass_or_are_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora/tgsi/cases");
    let (mut passed, mut refused) = (0, BTreeMap::<String, u32>::new());
    let mut wrong = Vec::new();
    for file in tests(&folder) {
        let name = file.file_stem().expect("it has a name").to_string_lossy();
        let text = fs::read_to_string(&file).expect("it is a text");
        match run(&name, &text).map(|report| complaints(&name, &report)) {
            Err(reason) => *refused.entry(reason).or_default() += 1,
            Ok(complaints) if complaints.is_empty() => passed += 1,
            Ok(complaints) => wrong.extend(complaints),
        }
    }
    println!("{passed} tests pass; these are refused:");
    for (reason, count) in &refused {
        println!("{count:4} {reason}");
    }
    assert_eq!(wrong, [""; 0]);
    assert!(passed > 0);
}
