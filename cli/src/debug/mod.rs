//! `attila debug`: a quad's way through its program, step by step.
//!
//! ```text
//! options ─► subject: program, quad, history ─► Recording ─► Debugger ─┬─► script: commands in a file
//!                                                            commands  ├─► json: all of it as lines
//!                                                                      ├─► screen: keys in a terminal
//!                                                                      └─► dap: requests of an editor
//! ```

pub(crate) mod dap;
mod json;
mod screen;
mod script;
mod subject;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use attila_scene::{ByName, VaryingSetting};
use attila_shader::debug::Limits;
use clap::ArgGroup;

use crate::error::CliError;
use crate::input::{FormArgs, NumberArg};
use crate::mesh::MeshArgs;
use crate::number as bounds;
use crate::parameters::ParameterArgs;
use crate::pixel::Pixel;
use crate::render::Size;
use crate::report::Reporter;
use crate::samples::SampleArgs;
use crate::scene::TextureArgs;
use attila_debugger::Debugger;

/// Step through a program, forwards and backwards, for a pixel or a quad
///
/// The pixel is one of the picture that `attila render` draws, the quad one of `attila run`. The interpreter records the
/// run, and agrees with the JIT bit for bit. In a terminal, keys step through it; `?` shows them all. Without a terminal,
/// --script or --json says what is printed.
#[derive(clap::Args)]
#[command(
    group(ArgGroup::new("program").args(["file", "fragment"]).required(true)),
    after_help = attila_debugger::HELP
)]
pub(crate) struct Args {
    /// The program: assembly, an ARB, TGSI, AGAL or CTM program, hexadecimal words or a raw binary
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    form: FormArgs,
    #[command(flatten)]
    number: NumberArg,
    /// The pixel whose quad is looked at, by its column and row [default: the one in the middle]
    #[arg(long, value_name = "X,Y", conflicts_with = "quad")]
    pixel: Option<Pixel>,
    /// Look at a quad of registers instead, as `attila run` has them, by its number
    #[arg(long, value_name = "N", conflicts_with = "vertex")]
    quad: Option<usize>,
    /// Look at the vertex program of a mesh, for the vertices of its Nth triangle, from 0; with --pixel, at the fragment
    /// of that triangle there
    #[arg(long, value_name = "N", requires = "mesh")]
    triangle: Option<u32>,
    /// The file is a case that `attila fuzz` has stored: look at a pixel of its draw, or at its first quad
    #[arg(long, conflicts_with_all = ["quad", "set", "varying", "size", "vertex"])]
    case: bool,
    /// The frame of the case, from 0
    #[arg(long, value_name = "N", default_value_t = 0, requires = "case")]
    frame: usize,
    /// Preset a register as `attila render` does, or as `attila run` does with --quad; may be repeated
    #[arg(
        short,
        long,
        value_name = "REG=VALUES",
        visible_aliases = ["input", "const"],
        allow_hyphen_values = true
    )]
    set: Vec<String>,
    /// Preset registers from a JSON file, as `attila run` does
    #[arg(long, value_name = "FILE", requires = "quad")]
    state: Option<PathBuf>,
    /// Set an input that varies over the picture, such as `i6` or `fragment.texcoord[0]`; may be repeated
    #[arg(
        long,
        value_name = "REG=SUMS",
        allow_hyphen_values = true,
        conflicts_with = "quad"
    )]
    varying: Vec<ByName<VaryingSetting>>,
    #[command(flatten)]
    textures: TextureArgs,
    #[command(flatten)]
    parameters: ParameterArgs,
    #[command(flatten)]
    mesh: MeshArgs,
    #[command(flatten)]
    samples: SampleArgs,
    /// The size of the picture [default: 640x480]
    #[arg(long, value_name = "WxH")]
    size: Option<Size>,
    /// The limit of backward jumps per lane
    #[arg(long, value_name = "N", value_parser = bounds::within::<u32>(0, u32::MAX.into()), allow_negative_numbers = true)]
    budget: Option<u32>,
    /// The limit of recorded steps
    #[arg(long, value_name = "N", value_parser = bounds::within::<usize>(1, 1 << 30), allow_negative_numbers = true)]
    steps: Option<usize>,
    /// Do what the lines of a file say, a command each, and print what they ask for
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    script: Option<PathBuf>,
    /// Print the whole recording as lines of JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// The program's file.
    fn file(&self) -> &Path {
        let file = self.file.as_ref().or(self.mesh.fragment.as_ref());
        file.expect("one of both is required")
    }

    fn limits(&self) -> Limits {
        Limits {
            steps: self.steps.unwrap_or(Limits::default().steps),
            ..Limits::default()
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let is_screen = args.script.is_none() && !args.json;
    if is_screen && !(io::stdout().is_terminal() && io::stdin().is_terminal()) {
        return Err(CliError::NoTerminal);
    }
    let reporter = Reporter::new();
    let subject = subject::of(args, &reporter)?;
    let mut debugger = Debugger::new(subject);
    match &args.script {
        _ if args.json => json::print(&debugger, &mut io::stdout().lock())?,
        Some(path) => return script::run(path, &mut debugger, &reporter),
        None => screen::run(debugger)?,
    }
    Ok(ExitCode::SUCCESS)
}
