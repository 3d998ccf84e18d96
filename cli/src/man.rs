//! `attila man`: help as manual pages.

use std::io::{self, Write};
use std::process::ExitCode;

use attila_shader::isa::nearest;
use clap::error::ErrorKind;
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::Cli;
use crate::error::CliError;

/// Print the manual page of `attila` or of a command
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila man | man -l -                   read it
  attila man render > attila-render.1     save the page of a command")]
pub(crate) struct Args {
    /// The command [default: `attila` itself]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let mut cli = Cli::command();
    // Commands have their full names from now on.
    cli.build();
    let page = match &args.command {
        Some(name) => find(&mut cli, name)?,
        None => cli,
    };
    let mut text = Vec::new();
    let version = concat!("attila ", env!("CARGO_PKG_VERSION"));
    Man::new(page).source(version).render(&mut text)?;
    io::stdout().write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn find(cli: &mut Command, name: &str) -> Result<Command, CliError> {
    if let Some(command) = cli.find_subcommand(name) {
        return Ok(command.clone());
    }
    let names = cli.get_subcommands().map(Command::get_name);
    let help = match nearest(name, names) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    };
    let message = format!("there is no command `{name}`{help}");
    Err(CliError::Usage(cli.error(ErrorKind::InvalidValue, message)))
}
