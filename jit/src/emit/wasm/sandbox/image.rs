//! The memory of a run, as it is given to a process.

use std::iter;

/// The address at which it begins: none of its addresses is null.
pub(super) const BASE: usize = 1024;

/// The alignment of everything in it, a line of a cache.
const ALIGN: usize = 64;

/// The bytes from [`BASE`] on.
#[derive(Default)]
pub(super) struct Image {
    bytes: Vec<u8>,
}

impl Image {
    /// Room for so many bytes, which are 0. Returns its address.
    pub(super) fn room(&mut self, bytes: usize) -> usize {
        let at = self.bytes.len().next_multiple_of(ALIGN);
        self.bytes.resize(at + bytes, 0);
        BASE + at
    }

    /// A copy of bytes. Returns its address.
    pub(super) fn copy(&mut self, bytes: &[u8]) -> usize {
        let at = self.room(bytes.len());
        self.at_mut(at, bytes.len()).copy_from_slice(bytes);
        at
    }

    /// Words. Returns their address.
    pub(super) fn words(&mut self, words: impl IntoIterator<Item = u32>) -> usize {
        let at = self.room(0);
        let bytes = words.into_iter().flat_map(u32::to_le_bytes);
        self.bytes.extend(bytes);
        at
    }

    /// Writes words from an address on.
    pub(super) fn put(&mut self, at: usize, words: impl IntoIterator<Item = u32>) {
        for (n, word) in words.into_iter().enumerate() {
            self.at_mut(at + 4 * n, 4)
                .copy_from_slice(&word.to_le_bytes());
        }
    }

    /// Writes an address: the upper half of its eight bytes is 0.
    pub(super) fn put_address(&mut self, at: usize, address: usize) {
        self.put(at, [address as u32]);
    }

    /// The word at an address.
    pub(super) fn word(&self, at: usize) -> u32 {
        let bytes = self.at(at, 4).try_into().expect("four bytes");
        u32::from_le_bytes(bytes)
    }

    /// The words from an address on.
    pub(super) fn words_at<const N: usize>(&self, at: usize) -> [u32; N] {
        std::array::from_fn(|n| self.word(at + 4 * n))
    }

    /// The bytes at an address.
    pub(super) fn at(&self, at: usize, count: usize) -> &[u8] {
        &self.bytes[at - BASE..][..count]
    }

    fn at_mut(&mut self, at: usize, count: usize) -> &mut [u8] {
        &mut self.bytes[at - BASE..][..count]
    }

    /// All of it, with `more` bytes behind that may be read.
    pub(super) fn all(&mut self, more: usize) -> &mut [u8] {
        self.bytes.extend(iter::repeat_n(0, more));
        &mut self.bytes
    }
}
