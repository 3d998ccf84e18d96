//! `attila dis`: words to assembly.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use attila_shader::Program;
use attila_shader::front::agal;

use crate::error::CliError;
use crate::foreign::Shape;
use crate::input::{Contents, FormArgs, Source};
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
    let mut source = Source::read(&args.file, &args.form, &reporter)?;
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
    let is_respelt = args.long && matches!(source.contents, Contents::Assembly(_));
    if let Contents::Assembly(text) | Contents::Source(_, text) = &source.contents
        && !is_respelt
    {
        refuse_language(&source, text, &reporter)?;
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

/// Refuses texts that are in a language for people, ATTILA's or another one.
fn refuse_language(source: &Source, text: &str, reporter: &Reporter) -> Result<(), CliError> {
    let is_wrong = Program::assemble(text).is_err();
    let (form, command, does) = match source.contents {
        Contents::Source(language, _) => (language.noun, "translate", "shows it as assembly"),
        Contents::Assembly(_) | Contents::Agal(_) | Contents::Hex(_) | Contents::Binary(_) => {
            if is_wrong && let Some(error) = reporter.foreign_text(&source.name, text) {
                return Err(error);
            }
            if Shape::of_assembly(text).is_foreign() {
                return Ok(());
            }
            ("assembly", "asm", "assembles it")
        }
    };
    Err(CliError::OtherForm {
        name: source.name.clone(),
        form,
        command,
        does,
    })
}
