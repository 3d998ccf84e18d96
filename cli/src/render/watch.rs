//! Drawing again when a file changes.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, SystemTime};

use clap::error::ErrorKind;

use crate::error::CliError;
use crate::report::Reporter;

/// How long nobody looks.
const PAUSE: Duration = Duration::from_millis(100);

/// Draws, and again whenever the file changes. Mistakes in the file are reported, and do not end it; wrong usage does.
pub(super) fn run(
    file: &Path,
    draw: impl Fn() -> Result<ExitCode, CliError>,
) -> Result<ExitCode, CliError> {
    if file == Path::new("-") {
        let message = "--watch needs a file that can change; `-` is standard input";
        return Err(CliError::usage(ErrorKind::ArgumentConflict, message));
    }
    loop {
        // Changes while it is drawn count, too.
        let seen = changed(file);
        match draw() {
            Ok(_) => {}
            Err(error @ (CliError::Usage(_) | CliError::Stdout(_))) => return Err(error),
            Err(error) => Reporter::new().stopped(&error),
        }
        while changed(file) == seen {
            thread::sleep(PAUSE);
        }
    }
}

/// When a file was changed last, and its length, as clocks of files may be coarse. `None` while it is not there.
fn changed(file: &Path) -> Option<(SystemTime, u64)> {
    let found = fs::metadata(file).ok()?;
    Some((found.modified().ok()?, found.len()))
}
