//! [`Host`]: the program that loads scenes. It opens their files, and hears what is wrong with them.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

pub use attila_shader::isa::Severity;
use attila_shader::isa::{Code, Diagnostic, Fix};

/// Loads scenes.
pub trait Host {
    /// Opens a file that a scene names.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, or scenes may not read files.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Read>> {
        Ok(Box::new(File::open(path)?))
    }

    /// The name of a file in messages.
    fn name(&self, path: &Path) -> String {
        path.display().to_string()
    }

    /// Hears messages about a file. Their places are bytes of `text`.
    fn report(&self, file: &str, text: &str, messages: Vec<Message>);

    /// Whether it wants warnings that only matter to who writes a program.
    fn is_thorough(&self) -> bool {
        false
    }
}

/// Something that is said about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Message {
    /// Whether it is an error.
    pub severity: Severity,
    /// The message, which names the file if it has no place.
    pub message: String,
    /// The place in the file's text, in bytes.
    pub place: Option<Range<usize>>,
    /// Further lines.
    pub notes: Vec<String>,
    /// What it is about.
    pub topic: Topic,
    /// The change that puts it right, where one does.
    pub fix: Option<Fix>,
    /// Its kind, if that has a code.
    pub code: Option<&'static Code>,
}

/// What a message is about.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Topic {
    /// The file as a whole, or one that it names.
    #[default]
    File,
    /// The text, which is not one of its language.
    Syntax,
    /// A directive.
    Directive,
    /// The program, whose text is right.
    Program,
}

impl Message {
    /// A message without a place.
    pub fn new(severity: Severity, message: impl Into<String>) -> Message {
        Message {
            severity,
            message: message.into(),
            place: None,
            notes: Vec::new(),
            topic: Topic::default(),
            fix: None,
            code: None,
        }
    }

    /// An error without a place.
    pub fn error(message: impl Into<String>) -> Message {
        Message::new(Severity::Error, message)
    }

    /// A warning without a place.
    pub fn warning(message: impl Into<String>) -> Message {
        Message::new(Severity::Warning, message)
    }

    /// The same about a place.
    #[must_use]
    pub fn at(self, place: Range<usize>) -> Message {
        Message {
            place: Some(place),
            ..self
        }
    }

    /// The same about something else than the file.
    #[must_use]
    pub fn about(self, topic: Topic) -> Message {
        Message { topic, ..self }
    }

    /// The same with a code.
    #[must_use]
    pub fn code(self, code: &'static Code) -> Message {
        Message {
            code: Some(code),
            ..self
        }
    }

    /// The same with a line about what helps.
    #[must_use]
    pub fn with_help(mut self, help: Option<&str>) -> Message {
        self.notes.extend(help.map(|help| format!("help: {help}")));
        self
    }

    /// The same with the change that puts it right.
    #[must_use]
    pub fn with_fix(self, fix: Option<Fix>) -> Message {
        Message { fix, ..self }
    }
}

impl From<&Diagnostic> for Message {
    fn from(diagnostic: &Diagnostic) -> Message {
        let message = Message::new(diagnostic.severity, diagnostic.message.clone());
        let message = message.at(diagnostic.span.clone()).about(Topic::Syntax);
        let message = message.code(diagnostic.code);
        let message = message.with_help(diagnostic.help.as_deref());
        message.with_fix(diagnostic.fix.clone())
    }
}
