//! Exceptions, and messages about programs.

use std::fmt;

use attila_scene::{LoadError, Notice, Severity, Topic};
use attila_shader::{DrawError, MapError};
use pyo3::create_exception;
use pyo3::exceptions::{PyBaseException, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::signals::Watch;

create_exception!(
    attila,
    ProgramError,
    PyValueError,
    "A program that is wrong. `diagnostics` has what is wrong with it, and the text of the exception says it with places."
);
create_exception!(
    attila,
    Stopped,
    PyRuntimeError,
    "A draw or a map that `progress` has stopped."
);

/// A message about a program.
#[pyclass(frozen, eq, get_all, module = "attila")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    /// "error" or "warning".
    severity: &'static str,
    /// What it is about: "syntax", "directive", "program" or "file".
    code: &'static str,
    /// The sentence that says what is wrong.
    message: String,
    /// Further lines.
    help: Vec<String>,
    /// The name that the program was loaded by.
    file: String,
    /// From 1, if the message has a place.
    line: Option<usize>,
    /// In characters from 1.
    column: Option<usize>,
    /// In bytes from 0.
    offset: Option<usize>,
    /// In bytes.
    length: Option<usize>,
    /// The message with its place and its help.
    text: String,
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {:?}>", self.text)
    }
}

impl From<&Notice> for Diagnostic {
    fn from(notice: &Notice) -> Diagnostic {
        let place = notice.message.place.as_ref();
        Diagnostic {
            severity: match notice.message.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            code: match notice.message.topic {
                Topic::Syntax => "syntax",
                Topic::Directive => "directive",
                Topic::Program => "program",
                Topic::File => "file",
            },
            message: notice.message.message.clone(),
            help: notice.message.notes.clone(),
            file: notice.file.clone(),
            line: notice.place.map(|[line, _]| line),
            column: notice.place.map(|[_, column]| column),
            offset: place.map(|place| place.start),
            length: place.map(|place| place.len()),
            text: notice.to_string(),
        }
    }
}

/// All messages, in their order.
pub(crate) fn diagnostics(notices: &[Notice]) -> Vec<Diagnostic> {
    notices.iter().map(Diagnostic::from).collect()
}

/// A message with its line and carets below the place.
fn shown(notice: &Notice) -> String {
    let text = notice.to_string();
    let Some(line) = notice.shown() else {
        return text;
    };
    match text.split_once('\n') {
        Some((first, rest)) => format!("{first}\n{line}\n{rest}"),
        None => format!("{text}\n{line}"),
    }
}

/// The exception for a program that is not loaded.
pub(crate) fn program_error(py: Python<'_>, error: &LoadError) -> PyErr {
    let texts: Vec<String> = error.notices.iter().map(shown).collect();
    let exception = ProgramError::new_err(texts.join("\n"));
    match complete(exception.value(py), &error.notices) {
        Ok(()) => exception,
        Err(other) => other,
    }
}

/// Adds what an exception has besides its text: the list, and a note from Python 3.11 on.
fn complete(exception: &Bound<'_, PyBaseException>, notices: &[Notice]) -> PyResult<()> {
    exception.setattr("diagnostics", diagnostics(notices))?;
    let is_error = |notice: &&Notice| notice.message.severity == Severity::Error;
    let (errors, all) = (notices.iter().filter(is_error).count(), notices.len());
    if all > 1 && exception.hasattr("add_note")? {
        let warnings = all - errors;
        let note = format!("{errors} errors and {warnings} warnings in all");
        exception.call_method1("add_note", (note,))?;
    }
    Ok(())
}

/// A `ValueError` with the text of an error.
pub(crate) fn value_error(error: impl fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The exception for a draw that has failed, or was stopped.
pub(crate) fn draw_error(error: &DrawError, watch: &Watch) -> PyErr {
    if let DrawError::Stopped = error {
        return watch.reason();
    }
    if let DrawError::Span(_) = error {
        return PyRuntimeError::new_err(error.to_string());
    }
    value_error(error)
}

/// The same for a map.
pub(crate) fn map_error(error: &MapError, watch: &Watch) -> PyErr {
    if let MapError::Stopped { .. } = error {
        return watch.reason();
    }
    value_error(error)
}
