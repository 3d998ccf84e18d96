//! `attila translate`: an ARB, TGSI, AGAL or CTM program as assembly.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use attila_scene::listing;
use attila_scene::source::{Form, Source};

use crate::error::CliError;
use crate::input::{NumberArg, StageChoice, expect_language, refuse_assembly};
use crate::parameters::ParameterArgs;
use crate::render::Size;
use crate::report::Reporter;

/// Translate an ARB, TGSI, AGAL or CTM program to assembly
///
/// Comments in the output name the contents of registers and the resources that the text uses.
/// Directives set the constants. Other commands accept both the text and this output.
#[derive(clap::Args)]
#[command(after_help = "\
State, such as matrices and lights, has OpenGL's initial values.

Examples:
  attila translate shader.arbfp
  attila translate shader.tgsi --dialect T10
  attila translate shader.agal --strict
  attila translate shader.ctm --local 0=1,0.5,0,1
  attila translate shader.tgsi | attila asm - -o shader.bin
  attila translate shader.arbfp --local 0=1,0.5,0,1 | attila render -")]
pub(crate) struct Args {
    /// The text; `-` is standard input
    #[arg(id = "program", value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    parameters: ParameterArgs,
    #[command(flatten)]
    stage: StageChoice,
    #[command(flatten)]
    number: NumberArg,
    /// The size of the window
    #[arg(long, value_name = "WxH", default_value = "640x480")]
    size: Size,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let reporter = Reporter::new();
    let choice = args.number.of_stage(args.stage.stage);
    let source = Source::read(&args.file, Form::Detect, choice, &reporter)?;
    expect_language(&source, &reporter)?;
    refuse_assembly(&source, "assembly already", &reporter)?;
    let mut parameters = args.parameters.parameters(args.size.sides());
    parameters.agal.stage = choice.stage;
    args.parameters.warn(&source, &parameters, &reporter);
    let mut listing = source.list(&parameters, &reporter)?;
    listing.program = source.staged(listing.program, choice.stage, None, &reporter)?;
    write!(io::stdout(), "{}", listing::assembly(&listing))?;
    Ok(ExitCode::SUCCESS)
}
