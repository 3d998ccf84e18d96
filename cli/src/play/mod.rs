//! `attila play`: the playground, served to a browser on this machine.
//!
//! ```text
//! page ─► Page: with a program, and what the server offers ─┬─► --export: a file
//! program, files ─► Server ─► /, /file, /watch, /answer ◄───┴── browser
//! ```

mod page;
mod server;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use attila_scene::source;
use serde::Serialize;

use crate::error::CliError;
use crate::output::Output;
use crate::report::Reporter;
use page::Page;

/// Write programs in a browser, and see what they draw while you type
///
/// Serves the playground on this machine alone and prints its address. The page compiles programs to WebAssembly; what
/// is slow there is drawn by this command, if the page's engine is `native`. Nothing is read from the disk but the files
/// that are named here. End it with Ctrl-C.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila play
  attila play shader.attila --file wall.png --open
  attila play --watch shader.attila
  attila play shader.attila --export shader.html")]
pub(crate) struct Args {
    /// The program that the page begins with: assembly, an ARB, TGSI, AGAL or CTM program
    #[arg(value_name = "PROGRAM")]
    program: Option<PathBuf>,
    /// Begin with a file, and show it again whenever it changes
    #[arg(long, value_name = "FILE", conflicts_with_all = ["program", "export"])]
    watch: Option<PathBuf>,
    /// Let programs name an image, or the page draw on an OBJ file, by the last part of its path; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with = "export")]
    file: Vec<PathBuf>,
    /// The port to listen on [default: a free one]
    #[arg(long, value_name = "PORT", conflicts_with = "export")]
    port: Option<u16>,
    /// Open the page in the browser
    #[arg(long, conflicts_with = "export")]
    open: bool,
    /// Write the page as one file that needs no server, and end; `-` is standard output
    #[arg(long, value_name = "FILE.html")]
    export: Option<PathBuf>,
    /// The page, as `web/build` makes it [default: the one that the command was built with]
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

/// A text, as the page takes it.
#[derive(Clone, Serialize)]
struct Program {
    name: String,
    text: String,
}

impl Program {
    /// The text of a file.
    fn of(path: &Path, text: String) -> Program {
        let name = path.file_name().unwrap_or(path.as_os_str());
        let name = name.to_string_lossy().into_owned();
        Program { name, text }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let reporter = Reporter::new();
    let page = Page::find(args.page.as_deref(), &reporter)?;
    let path = args.program.as_ref().or(args.watch.as_ref());
    let text = path.map(|path| source::read_text(path, &reporter));
    let text = text.transpose()?;
    let program = path.zip(text).map(|(path, text)| Program::of(path, text));
    if let Some(file) = &args.export {
        let output = Output::open(file)?;
        output.write(page.with(program.as_ref()).as_bytes())?;
        writeln!(output.messages(), "wrote {output}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let files = args.file.iter().map(|path| {
        let bytes = source::read(path, server::MOST_BYTES, &reporter)?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        Ok((name.to_string_lossy().into_owned(), bytes))
    });
    let files = files.collect::<Result<Vec<_>, CliError>>()?;
    let server = server::Server::new(page, program, files, args.watch.clone());
    server.run(args.port, |address| {
        writeln!(io::stdout(), "{address}")?;
        if args.open {
            open::that(address)?;
        }
        Ok(())
    })
}
