//! Scratch memory and constant buffers.

use std::mem::offset_of;

use attila_isa::{Component, ScratchArray};
use attila_machine::MAX_BUFFER;

use super::{Address, word};
use crate::runtime::Vector;

/// The scratch memory of a quad: of each scratch vector the components, and of each component the
/// words of all lanes.
pub(crate) struct Scratch;

impl Scratch {
    /// Bytes of a scratch vector, as a power of two.
    pub(crate) const SHIFT: u32 = (4 * Vector::SIZE).trailing_zeros();

    /// The place of a component of a scratch vector, in bytes.
    pub(crate) fn offset(vector: u32, component: Component) -> usize {
        ((vector as usize) << Scratch::SHIFT) + component.index() * Vector::SIZE
    }

    /// The place of a component of an array's vector, which all lanes name, in bytes. `None` outside of the
    /// array.
    pub(crate) fn place(array: ScratchArray, index: u32, component: Component) -> Option<usize> {
        let ScratchArray { base, size } = array;
        (index < u32::from(size)).then(|| Scratch::offset(u32::from(base) + index, component))
    }

    /// How many vectors of all lanes so many scratch vectors take.
    pub(crate) fn vectors(scratch: usize) -> usize {
        4 * scratch
    }
}

/// A constant buffer as emitted code finds it: at least one vector that can be read, which is all 0 if the
/// buffer has none.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct BufferRecord {
    /// The first vector.
    vectors: Address<[u32; 4]>,
    /// The number of the last one.
    last: u32,
}

/// The vector that is read in place of those of an empty buffer.
static ZERO: [u32; 4] = [0; 4];

impl BufferRecord {
    /// The place of the address, in bytes from the first record.
    pub(crate) const fn vectors_of(buffer: u8) -> usize {
        buffer as usize * size_of::<BufferRecord>() + offset_of!(BufferRecord, vectors)
    }

    /// The place of the last vector's number.
    pub(crate) const fn last_of(buffer: u8) -> usize {
        buffer as usize * size_of::<BufferRecord>() + offset_of!(BufferRecord, last)
    }

    /// The place of a component within a vector.
    pub(crate) fn component(component: Component) -> usize {
        word(component as u8)
    }

    /// A buffer with these vectors.
    pub(crate) fn new(vectors: &[[u32; 4]]) -> BufferRecord {
        // Longer ones are an error of the bindings, which a run finds before.
        let count = vectors.len().min(MAX_BUFFER);
        match count.checked_sub(1) {
            Some(last) => BufferRecord {
                vectors: Address::of(vectors.as_ptr()),
                last: last as u32,
            },
            None => BufferRecord {
                vectors: Address::of(&raw const ZERO),
                last: 0,
            },
        }
    }
}
