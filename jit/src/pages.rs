//! Memory that machine code is in: pages of larger mappings, which code shares.
//!
//! To map memory takes the system longer than to make it executable: a page of its own took 37 µs when the caches
//! were cold, a page of a mapping that is there 9 (AMD EPYC, family 26). A page is never writable and
//! executable at once: pages with code are executable, all others are writable.
#![allow(
    unsafe_code,
    reason = "pages of a mapping change their protection, and are written, apart from its others"
)]

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use memmap2::{MmapOptions, MmapRaw};
use region::Protection;

/// Bytes of a page of x86-64.
const PAGE: usize = 4096;

/// Pages of a mapping that code shares.
const SHARED: usize = 16;

/// The most pages of code that shares its mapping, so that few pages at the end of one are wasted.
const MOST_PAGES: usize = SHARED / 4;

/// Where the code of all engines is.
static POOL: Pool = Pool::new();

/// Executable memory for `bytes` of code, at its beginning.
pub(crate) fn executable(bytes: &[u8]) -> io::Result<Pages> {
    POOL.executable(bytes)
}

/// The mappings that code shares.
struct Pool {
    mappings: Mutex<Vec<Shared>>,
}

struct Shared {
    mapping: Arc<MmapRaw>,
    /// The pages that have an owner, bit n = page n.
    used: u16,
}

/// Pages of code. When they are dropped, their place can be had again.
pub(crate) struct Pages {
    pool: &'static Pool,
    mapping: Arc<MmapRaw>,
    pages: Range<usize>,
}

impl Pool {
    const fn new() -> Pool {
        Pool {
            mappings: Mutex::new(Vec::new()),
        }
    }

    fn executable(&'static self, bytes: &[u8]) -> io::Result<Pages> {
        let count = bytes.len().div_ceil(PAGE).max(1);
        let mut pages = if count > MOST_PAGES {
            Pages {
                pool: self,
                mapping: Arc::new(map(count)?),
                pages: 0..count,
            }
        } else {
            self.shared(count)?
        };
        pages.write(bytes);
        pages.protect(Protection::READ_EXECUTE)?;
        Ok(pages)
    }

    /// Writable pages of a mapping that code shares.
    fn shared(&'static self, count: usize) -> io::Result<Pages> {
        let mut mappings = self.lock();
        let found = mappings.iter_mut().find_map(|shared| {
            let first = shared.first_free(count)?;
            Some((shared, first))
        });
        let (shared, first) = match found {
            Some(found) => found,
            None => {
                let mapping = Arc::new(map(SHARED)?);
                (mappings.push_mut(Shared { mapping, used: 0 }), 0)
            }
        };
        let pages = first..first + count;
        shared.used |= bits(&pages);
        Ok(Pages {
            pool: self,
            mapping: shared.mapping.clone(),
            pages,
        })
    }

    fn lock(&self) -> impl std::ops::DerefMut<Target = Vec<Shared>> {
        // It is whole whenever it can be seen.
        self.mappings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// The first of so many pages without an owner.
    fn first_free(&self, count: usize) -> Option<usize> {
        (0..=SHARED - count).find(|&first| self.used & bits(&(first..first + count)) == 0)
    }
}

/// A bit for each page.
fn bits(pages: &Range<usize>) -> u16 {
    ((1 << pages.len()) - 1) << pages.start
}

/// A mapping of so many pages, all of them there: one by one, each would cost a fault when it is written.
fn map(pages: usize) -> io::Result<MmapRaw> {
    let mapping = MmapOptions::new().len(pages * PAGE).populate().map_anon()?;
    Ok(mapping.into())
}

impl Pages {
    /// Where the code begins.
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.as_mut_ptr()
    }

    /// Bytes of all pages.
    pub(crate) fn bytes(&self) -> usize {
        self.pages.len() * PAGE
    }

    fn as_mut_ptr(&self) -> *mut u8 {
        let first = self.mapping.as_mut_ptr();
        first.wrapping_add(self.pages.start * PAGE)
    }

    /// Writes code, before the pages are executable.
    fn write(&mut self, bytes: &[u8]) {
        assert!(bytes.len() <= self.bytes(), "the code is longer");
        // SAFETY: the pages are as long, are writable, and nobody else has them. `bytes` is borrowed, and
        // what is borrowed is not in them.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.as_mut_ptr(), bytes.len()) };
    }

    fn protect(&mut self, protection: Protection) -> io::Result<()> {
        // SAFETY: these are whole pages of a mapping that is there as long as `self`, and nobody else has
        // them. All that is done with code is to read and to execute it.
        let done = unsafe { region::protect(self.as_ptr(), self.bytes(), protection) };
        done.map_err(io::Error::other)
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if self.pages.len() > MOST_PAGES || self.protect(Protection::READ_WRITE).is_err() {
            // They go with their mapping.
            return;
        }
        let mut mappings = self.pool.lock();
        let is_own = |shared: &Shared| Arc::ptr_eq(&shared.mapping, &self.mapping);
        let Some(place) = mappings.iter().position(is_own) else {
            unreachable!("mappings with pages in use stay");
        };
        mappings[place].used &= !bits(&self.pages);
        // One mapping stays for the next code.
        let is_empty = |shared: &Shared| shared.used == 0;
        if is_empty(&mappings[place]) && mappings.iter().filter(|it| is_empty(it)).count() > 1 {
            mappings.swap_remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool() -> &'static Pool {
        Box::leak(Box::new(Pool::new()))
    }

    fn code(pages: usize, byte: u8) -> Vec<u8> {
        vec![byte; pages * PAGE - 1]
    }

    fn executable(pool: &'static Pool, bytes: &[u8]) -> Pages {
        pool.executable(bytes).expect("there is memory")
    }

    /// A function that returns `number`.
    fn returning(number: u32) -> Vec<u8> {
        let [a, b, c, d] = number.to_le_bytes();
        vec![0xb8, a, b, c, d, 0xc3]
    }

    fn call(pages: &Pages) -> u32 {
        // SAFETY: the tests call it for code of `returning` alone.
        let function =
            unsafe { std::mem::transmute::<*const u8, extern "C" fn() -> u32>(pages.as_ptr()) };
        function()
    }

    #[test]
    fn code_stays_as_it_is_while_other_code_comes_and_goes() {
        let pool = pool();
        let threads: Vec<_> = (0..4)
            .map(|thread: u32| {
                std::thread::spawn(move || {
                    let mut kept = Vec::new();
                    for round in 0..100 {
                        let number = thread << 16 | round;
                        kept.push((number, executable(pool, &returning(number))));
                        if round % 3 == 2 {
                            kept.swap_remove(round as usize % kept.len());
                        }
                    }
                    kept.iter().all(|(number, pages)| call(pages) == *number)
                })
            })
            .collect();
        for thread in threads {
            assert!(thread.join().expect("it does not panic"));
        }
        assert_eq!(pool.lock().len(), 1, "all but one are given back");
    }

    #[test]
    fn pages_are_used_again() {
        let pool = pool();
        let first: Vec<Pages> = (0..SHARED)
            .map(|_| executable(pool, &code(1, 0x90)))
            .collect();
        let second = executable(pool, &code(1, 0x90));
        assert_eq!(pool.lock().len(), 2);
        let mut first = first;
        let gone: Vec<usize> = first
            .drain(3..7)
            .map(|pages| pages.as_ptr().addr())
            .collect();
        let again = executable(pool, &code(MOST_PAGES, 0xc3));
        assert_eq!(again.as_ptr().addr(), gone[0]);
        drop((first, second));
        assert_eq!(pool.lock().len(), 2, "one is empty, one has code");
        drop(again);
        assert_eq!(pool.lock().len(), 1);
        assert_eq!(pool.lock()[0].used, 0);
    }

    #[test]
    fn much_code_has_a_mapping_of_its_own() {
        let pool = pool();
        let pages = executable(pool, &code(MOST_PAGES + 1, 0x90));
        assert_eq!(pages.bytes(), (MOST_PAGES + 1) * PAGE);
        assert!(pool.lock().is_empty());
        let few = executable(pool, &code(MOST_PAGES, 0x90));
        assert_eq!(few.bytes(), MOST_PAGES * PAGE);
        assert_eq!(pool.lock().len(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn pages_are_never_writable_and_executable() {
        /// The permissions of the page at an address.
        fn permissions(address: usize) -> Option<String> {
            let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux has it");
            maps.lines().find_map(|line| {
                let (range, rest) = line.split_once(' ')?;
                let (from, to) = range.split_once('-')?;
                let [from, to] = [from, to].map(|it| usize::from_str_radix(it, 16).ok());
                (from?..to?)
                    .contains(&address)
                    .then(|| rest[..3].to_owned())
            })
        }
        let pool = pool();
        let [one, other] = [0x90, 0xc3].map(|byte| executable(pool, &code(1, byte)));
        let large = executable(pool, &code(MOST_PAGES + 1, 0x90));
        let [at_one, at_other] = [&one, &other].map(|pages| pages.as_ptr().addr());
        let of = |address| permissions(address).unwrap_or_default();
        assert_eq!([of(at_one), of(at_other)], ["r-x", "r-x"]);
        assert_eq!(of(at_other + PAGE), "rw-");
        assert_eq!(of(large.as_ptr().addr() + MOST_PAGES * PAGE), "r-x");
        drop(one);
        assert_eq!([of(at_one), of(at_other)], ["rw-", "r-x"]);
    }
}
