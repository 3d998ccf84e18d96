//! [`Output`]: a file that is either written as a whole or left as it was.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{fmt, process};

use attila_scene::picture::PictureError;

use crate::error::CliError;

/// The names that are tried for the file beside the one to write.
const ATTEMPTS: u32 = 100;

/// Where a command writes what takes long to make.
pub(crate) struct Output {
    /// Its name in messages.
    name: String,
    place: Place,
}

enum Place {
    Stdout,
    /// A pipe or a device: it is written as it is.
    Special(PathBuf),
    /// A file, with the permissions that it has if it is there.
    File(PathBuf, Option<Permissions>),
}

impl Output {
    /// Makes sure that `path` can be written, without touching what is there. `-` is standard
    /// output.
    pub(crate) fn open(path: &Path) -> Result<Output, CliError> {
        let name = path.display().to_string();
        if name == "-" {
            let place = Place::Stdout;
            return Ok(Output { name, place });
        }
        match Place::open(path) {
            Ok(place) => Ok(Output { name, place }),
            Err(source) => Err(CliError::Write { name, source }),
        }
    }

    /// Writes all of it. If that fails, a file stays what it was.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), CliError> {
        let written = match &self.place {
            Place::Stdout => {
                let mut out = io::stdout().lock();
                out.write_all(bytes)?;
                return Ok(out.flush()?);
            }
            Place::Special(path) => File::create(path).and_then(|mut file| file.write_all(bytes)),
            Place::File(path, permissions) => replace(path, permissions.as_ref(), bytes),
        };
        written.map_err(|source| CliError::Write {
            name: self.name.clone(),
            source,
        })
    }

    /// Its path, or `-`.
    pub(crate) fn path(&self) -> &Path {
        Path::new(&self.name)
    }

    /// The error about a picture that the file cannot hold.
    pub(crate) fn refused(&self, source: PictureError) -> CliError {
        let name = self.name.clone();
        CliError::Picture { name, source }
    }

    /// Where messages go: not into what is written.
    pub(crate) fn messages(&self) -> Box<dyn Write> {
        match self.place {
            Place::Stdout => Box::new(io::stderr()),
            Place::Special(_) | Place::File(..) => Box::new(io::stdout()),
        }
    }
}

/// The words after `wrote`.
impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Stdout => f.write_str("the picture to standard output"),
            Place::Special(_) | Place::File(..) => f.write_str(&self.name),
        }
    }
}

impl Place {
    fn open(path: &Path) -> io::Result<Place> {
        let (path, permissions) = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => return Ok(Place::Special(path.to_owned())),
            Ok(found) => {
                OpenOptions::new().write(true).open(path)?;
                // A link stays one.
                (fs::canonicalize(path)?, Some(found.permissions()))
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            // A link that leads nowhere.
            Err(_) if path.is_symlink() => return Ok(Place::Special(path.to_owned())),
            Err(_) => (path.to_owned(), None),
        };
        // Nothing is left lying about while the command works, which may be interrupted.
        let (part, _) = create_beside(&path)?;
        fs::remove_file(part)?;
        Ok(Place::File(path, permissions))
    }
}

/// Writes a file beside `path`, and puts it in its place when it is complete.
fn replace(path: &Path, permissions: Option<&Permissions>, bytes: &[u8]) -> io::Result<()> {
    let (part, mut file) = create_beside(path)?;
    let written = file.write_all(bytes).and_then(|()| {
        if let Some(permissions) = permissions {
            file.set_permissions(permissions.clone())?;
        }
        drop(file);
        fs::rename(&part, path)
    });
    if written.is_err() {
        // The first failure is the one to tell of.
        let _ = fs::remove_file(&part);
    }
    written
}

/// A separate file in the folder of `path`.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut attempt = 0;
    loop {
        let name = format!(".attila-{}-{attempt}.part", process::id());
        let part = path.with_file_name(OsStr::new(&name));
        match OpenOptions::new().write(true).create_new(true).open(&part) {
            Ok(file) => return Ok((part, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < ATTEMPTS => {
                attempt += 1;
            }
            Err(error) => return Err(error),
        }
    }
}
