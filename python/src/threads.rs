//! Threads of a process that has been forked.

use std::process;
use std::sync::OnceLock;

use rayon::ThreadPoolBuilder;

/// Does work that may ask for other threads. They belong to the process that has asked first: one that is forked from it
/// has a list of them, but not the threads, and would wait for them for ever. It starts some for each call.
pub(crate) fn with_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    static FIRST: OnceLock<u32> = OnceLock::new();
    if *FIRST.get_or_init(process::id) == process::id() {
        return work();
    }
    match ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(work),
        // There is one thread: this one.
        Err(_) => work(),
    }
}
