//! Known results: every file in `tests/cases/` is a program with its start and its expectations, and meets them on every
//! engine. A folder is a section of the opcode table. Operands, masks and guards have files in `vector`
//! (machine.md 2), lanes that diverge and meet again in `flow` (machine.md 3.2), the accumulator in `fixed`
//! (numerics.md 9).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use attila_conformance::census::{Census, is_narrow};
use attila_conformance::check_text;
use attila_shader::Engine;
use attila_shader::isa::{OpFlags, Opcode};

use crate::common::{case, check};

/// A file.
struct File {
    /// The name of its folder.
    section: String,
    path: PathBuf,
    text: String,
}

/// The entries of a folder, sorted.
fn list(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is part of the source");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut paths: Vec<PathBuf> = paths.collect();
    paths.sort_unstable();
    paths
}

fn files() -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let folders = list(&folder).into_iter();
    let files = folders.flat_map(|folder| {
        let section = folder.file_name().expect("it has a name");
        let section = section.to_str().expect("it is text").to_owned();
        let files = list(&folder).into_iter();
        files.map(move |path| File {
            section: section.clone(),
            text: fs::read_to_string(&path).expect("the file can be read"),
            path,
        })
    });
    files.collect()
}

/// The texts of all files.
pub(crate) fn texts() -> impl Iterator<Item = String> {
    files().into_iter().map(|file| file.text)
}

/// The name of the folder for an opcode.
fn section(op: Opcode) -> String {
    let section = format!("{:?}", op.section());
    let name = section.split('(').next().unwrap_or_default();
    name.to_lowercase()
}

/// The rows of the table without a file in the section's folder, as `vector/mov`.
fn missing(files: &[File]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    for file in files {
        let (case, _) = case(&file.text);
        let ops = case.insts().iter().map(|inst| inst.op);
        seen.extend(ops.map(|op| format!("{}/{}", file.section, op.info().mnemonic)));
    }
    let rows = Opcode::ALL.iter();
    let rows = rows.map(|op| format!("{}/{}", section(*op), op.info().mnemonic));
    rows.filter(|row| !seen.contains(row)).collect()
}

/// Wide code runs every instruction but those that [keep](is_narrow) 128 bits, and those that ask texture units of which
/// nothing is known.
#[test]
fn the_cases_reach_wide_code() {
    let widest = Engine::all().pop().expect("there is the interpreter");
    let Some(kind) = widest.code_kind().filter(|kind| kind.is_wide()) else {
        return;
    };
    let census = Census::default();
    let engines = [census.watch(&widest)];
    for text in texts() {
        // The other test says which results are right.
        let _ = check_text(&text, &engines);
    }
    let shares = census.take();
    let mut wide = shares.each().filter(|(_, name, _)| *name == kind.name());
    let (.., wide) = wide.next().expect("there is such code");
    for &op in Opcode::ALL {
        let asks = op.has(OpFlags::TEXTURE);
        let expected = !is_narrow(op) && !asks;
        assert!(
            asks || (wide.count(op) > 0) == expected,
            "{op}: {}",
            wide.count(op)
        );
    }
}

#[test]
fn every_case_has_its_results_on_every_engine() {
    let engines = Engine::all();
    for File { path, text, .. } in files() {
        let name = path.display();
        assert!(text.starts_with("; "), "{name}: the first line is no title");
        if text.contains(";! image ") {
            assert!(text.contains(";! expect "), "{name}: nothing is expected");
            check_text(&text, &engines).unwrap_or_else(|error| panic!("{name}: {error}"));
        } else {
            check(&text);
        }
    }
}

#[test]
fn every_row_of_the_table_has_a_case_in_its_section() {
    let files = files();
    assert_eq!(missing(&files), [""; 0]);
    let sections: BTreeSet<String> = Opcode::ALL.iter().map(|op| section(*op)).collect();
    for File { section, path, .. } in files {
        assert!(sections.contains(&section), "{}", path.display());
    }
}

#[test]
fn a_row_without_a_case_is_named() {
    let mut files = files();
    files.retain(|file| !file.text.contains("fxmad2") && !file.text.contains("\nlit "));
    assert_eq!(missing(&files), ["scalar/lit", "fixed/fxmad2"]);
}
