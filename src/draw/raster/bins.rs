//! [`Bins`]: what each band of rows draws, sorted when triangles are set up.
//!
//! Of a small triangle these are its spans already; others are outlines, to be walked when the band is drawn.

use std::ops::Range;

use attila_machine::pipeline::Span;

use super::{Area, Outline};

/// What a band draws, in the order of its triangles.
#[derive(Clone, Default, Debug)]
pub(crate) struct Bin {
    /// Spans, and the covered fragments of each of their quads. More than there are, so that the next may be written
    /// before it is known whether it is one.
    spans: Vec<Span>,
    coverage: Vec<u8>,
    /// How many there are of each.
    counts: [usize; 2],
    /// Outlines, each with the number of spans before it.
    pub(crate) outlines: Vec<(u32, Outline)>,
}

/// Quads of a span of a small triangle, at most.
const QUADS: usize = 8;

/// Spans of a small triangle, at most: in each pair of rows every second quad.
const ROOM: usize = QUADS * QUADS / 2;

/// Two bits for each quad with fragments: a bit for each column that has any.
#[inline(always)]
pub(super) fn covered(columns: u32) -> u32 {
    let left = (columns | columns >> 1) & 0x5555;
    left | left << 1
}

/// The fragments of two quads next to each other that are covered, and where they begin: the fragments of the first quad
/// with any, and of the next, eight bits each, then how many quads have any, and how many come before them.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairOfQuads(pub(super) u32);

impl PairOfQuads {
    /// The quads of two rows, a bit for each of four columns. It becomes vector code.
    #[inline(always)]
    pub(super) fn new(upper: i32, lower: i32) -> PairOfQuads {
        let left = upper & 3 | (lower & 3) << 2;
        let right = upper >> 2 & 3 | (lower >> 2 & 3) << 2;
        let (has_left, has_right) = (i32::from(left != 0), i32::from(right != 0));
        let fragments = if has_left != 0 {
            left | right << 8
        } else {
            right
        };
        let word = fragments | (has_left + has_right) << 16 | (1 - has_left) << 24;
        PairOfQuads(word.cast_unsigned())
    }
}

impl Bin {
    fn clear(&mut self) {
        self.counts = [0; 2];
        self.outlines.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.counts == [0; 2] && self.outlines.is_empty()
    }

    /// Spans, which lie in what is drawn.
    pub(crate) fn spans(&self) -> &[Span] {
        &self.spans[..self.counts[0]]
    }

    /// The covered fragments of each quad of the spans, never none.
    pub(crate) fn coverage(&self) -> &[u8] {
        &self.coverage[..self.counts[1]]
    }

    /// Appends quads of a small triangle, [two bits](covered) for each that has fragments, and a byte of these, pair of
    /// rows by pair of rows; `x` and `y` are those of the first.
    #[inline(always)]
    fn push(&mut self, [x, y]: [u32; 2], (quads, fragments): (&[u32], &[u64]), primitive: u32) {
        self.make_room();
        let (mut count, mut covered) = (0, self.counts[1]);
        let spans = &mut self.spans[self.counts[0]..][..ROOM];
        for ((y, &quads), &fragments) in (y..).step_by(2).zip(quads).zip(fragments) {
            let mut quads = quads;
            // Mostly there is one span, or none, which is written all the same.
            loop {
                let skipped = quads.trailing_zeros() % u16::BITS;
                let length = (quads >> skipped).trailing_ones() / 2;
                spans[count % ROOM] = Span {
                    x: x + skipped,
                    y,
                    quads: length,
                    primitive,
                    first: covered as u32,
                };
                let fragments = fragments >> (4 * skipped);
                self.coverage[covered..covered + QUADS].copy_from_slice(&fragments.to_le_bytes());
                count += usize::from(length > 0);
                covered += length as usize;
                // The carry runs through the quads of the span.
                quads &= quads.wrapping_add(1 << skipped);
                if quads == 0 {
                    break;
                }
            }
        }
        self.counts = [self.counts[0] + count, covered];
    }

    /// Appends pairs of quads, one below the other, if they have fragments; `x` and `y` are those of the first.
    #[inline(always)]
    fn push_pairs<const N: usize>(
        &mut self,
        [x, y]: [u32; 2],
        pairs: [PairOfQuads; N],
        primitive: u32,
    ) {
        self.make_room();
        let [mut spans, mut covered] = self.counts;
        for (row, PairOfQuads(quads)) in (y..).step_by(2).zip(pairs) {
            let (count, before) = (quads >> 16 & 0xff, quads >> 24);
            self.spans[spans] = Span {
                x: x + 2 * before,
                y: row,
                quads: count,
                primitive,
                first: covered as u32,
            };
            self.coverage[covered..covered + 4].copy_from_slice(&quads.to_le_bytes());
            spans += usize::from(count > 0);
            covered += count as usize;
        }
        self.counts = [spans, covered];
    }

    /// Makes room for what a small triangle may have.
    #[inline(always)]
    fn make_room(&mut self) {
        let [spans, covered] = self.counts;
        if spans + ROOM > self.spans.len() || covered + ROOM * QUADS > self.coverage.len() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let room = |length: usize| 2 * length + ROOM * QUADS;
        self.spans.resize(room(self.spans.len()), Span::default());
        self.coverage.resize(room(self.coverage.len()), 0);
    }
}

/// What each band draws.
#[derive(Clone, Default, Debug)]
pub(crate) struct Bins {
    bands: Vec<Bin>,
    /// Rows of a band: two to the power of this.
    rows_log2: u32,
    /// Whether there are outlines with long runs of quads that are covered as a whole.
    pub(crate) has_large: bool,
}

impl Bins {
    /// Makes room for bands of `height` rows each, a power of two, down to the end of the area, and keeps the memory.
    pub(crate) fn clear(&mut self, area: &Area, height: u32) {
        self.rows_log2 = height.trailing_zeros();
        self.has_large = false;
        self.bands.iter_mut().for_each(Bin::clear);
        let bands = area.rows.end.cast_unsigned().div_ceil(height) as usize;
        if bands > self.bands.len() {
            self.bands.resize_with(bands, Bin::default);
        }
    }

    /// What a band draws.
    pub(crate) fn band(&self, band: usize) -> &Bin {
        &self.bands[band]
    }

    /// Whether no band draws anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.bands.iter().all(Bin::is_empty)
    }

    fn of(&self, row: i32) -> usize {
        (row.cast_unsigned() >> self.rows_log2) as usize
    }

    /// Appends quads of a small triangle, [two bits](covered) for each that has fragments, and a byte of these, pair of
    /// rows by pair of rows; `x` and `y` are those of the first. Whether there are any. Rows without may be below all
    /// bands.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        [x, y]: [i32; 2],
        (quads, fragments): (&[u32], &[u64]),
        primitive: u32,
    ) -> bool {
        let (x, mut y) = (x.cast_unsigned(), y.cast_unsigned());
        let (mut from, count) = (0, quads.len());
        while from < count {
            let left = (((y >> self.rows_log2) + 1) << self.rows_log2) - y;
            let to = count.min(from + left as usize / 2);
            let rows = (&quads[from..to], &fragments[from..to]);
            let Some(bin) = self.bands.get_mut((y >> self.rows_log2) as usize) else {
                break;
            };
            bin.push([x, y], rows, primitive);
            (from, y) = (to, y + left);
        }
        quads.iter().any(|quads| *quads != 0)
    }

    /// Appends the quads of a tiny triangle, as [`Bins::push`] does.
    #[inline(always)]
    pub(super) fn push_tiny(
        &mut self,
        [x, y]: [i32; 2],
        pairs: [PairOfQuads; 2],
        primitive: u32,
    ) -> bool {
        let (x, y) = (x.cast_unsigned(), y.cast_unsigned());
        let [upper, lower] = pairs;
        let band = (y >> self.rows_log2) as usize;
        if (y + 2) >> self.rows_log2 == y >> self.rows_log2 {
            self.bands[band].push_pairs([x, y], pairs, primitive);
        } else {
            self.bands[band].push_pairs([x, y], [upper], primitive);
            if let Some(next) = self.bands.get_mut(band + 1) {
                next.push_pairs([x, y + 2], [lower], primitive);
            }
        }
        (upper.0 | lower.0) & 0xffff != 0
    }

    /// Appends an outline to the bands of its rows, which are in this range.
    pub(super) fn push_outline(&mut self, outline: &Outline, rows: Range<i32>) {
        self.has_large |= outline.is_large();
        for band in self.of(rows.start)..=self.of(rows.end - 1) {
            let bin = &mut self.bands[band];
            bin.outlines.push((bin.counts[0] as u32, *outline));
        }
    }
}
