//! Memory between pages without access: a read outside of it ends the process.
//!
//! ```text
//!   Side::Start   | no access | allocation ......   | no access |
//!   Side::End     | no access |   ...... allocation | no access |
//! ```
//!
//! All of it comes from one stretch of addresses. No address is used twice, so freed memory is guarded
//! as well.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// On which side of an allocation a guarding page follows immediately.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// Before its first byte.
    Start,
    /// After its last byte, as near as its alignment allows.
    End,
}

/// Runs `make`, and guards its allocations on this thread.
pub(crate) fn guarded<T>(side: Side, make: impl FnOnce() -> T) -> T {
    SIDE.set(Some(side));
    let made = make();
    SIDE.set(None);
    made
}

/// Bytes of a page.
pub(crate) fn page() -> usize {
    // SAFETY: the function only returns a number.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(bytes).expect("the system has pages")
}

thread_local! {
    static SIDE: Cell<Option<Side>> = const { Cell::new(None) };
}

/// The system's allocator, except for guarded allocations.
pub(crate) struct Guarding;

/// Addresses that are set aside.
const BYTES: usize = 1 << 34;

/// The first of them, and the first that is still free.
struct Arena {
    start: usize,
    free: AtomicUsize,
}

static ARENA: OnceLock<Arena> = OnceLock::new();

impl Arena {
    /// `BYTES` of addresses without memory; if there are too few, no allocation succeeds.
    fn new() -> Arena {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a mapping at an address of the system's choice changes no memory in use.
        let start = unsafe { libc::mmap(ptr::null_mut(), BYTES, libc::PROT_NONE, flags, -1, 0) };
        let failed = start == libc::MAP_FAILED;
        let start = if failed { usize::MAX } else { start.addr() };
        Arena {
            start,
            free: AtomicUsize::new(start),
        }
    }

    fn holds(&self, address: usize) -> bool {
        address
            .checked_sub(self.start)
            .is_some_and(|offset| offset < BYTES)
    }

    /// Null if there is no more.
    fn allocate(&self, side: Side, layout: Layout) -> *mut u8 {
        let page = page();
        let bytes = layout.size().next_multiple_of(page);
        // A guarding page before each allocation, which follows the one before.
        let taken = |free: usize| free.checked_add(bytes + page);
        let before = self
            .free
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |free| {
                taken(free).filter(|&next| self.holds(next + page - 1))
            });
        let Ok(before) = before else {
            return ptr::null_mut();
        };
        let pages = (before + page) as *mut u8;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the pages are of the arena's mapping, and nobody else has taken them.
        if unsafe { libc::mprotect(pages.cast(), bytes, access) } != 0 {
            return ptr::null_mut();
        }
        let slack = match side {
            Side::Start => 0,
            Side::End => (bytes - layout.size()) / layout.align() * layout.align(),
        };
        pages.wrapping_add(slack)
    }

    /// Takes the access to an allocation of this arena away, and its memory.
    fn free(&self, address: usize, layout: Layout) {
        let page = page();
        let first = (address / page * page) as *mut libc::c_void;
        let bytes = layout.size().next_multiple_of(page);
        // SAFETY: these are the pages of one allocation, and its owner has given it up.
        unsafe {
            libc::madvise(first, bytes, libc::MADV_DONTNEED);
            libc::mprotect(first, bytes, libc::PROT_NONE);
        }
    }
}

// SAFETY: allocations of the arena are as large and as aligned as is asked for, they do not overlap,
// and no unwinding leaves them; all others are the system's, which also gets them back.
unsafe impl GlobalAlloc for Guarding {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match SIDE.get() {
            Some(side) if layout.align() <= page() => {
                ARENA.get_or_init(Arena::new).allocate(side, layout)
            }
            // SAFETY: the caller keeps to the contract of this function, which is the same.
            _ => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let address = pointer as usize;
        match ARENA.get().filter(|arena| arena.holds(address)) {
            Some(arena) => arena.free(address, layout),
            // SAFETY: memory outside of the arena is the system allocator's, with this layout.
            None => unsafe { System.dealloc(pointer, layout) },
        }
    }
}
