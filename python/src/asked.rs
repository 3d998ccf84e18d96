//! Texture units that ask Python.

use std::panic;
use std::sync::{Mutex, PoisonError};

use attila_shader::TextureUnit;
use attila_shader::isa::TextureShape;
use attila_shader::machine::{Lanes, Lookup, QuadReg, TextureQuery};
use numpy::prelude::*;
use numpy::{PyArray1, PyArray2, PyUntypedArray};
use pyo3::exceptions::PyNotImplementedError;
use pyo3::prelude::*;

use crate::arrays::{Rows, View};
use crate::textures::Units;

/// The exception that has ended a call.
#[derive(Default)]
pub(crate) struct Raised(Mutex<Option<PyErr>>);

/// A panic that ends the call, without a message: the exception is told.
struct CallableRaised;

impl Raised {
    /// Runs `work`, and gives the exception of a callable if it has ended by one.
    pub(crate) fn catch<T>(&self, work: impl FnOnce() -> T) -> Result<T, PyErr> {
        let worked = panic::catch_unwind(panic::AssertUnwindSafe(work));
        worked.map_err(|panic| {
            let raised = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
            raised.unwrap_or_else(|| panic::resume_unwind(panic))
        })
    }

    fn end(&self, error: PyErr) -> ! {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        panic::resume_unwind(Box::new(CallableRaised))
    }
}

/// Units of a call, of which callables answer some.
pub(crate) struct Asked<'a> {
    pub(crate) units: &'a Units,
    pub(crate) raised: &'a Raised,
}

impl Asked<'_> {
    /// The units, as fast as they can be sampled.
    pub(crate) fn unit(&self) -> &dyn TextureUnit {
        match self.units.callables[..] {
            [] => &self.units.textures,
            [..] => self,
        }
    }

    fn callable(&self, unit: u8) -> Option<&Py<PyAny>> {
        let callables = &self.units.callables;
        let found = callables.iter().find(|(number, _)| *number == unit);
        found.map(|(_, callable)| callable)
    }
}

impl TextureUnit for Asked<'_> {
    fn has_unit(&self, unit: u8) -> bool {
        self.callable(unit).is_some() || self.units.textures.has_unit(unit)
    }

    fn kind(&self, unit: u8) -> Option<TextureShape> {
        self.units.textures.kind(unit)
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        let Some(callable) = self.callable(query.unit) else {
            return self.units.textures.answer(query);
        };
        let answer = Python::attach(|py| ask(callable.bind(py), query));
        answer.unwrap_or_else(|error| self.raised.end(error))
    }
}

/// Calls a callable with the coordinates of the pixels of a quad.
fn ask(callable: &Bound<'_, PyAny>, query: &TextureQuery) -> PyResult<QuadReg> {
    let py = callable.py();
    let answer = match query.lookup {
        Lookup::Sample { coords, .. } => {
            let coords = PyArray1::from_slice(py, by_pixel(&coords).as_flattened());
            callable.call1((coords.reshape([4, 4])?,))?
        }
        Lookup::Fetch { at, .. } => {
            let at = PyArray1::from_slice(py, by_pixel(&at).as_flattened());
            callable.call1((at.reshape([4, 4])?,))?
        }
        Lookup::Gather { .. }
        | Lookup::LevelOfDetail { .. }
        | Lookup::Size { .. }
        | Lookup::Samples => {
            let (unit, name) = (query.unit, query.mnemonic());
            return Err(PyNotImplementedError::new_err(format!(
                "texture {unit} is a callable, which answers samples and fetches; the program has `{name}`"
            )));
        }
    };
    Ok(by_component(texels(&answer)?))
}

/// Numbers of each pixel, of numbers of each component.
fn by_pixel<T: Copy>(components: &[Lanes<T>; 4]) -> [[T; 4]; 4] {
    std::array::from_fn(|lane| std::array::from_fn(|component| components[component][lane]))
}

fn by_component(pixels: [[u32; 4]; 4]) -> QuadReg {
    std::array::from_fn(|component| pixels.map(|pixel| pixel[component]))
}

/// The texels that a callable has answered with: four numbers for each pixel, or what NumPy broadcasts to these.
fn texels(answer: &Bound<'_, PyAny>) -> PyResult<[[u32; 4]; 4]> {
    if let Ok(array) = answer.cast::<PyArray2<f32>>()
        && array.shape() == [4, 4]
        && array.is_c_contiguous()
    {
        return words(array.as_untyped());
    }
    let numpy = answer.py().import("numpy")?;
    let mut array = numpy.call_method1("asarray", (answer,))?;
    let is_word = array
        .cast::<PyUntypedArray>()
        .is_ok_and(|array| View::of("", array).element.is_word());
    if !is_word {
        array = array.call_method1("astype", ("float32",))?;
    }
    let array = numpy.call_method1("broadcast_to", (array, (4, 4)))?;
    let array = numpy.call_method1("ascontiguousarray", (array,))?;
    words(array.cast::<PyUntypedArray>()?)
}

/// The words of an array of four by four without gaps.
fn words(array: &Bound<'_, PyUntypedArray>) -> PyResult<[[u32; 4]; 4]> {
    let view = View::of("the answer of a texture", array);
    let rows = Rows {
        row: 64,
        pitch: 64,
        rows: 1,
    };
    let words: [u32; 16] = bytemuck::pod_read_unaligned(view.read(rows)?.bytes());
    Ok(bytemuck::cast(words))
}
