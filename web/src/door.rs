//! The functions that the page calls.
//!
//! ```text
//! begin()                 first of all
//! allocate(n) -> place    where to put a message of n bytes
//! answer() -> place       answers it; the answer is there until the next call, `answer_length()` bytes
//!
//! message, answer: length of the JSON in 4 bytes, JSON, other bytes
//! ```
#![allow(
    unsafe_code,
    reason = "functions of modules have names that no other may have"
)]

use std::cell::RefCell;

use crate::session::Session;

/// Bytes of the length.
const LENGTH: usize = 4;

#[derive(Default)]
struct Door {
    message: Vec<u8>,
    answer: Vec<u8>,
    session: Option<Session>,
}

thread_local! {
    static DOOR: RefCell<Door> = RefCell::default();
}

fn with<T>(f: impl FnOnce(&mut Door) -> T) -> T {
    DOOR.with_borrow_mut(f)
}

/// Has programs compiled by the page from now on.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn begin() {
    crate::linker::begin();
    with(|door| door.session = Some(Session::new()));
}

/// Where to put a message of so many bytes.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn allocate(length: usize) -> *mut u8 {
    with(|door| {
        door.message = vec![0; length];
        door.message.as_mut_ptr()
    })
}

/// Answers the message that was put there.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn answer() -> *const u8 {
    with(|door| {
        let message = std::mem::take(&mut door.message);
        let (json, bytes) = split(&message);
        let session = door.session.get_or_insert_default();
        door.answer = session.answer(json, bytes).to_bytes();
        door.answer.as_ptr()
    })
}

/// Bytes of the answer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn answer_length() -> usize {
    with(|door| door.answer.len())
}

/// The JSON of a message, and its other bytes. One that is too short is empty.
fn split(message: &[u8]) -> (&[u8], &[u8]) {
    let parts = message.split_first_chunk::<LENGTH>();
    let parts = parts
        .and_then(|(length, rest)| rest.split_at_checked(u32::from_le_bytes(*length) as usize));
    parts.unwrap_or_default()
}
