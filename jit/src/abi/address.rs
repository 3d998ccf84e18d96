//! Addresses in records.

use std::fmt;
use std::ptr;

/// An address that code reads. It takes eight bytes on every machine, so that records are laid out alike everywhere:
/// code for machines with addresses of four bytes is made and tested on others.
#[repr(C, align(8))]
pub(crate) struct Address<T> {
    pointer: *const T,
    #[cfg(target_pointer_width = "32")]
    rest: u32,
}

const _: () = assert!(size_of::<Address<u8>>() == Address::<u8>::SIZE);

impl<T> Address<T> {
    /// Bytes.
    pub(crate) const SIZE: usize = 8;

    /// No address.
    pub(crate) const NULL: Address<T> = Address::of(ptr::null());

    /// The address of what a pointer points to.
    pub(crate) const fn of(pointer: *const T) -> Address<T> {
        Address {
            pointer,
            #[cfg(target_pointer_width = "32")]
            rest: 0,
        }
    }
}

impl<T> Clone for Address<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Address<T> {}

impl<T> fmt::Debug for Address<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pointer.fmt(f)
    }
}
