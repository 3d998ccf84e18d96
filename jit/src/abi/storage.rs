//! How generated code reads and writes storage buffers, and what each access does.

use std::fmt;
use std::mem::offset_of;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use attila_isa::{Component, Slots};
use attila_machine::{LANES, LaneMask, Lanes, MAX_STORAGE, QuadReg};

use super::Address;

/// Bytes of a word, as a power of two.
const WORD_SHIFT: u32 = 2;

/// An access to a storage buffer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub(crate) enum StorageKind {
    /// Reads four words.
    Load,
    /// Writes some of four words.
    Store,
    /// Adds.
    Add,
    /// Replaces.
    Exchange,
    /// Replaces what is equal.
    Compare,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The lesser, unsigned.
    Umin,
    /// The greater, unsigned.
    Umax,
    /// The lesser, signed.
    Imin,
    /// The greater, signed.
    Imax,
    /// The size in bytes.
    Size,
}

impl StorageKind {
    /// All kinds with their names, in their order.
    pub(crate) const ALL: [(StorageKind, &'static str); 13] = [
        (StorageKind::Load, "load"),
        (StorageKind::Store, "store"),
        (StorageKind::Add, "add"),
        (StorageKind::Exchange, "exchange"),
        (StorageKind::Compare, "compare"),
        (StorageKind::And, "and"),
        (StorageKind::Or, "or"),
        (StorageKind::Xor, "xor"),
        (StorageKind::Umin, "umin"),
        (StorageKind::Umax, "umax"),
        (StorageKind::Imin, "imin"),
        (StorageKind::Imax, "imax"),
        (StorageKind::Size, "size"),
    ];
}

/// An access to a storage buffer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct StorageAccess {
    pub(crate) kind: StorageKind,
    /// The number of the buffer.
    pub(crate) buffer: u8,
    /// The words that are stored.
    pub(crate) written: Slots,
}

impl StorageAccess {
    /// Carries it out for the lanes of `mask` in their order, with what each lane has: an address in
    /// bytes, and up to four values. The results are words; 0 where there is none.
    pub(crate) fn perform(
        self,
        words: &[AtomicU32],
        mask: LaneMask,
        address: Lanes<u32>,
        values: QuadReg,
    ) -> QuadReg {
        let mut results = QuadReg::default();
        if self.kind == StorageKind::Size {
            results[0] = [(words.len() as u32) << WORD_SHIFT; LANES];
            return results;
        }
        for lane in (0..LANES).filter(|&lane| mask.has(lane)) {
            let first = (address[lane] >> WORD_SHIFT) as usize;
            let value = |slot: usize| values[slot][lane];
            match self.kind {
                StorageKind::Size => {}
                StorageKind::Load => {
                    for (result, word) in results.iter_mut().zip(words.get(first..).unwrap_or(&[]))
                    {
                        result[lane] = word.load(Relaxed);
                    }
                }
                StorageKind::Store => {
                    for slot in self.written.components().map(Component::index) {
                        if let Some(word) = words.get(first + slot) {
                            word.store(value(slot), Relaxed);
                        }
                    }
                }
                kind @ (StorageKind::Add
                | StorageKind::Exchange
                | StorageKind::Compare
                | StorageKind::And
                | StorageKind::Or
                | StorageKind::Xor
                | StorageKind::Umin
                | StorageKind::Umax
                | StorageKind::Imin
                | StorageKind::Imax) => {
                    let word = words.get(first);
                    results[0][lane] =
                        word.map_or(0, |word| atomic(kind, word, value(0), value(1)));
                }
            }
        }
        results
    }
}

/// Changes a word and gives the old one.
fn atomic(kind: StorageKind, word: &AtomicU32, a: u32, b: u32) -> u32 {
    let signed = |op: fn(i32, i32) -> i32| {
        let new = |old: u32| Some(op(old.cast_signed(), a.cast_signed()).cast_unsigned());
        let (Ok(old) | Err(old)) = word.fetch_update(Relaxed, Relaxed, new);
        old
    };
    match kind {
        StorageKind::Load | StorageKind::Store | StorageKind::Size => word.load(Relaxed),
        StorageKind::Add => word.fetch_add(a, Relaxed),
        StorageKind::Exchange => word.swap(a, Relaxed),
        StorageKind::Compare => {
            let (Ok(old) | Err(old)) = word.compare_exchange(a, b, Relaxed, Relaxed);
            old
        }
        StorageKind::And => word.fetch_and(a, Relaxed),
        StorageKind::Or => word.fetch_or(a, Relaxed),
        StorageKind::Xor => word.fetch_xor(a, Relaxed),
        StorageKind::Umin => word.fetch_min(a, Relaxed),
        StorageKind::Umax => word.fetch_max(a, Relaxed),
        StorageKind::Imin => signed(i32::min),
        StorageKind::Imax => signed(i32::max),
    }
}

/// A storage buffer as emitted code finds it: at least one word that can be read.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct StorageRecord {
    /// The first word.
    words: Address<AtomicU32>,
    /// How many there are.
    count: u32,
}

/// The word that is read in place of those of an empty buffer. Nothing writes it.
static ZERO: AtomicU32 = AtomicU32::new(0);

impl StorageRecord {
    /// The place of the address, in bytes from the first record.
    pub(crate) const fn words_of(buffer: u8) -> usize {
        buffer as usize * size_of::<StorageRecord>() + offset_of!(StorageRecord, words)
    }

    /// The place of the number of words.
    pub(crate) const fn count_of(buffer: u8) -> usize {
        buffer as usize * size_of::<StorageRecord>() + offset_of!(StorageRecord, count)
    }

    /// A buffer of these words.
    pub(crate) fn new(words: &[AtomicU32]) -> StorageRecord {
        // Longer ones are an error of the bindings, which a run finds before.
        let count = words.len().min(MAX_STORAGE) as u32;
        let words = if count == 0 {
            &raw const ZERO
        } else {
            words.as_ptr()
        };
        StorageRecord {
            words: Address::of(words),
            count,
        }
    }
}

/// As `add:u3`, and `store:u3:5` with the bits of the words that are stored.
impl fmt::Display for StorageAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, name) = StorageKind::ALL[self.kind as usize];
        write!(f, "{name}:u{}", self.buffer)?;
        if self.kind == StorageKind::Store {
            write!(f, ":{}", self.written.bits())?;
        }
        Ok(())
    }
}
