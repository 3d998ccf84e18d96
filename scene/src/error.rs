//! [`Error`]: why there is no scene.

use std::io;

use attila_shader::isa::Code;
use attila_shader::machine::ErrorChain;
use attila_shader::texture::Dimension;

use crate::code;
use crate::host::{Host, Message};
use crate::names::NameError;
use crate::textures::{self, TextureError};

/// Why there is no scene. Most reasons have been told the host.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input is at fault, and the host has been told how.
    #[error("the input is at fault")]
    Reported,
    /// The input is not a program, and the host has been told so.
    #[error("the input is not a program")]
    NotProgram,
    /// A file cannot be read.
    #[error("cannot read {name}")]
    Read {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// A directory where a file should be.
    #[error("{name} is a directory, not a file")]
    Directory {
        /// The directory.
        name: String,
    },
    /// An empty file.
    #[error("{name} is empty")]
    Empty {
        /// The file.
        name: String,
    },
    /// A file that cannot be a program.
    #[error("{name} is too large; the limit is {limit} bytes")]
    TooLarge {
        /// The file.
        name: String,
        /// The most that is read.
        limit: u64,
    },
    /// A file that has to be text.
    #[error("{name} is not UTF-8 at line {line}, column {column}")]
    NotText {
        /// The file.
        name: String,
        /// The line of the first byte that is not, from 1.
        line: usize,
        /// The character in that line, from 1.
        column: usize,
    },
    /// A setting for what the program does not have.
    #[error("{name}")]
    Name {
        /// The file.
        name: String,
        /// What is wrong.
        source: NameError,
    },
    /// A texture unit cannot have what it was to have.
    #[error("t{unit}: {name}")]
    Texture {
        /// The unit.
        unit: usize,
        /// The file.
        name: String,
        /// Why.
        source: TextureError,
    },
    /// The program wants an option to say what a unit holds.
    #[error(
        "t{unit}: the program samples {} here; say which: {}",
        textures::describe(*.wanted),
        textures::advice(*.wanted)
    )]
    NoTexture {
        /// The unit.
        unit: usize,
        /// The dimension that it is to hold.
        wanted: Dimension,
    },
}

impl Error {
    /// Its code. Messages that have been told have their own.
    pub fn code(&self) -> Option<&'static Code> {
        match self {
            Error::Reported | Error::NotProgram => None,
            Error::Read { .. }
            | Error::Directory { .. }
            | Error::Empty { .. }
            | Error::TooLarge { .. } => Some(&code::READ),
            Error::NotText { .. } => Some(&code::NOT_TEXT),
            Error::Name { .. } => Some(&code::UNREAD),
            Error::Texture { .. } => Some(&code::SCENE),
            Error::NoTexture { .. } => Some(&code::UNIT),
        }
    }

    /// Tells a host, unless it has been told.
    pub(crate) fn tell(&self, host: &dyn Host) {
        match self {
            Error::Reported | Error::NotProgram => {}
            Error::Read { name, .. }
            | Error::Directory { name }
            | Error::Empty { name }
            | Error::TooLarge { name, .. }
            | Error::NotText { name, .. }
            | Error::Name { name, .. }
            | Error::Texture { name, .. } => {
                let message = Message::error(ErrorChain(self).to_string());
                host.report(name, "", vec![self.coded(message)]);
            }
            Error::NoTexture { .. } => {
                host.report("", "", vec![self.coded(Message::error(self.to_string()))]);
            }
        }
    }

    fn coded(&self, message: Message) -> Message {
        Message {
            code: self.code(),
            ..message
        }
    }
}
