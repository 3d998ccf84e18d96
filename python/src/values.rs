//! Registers, words and values as Python writes them.

use attila_scene::Names;
use attila_scene::varying::LinearInput;
use attila_shader::draw::{Interpolation, Plane, Varying};
use attila_shader::isa::{self, CONSTANTS, INPUTS, OUTPUTS, STORAGE_BUFFERS};
use attila_shader::texture::UNITS;
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::arrays::View;
use crate::errors::value_error;

/// What callers name by a number or a name.
#[derive(Clone, Copy)]
pub(crate) enum Bank {
    Input,
    Output,
    Constant,
    Storage,
    Texture,
}

impl Bank {
    fn letter(self) -> char {
        match self {
            Bank::Input => 'i',
            Bank::Output => 'o',
            Bank::Constant => 'c',
            Bank::Storage => 'u',
            Bank::Texture => 't',
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Bank::Input => "an input",
            Bank::Output => "an output",
            Bank::Constant => "a constant",
            Bank::Storage => "a storage buffer",
            Bank::Texture => "a texture unit",
        }
    }

    fn count(self) -> usize {
        match self {
            Bank::Input => INPUTS,
            Bank::Output => OUTPUTS,
            Bank::Constant => CONSTANTS,
            Bank::Storage => STORAGE_BUFFERS.into(),
            Bank::Texture => UNITS,
        }
    }

    /// The number of what a name of a text, or of the machine, stands for, if it is one of these.
    fn number_of(self, name: &str, names: &Names) -> PyResult<Option<usize>> {
        let bank = match self {
            Bank::Input => isa::Bank::Input,
            Bank::Output => isa::Bank::Output,
            Bank::Constant => isa::Bank::Constant,
            Bank::Storage | Bank::Texture => {
                let letter = self.letter();
                let digits = name.strip_prefix([letter, letter.to_ascii_uppercase()]);
                return Ok(digits.and_then(|digits| digits.parse().ok()));
            }
        };
        let register = names.register(name);
        let register = register.map_err(|error| PyKeyError::new_err(error.to_string()))?;
        Ok((register.bank() == bank).then(|| register.index()))
    }

    /// The number that a key means: one, or a name in a program with these names.
    pub(crate) fn number(self, key: &Bound<'_, PyAny>, names: &Names) -> PyResult<usize> {
        let number = match key.cast::<PyString>() {
            Ok(name) => self.number_of(&name.to_string_lossy(), names)?,
            Err(_) => key.extract::<usize>().ok(),
        };
        number.filter(|it| *it < self.count()).ok_or_else(|| {
            let name = match key.cast::<PyString>() {
                Ok(name) => format!("`{name}`"),
                Err(_) => key.to_string(),
            };
            let (noun, letter, last) = (self.noun(), self.letter(), self.count() - 1);
            PyKeyError::new_err(format!("{name} is not {noun}: {letter}0 to {letter}{last}"))
        })
    }

    /// What a dict has, by numbers.
    pub(crate) fn numbered<'py>(
        self,
        given: Option<&Bound<'py, PyDict>>,
        names: &Names,
    ) -> PyResult<Vec<(usize, Bound<'py, PyAny>)>> {
        let items = given.into_iter().flatten();
        items
            .map(|(key, value)| Ok((self.number(&key, names)?, value)))
            .collect()
    }
}

/// Choices by their words.
pub(crate) type Words<T> = [(&'static str, T)];

/// What a word stands for.
pub(crate) fn word<T: Copy>(what: &str, text: &str, words: &Words<T>) -> PyResult<T> {
    let found = words.iter().find(|(word, _)| *word == text);
    found.map(|(_, it)| *it).ok_or_else(|| {
        let known: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
        let known = known.join(", ");
        PyValueError::new_err(format!("{what} is {text:?}; expected one of {known}"))
    })
}

/// The value of a register: four numbers, or one for all components. Arrays of integers of 32 bits are the bits.
pub(crate) fn words(name: &str, object: &Bound<'_, PyAny>) -> PyResult<[u32; 4]> {
    if let Ok(array) = object.cast::<PyUntypedArray>()
        && let Some(words) = View::of(name, array).words()
    {
        return Ok(words);
    }
    vector(name, object).map(|vector| vector.map(f32::to_bits))
}

/// The same of numbers.
pub(crate) fn vector(name: &str, object: &Bound<'_, PyAny>) -> PyResult<[f32; 4]> {
    if let Ok(all) = object.extract::<f32>() {
        return Ok([all; 4]);
    }
    let numbers = object.extract::<Vec<f32>>().map_err(|_| {
        let kind = object.get_type().to_string();
        PyTypeError::new_err(format!(
            "{name} is {kind}; expected a number or four numbers"
        ))
    })?;
    let count = numbers.len();
    numbers.try_into().map_err(|_| {
        PyValueError::new_err(format!("{name} has {count} numbers; expected one or four"))
    })
}

/// An input of a draw.
#[derive(Clone)]
pub(crate) enum Given {
    /// Over the picture, of whatever size it is.
    Linear(LinearInput),
    /// From the first pixel of the picture on, or from vertices.
    Fixed(Varying<'static>),
    /// A value for each pixel.
    Pixels,
}

impl Given {
    pub(crate) fn over(&self, size: [u32; 2]) -> Varying<'static> {
        // A picture without pixels has planes of the same kinds, too.
        let [width, height] = size.map(|side| side.max(1));
        match self {
            Given::Linear(input) => input.over(width as usize, height as usize),
            Given::Fixed(varying) => *varying,
            Given::Pixels => Varying::quads(&[]),
        }
    }
}

const INTERPOLATIONS: &Words<Interpolation> = &[
    ("perspective", Interpolation::Perspective),
    ("linear", Interpolation::Linear),
    ("flat", Interpolation::Flat),
];

/// An input of a draw: a text such as `2*u, v, 0, 1`, or how an attribute is spread; planes; an array over pixels; or a
/// value.
pub(crate) fn varying(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Given> {
    if let Ok(text) = object.extract::<String>() {
        let spread = INTERPOLATIONS.iter().find(|(word, _)| *word == text);
        if let Some((_, interpolation)) = spread {
            return Ok(Given::Fixed(Varying::vertices(*interpolation)));
        }
        let parsed = text.parse::<LinearInput>();
        return parsed
            .map(Given::Linear)
            .map_err(|error| value_error(format!("{name}: {error}")));
    }
    if let Ok(array) = object.cast::<PyUntypedArray>()
        && View::of(name, array).shape().len() == 3
    {
        return Ok(Given::Pixels);
    }
    if let Ok(planes) = object.extract::<[[f32; 3]; 4]>() {
        let planes = planes.map(|[at, dx, dy]| Plane { at, dx, dy });
        return Ok(Given::Fixed(Varying::linear(planes)));
    }
    let value = words(name, object)?.map(f32::from_bits);
    Ok(Given::Linear(LinearInput::constant(value)))
}
