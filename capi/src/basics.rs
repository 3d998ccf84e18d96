//! Basics

use std::ffi::{c_char, c_void};
use std::ptr::null;

use ::attila_shader::Compare;

use crate::failure::{Failure, Outcome};
use crate::handle;

/// A text in UTF-8, which need not end with a zero. A text of the length 0 may have any pointer.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_text {
    pub data: *const c_char,
    /// In bytes.
    pub length: usize,
}

/// Bytes that are only read. Those of the length 0 may have any pointer.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_bytes {
    pub data: *const c_void,
    pub length: usize,
}

/// How two numbers have to compare.
pub type attila_compare = u32;

/// There is no comparison.
pub const ATTILA_COMPARE_OFF: attila_compare = 0;
pub const ATTILA_COMPARE_NEVER: attila_compare = 1;
pub const ATTILA_COMPARE_LESS: attila_compare = 2;
pub const ATTILA_COMPARE_EQUAL: attila_compare = 3;
pub const ATTILA_COMPARE_LESS_EQUAL: attila_compare = 4;
pub const ATTILA_COMPARE_GREATER: attila_compare = 5;
pub const ATTILA_COMPARE_NOT_EQUAL: attila_compare = 6;
pub const ATTILA_COMPARE_GREATER_EQUAL: attila_compare = 7;
pub const ATTILA_COMPARE_ALWAYS: attila_compare = 8;

impl attila_text {
    pub(crate) fn of(text: &str) -> attila_text {
        attila_text {
            data: text.as_ptr().cast(),
            length: text.len(),
        }
    }
}

impl attila_bytes {
    pub(crate) fn of(bytes: &[u8]) -> attila_bytes {
        attila_bytes {
            data: bytes.as_ptr().cast(),
            length: bytes.len(),
        }
    }
}

impl Default for attila_text {
    fn default() -> attila_text {
        attila_text {
            data: null(),
            length: 0,
        }
    }
}

impl Default for attila_bytes {
    fn default() -> attila_bytes {
        attila_bytes {
            data: null(),
            length: 0,
        }
    }
}

/// The version of the library that runs, to be compared with ATTILA_VERSION, that of the header. Callable from any
/// thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_version() -> u32 {
    version()
}

/// The number of objects that have not been freed, of all types and of the whole process: for tests that look for
/// leaks. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_live_objects() -> usize {
    handle::live()
}

/// The value of a number among those that a type has, in the order of its constants.
pub(crate) fn one_of<T: Copy>(what: &str, number: u32, all: &[T]) -> Outcome<T> {
    let found = usize::try_from(number).ok().and_then(|at| all.get(at));
    let wrong = || Failure::range(format!("{what} is {number}; the last is {}", all.len() - 1));
    found.copied().ok_or_else(wrong)
}

/// A comparison; `None` if it is off.
pub(crate) fn compare(what: &str, number: attila_compare) -> Outcome<Option<Compare>> {
    match number {
        ATTILA_COMPARE_OFF => Ok(None),
        other => Ok(Some(one_of(what, other - 1, &Compare::ALL)?)),
    }
}

/// Major, minor and patch as one number.
fn version() -> u32 {
    let part = |text: &str| text.parse::<u32>().unwrap_or(0);
    part(env!("CARGO_PKG_VERSION_MAJOR")) * 1_000_000
        + part(env!("CARGO_PKG_VERSION_MINOR")) * 1_000
        + part(env!("CARGO_PKG_VERSION_PATCH"))
}
