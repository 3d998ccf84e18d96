//! `attila dap`: the Debug Adapter Protocol, by which editors step through recordings.
//!
//! ```text
//! stdin ─► wire ─► protocol ─► Session ─┬─► launch: options of `attila debug` ─► Debugger
//! stdout ◄─ wire ◄──────────────────────┤   stops: breakpoints of every kind
//!                                       │   lanes: steps, places, disassembly of a lane
//!                                       └─► variables: registers, values, cones
//! ```
//!
//! Lanes are threads. All stand at the same step of the recording: a lane that does not execute it waits for the one that
//! it executes next.

mod lanes;
mod launch;
mod protocol;
mod session;
mod stops;
#[cfg(test)]
mod tests;
mod variables;

use std::io;
use std::process::ExitCode;

use crate::error::CliError;
use crate::wire::{self, WireError};
use session::Session;

/// Step through a program in an editor, by the Debug Adapter Protocol
///
/// Editors start it, and speak with it on standard input and output. `launch` takes `program`, `pixel` as `[X, Y]` or `quad`, `stopOnEntry`, and in `args` more options of
/// `attila debug`. docs/editors.md says how editors are told.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila dap     in the settings of an editor, as the command of its debug adapter")]
pub(crate) struct Args;

pub(crate) fn run(_: &Args) -> Result<ExitCode, CliError> {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut session = Session::default();
    loop {
        let answers = match wire::read(&mut input) {
            Ok(None) => break,
            Ok(Some(body)) => match serde_json::from_slice(&body) {
                Ok(message) => session.answer(message),
                Err(error) => vec![session.complaint(&format!("this is not JSON: {error}"))],
            },
            Err(error @ WireError::TooLong(_)) => vec![session.complaint(&error.to_string())],
            Err(error) => return Err(error.into()),
        };
        answers
            .iter()
            .try_for_each(|answer| wire::write(&mut output, answer))?;
        if session.is_over() {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}
