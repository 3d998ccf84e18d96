//! Triangles as a [`Shape`].

use std::ops::Range;

use attila_machine::pipeline::{Span, SpanError};
use attila_machine::{LANES, SamplePositions};

use super::bands::{BAND_ROWS, Shape};
use super::coverage;
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
        for outline in self.triangles.band((rows.start / BAND_ROWS) as usize) {
            spans.clear();
            match self.positions {
                None => {
                    outline.spans(&area, &mut spans);
                    for span in &spans.spans {
                        let quads = span.first as usize..(span.first + span.quads) as usize;
                        sink.push(*span, Coverage::Masks(&spans.coverage[quads]))?;
                    }
                }
                Some(positions) => {
                    outline.sample_spans(&area, positions, &mut spans);
                    self.samples(&spans, positions, sink)?;
                }
            }
        }
        sink.keep_staging(spans);
        Ok(())
    }
}

/// The fewest quads next to each other, all of whose samples are covered, that are drawn without coverage.
const RUN: u32 = 16;

/// The fewest such quads of a triangle's part in a band. Other triangles may cover the same quads, so everything
/// before has to be shaded first, and these before everything after.
const WORTH_APART: u32 = 256;

impl Sorted<'_> {
    /// The spans of a triangle.
    fn samples(
        &self,
        spans: &Spans,
        positions: &SamplePositions,
        sink: &mut Sink<'_, '_>,
    ) -> Result<(), SpanError> {
        let all = coverage::joined([positions.count().all() as u16; LANES]);
        let coverage = |span: &Span| {
            let quads = span.first as usize..(span.first + span.quads) as usize;
            &spans.samples[quads]
        };
        let run = |span: &Span| {
            let words = coverage(span);
            let start = words.iter().position(|word| *word == all)?;
            let length = words[start..]
                .iter()
                .take_while(|word| **word == all)
                .count();
            let run = start as u32..(start + length) as u32;
            (length as u32 >= RUN).then_some(run)
        };
        let whole: u32 = match self.has_whole {
            true => spans
                .spans
                .iter()
                .filter_map(run)
                .map(|run| run.end - run.start)
                .sum(),
            false => 0,
        };
        if whole < WORTH_APART {
            for span in &spans.spans {
                sink.push(*span, Coverage::Samples(coverage(span)))?;
            }
            return Ok(());
        }
        sink.flush()?;
        for span in &spans.spans {
            let part = |quads: Range<u32>| Span {
                x: span.x + 2 * quads.start,
                quads: quads.end - quads.start,
                first: span.first + quads.start,
                ..*span
            };
            let run = run(span).unwrap_or(0..0);
            for masked in [0..run.start, run.end..span.quads] {
                if !masked.is_empty() {
                    let masked = part(masked);
                    sink.push(masked, Coverage::Samples(coverage(&masked)))?;
                }
            }
            if !run.is_empty() {
                sink.push(part(run), Coverage::Whole)?;
            }
        }
        sink.flush()
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
