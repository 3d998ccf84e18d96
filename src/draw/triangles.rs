//! Triangles as a [`Shape`].

use std::ops::Range;

use attila_machine::SamplePositions;
use attila_machine::pipeline::SpanError;

use super::bands::{BAND_ROWS, Shape};
use super::raster::{Area, Bin, Outline, Spans, Triangles};
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
    fn cover<'s>(&'s self, rows: Range<u32>, sink: &mut Sink<'s, '_>) -> Result<(), SpanError> {
        let [start, end] = [rows.start, rows.end].map(u32::cast_signed);
        let area = Area {
            columns: self.area.columns.clone(),
            rows: start.max(self.area.rows.start)..end.min(self.area.rows.end),
        };
        let mut staging = sink.take_staging();
        for part in self.triangles.parts() {
            let bin = part.bins.band((rows.start / BAND_ROWS) as usize);
            if !bin.is_empty() {
                sink.refer_to(&part.anchors, &part.planes)?;
                self.draw(bin, &area, &mut staging, sink)?;
            }
        }
        sink.keep_staging(staging);
        Ok(())
    }
}

impl Sorted<'_> {
    /// Draws a part of a band.
    fn draw(
        &self,
        bin: &Bin,
        area: &Area,
        staging: &mut Spans,
        sink: &mut Sink<'_, '_>,
    ) -> Result<(), SpanError> {
        if bin.outlines.is_empty() {
            return sink.push_all(bin.spans(), bin.coverage());
        }
        let (spans, coverage) = (bin.spans(), bin.coverage());
        let mut next = 0;
        for (before, outline) in &bin.outlines {
            let before = *before as usize;
            sink.append(&spans[next..before], coverage)?;
            next = before;
            self.walk(outline, area, staging, sink)?;
        }
        sink.append(&spans[next..], coverage)
    }

    fn walk(
        &self,
        outline: &Outline,
        area: &Area,
        staging: &mut Spans,
        sink: &mut Sink<'_, '_>,
    ) -> Result<(), SpanError> {
        let sets_apart = self.has_whole && outline.is_large();
        if !sets_apart
            && self.positions.is_none()
            && let Some(inside) = sink.inside()?
        {
            outline.spans(area, inside);
            return Ok(());
        }
        staging.clear();
        staging.sets_apart = sets_apart;
        match self.positions {
            None => {
                outline.spans(area, staging);
                push(staging, sink, |quads| {
                    Coverage::Masks(&staging.coverage[quads])
                })
            }
            Some(positions) => {
                outline.sample_spans(area, positions, staging);
                push(staging, sink, |quads| {
                    Coverage::Samples(&staging.samples[quads])
                })
            }
        }
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
