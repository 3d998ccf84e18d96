//! Memory that machine code is in: pages of larger mappings, which code shares.
//!
//! To map memory takes the system longer than to make it executable: with a mapping for each, short programs take 1.07
//! to 1.15 times as long to compile (`cargo bench --bench compile`, AMD EPYC, family 25, model 17). A page is never
//! writable and executable at once: pages with code are executable, all others are writable.
//!
//! Mappings are huge pages where the system has them, so that pages of code lie next to each other in physical
//! memory. Elsewhere they may be any, and there are pages of which a processor's cache of instructions cannot keep the
//! same lines: in 5 processes of 300, a loop of five pages ran at three quarters of its speed until it was compiled anew,
//! and in none of 300 with huge pages (the same processor).
#![allow(
    unsafe_code,
    reason = "pages of a mapping change their protection, and are written, apart from its others"
)]

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use cranelift_jit::{BranchProtection, JITMemoryKind, JITMemoryProvider};
use cranelift_module::{ModuleError, ModuleResult};
use memmap2::{MmapOptions, MmapRaw};
use region::Protection;

/// Bytes of a page of x86-64.
pub(crate) const PAGE: usize = 4096;

/// Bytes of a huge page.
const HUGE: usize = 2 << 20;

/// Pages of a mapping that code shares.
const SHARED: usize = HUGE / PAGE;

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
    mapping: Arc<Mapping>,
    /// The pages that have an owner.
    used: [bool; SHARED],
    /// How many pages the system has provided.
    provided: usize,
}

/// Pages next to each other.
struct Mapping {
    memory: MmapRaw,
    /// Bytes from the beginning of the memory to the first page.
    start: usize,
}

/// Pages of code. When they are dropped, their place can be had again.
pub(crate) struct Pages {
    pool: &'static Pool,
    mapping: Arc<Mapping>,
    pages: Range<usize>,
}

impl Pool {
    const fn new() -> Pool {
        Pool {
            mappings: Mutex::new(Vec::new()),
        }
    }

    fn executable(&'static self, bytes: &[u8]) -> io::Result<Pages> {
        let mut pages = self.writable(bytes.len())?;
        pages.write(bytes);
        pages.protect(Protection::READ_EXECUTE)?;
        Ok(pages)
    }

    /// Pages for so many bytes of code, which are writable.
    fn writable(&'static self, bytes: usize) -> io::Result<Pages> {
        let count = bytes.div_ceil(PAGE).max(1);
        if count <= MOST_PAGES {
            return self.shared(count);
        }
        let pages = Pages {
            pool: self,
            mapping: Arc::new(Mapping::own(count)?),
            pages: 0..count,
        };
        pages.populate();
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
                let shared = Shared {
                    mapping: Arc::new(Mapping::shared()?),
                    used: [false; SHARED],
                    provided: 0,
                };
                (mappings.push_mut(shared), 0)
            }
        };
        let pages = first..first + count;
        shared.used[pages.clone()].fill(true);
        let is_provided = pages.end <= shared.provided;
        shared.provided = shared.provided.max(pages.end);
        let pages = Pages {
            pool: self,
            mapping: Arc::clone(&shared.mapping),
            pages,
        };
        drop(mappings);
        if !is_provided {
            pages.populate();
        }
        Ok(pages)
    }

    fn lock(&self) -> impl std::ops::DerefMut<Target = Vec<Shared>> {
        // It is whole whenever it can be seen.
        self.mappings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// The first of so many pages without an owner.
    fn first_free(&self, count: usize) -> Option<usize> {
        let mut free = 0;
        let end = self.used.iter().position(|used| {
            free = if *used { 0 } else { free + 1 };
            free == count
        });
        end.map(|last| last + 1 - count)
    }
}

impl Mapping {
    /// So many pages.
    fn own(pages: usize) -> io::Result<Mapping> {
        let memory = MmapOptions::new().len(pages * PAGE).map_anon()?;
        Ok(Mapping {
            memory: memory.into(),
            start: 0,
        })
    }

    /// A huge page.
    fn shared() -> io::Result<Mapping> {
        // It begins at a multiple of its size. What lies before it is never touched.
        let memory = MmapOptions::new().len(2 * HUGE).map_anon()?;
        let memory = MmapRaw::from(memory);
        let first = memory.as_ptr().addr();
        // A system without huge pages does without.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Mapping {
            start: first.next_multiple_of(HUGE) - first,
            memory,
        })
    }
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

    fn offset(&self) -> usize {
        self.mapping.start + self.pages.start * PAGE
    }

    fn as_mut_ptr(&self) -> *mut u8 {
        self.mapping.memory.as_mut_ptr().wrapping_add(self.offset())
    }

    /// Has the system provide all pages at once: one by one, each may cost a fault when it is written, and does on
    /// systems that cannot.
    fn populate(&self) {
        #[cfg(target_os = "linux")]
        let _ = self.mapping.memory.advise_range(
            memmap2::Advice::PopulateWrite,
            self.offset(),
            self.bytes(),
        );
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
        let mut mappings = self.pool.lock();
        let is_own = |shared: &Shared| Arc::ptr_eq(&shared.mapping, &self.mapping);
        let Some(place) = mappings.iter().position(is_own) else {
            // No other code shares the mapping, which goes with them.
            return;
        };
        if self.protect(Protection::READ_WRITE).is_err() {
            // Nobody can write to them again.
            return;
        }
        mappings[place].used[self.pages.clone()].fill(false);
        // One mapping stays for the next code.
        let is_empty = |shared: &Shared| !shared.used.contains(&true);
        if is_empty(&mappings[place]) && mappings.iter().filter(|it| is_empty(it)).count() > 1 {
            mappings.swap_remove(place);
        }
    }
}

/// The memory of a Cranelift module that has nothing but code.
#[derive(Default)]
pub(crate) struct ModuleMemory(Vec<Pages>);

impl JITMemoryProvider for ModuleMemory {
    fn allocate(&mut self, size: usize, align: u64, kind: JITMemoryKind) -> io::Result<*mut u8> {
        assert!(align <= PAGE as u64, "code is aligned to its pages");
        match kind {
            JITMemoryKind::Executable => {}
            JITMemoryKind::Writable | JITMemoryKind::ReadOnly => {
                return Err(io::ErrorKind::Unsupported.into());
            }
        }
        let pages = self.0.push_mut(POOL.writable(size)?);
        Ok(pages.as_mut_ptr())
    }

    unsafe fn free_memory(&mut self) {
        self.0.clear();
    }

    fn finalize(&mut self, _: BranchProtection) -> ModuleResult<()> {
        let protected = self
            .0
            .iter_mut()
            .try_for_each(|pages| pages.protect(Protection::READ_EXECUTE));
        protected.map_err(|error| ModuleError::Allocation { err: error })
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
        let first = (0..SHARED).map(|_| executable(pool, &code(1, 0x90)));
        let mut first: Vec<Pages> = first.collect();
        let second = executable(pool, &code(1, 0x90));
        assert_eq!(pool.lock().len(), 2);
        let gone: Vec<usize> = first
            .drain(3..3 + MOST_PAGES)
            .map(|pages| pages.as_ptr().addr())
            .collect();
        let again = executable(pool, &code(MOST_PAGES, 0xc3));
        assert_eq!(again.as_ptr().addr(), gone[0]);
        drop((first, second));
        assert_eq!(pool.lock().len(), 2, "one is empty, one has code");
        drop(again);
        assert_eq!(pool.lock().len(), 1);
        assert!(!pool.lock()[0].used.contains(&true));
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
