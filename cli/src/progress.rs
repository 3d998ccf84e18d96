//! [`Progress`]: a bar on the terminal for work that turns out to take long.

use std::io::{self, IsTerminal, Read};
use std::ops::ControlFlow;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long nothing is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far a command is. The bar is on standard error, if that is a terminal, and gone in the end.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// If there is a terminal.
    herald: Option<Herald>,
}

/// A thread that shows the bar when the time has come.
struct Herald {
    /// Keeps it waiting.
    waiting: Sender<()>,
    thread: JoinHandle<()>,
}

impl Progress {
    /// Nothing is done yet of so many steps.
    pub(crate) fn new(steps: u64) -> Progress {
        if io::stderr().is_terminal() {
            Progress::shown_after(PATIENCE, steps, ProgressDrawTarget::stderr())
        } else {
            let bar = ProgressBar::hidden();
            Progress { bar, herald: None }
        }
    }

    fn shown_after(patience: Duration, steps: u64, target: ProgressDrawTarget) -> Progress {
        let style = "{wide_bar} {percent:>3} % {eta:>4} left";
        let style = ProgressStyle::with_template(style).expect("the template is well formed");
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden());
        let bar = bar.with_style(style);
        let (waiting, end) = mpsc::channel::<()>();
        let shown = bar.clone();
        let thread = thread::Builder::new().spawn(move || {
            if end.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(target);
                shown.tick();
            }
        });
        // A bar is no reason to fail.
        let herald = thread.ok().map(|thread| Herald { waiting, thread });
        Progress { bar, herald }
    }

    /// A step is done.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
    }

    /// So many of all steps are done. Work goes on.
    pub(crate) fn set(&self, done: u64, all: u64) -> ControlFlow<()> {
        self.bar.set_length(all);
        self.bar.set_position(done);
        ControlFlow::Continue(())
    }

    /// Leaves steps out.
    pub(crate) fn skip(&self, steps: u64) {
        self.bar.inc(steps);
    }

    /// Counts the bytes that are read as steps.
    pub(crate) fn reader<R: Read>(&self, source: R) -> impl Read + use<R> {
        self.bar.wrap_read(source)
    }

    /// Prints something else than the bar, which `print` leaves alone.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(Herald { waiting, thread }) = self.herald.take() {
            drop(waiting);
            // After it the bar cannot come back. All that it can have done wrong is not to show it.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use indicatif::TermLike;

    use super::*;

    /// A terminal that hands on every line that is written to it.
    #[derive(Debug)]
    struct Terminal(Mutex<Sender<String>>);

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            40
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            if !text.trim().is_empty() {
                // At the end of a test nobody listens any more.
                let _ = self.0.lock().unwrap().send(text.to_owned());
            }
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn watched(patience: Duration) -> (Progress, mpsc::Receiver<String>) {
        let (written, lines) = mpsc::channel();
        let target = ProgressDrawTarget::term_like(Box::new(Terminal(Mutex::new(written))));
        (Progress::shown_after(patience, 4, target), lines)
    }

    #[test]
    fn work_that_takes_long_is_shown() {
        let (progress, lines) = watched(Duration::ZERO);
        let first = lines.recv().unwrap();
        assert!(first.contains("   0 % "), "{first}");
        progress.step();
        let mut read = [0; 8];
        assert_eq!(progress.reader(&[1_u8, 2][..]).read(&mut read).unwrap(), 2);
        assert_eq!(progress.bar.position(), 3);
        drop(progress);
    }

    #[test]
    fn work_may_say_itself_how_far_it_is() {
        let (progress, lines) = watched(Duration::ZERO);
        lines.recv().unwrap();
        assert_eq!(progress.set(3, 12), ControlFlow::Continue(()));
        let shown = |line: String| line.contains("  25 % ");
        progress.bar.tick();
        assert!(lines.try_iter().any(shown));
    }

    #[test]
    fn work_that_is_done_in_time_is_not_shown() {
        let (progress, lines) = watched(Duration::MAX);
        progress.step();
        assert_eq!(progress.suspend(|| 7), 7);
        drop(progress);
        // The terminal is gone with the thread that would have shown the bar.
        assert!(lines.recv().is_err());
    }
}
