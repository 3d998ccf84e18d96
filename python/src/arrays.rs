//! Memory of NumPy arrays: the only file with `unsafe` code.
//!
//! Pictures are written without the lock of the interpreter. What is written is entered in a list, so that no two draws have
//! the same pixels.
#![expect(
    unsafe_code,
    reason = "NumPy has no safe access to memory for writing without the lock"
)]

use std::slice;
use std::sync::{Mutex, MutexGuard, PoisonError};

use attila_shader::draw::{Buffer, PixelFormat};
use attila_shader::texture::{Dimension, Image, Size};
use attila_shader::{ColourFormat, DepthFormat};
use numpy::npyffi::{NPY_ARRAY_ALIGNED, NPY_ARRAY_WRITEABLE};
use numpy::prelude::*;
use numpy::{PyArray3, PyUntypedArray};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::errors::value_error;

/// Rows of bytes in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Rows {
    start: usize,
    /// Bytes of a row.
    row: usize,
    pitch: usize,
    rows: usize,
}

impl Rows {
    /// Bytes from the first to the last.
    fn span(&self) -> usize {
        match self.row {
            0 => 0,
            row => self
                .rows
                .checked_sub(1)
                .map_or(0, |above| above * self.pitch + row),
        }
    }

    /// Whether there is a byte that both have. Rows of different pitches count as overlapping if their spans do.
    fn overlaps(&self, other: &Rows) -> bool {
        let (first, second) = match self.start <= other.start {
            true => (self, other),
            false => (other, self),
        };
        let apart = second.start - first.start;
        if second.span() == 0 || apart >= first.span() {
            return false;
        }
        // A single row has the pitch of the other.
        let pitch = match first.rows {
            1 => second.pitch,
            _ => first.pitch,
        };
        if (second.rows > 1 && second.pitch != pitch) || first.row.max(second.row) > pitch {
            return true;
        }
        // Only these rows of the first can meet the first row of the second; further ones meet in the same way.
        let near = apart / pitch;
        [near, near + 1].into_iter().any(|k| {
            let at = k * pitch;
            k < first.rows && at < apart + second.row && apart < at + first.row
        })
    }
}

/// The rows that draws are writing.
static BUSY: Mutex<Vec<Rows>> = Mutex::new(Vec::new());

fn busy() -> MutexGuard<'static, Vec<Rows>> {
    BUSY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The right to write the pixels of an array, until it is dropped.
pub(crate) struct Pixels<'a, F> {
    format: F,
    width: u32,
    height: u32,
    rows: Rows,
    bytes: &'a mut [u8],
}

impl<F> Drop for Pixels<'_, F> {
    fn drop(&mut self) {
        let mut busy = busy();
        let own = busy.iter().position(|rows| *rows == self.rows);
        if let Some(own) = own {
            busy.swap_remove(own);
        }
    }
}

impl<F: PixelFormat> Pixels<'_, F> {
    /// As a target of draws.
    pub(crate) fn buffer(&mut self) -> Buffer<'_, F> {
        let buffer = Buffer::new(self.format, self.width, self.height, &mut *self.bytes);
        buffer.with_pitch(self.rows.pitch)
    }

    /// Pixels in a row, and rows.
    pub(crate) fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }
}

/// How an array is described in messages: `an array of shape (2, 3) and dtype int64`.
fn described(array: &Bound<'_, PyUntypedArray>) -> String {
    let shape: Vec<String> = array.shape().iter().map(usize::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let shape = shape.join(", ");
    format!(
        "an array of shape ({shape}{comma}) and dtype {}",
        array.dtype()
    )
}

/// The kind and the bytes of an element, if its bytes are in the order of this machine.
fn element(array: &Bound<'_, PyUntypedArray>) -> Option<(u8, usize)> {
    let dtype = array.dtype();
    let native = dtype.is_native_byteorder().unwrap_or(true);
    native.then(|| (dtype.kind(), dtype.itemsize()))
}

fn untyped<'a, 'py>(
    name: &str,
    expected: &str,
    object: &'a Bound<'py, PyAny>,
) -> PyResult<&'a Bound<'py, PyUntypedArray>> {
    object.cast::<PyUntypedArray>().map_err(|_| {
        let kind = object.get_type().to_string();
        PyTypeError::new_err(format!("{name} is {kind}; expected {expected}"))
    })
}

const COLOURS: &str = "an array of shape (height, width, 4) and dtype uint8, float16 or float32, \
    or of shape (height, width) and dtype float32";

/// Lends the pixels of a picture.
pub(crate) fn colour<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Pixels<'a, ColourFormat>> {
    let array = untyped("image", COLOURS, object)?;
    let format = match (array.shape(), element(array)) {
        ([_, _, 4], Some((b'u', 1))) => ColourFormat::Rgba8,
        ([_, _, 4], Some((b'f', 2))) => ColourFormat::Rgba16F,
        ([_, _, 4], Some((b'f', 4))) => ColourFormat::Rgba32F,
        ([_, _], Some((b'f', 4))) => ColourFormat::R32F,
        _ => return Err(unexpected("image", array, COLOURS)),
    };
    pixels("image", array, format)
}

const DEPTHS: &str = "an array of shape (height, width) and dtype float32";

/// Lends the depths of a picture.
pub(crate) fn depth<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Pixels<'a, DepthFormat>> {
    let array = untyped("depth", DEPTHS, object)?;
    match (array.shape(), element(array)) {
        ([_, _], Some((b'f', 4))) => pixels("depth", array, DepthFormat::D32F),
        _ => Err(unexpected("depth", array, DEPTHS)),
    }
}

fn unexpected(name: &str, array: &Bound<'_, PyUntypedArray>, expected: &str) -> PyErr {
    PyValueError::new_err(format!(
        "{name} is {}; expected {expected}",
        described(array)
    ))
}

/// Lends the memory of an array of pixels, whose shape is right.
fn pixels<'a, F: PixelFormat>(
    name: &str,
    array: &'a Bound<'_, PyUntypedArray>,
    format: F,
) -> PyResult<Pixels<'a, F>> {
    let (shape, strides) = (array.shape(), array.strides());
    let (height, width) = (shape[0], shape[1]);
    let row = width * format.bytes();
    // An empty array may have any strides.
    let empty = width == 0 || height == 0;
    let is_row = |axis: usize, bytes: usize| {
        empty || shape[axis] < 2 || usize::try_from(strides[axis]) == Ok(bytes)
    };
    let pitch = match height {
        0 | 1 => Some(row),
        _ if empty => Some(row),
        _ => usize::try_from(strides[0])
            .ok()
            .filter(|pitch| *pitch >= row),
    };
    let pitch = pitch
        .filter(|_| is_row(1, format.bytes()))
        .filter(|_| shape.len() == 2 || is_row(2, format.bytes() / 4))
        .ok_or_else(|| {
            let (pixel, what) = (format.bytes(), described(array));
            PyValueError::new_err(format!(
                "{name} is {what} with strides of {strides:?} bytes; expected pixels of {pixel} bytes next to each other \
                 in rows that follow each other without overlap"
            ))
        })?;
    let raw = array.as_array_ptr();
    // SAFETY: the pointer is that of a live array, as `array` is a reference to it.
    let (data, flags) = unsafe { ((*raw).fields.data.cast::<u8>(), (*raw).fields.flags) };
    if flags & NPY_ARRAY_WRITEABLE == 0 {
        return Err(PyValueError::new_err(format!(
            "{name} is {}, which is read-only; expected one that can be written",
            described(array)
        )));
    }
    let side = |pixels: usize| u32::try_from(pixels).map_err(value_error);
    let (width, height) = (side(width)?, side(height)?);
    let rows = Rows {
        start: data.addr(),
        row,
        pitch,
        rows: height as usize,
    };
    let mut busy = busy();
    if busy.iter().any(|other| other.overlaps(&rows)) {
        return Err(PyValueError::new_err(format!(
            "{name} has pixels that a draw is writing; expected an array that overlaps no other"
        )));
    }
    let bytes: &'a mut [u8] = match rows.span() {
        0 => &mut [],
        // SAFETY: all of the span is memory of the array: its first row begins at `data`, and its rows follow at multiples
        // of the pitch. The array lives as long as `'a`, and NumPy keeps the memory of an array that has references. No
        // other draw has the same pixels, and draws do not touch the bytes between rows. Python code that reads or writes
        // the pixels meanwhile is told not to: it gets bytes of both.
        span => unsafe { slice::from_raw_parts_mut(data, span) },
    };
    busy.push(rows);
    drop(busy);
    Ok(Pixels {
        format,
        width,
        height,
        rows,
        bytes,
    })
}

/// The array, or a copy if its elements are not at multiples of their size.
pub(crate) fn aligned<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the pointer is that of a live array.
    let flags = unsafe { (*array.as_array_ptr()).fields.flags };
    match flags & NPY_ARRAY_ALIGNED {
        0 => array.call_method0("copy"),
        _ => Ok(array.as_any().clone()),
    }
}

const TEXTURES: &str = "an array of shape (height, width, 4) and dtype uint8 or float32";

/// Copies the texels of an array.
pub(crate) fn texels(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Image> {
    let array = untyped(name, TEXTURES, object)?;
    let &[height, width, 4] = array.shape() else {
        return Err(unexpected(name, array, TEXTURES));
    };
    let side = |texels: usize| u32::try_from(texels).map_err(value_error);
    let (width, height) = (side(width)?, side(height)?);
    let object = aligned(array)?;
    if let Ok(bytes) = object.cast::<PyArray3<u8>>() {
        let bytes = bytes.try_readonly()?;
        let bytes: Vec<u8> = bytes.as_array().iter().copied().collect();
        return Image::from_rgba8(width, height, &bytes).map_err(value_error);
    }
    let Ok(floats) = object.cast::<PyArray3<f32>>() else {
        return Err(unexpected(name, array, TEXTURES));
    };
    let floats = floats.try_readonly()?;
    let floats: Vec<f32> = floats.as_array().iter().copied().collect();
    let texels = floats.as_chunks().0;
    Image::from_rgba32f(Dimension::D2, Size::d2(width, height), texels).map_err(value_error)
}
