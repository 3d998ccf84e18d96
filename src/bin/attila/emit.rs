//! `attila emit`: what the JIT makes of a program.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use attila_shader::{Bindings, EmitStage, Jit, JitOptions};
use clap::ValueEnum;

use crate::error::CliError;
use crate::input::{FormArgs, ProgramArgs};
use crate::report::Reporter;
use crate::scene::Scene;
use crate::textures::TextureSetting;

/// Show what the JIT makes of a program
///
/// The program is compiled for shading, as `attila render` has it compiled: it samples the textures of
/// its `;! texture` directives and options, and patterns at units 0 to 5, by itself as far as it can,
/// and calls for others.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila emit shader.attila
  attila emit shader.attila --texture t0=wall.png,nearest,wrap=mirror
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
    /// The code is for this texture at a unit, written as for `attila render`; may be given many times
    #[arg(long, value_name = "tN=FILE[,OPTIONS]")]
    texture: Vec<TextureSetting>,
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
    let reporter = Reporter::new();
    let loaded = program.load(&reporter)?;
    let scene = Scene::new(&reporter, &loaded, &args.texture)?;
    let textures = scene.units.load(loaded.program.usage().textures)?;
    let bindings = Bindings::new().with_textures(&textures);
    let options = JitOptions {
        target: args.target.clone(),
        ..JitOptions::default()
    };
    let text = Jit::with_options(&options)
        .and_then(|jit| jit.emit_text_bound(&loaded.program, &bindings, args.stage.into()))
        .map_err(|source| CliError::Prepare {
            engine: "jit",
            source,
        })?;
    writeln!(io::stdout(), "{}", text.trim_end())?;
    Ok(ExitCode::SUCCESS)
}
