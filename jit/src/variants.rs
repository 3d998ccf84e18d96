//! [`Variants`]: the code of a program for what it has been used with, as much as memory is allowed for.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use attila_machine::pipeline::Pipeline;

use crate::abi::{ColumnShape, RecordLayout};
use crate::constants::Sizes;
use crate::emit::{Code, CompileError};
use crate::sampling::Sampling;
use crate::specialisation::Specialisation;

/// Code, or the reason why it could not be made.
pub(crate) type Variant = Result<Arc<dyn Code>, Arc<CompileError>>;

/// The purpose of code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// To run records.
    Records(RecordLayout),
    /// To draw within a pipeline.
    Draw(Box<Pipeline>),
    /// To run elements of columns.
    Columns(ColumnShape),
}

/// Properties that code is specialised by.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Key {
    pub(crate) purpose: Purpose,
    /// How it samples inline.
    pub(crate) samplings: Vec<Sampling>,
    /// The sizes of constants.
    pub(crate) sizes: Sizes,
    /// Whether quads may ask in any order.
    pub(crate) any_order: bool,
}

impl Key {
    /// The key of code that relies on what is known.
    pub(crate) fn new(purpose: Purpose, known: Specialisation<'_>) -> Key {
        Key {
            purpose,
            samplings: known.samplings.to_vec(),
            sizes: known.constants.sizes(),
            any_order: known.any_order,
        }
    }
}

/// Code by purpose. Beyond the limit, the code that was used longest ago is given up; a thread that still runs
/// it keeps it until it is done.
#[derive(Debug)]
pub(crate) struct Variants {
    /// Bytes.
    limit: usize,
    kept: Mutex<Kept>,
}

#[derive(Default, Debug)]
struct Kept {
    entries: Vec<Entry>,
    /// Bytes of all entries.
    bytes: usize,
    /// How often any has been asked for.
    clock: u64,
}

#[derive(Debug)]
struct Entry {
    key: Key,
    /// Filled by the first thread that needs it, while others wait for it and for nothing else.
    slot: Arc<OnceLock<Variant>>,
    /// 0 until it is filled.
    bytes: usize,
    used: u64,
}

/// Bytes of an entry besides its code.
const ENTRY: usize = size_of::<Entry>() + size_of::<Pipeline>();

impl Variants {
    pub(crate) fn new(limit: usize) -> Variants {
        Variants {
            limit,
            kept: Mutex::default(),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The code for `key`, made if it is not there.
    pub(crate) fn get(&self, key: &Key, make: impl FnOnce() -> Variant) -> Variant {
        let slot = self.kept().slot(key);
        let mut is_new = false;
        let variant = slot.get_or_init(|| {
            is_new = true;
            make()
        });
        if is_new {
            let code = variant.as_ref().map_or(0, |code| code.memory());
            let given_up = self.kept().fill(&slot, code, self.limit);
            // Freed here, where no other thread waits for it.
            drop(given_up);
        }
        variant.clone()
    }
}

impl Kept {
    fn slot(&mut self, key: &Key) -> Arc<OnceLock<Variant>> {
        self.clock += 1;
        let used = self.clock;
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.key == *key) {
            entry.used = used;
            return Arc::clone(&entry.slot);
        }
        let slot = Arc::default();
        self.entries.push(Entry {
            key: key.clone(),
            slot: Arc::clone(&slot),
            bytes: 0,
            used,
        });
        slot
    }

    /// Counts code of so many bytes, and takes out what is too much: never that code itself, nor what is
    /// being made.
    fn fill(&mut self, slot: &Arc<OnceLock<Variant>>, code: usize, limit: usize) -> Vec<Entry> {
        for entry in &mut self.entries {
            if Arc::ptr_eq(&entry.slot, slot) {
                entry.bytes = code + ENTRY;
                self.bytes += entry.bytes;
            }
        }
        let mut given_up = Vec::new();
        while self.bytes > limit {
            let entries = self.entries.iter().enumerate();
            let others = entries.filter(|(_, it)| it.bytes > 0 && !Arc::ptr_eq(&it.slot, slot));
            let Some((oldest, _)) = others.min_by_key(|(_, entry)| entry.used) else {
                break;
            };
            let entry = self.entries.swap_remove(oldest);
            self.bytes -= entry.bytes;
            given_up.push(entry);
        }
        given_up
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use attila_machine::pipeline::{Batch, Compare, SpanError, Surfaces};
    use attila_machine::{CodeKind, Columns, RunError};

    use super::*;
    use crate::emit::{Records, Run};

    /// Code of that many bytes, which counts how much of it there is.
    #[derive(Debug)]
    struct Counted(usize, Arc<AtomicUsize>);

    impl Counted {
        fn variant(bytes: usize, alive: &Arc<AtomicUsize>) -> Variant {
            alive.fetch_add(bytes, Ordering::Relaxed);
            Ok(Arc::new(Counted(bytes, Arc::clone(alive))))
        }
    }

    impl Drop for Counted {
        fn drop(&mut self) {
            self.1.fetch_sub(self.0, Ordering::Relaxed);
        }
    }

    impl Code for Counted {
        fn elements(&self) -> usize {
            unreachable!("it is not run")
        }

        fn map(&self, _: &Run<'_>, _: &ColumnShape, _: &mut Columns<'_>) -> Result<(), RunError> {
            unreachable!("it is not run")
        }

        fn kind(&self) -> CodeKind {
            CodeKind::Evaluated
        }

        fn memory(&self) -> usize {
            self.0
        }

        fn run(&self, _: &Run<'_>, _: Records<'_>) -> Result<(), RunError> {
            unreachable!("it is not run")
        }

        fn pass(
            &self,
            _: &Run<'_>,
            _: (&Pipeline, Option<usize>),
            _: &Batch<'_>,
            _: &mut Surfaces<'_>,
        ) -> Result<(), SpanError> {
            unreachable!("it is not drawn with")
        }
    }

    /// A different key for each number below 16.
    fn key(number: usize) -> Key {
        Key {
            purpose: Purpose::Draw(Box::new(Pipeline {
                alpha_test: Compare::ALL[number % 8],
                coverage: number >= 8,
                ..Pipeline::default()
            })),
            samplings: Vec::new(),
            sizes: Sizes::ANY,
            any_order: false,
        }
    }

    #[test]
    fn code_that_was_used_longest_ago_is_given_up() {
        let alive = Arc::default();
        let variants = Variants::new(3 * (1000 + ENTRY));
        let mut made = Vec::new();
        for number in [0, 1, 2, 0, 3, 0, 1, 3] {
            let code = variants.get(&key(number), || {
                made.push(number);
                Counted::variant(1000, &alive)
            });
            drop(code);
        }
        // 3 took the place of 1, and 1 that of 2.
        assert_eq!(made, [0, 1, 2, 3, 1]);
        assert_eq!(alive.load(Ordering::Relaxed), 3000);
    }

    #[test]
    fn code_that_may_ask_in_any_order_is_not_used_where_quads_must_not() {
        let alive = Arc::default();
        let variants = Variants::new(1 << 20);
        let mut made = Vec::new();
        for any_order in [true, false, true, false] {
            let key = Key {
                any_order,
                ..key(0)
            };
            let code = variants.get(&key, || {
                made.push(any_order);
                Counted::variant(1000, &alive)
            });
            drop(code);
        }
        assert_eq!(made, [true, false]);
    }

    #[test]
    fn code_beyond_the_limit_is_kept_alone_and_failures_count() {
        let alive = Arc::default();
        let variants = Variants::new(10 * ENTRY);
        for number in [0, 1] {
            drop(variants.get(&key(number), || Counted::variant(1 << 20, &alive)));
            assert_eq!(alive.load(Ordering::Relaxed), 1 << 20);
        }
        for number in 2..16 {
            let failure = || Err(Arc::new(CompileError::Panic(String::new())));
            assert!(variants.get(&key(number), failure).is_err());
        }
        assert_eq!(variants.kept().entries.len(), 10);
        assert_eq!(alive.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn threads_share_what_is_there_and_stay_within_the_limit() {
        const THREADS: usize = 8;
        let alive: Arc<AtomicUsize> = Arc::default();
        let limit = 4 * (1000 + ENTRY);
        let variants = Variants::new(limit);
        let most = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (variants, alive, most) = (&variants, &alive, &most);
                scope.spawn(move || {
                    for round in 0..2000 {
                        let number = (7 * round * (thread + 1) + round / 5) % 16;
                        let code = variants.get(&key(number), || {
                            std::thread::yield_now();
                            Counted::variant(1000 + number, alive)
                        });
                        let code = code.expect("it can be made");
                        assert_eq!(code.memory(), 1000 + number);
                        most.fetch_max(alive.load(Ordering::Relaxed), Ordering::Relaxed);
                    }
                });
            }
        });
        // As much as is kept, and what each thread holds or has just made and taken out.
        let most = most.load(Ordering::Relaxed);
        assert!(most <= limit + 2 * THREADS * 1016, "{most}");
        let kept = variants.kept();
        let sum: usize = kept.entries.iter().map(|entry| entry.bytes).sum();
        assert_eq!(sum, kept.bytes);
        assert!(kept.bytes <= limit, "{}", kept.bytes);
        assert_eq!(
            alive.load(Ordering::Relaxed),
            sum - kept.entries.len() * ENTRY
        );
    }
}
