//! Files that a command takes many of: those that are named, and those in folders that are.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use attila_scene::source::name_of;

use crate::error::CliError;

/// A file.
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// Whether the file is named, not only its folder.
    pub(crate) is_named: bool,
}

/// The files that are named, and those in folders that `is_wanted` accepts, in the order of their names.
pub(crate) fn found(
    named: &[PathBuf],
    is_wanted: impl Fn(&Path) -> bool,
) -> Result<Vec<Found>, CliError> {
    let mut files = Vec::new();
    for path in named {
        if path.is_dir() {
            add_folder(path, &is_wanted, &mut files).map_err(|source| CliError::Read {
                name: name_of(path),
                source,
            })?;
        } else {
            files.push(Found {
                path: path.clone(),
                is_named: true,
            });
        }
    }
    Ok(files)
}

fn add_folder(
    folder: &Path,
    is_wanted: &impl Fn(&Path) -> bool,
    files: &mut Vec<Found>,
) -> io::Result<()> {
    let entries: io::Result<Vec<_>> = fs::read_dir(folder)?.collect();
    let mut entries = entries?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        let path = entry.path();
        // Links to folders are left out, as they may go round in circles.
        if entry.file_type()?.is_dir() {
            add_folder(&path, is_wanted, files)?;
        } else if !is_hidden && path.is_file() && is_wanted(&path) {
            files.push(Found {
                path,
                is_named: false,
            });
        }
    }
    Ok(())
}

/// The error about folders in which nothing is what a command takes.
pub(crate) fn none(what: &'static str, named: &[PathBuf]) -> CliError {
    let names: Vec<String> = named.iter().map(|path| name_of(path)).collect();
    let names = names.join(", ");
    CliError::NoFiles { what, names }
}
