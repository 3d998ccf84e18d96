//! Plants the faults of `conformance/faults`, one at a time in a copy of the sources, and runs the check that has to
//! find it.
//!
//! ```text
//! cargo run -p attila-conformance --example faults [-- PART OF A NAME]    # a minute or two for each
//! cargo run -p attila-conformance --example faults -- --check             # does each text still stand once?
//! ```
#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it prints a table for people"
)]

mod copy;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;
use std::{env, fs};

use copy::{Copy, root};
use serde::Deserialize;

/// A file of faults.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    fault: Vec<Fault>,
}

/// A change that makes the project wrong.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    name: String,
    /// From the root of the repository.
    file: PathBuf,
    /// Stands in the file once.
    text: String,
    with: String,
    #[serde(flatten)]
    check: Check,
}

/// Finds a fault.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Check {
    /// The arguments of `cargo test`.
    Test(String),
    /// The words after `attila fuzz`, which has a minute.
    Fuzz(String),
}

/// Seconds of random cases.
const SECONDS: &str = "60";

fn main() -> ExitCode {
    let part = env::args().nth(1).unwrap_or_default();
    let run = || match part.as_str() {
        "--check" => Ok(faults()?.iter().map(Fault::stands_once).collect()),
        part => find(part),
    };
    let lines: Result<Vec<Result<String, String>>, Box<dyn Error>> = run();
    match lines {
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
        Ok(lines) => {
            let wrong = lines.iter().filter(|line| line.is_err()).count();
            println!(
                "{} faults, {wrong} of them not as they should be",
                lines.len()
            );
            match wrong {
                0 => ExitCode::SUCCESS,
                _ => ExitCode::FAILURE,
            }
        }
    }
}

/// The faults of all files, in the order of their names.
fn faults() -> Result<Vec<Fault>, Box<dyn Error>> {
    let mut faults = Vec::new();
    for entry in fs::read_dir(root().join("conformance/faults"))? {
        let path = entry?.path();
        let list: List = toml::from_str(&fs::read_to_string(&path)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        faults.extend(list.fault);
    }
    faults.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(faults)
}

impl Fault {
    /// Whether the text stands in its file once: a line that says so.
    fn stands_once(&self) -> Result<String, String> {
        self.planted(&root())
            .map(|_| String::new())
            .inspect_err(|error| println!("{error}"))
    }

    /// The file with the fault.
    fn planted(&self, root: &Path) -> Result<String, String> {
        let (name, file) = (&self.name, self.file.display());
        let whole = fs::read_to_string(root.join(&self.file))
            .map_err(|error| format!("{name}: {file}: {error}"))?;
        match whole.matches(&self.text).count() {
            1 => Ok(whole.replace(&self.text, &self.with)),
            count => Err(format!("{name}: its text stands in {file} {count} times")),
        }
    }

    /// Runs the check in a copy with the fault: how long that took to find it.
    fn find(&self, copy: &Copy) -> Result<String, String> {
        let path = copy.sources.join(&self.file);
        let (right, wrong) = (fs::read_to_string(&path), self.planted(&copy.sources)?);
        let right = right.map_err(|error| error.to_string())?;
        let write = |text| fs::write(&path, text).map_err(|error| error.to_string());
        write(wrong)?;
        let found = self.check.finds(copy);
        write(right)?;
        let name = &self.name;
        match found {
            Ok((true, seconds)) => Ok(format!(
                "{name:40} found in {seconds:5.1} s by {}",
                self.check
            )),
            Ok((false, _)) => Err(format!("{name:40} NOT FOUND by {}", self.check)),
            Err(error) => Err(format!("{name:40} NOT RUN: {error}")),
        }
    }
}

impl std::fmt::Display for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Check::Test(args) => write!(f, "cargo test {args}"),
            Check::Fuzz(words) => write!(f, "attila fuzz {words}"),
        }
    }
}

impl Check {
    /// Whether it fails, after how many seconds. Building it has to succeed.
    fn finds(&self, copy: &Copy) -> Result<(bool, f64), String> {
        let (mut build, mut run) = match self {
            Check::Test(args) => {
                let test = || copy.cargo(&["test", "--locked"], args);
                let mut build = test();
                build.arg("--no-run");
                (build, test())
            }
            Check::Fuzz(words) => {
                let mut fuzz = Command::new(copy.target.join("release/attila"));
                let words = words.split_whitespace();
                fuzz.arg("fuzz")
                    .args(words)
                    .args(["--time", SECONDS, "--jobs", "1"]);
                (
                    copy.cargo(&["build", "--release", "--locked", "-p"], "attila-cli"),
                    fuzz,
                )
            }
        };
        let built = build.stderr(Stdio::null()).stdout(Stdio::null()).status();
        if !built.map_err(|error| error.to_string())?.success() {
            return Err("it does not compile".to_owned());
        }
        let start = Instant::now();
        let output = run.output().map_err(|error| error.to_string())?;
        let seconds = start.elapsed().as_secs_f64();
        // A difference, or a test that fails. Anything else is a check that did not run.
        match output.status.code() {
            Some(0) => Ok((false, seconds)),
            Some(1 | 101) => Ok((true, seconds)),
            _ => Err(format!("{self} ended with {}", output.status)),
        }
    }
}

/// Finds the faults with `part` in their names, and prints a line for each.
fn find(part: &str) -> Result<Vec<Result<String, String>>, Box<dyn Error>> {
    let copy = Copy::new("faults")?;
    let faults = faults()?;
    let chosen = faults.iter().filter(|fault| fault.name.contains(part));
    let lines = chosen.map(|fault| {
        let line = fault.find(&copy);
        let (Ok(text) | Err(text)) = &line;
        println!("{text}");
        line
    });
    Ok(lines.collect())
}
