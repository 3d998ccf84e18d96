//! [`Sink`]: takes the spans of a band, and has an engine shade many of them at once.
//!
//! An engine touches all four pixels of every quad, so quads that stick out of an edge of a target, of an odd size or
//! a tile, are shaded in a copy of the pixels that there are. No quads but those touch these pixels, so it does not
//! matter that they are shaded after the others.

use attila_isa::Inputs;
use attila_machine::pipeline::{
    Batch, Plane, Span, SpanError, SpanShader, Surface, Surfaces, TARGETS,
};
use attila_machine::{Bindings, QuadReg, SamplePositions};

use super::bands::Band;
use super::coverage::CoverageFormat;
use super::progress::{Pace, Progress};
use super::raster::Spans;
use super::rectangle::Rectangle;

/// Quads that are handed to an engine together: enough to make up for what it does per call, few
/// enough for their spans and coverage to stay in the cache.
pub(super) const MOST_QUADS: usize = 16384;

/// The fewest quads of a span that shapes have shaded without coverage. A shorter span would save
/// less than it costs: another call, or code that nothing else needs.
pub(crate) const FEWEST_WHOLE: u32 = 4;

/// All that the bands of a draw share.
pub(crate) struct Job<'a> {
    /// Shades quads all of whose fragments are covered. Present if the shape has quads like that.
    pub(crate) whole: Option<&'a dyn SpanShader>,
    /// Shades quads with coverage. Present if the shape has quads like that.
    pub(crate) masked: Option<&'a dyn SpanShader>,
    pub(crate) bindings: &'a Bindings<'a>,
    /// The pixels that targets have.
    pub(crate) bounds: Rectangle,
    /// Samples that targets store.
    pub(crate) stored: usize,
    /// Bytes of a pixel of each target, the depth target last.
    pub(crate) pixel_bytes: [usize; TARGETS + 1],
    pub(crate) data: SpanData<'a>,
    pub(crate) alpha_reference: f32,
    pub(crate) blend_constant: [f32; 4],
    pub(super) coverage: CoverageFormat,
    pub(crate) positions: SamplePositions,
    /// If somebody wants to know how far the draw is.
    pub(crate) progress: Option<&'a Progress<'a>>,
}

/// The data that spans refer to, see [`Batch`].
#[derive(Clone, Copy)]
pub(crate) struct SpanData<'a> {
    /// One for each primitive.
    pub(crate) anchors: &'a [[f32; 2]],
    /// For each primitive as many as the pipeline has.
    pub(crate) planes: &'a [Plane],
    /// Indexed by the spans of [`Coverage::Listed`].
    pub(crate) arrays: &'a Inputs<&'a [QuadReg]>,
    /// Coverage of the spans of [`Coverage::Listed`].
    pub(crate) listed: &'a [u8],
}

impl Default for SpanData<'_> {
    fn default() -> Self {
        SpanData {
            anchors: &[],
            planes: &[],
            arrays: const { &Inputs::all(&[]) },
            listed: &[],
        }
    }
}

/// Which fragments of a span are covered.
#[derive(Clone, Copy)]
pub(crate) enum Coverage<'a> {
    /// All. The span has at least [`FEWEST_WHOLE`] quads. A [flush](Sink::flush) shades such spans before all
    /// others: since the last one, none of the quads may be in another such span, or in a span before this one.
    /// Needs [`Job::whole`], as the others need [`Job::masked`].
    Whole,
    /// All, of any number of quads that other spans may cover, too. Needs [`Job::masked`].
    All,
    /// For each quad the lanes whose samples are all covered, bit n = lane n; `first` of the span does
    /// not matter.
    Masks(&'a [u8]),
    /// The same, for each quad the samples: 16 bits for each lane, lane 0 in the lowest.
    Samples(&'a [u64]),
    /// `first` of the span is the place in [`SpanData::listed`] and in arrays. If a shape has one
    /// listed span, all its spans are listed.
    Listed,
}

/// Spans that wait, by where they are shaded.
#[derive(Default)]
struct Pending {
    /// In the targets.
    inner: Vec<Span>,
    /// In copies, as a part of their quads is outside the target: above, below, to the left of the first quad, or to
    /// the right of the last one.
    outer: [Vec<Span>; 4],
}

impl Pending {
    fn clear(&mut self) {
        self.inner.clear();
        self.outer.iter_mut().for_each(Vec::clear);
    }

    /// Puts a span to those that are like it, or its parts if they have at least `shortest` quads.
    fn push(&mut self, mut span: Span, bounds: &Rectangle, shortest: u32) {
        let [above, below, left, right] = &mut self.outer;
        if span.y < bounds.rows.start {
            above.push(span);
            return;
        }
        if span.y + 1 >= bounds.rows.end {
            below.push(span);
            return;
        }
        let part = |span: &Span| match span.quads >= 2 * shortest {
            true => shortest,
            false => span.quads,
        };
        if span.x < bounds.columns.start {
            let quads = part(&span);
            left.push(cut(&mut span, quads));
        }
        if span.x + 2 * span.quads > bounds.columns.end && span.quads > 0 {
            let rest = span.quads - part(&span);
            let inner = cut(&mut span, rest);
            right.push(span);
            span = inner;
        }
        if span.quads > 0 {
            self.inner.push(span);
        }
    }
}

/// Cuts so many quads off the left end of a span.
pub(super) fn cut(span: &mut Span, quads: u32) -> Span {
    let left = Span { quads, ..*span };
    span.x += 2 * quads;
    span.first += quads;
    span.quads -= quads;
    left
}

/// Memory that is used again and again.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Quads that wait.
    quads: usize,
    whole: Pending,
    masked: Pending,
    coverage: Vec<u8>,
    pixels: [Vec<u8>; TARGETS + 1],
    staging: Spans,
    /// Spans that lie in the targets, and their coverage. They wait here, or others above.
    inside: Spans,
}

impl Scratch {
    fn clear(&mut self) {
        self.quads = 0;
        self.whole.clear();
        self.masked.clear();
        self.coverage.clear();
        self.inside.clear();
    }
}

/// Takes the spans of a band.
pub(crate) struct Sink<'j, 's> {
    job: &'j Job<'j>,
    data: SpanData<'j>,
    surfaces: Surfaces<'s>,
    scratch: &'j mut Scratch,
    pace: Pace,
}

impl<'j, 's> Sink<'j, 's> {
    pub(crate) fn new(job: &'j Job<'j>, band: Band<'s>, scratch: &'j mut Scratch) -> Self {
        scratch.clear();
        Sink {
            job,
            data: job.data,
            pace: job
                .progress
                .map_or_else(Pace::default, |it| it.pace(&band.rows)),
            surfaces: band.surfaces,
            scratch,
        }
    }

    /// Memory in which a shape may collect spans; [given back](Sink::keep_staging) it is used again.
    pub(crate) fn take_staging(&mut self) -> Spans {
        std::mem::take(&mut self.scratch.staging)
    }

    /// Gives it back.
    pub(crate) fn keep_staging(&mut self, staging: Spans) {
        self.scratch.staging = staging;
    }

    /// Takes spans of these primitives from here on.
    ///
    /// # Errors
    ///
    /// The error of an earlier span that this call flushed.
    pub(crate) fn refer_to(
        &mut self,
        anchors: &'j [[f32; 2]],
        planes: &'j [Plane],
    ) -> Result<(), SpanError> {
        self.flush()?;
        self.data = SpanData {
            anchors,
            planes,
            ..self.data
        };
        Ok(())
    }

    /// Whether spans of triangles can be handed on as they are: none of them sticks out of the targets, and coverage has
    /// a byte for each quad.
    fn takes_all(&self) -> bool {
        let Rectangle { columns, rows } = &self.job.bounds;
        let ends = [columns.start, columns.end, rows.start, rows.end];
        self.job.coverage == CoverageFormat::Lanes && ends.iter().all(|end| end % 2 == 0)
    }

    /// The place where spans wait, with a byte of coverage for each quad: as [`Sink::push`] takes them, but without a
    /// step in between. `None` if quads may stick out of the targets, or coverage has another format.
    ///
    /// # Errors
    ///
    /// The error of an earlier span that this call flushed.
    pub(crate) fn inside(&mut self) -> Result<Option<&mut Spans>, SpanError> {
        if !self.takes_all() {
            return Ok(None);
        }
        if self.scratch.quads > 0 || self.scratch.inside.coverage.len() >= MOST_QUADS {
            self.flush()?;
        }
        Ok(Some(&mut self.scratch.inside))
    }

    /// Takes spans with a byte of coverage for each quad, where they are as many as those of a band.
    ///
    /// # Errors
    ///
    /// As [`Sink::push`].
    pub(crate) fn push_all(&mut self, spans: &[Span], coverage: &[u8]) -> Result<(), SpanError> {
        if !self.takes_all() {
            return self.append(spans, coverage);
        }
        self.flush()?;
        let (job, data, pace) = (self.job, &self.data, &mut self.pace);
        Work { job, data, pace }.spans(job.masked, (spans, coverage), &mut self.surfaces)
    }

    /// Takes some of the spans that this coverage belongs to, among others.
    ///
    /// # Errors
    ///
    /// As [`Sink::push`].
    pub(crate) fn append(&mut self, spans: &[Span], coverage: &[u8]) -> Result<(), SpanError> {
        let ([first, ..], [.., last]) = (spans, spans) else {
            return Ok(());
        };
        let Some(inside) = self.inside()? else {
            return spans.iter().try_for_each(|span| {
                let quads = span.first as usize..(span.first + span.quads) as usize;
                self.push(*span, Coverage::Masks(&coverage[quads]))
            });
        };
        let (start, end) = (first.first, last.first + last.quads);
        let place = inside.coverage.len() as u32;
        inside.spans.extend(spans.iter().map(|span| Span {
            first: span.first - start + place,
            ..*span
        }));
        let coverage = &coverage[start as usize..end as usize];
        inside.coverage.extend_from_slice(coverage);
        Ok(())
    }

    /// Takes a span.
    ///
    /// # Errors
    ///
    /// The error of an earlier span that this call flushed.
    pub(crate) fn push(&mut self, span: Span, coverage: Coverage<'_>) -> Result<(), SpanError> {
        if self.scratch.quads >= MOST_QUADS || !self.scratch.inside.spans.is_empty() {
            self.flush()?;
        }
        let (scratch, format) = (&mut *self.scratch, self.job.coverage);
        scratch.quads += span.quads as usize;
        let first = (scratch.coverage.len() / format.bytes()) as u32;
        let masked = Span { first, ..span };
        let masked = match coverage {
            Coverage::Whole if !format.leaves_out() => {
                scratch.whole.push(span, &self.job.bounds, FEWEST_WHOLE);
                return Ok(());
            }
            Coverage::Whole | Coverage::All => {
                format.extend_all(span.quads as usize, &mut scratch.coverage);
                masked
            }
            Coverage::Masks(masks) => {
                format.extend_lanes(masks, &mut scratch.coverage);
                masked
            }
            Coverage::Samples(samples) => {
                format.extend_samples(samples, &mut scratch.coverage);
                masked
            }
            Coverage::Listed => span,
        };
        scratch.masked.push(masked, &self.job.bounds, 1);
        Ok(())
    }

    /// Shades what waits.
    ///
    /// # Errors
    ///
    /// The first quad that could not be finished.
    pub(crate) fn flush(&mut self) -> Result<(), SpanError> {
        let Scratch {
            whole,
            masked,
            coverage,
            pixels,
            inside,
            ..
        } = &mut *self.scratch;
        let coverage = match self.data.listed {
            [] => &coverage[..],
            listed => listed,
        };
        let (job, surfaces, pace) = (self.job, &mut self.surfaces, &mut self.pace);
        let mut work = Work {
            job,
            data: &self.data,
            pace,
        };
        let result = work
            .shade(job.whole, whole, &[], surfaces, pixels)
            .and_then(|()| work.shade(job.masked, masked, coverage, surfaces, pixels))
            .and_then(|()| match inside.spans.is_empty() {
                true => Ok(()),
                false => work.spans(job.masked, (&inside.spans, &inside.coverage), surfaces),
            });
        self.scratch.clear();
        result
    }

    /// Shades what waits, and ends the band.
    ///
    /// # Errors
    ///
    /// As [`Sink::flush`].
    pub(crate) fn finish(&mut self) -> Result<(), SpanError> {
        self.flush()?;
        if let Some(progress) = self.job.progress {
            progress.finish_band(&self.pace);
        }
        Ok(())
    }
}

/// Pixels from one corner up to another.
#[derive(Clone, Copy)]
struct Area {
    from: [u32; 2],
    to: [u32; 2],
}

impl Area {
    /// All pixels of the spans' quads.
    fn around(spans: &[Span]) -> Option<Area> {
        let area = |span: &Span| Area {
            from: [span.x, span.y],
            to: [span.x + 2 * span.quads, span.y + 2],
        };
        spans.iter().map(area).reduce(|a, b| Area {
            from: [a.from[0].min(b.from[0]), a.from[1].min(b.from[1])],
            to: [a.to[0].max(b.to[0]), a.to[1].max(b.to[1])],
        })
    }

    fn size(&self) -> [usize; 2] {
        [0, 1].map(|axis| (self.to[axis] - self.from[axis]) as usize)
    }

    /// The rows, within the bounds of targets: where they begin in the surface and in a copy of the
    /// area, and their bytes.
    fn rows(
        self,
        surface: &Surface<'_>,
        bounds: &Rectangle,
        pixel: usize,
    ) -> impl Iterator<Item = (usize, usize, usize)> + use<> {
        let [columns, rows] = [(0, &bounds.columns), (1, &bounds.rows)]
            .map(|(axis, within)| self.from[axis].max(within.start)..self.to[axis].min(within.end));
        let (pitch, width, origin) = (surface.pitch, self.size()[0], surface.origin);
        let bytes = columns.len() * pixel;
        rows.map(move |row| {
            let place = |from: [u32; 2], pitch: usize| {
                (row - from[1]) as usize * pitch + (columns.start - from[0]) as usize * pixel
            };
            (place(origin, pitch), place(self.from, width * pixel), bytes)
        })
    }
}

/// Spans on their way to an engine.
struct Work<'w> {
    job: &'w Job<'w>,
    data: &'w SpanData<'w>,
    pace: &'w mut Pace,
}

impl Work<'_> {
    fn shade(
        &mut self,
        shader: Option<&dyn SpanShader>,
        pending: &Pending,
        coverage: &[u8],
        surfaces: &mut Surfaces<'_>,
        pixels: &mut [Vec<u8>; TARGETS + 1],
    ) -> Result<(), SpanError> {
        if !pending.inner.is_empty() {
            self.spans(shader, (&pending.inner, coverage), surfaces)?;
        }
        for fringe in &pending.outer {
            if let Some(area) = Area::around(fringe) {
                let work = (fringe.as_slice(), coverage);
                let result = self.spans(shader, work, &mut self.job.copied(area, surfaces, pixels));
                self.job.copy_back(area, pixels, surfaces);
                result?;
            }
        }
        Ok(())
    }

    fn spans(
        &mut self,
        shader: Option<&dyn SpanShader>,
        (spans, coverage): (&[Span], &[u8]),
        surfaces: &mut Surfaces<'_>,
    ) -> Result<(), SpanError> {
        let shader = shader.expect("the draw has a shader for what its shape covers");
        let Work { job, data, pace } = self;
        let mut shade = |spans: &[Span]| {
            shader.shade(job.bindings, &job.batch(data, spans, coverage), surfaces)
        };
        match job.progress {
            Some(progress) => progress.shade(spans, pace, shade),
            None => shade(spans),
        }
    }
}

impl Job<'_> {
    fn batch<'b>(&self, data: &SpanData<'b>, spans: &'b [Span], coverage: &'b [u8]) -> Batch<'b> {
        Batch {
            spans,
            coverage,
            positions: self.positions,
            anchors: data.anchors,
            planes: data.planes,
            arrays: data.arrays,
            alpha_reference: self.alpha_reference,
            blend_constant: self.blend_constant,
        }
    }

    /// A copy of the area of all surfaces.
    fn copied<'p>(
        &self,
        area: Area,
        surfaces: &Surfaces<'_>,
        pixels: &'p mut [Vec<u8>; TARGETS + 1],
    ) -> Surfaces<'p> {
        let [width, height] = area.size();
        let copy = |(surface, pixel, bytes): (&Surface<'_>, usize, &'p mut Vec<u8>)| {
            let plane = width * height * pixel;
            bytes.clear();
            bytes.resize(self.stored * plane, 0);
            let copies = bytes
                .chunks_mut(plane)
                .zip(&surface.planes)
                .map(|(copy, there)| {
                    for (from, to, len) in area.rows(surface, &self.bounds, pixel) {
                        copy[to..to + len].copy_from_slice(&there[from..from + len]);
                    }
                    copy
                });
            Surface {
                planes: copies.collect(),
                pitch: width * pixel,
                origin: area.from,
            }
        };
        let mut copies = Surfaces::default();
        let (colour_pixels, depth_pixels) = pixels.split_at_mut(TARGETS);
        for (index, bytes) in colour_pixels.iter_mut().enumerate() {
            let surface = surfaces.colours[index].as_ref();
            copies.colours[index] = surface.map(|it| copy((it, self.pixel_bytes[index], bytes)));
        }
        for bytes in depth_pixels {
            let surface = surfaces.depth.as_ref();
            copies.depth = surface.map(|it| copy((it, self.pixel_bytes[TARGETS], bytes)));
        }
        copies
    }

    /// Puts what [`Job::copied`] copied back.
    fn copy_back(&self, area: Area, pixels: &[Vec<u8>; TARGETS + 1], surfaces: &mut Surfaces<'_>) {
        let colours = surfaces.colours.iter_mut().map(Option::as_mut);
        let all = colours.chain([surfaces.depth.as_mut()]);
        for ((surface, pixel), bytes) in all.zip(self.pixel_bytes).zip(pixels) {
            let Some(surface) = surface else { continue };
            let plane = bytes.len() / self.stored;
            for sample in 0..self.stored {
                for (to, from, len) in area.rows(surface, &self.bounds, pixel) {
                    let copy = &bytes[sample * plane + from..][..len];
                    surface.planes[sample][to..to + len].copy_from_slice(copy);
                }
            }
        }
    }
}
