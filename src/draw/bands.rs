//! Targets are cut into bands: rows over the full width, that threads shade separately.
//!
//! ```text
//!   Shape ── which quads of these rows? ──► Sink ── spans, a few thousand quads at a time ──► engine
//! ```
//!
//! Shapes implement [`Shape`]: rectangles, lists of quads, triangles. A new one gets a method
//! of [`Frame`](super::Frame) that [checks](super::Frame::check) the frame, has
//! [shaders compiled](super::PreparedDraw::compile), collects the planes of its primitives, and
//! calls [`Frame::shade`](super::Frame::shade).
//!
//! Bands are the same for every number of threads, and each is shaded to its end or its own first
//! error, so pixels and the error reported are the same, too.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use attila_machine::pipeline::{SpanError, Surface, Surfaces};

use super::progress::Progress;
use super::sink::{Job, Scratch, Sink};
use crate::threads::{LastIfPanics, lock, with_each};

/// Rows of a band. Enough for long runs of quads, few enough to keep threads equally busy: a
/// target with 1024 rows has 16 bands. With half as many rows in each, a program that does next to
/// nothing takes 2 % longer.
pub(crate) const BAND_ROWS: u32 = 64;

/// Something that covers quads.
pub(crate) trait Shape: Sync {
    /// Hands the quads that it covers in `rows` to `sink`, in the order in which they are drawn.
    /// The first of the rows is even; so is their number, but for the last band of a target.
    ///
    /// Spans are of quads that touch the target, and within what is to be drawn: scissors are the shape's
    /// business. Every quad has at least one fragment that is covered.
    ///
    /// # Errors
    ///
    /// The error of `sink`.
    fn cover<'s>(&'s self, rows: Range<u32>, sink: &mut Sink<'s, '_>) -> Result<(), SpanError>;
}

/// A band of all targets.
pub(crate) struct Band<'a> {
    pub(crate) rows: Range<u32>,
    pub(crate) surfaces: Surfaces<'a>,
}

/// The bands of targets from the top.
struct Bands<'a> {
    /// The first row of `rest`.
    top: u32,
    rows: Range<u32>,
    /// The rows below the last band handed out.
    rest: Surfaces<'a>,
}

impl<'a> Bands<'a> {
    /// The bands that have a part in `rows`, of targets whose first row is `top`.
    fn new(surfaces: Surfaces<'a>, top: u32, rows: Range<u32>) -> Bands<'a> {
        let first = rows.start / BAND_ROWS * BAND_ROWS;
        let mut bands = Bands {
            top,
            rows: first..rows.end,
            rest: surfaces,
        };
        if first > top {
            bands.cut_to(first);
        }
        bands
    }

    /// The number of bands that are left.
    fn left(&self) -> usize {
        self.rows.len().div_ceil(BAND_ROWS as usize)
    }

    /// Cuts the rows above `row` off all surfaces.
    fn cut_to(&mut self, row: u32) -> Surfaces<'a> {
        let rows = row.saturating_sub(self.top);
        self.top += rows;
        let mut one = |surface: &mut Surface<'a>| cut(surface, rows);
        Surfaces {
            colours: self
                .rest
                .colours
                .each_mut()
                .map(|colour| colour.as_mut().map(&mut one)),
            depth: self.rest.depth.as_mut().map(&mut one),
        }
    }
}

impl<'a> Iterator for Bands<'a> {
    type Item = Band<'a>;

    fn next(&mut self) -> Option<Band<'a>> {
        let Range { start, end } = self.rows;
        if start >= end {
            return None;
        }
        self.rows.start = start + BAND_ROWS;
        let surfaces = self.cut_to(start + BAND_ROWS);
        let rows = start..end.min(start + BAND_ROWS);
        Some(Band { rows, surfaces })
    }
}

/// Cuts `rows` rows off the top of a surface.
fn cut<'a>(surface: &mut Surface<'a>, rows: u32) -> Surface<'a> {
    let most = (rows as usize).saturating_mul(surface.pitch);
    let upper = surface.planes.iter_mut().map(|plane| {
        let at = plane.len().min(most);
        plane.split_off_mut(..at).unwrap_or_default()
    });
    let upper = Surface {
        planes: upper.collect(),
        ..*surface
    };
    surface.origin[1] += rows;
    upper
}

/// Leaves no band to any thread once its own panics.
fn last_if_panics<'m, 's>(work: &'m Mutex<Bands<'s>>) -> LastIfPanics<'m, Bands<'s>> {
    let empty = |bands: &mut Bands<'s>| bands.rows = 0..0;
    LastIfPanics { work, empty }
}

/// The bands that have an error, each with its first one. No more of them is shaded.
#[derive(Default)]
pub(crate) struct Failures(Mutex<Vec<(u32, SpanError)>>);

impl Failures {
    fn report(&self, row: u32, error: SpanError) {
        lock(&self.0).push((row, error));
    }

    fn has(&self, row: u32) -> bool {
        lock(&self.0).iter().any(|(failed, _)| *failed == row)
    }

    /// Whether no band has failed.
    pub(crate) fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }

    /// The error of the topmost band.
    pub(crate) fn into_result(self) -> Result<(), SpanError> {
        let all = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let topmost = all.into_iter().min_by_key(|(row, _)| *row);
        topmost.map_or(Ok(()), |(_, error)| Err(error))
    }
}

/// Shades what `shape` covers in `rows` of `surfaces`, on as many threads as there is scratch for,
/// or bands if these are fewer: but for the bands that have failed in an earlier pass.
///
/// # Panics
///
/// If what users bind does, on whichever thread. No thread begins another band then.
pub(crate) fn shade(
    job: &Job<'_>,
    shape: &dyn Shape,
    rows: Range<u32>,
    surfaces: Surfaces<'_>,
    scratch: &mut [Scratch],
    failures: &Failures,
) {
    let bands = Bands::new(surfaces, job.bounds.rows.start, rows);
    let count = bands.left().min(scratch.len());
    let scratch = &mut scratch[..count];
    let bands = Mutex::new(bands);
    let work = |scratch: &mut Scratch| {
        let _others = last_if_panics(&bands);
        loop {
            let band = lock(&bands).next();
            let Some(band) = band else { return };
            if job.progress.is_some_and(Progress::is_stopped) {
                return;
            }
            let rows = band.rows.clone();
            if failures.has(rows.start) {
                continue;
            }
            let mut sink = Sink::new(job, band, scratch);
            let result = shape.cover(rows.clone(), &mut sink);
            if let Err(error) = result.and_then(|()| sink.finish()) {
                failures.report(rows.start, error);
            }
        }
    };
    with_each(scratch, work);
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    use super::*;

    #[test]
    fn the_error_of_the_topmost_band_is_kept_in_whatever_order_they_come() {
        let error = |y| SpanError::LoopBudget {
            pc: 0,
            budget: 0,
            x: 0,
            y,
        };
        let failures = Failures::default();
        for row in [64, 32, 96] {
            failures.report(row, error(row));
        }
        assert!(failures.has(96) && !failures.has(0));
        assert_eq!(failures.into_result(), Err(error(32)));
    }

    #[test]
    fn a_panic_leaves_no_bands() {
        let bands = Mutex::new(Bands::new(Surfaces::default(), 0, 0..3 * BAND_ROWS));
        let left = || bands.lock().unwrap().left();
        drop(last_if_panics(&bands));
        assert_eq!(left(), 3);
        let panics = || {
            let _others = last_if_panics(&bands);
            resume_unwind(Box::new(()))
        };
        let result: Result<(), _> = catch_unwind(AssertUnwindSafe(panics));
        assert!(result.is_err());
        assert_eq!(left(), 0);
    }
}
