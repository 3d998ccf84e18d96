//! Registers and values as Python writes them.

use attila_scene::Names;
use attila_scene::varying::LinearInput;
use attila_shader::isa::{CONSTANTS, INPUTS};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::errors::value_error;

/// A register: its number or its name.
#[derive(FromPyObject, IntoPyObject, Hash, PartialEq, Eq)]
pub(crate) enum Key {
    Number(usize),
    Name(String),
}

/// Registers that callers set.
#[derive(Clone, Copy)]
pub(crate) enum Bank {
    Input,
    Constant,
}

impl Key {
    /// The number of the register in a program with these names.
    pub(crate) fn number(&self, names: &Names, bank: Bank) -> PyResult<usize> {
        let (letter, kind, end) = match bank {
            Bank::Input => ('i', "an input", INPUTS),
            Bank::Constant => ('c', "a constant", CONSTANTS),
        };
        let number = match self {
            Key::Number(number) => Some(*number),
            Key::Name(name) => {
                let register = names.register(name);
                let register = register.map_err(|error| PyKeyError::new_err(error.to_string()))?;
                let digits = register.strip_prefix([letter, letter.to_ascii_uppercase()]);
                digits.and_then(|digits| digits.parse().ok())
            }
        };
        let number = number.filter(|number| *number < end);
        number.ok_or_else(|| {
            let name = match self {
                Key::Number(number) => number.to_string(),
                Key::Name(name) => format!("`{name}`"),
            };
            let last = end - 1;
            PyKeyError::new_err(format!("{name} is not {kind}: {letter}0 to {letter}{last}"))
        })
    }
}

/// The value of a register: four numbers, or one for all components.
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

/// An input that changes linearly: a text such as `2*u, v, 0, 1`, or a value.
pub(crate) fn linear(name: &str, object: &Bound<'_, PyAny>) -> PyResult<LinearInput> {
    match object.extract::<String>() {
        Ok(text) => {
            let parsed = text.parse::<LinearInput>();
            parsed.map_err(|error| value_error(format!("{name}: {error}")))
        }
        Err(_) => vector(name, object).map(LinearInput::constant),
    }
}
