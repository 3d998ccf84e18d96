//! `attila explain`: codes of messages, explained.

use std::io::{self, Write};
use std::process::ExitCode;

use attila_conformance::columns::Columns;
use attila_shader::isa::Code;
use attila_shader::isa::code::{program, text};

use crate::error::CliError;

/// List the codes of messages, or explain one
///
/// `attila check` prints them with its messages: T for texts, V for findings of validation, D for directives and textures,
/// F for files. A code keeps its meaning. Errors that concern options have none.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila explain
  attila explain V12")]
pub(crate) struct Args {
    /// The code
    #[arg(value_name = "CODE", value_parser = find)]
    code: Option<&'static Code>,
}

/// All codes.
fn all() -> impl Iterator<Item = &'static Code> {
    let lists = [text::ALL, program::ALL, attila_scene::code::ALL];
    lists.into_iter().flatten().copied()
}

fn find(name: &str) -> Result<&'static Code, String> {
    let found = all().find(|code| code.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| "there is no such code; `attila explain` lists them".to_owned())
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let mut out = io::stdout().lock();
    match args.code {
        Some(code) => out.write_all(explanation(code).as_bytes())?,
        None => {
            let rows = all().map(|code| vec![code.name.to_owned(), code.title.to_owned()]);
            let columns = Columns::default().left(3).left(0);
            out.write_all(columns.table(&rows.collect::<Vec<_>>()).as_bytes())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn explanation(code: &Code) -> String {
    let example = code.example.lines().map(|line| format!("  {line}\n"));
    let example: String = example.collect();
    format!(
        "{}: {}\n\n{}\n\nExample:\n{example}",
        code.name, code.title, code.text
    )
}
