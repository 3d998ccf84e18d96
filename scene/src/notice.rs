//! [`Notice`]: a message with its line, and [`Notices`], the host of whoever has none of its own.

use std::cell::RefCell;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::host::{Host, Message, Severity};
use crate::sections::place_of;

/// A message about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Notice {
    /// The file.
    pub file: String,
    /// Its line and column, both from 1, if the message has a place.
    pub place: Option<[usize; 2]>,
    /// The message. Its place is in bytes.
    pub message: Message,
    /// The line of its place, unless it is a very long one.
    pub line: Option<String>,
}

/// The longest line that notices keep, in bytes.
const LONG_LINE: usize = 1000;

impl Notice {
    fn new(file: &str, text: &str, message: Message) -> Notice {
        let start = message.place.as_ref().map(|it| it.start);
        let start = start.filter(|at| text.is_char_boundary(*at));
        let place = start.map(|at| place_of(text, at));
        let line = start.map(|at| line_around(text, at));
        Notice {
            file: file.to_owned(),
            place,
            message,
            line: line
                .filter(|line| line.len() <= LONG_LINE)
                .map(str::to_owned),
        }
    }

    /// The line of its place with carets below what it is about, and the number before it.
    pub fn shown(&self) -> Option<String> {
        let (line, [number, column]) = (self.line.as_ref()?, self.place?);
        let before: String = line.chars().take(column - 1).collect();
        let bytes = self.message.place.as_ref().map_or(0, |place| place.len());
        let about = &line[before.len()..];
        let about = about[..about.floor_char_boundary(bytes)].chars().count();
        // A tab is as wide below as above.
        let blank = |c| if c == '\t' { '\t' } else { ' ' };
        let indent: String = before.chars().map(blank).collect();
        let (number, carets) = (number.to_string(), "^".repeat(about.max(1)));
        let margin = " ".repeat(number.len());
        Some(format!("{number} | {line}\n{margin} | {indent}{carets}"))
    }
}

/// The line that has a byte of a text, without its end.
fn line_around(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    text[start..].lines().next().unwrap_or_default()
}

/// As `wall.attila:3:5: error: …`, with the further lines below it.
impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some([line, column]) = self.place {
            write!(f, "{}:{line}:{column}: ", self.file)?;
        }
        let severity = match self.message.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}: {}", self.message.message)?;
        self.message
            .notes
            .iter()
            .try_for_each(|note| write!(f, "\n  {note}"))
    }
}

/// Opens the files that a scene names.
pub type Files<'a> = dyn Fn(&Path) -> io::Result<Box<dyn Read>> + 'a;

/// Keeps what it hears.
#[derive(Default)]
pub(crate) struct Notices<'a> {
    heard: RefCell<Vec<Notice>>,
    /// `None`: those of the file system.
    files: Option<&'a Files<'a>>,
}

impl<'a> Notices<'a> {
    /// With files from elsewhere.
    pub(crate) fn with_files(files: &'a Files<'a>) -> Notices<'a> {
        let files = Some(files);
        Notices {
            files,
            ..Notices::default()
        }
    }

    /// All messages, in their order.
    pub(crate) fn heard(self) -> Vec<Notice> {
        self.heard.into_inner()
    }
}

impl Host for Notices<'_> {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Read>> {
        match self.files {
            Some(files) => files(path),
            None => Ok(Box::new(File::open(path)?)),
        }
    }

    fn report(&self, file: &str, text: &str, messages: Vec<Message>) {
        let messages = messages.into_iter();
        let notices = messages.map(|message| Notice::new(file, text, message));
        self.heard.borrow_mut().extend(notices);
    }
}
