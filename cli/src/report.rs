//! [`Reporter`]: shows what is wrong with an input, with its line and a caret where there are
//! lines.

use std::fmt;
use std::io::{self, Write};
use std::ops::Range;

use attila_scene::directives::{self, Directives};
use attila_scene::images;
use attila_shader::isa::{Diagnostic, Finding, FindingKind, Severity, Slots, Word};
use attila_shader::machine::ErrorChain;
use attila_shader::{Program, ValidProgram};
use codespan_reporting::diagnostic::{self, Label};
use codespan_reporting::files::{Files, SimpleFile};
use codespan_reporting::term::termcolor::{StandardStream, WriteColor};
use codespan_reporting::term::{self, Config, Styles, StylesWriter};

use crate::colour;
use crate::error::CliError;
use crate::programs::ChoiceError;
use crate::setup::EXTENSIONS;

pub(crate) type Message = diagnostic::Diagnostic<()>;

/// The most messages about one file: more than the assembler has.
const LIMIT: usize = 250;

/// The most lines of a list of what is wrong with a binary.
const LISTED: usize = 10;

/// The longest line that is shown, in bytes.
const LONG_LINE: usize = 1000;

/// Writes a line to standard error.
pub(crate) fn say(line: impl fmt::Display) {
    // If even standard error is closed there is nobody left to tell.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints diagnostics to standard error, in colour where that is wanted.
pub(crate) struct Reporter {
    stream: StandardStream,
    styles: Styles,
    config: Config,
    is_quiet: bool,
    is_thorough: bool,
}

impl Reporter {
    /// A reporter to standard error.
    pub(crate) fn new() -> Reporter {
        Reporter {
            stream: StandardStream::stderr(colour::of_messages()),
            styles: Styles::default(),
            config: Config::default(),
            is_quiet: false,
            is_thorough: false,
        }
    }

    /// A reporter that shows what only matters to who writes the program, too.
    pub(crate) fn thorough() -> Reporter {
        Reporter {
            is_thorough: true,
            ..Reporter::new()
        }
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
        let mut stream = self.stream.lock();
        let mut writer = StylesWriter::new(&mut stream, &self.styles);
        // If even standard error is closed there is nobody left to tell.
        let _ = term::emit_to_write_style(&mut writer, &self.config, file, &message);
    }

    /// Reports one error at a place of a text.
    pub(crate) fn text_error(
        &self,
        name: &str,
        text: &str,
        message: &str,
        span: Range<usize>,
    ) -> CliError {
        self.text_errors(name, text, [(message.to_owned(), span)])
    }

    /// Reports errors at places of a text, all at once: looking for its lines takes as long as it is.
    pub(crate) fn text_errors(
        &self,
        name: &str,
        text: &str,
        errors: impl IntoIterator<Item = (String, Range<usize>)>,
    ) -> CliError {
        let messages = errors.into_iter().map(|(message, span)| {
            let label = Label::primary((), span);
            Message::error().with_message(message).with_label(label)
        });
        self.emit_all(name, text, messages);
        CliError::Reported
    }

    /// Reports that no program of a file is the wanted one.
    pub(crate) fn choice(&self, name: &str, text: &str, error: &ChoiceError) -> CliError {
        match error {
            ChoiceError::Several { place, help, .. } => {
                let message = Message::error()
                    .with_message(error.to_string())
                    .with_label(Label::primary((), place.clone()))
                    .with_notes(notes(Some(help)));
                self.emit_all(name, text, [message]);
            }
            ChoiceError::Number { .. } | ChoiceError::Stage { .. } => {
                self.error(&format!("{name}: {error}"));
            }
        }
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
    ) {
        let Some(span) = place else {
            return self.line(severity, message);
        };
        let label = Label::primary((), span);
        let message = Message::new(severity)
            .with_message(message)
            .with_label(label);
        self.emit_all(name, text, [message]);
    }

    /// Reports an error that has no place, in a line.
    pub(crate) fn error(&self, message: &str) {
        self.line(diagnostic::Severity::Error, message);
    }

    /// Reports a warning without a place.
    pub(crate) fn warning(&self, message: &str) {
        self.line(diagnostic::Severity::Warning, message);
    }

    /// Reports why a command stopped, unless that is reported already.
    pub(crate) fn stopped(&self, error: &CliError) {
        if !matches!(error, CliError::Reported | CliError::NotProgram) {
            self.error(&ErrorChain(error).to_string());
        }
    }

    fn line(&self, severity: diagnostic::Severity, message: &str) {
        if !self.is_quiet {
            // If even standard error is closed there is nobody left to tell.
            let _ = self.try_line(severity, message);
        }
    }

    fn try_line(&self, severity: diagnostic::Severity, message: &str) -> io::Result<()> {
        let mut stream = self.stream.lock();
        stream.set_color(self.styles.header(severity))?;
        write!(stream, "{}", word(severity))?;
        stream.set_color(&self.styles.header_message)?;
        write!(stream, ": {message}")?;
        stream.reset()?;
        writeln!(stream)
    }

    /// Reports what is wrong with a text.
    pub(crate) fn diagnostics(&self, name: &str, text: &str, list: &[Diagnostic]) {
        self.emit_all(name, text, list.iter().map(message));
    }

    /// Reads the directives of a text, and reports those that are not right. Gives what the others
    /// say, and whether all are right.
    pub(crate) fn directives(&self, name: &str, text: &str) -> (Directives, bool) {
        let known = [&EXTENSIONS[..], &images::DIRECTIVES].concat();
        let (directives, errors) = directives::read(text, &known);
        let all_right = errors.is_empty();
        let messages = errors.into_iter().map(|error| {
            Message::error()
                .with_message(&error.message)
                .with_label(Label::primary((), error.span))
                .with_notes(notes(error.help.as_deref()))
        });
        self.emit_all(name, text, messages);
        (directives, all_right)
    }

    /// Validates a program and reports all that is found, warnings too. `text` is its source.
    pub(crate) fn validate(
        &self,
        name: &str,
        text: Option<&str>,
        is_translated: bool,
        program: Program,
    ) -> Result<ValidProgram, CliError> {
        let listing = program.clone();
        match program.validate() {
            Ok(valid) => {
                self.findings(name, text, is_translated, &listing, valid.warnings());
                Ok(valid)
            }
            Err(error) => {
                self.findings(name, text, is_translated, &listing, &error.findings);
                Err(CliError::Reported)
            }
        }
    }

    fn findings(
        &self,
        name: &str,
        text: Option<&str>,
        is_translated: bool,
        program: &Program,
        list: &[Finding],
    ) {
        let shown = list
            .iter()
            .filter(|it| self.is_thorough || !is_only_for_authors(&it.kind));
        let Some(text) = text else {
            return self.binary_findings(name, program, shown.collect());
        };
        // The assembler has seen this, too, and pointed at the operands.
        let seen = |kind: &FindingKind| matches!(kind, FindingKind::AllRelative);
        let findings = shown.filter(|finding| !seen(&finding.kind));
        let messages = findings.map(|finding| {
            let message =
                Message::new(severity(finding.severity())).with_notes(notes(finding.help));
            match finding.span.clone() {
                Some(span) => message
                    .with_message(wording(&finding.kind, is_translated))
                    .with_label(Label::primary((), span)),
                None => message.with_message(format!("{name}: {}", finding.kind)),
            }
        });
        self.emit_all(name, text, messages);
    }

    /// Reports what was found in a program without a text, all in one message, errors first.
    fn binary_findings(&self, name: &str, program: &Program, mut list: Vec<&Finding>) {
        list.sort_by_key(|finding| std::cmp::Reverse(finding.severity()));
        let Some(worst) = list.first().map(|finding| finding.severity()) else {
            return;
        };
        let line = |finding: &&Finding| {
            let place = finding.index.map(|index| {
                let (byte, inst) = (index * Word::SIZE, program.insts()[index]);
                format!("instruction {index} at byte {byte:#x}, `{inst}`: ")
            });
            let severity = match finding.severity() {
                Severity::Warning => "warning",
                Severity::Error => "error",
            };
            format!("{severity}: {}{}", place.unwrap_or_default(), finding.kind)
        };
        let lines = list.iter().map(line);
        self.listed(severity(worst), name, "finding", lines);
    }

    /// Reports a list in one message: its length, and its first lines.
    pub(crate) fn listed(
        &self,
        severity: diagnostic::Severity,
        name: &str,
        what: &str,
        lines: impl ExactSizeIterator<Item = String>,
    ) {
        let (plural, shown) = match lines.len() {
            1 => ("", ""),
            0..=LISTED => ("s", ""),
            _ => ("s", ", the first of which are"),
        };
        let message = Message::new(severity)
            .with_message(format!("{name}: {} {what}{plural}{shown}", lines.len()))
            .with_notes(lines.take(LISTED).collect());
        self.emit_all(name, "", [message]);
    }
}

/// Whether a finding matters to who writes the program, not to who runs it: options may set predicates, and
/// the rest of an output may be of no use.
fn is_only_for_authors(kind: &FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::PredicateNeverWritten { .. } | FindingKind::PartlyWritten { .. }
    )
}

/// A finding in words of the text's language: registers have other names in texts that are translated.
fn wording(kind: &FindingKind, is_translated: bool) -> String {
    let letters =
        |components: &Slots| -> String { components.components().map(|c| c.letter()).collect() };
    if is_translated && let FindingKind::NeverWritten { components, .. } = kind {
        let letters = letters(components);
        return format!("`.{letters}` of a temporary is read but never written; it is 0");
    }
    if is_translated && let FindingKind::PartlyWritten { components, .. } = kind {
        let letters = letters(components);
        return format!("`.{letters}` of this output is never written; it is 0");
    }
    kind.to_string()
}

pub(crate) fn message(diagnostic: &Diagnostic) -> Message {
    Message::new(severity(diagnostic.severity))
        .with_message(&diagnostic.message)
        .with_label(Label::primary((), diagnostic.span.clone()))
        .with_notes(notes(diagnostic.help.as_deref()))
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

pub(crate) fn notes(help: Option<&str>) -> Vec<String> {
    help.map(|help| format!("help: {help}"))
        .into_iter()
        .collect()
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
