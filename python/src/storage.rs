//! Storage buffers: words of arrays, which programs read, and write in maps.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use attila_shader::Bindings;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Rows, View, Write};
use crate::values::Bank;

/// The words of a buffer.
type Words = Arc<[AtomicU32]>;

/// Copies of arrays, by the numbers of buffers.
#[derive(Default)]
pub(crate) struct Storage {
    buffers: Vec<(usize, Words)>,
}

const EXPECTED: &str = "an array of float32, int32 or uint32 without gaps";

/// An array whose elements are the words of a buffer.
fn view<'a, 'py>(object: &'a Bound<'py, PyAny>) -> PyResult<(View<'static, 'a, 'py>, Rows)> {
    let view = View::new("storage", object, EXPECTED)?;
    if !view.element.is_word() || !view.is_packed_from(0) || !view.is_aligned() {
        return Err(view.unexpected(EXPECTED));
    }
    let row = view.shape().iter().product::<usize>() * view.item;
    let (pitch, rows) = (row, 1);
    Ok((view, Rows { row, pitch, rows }))
}

impl Storage {
    pub(crate) fn new(given: Option<&Bound<'_, PyDict>>) -> PyResult<Storage> {
        let given = Bank::Storage.numbered(given, &Default::default())?;
        let copied = given.iter().map(|(number, object)| {
            let (view, rows) = view(object)?;
            let lent = view.read(rows)?;
            let words = lent.numbers::<u32>().iter();
            Ok((*number, words.map(|word| AtomicU32::new(*word)).collect()))
        });
        let buffers = copied.collect::<PyResult<_>>()?;
        Ok(Storage { buffers })
    }

    pub(crate) fn bind<'a>(&self, bindings: Bindings<'a>) -> Bindings<'a> {
        let buffers = self.buffers.iter();
        buffers.fold(bindings, |bindings, (number, words)| {
            bindings.with_storage(*number, words.clone())
        })
    }

    /// The arrays, to be written once the program has run.
    pub(crate) fn written<'a>(
        &self,
        given: &'a [(usize, Bound<'_, PyAny>)],
    ) -> PyResult<Vec<(Words, Write<'a>)>> {
        let both = self.buffers.iter().zip(given);
        both.map(|((_, words), (_, object))| {
            let (view, rows) = view(object)?;
            Ok((words.clone(), view.write(rows)?))
        })
        .collect()
    }
}

/// Puts the words of buffers into their arrays.
pub(crate) fn store(written: Vec<(Words, Write<'_>)>) {
    for (words, mut memory) in written {
        for (bytes, word) in memory.bytes().as_chunks_mut().0.iter_mut().zip(&*words) {
            *bytes = word.load(Ordering::Relaxed).to_ne_bytes();
        }
    }
}
