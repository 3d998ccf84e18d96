//! Maps over arrays.

use std::collections::BTreeMap;

use attila_scene::Names;
use attila_shader::map::Map;
use attila_shader::{Column, map::ColumnMut};
use numpy::PyUntypedArray;
use numpy::prelude::*;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::arrays::{Element, Read, Rows, View, Write};
use crate::values::{Bank, words};

/// How the numbers of a column lie in memory.
#[derive(Clone, Copy)]
enum Layout {
    /// Elements of some components, so many numbers apart.
    Rows { components: usize, stride: usize },
    /// An array for each component, so many bytes apart.
    Columns { components: usize, apart: usize },
}

/// A column of an array of two axes, or the reason why it cannot be used where it is.
fn layout(view: &View<'_, '_, '_>) -> Result<Layout, &'static str> {
    let &[rows, components] = view.shape() else {
        return Err("it does not have two axes");
    };
    let row = components * view.item;
    if !view.is_aligned() {
        return Err("its elements are misaligned");
    }
    if view.is_packed_from(1) {
        let stride = view.stride(0, row);
        let stride = stride.filter(|it| *it >= row && it.is_multiple_of(view.item));
        let stride = stride.ok_or("its rows run backwards or overlap")? / view.item;
        return Ok(Layout::Rows { components, stride });
    }
    let is_packed = view.stride(0, view.item) == Some(view.item);
    match view.stride(1, rows * view.item) {
        Some(apart) if is_packed && apart >= rows * view.item => {
            Ok(Layout::Columns { components, apart })
        }
        Some(_) | None => Err("neither its rows nor its columns are without gaps"),
    }
}

/// The values of an input.
enum Values<'py> {
    /// Arrays of one or two axes: one with all components, or one for each.
    Arrays(Vec<Bound<'py, PyUntypedArray>>),
    Value([u32; 4]),
}

/// An input, and how its numbers are read.
pub(crate) struct Input<'py> {
    number: usize,
    values: Values<'py>,
    how: String,
}

const COLUMNS: &str = "shape (n, 1) to (n, 4) and dtype float32, int32 or uint32, \
    or a tuple of arrays of shape (n,) for the components, or a value";

/// The array in a form that columns have, and why it is a copy if it is one.
fn fit<'py>(
    name: &str,
    object: &Bound<'py, PyAny>,
    axes: usize,
) -> PyResult<(Bound<'py, PyUntypedArray>, Option<&'static str>)> {
    let expected = format!("an array of {COLUMNS}");
    let view = View::new(name, object, &expected)?;
    let shape = view.shape();
    if !view.element.is_word() || shape.len() != axes {
        return Err(view.unexpected(COLUMNS));
    }
    if axes == 2 && !(1..=4).contains(&shape[1]) {
        return Err(view.unexpected(COLUMNS));
    }
    let reason = match axes {
        1 if view.is_aligned() && view.is_packed_from(0) => None,
        1 => Some("its elements have gaps or are misaligned"),
        _ => layout(&view).err(),
    };
    let array = match reason {
        None => object.clone(),
        Some(_) => {
            let numpy = object.py().import("numpy")?;
            let kwargs = PyDict::new(object.py());
            kwargs.set_item("order", "C")?;
            numpy.call_method("array", (object,), Some(&kwargs))?
        }
    };
    Ok((array.cast_into::<PyUntypedArray>()?, reason))
}

/// The arrays of a tuple, if it has any.
fn tuple_of_arrays<'py>(object: &Bound<'py, PyAny>) -> Option<Vec<Bound<'py, PyAny>>> {
    if !object.is_instance_of::<PyTuple>() && !object.is_instance_of::<PyList>() {
        return None;
    }
    let items: Vec<_> = object.try_iter().ok()?.collect::<PyResult<_>>().ok()?;
    let is_array = |item: &Bound<'_, PyAny>| {
        let array = item.cast::<PyUntypedArray>();
        array.is_ok_and(|array| array.ndim() > 0)
    };
    items.iter().any(is_array).then_some(items)
}

impl<'py> Input<'py> {
    fn new(number: usize, object: &Bound<'py, PyAny>) -> PyResult<Input<'py>> {
        let name = format!("input {number}");
        if let Some(arrays) = tuple_of_arrays(object) {
            return Input::of_columns(number, &name, &arrays);
        }
        let is_value = object
            .cast::<PyUntypedArray>()
            .map_or(true, |array| array.shape() == [4] || array.ndim() == 0);
        if is_value {
            return Ok(Input {
                number,
                values: Values::Value(words(&name, object)?),
                how: "the same for all".to_owned(),
            });
        }
        let (array, reason) = fit(&name, object, 2)?;
        let how = match reason {
            Some(reason) => format!("copied: {reason}"),
            None => match layout(&View::of(&name, &array)) {
                Ok(Layout::Columns { .. }) => "read in place, by columns".to_owned(),
                Ok(Layout::Rows { .. }) | Err(_) => "read in place, by rows".to_owned(),
            },
        };
        Ok(Input {
            number,
            values: Values::Arrays(vec![array]),
            how,
        })
    }

    fn of_columns(number: usize, name: &str, arrays: &[Bound<'py, PyAny>]) -> PyResult<Input<'py>> {
        if !(1..=4).contains(&arrays.len()) {
            let count = arrays.len();
            let message = format!("{name} has {count} components; expected 1 to 4");
            return Err(PyValueError::new_err(message));
        }
        let mut how = "read in place, by columns".to_owned();
        let mut columns = Vec::new();
        for array in arrays {
            let (array, reason) = fit(name, array, 1)?;
            if let Some(reason) = reason {
                how = format!("copied, at least in part: {reason}");
            }
            columns.push(array);
        }
        Ok(Input {
            number,
            values: Values::Arrays(columns),
            how,
        })
    }

    /// The number of elements, unless they are all the same.
    fn count(&self) -> Option<usize> {
        match &self.values {
            Values::Arrays(arrays) => arrays.first().map(|array| array.shape()[0]),
            Values::Value(_) => None,
        }
    }

    fn lend(&self) -> PyResult<LentInput<'_>> {
        let arrays = match &self.values {
            Values::Value(words) => return Ok(LentInput::Value(words.map(f32::from_bits))),
            Values::Arrays(arrays) => arrays,
        };
        let name = format!("input {}", self.number);
        let [array] = &arrays[..] else {
            return lend_columns(&name, arrays).map(LentInput::Columns);
        };
        let view = View::of(&name, array);
        if array.ndim() == 1 {
            return lend_columns(&name, arrays).map(LentInput::Columns);
        }
        let rows = view.shape()[0];
        match layout(&view) {
            Ok(Layout::Rows { components, stride }) => {
                let lent = view.read(Rows {
                    row: components * 4,
                    pitch: stride * 4,
                    rows,
                })?;
                Ok(LentInput::Rows(lent, components, stride))
            }
            Ok(Layout::Columns { components, apart }) => {
                let lent = (0..components).map(|at| view.read_at(at * apart, column(rows)));
                Ok(LentInput::Columns(lent.collect::<PyResult<_>>()?))
            }
            Err(reason) => Err(PyValueError::new_err(format!("{name}: {reason}"))),
        }
    }
}

fn lend_columns<'a>(
    name: &str,
    arrays: &'a [Bound<'_, PyUntypedArray>],
) -> PyResult<Vec<Read<'a>>> {
    let lend = |array: &'a Bound<'_, PyUntypedArray>| {
        let rows = array.shape()[0];
        View::of(name, array).read(column(rows))
    };
    arrays.iter().map(lend).collect()
}

/// The bytes of so many numbers.
fn column(rows: usize) -> Rows {
    Rows {
        row: rows * 4,
        pitch: rows * 4,
        rows: 1,
    }
}

/// The numbers of an input, until they are dropped.
enum LentInput<'a> {
    Value([f32; 4]),
    Rows(Read<'a>, usize, usize),
    Columns(Vec<Read<'a>>),
}

impl LentInput<'_> {
    fn column(&self) -> Column<'_> {
        match self {
            LentInput::Value(value) => (*value).into(),
            LentInput::Rows(lent, components, stride) => {
                Column::strided(lent.numbers(), *stride, *components)
            }
            LentInput::Columns(columns) => match &columns[..] {
                [x] => [x.numbers()].into(),
                [x, y] => [x.numbers(), y.numbers()].into(),
                [x, y, z] => [x.numbers(), y.numbers(), z.numbers()].into(),
                [x, y, z, w, ..] => [x.numbers(), y.numbers(), z.numbers(), w.numbers()].into(),
                [] => [0.0; 4].into(),
            },
        }
    }
}

/// Memory for an output, until it is dropped.
enum LentOutput<'a> {
    Rows(Write<'a>, usize, usize),
    Columns(Vec<Write<'a>>),
}

const RESULTS: &str = "shape (n, 1) to (n, 4) and dtype float32, int32 or uint32, without gaps between components, \
    or a tuple of arrays of shape (n,) for the components";

/// Lends the memory of an output: an array of rows, or one for each component.
fn lend_output<'a>(name: &str, arrays: &'a [Bound<'_, PyAny>]) -> PyResult<LentOutput<'a>> {
    let view = |object: &'a Bound<'_, PyAny>, axes: usize| {
        let view = View::new(name, object, RESULTS)?;
        match view.element.is_word() && view.shape().len() == axes {
            true => Ok(view),
            false => Err(view.unexpected(RESULTS)),
        }
    };
    if let [array] = arrays
        && array
            .cast::<PyUntypedArray>()
            .is_ok_and(|it| it.ndim() == 2)
    {
        let view = view(array, 2)?;
        let rows = view.shape()[0];
        return match layout(&view) {
            Ok(Layout::Rows { components, stride }) if (1..=4).contains(&components) => {
                let lent = view.write(Rows {
                    row: components * 4,
                    pitch: stride * 4,
                    rows,
                })?;
                Ok(LentOutput::Rows(lent, components, stride))
            }
            Ok(Layout::Columns { components, apart }) if (1..=4).contains(&components) => {
                let lent = (0..components).map(|at| view.write_at(at * apart, column(rows)));
                Ok(LentOutput::Columns(lent.collect::<PyResult<_>>()?))
            }
            Ok(Layout::Rows { .. } | Layout::Columns { .. }) => Err(view.unexpected(RESULTS)),
            Err(reason) => Err(view.refused(&format!(": {reason}"), RESULTS)),
        };
    }
    if !(1..=4).contains(&arrays.len()) {
        let count = arrays.len();
        let message = format!("{name} has {count} components; expected 1 to 4");
        return Err(PyValueError::new_err(message));
    }
    let lent = arrays.iter().map(|array| {
        let view = view(array, 1)?;
        match view.is_packed_from(0) {
            true => view.write(column(view.shape()[0])),
            false => Err(view.refused(", whose elements have gaps", RESULTS)),
        }
    });
    Ok(LentOutput::Columns(lent.collect::<PyResult<_>>()?))
}

impl LentOutput<'_> {
    fn column(&mut self) -> ColumnMut<'_> {
        match self {
            LentOutput::Rows(lent, components, stride) => {
                ColumnMut::strided(lent.numbers(), *stride, *components)
            }
            LentOutput::Columns(columns) => match &mut columns[..] {
                [x, y, z, w] => [x.numbers(), y.numbers(), z.numbers(), w.numbers()].into(),
                [x, y, z] => [x.numbers(), y.numbers(), z.numbers()].into(),
                [x, y] => [x.numbers(), y.numbers()].into(),
                [x, ..] => [x.numbers()].into(),
                [] => ColumnMut::strided(&mut [], 1, 1),
            },
        }
    }
}

/// Inputs and outputs of a map, before their memory is lent.
pub(crate) struct Arrays<'py> {
    inputs: Vec<Input<'py>>,
    outputs: BTreeMap<usize, Output<'py>>,
    killed: Option<Bound<'py, PyAny>>,
}

/// An output: what callers are given, and its arrays.
struct Output<'py> {
    object: Bound<'py, PyAny>,
    arrays: Vec<Bound<'py, PyAny>>,
    is_fresh: bool,
}

impl<'py> Arrays<'py> {
    /// Inputs by numbers and names, and outputs: those of `out`, and fresh ones for the rest of `outputs`.
    pub(crate) fn new(
        py: Python<'py>,
        names: &Names,
        inputs: &Bound<'py, PyDict>,
        outputs: &[usize],
        (out, killed): (Option<&Bound<'py, PyDict>>, Option<Bound<'py, PyAny>>),
    ) -> PyResult<Arrays<'py>> {
        let given = Bank::Input.numbered(Some(inputs), names)?;
        let inputs = given.iter().map(|(number, it)| Input::new(*number, it));
        let inputs: Vec<Input<'py>> = inputs.collect::<PyResult<_>>()?;
        let mut all = BTreeMap::new();
        for (number, object) in Bank::Output.numbered(out, names)? {
            let arrays = match tuple_of_arrays(&object) {
                Some(arrays) => arrays,
                None => vec![object.clone()],
            };
            all.insert(
                number,
                Output {
                    object,
                    arrays,
                    is_fresh: false,
                },
            );
        }
        let mut counts = inputs.iter().filter_map(Input::count);
        let given = all.values().flat_map(|output| &output.arrays);
        let mut given = given.filter_map(|array| array.cast::<PyUntypedArray>().ok());
        let count = counts
            .next()
            .or_else(|| given.find_map(|array| array.shape().first().copied()));
        for number in outputs {
            if all.contains_key(number) {
                continue;
            }
            let count = count.ok_or_else(|| {
                PyValueError::new_err("no input is an array; expected at least one of shape (n, 4)")
            })?;
            // NumPy's own function: it raises `MemoryError`, or `ValueError` for more than there can be.
            let object = py
                .import("numpy")?
                .call_method1("zeros", ((count, 4), "float32"))?;
            let arrays = vec![object.clone()];
            all.insert(
                *number,
                Output {
                    object,
                    arrays,
                    is_fresh: true,
                },
            );
        }
        Ok(Arrays {
            inputs,
            outputs: all,
            killed,
        })
    }

    /// How each of them is read or written.
    pub(crate) fn explain(&self) -> BTreeMap<String, String> {
        let inputs = self.inputs.iter();
        let inputs = inputs.map(|input| (format!("i{}", input.number), input.how.clone()));
        let outputs = self.outputs.iter().map(|(number, output)| {
            let how = match output.is_fresh {
                true => "a fresh array",
                false => "written in place",
            };
            (format!("o{number}"), how.to_owned())
        });
        inputs.chain(outputs).collect()
    }

    /// Lends all memory.
    pub(crate) fn lend(&self) -> PyResult<Lent<'_>> {
        let inputs = self.inputs.iter();
        let inputs = inputs.map(|input| Ok((input.number, input.lend()?)));
        let outputs = self.outputs.iter().map(|(number, output)| {
            let lent = lend_output(&format!("output {number}"), &output.arrays)?;
            Ok((*number, lent))
        });
        Ok(Lent {
            inputs: inputs.collect::<PyResult<_>>()?,
            outputs: outputs.collect::<PyResult<_>>()?,
            killed: self.killed.as_ref().map(lend_killed).transpose()?,
        })
    }

    /// The outputs by their numbers.
    pub(crate) fn results(self) -> BTreeMap<usize, Bound<'py, PyAny>> {
        let outputs = self.outputs.into_iter();
        outputs
            .map(|(number, output)| (number, output.object))
            .collect()
    }
}

/// The memory of a map, until it is dropped.
pub(crate) struct Lent<'a> {
    inputs: Vec<(usize, LentInput<'a>)>,
    outputs: Vec<(usize, LentOutput<'a>)>,
    killed: Option<Write<'a>>,
}

impl Lent<'_> {
    /// Gives a map its columns.
    pub(crate) fn set_on<'a>(&'a mut self, mut map: Map<'a>) -> Map<'a> {
        for (number, input) in &self.inputs {
            map = map.input(*number, input.column());
        }
        for (number, output) in &mut self.outputs {
            map = map.output(*number, output.column());
        }
        match &mut self.killed {
            Some(killed) => map.killed(killed.bytes()),
            None => map,
        }
    }
}

fn lend_killed<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Write<'a>> {
    let expected = "an array of shape (n,) and dtype bool or uint8";
    let view = View::new("killed", object, expected)?;
    let is_byte = matches!(view.element, Element::Bool | Element::U8);
    match view.shape() {
        &[rows] if is_byte && view.is_packed_from(0) => view.write(Rows {
            row: rows,
            pitch: rows,
            rows: 1,
        }),
        _ => Err(view.unexpected(expected)),
    }
}

/// The outputs that callers choose by numbers or names.
pub(crate) fn chosen(
    names: &Names,
    given: Option<&Bound<'_, PyAny>>,
    all: impl Iterator<Item = usize>,
) -> PyResult<Vec<usize>> {
    let Some(given) = given else {
        return Ok(all.collect());
    };
    let keys = given.try_iter().map_err(|_| {
        let kind = given.get_type().to_string();
        PyTypeError::new_err(format!("outputs is {kind}; expected a list of outputs"))
    })?;
    keys.map(|key| Bank::Output.number(&key?, names)).collect()
}
