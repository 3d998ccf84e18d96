//! Triangles as a [`Shape`].

use std::ops::Range;

use attila_machine::SamplePositions;
use attila_machine::pipeline::SpanError;

use super::bands::{BAND_ROWS, Shape};
use super::raster::{Area, Triangles};
use super::rectangle::Rectangle;
use super::sink::{Coverage, Sink};

/// Triangles that have been set up and sorted.
pub(super) struct Sorted<'a> {
    pub(super) triangles: &'a Triangles,
    pub(super) area: &'a Area,
    /// The samples of pixels; `None` is the centre alone.
    pub(super) positions: Option<&'a SamplePositions>,
}

impl Shape for Sorted<'_> {
    fn cover(&self, rows: Range<u32>, sink: &mut Sink<'_, '_>) -> Result<(), SpanError> {
        let [start, end] = [rows.start, rows.end].map(u32::cast_signed);
        let area = Area {
            columns: self.area.columns.clone(),
            rows: start.max(self.area.rows.start)..end.min(self.area.rows.end),
        };
        let mut spans = sink.take_staging();
        for outline in self.triangles.band((rows.start / BAND_ROWS) as usize) {
            spans.clear();
            match self.positions {
                None => outline.spans(&area, &mut spans),
                Some(positions) => outline.sample_spans(&area, positions, &mut spans),
            }
            for span in &spans.spans {
                let quads = span.first as usize..(span.first + span.quads) as usize;
                let coverage = match self.positions {
                    None => Coverage::Masks(&spans.coverage[quads]),
                    Some(_) => Coverage::Samples(&spans.samples[quads]),
                };
                sink.push(*span, coverage)?;
            }
        }
        sink.keep_staging(spans);
        Ok(())
    }
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
