//! Exceptions, and messages about programs.

use std::fmt;

use attila_scene::{LoadError, Notice, Severity};
use attila_shader::{DrawError, MapError};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
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

/// The exception for a program that is not loaded.
pub(crate) fn program_error(py: Python<'_>, error: &LoadError) -> PyErr {
    let exception = ProgramError::new_err(error.to_string());
    let list = diagnostics(&error.notices);
    match exception.value(py).setattr("diagnostics", list) {
        Ok(()) => exception,
        Err(other) => other,
    }
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
