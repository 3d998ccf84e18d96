//! `attila lsp`: the Language Server Protocol over standard input and output.
//!
//! ```text
//! standard input ─► wire ─► Server ─┬─► files: open texts, each a Document of attila-language
//!                                   └─► answers: a Document's, in the protocol's types ─► standard output
//! ```

mod answers;
mod convert;
mod cost;
mod files;
mod server;
#[cfg(test)]
mod tests;

use std::io;
use std::process::ExitCode;

use crate::error::CliError;
use server::Server;

/// Answer an editor's questions about programs
///
/// Speaks the Language Server Protocol over standard input and output: errors and warnings with fixes, explanations,
/// completion, names, renaming, folding, hints and formatting, for assembly, ARB, TGSI, AGAL and CTM programs. An editor
/// starts it; `docs/editors.md` says how.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila lsp   started by an editor")]
pub(crate) struct Args {
    /// Accepted and ignored, as editors pass it: there is no other way
    #[arg(long, hide = true)]
    stdio: bool,
}

pub(crate) fn run(_: &Args) -> Result<ExitCode, CliError> {
    let ended = Server::new().run(&mut io::stdin().lock(), &mut io::stdout().lock());
    Ok(ended?)
}
