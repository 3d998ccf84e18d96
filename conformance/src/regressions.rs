//! Cases as files: every difference that was ever found is one, and is run from then on.

use std::path::{Path, PathBuf};
use std::{fs, io};

use attila_shader::Engine;

use crate::binaries::BinaryCase;
use crate::case::Case;
use crate::draws::DrawCase;
use crate::subject::{Subject, Tally};
use crate::texts::TextCase;
use crate::texts::agal::BytesCase;

/// Writes a case to the file `NNNN-name` in `folder`, with the next free number. The first line of `text` says what was
/// wrong.
///
/// # Errors
///
/// The folder cannot be read or written.
pub fn store(folder: &Path, text: &str, name: &str) -> io::Result<PathBuf> {
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
/// The fault or the unmet expectations, as text.
pub fn check_text(text: &str, engines: &[Engine]) -> Result<(), String> {
    if !text.starts_with("; ") {
        return Err("the first line does not say what was wrong".to_owned());
    }
    // Everything is a program that is not something else.
    let checked = check::<TextCase>(text, engines);
    let checked = checked.or_else(|| check::<BytesCase>(text, engines));
    let checked = checked.or_else(|| check::<BinaryCase>(text, engines));
    let checked = checked.or_else(|| check::<DrawCase>(text, engines));
    let checked = checked.or_else(|| check::<Case>(text, engines));
    checked.unwrap_or_else(|| Err("this is not a case".to_owned()))
}

/// Checks a case of one kind; `None` if the text is of another.
fn check<S: Subject>(text: &str, engines: &[Engine]) -> Option<Result<(), String>> {
    let check = |case: S| {
        let checked = case.check(engines, &mut Tally::default());
        checked.map_err(|fault| fault.report())?;
        S::check_expectations(text, engines)
    };
    Some(S::read(text)?.and_then(check))
}
