//! Texts of other people. All are read, except those that are not supported.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::super::{Dialect, Options, compile, parse};

/// A text, and the dialect that its file names.
struct Text {
    name: String,
    text: String,
    dialect: Option<Dialect>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora/tgsi")
}

/// The files of a folder with an ending, in their order.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let has_ending = |path: &PathBuf| path.extension().is_some_and(|it| it == ending);
    let mut paths: Vec<PathBuf> = paths.filter(has_ending).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    let name = path.file_name().expect("it is a file");
    name.to_string_lossy().into_owned()
}

/// The texts of a case: its sections whose names begin with `tgsi`. Cases are of T23 unless they say
/// otherwise.
fn sections(path: &Path) -> Vec<Text> {
    let case = fs::read_to_string(path).expect("it is text");
    let mut dialect = Dialect::T23;
    let mut texts: Vec<Text> = Vec::new();
    let mut is_text = false;
    for line in case.lines() {
        if let Some(word) = line.strip_prefix("# dialect ") {
            dialect = Dialect::find(word.trim()).expect("it is a dialect");
        }
        if let Some(section) = line.strip_prefix('[') {
            is_text = section.starts_with("tgsi ");
            if is_text {
                texts.push(Text {
                    name: format!("{} [{section}", name(path)),
                    text: String::new(),
                    dialect: Some(dialect),
                });
            }
        } else if let (true, Some(text)) = (is_text, texts.last_mut()) {
            text.text.push_str(line);
            text.text.push('\n');
        }
    }
    texts
}

fn whole(path: &Path) -> Text {
    Text {
        name: name(path),
        text: fs::read_to_string(path).expect("it is text"),
        dialect: None,
    }
}

/// The number of texts that are read without a warning, and the messages on the others.
fn read(texts: &[Text]) -> (usize, Vec<String>) {
    let (mut count, mut messages) = (0, Vec::new());
    for Text {
        name,
        text,
        dialect,
    } in texts
    {
        let options = Options {
            dialect: *dialect,
            ..Options::default()
        };
        let list = match parse(text, &options) {
            Ok(program) => program.warnings,
            Err(error) => error.diagnostics,
        };
        if list.is_empty() {
            count += 1;
        } else {
            let list: Vec<String> = list.iter().map(|it| it.to_string()).collect();
            messages.push(format!("{name}\n{}", list.join("\n")));
        }
    }
    (count, messages)
}

#[test]
#[ignore = "needs ../shared/corpora/tgsi"]
fn all_texts_of_cases_are_read_but_those_with_shared_memory() {
    let cases = files(&folder().join("cases"), "tgsi_test");
    let texts: Vec<Text> = cases.iter().flat_map(|path| sections(path)).collect();
    let (count, messages) = read(&texts);
    let needs = |message: &String| message.contains("`MEMORY` is not supported");
    assert!(messages.iter().all(needs), "{}", messages.join("\n"));
    assert_eq!((count, messages.len()), (1418, 3));
}

#[test]
#[ignore = "needs ../shared/corpora/tgsi"]
fn all_texts_of_graw_and_of_the_benchmark_are_read() {
    for (part, expected) in [("graw/fragment", 15), ("graw/vertex", 14), ("bench", 11)] {
        let paths = files(&folder().join(part), "tgsi");
        let texts: Vec<Text> = paths.iter().map(|path| whole(path)).collect();
        let (count, messages) = read(&texts);
        assert_eq!((count, messages), (expected, Vec::new()), "{part}");
    }
}

/// The texts of all folders.
fn all() -> Vec<Text> {
    let cases = files(&folder().join("cases"), "tgsi_test");
    let cases = cases.iter().flat_map(|path| sections(path));
    let folders = ["graw/fragment", "graw/vertex", "bench"].into_iter();
    let files = folders.flat_map(|part| files(&folder().join(part), "tgsi"));
    cases.chain(files.map(|path| whole(&path))).collect()
}

#[test]
#[ignore = "needs ../shared/corpora/tgsi"]
#[expect(clippy::print_stdout, reason = "tests say what they counted")]
fn texts_are_translated_unless_something_is_missing() {
    let (mut translated, mut refused) = (0, BTreeMap::<String, usize>::new());
    for Text {
        name,
        text,
        dialect,
    } in all()
    {
        let options = Options {
            dialect,
            ..Options::default()
        };
        match compile(&text, &options) {
            Ok(translation) => {
                let program = translation.program.validate();
                program.unwrap_or_else(|error| panic!("{name}: {error}"));
                translated += 1;
            }
            Err(error) => {
                let message = error.diagnostics[0].message.clone();
                let missing = message.contains("not supported");
                assert!(missing, "{name}: {message}\n{text}");
                *refused.entry(message).or_default() += 1;
            }
        }
    }
    println!("{translated} translated");
    let mut reasons = BTreeMap::<&str, usize>::new();
    for (message, count) in &refused {
        println!("{count:5} {message}");
        let (_, reason) = message.split_once(": ").expect("it has a reason");
        *reasons.entry(reason).or_default() += count;
    }
    println!("{reasons:#?}");
    let count: usize = refused.values().sum();
    assert_eq!((translated, count), (1458, 3));
}
