//! [`Reporter`]: shows what is wrong with an input, with its line and a caret where there are
//! lines.

use std::io::{self, IsTerminal};
use std::ops::Range;

use attila_shader::directives::{self, Directives};
use attila_shader::{DecodeError, Finding, FindingKind, Program, Severity, ValidProgram, assemble};
use codespan_reporting::diagnostic::{self, Label};
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term::termcolor::{ColorChoice, StandardStream};
use codespan_reporting::term::{self, Config, Styles, StylesWriter};

use crate::error::CliError;
use crate::setup::EXTENSIONS;

type Message = diagnostic::Diagnostic<()>;

/// Prints diagnostics to standard error, in colour on a terminal.
pub(crate) struct Reporter {
    stream: StandardStream,
    styles: Styles,
    config: Config,
}

impl Reporter {
    /// A reporter to standard error.
    pub(crate) fn new() -> Reporter {
        let choice = if io::stderr().is_terminal() {
            ColorChoice::Auto
        } else {
            ColorChoice::Never
        };
        Reporter {
            stream: StandardStream::stderr(choice),
            styles: Styles::default(),
            config: Config::default(),
        }
    }

    /// Shows a message. `text` is what its spans point into.
    fn emit(&self, name: &str, text: &str, message: &Message) {
        let file = SimpleFile::new(name, text);
        let mut stream = self.stream.lock();
        let mut writer = StylesWriter::new(&mut stream, &self.styles);
        // If even standard error is closed there is nobody left to tell.
        let _ = term::emit_to_write_style(&mut writer, &self.config, &file, message);
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
        self.emit(name, text, &message);
        CliError::Reported
    }

    /// Assembles a text and reports all that the assembler has to say.
    pub(crate) fn assemble(&self, name: &str, text: &str) -> Result<Program, CliError> {
        let assembly = assemble(text);
        for diagnostic in &assembly.diagnostics {
            let label = Label::primary((), diagnostic.span.clone());
            let message = Message::new(severity(diagnostic.severity))
                .with_message(&diagnostic.message)
                .with_label(label)
                .with_notes(notes(diagnostic.help.as_deref()));
            self.emit(name, text, &message);
        }
        assembly.program.ok_or(CliError::Reported)
    }

    /// Reads the directives of a text, and reports those that are not right.
    pub(crate) fn directives(&self, name: &str, text: &str) -> Result<Directives, CliError> {
        directives::parse(text, &EXTENSIONS).map_err(|errors| {
            for error in errors {
                let message = Message::error()
                    .with_message(&error.message)
                    .with_label(Label::primary((), error.span))
                    .with_notes(notes(error.help.as_deref()));
                self.emit(name, text, &message);
            }
            CliError::Reported
        })
    }

    /// Reports all faults of a binary.
    pub(crate) fn decode_error(&self, name: &str, error: &DecodeError) -> CliError {
        for fault in &error.faults {
            self.emit(
                name,
                "",
                &Message::error().with_message(format!("{name}: {fault}")),
            );
        }
        CliError::Reported
    }

    /// Validates a program and reports all that is found, warnings too. `text` is its source.
    pub(crate) fn validate(
        &self,
        name: &str,
        text: Option<&str>,
        program: Program,
    ) -> Result<ValidProgram, CliError> {
        let listing = program.clone();
        match program.validate() {
            Ok(valid) => {
                self.findings(name, text, &listing, valid.warnings());
                Ok(valid)
            }
            Err(error) => {
                self.findings(name, text, &listing, &error.findings);
                Err(CliError::Reported)
            }
        }
    }

    fn findings(&self, name: &str, text: Option<&str>, program: &Program, list: &[Finding]) {
        for finding in list {
            let message = Message::new(severity(finding.severity()));
            let message = match (text, finding.span.clone(), finding.index) {
                // The assembler has seen it too, and pointed at the operands.
                (Some(_), _, _) if matches!(finding.kind, FindingKind::AllRelative) => continue,
                (Some(_), Some(span), _) => message
                    .with_message(&finding.kind)
                    .with_label(Label::primary((), span)),
                (_, _, Some(index)) => message
                    .with_message(format!("{name}: {finding}"))
                    .with_note(format!(
                        "at byte {:#x}: {}",
                        index * 16,
                        program.insts()[index]
                    )),
                (_, _, None) => message.with_message(format!("{name}: {finding}")),
            };
            self.emit(name, text.unwrap_or_default(), &message);
        }
    }
}

fn notes(help: Option<&str>) -> Vec<String> {
    help.map(|help| format!("help: {help}"))
        .into_iter()
        .collect()
}

fn severity(severity: Severity) -> diagnostic::Severity {
    match severity {
        Severity::Warning => diagnostic::Severity::Warning,
        Severity::Error => diagnostic::Severity::Error,
    }
}
