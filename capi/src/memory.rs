//! Memory of the caller: every pointer that the library follows is followed here.
//!
//! # Safety
//!
//! Pointers come from C, as parameters of exported functions and in the structs there. The header says of each what it
//! points to, whether it may be null, and that the memory is there for the length of the call. That contract is what
//! makes the code here sound; Rust cannot see it. So that nothing outlives the call, references have the lifetime of a
//! [`Call`]. What can be checked is: null, alignment, lengths beyond memory, sizes of structs, and [overlap](Regions).

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{self, null_mut};
use std::slice;

use smallvec::SmallVec;

use crate::error::{attila_error, put_error};
use crate::failure::{Failure, Outcome};
use crate::status::*;
use crate::{attila_bytes, attila_text};

/// Types whose every bit pattern is a value: numbers, pointers, pointers to functions that may be null, and
/// `#[repr(C)]` structs of these.
///
/// # Safety
///
/// It is one of those.
pub(crate) unsafe trait Plain: Copy + 'static {}

/// Structs that callers fill, and that may become longer. They begin with their size, a `usize`, and their default is
/// that of their `ATTILA_…_INIT`.
///
/// # Safety
///
/// The first field is a `usize`.
pub(crate) unsafe trait Extensible: Plain + Default {
    /// The size that the struct had in the first version of this binary interface.
    const FIRST_SIZE: usize;
    /// Its name in C.
    const NAME: &'static str;
}

/// Says that types are [`Plain`].
macro_rules! plain {
    ($($name:ty),*) => {
        $(
            // SAFETY: see the types, which are numbers and `#[repr(C)]` structs of numbers and pointers.
            unsafe impl Plain for $name {}
        )*
    };
}

/// Says that structs are [`Extensible`], and how large they were at first.
macro_rules! extensible {
    ($($name:ident, $first:literal;)*) => {
        $(
            // SAFETY: it is a `#[repr(C)]` struct of numbers and pointers.
            unsafe impl Plain for crate::$name {}
            // SAFETY: its first field is `size: usize`.
            unsafe impl Extensible for crate::$name {
                const FIRST_SIZE: usize = $first;
                const NAME: &'static str = stringify!($name);
            }
            const _: () = assert!($first <= size_of::<crate::$name>());
            const _: () = assert!(std::mem::offset_of!(crate::$name, size) == 0);
        )*
    };
}

plain!(u8, u16, u32, u64, i32, usize, f32);
plain!([f32; 4], [u32; 4], [u32; 3], [u16; 3], [[u32; 4]; 4]);
plain!(attila_text, attila_bytes);
plain!(crate::attila_plane, crate::attila_quad);
plain!(crate::attila_rect, crate::attila_register);

extensible! {
    attila_load_options, 40;
    attila_usage, 168;
    attila_diagnostic, 104;
    attila_prepare_options, 16;
    attila_sampler, 96;
    attila_image_data, 88;
    attila_texture_unit, 32;
    attila_texture_query, 352;
    attila_attribute_source, 32;
    attila_image, 56;
    attila_state, 384;
    attila_varying, 72;
    attila_frame, 120;
    attila_array, 32;
    attila_attribute, 72;
    attila_triangles, 64;
    attila_mesh, 104;
    attila_column, 96;
    attila_output, 80;
    attila_map, 80;
}

// SAFETY: null or an address, and nothing is done with either but to compare and pass it on.
unsafe impl<T: 'static> Plain for *const T {}
// SAFETY: likewise.
unsafe impl<T: 'static> Plain for *mut T {}

/// A pointer of the caller that is only handed back to their callbacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct User(*mut c_void);

// SAFETY: the library does not follow it. The header says from which threads callbacks are called with it.
unsafe impl Send for User {}
// SAFETY: likewise.
unsafe impl Sync for User {}

impl User {
    pub(crate) fn new(user: *mut c_void) -> User {
        User(user)
    }

    pub(crate) fn get(&self) -> *mut c_void {
        self.0
    }
}

/// A call of an exported function, whose pointers are good until it ends.
pub(crate) struct Call(());

/// Runs the body of an exported function: the panic boundary. If it fails, `error` gets an error object, else null.
pub(crate) fn call(
    error: *mut *mut attila_error,
    body: impl FnOnce(&Call) -> Outcome<()>,
) -> attila_status {
    let call = Call(());
    if !error.is_null() && call.put("error", error, null_mut()).is_err() {
        return ATTILA_STATUS_ALIGNMENT;
    }
    let outcome = catch_unwind(AssertUnwindSafe(|| body(&call)));
    let failure = match outcome {
        Ok(Ok(())) => return ATTILA_STATUS_OK,
        Ok(Err(failure)) => failure,
        Err(payload) => Failure::of_panic(&*payload),
    };
    let status = failure.status;
    if !error.is_null() {
        // Without an error object there is still the status.
        let put = || put_error(&call, error, failure);
        let _ = catch_unwind(AssertUnwindSafe(put));
    }
    status
}

/// The same for functions without an error object.
pub(crate) fn plain_call(body: impl FnOnce(&Call) -> Outcome<()>) -> attila_status {
    call(null_mut(), body)
}

impl Call {
    /// `count` values that are only read.
    pub(crate) fn slice<T: Plain>(
        &self,
        name: &str,
        data: *const T,
        count: usize,
    ) -> Outcome<&[T]> {
        if count == 0 {
            return Ok(&[]);
        }
        check(name, data, count)?;
        // SAFETY: it is neither null nor misaligned, and its size is one that memory can have. The header asks for
        // `count` values there that nobody changes meanwhile, and every bit pattern is one.
        Ok(unsafe { slice::from_raw_parts(data, count) })
    }

    /// `count` values that are written. The caller checks that no other memory of the call [overlaps](Regions).
    #[expect(
        clippy::mut_from_ref,
        reason = "the call does not own the memory, but limits its use"
    )]
    pub(crate) fn slice_mut<T: Plain>(
        &self,
        name: &str,
        data: *mut T,
        count: usize,
    ) -> Outcome<&mut [T]> {
        if count == 0 {
            return Ok(&mut []);
        }
        check(name, data.cast_const(), count)?;
        // SAFETY: as in `slice`; the header asks for memory that nobody else uses meanwhile, and the parts of a call
        // have been compared with each other.
        Ok(unsafe { slice::from_raw_parts_mut(data, count) })
    }

    pub(crate) fn bytes(&self, name: &str, bytes: attila_bytes) -> Outcome<&[u8]> {
        self.slice(name, bytes.data.cast::<u8>(), bytes.length)
    }

    pub(crate) fn text(&self, name: &str, text: attila_text) -> Outcome<&str> {
        let bytes = self.slice(name, text.data.cast::<u8>(), text.length)?;
        str::from_utf8(bytes).map_err(|error| {
            let at = error.valid_up_to();
            Failure::new(
                ATTILA_STATUS_TEXT,
                format!("`{name}` is not UTF-8 at byte {at}"),
            )
        })
    }

    /// A value that must be there.
    pub(crate) fn value<T: Plain>(&self, name: &str, data: *const T) -> Outcome<T> {
        Ok(self.slice(name, data, 1)?[0])
    }

    /// A struct that must be there.
    pub(crate) fn given<T: Extensible>(&self, name: &str, data: *const T) -> Outcome<T> {
        check(name, data.cast::<usize>(), 1)?;
        // SAFETY: the header asks for a struct there, which begins with its size.
        let size = unsafe { *data.cast::<usize>() };
        let known = size_of::<T>();
        if !(T::FIRST_SIZE..=known).contains(&size) {
            let message = format!(
                "`{name}.size` is {size}; {} has {} to {known} bytes here: was it set by its ATTILA_…_INIT?",
                T::NAME,
                T::FIRST_SIZE
            );
            return Err(Failure::new(ATTILA_STATUS_SIZE, message));
        }
        let mut value = T::default();
        // SAFETY: the caller's struct has `size` bytes, and so many of `value` may be any bytes; the rest stays as it is
        // by default.
        unsafe { ptr::copy_nonoverlapping(data.cast::<u8>(), (&raw mut value).cast::<u8>(), size) };
        Ok(value)
    }

    /// A struct that may be null, for the default.
    pub(crate) fn options<T: Extensible>(&self, name: &str, data: *const T) -> Outcome<T> {
        match data.is_null() {
            true => Ok(T::default()),
            false => self.given(name, data),
        }
    }

    /// Structs one after another, all of the size that the first one has.
    pub(crate) fn each<T: Extensible>(
        &self,
        name: &str,
        data: *const T,
        count: usize,
    ) -> Outcome<Vec<T>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        check(name, data.cast::<usize>(), 1)?;
        // SAFETY: as in `given`.
        let stride = unsafe { *data.cast::<usize>() };
        let one = |index: usize| {
            let place = data.wrapping_byte_add(stride.wrapping_mul(index));
            let value = self.given(name, place)?;
            // SAFETY: `given` has just read it.
            match unsafe { *place.cast::<usize>() } == stride {
                true => Ok(value),
                false => Err(Failure::new(
                    ATTILA_STATUS_SIZE,
                    format!("`{name}` has structs of different sizes"),
                )),
            }
        };
        (0..count).map(one).collect()
    }

    /// Gives the caller a value.
    pub(crate) fn put<T: Plain>(&self, name: &str, out: *mut T, value: T) -> Outcome<()> {
        check(name, out.cast_const(), 1)?;
        // SAFETY: it is neither null nor misaligned, and the header asks for room for a value there.
        unsafe { out.write(value) };
        Ok(())
    }

    /// Fills a struct of the caller, as much of it as they know.
    pub(crate) fn fill<T: Extensible>(&self, name: &str, out: *mut T, value: &T) -> Outcome<()> {
        self.given(name, out.cast_const())?;
        // SAFETY: `given` has checked the size, and the header asks for a struct that may be written. The size itself
        // stays what it is.
        unsafe {
            let size = *out.cast::<usize>();
            let from = ptr::from_ref(value).cast::<u8>();
            let rest = size - size_of::<usize>();
            ptr::copy_nonoverlapping(
                from.add(size_of::<usize>()),
                out.cast::<u8>().add(size_of::<usize>()),
                rest,
            );
        }
        Ok(())
    }
}

fn check<T>(name: &str, data: *const T, count: usize) -> Outcome<()> {
    if data.is_null() {
        return Err(Failure::null(name));
    }
    if !data.is_aligned() {
        let message = format!("`{name}` is not a multiple of {} bytes", align_of::<T>());
        return Err(Failure::new(ATTILA_STATUS_ALIGNMENT, message));
    }
    let bytes = count.checked_mul(size_of::<T>());
    let end = bytes.filter(|bytes| *bytes <= isize::MAX.cast_unsigned());
    match end.and_then(|bytes| data.addr().checked_add(bytes)) {
        Some(_) => Ok(()),
        None => Err(Failure::range(format!(
            "`{name}` has {count} elements, which is more than any memory has"
        ))),
    }
}

/// The memory of a call, to see that what is written overlaps nothing else.
#[derive(Default)]
pub(crate) struct Regions(SmallVec<[Region; 4]>);

struct Region {
    name: &'static str,
    start: usize,
    end: usize,
    written: bool,
}

impl Regions {
    /// Adds memory that is only read.
    pub(crate) fn reads<T>(&mut self, name: &'static str, data: *const T, count: usize) {
        self.add(name, data, count, false);
    }

    /// Adds memory that is written.
    pub(crate) fn writes<T>(&mut self, name: &'static str, data: *const T, count: usize) {
        self.add(name, data, count, true);
    }

    fn add<T>(&mut self, name: &'static str, data: *const T, count: usize, written: bool) {
        let start = data.addr();
        let end = start.saturating_add(count.saturating_mul(size_of::<T>()));
        if start < end && !data.is_null() {
            self.0.push(Region {
                name,
                start,
                end,
                written,
            });
        }
    }

    /// Refuses memory that is written and overlaps other memory.
    pub(crate) fn check(mut self) -> Outcome<()> {
        if self.0.len() < 2 {
            return Ok(());
        }
        self.0.sort_unstable_by_key(|region| region.start);
        // The farthest end so far, of any memory and of memory that is written.
        let mut all: Option<&Region> = None;
        let mut written: Option<&Region> = None;
        for region in &self.0 {
            let before = if region.written { all } else { written };
            if let Some(other) = before.filter(|other| other.end > region.start) {
                let message = format!("`{}` overlaps `{}`", region.name, other.name);
                return Err(Failure::new(ATTILA_STATUS_OVERLAP, message));
            }
            let farther = |other: Option<&Region>| other.is_none_or(|other| other.end < region.end);
            if farther(all) {
                all = Some(region);
            }
            if region.written && farther(written) {
                written = Some(region);
            }
        }
        Ok(())
    }
}
