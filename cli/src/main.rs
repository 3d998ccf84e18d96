//! The command `attila`, its scenes, its pictures and its demo.
//!
//! One file per subcommand, each with its `Args` and `run`. They share [`input`], which reads
//! programs, [`report`], which shows their mistakes, and [`engines`], which chooses engines.
#![forbid(unsafe_code)]

mod asm;
mod bench;
mod check;
mod colour;
mod completions;
mod corpus;
#[cfg(feature = "debug")]
mod debug;
mod dis;
mod emit;
mod engines;
mod error;
mod explain;
mod files;
mod fuzz;
mod input;
mod join;
#[cfg(feature = "lsp")]
mod lsp;
mod man;
mod mesh;
mod number;
mod ops;
mod output;
mod parameters;
#[cfg(all(test, feature = "debug"))]
mod pictured;
mod pixel;
#[cfg(feature = "play")]
mod play;
mod progress;
#[cfg(all(test, any(feature = "debug", feature = "lsp")))]
mod random;
mod render;
mod report;
mod run;
mod samples;
mod scene;
mod setup;
mod shader_test;
mod sweep;
mod translate;
mod vectors;
#[cfg(any(feature = "debug", feature = "lsp"))]
mod wire;

use std::io::{self, Write as _};
use std::process::ExitCode;

// Its name in the whole command.
use attila_scene::picture;
use clap::error::ContextKind;
use clap::{Parser, Subcommand};

use crate::colour::ColourArg;
use crate::error::CliError;
use crate::report::Reporter;

/// The exit code of a command whose input is at fault, or that saw engines differ.
const FAULT: u8 = 1;
/// The exit code of a command that was called wrongly.
const USAGE: u8 = 2;

/// Assembles, checks, runs, draws and compares ATTILA GPU shader programs.
#[derive(Parser)]
#[command(
    name = "attila",
    version,
    propagate_version = true,
    max_term_width = 100
)]
#[command(after_help = "\
A FILE of `-` is standard input. Programs are assembly text, ARB, TGSI, AGAL or CTM programs, \
hexadecimal words or raw binaries, recognized by their contents.

Exit codes: 0 success, 1 an error in the input or a difference between engines, 2 wrong usage.

Examples:
  attila run shader.attila -s i0=1,2,3,4   run one quad and print its outputs
  attila ops rsq                           explain an instruction")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// When to colour messages and help
    #[arg(
        long = "color",
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        global = true
    )]
    colour: ColourArg,
}

#[derive(Subcommand)]
enum Command {
    Asm(asm::Args),
    Dis(dis::Args),
    Check(check::Args),
    Translate(translate::Args),
    Run(run::Args),
    #[cfg(feature = "debug")]
    Debug(Box<debug::Args>),
    #[cfg(feature = "debug")]
    Dap(debug::dap::Args),
    Render(Box<render::Args>),
    Join(join::Args),
    #[cfg(feature = "play")]
    Play(play::Args),
    Bench(bench::Args),
    Vectors(vectors::Args),
    Fuzz(fuzz::Args),
    Sweep(sweep::Args),
    Emit(emit::Args),
    ShaderTest(shader_test::Args),
    Corpus(corpus::Args),
    Ops(ops::Args),
    #[cfg(feature = "lsp")]
    Lsp(lsp::Args),
    Explain(explain::Args),
    Completions(completions::Args),
    Man(man::Args),
}

fn main() -> ExitCode {
    let result = match Cli::try_parse() {
        Ok(cli) => {
            cli.colour.apply();
            run(cli.command)
        }
        Err(mut error) => {
            ColourArg::find(std::env::args_os()).apply();
            // The possible values are listed, and one that looks similar is often another thing.
            error.remove(ContextKind::SuggestedValue);
            show_usage(&error)
        }
    };
    // The buffer is flushed here, for all commands: at the end of the process, its errors would go
    // unseen.
    let result = result.and_then(|code| {
        io::stdout().flush()?;
        Ok(code)
    });
    result.unwrap_or_else(|error| fail(&error))
}

fn run(command: Command) -> Result<ExitCode, CliError> {
    match command {
        Command::Asm(args) => asm::run(&args),
        Command::Dis(args) => dis::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Translate(args) => translate::run(&args),
        Command::Run(args) => run::run(&args),
        #[cfg(feature = "debug")]
        Command::Debug(args) => debug::run(&args),
        #[cfg(feature = "debug")]
        Command::Dap(args) => debug::dap::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Join(args) => join::run(&args),
        #[cfg(feature = "play")]
        Command::Play(args) => play::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Vectors(args) => vectors::run(&args),
        Command::Fuzz(args) => fuzz::run(&args),
        Command::Sweep(args) => sweep::run(&args),
        Command::Emit(args) => emit::run(&args),
        Command::ShaderTest(args) => shader_test::run(&args),
        Command::Corpus(args) => corpus::run(&args),
        Command::Ops(args) => ops::run(&args),
        #[cfg(feature = "lsp")]
        Command::Lsp(args) => lsp::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}

/// Prints help, the version, or what is wrong with the arguments.
fn show_usage(error: &clap::Error) -> Result<ExitCode, CliError> {
    let printed = error.print();
    if error.use_stderr() {
        // If even standard error is closed there is nobody left to tell.
        return Ok(ExitCode::from(USAGE));
    }
    printed?;
    Ok(ExitCode::SUCCESS)
}

fn fail(error: &CliError) -> ExitCode {
    if let CliError::Usage(error) = error {
        return show_usage(error).unwrap_or_else(|error| fail(&error));
    }
    if let CliError::Stdout(error) = error
        && error.kind() == io::ErrorKind::BrokenPipe
    {
        // The reader of the output has seen enough, as `head` does.
        return ExitCode::SUCCESS;
    }
    Reporter::new().stopped(error);
    ExitCode::from(FAULT)
}
