//! What holds for every text: those of the repository, changed ones, and those of an editor's session.

mod answers;
mod formatting;
mod random;
mod renaming;
mod vscode;

use std::fs;
use std::path::{Path, PathBuf};

use attila_language::Document;
use attila_shader::isa::Inst;

/// The texts in a folder of the repository and the folders in it, with their names.
fn texts(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![root.join(folder)];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.expect("folders are readable").path())
            .collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                texts.push((path.display().to_string(), text));
            }
        }
    }
    texts
}

/// The instructions of each program of a text; `None` where it is not a program.
fn words(document: &Document) -> Vec<Option<Vec<Inst>>> {
    let parts = document.parts().iter();
    let programs = parts.map(|part| part.program.as_ref());
    programs
        .map(|program| program.map(|it| it.program().insts().to_vec()))
        .collect()
}
