//! A draw in the memory of a run: the parts that the function names.

use attila_machine::pipeline::{Batch, Pipeline, Plane, Span, SpanError, Surface, Surfaces};

use super::image::Image;
use super::{Parts, WasmCode};
use crate::abi::{
    DEPTH_SURFACE, DrawWord, Drawing, FragmentField, Pixels, PlaneField, SpanField, SpanWord,
    SurfaceWord, draw_number,
};
use crate::emit::Run;
use crate::ir::Op;

impl WasmCode {
    /// Shades spans that are long enough.
    pub(super) fn draw_spans(
        &self,
        run: &Run<'_>,
        (pipeline, own): (&Pipeline, Option<usize>),
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
    ) -> Result<(), SpanError> {
        let mut image = Image::default();
        let drawing = image.room(size_of::<Drawing>());
        let planes = self.plan.surfaces.iter().map(|&pixels| {
            let at = put_plane(&mut image, drawing, (pixels, own), surfaces);
            (pixels, at)
        });
        let planes: Vec<(Pixels, usize)> = planes.collect();
        put_batch(&mut image, drawing, pipeline, batch);
        self.put_fields(&mut image, drawing, batch, own);
        let first = image.room(size_of_val(batch.spans));
        for (n, span) in batch.spans.iter().enumerate() {
            put_span(&mut image, first + n * size_of::<Span>(), span);
        }
        let parts = Parts {
            drawing,
            first,
            count: batch.spans.len(),
            ..Parts::default()
        };
        let failure = self.call(run, &mut image, parts);
        for (pixels, at) in planes {
            let plane = plane(pixels, own);
            let bytes = &mut *surface_mut(surfaces, pixels).planes[plane];
            bytes.copy_from_slice(image.at(at, bytes.len()));
        }
        match failure {
            None => Ok(()),
            Some(failure) => Err(failure.in_spans(batch.spans, run.bindings.loop_budget())),
        }
    }

    /// The numbers of the draw, and the arrays, that the function reads.
    fn put_fields(&self, image: &mut Image, drawing: usize, batch: &Batch<'_>, own: Option<usize>) {
        for node in &self.function.nodes {
            if let Op::Draw(field) = node.op {
                let number = draw_number(batch, own, field);
                image.put(drawing + field.offset(), [number]);
            }
            if let Op::Fragment(FragmentField::Input { reg, .. }) = node.op {
                let array = batch.arrays[usize::from(reg)].as_flattened();
                let array = image.words(array.as_flattened().iter().copied());
                image.put_address(drawing + DrawWord::Array(reg).offset(), array);
            }
        }
    }
}

/// The plane of pixels.
fn plane(pixels: Pixels, own: Option<usize>) -> usize {
    own.unwrap_or(pixels.sample.into())
}

fn surface_mut<'a, 's>(surfaces: &'a mut Surfaces<'s>, pixels: Pixels) -> &'a mut Surface<'s> {
    let surface = if pixels.surface == DEPTH_SURFACE {
        &mut surfaces.depth
    } else {
        &mut surfaces.colours[usize::from(pixels.surface)]
    };
    surface.as_mut().expect("the batch was checked")
}

/// A plane of a surface. Returns its address.
fn put_plane(
    image: &mut Image,
    drawing: usize,
    (pixels, own): (Pixels, Option<usize>),
    surfaces: &mut Surfaces<'_>,
) -> usize {
    let surface = surface_mut(surfaces, pixels);
    let at = image.copy(surface.planes[plane(pixels, own)]);
    let Pixels {
        surface: number,
        sample,
        ..
    } = pixels;
    let [left, top] = surface.origin;
    image.put_address(drawing + SurfaceWord::Pixels { sample }.offset(number), at);
    image.put_address(drawing + SurfaceWord::Pitch.offset(number), surface.pitch);
    image.put(drawing + SurfaceWord::Left.offset(number), [left]);
    image.put(drawing + SurfaceWord::Top.offset(number), [top]);
    at
}

/// The parts of a batch that all its primitives and quads share.
fn put_batch(image: &mut Image, drawing: usize, pipeline: &Pipeline, batch: &Batch<'_>) {
    let planes = image.room(size_of_val(batch.planes));
    for (n, plane) in batch.planes.iter().enumerate() {
        for (number, value) in [
            (PlaneField::At, plane.at),
            (PlaneField::Dx, plane.dx),
            (PlaneField::Dy, plane.dy),
        ] {
            let at = n * size_of::<Plane>() + SpanField::plane_offset(0, number);
            image.put(planes + at, [value.to_bits()]);
        }
    }
    let anchors = image.words(
        batch
            .anchors
            .iter()
            .flatten()
            .map(|number| number.to_bits()),
    );
    let coverage = image.copy(batch.coverage);
    let stride = pipeline.plane_count() * size_of::<Plane>();
    for (word, value) in [
        (DrawWord::Planes, planes),
        (DrawWord::PlaneStride, stride),
        (DrawWord::Anchors, anchors),
        (DrawWord::Coverage, coverage),
    ] {
        image.put_address(drawing + word.offset(), value);
    }
    image.put(drawing + Drawing::POSITIONS, batch.positions.packed());
}

fn put_span(image: &mut Image, at: usize, span: &Span) {
    for (word, value) in [
        (SpanWord::X, span.x),
        (SpanWord::Y, span.y),
        (SpanWord::Quads, span.quads),
        (SpanWord::Primitive, span.primitive),
        (SpanWord::First, span.first),
    ] {
        image.put(at + word.offset(), [value]);
    }
}
