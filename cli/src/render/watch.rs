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

/// Draws, and again whenever one of the files changes. Mistakes in them are reported, and do not end it; wrong usage does.
pub(super) fn run(
    files: &[&Path],
    draw: impl Fn() -> Result<ExitCode, CliError>,
) -> Result<ExitCode, CliError> {
    if files.contains(&Path::new("-")) {
        let message = "--watch needs files that can change; `-` is standard input";
        return Err(CliError::usage(ErrorKind::ArgumentConflict, message));
    }
    loop {
        // Changes while it is drawn count, too.
        let seen = changed(files);
        match draw() {
            Ok(_) => {}
            Err(error @ (CliError::Usage(_) | CliError::Stdout(_))) => return Err(error),
            Err(error) => Reporter::new().stopped(&error),
        }
        while changed(files) == seen {
            thread::sleep(PAUSE);
        }
    }
}

/// When files were changed last, and their lengths, as clocks of files may be coarse. `None` while one is not there.
fn changed(files: &[&Path]) -> Vec<Option<(SystemTime, u64)>> {
    let changed = |file: &&Path| {
        let found = fs::metadata(file).ok()?;
        Some((found.modified().ok()?, found.len()))
    };
    files.iter().map(changed).collect()
}
