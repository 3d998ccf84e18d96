//! Triangles as a [`Shape`].

use std::ops::Range;

use attila_machine::SamplePositions;
use attila_machine::pipeline::SpanError;

use super::bands::{BAND_ROWS, Shape};
use super::raster::{Area, Spans, Triangles};
use super::rectangle::Rectangle;
use super::sink::{Coverage, Sink};

/// Triangles that have been set up and sorted.
pub(super) struct Sorted<'a> {
    pub(super) triangles: &'a Triangles,
    pub(super) area: &'a Area,
    /// The samples of pixels; `None` is the centre alone.
    pub(super) positions: Option<&'a SamplePositions>,
    /// Whether there is code for quads all of whose samples are covered.
    pub(super) has_whole: bool,
}

impl Shape for Sorted<'_> {
    fn cover(&self, rows: Range<u32>, sink: &mut Sink<'_, '_>) -> Result<(), SpanError> {
        let [start, end] = [rows.start, rows.end].map(u32::cast_signed);
        let area = Area {
            columns: self.area.columns.clone(),
            rows: start.max(self.area.rows.start)..end.min(self.area.rows.end),
        };
        let mut spans = sink.take_staging();
        for footprint in self.triangles.band((rows.start / BAND_ROWS) as usize) {
            let sets_apart = self.has_whole && footprint.is_large();
            if !sets_apart
                && self.positions.is_none()
                && let Some(inside) = sink.inside()?
            {
                footprint.spans(&area, inside);
                continue;
            }
            spans.clear();
            spans.sets_apart = sets_apart;
            match self.positions {
                None => {
                    footprint.spans(&area, &mut spans);
                    push(&spans, sink, |quads| {
                        Coverage::Masks(&spans.coverage[quads])
                    })?;
                }
                Some(positions) => {
                    footprint.sample_spans(&area, positions, &mut spans);
                    push(&spans, sink, |quads| {
                        Coverage::Samples(&spans.samples[quads])
                    })?;
                }
            }
        }
        sink.keep_staging(spans);
        Ok(())
    }
}

/// The fewest quads of a triangle's part in a band that are drawn without coverage because all of their
/// samples are covered. Earlier triangles may cover the same quads, so everything before has to be shaded first.
const WORTH_APART: u32 = 256;

/// The spans of a triangle, and the coverage of these quads of them.
fn push<'a>(
    spans: &'a Spans,
    sink: &mut Sink<'_, '_>,
    coverage: impl Fn(Range<usize>) -> Coverage<'a>,
) -> Result<(), SpanError> {
    let whole: u32 = spans.whole.iter().map(|span| span.quads).sum();
    let is_apart = whole >= WORTH_APART;
    if is_apart {
        sink.flush()?;
    }
    for span in &spans.spans {
        let quads = span.first as usize..(span.first + span.quads) as usize;
        sink.push(*span, coverage(quads))?;
    }
    for span in &spans.whole {
        let coverage = if is_apart {
            Coverage::Whole
        } else {
            Coverage::All
        };
        sink.push(*span, coverage)?;
    }
    Ok(())
}

impl Area {
    /// The pixels of a rectangle.
    pub(super) fn of(rectangle: &Rectangle) -> Area {
        let signed = |range: &Range<u32>| range.start.cast_signed()..range.end.cast_signed();
        Area {
            columns: signed(&rectangle.columns),
            rows: signed(&rectangle.rows),
        }
    }
}
