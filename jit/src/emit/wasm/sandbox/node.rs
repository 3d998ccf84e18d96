//! Node.js as a process that runs modules. `runner.js` has the other side of the messages.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::abi::{Arguments, ContextField};
use crate::ir::Vector as Words;
use crate::runtime::{Entry, Vectors};

/// The program.
const RUNNER: &str = include_str!("runner.js");

/// Modules that a process keeps. Then it forgets them all.
const MOST_MODULES: usize = 256;

/// The answer to a call of an entry: with operands and results, and what it works on. Returns whether the run is to be
/// stopped.
pub(super) type Answer<'a> = dyn FnMut(Entry, &mut Arguments, u64, &mut Vectors) -> bool + 'a;

/// A run of a module.
pub(super) struct Call<'a> {
    /// The address of the context.
    pub(super) context: u32,
    /// The address of the first record or span.
    pub(super) first: u32,
    /// How many there are.
    pub(super) count: u32,
    /// The memory, from its [base](super::image::BASE) on.
    pub(super) memory: &'a mut [u8],
}

/// A process.
pub(super) struct Node {
    child: Child,
    to: BufWriter<ChildStdin>,
    from: BufReader<ChildStdout>,
    /// The numbers of the modules that it has.
    modules: Vec<u32>,
}

/// How long modules have run.
static NANOSECONDS: AtomicU64 = AtomicU64::new(0);

/// The time for which modules have run in Node.js so far, in all of its processes, without the copies of their memory.
pub fn time_in_node() -> Duration {
    Duration::from_nanos(NANOSECONDS.load(Ordering::Relaxed))
}

/// Processes that nobody uses.
static SPARE: Mutex<Vec<Node>> = Mutex::new(Vec::new());

fn spare() -> MutexGuard<'static, Vec<Node>> {
    SPARE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something with a process. One in which that fails is not used again.
///
/// # Errors
///
/// There is no Node.js, or it ended, or it does not take a module.
pub(super) fn with<T>(act: impl FnOnce(&mut Node) -> io::Result<T>) -> io::Result<T> {
    let known = spare().pop();
    let mut node = match known {
        Some(node) => node,
        None => Node::start()?,
    };
    let result = act(&mut node)?;
    spare().push(node);
    Ok(result)
}

impl Node {
    fn start() -> io::Result<Node> {
        let mut child = Command::new("node")
            .args(["-e", RUNNER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (to, from) = (child.stdin.take(), child.stdout.take());
        let (Some(to), Some(from)) = (to, from) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let mut node = Node {
            child,
            to: BufWriter::new(to),
            from: BufReader::new(from),
            modules: Vec::new(),
        };
        let sizes = [
            ContextField::Stopped.offset(),
            size_of::<Vectors>(),
            size_of::<Arguments>(),
        ];
        node.to.write_all(b"N")?;
        node.put(sizes.map(|size| size as u32))?;
        let names = Entry::ALL.map(Entry::name).join(" ");
        node.put([names.len() as u32])?;
        node.to.write_all(names.as_bytes())?;
        node.expect(b'K')?;
        Ok(node)
    }

    fn put<const N: usize>(&mut self, words: [u32; N]) -> io::Result<()> {
        self.to
            .write_all(words.map(u32::to_le_bytes).as_flattened())
    }

    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn word(&mut self) -> io::Result<u32> {
        Ok(u32::from_le_bytes(self.bytes()?))
    }

    /// The kind of the next message, if it is not about an error.
    fn message(&mut self) -> io::Result<u8> {
        self.to.flush()?;
        let [kind] = self.bytes()?;
        if kind != b'X' {
            return Ok(kind);
        }
        let mut text = vec![0; self.word()? as usize];
        self.from.read_exact(&mut text)?;
        Err(io::Error::other(String::from_utf8_lossy(&text)))
    }

    fn expect(&mut self, wanted: u8) -> io::Result<()> {
        let kind = self.message()?;
        if kind == wanted {
            return Ok(());
        }
        let message = format!("Node.js answered {kind:#x}");
        Err(io::Error::new(io::ErrorKind::InvalidData, message))
    }

    /// Makes sure that the process has a module.
    pub(super) fn load(&mut self, number: u32, module: &[u8]) -> io::Result<()> {
        if self.modules.contains(&number) {
            return Ok(());
        }
        if self.modules.len() == MOST_MODULES {
            self.to.write_all(b"F")?;
            self.modules.clear();
        }
        self.to.write_all(b"M")?;
        self.put([number, module.len() as u32])?;
        self.to.write_all(module)?;
        self.expect(b'K')?;
        self.modules.push(number);
        Ok(())
    }

    /// Runs a module that was loaded. Returns its status.
    pub(super) fn run(
        &mut self,
        number: u32,
        call: Call<'_>,
        answer: &mut Answer<'_>,
    ) -> io::Result<u64> {
        let size = call.memory.len() as u32;
        self.to.write_all(b"R")?;
        self.put([number, call.context, call.first, call.count, size])?;
        self.to.write_all(call.memory)?;
        while self.message()? == b'E' {
            self.entry(answer)?;
        }
        let status = u64::from_le_bytes(self.bytes()?);
        NANOSECONDS.fetch_add(u64::from_le_bytes(self.bytes()?), Ordering::Relaxed);
        self.from.read_exact(call.memory)?;
        Ok(status)
    }

    fn entry(&mut self, answer: &mut Answer<'_>) -> io::Result<()> {
        let [number, works] = [self.word()?, self.word()?];
        let site = u64::from_le_bytes(self.bytes()?);
        let mut vectors = Vectors::default();
        for vector in &mut vectors {
            vector.0 = self.vector()?;
        }
        let mut memory = Arguments::default();
        if works != 0 {
            for vector in &mut memory {
                *vector = self.vector()?;
            }
        }
        let entry = Entry::ALL[number as usize % Entry::ALL.len()];
        let stopped = answer(entry, &mut memory, site, &mut vectors);
        self.put([stopped.into()])?;
        for vector in vectors {
            self.put(vector.0)?;
        }
        if works != 0 {
            memory.into_iter().try_for_each(|vector| self.put(vector))?;
        }
        Ok(())
    }

    fn vector(&mut self) -> io::Result<Words> {
        Ok([self.word()?, self.word()?, self.word()?, self.word()?])
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
