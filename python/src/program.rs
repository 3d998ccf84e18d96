//! Programs: loaded, looked at, and prepared.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attila_scene::source::{Form, Loaded};
use attila_scene::{Loader, Notice};
use attila_shader::front::LANGUAGES;
use attila_shader::isa::Slots;
use attila_shader::{Engine, Stage};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::errors::{Diagnostic, diagnostics, program_error, value_error};
use crate::recipe::{Pickled, Recipe};
use crate::shader::Shader;

/// A program that has been read and checked. Programs do not change.
#[pyclass(frozen, module = "attila")]
pub(crate) struct Program {
    loaded: Arc<Loaded>,
    warnings: Vec<Notice>,
    recipe: Recipe,
}

/// What a program reads and writes.
#[pyclass(frozen, get_all, module = "attila")]
pub(crate) struct Usage {
    /// "vertex", "fragment", "geometry" or "compute".
    stage: &'static str,
    /// The components that are read of each input, such as `{6: "xy"}`.
    inputs: BTreeMap<usize, String>,
    /// The components that are written of each output.
    outputs: BTreeMap<usize, String>,
    /// The constants that instructions name.
    constants: Vec<usize>,
    /// The texture units that instructions name.
    textures: Vec<u32>,
    /// The registers of the names that the text has for inputs and constants.
    names: BTreeMap<String, String>,
    /// Whether fragments may be killed.
    kills: bool,
    /// Whether it asks for derivatives, or samples textures that need them.
    derivatives: bool,
}

const STAGES: [(&str, Stage); 4] = [
    ("vertex", Stage::Vertex),
    ("fragment", Stage::Fragment),
    ("geometry", Stage::Geometry),
    ("compute", Stage::Compute),
];

/// The name of a stage.
pub(crate) fn stage_name(stage: Stage) -> &'static str {
    let found = STAGES.iter().find(|(_, known)| *known == stage);
    found.map_or("", |(name, _)| name)
}

/// The stage with a name.
pub(crate) fn stage_named(name: &str) -> PyResult<Stage> {
    let found = STAGES.iter().find(|(known, _)| *known == name);
    found.map(|(_, stage)| *stage).ok_or_else(|| {
        PyValueError::new_err(format!(
            "there is no stage {name:?}; expected \"vertex\", \"fragment\", \"geometry\" or \"compute\""
        ))
    })
}

/// The engine with a name.
pub(crate) fn engine_named(name: &str) -> PyResult<Engine> {
    match name {
        "auto" => Ok(Engine::auto()),
        "jit" => Engine::jit().map_err(value_error),
        "interp" => Ok(Engine::interp()),
        _ => Err(PyValueError::new_err(format!(
            "there is no engine {name:?}; expected \"auto\", \"jit\" or \"interp\""
        ))),
    }
}

/// The registers of which components are used.
fn used(registers: &[Slots]) -> BTreeMap<usize, String> {
    let used = registers.iter().enumerate();
    let used = used.filter(|(_, slots)| !slots.is_empty());
    let letters = |slots: &Slots| {
        let letters = "xyzw".chars().enumerate();
        let letters = letters.filter(|(component, _)| slots.bits() >> component & 1 == 1);
        letters.map(|(_, letter)| letter).collect()
    };
    used.map(|(register, slots)| (register, letters(slots)))
        .collect()
}

fn read(py: Python<'_>, recipe: Recipe) -> PyResult<Program> {
    let read = || recipe.loader().read_program(&recipe.name, &recipe.bytes);
    let (loaded, warnings) = py.detach(read).map_err(|error| program_error(py, &error))?;
    Ok(Program {
        loaded: Arc::new(loaded),
        warnings,
        recipe,
    })
}

/// The form of programs in a language.
pub(crate) fn language_named(name: &str) -> PyResult<Form> {
    match name {
        "assembly" => return Ok(Form::Assembly),
        "binary" => return Ok(Form::Binary),
        _ => {}
    }
    let mut known = LANGUAGES.iter();
    let known = known.find(|language| language.name.to_lowercase() == name);
    known.map(|it| Form::Language(it.name)).ok_or_else(|| {
        let names = LANGUAGES
            .iter()
            .map(|it| format!("{:?}, ", it.name.to_lowercase()));
        let names: String = names.collect();
        PyValueError::new_err(format!(
            "there is no language {name:?}; expected {names}\"assembly\" or \"binary\""
        ))
    })
}

/// The bytes of a file. Python reads it, for its exceptions.
pub(crate) fn contents<'py>(py: Python<'py>, path: &Path) -> PyResult<Bound<'py, PyBytes>> {
    let file = py.import("pathlib")?.call_method1("Path", (path,))?;
    Ok(file.call_method0("read_bytes")?.cast_into::<PyBytes>()?)
}

/// Loads a program of any language and form.
///
/// `source` is a path, bytes, or a text: a `str` with a line break is a text, and one without is a path. Textures that a
/// text names by files are not read; `Scene` does that. `name` is what messages call the program; its suffix may tell the
/// language. `language` is "arb", "tgsi", "agal", "ctm", "assembly" or "binary", if the program does not tell it itself.
/// `stage` expects a program for a stage, and `program` takes one of several by its number from 1.
///
/// >>> program = attila.load("!!ARBfp1.0\nMUL result.color, fragment.color, 0.5;\nEND")
/// >>> print(program.disassemble(), end="")
/// mul o1, i1, 0.5 <- end
#[pyfunction]
#[pyo3(signature = (source, *, name=None, stage=None, language=None, program=None))]
pub(crate) fn load(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    name: Option<String>,
    stage: Option<&str>,
    language: Option<&str>,
    program: Option<usize>,
) -> PyResult<Program> {
    let recipe = |name: Option<String>, bytes: &[u8]| -> PyResult<Recipe> {
        Ok(Recipe {
            name: name.unwrap_or_else(|| "program".to_owned()),
            bytes: bytes.into(),
            form: language.map_or(Ok(Form::Detect), language_named)?,
            stage: stage.map(stage_named).transpose()?,
            number: program,
        })
    };
    if let Ok(bytes) = source.cast::<PyBytes>() {
        return read(py, recipe(name, bytes.as_bytes())?);
    }
    if let Ok(text) = source.cast::<PyString>() {
        let text: String = text.extract()?;
        if text.contains('\n') {
            return read(py, recipe(name, text.as_bytes())?);
        }
    }
    let path: PathBuf = source.extract().map_err(|_| {
        let kind = source.get_type().to_string();
        PyTypeError::new_err(format!(
            "source is {kind}; expected a path, bytes or a text"
        ))
    })?;
    let bytes = contents(py, &path)?;
    let name = name.unwrap_or_else(|| path.display().to_string());
    read(py, recipe(Some(name), bytes.as_bytes())?)
}

/// Assembles a program.
///
/// >>> attila.assemble("mov o1, i6")
/// <Program "program": 1 instructions>
#[pyfunction]
pub(crate) fn assemble(py: Python<'_>, text: &str) -> PyResult<Program> {
    read(py, Recipe::text(text))
}

/// The program that was pickled as `recipe`.
#[pyfunction]
#[pyo3(name = "_program")]
pub(crate) fn unpickled(py: Python<'_>, recipe: &Bound<'_, PyTuple>) -> PyResult<Program> {
    read(py, Recipe::of(recipe)?)
}

/// All that there is to say about the text of a program, errors and warnings.
///
/// >>> for it in attila.check("mul r0, r1\nfoo r0"):
/// ...     print(it.line, it.column, it.offset, it.severity, it.code, it.message)
/// 1 11 10 error syntax operand 2 of `mul` is missing
/// 2 1 11 error syntax unknown instruction `foo`
#[pyfunction]
#[pyo3(signature = (text, *, language=None))]
pub(crate) fn check(
    py: Python<'_>,
    text: &str,
    language: Option<&str>,
) -> PyResult<Vec<Diagnostic>> {
    let form = language.map_or(Ok(Form::Text), language_named)?;
    let loader = Loader::new().form(form);
    let notices = py.detach(|| match loader.read_program("program", text) {
        Ok((_, warnings)) => warnings,
        Err(error) => error.notices,
    });
    Ok(diagnostics(&notices))
}

#[pymethods]
impl Program {
    /// The program in assembly.
    fn disassemble(&self) -> String {
        self.loaded.program.program().to_string()
    }

    /// The program in assembly that can be run: comments say what its registers are for, and directives what they hold.
    ///
    /// >>> program = attila.load("!!ARBfp1.0\nMUL result.color, fragment.color, 0.5;\nEND")
    /// >>> attila.assemble(program.translate()).disassemble() == program.disassemble()
    /// True
    fn translate(&self, py: Python<'_>) -> PyResult<String> {
        let recipe = &self.recipe;
        let translated = py.detach(|| recipe.loader().translate(&recipe.name, &recipe.bytes));
        translated.map_err(|error| program_error(py, &error))
    }

    /// The program as bytes, 16 for each instruction, which can be loaded again.
    fn encode<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.loaded.program.program().encode())
    }

    /// The number of instructions.
    #[getter]
    fn instructions(&self) -> usize {
        self.loaded.program.program().insts().len()
    }

    /// Messages that keep it from nothing.
    #[getter]
    fn warnings(&self) -> Vec<Diagnostic> {
        diagnostics(&self.warnings)
    }

    /// What it reads and writes.
    #[getter]
    fn usage(&self) -> Usage {
        let (usage, program) = (self.loaded.program.usage(), self.loaded.program.program());
        let names = self.loaded.names.registers();
        Usage {
            stage: stage_name(program.stage()),
            inputs: used(&usage.inputs),
            outputs: used(&usage.outputs),
            constants: usage.constants.clone(),
            textures: (0..32)
                .filter(|unit| usage.textures >> unit & 1 == 1)
                .collect(),
            names: names
                .map(|(name, register)| (name.to_owned(), register.to_string()))
                .collect(),
            kills: usage.kills,
            derivatives: usage.derivatives,
        }
    }

    /// Makes it ready to run on an engine: "auto", "jit" or "interp".
    #[pyo3(signature = (engine="auto"))]
    fn prepare(slf: &Bound<'_, Self>, engine: &str) -> PyResult<Shader> {
        let (asked, program) = (engine.to_owned(), slf.get());
        let engine = engine_named(engine)?;
        let prepared = slf.py().detach(|| engine.prepare(&program.loaded.program));
        let shader = prepared.map_err(value_error)?;
        Ok(Shader::new(
            shader,
            program.loaded.clone(),
            slf.clone().unbind(),
            asked,
        ))
    }

    /// As its bytes and how they are read.
    pub(crate) fn __reduce__<'py>(&self, py: Python<'py>) -> Pickled<'py, (Bound<'py, PyTuple>,)> {
        let program = py.import("attila._cache")?.getattr("program")?;
        Ok((program, (self.recipe.parts(py)?,)))
    }

    fn __repr__(&self) -> String {
        let (name, count) = (&self.loaded.name, self.instructions());
        format!("<Program {name:?}: {count} instructions>")
    }
}

#[pymethods]
impl Usage {
    fn __repr__(&self) -> String {
        let Usage {
            stage,
            inputs,
            outputs,
            ..
        } = self;
        format!("<Usage of a {stage} program: inputs {inputs:?}, outputs {outputs:?}>")
    }
}
