//! [`CliError`]: why a command stopped.

use std::{fmt, io};

use attila_conformance::corpus::CorpusError;
use attila_conformance::vectors::VectorsError;
use attila_scene::picture::{JoinError, PictureError};
use attila_scene::{Error, NameError, code};
use attila_shader::draw::ResolveError;
use attila_shader::isa::Code;
use attila_shader::{DrawError, PrepareError, RunError, Stage};
use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::Cli;

/// Why a command stopped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The input is at fault, and the user has been told how.
    #[error("the input is at fault")]
    Reported,
    /// There is no page to serve.
    #[cfg(feature = "play")]
    #[error(
        "this `attila` was built without the playground's page; `web/build` makes it, for the next build or for `--page`"
    )]
    NoPage,
    /// That is another page.
    #[cfg(feature = "play")]
    #[error("that is not the playground's page")]
    NotPage,
    /// The page cannot be served.
    #[cfg(feature = "play")]
    #[error("the page cannot be served")]
    Serve {
        /// Why.
        source: io::Error,
    },
    /// The command was called wrongly, in a way that only its options together show.
    #[error("{0}")]
    Usage(clap::Error),
    /// There is no scene.
    #[error(transparent)]
    Scene(#[from] Error),
    /// A file cannot be read.
    #[error("cannot read {name}")]
    Read {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// A program in a form that is another command's.
    #[error("{name}: this is {form}; `attila {command}` {does}")]
    OtherForm {
        /// The file.
        name: String,
        /// The form that it has.
        form: &'static str,
        /// The command that takes it.
        command: &'static str,
        /// The command's effect.
        does: &'static str,
    },
    /// A program that draws no pictures.
    #[error(
        "{name}: this is a {stage} program, and fragment programs draw pictures; `attila run` runs it, and tests for `attila shader-test` draw with several programs"
    )]
    NotDrawn {
        /// The file.
        name: String,
        /// The program's stage.
        stage: Stage,
    },
    /// An option that the program has no use for.
    #[error("{name}: `{option}` has no effect: {reason}")]
    NoEffect {
        /// The file.
        name: String,
        /// The option.
        option: &'static str,
        /// Why.
        reason: String,
    },
    /// No file in the folders is what the command takes.
    #[error("there are no {what} in {names}")]
    NoFiles {
        /// The kind of files.
        what: &'static str,
        /// The folders.
        names: String,
    },
    /// A file cannot be written.
    #[error("cannot write {name}")]
    Write {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// A checkpoint that belongs to another comparison, or is none.
    #[error("{name}: {reason}")]
    Checkpoint {
        /// The file.
        name: String,
        /// Why it is no use.
        reason: String,
    },
    /// Standard output cannot be written.
    #[error("cannot write to standard output")]
    Stdout(#[from] io::Error),
    /// A state file does not say what it should.
    #[error("{name}: {key}")]
    State {
        /// The file.
        name: String,
        /// The key whose value it is.
        key: String,
        /// Why.
        source: NameError,
    },
    /// The engine that was asked for cannot do it.
    #[error("{engine}")]
    Prepare {
        /// The engine.
        engine: &'static str,
        /// Why.
        source: PrepareError,
    },
    /// There is no code for a machine.
    #[error(
        "`--target` takes triples of x86_64, aarch64 and riscv64gc, like aarch64-unknown-linux-gnu"
    )]
    Target {
        /// Why.
        source: PrepareError,
    },
    /// A folder of programs cannot be gone through.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// Test vectors cannot be run.
    #[error("{name}")]
    Vectors {
        /// The file.
        name: String,
        /// Where and why.
        source: VectorsError,
    },
    /// Wide code has no such stage.
    #[error("`--stage clif` takes `--vectors 128`")]
    Stage {
        /// Why.
        source: PrepareError,
    },
    /// A picture could not be finished.
    #[error("{name}")]
    Render {
        /// The program.
        name: String,
        /// Where and why.
        source: DrawError,
    },
    /// A file cannot hold a picture, or holds none.
    #[error("{name}")]
    Picture {
        /// The file.
        name: String,
        /// Why.
        source: PictureError,
    },
    /// Parts do not make a picture.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// There is no memory for a picture.
    #[error("there is no memory for a picture of {width}x{height} pixels{samples}")]
    Memory {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// The samples of pixels that have several.
        samples: String,
    },
    /// A picture's samples could not become pixels.
    #[error("{name}")]
    Resolve {
        /// The program.
        name: String,
        /// Why.
        source: ResolveError,
    },
    /// There is nobody to press keys.
    #[cfg(feature = "debug")]
    #[error(
        "there is no terminal; `--script FILE` does what the lines of a file say, `--json` prints the recording"
    )]
    NoTerminal,
    /// A case of the fuzzer cannot be looked at.
    #[cfg(feature = "debug")]
    #[error("{name}: {message}")]
    Case {
        /// The file.
        name: String,
        /// Why.
        message: String,
    },
    /// Messages of an editor cannot be read, or no answers be written.
    #[cfg(any(feature = "debug", feature = "lsp"))]
    #[error(transparent)]
    Wire(#[from] crate::wire::WireError),
    /// Nothing is drawn to a pixel.
    #[error("nothing covers pixel {},{}", pixel[0], pixel[1])]
    Uncovered {
        /// Its column and row.
        pixel: [u32; 2],
    },
    /// The run stopped.
    #[error("{name}")]
    Run {
        /// The program.
        name: String,
        /// Why.
        source: RunError,
    },
}

impl CliError {
    /// The command was called wrongly.
    pub(crate) fn usage(kind: ErrorKind, message: impl fmt::Display) -> CliError {
        CliError::Usage(Cli::command().error(kind, message))
    }

    /// Its code, if it has one.
    pub(crate) fn code(&self) -> Option<&'static Code> {
        match self {
            CliError::Scene(error) => error.code(),
            CliError::Read { .. } | CliError::NoFiles { .. } => Some(&code::READ),
            CliError::Reported
            | CliError::Usage(_)
            | CliError::OtherForm { .. }
            | CliError::NotDrawn { .. }
            | CliError::NoEffect { .. }
            | CliError::Write { .. }
            | CliError::Checkpoint { .. }
            | CliError::Stdout(_)
            | CliError::State { .. }
            | CliError::Prepare { .. }
            | CliError::Target { .. }
            | CliError::Corpus(_)
            | CliError::Vectors { .. }
            | CliError::Stage { .. }
            | CliError::Render { .. }
            | CliError::Picture { .. }
            | CliError::Join(_)
            | CliError::Memory { .. }
            | CliError::Resolve { .. }
            | CliError::Uncovered { .. }
            | CliError::Run { .. } => None,
            #[cfg(feature = "debug")]
            CliError::NoTerminal | CliError::Case { .. } => None,
            #[cfg(any(feature = "debug", feature = "lsp"))]
            CliError::Wire(_) => None,
            #[cfg(feature = "play")]
            CliError::NoPage | CliError::NotPage | CliError::Serve { .. } => None,
        }
    }

    /// Whether the user has been told why.
    pub(crate) fn is_reported(&self) -> bool {
        matches!(self, CliError::Reported | CliError::Scene(Error::Reported))
            || self.is_no_program()
    }

    /// Whether the input is not a program.
    pub(crate) fn is_no_program(&self) -> bool {
        matches!(self, CliError::Scene(Error::NotProgram))
    }
}
