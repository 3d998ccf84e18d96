//! Scenes: programs with the textures, inputs and constants that they are drawn with. `attila/_scene.py` is their door.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use attila_scene::picture::{FileKind, Picture};
use attila_scene::{LoadError, Loader};
use attila_shader::draw::DepthState;
use attila_shader::front::ParameterValues;
use attila_shader::{Draw, Shader, Stage};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{Diagnostic, diagnostics, draw_error, program_error, value_error};
use crate::program::engine_named;
use crate::signals::{Watch, listener};
use crate::targets::{Formats, Objects};

/// A scene that has been loaded.
#[pyclass(frozen, name = "_Scene", module = "attila._attila")]
pub(crate) struct Scene {
    scene: attila_scene::Scene,
    size: [u32; 2],
    files: Files,
    /// On each of [`ENGINES`].
    shaders: [OnceLock<Shader>; ENGINES.len()],
}

const ENGINES: [&str; 3] = ["auto", "jit", "interp"];

/// Bytes by paths.
type Files = BTreeMap<String, Vec<u8>>;

/// Loads a scene, and the files that it names: those of `given`, or of the file system.
fn load(
    loader: &Loader,
    name: &str,
    source: &[u8],
    given: Option<Files>,
) -> Result<(attila_scene::Scene, Files), LoadError> {
    let opened = Mutex::new(Files::new());
    let open = |path: &Path| -> io::Result<Box<dyn Read>> {
        let name = path.to_string_lossy().into_owned();
        let bytes = match &given {
            Some(files) => files.get(&name).cloned().ok_or(io::ErrorKind::NotFound)?,
            None => std::fs::read(path)?,
        };
        let mut opened = opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.insert(name, bytes.clone());
        Ok(Box::new(Cursor::new(bytes)))
    };
    let scene = loader.read_with(name, source, &open)?;
    let opened = opened.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((scene, opened))
}

/// A loader with settings as the command has them: kinds and texts.
fn loader(
    size: [u32; 2],
    program: Option<usize>,
    settings: &[(String, String)],
) -> PyResult<Loader> {
    let mut loader = Loader::new().parameters(ParameterValues {
        window: size,
        ..ParameterValues::default()
    });
    loader = match program {
        Some(number) => loader.program(number),
        None => loader.stage(Stage::Fragment),
    };
    for (kind, text) in settings {
        let set = match kind.as_str() {
            "set" => loader.set(text),
            "varying" => loader.varying(text),
            _ => loader.texture(text),
        };
        loader = set.map_err(|error| value_error(format!("{text}: {error}")))?;
    }
    Ok(loader)
}

#[pymethods]
impl Scene {
    #[new]
    fn new(
        py: Python<'_>,
        name: &str,
        source: &[u8],
        size: [u32; 2],
        program: Option<usize>,
        settings: Vec<(String, String)>,
        files: Option<Files>,
    ) -> PyResult<Scene> {
        let loader = loader(size, program, &settings)?;
        let loaded = py.detach(|| load(&loader, name, source, files));
        let (scene, files) = loaded.map_err(|error| program_error(py, &error))?;
        Ok(Scene {
            scene,
            size,
            files,
            shaders: Default::default(),
        })
    }

    /// The files that it names.
    fn files<'py>(&self, py: Python<'py>) -> BTreeMap<&str, Bound<'py, PyBytes>> {
        let files = self.files.iter();
        files
            .map(|(name, bytes)| (name.as_str(), PyBytes::new(py, bytes)))
            .collect()
    }

    /// Messages that keep it from nothing.
    fn warnings(&self) -> Vec<Diagnostic> {
        diagnostics(&self.scene.warnings)
    }

    /// Draws the part of the picture at `origin` that has the size of an array, into the array.
    fn draw(
        &self,
        py: Python<'_>,
        image: &Bound<'_, PyAny>,
        origin: [i32; 2],
        engine: &str,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let shader = self.shader(py, engine)?;
        let bindings = self.scene.bindings();
        let objects = Objects::new(image, None)?;
        let mut named = Formats::default();
        let formats = objects.formats(&mut named)?;
        let mut targets = objects.lend(&named)?;
        let watch = Watch::new(listener(py, progress)?, threads);
        let tell = |done: u64, all: u64| watch.tell(done, all);
        let draw = self.scene.draw_on(Draw::new(shader), self.size);
        let draw = formats.describe(draw.threads(threads), DepthState::default());
        let mut prepared = draw.prepare().map_err(value_error)?;
        let frame = targets.set_on(prepared.frame(&bindings));
        let mut frame = frame.origin(origin, self.size).progress(&tell);
        let drawn = watch.run(py, || frame.rect(0..self.size[0], 0..self.size[1]));
        drawn.map_err(|error| draw_error(&error, &watch))
    }
}

/// A PNG file of pixels of red, green, blue and alpha, each a byte.
#[pyfunction]
#[pyo3(name = "_png")]
pub(crate) fn png<'py>(
    py: Python<'py>,
    pixels: &[u8],
    width: usize,
    alpha: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let (pixels, _) = pixels.as_chunks();
    let picture = Picture::from_pixels(width, pixels.to_vec());
    let picture = if alpha { picture } else { picture.opaque() };
    let file = py.detach(|| picture.to_file(FileKind::Png));
    Ok(PyBytes::new(py, &file.map_err(value_error)?))
}

impl Scene {
    /// The scene's shader, which is made once for each engine.
    fn shader(&self, py: Python<'_>, name: &str) -> PyResult<&Shader> {
        let engine = engine_named(name)?;
        let place = ENGINES.iter().position(|known| *known == name);
        let place = &self.shaders[place.unwrap_or_default()];
        if let Some(shader) = place.get() {
            return Ok(shader);
        }
        let shader = py.detach(|| self.scene.shader(&engine));
        let shader = shader.map_err(value_error)?;
        Ok(place.get_or_init(|| shader))
    }
}
