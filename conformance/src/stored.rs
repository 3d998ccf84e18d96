//! Cases as files: every difference that was ever found is one, and is run from then on.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::arb::ArbCase;
use super::case::Case;
use super::draws;
use super::fuzz::compare_all;
use super::oracle::run;
use super::report::report;
use attila_shader::Engine;

/// Writes `case` to `NNNN-name.attila` in `folder`, with the next free number; `note`, its first
/// line, says what was wrong.
///
/// # Errors
///
/// The folder cannot be read or written.
pub fn store(folder: &Path, case: &Case, name: &str, note: &str) -> io::Result<PathBuf> {
    store_text(folder, &case.to_text(note), &format!("{name}.attila"))
}

/// The same for a case of any kind, as a text that [`check_text`] takes, to `NNNN-name`.
///
/// # Errors
///
/// As [`store`].
pub fn store_text(folder: &Path, text: &str, name: &str) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let mut next = 1;
    for entry in fs::read_dir(folder)? {
        let file = entry?.file_name();
        let number = file.to_str().and_then(|f| f.get(..4)?.parse::<u32>().ok());
        next = next.max(number.map_or(0, |n| n + 1));
    }
    let path = folder.join(format!("{next:04}-{name}"));
    fs::write(&path, text)?;
    Ok(path)
}

/// Runs a case given as a text: all engines must agree, and all must do what its `expect` lines say.
///
/// # Errors
///
/// What is wrong, for people to read.
pub fn check_text(text: &str, engines: &[Engine]) -> Result<(), String> {
    if !text.starts_with("; ") {
        return Err("the first line does not say what was wrong".to_owned());
    }
    if let Some(case) = ArbCase::from_text(text) {
        return case.check(engines).map_err(|fault| fault.to_string());
    }
    if draws::is_draw(text) {
        return draws::check_text(text, engines);
    }
    let (case, directives) = Case::from_text(text).map_err(|error| error.to_string())?;
    compare_all(&case, engines).map_err(|divergence| report(&divergence))?;
    if directives.expectations.is_empty() {
        return Ok(());
    }
    for engine in engines {
        let name = engine.name();
        let quads = run(&case, engine).map_err(|error| format!("{name}: {error}"))?;
        let unmet = directives.unmet(&quads);
        if !unmet.is_empty() {
            return Err(format!("{name}:\n{}", unmet.join("\n")));
        }
    }
    Ok(())
}
