//! `attila dis`: words to assembly.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::error::CliError;
use crate::input::{Contents, FormArgs, Source};
use crate::report::Reporter;

/// Disassemble a binary or hexadecimal words
///
/// Without --indices and --words the output can be assembled again, to the same program.
///
/// Hexadecimal words are one instruction per line, its lower half first, 16 digits each; what
/// follows them on the line is ignored. A run of 32 digits per instruction is bytes in memory
/// order.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila dis shader.bin
  attila dis --labels --words shader.bin
  echo 000000f139c00016 001b001b00011b01 | attila dis -")]
pub(crate) struct Args {
    /// The raw binary or hexadecimal words; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    form: FormArgs,
    /// Name the targets of jumps instead of giving distances
    #[arg(short, long)]
    labels: bool,
    /// Show the canonical words in front of the instructions
    #[arg(short, long)]
    words: bool,
    /// Number the instructions
    #[arg(short, long)]
    indices: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let mut source = Source::read(&args.file, &args.form)?;
    // Text that does not look like words shows best what is wrong with it when read as such.
    if let Contents::Assembly(text) | Contents::Arb(text) = source.contents {
        source.contents = Contents::Hex(text);
    }
    let program = source.parse(&Reporter::new())?;
    let listing = program
        .listing()
        .labels(args.labels)
        .words(args.words)
        .indices(args.indices);
    writeln!(io::stdout(), "{}", listing.to_string().trim_end())?;
    Ok(ExitCode::SUCCESS)
}
