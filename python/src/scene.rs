//! Scenes: programs in files, with the textures, inputs and constants that they name.

use std::path::PathBuf;

use attila_scene::Loader;
use attila_shader::draw::MAX_SIZE;
use attila_shader::{ColourFormat, Draw};
use numpy::PyArray3;
use pyo3::prelude::*;

use crate::errors::{Diagnostic, diagnostics, draw_error, program_error, value_error};
use crate::program::{contents, engine_named};
use crate::signals::{Watch, listener};
use crate::targets::{Formats, Objects};

/// A program in a file with all that it is drawn with: what the command `attila render` draws.
#[pyclass(frozen, module = "attila")]
pub(crate) struct Scene {
    scene: attila_scene::Scene,
}

#[pymethods]
impl Scene {
    /// Loads a file, and the textures that it names.
    #[staticmethod]
    fn from_file(py: Python<'_>, path: PathBuf) -> PyResult<Scene> {
        let bytes = contents(py, &path)?;
        let (name, bytes) = (path.display().to_string(), bytes.as_bytes());
        let loaded = py.detach(|| Loader::new().read(&name, bytes));
        let scene = loaded.map_err(|error| program_error(py, &error))?;
        Ok(Scene { scene })
    }

    /// Messages that keep it from nothing.
    #[getter]
    fn warnings(&self) -> Vec<Diagnostic> {
        diagnostics(&self.scene.warnings)
    }

    /// Draws a picture: an array of shape (height, width, 4) and dtype uint8.
    #[pyo3(signature = (width, height, *, engine="auto", threads=1, progress=None))]
    fn draw<'py>(
        &self,
        py: Python<'py>,
        width: u32,
        height: u32,
        engine: &str,
        threads: usize,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        if width.max(height) > MAX_SIZE {
            return Err(value_error(format!(
                "a picture of {width} times {height} pixels; the limit is {MAX_SIZE} along a side"
            )));
        }
        let engine = engine_named(engine)?;
        let shader = py
            .detach(|| self.scene.shader(&engine))
            .map_err(value_error)?;
        let image = PyArray3::<u8>::zeros(py, [height as usize, width as usize, 4], false);
        let bindings = self.scene.bindings();
        let objects = Objects::new(image.as_any(), None)?;
        let mut targets = objects.lend(&Formats::default())?;
        let watch = Watch::new(listener(py, progress)?, threads);
        let tell = |done: u64, all: u64| watch.tell(done, all);
        let draw = self.scene.draw_on(Draw::new(&shader), [width, height]);
        let draw = draw.target(0, ColourFormat::Rgba8).threads(threads);
        let mut prepared = draw.prepare().map_err(value_error)?;
        let mut frame = targets.set_on(prepared.frame(&bindings)).progress(&tell);
        let drawn = watch.run(py, || frame.rect(0..width, 0..height));
        drawn.map_err(|error| draw_error(&error, &watch))?;
        drop(targets);
        Ok(image)
    }
}
