//! [`Progress`]: tells how far a draw is, in steps that are short enough to be stopped between.

use std::fmt;
use std::ops::{ControlFlow, Range};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use attila_machine::pipeline::{Span, SpanError};

use super::error::DrawError;
use super::rectangle::Rectangle;
use super::sink::{MOST_QUADS, cut};

/// The time that a step is to take. If quads become twenty times as costly from one step to the next, that one
/// still takes no more than 20 ms.
const STEP: Duration = Duration::from_millis(1);

/// Steps of the most quads that are not timed after one which took less than [`FAST`]: some clocks take as long to be read
/// as a hundred quads.
const UNTIMED: u32 = 3;

/// The time of a step of the most quads after which some are not timed.
const FAST: Duration = Duration::from_micros(100);

/// The quads of the first step.
const FIRST_QUADS: u32 = 64;

/// Hears how many pixels of how many are done, and says whether the draw goes on.
pub(crate) type Listener<'a> = &'a (dyn Fn(u64, u64) -> ControlFlow<()> + Sync);

/// A listener in debugging output.
#[derive(Clone, Copy)]
pub(crate) struct Heard<'a>(pub(crate) Listener<'a>);

impl fmt::Debug for Heard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a listener")
    }
}

/// A shape that is drawn in several passes over all bands, and which of them this is.
#[derive(Clone, Copy)]
pub(crate) struct Pass {
    pub(crate) index: usize,
    pub(crate) of: usize,
}

impl Pass {
    /// The only one.
    pub(crate) const ALL: Pass = Pass { index: 0, of: 1 };
}

/// How far a shape is.
pub(crate) struct Progress<'a> {
    pass: Pass,
    listener: Listener<'a>,
    /// Held by the thread that is telling.
    telling: Mutex<()>,
    area: Rectangle,
    /// The pace after the latest step of any band, with which others begin: to find it again takes a dozen steps.
    quads: AtomicU32,
    /// The steps that need not be timed.
    untimed: AtomicU32,
    done: AtomicU64,
    stopped: AtomicBool,
}

/// How fast the thread that shades a band is.
#[derive(Default)]
pub(crate) struct Pace {
    /// The quads of the next step.
    quads: u32,
    /// Pixels of the band that are not done.
    left: u64,
}

impl Pace {
    /// So many quads took that long.
    fn after(&mut self, quads: u32, time: Duration) {
        let fair = u128::from(quads) * STEP.as_nanos() / time.as_nanos().max(1);
        let most = self.quads.saturating_mul(4).min(MOST_QUADS as u32);
        self.quads = fair.clamp(1, most.into()) as u32;
    }

    /// The pixels that are done after so many quads; what is drawn over counts once.
    fn pixels(&mut self, quads: u32) -> u64 {
        let pixels = self.left.min(4 * u64::from(quads));
        self.left -= pixels;
        pixels
    }
}

impl<'a> Progress<'a> {
    pub(crate) fn new(listener: Listener<'a>, area: &Rectangle, pass: Pass) -> Progress<'a> {
        Progress {
            pass,
            listener,
            telling: Mutex::new(()),
            area: area.clone(),
            quads: AtomicU32::new(FIRST_QUADS),
            untimed: AtomicU32::new(0),
            done: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    /// The pace at the beginning of a band.
    pub(crate) fn pace(&self, rows: &Range<u32>) -> Pace {
        let [start, end] = [rows.start, rows.end].map(i64::from);
        let band = self.area.intersection(0..i64::MAX, start..end);
        Pace {
            quads: self.quads.load(Ordering::Relaxed),
            left: band.pixels(),
        }
    }

    /// Shades spans in steps, until the listener stops it.
    pub(super) fn shade(
        &self,
        mut spans: &[Span],
        pace: &mut Pace,
        mut shade: impl FnMut(&[Span]) -> Result<(), SpanError>,
    ) -> Result<(), SpanError> {
        while let [first, others @ ..] = spans {
            let mut room = pace.quads;
            let fits = |span: &&Span| {
                let left = room.checked_sub(span.quads);
                room = left.unwrap_or(0);
                left.is_some()
            };
            let count = spans.iter().take_while(fits).count();
            if count > 0 {
                self.step(&spans[..count], pace, &mut shade)?;
                spans = &spans[count..];
                continue;
            }
            let mut rest = *first;
            while rest.quads > pace.quads {
                let part = cut(&mut rest, pace.quads);
                self.step(&[part], pace, &mut shade)?;
            }
            self.step(&[rest], pace, &mut shade)?;
            spans = others;
        }
        Ok(())
    }

    fn step(
        &self,
        spans: &[Span],
        pace: &mut Pace,
        shade: &mut impl FnMut(&[Span]) -> Result<(), SpanError>,
    ) -> Result<(), SpanError> {
        if self.is_stopped() {
            return Ok(());
        }
        let start = self.is_timed().then(Instant::now);
        shade(spans)?;
        let quads = spans.iter().map(|span| span.quads).sum();
        if let Some(start) = start {
            let time = start.elapsed();
            pace.after(quads, time);
            self.quads.store(pace.quads, Ordering::Relaxed);
            if pace.quads as usize == MOST_QUADS && time < FAST {
                self.untimed.store(UNTIMED, Ordering::Relaxed);
            }
        }
        self.add(pace.pixels(quads));
        self.tell();
        Ok(())
    }

    fn is_timed(&self) -> bool {
        let less = |steps: u32| steps.checked_sub(1);
        let untimed = &self.untimed;
        untimed
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
            .is_err()
    }

    fn add(&self, pixels: u64) {
        self.done.fetch_add(pixels, Ordering::Relaxed);
    }

    /// A thread that finds another one telling goes on: what it has done is told later.
    fn tell(&self) {
        if let Ok(_telling) = self.telling.try_lock() {
            let [index, of] = [self.pass.index, self.pass.of].map(|it| it as u64);
            let pixels = self.area.pixels();
            let done = index * pixels + self.done.load(Ordering::Relaxed);
            if (self.listener)(done / of, pixels).is_break() {
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Whether the listener has stopped the draw.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// A band is done.
    pub(crate) fn finish_band(&self, pace: &Pace) {
        self.add(pace.left);
    }

    /// All bands are done, or left.
    pub(crate) fn finish(&self) -> Result<(), DrawError> {
        if !self.is_stopped() {
            self.tell();
        }
        match self.is_stopped() {
            true => Err(DrawError::Stopped),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
