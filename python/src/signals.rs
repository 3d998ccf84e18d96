//! Long calls: they run without the lock of the interpreter, tell their progress, and end with Ctrl-C.

use std::ops::ControlFlow;
use std::panic;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::errors::Stopped;
use crate::threads::with_threads;

/// Time between two looks for signals.
const LOOK: Duration = Duration::from_millis(20);

/// What `progress` asks for: a callable, or a bar for `True`.
pub(crate) fn listener(
    py: Python<'_>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Option<Py<PyAny>>> {
    let Some(progress) = progress else {
        return Ok(None);
    };
    match progress.cast::<PyBool>() {
        Ok(shows) if shows.is_true() => {
            let bar = py.import("attila._progress")?.call_method0("bar")?;
            Ok((!bar.is_none()).then(|| bar.unbind()))
        }
        Ok(_) => Ok(None),
        Err(_) if progress.is_callable() => Ok(Some(progress.unbind())),
        Err(_) => {
            let kind = progress.get_type().to_string();
            Err(PyTypeError::new_err(format!(
                "progress is {kind}; expected True or a callable"
            )))
        }
    }
}

/// What a long call is told by Python.
pub(crate) struct Watch {
    progress: Option<Py<PyAny>>,
    /// Whether the calling thread works alone.
    alone: bool,
    told: AtomicU32,
    stop: AtomicBool,
    raised: Mutex<Option<PyErr>>,
}

impl Watch {
    /// That of a call on so many threads, whose `progress` gets the finished and all elements and may return `False`.
    pub(crate) fn new(progress: Option<Py<PyAny>>, threads: usize) -> Watch {
        Watch {
            progress,
            alone: threads == 1,
            told: AtomicU32::new(0),
            stop: AtomicBool::new(false),
            raised: Mutex::new(None),
        }
    }

    /// Whether `progress` was given.
    pub(crate) fn has_listener(&self) -> bool {
        self.progress.is_some()
    }

    /// The hook of the library.
    pub(crate) fn tell(&self, done: u64, all: u64) -> ControlFlow<()> {
        if self.asks(done < all) && !self.stop.load(Ordering::Relaxed) {
            self.look(|py| match &self.progress {
                None => Ok(true),
                Some(progress) => {
                    let answer = progress.bind(py).call1((done, all))?;
                    Ok(!answer.extract::<bool>().is_ok_and(|goes_on| !goes_on))
                }
            });
        }
        match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Whether Python is to be asked now. Progress is told at most 20 ms apart, but as often as every few microseconds.
    fn asks(&self, goes_on: bool) -> bool {
        if self.progress.is_some() {
            return true;
        }
        // Beside others, the calling thread looks for signals itself, and so does Python at the end.
        self.alone && goes_on && self.told.fetch_add(1, Ordering::Relaxed) % 8 == 7
    }

    /// Looks for signals, which Python shows to its main thread only, and then whether `goes_on`.
    fn look(&self, goes_on: impl FnOnce(Python<'_>) -> PyResult<bool>) {
        let looked = Python::attach(|py| {
            py.check_signals()?;
            goes_on(py)
        });
        let error = match looked {
            Ok(true) => return,
            Ok(false) => None,
            Err(error) => Some(error),
        };
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        if raised.is_none() {
            *raised = error;
        }
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Runs `work` without the lock. With several threads the calling one only looks for signals, as it may have nothing
    /// left to draw while others have.
    pub(crate) fn run<T: Send>(&self, py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
        py.detach(|| match self.alone {
            true => work(),
            false => self.beside(work),
        })
    }

    fn beside<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        thread::scope(|scope| {
            let (sender, finished) = mpsc::channel::<()>();
            let worker = scope.spawn(move || {
                // Dropped at the end, also by a panic.
                let _sender = sender;
                with_threads(work)
            });
            while let Err(RecvTimeoutError::Timeout) = finished.recv_timeout(LOOK) {
                self.look(|_| Ok(true));
            }
            worker
                .join()
                .unwrap_or_else(|panic| panic::resume_unwind(panic))
        })
    }

    /// Why the call was stopped: the exception that was raised meanwhile, or [`Stopped`].
    pub(crate) fn reason(&self) -> PyErr {
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        raised
            .take()
            .unwrap_or_else(|| Stopped::new_err("`progress` returned False"))
    }
}
