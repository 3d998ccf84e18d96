//! Programs that other people wrote to find out what a parser takes.

use std::fs;
use std::path::Path;

use attila_shader::front::arb::{self, Profile};
use serde_json::Value;

/// A file of an index: its text, whether it is a program, and why it does not count.
struct Entry {
    name: String,
    text: String,
    must_fail: bool,
    skipped: bool,
}

/// The files that the index of `folder` lists; none where there is no such folder.
fn entries(folder: &str) -> Vec<Entry> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/corpora")
        .join(folder);
    let Ok(index) = fs::read_to_string(folder.join("index.json")) else {
        println!("{} is not there: skipped", folder.display());
        return Vec::new();
    };
    let index: Value = serde_json::from_str(&index).expect("the index is JSON");
    let files = index["files"].as_array().expect("it lists files");
    let entry = |file: &Value| {
        let name = file["file"].as_str().expect("a file has a name");
        Entry {
            name: name.to_owned(),
            text: fs::read_to_string(folder.join(name)).expect("a listed file is there"),
            must_fail: file["must_fail"].as_bool().unwrap_or(false),
            skipped: file["skip"].is_string(),
        }
    };
    files.iter().map(entry).collect()
}

/// Compares every file's verdict, with both kinds of line ends.
fn check(folder: &str) {
    let entries = entries(folder);
    let counted: Vec<_> = entries.iter().filter(|entry| !entry.skipped).collect();
    let mut wrong = Vec::new();
    for entry in &counted {
        let unix = entry.text.replace("\r\n", "\n");
        for text in [unix.replace('\n', "\r\n"), unix] {
            let result = arb::parse(&text, &Profile::default());
            if let Err(error) = &result {
                assert!(error.position() <= text.len());
            }
            if result.is_err() != entry.must_fail {
                let found = result.map_or_else(|error| error.to_string(), |_| String::new());
                let wanted = if entry.must_fail { "refused" } else { "taken" };
                wrong.push(format!("{} is to be {wanted}: {found}", entry.name));
            }
        }
    }
    let skipped = entries.len() - counted.len();
    println!("{folder}: {} files, {skipped} skipped", counted.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_parser_set_agrees_where_no_vendor_option_is_needed() {
    check("piglit/asmparser");
}

#[test]
fn the_demos_are_programs() {
    check("arb/mesa-demos");
    check("attila");
}

/// The programs of a test with several sections.
fn sections(text: &str) -> Vec<String> {
    let mut programs = Vec::new();
    let mut current: Option<String> = None;
    for line in text.split_inclusive('\n') {
        if line.starts_with('[') {
            programs.extend(current.take());
            if line.trim_end().ends_with("program]") {
                current = Some(String::new());
            }
        } else if let Some(program) = &mut current {
            program.push_str(line);
        }
    }
    programs.extend(current);
    programs
}

#[test]
fn the_programs_of_shader_tests_are_programs() {
    let entries = entries("piglit/shader_tests");
    let mut count = 0;
    for entry in &entries {
        for program in sections(&entry.text) {
            let result = arb::parse(&program, &Profile::default());
            let message = result.err().map(|error| error.to_string());
            assert_eq!(message, None, "{}", entry.name);
            count += 1;
        }
    }
    println!("{} files, {count} programs", entries.len());
    assert!(count >= entries.len(), "every file has a vertex program");
}
