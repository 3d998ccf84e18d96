//! [`Spans`]: rows of quads, and the fragments of each that are covered.

use std::ops::Range;

use attila_machine::pipeline::Span;

/// All fragments of a quad.
const FULL: u8 = 0b1111;

/// Columns of a row, possibly none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    start: i32,
    end: i32,
}

impl Interval {
    pub(super) const EMPTY: Interval = Interval { start: 0, end: 0 };

    /// The columns from `start`, not below 0, to the one before `end`.
    pub(super) const fn new(start: i32, end: i32) -> Interval {
        if start < end {
            Interval { start, end }
        } else {
            Interval::EMPTY
        }
    }

    /// The columns from the first of any interval to the last of any.
    pub(super) fn around(intervals: &[Interval]) -> Interval {
        let filled = intervals.iter().filter(|interval| !interval.is_empty());
        let around = filled.copied().reduce(|a, b| Interval {
            start: a.start.min(b.start),
            end: a.end.max(b.end),
        });
        around.unwrap_or(Interval::EMPTY)
    }

    /// The columns that are in all intervals.
    fn within(intervals: &[Interval]) -> Interval {
        let within = intervals.iter().copied().reduce(|a, b| {
            let (start, end) = (a.start.max(b.start), a.end.min(b.end));
            Interval::new(start, end)
        });
        within.unwrap_or(Interval::EMPTY)
    }

    pub(super) const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The first and the last column; 0 and -1 of an empty one.
    pub(super) const fn ends(self) -> [i32; 2] {
        [self.start, self.end - 1]
    }

    /// The columns of quads with a pixel of the interval.
    const fn quads(self) -> (i32, i32) {
        (self.start >> 1, (self.end + 1) >> 1)
    }

    /// The columns of quads with both pixels in the interval. May end before it starts.
    const fn whole_quads(self) -> (i32, i32) {
        ((self.start + 1) >> 1, self.end >> 1)
    }

    /// Whether a column is in the interval.
    const fn has(self, column: i32) -> bool {
        (column - self.start).cast_unsigned() < (self.end - self.start).cast_unsigned()
    }

    /// A bit for each column of some, at most 64, that is in the interval.
    fn bits(self, columns: &Range<i32>) -> u64 {
        let (start, end) = (self.start.max(columns.start), self.end.min(columns.end));
        if start >= end {
            return 0;
        }
        let count = (end - start).cast_unsigned();
        (u64::MAX >> (u64::BITS - count)) << (start - columns.start)
    }

    /// Which pixels of a column of quads are in the interval: the left one is bit 0.
    fn pixels(self, quad: i32) -> u8 {
        let (left, right) = (self.has(2 * quad), self.has(2 * quad + 1));
        u8::from(left) | u8::from(right) << 1
    }
}

/// The most quads of a span whose pixels in a row are the bits of a word.
const SHORT: usize = 32;

/// The eight lowest pairs of bits, in a byte each.
#[inline(always)]
pub(super) fn pairs(bits: u64) -> u64 {
    let bits = bits & 0xffff;
    let bits = (bits | bits << 24) & 0x0000_00ff_0000_00ff;
    let bits = (bits | bits << 12) & 0x000f_000f_000f_000f;
    (bits | bits << 6) & 0x0303_0303_0303_0303
}

/// Spans and their coverage, as a [`Batch`](attila_machine::pipeline::Batch) takes them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Spans {
    /// The spans.
    pub(crate) spans: Vec<Span>,
    /// The covered fragments of each quad, never none.
    pub(crate) coverage: Vec<u8>,
    /// The covered samples of each quad, never none: 16 bits for each lane, lane 0 in the lowest. There
    /// are quads besides that belong to no span.
    pub(crate) samples: Vec<u64>,
    /// Whether long runs of quads all of whose samples are covered are set apart, as `whole`.
    pub(crate) sets_apart: bool,
    /// These runs. `first` does not matter.
    pub(crate) whole: Vec<Span>,
}

/// The fewest quads next to each other that are set apart.
const RUN: usize = 16;

/// A pair of rows, and what is covered of each for every sample.
struct Rows<'a, const N: usize> {
    row: i32,
    pair: &'a [[Interval; N]; 2],
    /// The columns of any sample.
    around: [Interval; 2],
    primitive: u32,
}

impl<const N: usize> Rows<'_, N> {
    /// Appends spans of the quads of which any sample is covered. All samples are in `whole`, which is
    /// within them.
    fn push(&self, quads: Range<i32>, whole: Range<i32>, spans: &mut Spans) {
        let first = spans.samples.len();
        spans.samples.resize(first + quads.len(), 0);
        let words = &mut spans.samples[first..];
        let at = |quad: i32| (quad - quads.start).cast_unsigned() as usize;
        let all = u64::from(u32::MAX >> (32 - N)) * 0x0001_0001_0001_0001;
        words[at(whole.start)..at(whole.end)].fill(all);
        for (lanes, (samples, around)) in self.pair.iter().zip(self.around).enumerate() {
            let start = around.start.max(2 * quads.start);
            let end = around.end.min(2 * quads.end);
            let left = start..end.min(2 * whole.start);
            let right = start.max(2 * whole.end)..end;
            for column in left.chain(right) {
                let covered = |sample: usize| u64::from(samples[sample].has(column)) << sample;
                let covered = (0..N).fold(0, |mask, sample| mask | covered(sample));
                words[at(column >> 1)] |= covered << (32 * lanes + 16 * (column & 1) as usize);
            }
        }
        spans.push_covered(self.row, quads.start, first, self.primitive);
    }
}

impl Spans {
    /// Removes them, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.spans.clear();
        self.coverage.clear();
        self.samples.clear();
        self.whole.clear();
    }

    /// Appends the quads of the row pair at `row` with pixels of either interval.
    pub(super) fn push(&mut self, row: i32, upper: Interval, lower: Interval, primitive: u32) {
        match (upper.is_empty(), lower.is_empty()) {
            (true, true) => {}
            (false, true) => self.push_run(row, [upper, lower], upper.quads(), primitive),
            (true, false) => self.push_run(row, [upper, lower], lower.quads(), primitive),
            (false, false) => {
                let (upper_quads, lower_quads) = (upper.quads(), lower.quads());
                if upper_quads.1 < lower_quads.0 {
                    self.push_run(row, [upper, Interval::EMPTY], upper_quads, primitive);
                    self.push_run(row, [Interval::EMPTY, lower], lower_quads, primitive);
                } else if lower_quads.1 < upper_quads.0 {
                    self.push_run(row, [Interval::EMPTY, lower], lower_quads, primitive);
                    self.push_run(row, [upper, Interval::EMPTY], upper_quads, primitive);
                } else {
                    let start = upper_quads.0.min(lower_quads.0);
                    let end = upper_quads.1.max(lower_quads.1);
                    self.push_run(row, [upper, lower], (start, end), primitive);
                }
            }
        }
    }

    /// Appends the quads of the row pair at `row` with samples of either row, which are in these columns.
    pub(super) fn push_samples<const N: usize>(
        &mut self,
        row: i32,
        pair: [[Interval; N]; 2],
        primitive: u32,
    ) {
        let around = pair.each_ref().map(|samples| Interval::around(samples));
        let (start, end) = Interval::around(&around).quads();
        let within = pair.each_ref().map(|samples| Interval::within(samples));
        let whole = Interval::within(&within).whole_quads();
        let whole_start = whole.0.max(start);
        let whole = whole_start..whole.1.min(end).max(whole_start);
        let rows = Rows {
            row,
            pair: &pair,
            around,
            primitive,
        };
        if self.is_set_apart(&whole) {
            rows.push(start..whole.start, whole.start..whole.start, self);
            self.push_whole(row, &whole, primitive);
            rows.push(whole.end..end, whole.end..whole.end, self);
        } else {
            rows.push(start..end, whole, self);
        }
    }

    /// Whether a run of quads all of whose samples are covered is set apart.
    fn is_set_apart(&self, whole: &Range<i32>) -> bool {
        self.sets_apart && whole.len() >= RUN
    }

    /// Sets a run apart.
    fn push_whole(&mut self, row: i32, whole: &Range<i32>, primitive: u32) {
        self.whole.push(Span {
            x: (2 * whole.start).cast_unsigned(),
            y: row.cast_unsigned(),
            quads: whole.len() as u32,
            primitive,
            first: 0,
        });
    }

    /// Appends spans of the quads whose samples begin at `first`, as far as they have any.
    fn push_covered(&mut self, row: i32, start: i32, first: usize, primitive: u32) {
        let mut from = first;
        while from < self.samples.len() {
            let rest = &self.samples[from..];
            let quads = rest.iter().position(|samples| *samples == 0);
            let quads = quads.unwrap_or(rest.len());
            if quads > 0 {
                self.spans.push(Span {
                    x: (2 * start).cast_unsigned() + 2 * (from - first) as u32,
                    y: row.cast_unsigned(),
                    quads: quads as u32,
                    primitive,
                    first: from as u32,
                });
            }
            from += quads.max(1);
        }
    }

    /// Appends the quads from `start` to the one before `end`.
    fn push_run(
        &mut self,
        row: i32,
        pair: [Interval; 2],
        (start, end): (i32, i32),
        primitive: u32,
    ) {
        let [upper, lower] = pair.map(Interval::whole_quads);
        let whole_start = upper.0.max(lower.0).clamp(start, end);
        let whole = whole_start..upper.1.min(lower.1).clamp(whole_start, end);
        if self.is_set_apart(&whole) {
            self.push_span(
                row,
                pair,
                start..whole.start,
                whole.start..whole.start,
                primitive,
            );
            self.push_whole(row, &whole, primitive);
            self.push_span(row, pair, whole.end..end, whole.end..whole.end, primitive);
        } else {
            self.push_span(row, pair, start..end, whole, primitive);
        }
    }

    /// Appends a span, if it has quads. Those of `whole`, which is within it, are covered as a whole.
    fn push_span(
        &mut self,
        row: i32,
        [upper, lower]: [Interval; 2],
        quads: Range<i32>,
        whole: Range<i32>,
        primitive: u32,
    ) {
        if quads.is_empty() {
            return;
        }
        self.spans.push(Span {
            x: (2 * quads.start).cast_unsigned(),
            y: row.cast_unsigned(),
            quads: quads.len() as u32,
            primitive,
            first: self.coverage.len() as u32,
        });
        if quads.len() <= SHORT {
            let columns = 2 * quads.start..2 * quads.end;
            let [upper, lower] = [upper, lower].map(|row| row.bits(&columns));
            for first in (0..quads.len()).step_by(8) {
                let [upper, lower] = [upper, lower].map(|row| pairs(row >> (2 * first)));
                let fragments = (upper | lower << 2).to_le_bytes();
                let count = (quads.len() - first).min(8);
                self.coverage.extend_from_slice(&fragments[..count]);
            }
            return;
        }
        let coverage = |quad: i32| upper.pixels(quad) | lower.pixels(quad) << 2;
        let before = (quads.start..whole.start).map(coverage);
        self.coverage.extend(before);
        let whole_end = self.coverage.len() + whole.len();
        self.coverage.resize(whole_end, FULL);
        self.coverage.extend((whole.end..quads.end).map(coverage));
    }
}
