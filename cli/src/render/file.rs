//! Pictures as files.

use std::path::{Path, PathBuf};

use attila_scene::picture::{FileKind, Picture};
use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::error::CliError;
use crate::output::Output;

/// The parser of options that say where a picture goes.
pub(crate) fn path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| FileKind::of(&path).map(|_| path))
}

/// The kind of the file with a name that [`path`] has accepted.
pub(crate) fn kind(path: &Path) -> FileKind {
    FileKind::of(path).unwrap_or(FileKind::Png)
}

/// Writes a picture.
pub(crate) fn write(output: &Output, picture: &Picture) -> Result<(), CliError> {
    let file = picture.to_file(kind(output.path()));
    output.write(&file.map_err(|source| output.refused(source))?)
}
