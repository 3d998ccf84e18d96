//! `attila emit`: what the JIT makes of a program.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use attila_shader::{EmitStage, Jit, JitOptions};
use clap::ValueEnum;

use crate::error::CliError;
use crate::input::{FormArgs, ProgramArgs};
use crate::report::Reporter;

/// Show what the JIT makes of a program
///
/// The program is compiled for shading, as `attila render` has it compiled.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila emit shader.attila
  attila emit --stage asm --target aarch64-unknown-linux-gnu shader.attila")]
pub(crate) struct Args {
    /// The program: assembly text, hexadecimal words or a raw binary; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    form: FormArgs,
    /// How far the program is on its way
    #[arg(long, value_enum, default_value_t = StageArg::Ir)]
    stage: StageArg,
    /// The machine that the code is for, as a target triple [default: this one]
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
}

/// [`EmitStage`] as an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum StageArg {
    /// Lane IR: one value per 32-bit component in all lanes, optimized
    Ir,
    /// Cranelift's input
    Clif,
    /// The machine's instructions
    Asm,
}

impl From<StageArg> for EmitStage {
    fn from(stage: StageArg) -> EmitStage {
        match stage {
            StageArg::Ir => EmitStage::Ir,
            StageArg::Clif => EmitStage::Clif,
            StageArg::Asm => EmitStage::Asm,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let program = ProgramArgs::new(args.file.clone(), args.form);
    let loaded = program.load(&Reporter::new())?;
    let options = JitOptions {
        target: args.target.clone(),
        ..JitOptions::default()
    };
    let text = Jit::with_options(&options)
        .and_then(|jit| jit.emit_text(&loaded.program, args.stage.into()))
        .map_err(|source| CliError::Prepare {
            engine: "jit",
            source,
        })?;
    writeln!(io::stdout(), "{}", text.trim_end())?;
    Ok(ExitCode::SUCCESS)
}
