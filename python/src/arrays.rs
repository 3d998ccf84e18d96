//! Memory of NumPy arrays: the only file with `unsafe` code.
//!
//! Memory is read and written without the lock of the interpreter. What is lent is entered in a list, so that nothing is
//! written that another call reads or writes.
#![expect(
    unsafe_code,
    reason = "NumPy has no safe access to memory without the lock"
)]

use std::slice;
use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::PyUntypedArray;
use numpy::npyffi::{NPY_ARRAY_ALIGNED, NPY_ARRAY_WRITEABLE};
use numpy::prelude::*;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Rows of bytes in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rows {
    /// Bytes of a row.
    pub(crate) row: usize,
    /// Bytes from one row to the next.
    pub(crate) pitch: usize,
    pub(crate) rows: usize,
}

impl Rows {
    /// Bytes from the first to the last.
    pub(crate) fn span(&self) -> usize {
        match self.row {
            0 => 0,
            row => self
                .rows
                .checked_sub(1)
                .map_or(0, |above| above * self.pitch + row),
        }
    }

    /// The same without gaps, as one row.
    pub(crate) fn joined(&self) -> Rows {
        let span = self.span();
        Rows {
            row: span,
            pitch: span,
            rows: 1,
        }
    }
}

/// Rows at an address.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    start: usize,
    rows: Rows,
}

impl Place {
    /// Whether there is a byte that both have. Rows of different pitches count as overlapping if their spans do.
    fn overlaps(&self, other: &Place) -> bool {
        let (first, second) = match self.start <= other.start {
            true => (self, other),
            false => (other, self),
        };
        let apart = second.start - first.start;
        let (first, second) = (first.rows, second.rows);
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

/// The right to use memory, until it is dropped.
#[derive(PartialEq, Eq)]
struct Loan {
    place: Place,
    writes: bool,
}

static LOANS: Mutex<Vec<(Place, bool)>> = Mutex::new(Vec::new());

fn loans() -> MutexGuard<'static, Vec<(Place, bool)>> {
    LOANS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Loan {
    /// `None` if a call writes some of it, or reads what is to be written.
    fn new(place: Place, writes: bool) -> Option<Loan> {
        let mut loans = loans();
        let meets =
            |(other, written): &(Place, bool)| (writes || *written) && (other.overlaps(&place));
        if loans.iter().any(meets) {
            return None;
        }
        loans.push((place, writes));
        Some(Loan { place, writes })
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        let mut loans = loans();
        let own = (self.place, self.writes);
        if let Some(own) = loans.iter().position(|loan| *loan == own) {
            loans.swap_remove(own);
        }
    }
}

/// Memory of an array that nobody writes.
pub(crate) struct Read<'a> {
    bytes: &'a [u8],
    _loan: Loan,
}

impl Read<'_> {
    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes
    }

    /// As numbers, or words, of 2 or 4 bytes: those of an aligned array.
    pub(crate) fn numbers<T: bytemuck::Pod>(&self) -> &[T] {
        // No bytes are at no address in particular.
        match self.bytes {
            [] => &[],
            bytes => bytemuck::cast_slice(bytes),
        }
    }
}

/// Memory of an array that only its holder reads and writes.
pub(crate) struct Write<'a> {
    bytes: &'a mut [u8],
    _loan: Loan,
}

impl Write<'_> {
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        self.bytes
    }

    /// As [`Read::numbers`].
    pub(crate) fn numbers(&mut self) -> &mut [f32] {
        match &mut *self.bytes {
            [] => &mut [],
            bytes => bytemuck::cast_slice_mut(bytes),
        }
    }
}

/// The types of elements that have a meaning here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Element {
    Bool,
    U8,
    I8,
    U16,
    I16,
    F16,
    U32,
    I32,
    F32,
    Other,
}

impl Element {
    /// Whether elements are words of 32 bits.
    pub(crate) fn is_word(self) -> bool {
        match self {
            Element::F32 | Element::I32 | Element::U32 => true,
            Element::Bool | Element::U8 | Element::I8 => false,
            Element::U16 | Element::I16 | Element::F16 | Element::Other => false,
        }
    }
}

/// An array that has a part in a call, and its name there.
pub(crate) struct View<'n, 'a, 'py> {
    name: &'n str,
    array: &'a Bound<'py, PyUntypedArray>,
    pub(crate) element: Element,
    /// Bytes of an element.
    pub(crate) item: usize,
}

impl<'n, 'a, 'py> View<'n, 'a, 'py> {
    /// The array that an object is.
    pub(crate) fn new(
        name: &'n str,
        object: &'a Bound<'py, PyAny>,
        expected: &str,
    ) -> PyResult<View<'n, 'a, 'py>> {
        match object.cast::<PyUntypedArray>() {
            Ok(array) => Ok(View::of(name, array)),
            Err(_) => {
                let kind = object.get_type().to_string();
                let message = format!("{name} is {kind}; expected {expected}");
                Err(PyTypeError::new_err(message))
            }
        }
    }

    pub(crate) fn of(name: &'n str, array: &'a Bound<'py, PyUntypedArray>) -> View<'n, 'a, 'py> {
        let dtype = array.dtype();
        let (kind, item) = (dtype.kind(), dtype.itemsize());
        // Elements in another order of bytes have no meaning here.
        let native = dtype.is_native_byteorder().unwrap_or(true);
        let element = match (kind, item) {
            _ if !native => Element::Other,
            (b'b', 1) => Element::Bool,
            (b'u', 1) => Element::U8,
            (b'i', 1) => Element::I8,
            (b'u', 2) => Element::U16,
            (b'i', 2) => Element::I16,
            (b'f', 2) => Element::F16,
            (b'u', 4) => Element::U32,
            (b'i', 4) => Element::I32,
            (b'f', 4) => Element::F32,
            _ => Element::Other,
        };
        View {
            name,
            array,
            element,
            item,
        }
    }

    pub(crate) fn shape(&self) -> &'a [usize] {
        self.array.shape()
    }

    pub(crate) fn strides(&self) -> &'a [isize] {
        self.array.strides()
    }

    /// Bytes from one element to the next along an axis, if that is not backwards. Axes of one element have no stride of
    /// their own, and get `alone`.
    pub(crate) fn stride(&self, axis: usize, alone: usize) -> Option<usize> {
        match self.shape()[axis] {
            0 | 1 => Some(alone),
            _ if self.array.is_empty() => Some(alone),
            _ => usize::try_from(self.strides()[axis]).ok(),
        }
    }

    /// Whether elements along the axes from `first` on follow each other without gaps.
    pub(crate) fn is_packed_from(&self, first: usize) -> bool {
        let mut bytes = self.item;
        (first..self.shape().len()).rev().all(|axis| {
            let is_packed = self.stride(axis, bytes) == Some(bytes);
            bytes *= self.shape()[axis];
            is_packed
        })
    }

    /// The array in words of messages: `an array of shape (2, 3) and dtype int64`.
    fn described(&self) -> String {
        let shape: Vec<String> = self.shape().iter().map(usize::to_string).collect();
        let comma = if shape.len() == 1 { "," } else { "" };
        let (shape, dtype) = (shape.join(", "), self.array.dtype());
        format!("an array of shape ({shape}{comma}) and dtype {dtype}")
    }

    /// The error of an array that has another shape or dtype.
    pub(crate) fn unexpected(&self, expected: &str) -> PyErr {
        self.refused("", expected)
    }

    /// The error of an array of which something else is wrong, such as `, which is read-only`.
    pub(crate) fn refused(&self, what: &str, expected: &str) -> PyErr {
        let (name, array) = (self.name, self.described());
        PyValueError::new_err(format!("{name} is {array}{what}; expected {expected}"))
    }

    fn has(&self, flag: i32) -> bool {
        // SAFETY: the pointer is that of a live array, as `array` is a reference to it.
        let flags = unsafe { (*self.array.as_array_ptr()).fields.flags };
        flags & flag != 0
    }

    /// Whether elements are at multiples of their size.
    pub(crate) fn is_aligned(&self) -> bool {
        self.has(NPY_ARRAY_ALIGNED)
    }

    /// The address of the first element.
    fn data(&self) -> *mut u8 {
        // SAFETY: as in `has`.
        unsafe { (*self.array.as_array_ptr()).fields.data.cast() }
    }

    /// Lends rows that begin with the first element, to be read.
    pub(crate) fn read(&self, rows: Rows) -> PyResult<Read<'a>> {
        self.read_at(0, rows)
    }

    /// The same of rows that begin so many bytes later, which must be elements of the array.
    pub(crate) fn read_at(&self, offset: usize, rows: Rows) -> PyResult<Read<'a>> {
        let loan = self.loan(offset, rows, false)?;
        let bytes: &'a [u8] = match rows.span() {
            0 => &[],
            // SAFETY: all of the span is memory of the array: callers make rows of its shape and its strides. NumPy keeps the
            // memory of an array that has references, and this one has for `'a`. No call writes it while it is lent. Python
            // code is told not to: what it writes meanwhile may or may not be seen.
            span => unsafe { slice::from_raw_parts(self.data().add(offset), span) },
        };
        Ok(Read { bytes, _loan: loan })
    }

    /// Lends rows that begin with the first element, to be written.
    pub(crate) fn write(&self, rows: Rows) -> PyResult<Write<'a>> {
        self.write_at(0, rows)
    }

    /// The same of rows that begin so many bytes later, which must be elements of the array.
    pub(crate) fn write_at(&self, offset: usize, rows: Rows) -> PyResult<Write<'a>> {
        if !self.has(NPY_ARRAY_WRITEABLE) {
            return Err(self.refused(", which is read-only", "one that can be written"));
        }
        if !self.is_aligned() {
            return Err(self.refused(
                ", which is misaligned",
                "elements at multiples of their size",
            ));
        }
        let loan = self.loan(offset, rows, true)?;
        let bytes: &'a mut [u8] = match rows.span() {
            0 => &mut [],
            // SAFETY: as in `read_at`. No other call has the same bytes of these rows, and calls do not touch the bytes
            // between rows.
            span => unsafe { slice::from_raw_parts_mut(self.data().add(offset), span) },
        };
        Ok(Write { bytes, _loan: loan })
    }

    fn loan(&self, offset: usize, rows: Rows, writes: bool) -> PyResult<Loan> {
        let start = self.data().addr() + offset;
        Loan::new(Place { start, rows }, writes).ok_or_else(|| {
            let what = match writes {
                true => "has memory that a draw or a map reads or writes",
                false => "has memory that a draw or a map writes",
            };
            let (name, array) = (self.name, self.described());
            PyValueError::new_err(format!(
                "{name} is {array}, which {what}; expected an array that overlaps no other"
            ))
        })
    }

    /// The words of an array of so many.
    pub(crate) fn words<const N: usize>(&self) -> Option<[u32; N]> {
        if self.shape() != [N] || !self.element.is_word() {
            return None;
        }
        let (data, stride) = (self.data(), self.strides()[0]);
        // SAFETY: the element is one of the array's, of four bytes, and is read as bytes.
        let word = |at: usize| unsafe {
            data.offset(stride * at as isize)
                .cast::<u32>()
                .read_unaligned()
        };
        Some(std::array::from_fn(word))
    }
}
