//! `attila completions`: what a shell completes.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::Cli;
use crate::error::CliError;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila completions bash > ~/.local/share/bash-completion/completions/attila
  attila completions zsh > ~/.zfunc/_attila
  attila completions fish > ~/.config/fish/completions/attila.fish")]
pub(crate) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "attila", &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
