//! `attila dis`: words to assembly.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use attila_scene::source::{Contents, Sources};
use attila_shader::front::agal;

use crate::error::CliError;
use crate::input::{FormArgs, other_form, refuse_assembly};
use crate::report::Reporter;

/// Disassemble a binary or hexadecimal words
///
/// Without --indices and --words, the output assembles to the same program.
///
/// Hexadecimal words are one instruction per line: two words of 16 digits, the lower half first. The
/// rest of the line is ignored, unless it is hints, which --long prints. A run of 32 digits per instruction is read
/// as bytes in memory order.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila dis shader.bin
  attila dis --labels --words shader.bin
  attila dis --long shader.attila          assembly, with queries in their long spelling
  echo 000000f139c00016 001b001b00011b01 | attila dis -")]
pub(crate) struct Args {
    /// The raw binary or hexadecimal words, with --long also assembly; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    form: FormArgs,
    /// Show jump targets as labels instead of distances
    #[arg(short, long)]
    labels: bool,
    /// Show the canonical words before the instructions
    #[arg(short, long)]
    words: bool,
    /// Show queries for samples in their long spelling with their hints, as in `PIXLD.COVMASK R0 &wr1;`
    #[arg(long)]
    long: bool,
    /// Number the instructions
    #[arg(short, long)]
    indices: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let reporter = Reporter::new();
    // A file with programs in other languages is refused, however many it has.
    let sources = Sources::read(&args.file, args.form.form(), &reporter)?;
    let mut source = sources.first();
    if let Contents::Agal(bytes) = &source.contents {
        let program = agal::decode(bytes, &agal::Options::default());
        // Mistakes are reported as everywhere.
        let Ok(program) = program else {
            source.parse(&reporter)?;
            return Err(CliError::Reported);
        };
        write!(io::stdout(), "{}", agal::disassemble(&program))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Contents::Source(section, _) = &source.contents {
        let noun = section.language.noun;
        return Err(other_form(
            &source,
            noun,
            "translate",
            "shows it as assembly",
        ));
    }
    let is_respelt = args.long && matches!(source.contents, Contents::Assembly(_));
    if !is_respelt {
        refuse_assembly(&source, "assembly", &reporter)?;
    }
    if let Contents::Assembly(text) = &source.contents
        && !is_respelt
    {
        // Other text shows best what is wrong with it when it is read as words.
        source.contents = Contents::Hex(text.clone());
    }
    let program = source.parse(&reporter)?;
    let mut listing = program.listing();
    if args.labels {
        listing = listing.with_labels();
    }
    if args.words {
        listing = listing.with_words();
    }
    if args.long {
        listing = listing.with_long_queries();
    }
    if args.indices {
        listing = listing.with_indices();
    }
    writeln!(io::stdout(), "{}", listing.to_string().trim_end())?;
    Ok(ExitCode::SUCCESS)
}
