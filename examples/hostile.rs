//! Measures what hostile sources cost: processor time and memory of each shape at each size, in a process of its own.
//!
//! ```text
//! ulimit -v 1000000; cargo run --release --example hostile
//! cargo run --release --example hostile -- 'tgsi: IF in IF' 65536
//! cargo run --release --example hostile -- --mutated 5000        # so many sources of each language, changed at random
//! ```
#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it prints a table for people"
)]

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use attila_conformance::hostile::{self, FORMS, Verdict, mutated, of_form, shapes};

/// Bytes of sources: the longest first.
const SIZES: [usize; 9] = [
    4 << 20,
    2 << 20,
    1 << 20,
    512 << 10,
    256 << 10,
    128 << 10,
    64 << 10,
    32 << 10,
    16 << 10,
];

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.as_slice() {
        [flag, count] if flag == "--mutated" => all_mutated(count),
        [flag, form, count] if flag == "--mutated" => one_mutated(form, count),
        [name, size] => one(name, size),
        [part] => all(part),
        _ => all(""),
    }
}

/// A source in this process: prints how it ended, and what it cost.
fn one(name: &str, size: &str) -> ExitCode {
    let (Some(shape), Ok(size)) = (
        shapes().into_iter().find(|shape| shape.name == name),
        size.parse(),
    ) else {
        eprintln!("usage: hostile [PART OF A NAME | SHAPE SIZE]");
        return ExitCode::FAILURE;
    };
    let source = shape.source(size);
    let before = processor_time();
    let verdict = shape.run(&source);
    let time = processor_time() - before;
    let verdict = match verdict {
        Verdict::Refused(reason) => format!("refused: {reason}"),
        Verdict::Ran(engine, None) => format!("ran on {engine}"),
        Verdict::Ran(engine, Some(reason)) => format!("ran on {engine}: {reason}"),
        Verdict::Stopped(engine, reason) => format!("stopped on {engine}: {reason}"),
        Verdict::Panicked(what) => format!("PANIC: {what}"),
    };
    let verdict: String = verdict.chars().take(90).collect();
    println!(
        "{time:.2} s {:5} MB {:7} bytes  {verdict}",
        memory(),
        source.len()
    );
    ExitCode::SUCCESS
}

/// All shapes at all sizes, each in a process.
fn all(part: &str) -> ExitCode {
    let Ok(program) = env::current_exe() else {
        return ExitCode::FAILURE;
    };
    let mut failed = 0;
    for shape in shapes().iter().filter(|shape| shape.name.contains(part)) {
        for size in SIZES {
            failed += apart(&program, &shape.name, &[&shape.name, &size.to_string()]);
        }
    }
    summary(failed)
}

/// Runs this program with arguments and prints the line that it prints. Whether it aborted or panicked, as a number.
fn apart(program: &Path, name: &str, args: &[&str]) -> usize {
    let output = Command::new(program).args(args).output();
    let line = match &output {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        Ok(output) => format!("ABORTED: {}", output.status),
        Err(error) => format!("ABORTED: {error}"),
    };
    println!("{name:32} {line}");
    usize::from(line.contains("ABORTED") || line.contains("PANIC"))
}

fn summary(failed: usize) -> ExitCode {
    println!("{failed} aborted or panicked");
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Changed sources of all languages, those of each in a process.
fn all_mutated(count: &str) -> ExitCode {
    let Ok(program) = env::current_exe() else {
        return ExitCode::FAILURE;
    };
    let each = FORMS.iter();
    summary(
        each.map(|form| apart(&program, form, &["--mutated", form, count]))
            .sum(),
    )
}

/// Changed sources of a language in this process: prints how many ended in which way, and what the slowest cost.
fn one_mutated(form: &str, count: &str) -> ExitCode {
    let (shapes, Ok(count)) = (of_form(form), count.parse::<u64>()) else {
        return ExitCode::FAILURE;
    };
    let mut ends = BTreeMap::new();
    let mut slowest = (0.0, 0);
    for index in 0..count {
        let (door, source) = mutated(form, &shapes, index);
        let before = processor_time();
        let verdict = hostile::run(door, &source);
        let time = processor_time() - before;
        if time > slowest.0 {
            slowest = (time, index);
        }
        let end = match verdict {
            Verdict::Refused(_) => "refused",
            Verdict::Ran(_, None) => "ran",
            Verdict::Ran(_, Some(_)) => "fell back",
            Verdict::Stopped(..) => "stopped",
            Verdict::Panicked(what) => {
                println!("PANIC in {index}: {what}");
                "panicked"
            }
        };
        *ends.entry(end).or_insert(0) += 1;
    }
    let (time, index) = slowest;
    println!(
        "{ends:?}; slowest {time:.2} s, source {index}; {} MB",
        memory()
    );
    ExitCode::SUCCESS
}

/// Seconds of processor time of this process, in hundredths.
fn processor_time() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = after_name.split_ascii_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|it| it.parse::<f64>().ok());
    (ticks(11).unwrap_or_default() + ticks(12).unwrap_or_default()) / 100.0
}

/// The most memory that this process has had, in millions of bytes.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_ascii_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() / 1000
}
