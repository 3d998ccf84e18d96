//! What a program is made of: it is pickled so, and made anew where it arrives.

use std::sync::Arc;

use attila_scene::Loader;
use attila_scene::source::Form;
use attila_shader::Stage;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::program::{language_named, stage_name, stage_named};

/// What `__reduce__` returns: a function that makes the object, and its arguments.
pub(crate) type Pickled<'py, T> = PyResult<(Bound<'py, PyAny>, T)>;

/// The bytes of a program, and how they are read.
#[derive(Clone)]
pub(crate) struct Recipe {
    pub(crate) name: String,
    pub(crate) bytes: Arc<[u8]>,
    /// What they are read as, whatever they look like.
    pub(crate) form: Form,
    pub(crate) stage: Option<Stage>,
    /// Which of several programs, from 1.
    pub(crate) number: Option<usize>,
}

/// The name of any text, where a language has its own.
const TEXT: &str = "text";

fn form_name(form: Form) -> Option<String> {
    match form {
        Form::Detect => None,
        Form::Text => Some(TEXT.to_owned()),
        Form::Assembly => Some("assembly".to_owned()),
        Form::Binary => Some("binary".to_owned()),
        Form::Language(name) => Some(name.to_lowercase()),
    }
}

impl Recipe {
    /// Of a text.
    pub(crate) fn text(text: &str) -> Recipe {
        Recipe {
            name: "program".to_owned(),
            bytes: text.as_bytes().into(),
            form: Form::Text,
            stage: None,
            number: None,
        }
    }

    pub(crate) fn loader(&self) -> Loader {
        let mut loader = Loader::new().form(self.form);
        if let Some(stage) = self.stage {
            loader = loader.stage(stage);
        }
        match self.number {
            Some(number) => loader.program(number),
            None => loader,
        }
    }

    /// As [`unpickled`](crate::program::unpickled) takes it.
    pub(crate) fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let bytes = PyBytes::new(py, &self.bytes);
        let stage = self.stage.map(stage_name);
        let form = form_name(self.form);
        (&self.name, bytes, form, stage, self.number).into_pyobject(py)
    }

    /// The reverse.
    pub(crate) fn of(parts: &Bound<'_, PyTuple>) -> PyResult<Recipe> {
        let (name, bytes, form, stage, number) = parts.extract()?;
        let (bytes, form, stage): (Vec<u8>, Option<String>, Option<String>) = (bytes, form, stage);
        Ok(Recipe {
            name,
            bytes: bytes.into(),
            form: match form.as_deref() {
                None => Form::Detect,
                Some(TEXT) => Form::Text,
                Some(language) => language_named(language)?,
            },
            stage: stage.as_deref().map(stage_named).transpose()?,
            number,
        })
    }
}
