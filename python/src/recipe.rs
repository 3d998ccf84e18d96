//! What a program is made of: it is pickled so, and made anew where it arrives.

use std::sync::Arc;

use attila_scene::Loader;
use attila_scene::source::Form;
use attila_shader::Stage;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::program::{stage_name, stage_named};

/// What `__reduce__` returns: a function that makes the object, and its arguments.
pub(crate) type Pickled<'py, T> = PyResult<(Bound<'py, PyAny>, T)>;

/// The bytes of a program, and how they are read.
#[derive(Clone)]
pub(crate) struct Recipe {
    pub(crate) name: String,
    pub(crate) bytes: Arc<[u8]>,
    /// Whether they are a text, whatever they look like.
    pub(crate) is_text: bool,
    pub(crate) stage: Option<Stage>,
    /// Which of several programs, from 1.
    pub(crate) number: Option<usize>,
}

impl Recipe {
    /// Of a text.
    pub(crate) fn text(text: &str) -> Recipe {
        Recipe {
            name: "program".to_owned(),
            bytes: text.as_bytes().into(),
            is_text: true,
            stage: None,
            number: None,
        }
    }

    pub(crate) fn loader(&self) -> Loader {
        let mut loader = Loader::new();
        if self.is_text {
            loader = loader.form(Form::Text);
        }
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
        (&self.name, bytes, self.is_text, stage, self.number).into_pyobject(py)
    }

    /// The reverse.
    pub(crate) fn of(parts: &Bound<'_, PyTuple>) -> PyResult<Recipe> {
        let (name, bytes, is_text, stage, number) = parts.extract()?;
        let (bytes, stage): (Vec<u8>, Option<String>) = (bytes, stage);
        Ok(Recipe {
            name,
            bytes: bytes.into(),
            is_text,
            stage: stage.as_deref().map(stage_named).transpose()?,
            number,
        })
    }
}
