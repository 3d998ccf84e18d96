//! `attila asm`: assembly to words.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use attila_scene::hex;
use attila_scene::source::{self, Form, Source};

use crate::error::CliError;
use crate::input::{NumberArg, expect_language};
use crate::report::Reporter;

/// Assemble a program into its binary form
///
/// The binary has 16 bytes per instruction. Programs of the extended profile have a header of 16
/// bytes, too. Only the text is checked; `attila check` validates the program as a whole.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila asm shader.attila -o shader.bin    write the binary
  attila asm --hex shader.attila            print the words
  echo 'mov o1, i1' | attila asm --hex -")]
pub(crate) struct Args {
    /// The text: assembly, or an ARB, TGSI, AGAL or CTM program; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The file to write the binary to; `-` is standard output
    #[arg(short, long, value_name = "FILE", required_unless_present = "hex")]
    output: Option<PathBuf>,
    /// Write hexadecimal words instead, one instruction per line
    #[arg(long)]
    hex: bool,
    #[command(flatten)]
    number: NumberArg,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let reporter = Reporter::new();
    let source = Source::read(
        &args.file,
        Form::Detect,
        args.number.of_stage(None),
        &reporter,
    )?;
    expect_language(&source, &reporter)?;
    let program = source.parse(&reporter)?;
    let bytes = if args.hex {
        hex::print(&program).into_bytes()
    } else {
        program.encode()
    };
    match args.output.as_deref() {
        Some(path) if path.as_os_str() != "-" => {
            fs::write(path, bytes).map_err(|source| CliError::Write {
                name: source::name_of(path),
                source,
            })?;
        }
        _ => io::stdout().write_all(&bytes)?,
    }
    Ok(ExitCode::SUCCESS)
}
