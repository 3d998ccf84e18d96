//! [`Spans`]: rows of quads, and the fragments of each that are covered.

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

    /// Which pixels of a column of quads are in the interval: the left one is bit 0.
    fn pixels(self, quad: i32) -> u8 {
        let (left, right) = (self.has(2 * quad), self.has(2 * quad + 1));
        u8::from(left) | u8::from(right) << 1
    }
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
}

impl Spans {
    /// Removes them, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.spans.clear();
        self.coverage.clear();
        self.samples.clear();
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
        let first = self.samples.len();
        let quads = (end - start).cast_unsigned() as usize;
        self.samples.resize(first + quads, 0);
        let words = &mut self.samples[first..];
        let within = pair.each_ref().map(|samples| Interval::within(samples));
        let whole = Interval::within(&within).whole_quads();
        let whole_start = whole.0.max(start);
        let whole = whole_start..whole.1.min(end).max(whole_start);
        let at = |quad: i32| (quad - start).cast_unsigned() as usize;
        let all = u64::from(u32::MAX >> (32 - N)) * 0x0001_0001_0001_0001;
        words[at(whole.start)..at(whole.end)].fill(all);
        for (lanes, (samples, around)) in pair.iter().zip(around).enumerate() {
            let left = around.start..around.end.min(2 * whole.start);
            let right = around.start.max(2 * whole.end)..around.end;
            for column in left.chain(right) {
                let covered = |sample: usize| u64::from(samples[sample].has(column)) << sample;
                let covered = (0..N).fold(0, |mask, sample| mask | covered(sample));
                words[at(column >> 1)] |= covered << (32 * lanes + 16 * (column & 1) as usize);
            }
        }
        self.push_covered(row, start, first, primitive);
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

    /// Appends a span of the quads from `start` to the one before `end`.
    fn push_run(
        &mut self,
        row: i32,
        [upper, lower]: [Interval; 2],
        (start, end): (i32, i32),
        primitive: u32,
    ) {
        self.spans.push(Span {
            x: (2 * start).cast_unsigned(),
            y: row.cast_unsigned(),
            quads: (end - start).cast_unsigned(),
            primitive,
            first: self.coverage.len() as u32,
        });
        let (upper_whole, lower_whole) = (upper.whole_quads(), lower.whole_quads());
        let full_start = upper_whole.0.max(lower_whole.0).clamp(start, end);
        let full_end = upper_whole.1.min(lower_whole.1).clamp(full_start, end);
        let coverage = |quad: i32| upper.pixels(quad) | lower.pixels(quad) << 2;
        self.coverage.extend((start..full_start).map(coverage));
        let full = (full_end - full_start) as usize;
        self.coverage.resize(self.coverage.len() + full, FULL);
        self.coverage.extend((full_end..end).map(coverage));
    }
}
