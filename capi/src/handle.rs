//! Handles: what C has in place of the addresses of objects.
//!
//! ```text
//! bits   63 … 56   55 … 24      23 … 0
//!        type      generation   slot
//! ```
//!
//! A slot counts a generation for each object that it has had, so that a handle of one that was freed is refused. A call
//! holds the lock of the slots that it uses, and never waits for one: an object that another call is changing, or that
//! is to be changed or freed while another call uses it, is busy.

use std::ops::{Deref, DerefMut};
use std::ptr::without_provenance_mut;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{
    Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError,
};

use crate::failure::{Failure, Outcome};
use crate::status::{
    ATTILA_STATUS_BUSY, ATTILA_STATUS_HANDLE, ATTILA_STATUS_NULL, ATTILA_STATUS_RANGE,
};

#[cfg(not(target_pointer_width = "64"))]
compile_error!("handles have 64 bits");

const SLOT_BITS: u32 = 24;
const GENERATION_BITS: u32 = 32;

/// Slots of the first chunk. Each further one has twice as many.
const FIRST: usize = 64;
/// As many chunks as slots need whose number has [`SLOT_BITS`].
const CHUNKS: usize = SLOT_BITS as usize - FIRST.ilog2() as usize;

/// A type of handles.
pub(crate) trait Handle: Sized + 'static {
    /// The object that it stands for.
    type Object: Send + Sync + 'static;
    /// The number of the type, not 0.
    const TYPE: u8;
    /// An object of the type in messages.
    const NOUN: &'static str;
    fn table() -> &'static Table<Self::Object>;
}

/// Makes a type one of handles.
macro_rules! handle {
    ($name:ident, $number:literal, $noun:literal, $object:ty) => {
        impl $crate::handle::Handle for $name {
            type Object = $object;
            const TYPE: u8 = $number;
            const NOUN: &'static str = $noun;
            fn table() -> &'static $crate::handle::Table<$object> {
                static TABLE: $crate::handle::Table<$object> = $crate::handle::Table::new();
                &TABLE
            }
        }
    };
}
pub(crate) use handle;

/// The objects of a type.
pub(crate) struct Table<T> {
    chunks: [OnceLock<Box<[Slot<T>]>>; CHUNKS],
    places: Mutex<Places>,
}

struct Places {
    /// Slots that have never been used begin here.
    end: usize,
    free: Vec<usize>,
}

type Slot<T> = RwLock<Entry<T>>;

pub(crate) struct Entry<T> {
    generation: u32,
    object: Option<T>,
}

impl<T> Entry<T> {
    /// Checks that it has the object of a handle with this generation.
    fn check<H: Handle>(&self, generation: u32) -> Outcome<()> {
        let is_there = self.generation == generation && self.object.is_some();
        is_there.then_some(()).ok_or_else(not_one::<H>)
    }

    /// The object of an entry that has been checked.
    fn object(&self) -> &T {
        self.object
            .as_ref()
            .expect("it was there when it was locked")
    }
}

/// Objects of all types.
static LIVE: AtomicUsize = AtomicUsize::new(0);

pub(crate) fn live() -> usize {
    LIVE.load(Ordering::Relaxed)
}

impl<T> Table<T> {
    pub(crate) const fn new() -> Table<T> {
        Table {
            chunks: [const { OnceLock::new() }; CHUNKS],
            places: Mutex::new(Places {
                end: 0,
                free: Vec::new(),
            }),
        }
    }

    /// The chunk of a slot, and its place there.
    fn place(slot: usize) -> (usize, usize) {
        let chunk = (slot / FIRST + 1).ilog2() as usize;
        (chunk, slot + FIRST - (FIRST << chunk))
    }

    fn slot(&self, slot: usize) -> Option<&Slot<T>> {
        let (chunk, at) = Table::<T>::place(slot);
        self.chunks.get(chunk)?.get()?.get(at)
    }

    /// A slot without an object.
    fn take_place(&self) -> Option<usize> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(free) = places.free.pop() {
            return Some(free);
        }
        let slot = places.end;
        let (chunk, _) = Table::<T>::place(slot);
        let empty = || {
            RwLock::new(Entry {
                generation: 1,
                object: None,
            })
        };
        let make = || (0..FIRST << chunk).map(|_| empty()).collect();
        self.chunks.get(chunk)?.get_or_init(make);
        places.end += 1;
        Some(slot)
    }

    fn give_place(&self, slot: usize) {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.free.push(slot);
    }
}

/// Keeps an object, and gives its handle.
pub(crate) fn insert<H: Handle>(object: H::Object) -> Outcome<*mut H> {
    let full = || {
        Failure::new(
            ATTILA_STATUS_RANGE,
            format!("there are too many objects: {}", H::NOUN),
        )
    };
    let table = H::table();
    let slot = table.take_place().ok_or_else(full)?;
    let mut entry = table
        .slot(slot)
        .map(RwLock::write)
        .ok_or_else(full)?
        .unwrap_or_else(PoisonError::into_inner);
    entry.object = Some(object);
    LIVE.fetch_add(1, Ordering::Relaxed);
    let generation = entry.generation as usize;
    let address =
        usize::from(H::TYPE) << (SLOT_BITS + GENERATION_BITS) | generation << SLOT_BITS | slot;
    Ok(without_provenance_mut(address))
}

/// The slot of a handle, and its generation.
fn find<H: Handle>(handle: *const H) -> Outcome<(usize, &'static Slot<H::Object>, u32)> {
    let address = handle.addr();
    if address == 0 {
        return Err(Failure::new(
            ATTILA_STATUS_NULL,
            format!("null in place of {}", H::NOUN),
        ));
    }
    let slot = address & ((1 << SLOT_BITS) - 1);
    let generation = (address >> SLOT_BITS) as u32;
    match H::table().slot(slot) {
        Some(found) if address >> (SLOT_BITS + GENERATION_BITS) == usize::from(H::TYPE) => {
            Ok((slot, found, generation))
        }
        _ => Err(not_one::<H>()),
    }
}

fn not_one<H: Handle>() -> Failure {
    let message = format!("not {}, or one that has been freed", H::NOUN);
    Failure::new(ATTILA_STATUS_HANDLE, message)
}

/// Locks if nobody else has. An object that a panic has gone through is still one.
fn now<G, H: Handle>(lock: Result<G, TryLockError<G>>) -> Outcome<G> {
    match lock {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(poison)) => Ok(poison.into_inner()),
        Err(TryLockError::WouldBlock) => {
            let message = format!("{} that another call is using", H::NOUN);
            Err(Failure::new(ATTILA_STATUS_BUSY, message))
        }
    }
}

/// An object that is used.
pub(crate) struct Reading<T: 'static>(RwLockReadGuard<'static, Entry<T>>);

/// An object that is changed.
pub(crate) struct Writing<T: 'static>(RwLockWriteGuard<'static, Entry<T>>);

pub(crate) fn read<H: Handle>(handle: *const H) -> Outcome<Reading<H::Object>> {
    let (_, slot, generation) = find(handle)?;
    let entry = now::<_, H>(slot.try_read())?;
    entry.check::<H>(generation)?;
    Ok(Reading(entry))
}

pub(crate) fn write<H: Handle>(handle: *mut H) -> Outcome<Writing<H::Object>> {
    let (_, slot, generation) = find(handle)?;
    let entry = now::<_, H>(slot.try_write())?;
    entry.check::<H>(generation)?;
    Ok(Writing(entry))
}

/// Frees an object. Null is no object, and that is all right.
pub(crate) fn free<H: Handle>(handle: *mut H) -> Outcome<()> {
    if handle.is_null() {
        return Ok(());
    }
    let (slot, found, generation) = find(handle)?;
    let mut entry = now::<_, H>(found.try_write())?;
    entry.check::<H>(generation)?;
    let object = entry.object.take().ok_or_else(not_one::<H>)?;
    let next = generation.checked_add(1);
    entry.generation = next.unwrap_or(0);
    drop(entry);
    LIVE.fetch_sub(1, Ordering::Relaxed);
    // A slot that has had all generations is given up.
    if next.is_some() {
        H::table().give_place(slot);
    }
    // Its callbacks may call the library.
    drop(object);
    Ok(())
}

impl<T> Deref for Reading<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.object()
    }
}

impl<T> Deref for Writing<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.object()
    }
}

impl<T> DerefMut for Writing<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0
            .object
            .as_mut()
            .expect("it was there when it was locked")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct number {}
    handle!(number, 200, "a number", u64);

    fn status<T>(outcome: Outcome<T>) -> i32 {
        outcome.err().map_or(0, |failure| failure.status)
    }

    #[test]
    fn a_handle_of_an_object_that_was_freed_is_refused_when_its_slot_has_another() {
        let first: *mut number = insert(7).unwrap();
        assert_eq!(*read(first).unwrap(), 7);
        *write(first).unwrap() += 1;
        assert_eq!(*read(first).unwrap(), 8);
        free(first).unwrap();
        let second: *mut number = insert(9).unwrap();
        assert_eq!(status(read(first)), ATTILA_STATUS_HANDLE);
        assert_eq!(status(free(first)), ATTILA_STATUS_HANDLE);
        assert_eq!(*read(second).unwrap(), 9);
        free(second).unwrap();
        assert_eq!(status(free(second)), ATTILA_STATUS_HANDLE);
    }

    #[test]
    fn an_object_in_use_is_neither_changed_nor_freed() {
        let handle: *mut number = insert(1).unwrap();
        let reading = read(handle).unwrap();
        assert_eq!(*read(handle).unwrap(), 1);
        assert_eq!(status(write(handle)), ATTILA_STATUS_BUSY);
        assert_eq!(status(free(handle)), ATTILA_STATUS_BUSY);
        drop(reading);
        free(handle).unwrap();
    }

    #[test]
    fn what_never_was_a_handle_is_refused() {
        for address in [
            1,
            64,
            usize::MAX,
            200 << 56,
            200 << 56 | 1 << 24 | 0xff_ffff,
        ] {
            let handle: *mut number = without_provenance_mut(address);
            assert_eq!(status(read(handle)), ATTILA_STATUS_HANDLE, "{address:#x}");
        }
        assert_eq!(status(read::<number>(std::ptr::null())), ATTILA_STATUS_NULL);
        free::<number>(std::ptr::null_mut()).unwrap();
    }

    #[test]
    fn chunks_join_without_gaps() {
        let places: Vec<_> = [0, 63, 64, 191, 192].map(Table::<u64>::place).into();
        assert_eq!(places, [(0, 0), (0, 63), (1, 0), (1, 127), (2, 0)]);
        let last = Table::<u64>::place((1 << SLOT_BITS) - 1);
        assert!(last.0 <= CHUNKS);
    }
}
