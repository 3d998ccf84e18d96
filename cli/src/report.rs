//! [`Reporter`]: shows what is wrong with an input, with its line and a caret where there are
//! lines.

use std::cell::RefCell;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::Path;

use attila_scene::{Host, Severity, code, source};
use attila_shader::isa::Code;
use attila_shader::machine::ErrorChain;
use codespan_reporting::diagnostic::{self, Label};
use codespan_reporting::files::{Files, SimpleFile};
#[cfg(feature = "debug")]
use codespan_reporting::term::termcolor::Buffer;
use codespan_reporting::term::termcolor::{StandardStream, WriteColor};
use codespan_reporting::term::{self, Config, Styles, StylesWriter};

use serde_json::{Value, json};

use crate::colour;
use crate::error::CliError;

type Message = diagnostic::Diagnostic<()>;

/// The most messages about one file: more than the assembler has.
const LIMIT: usize = 250;

/// The longest line that is shown, in bytes.
const LONG_LINE: usize = 1000;

/// Writes a line to standard error.
pub(crate) fn say(line: impl fmt::Display) {
    // If even standard error is closed there is nobody left to tell.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints diagnostics to standard error, in colour where that is wanted.
pub(crate) struct Reporter {
    stream: Stream,
    styles: Styles,
    config: Config,
    is_quiet: bool,
    is_thorough: bool,
    /// Messages that are kept instead of shown.
    kept: Option<RefCell<Vec<Value>>>,
}

/// Where messages go.
enum Stream {
    Standard(StandardStream),
    /// For somebody who cannot see standard error.
    #[cfg(feature = "debug")]
    Text(RefCell<Buffer>),
}

impl Reporter {
    /// A reporter to standard error.
    pub(crate) fn new() -> Reporter {
        let colour = colour::of_messages();
        Reporter::to(Stream::Standard(StandardStream::stderr(colour)))
    }

    /// A reporter to a text.
    #[cfg(feature = "debug")]
    pub(crate) fn to_text() -> Reporter {
        Reporter::to(Stream::Text(Buffer::no_color().into()))
    }

    /// That text.
    #[cfg(feature = "debug")]
    pub(crate) fn text(&self) -> String {
        match &self.stream {
            Stream::Standard(_) => String::new(),
            Stream::Text(buffer) => String::from_utf8_lossy(buffer.borrow().as_slice()).into(),
        }
    }

    fn to(stream: Stream) -> Reporter {
        Reporter {
            stream,
            styles: Styles::default(),
            config: Config::default(),
            is_quiet: false,
            is_thorough: false,
            kept: None,
        }
    }

    /// A reporter that shows what only matters to who writes the program, too, and the codes of messages.
    pub(crate) fn thorough() -> Reporter {
        Reporter {
            is_thorough: true,
            ..Reporter::new()
        }
    }

    /// A thorough reporter that keeps messages as JSON.
    pub(crate) fn keeping() -> Reporter {
        Reporter {
            kept: Some(RefCell::default()),
            ..Reporter::thorough()
        }
    }

    /// The messages that are kept since the last call.
    pub(crate) fn take(&self) -> Vec<Value> {
        self.kept.as_ref().map(RefCell::take).unwrap_or_default()
    }

    /// A reporter that shows nothing.
    pub(crate) fn quiet() -> Reporter {
        Reporter {
            is_quiet: true,
            ..Reporter::new()
        }
    }

    /// Shows messages about a file. `text` is what their spans point into.
    pub(crate) fn emit_all(
        &self,
        name: &str,
        text: &str,
        messages: impl IntoIterator<Item = Message>,
    ) {
        let mut messages = messages.into_iter().peekable();
        // Looking for the lines of a text takes as long as it is.
        if self.is_quiet || messages.peek().is_none() {
            return;
        }
        let file = SimpleFile::new(name, text);
        if let Some(kept) = &self.kept {
            kept.borrow_mut()
                .extend(messages.map(|it| json(&it, &file)));
            return;
        }
        for message in messages.by_ref().take(LIMIT) {
            self.emit(&file, without_long_line(message, &file));
        }
        let omitted = messages.count();
        if omitted > 0 {
            let message = format!("{name}: {omitted} more messages are not shown");
            self.emit(&file, Message::note().with_message(message));
        }
    }

    fn emit(&self, file: &SimpleFile<&str, &str>, message: Message) {
        // If even standard error is closed there is nobody left to tell.
        let _ = self.write(|stream| {
            let mut writer = StylesWriter::new(stream, &self.styles);
            let written = term::emit_to_write_style(&mut writer, &self.config, file, &message);
            written.map_err(io::Error::other)
        });
    }

    fn write(&self, say: impl FnOnce(&mut dyn WriteColor) -> io::Result<()>) -> io::Result<()> {
        match &self.stream {
            Stream::Standard(stream) => say(&mut stream.lock()),
            #[cfg(feature = "debug")]
            Stream::Text(buffer) => say(&mut *buffer.borrow_mut()),
        }
    }

    /// Reports one error at a place of a text.
    pub(crate) fn text_error(
        &self,
        name: &str,
        text: &str,
        message: &str,
        span: Range<usize>,
    ) -> CliError {
        let label = Label::primary((), span);
        let message = Message::error().with_message(message).with_label(label);
        self.emit_all(name, text, [message]);
        CliError::Reported
    }

    /// Says something about a file, at a place of its text if it has one.
    pub(crate) fn remark(
        &self,
        severity: diagnostic::Severity,
        name: &str,
        text: &str,
        message: &str,
        place: Option<Range<usize>>,
        code: &'static Code,
    ) {
        let Some(span) = place else {
            return self.line(severity, Some(code), message);
        };
        let label = Label::primary((), span);
        let message = Message::new(severity)
            .with_code(code.name)
            .with_message(message)
            .with_label(label);
        self.emit_all(name, text, [message]);
    }

    /// Reports an error that has no place, in a line.
    pub(crate) fn error(&self, message: &str) {
        self.line(diagnostic::Severity::Error, None, message);
    }

    /// Reports a warning without a place.
    pub(crate) fn warning(&self, message: &str) {
        self.line(diagnostic::Severity::Warning, None, message);
    }

    /// Warns of an option that changes nothing.
    pub(crate) fn unread(&self, message: &str) {
        self.line(diagnostic::Severity::Warning, Some(&code::UNREAD), message);
    }

    /// Reports why a command stopped, unless that is reported already.
    pub(crate) fn stopped(&self, error: &CliError) {
        if !error.is_reported() {
            let message = ErrorChain(error).to_string();
            self.line(diagnostic::Severity::Error, error.code(), &message);
        }
    }

    fn line(&self, severity: diagnostic::Severity, code: Option<&'static Code>, message: &str) {
        if self.is_quiet {
            return;
        }
        match &self.kept {
            Some(kept) => {
                let message = json!({
                    "severity": word(severity),
                    "code": code.map(|code| code.name),
                    "message": message,
                });
                kept.borrow_mut().push(message);
            }
            // If even standard error is closed there is nobody left to tell.
            None => _ = self.try_line(severity, code, message),
        }
    }

    fn try_line(
        &self,
        severity: diagnostic::Severity,
        code: Option<&'static Code>,
        message: &str,
    ) -> io::Result<()> {
        self.write(|stream| {
            stream.set_color(self.styles.header(severity))?;
            write!(stream, "{}", word(severity))?;
            if let Some(code) = self.shown(code) {
                write!(stream, "[{code}]")?;
            }
            stream.set_color(&self.styles.header_message)?;
            write!(stream, ": {message}")?;
            stream.reset()?;
            writeln!(stream)
        })
    }
}

impl Reporter {
    /// The code of a message, if it is shown.
    fn shown(&self, code: Option<&'static Code>) -> Option<&'static str> {
        code.filter(|_| self.is_thorough).map(|code| code.name)
    }
}

/// A message as docs/json.md describes it.
fn json(message: &Message, file: &SimpleFile<&str, &str>) -> Value {
    let place = message.labels.first().map(|label| label.range.clone());
    let at = place
        .clone()
        .and_then(|place| file.location((), place.start).ok());
    let mut value = json!({
        "severity": word(message.severity),
        "code": message.code,
        "message": message.message,
    });
    if let (Some(place), Some(at)) = (place, at) {
        value["line"] = at.line_number.into();
        value["column"] = at.column_number.into();
        value["bytes"] = json!([place.start, place.end]);
    }
    if !message.notes.is_empty() {
        value["notes"] = json!(message.notes);
    }
    value
}

impl Host for Reporter {
    /// `-` is standard input, unless that is where an editor's requests come from.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Read>> {
        #[cfg(feature = "debug")]
        if path == Path::new("-") && matches!(self.stream, Stream::Text(_)) {
            return Err(io::Error::other("the editor's requests are there"));
        }
        if path == Path::new("-") {
            Ok(Box::new(io::stdin().lock()))
        } else {
            Ok(Box::new(File::open(path)?))
        }
    }

    fn name(&self, path: &Path) -> String {
        source::name_of(path)
    }

    fn report(&self, file: &str, text: &str, messages: Vec<attila_scene::Message>) {
        let is_line = |it: &attila_scene::Message| it.place.is_none() && it.notes.is_empty();
        let (lines, messages): (Vec<_>, Vec<_>) = messages.into_iter().partition(is_line);
        for line in lines {
            self.line(severity(line.severity), line.code, &line.message);
        }
        let messages = messages.into_iter().map(|it| {
            let label = it.place.map(|place| Label::primary((), place));
            let mut message = Message::new(severity(it.severity));
            message.code = self.shown(it.code).map(str::to_owned);
            message
                .with_message(it.message)
                .with_labels(Vec::from_iter(label))
                .with_notes(it.notes)
        });
        self.emit_all(file, text, messages);
    }

    fn is_thorough(&self) -> bool {
        self.is_thorough
    }
}

/// A message about a line that is too long to be shown, without it.
fn without_long_line(mut message: Message, file: &SimpleFile<&str, &str>) -> Message {
    let Some(start) = message.labels.first().map(|label| label.range.start) else {
        return message;
    };
    let line = file.line_index((), start);
    let place = line.and_then(|line| {
        let length = file.line_range((), line)?.len();
        Ok((length, file.location((), start)?))
    });
    if let Ok((length, place)) = place
        && length > LONG_LINE
    {
        message.labels.clear();
        let (name, line, column) = (file.name(), place.line_number, place.column_number);
        let note = format!("at {name}:{line}:{column}, in a line of {length} bytes");
        message.notes.insert(0, note);
    }
    message
}

/// The word that a message begins with.
fn word(severity: diagnostic::Severity) -> &'static str {
    match severity {
        diagnostic::Severity::Bug => "bug",
        diagnostic::Severity::Error => "error",
        diagnostic::Severity::Warning => "warning",
        diagnostic::Severity::Note => "note",
        diagnostic::Severity::Help => "help",
    }
}

fn severity(severity: Severity) -> diagnostic::Severity {
    match severity {
        Severity::Warning => diagnostic::Severity::Warning,
        Severity::Error => diagnostic::Severity::Error,
    }
}
