//! Spans that are shorter than the code's width, for emitters whose code cannot shade fewer quads.
//!
//! Such code shades quads past the span's end, too, so it works on a copy of the span's pixels
//! with room for more, and with inputs that go on as the last quad's.

use attila_isa::Inputs;
use attila_machine::QuadReg;
use attila_machine::pipeline::{Batch, Pipeline, Span, SpanError, Surface, Surfaces, TARGETS};

/// Shades the spans of a batch, the ones that are shorter than so many quads on copies.
///
/// # Errors
///
/// `shade` fails.
pub(crate) fn in_long_spans(
    shortest: u32,
    pipeline: &Pipeline,
    batch: &Batch<'_>,
    surfaces: &mut Surfaces<'_>,
    mut shade: impl FnMut(&Batch<'_>, &mut Surfaces<'_>) -> Result<(), SpanError>,
) -> Result<(), SpanError> {
    let is_short = |span: &Span| span.quads < shortest;
    let alike = |a: &Span, b: &Span| is_short(a) == is_short(b);
    for spans in batch.spans.chunk_by(alike) {
        if !is_short(&spans[0]) {
            shade(&Batch { spans, ..*batch }, surfaces)?;
            continue;
        }
        for span in spans {
            let mut padded = Padded::new(pipeline, batch, span, surfaces, shortest);
            padded.shade(&mut shade)?;
            padded.copy_back(surfaces);
        }
    }
    Ok(())
}

/// A span that was made long enough.
struct Padded<'a> {
    batch: &'a Batch<'a>,
    span: Span,
    /// Quads of the copy.
    width: u32,
    /// The inputs that come from arrays, with their registers, one for each quad of the copy.
    arrays: Vec<(usize, Vec<QuadReg>)>,
    /// The pixels of each surface, plane by plane, the depth surface last. Empty where there is no surface.
    pixels: [Vec<u8>; TARGETS + 1],
    /// Bytes of a pixel of each.
    sizes: [usize; TARGETS + 1],
    /// Planes of a surface.
    samples: usize,
}

impl<'a> Padded<'a> {
    /// A span of a batch that [was checked](Batch::check) for its pipeline and surfaces, as one of
    /// `width` quads.
    fn new(
        pipeline: &Pipeline,
        batch: &'a Batch<'a>,
        span: &Span,
        surfaces: &mut Surfaces<'_>,
        width: u32,
    ) -> Padded<'a> {
        let mut sizes = [0; TARGETS + 1];
        for (size, target) in sizes.iter_mut().zip(&pipeline.targets) {
            *size = target.map_or(0, |target| target.format.size());
        }
        sizes[TARGETS] = pipeline.depth.map_or(0, |depth| depth.format.size());
        let samples = pipeline.stored().count();
        let array = |input| (input, registers(batch.arrays[input], span, width));
        let mut padded = Padded {
            samples,
            batch,
            span: *span,
            width,
            arrays: pipeline.arrays().map(array).collect(),
            pixels: sizes.map(|size| vec![0; samples * 2 * 2 * width as usize * size]),
            sizes,
        };
        padded.rows(surfaces, |row, copy| copy.copy_from_slice(row));
        padded
    }

    /// Has the padded span shaded.
    fn shade(
        &mut self,
        shade: impl FnOnce(&Batch<'_>, &mut Surfaces<'_>) -> Result<(), SpanError>,
    ) -> Result<(), SpanError> {
        let span = Span {
            quads: self.width,
            first: 0,
            ..self.span
        };
        let mut arrays = Inputs::default();
        for (register, array) in &self.arrays {
            arrays[*register] = array.as_slice();
        }
        let batch = Batch {
            spans: &[span],
            arrays: &arrays,
            ..*self.batch
        };
        let samples = self.samples;
        let pixels = self.pixels.each_mut().map(Vec::as_mut_slice);
        let mut surfaces = pixels.map(|bytes| {
            let plane = bytes.len() / samples;
            if plane == 0 {
                return None;
            }
            Some(Surface {
                planes: bytes.chunks_mut(plane).collect(),
                pitch: plane / 2,
                origin: [span.x, span.y],
            })
        });
        let depth = surfaces[TARGETS].take();
        let mut colours = surfaces.into_iter();
        let mut surfaces = Surfaces {
            colours: std::array::from_fn(|_| colours.next().flatten()),
            depth,
        };
        shade(&batch, &mut surfaces)
    }

    /// Writes the span's pixels to where they belong.
    fn copy_back(mut self, surfaces: &mut Surfaces<'_>) {
        self.rows(surfaces, |row, copy| row.copy_from_slice(copy));
    }

    /// The span's two rows of pixels of every surface, there and in the copy.
    fn rows(&mut self, surfaces: &mut Surfaces<'_>, mut each: impl FnMut(&mut [u8], &mut [u8])) {
        let colours = surfaces.colours.iter_mut();
        let surfaces = colours.chain([&mut surfaces.depth]);
        let copies = self.pixels.iter_mut().zip(self.sizes);
        for (surface, (copy, size)) in surfaces.zip(copies) {
            let (Some(surface), 1..) = (surface, size) else {
                continue;
            };
            let [left, top] = surface.origin;
            let [column, row] =
                [self.span.x - left, self.span.y - top].map(|distance| distance as usize);
            let length = 2 * self.span.quads as usize * size;
            let pitch = copy.len() / self.samples / 2;
            for (n, copy) in copy.chunks_mut(pitch).enumerate() {
                let (plane, n) = (&mut surface.planes[n / 2], n % 2);
                let place = (row + n) * surface.pitch + column * size;
                each(&mut plane[place..place + length], &mut copy[..length]);
            }
        }
    }
}

/// A span's registers of an array, the last one repeated. None of an array that is not used.
fn registers(array: &[QuadReg], span: &Span, width: u32) -> Vec<QuadReg> {
    let first = span.first as usize;
    let registers = array.get(first..first + span.quads as usize);
    let Some(registers @ [.., last]) = registers else {
        return Vec::new();
    };
    let mut registers = registers.to_vec();
    registers.resize(width as usize, *last);
    registers
}

#[cfg(test)]
mod tests {
    use attila_isa::Slots;
    use attila_machine::pipeline::{ColourFormat, ColourTarget, InputKind, Multisampling};
    use attila_machine::{SAMPLES, SampleCount, SamplePositions};

    use super::*;

    /// Bytes of a row of pixels, and rows.
    const PITCH: usize = 40;
    const ROWS: usize = 5;

    /// The byte that is stored over another.
    const fn shaded(byte: u8) -> u8 {
        !byte
    }

    #[test]
    fn pixels_of_all_samples_come_back_to_their_rows_and_no_others() {
        let multisampling = Multisampling {
            samples: SampleCount::Sixteen,
            stored: SampleCount::Sixteen,
            ..Multisampling::default()
        };
        let target = ColourTarget {
            format: ColourFormat::Rgba8,
            mask: Slots::all(),
            blend: None,
        };
        let mut pipeline = Pipeline {
            multisampling: Some(multisampling),
            ..Pipeline::default()
        };
        pipeline.targets[1] = Some(target);
        pipeline.inputs[3] = [InputKind::Array; 4];
        let byte = |sample: usize| move |at: usize| (sample + at) as u8;
        let planes = |sample| (0..PITCH * ROWS).map(byte(sample)).collect();
        let mut planes: Vec<Vec<u8>> = (0..SAMPLES).map(planes).collect();
        // Two quads in the columns 2 to 5 and the rows 1 and 2 of the surface.
        let span = Span {
            x: 6,
            y: 4,
            quads: 2,
            primitive: 0,
            first: 1,
        };
        let registers: Vec<QuadReg> = (0..3).map(|quad| [[quad; 4]; 4]).collect();
        let mut arrays = Inputs::<&[QuadReg]>::default();
        arrays[3] = &registers;
        let batch = Batch {
            spans: &[span],
            coverage: &[],
            positions: SamplePositions::standard(SampleCount::Sixteen),
            anchors: &[],
            planes: &[],
            arrays: &arrays,
            alpha_reference: 0.0,
            blend_constant: [0.0; 4],
        };
        let mut surfaces = Surfaces::default();
        surfaces.colours[1] = Some(Surface {
            planes: planes.iter_mut().map(Vec::as_mut_slice).collect(),
            pitch: PITCH,
            origin: [4, 3],
        });
        let mut padded = Padded::new(&pipeline, &batch, &span, &mut surfaces, 4);
        let shade = |batch: &Batch<'_>, surfaces: &mut Surfaces<'_>| {
            let quads = batch.arrays[3].iter().map(|register| register[0][0]);
            assert_eq!(quads.collect::<Vec<_>>(), [1, 2, 2, 2]);
            let surface = surfaces.colours[1].as_mut().expect("it has a target");
            let bytes = surface.planes.iter_mut().flat_map(|plane| plane.iter_mut());
            bytes.for_each(|byte| *byte = shaded(*byte));
            Ok(())
        };
        padded.shade(shade).expect("it is shaded");
        padded.copy_back(&mut surfaces);
        drop(surfaces);
        for (sample, plane) in planes.iter().enumerate() {
            let is_inside = |at| (1..3).contains(&(at / PITCH)) && (8..24).contains(&(at % PITCH));
            let expected = (0..PITCH * ROWS).map(|at| match is_inside(at) {
                true => shaded(byte(sample)(at)),
                false => byte(sample)(at),
            });
            assert!(plane.iter().copied().eq(expected), "sample {sample}");
        }
    }
}
