//! Commands from a file.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use attila_scene::source;

use crate::error::CliError;
use crate::report::Reporter;
use attila_debugger::Debugger;

/// Does what the lines of a file say, each printed before its answer, up to the first that cannot be done.
pub(super) fn run(
    path: &Path,
    debugger: &mut Debugger,
    reporter: &Reporter,
) -> Result<ExitCode, CliError> {
    let text = source::read_text(path, reporter)?;
    let mut out = io::stdout().lock();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let command = line.trim();
        if !command.is_empty() && !command.starts_with('#') {
            writeln!(out, "> {command}")?;
        }
        match attila_debugger::execute(debugger, command) {
            Ok(lines) => lines.iter().try_for_each(|line| writeln!(out, "{line}"))?,
            Err(message) => {
                out.flush()?;
                let end = start + line.trim_end().len();
                let name = source::name_of(path);
                return Err(reporter.text_error(&name, &text, &message, start..end));
            }
        }
        start += line.len();
    }
    Ok(ExitCode::SUCCESS)
}
