//! Symbols of generated code for `perf`, in the file where it looks for those of a process.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::abi::RecordLayout;
use crate::emit::Code;

/// Numbers names of this process.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Adds a line about code to `/tmp/perf-PID.map`: address and length in hexadecimal, and a name of its own. Code that is
/// evaluated has no line. A file that cannot be written leaves code without names, and is no reason to fail.
pub(crate) fn note(code: &dyn Code, layout: RecordLayout) {
    let Some(memory) = code.machine_code() else {
        return;
    };
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let bits = code.kind().name().replace(' ', "");
    let line = format!(
        "{:x} {:x} attila_{layout:?}_{bits}_{number}\n",
        memory.start,
        memory.len()
    );
    let _ = append(&line);
}

fn append(line: &str) -> io::Result<()> {
    let path = format!("/tmp/perf-{}.map", process::id());
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(line.as_bytes())
}
