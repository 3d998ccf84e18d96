//! Walks through the chapters of `CONTRIBUTING.md`, each in a copy of the sources: puts its snippets where they belong,
//! and compares the compiler's messages with those of the page. In the end everything has to compile.
//!
//! ```text
//! cargo run -p attila-conformance --example walks [-- PART OF A TITLE]    # minutes
//! ```
//!
//! Words after a block's language say where it belongs. Readers of the page do not see them.
//!
//! ```text
//! rust,ignore FILE after TEXT    behind the line of the file that begins with the text
//! rust,ignore FILE end           at the end of the file
//! text FILE                      a file of its own
//! text errors                    what the compiler now says; columns and lines may be left out
//! text errors PATTERN            the same, crate by crate: each match gets an arm with this pattern that panics
//! ```
#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it prints a table for people"
)]

mod copy;

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fs;
use std::process::ExitCode;

use copy::{Copy, root};

/// A chapter with blocks that belong somewhere.
struct Chapter<'a> {
    title: &'a str,
    blocks: Vec<Block<'a>>,
}

/// A fenced block.
struct Block<'a> {
    /// The line of the page, from 1.
    line: usize,
    /// The words after the language.
    place: &'a str,
    lines: Vec<&'a str>,
}

/// An error of the compiler: message and file.
type Fault = (String, String);

/// What the compiler says: errors, and the lines of their files.
type Faults = Vec<(Fault, usize)>;

fn main() -> ExitCode {
    let part = env::args().nth(1).unwrap_or_default();
    match walk(&part) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(wrong) => {
            eprintln!("chapters that cannot be followed: {wrong}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Walks through the chapters with `part` in their titles: how many of them are wrong.
fn walk(part: &str) -> Result<usize, Box<dyn Error>> {
    let page = fs::read_to_string(root().join("CONTRIBUTING.md"))?;
    let mut wrong = 0;
    for chapter in chapters(&page).filter(|it| it.title.contains(part)) {
        let title = chapter.title;
        match chapter.follow(&Copy::new("walks")?) {
            Ok(()) => println!("{title}: as the page says"),
            Err(error) => {
                println!("{title}: {error}");
                wrong += 1;
            }
        }
    }
    Ok(wrong)
}

fn chapters(page: &str) -> impl Iterator<Item = Chapter<'_>> {
    let mut chapters: Vec<Chapter<'_>> = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(title) = line.strip_prefix('#') {
            let title = title.trim_start_matches('#').trim();
            let blocks = Vec::new();
            chapters.push(Chapter { title, blocks });
        }
        let Some((indent, info)) = line.split_once("```") else {
            continue;
        };
        let place = info.split_once(' ').map_or("", |(_, place)| place);
        let inside = lines.by_ref().map(|(_, line)| line);
        let inside = inside.take_while(|line| line.trim() != "```");
        let lines = inside.map(|line| line.strip_prefix(indent).unwrap_or(line));
        let block = Block {
            line: number + 1,
            place,
            lines: lines.collect(),
        };
        if let Some(chapter) = chapters.last_mut().filter(|_| !place.is_empty()) {
            chapter.blocks.push(block);
        }
    }
    chapters.into_iter().filter(|it| !it.blocks.is_empty())
}

impl Chapter<'_> {
    fn follow(&self, copy: &Copy) -> Result<(), String> {
        for block in &self.blocks {
            let done = block.follow(copy);
            done.map_err(|error| format!("line {}: {error}", block.line))?;
        }
        compare(&[], &faults(copy)?).map_err(|error| format!("in the end: {error}"))
    }
}

impl Block<'_> {
    fn follow(&self, copy: &Copy) -> Result<(), String> {
        match self.place.split_once(' ').unwrap_or((self.place, "")) {
            ("errors", "") => compare(&self.lines, &faults(copy)?),
            ("errors", pattern) => {
                let mut all = Vec::new();
                loop {
                    let found = faults(copy)?;
                    if found.is_empty() {
                        return compare(&self.lines, &all);
                    }
                    // From below, as lines move.
                    for ((_, file), line) in found.iter().rev() {
                        let arm = |text: &str| add_arm(text, *line, pattern);
                        change(copy, file, arm)?;
                    }
                    all.extend(found);
                }
            }
            (file, "") => {
                let text = self.lines.join("\n") + "\n";
                fs::write(copy.sources.join(file), text).map_err(|error| format!("{file}: {error}"))
            }
            (file, "end") => {
                let own = self.lines.join("\n");
                change(copy, file, |text| Ok(format!("{text}\n{own}\n")))
            }
            (file, place) => change(copy, file, |text| self.insert(text, place)),
        }
    }

    /// The text with the block behind a line.
    fn insert(&self, text: &str, place: &str) -> Result<String, String> {
        let start = place
            .strip_prefix("after ")
            .ok_or("it is not said after what")?;
        let mut places = text
            .lines()
            .enumerate()
            .filter(|(_, line)| line.trim_start().starts_with(start));
        let (Some((at, before)), None) = (places.next(), places.next()) else {
            return Err(format!("not one line begins with `{start}`"));
        };
        let indent = &before[..before.len() - before.trim_start().len()];
        let own = self.lines.iter().map(|line| format!("{indent}{line}"));
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.splice(at + 1..at + 1, own);
        Ok(lines.join("\n") + "\n")
    }
}

/// Changes a file of the copy.
fn change(
    copy: &Copy,
    file: &str,
    with: impl FnOnce(&str) -> Result<String, String>,
) -> Result<(), String> {
    let path = copy.sources.join(file);
    let named = |error: String| format!("{file}: {error}");
    let text = fs::read_to_string(&path).map_err(|error| named(error.to_string()))?;
    let text = with(&text).map_err(named)?;
    fs::write(&path, text).map_err(|error| named(error.to_string()))
}

/// The text with an arm that panics in the match on a line.
fn add_arm(text: &str, line: usize, pattern: &str) -> Result<String, String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let head = lines[line - 1..].iter().position(|it| it.ends_with('{'));
    let head = head.ok_or("the match has no arms")?;
    let arm = format!("{pattern} => todo!(),");
    lines.insert(line + head, &arm);
    Ok(lines.join("\n") + "\n")
}

/// All errors of the crates that can be checked now, in the order of files and lines.
fn faults(copy: &Copy) -> Result<Faults, String> {
    let words = ["check", "--workspace", "--all-targets", "--locked"];
    let mut cargo = copy.cargo(&words, "--keep-going --color never");
    let output = cargo.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stderr);
    let mut faults: BTreeMap<_, String> = BTreeMap::new();
    let mut message = None;
    for line in text.lines() {
        if line.starts_with("error") {
            message = Some(line);
        }
        let Some((_, place)) = line.split_once("--> ") else {
            continue;
        };
        let mut place = place.split(':');
        let (file, line) = (place.next(), place.next().and_then(|it| it.parse().ok()));
        if let (Some(message), Some(file), Some(line)) = (message.take(), file, line) {
            // Tests of a crate may be told of a longer path.
            let first = faults.entry((file.to_owned(), line));
            let first = first.or_insert_with(|| message.to_owned());
            if message < &**first {
                message.clone_into(first);
            }
        }
    }
    if faults.is_empty() && !output.status.success() {
        return Err(text.into_owned());
    }
    let faults = faults.into_iter();
    Ok(faults
        .map(|((file, line), message)| ((message, file), line))
        .collect())
}

/// Compares messages of the page with those of the compiler.
fn compare(page: &[&str], found: &Faults) -> Result<(), String> {
    let mut said = Vec::new();
    let mut message = "";
    for line in page {
        match line.trim_start().strip_prefix("--> ") {
            Some(place) => {
                let file = place.split([' ', ':']).next().unwrap_or_default();
                said.push((message.to_owned(), file.to_owned()));
            }
            None => message = line,
        }
    }
    let mut found: Vec<Fault> = found.iter().map(|(fault, _)| fault.clone()).collect();
    said.sort();
    found.sort();
    if said == found {
        return Ok(());
    }
    let list = |faults: &[Fault]| {
        let lines = faults
            .iter()
            .map(|(message, file)| format!("  {message}\n    --> {file}\n"));
        lines.collect::<String>()
    };
    Err(format!(
        "the page says\n{}and the compiler\n{}",
        list(&said),
        list(&found)
    ))
}
