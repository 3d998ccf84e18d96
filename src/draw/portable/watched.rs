//! [`Watched`]: what becomes of one quad, of which nothing is stored.

use std::sync::Arc;

use attila_interp::Interp;
use attila_isa::{Inputs as Registers, ValidProgram};
use attila_machine::pipeline::{Batch, Pipeline, Plane, Span, SpanError, SpanShader, Surfaces};
use attila_machine::{
    Backend, Bindings, ExtendedQuadIo, InputSource, Lanes, PrepareError, QuadReg, SamplePositions,
};

use super::inputs::{Inputs, Spot};
use super::{Place, Portable, Run, Scratch};
use crate::draw::history::{Numbers, Seen, Watch};
use crate::draw::quads::QuadBuffer;
use crate::threads::lock;

/// A program within a pipeline, run by the interpreter for the quad of a pixel and no other. It stores to a copy of
/// the quad's pixels.
pub(in crate::draw) struct Watched<'w> {
    portable: Portable,
    inputs: Arc<Inputs>,
    watch: &'w Watch,
    numbers: Numbers,
}

impl<'w> Watched<'w> {
    pub(in crate::draw) fn new(
        program: &ValidProgram,
        pipeline: &Pipeline,
        watch: &'w Watch,
        numbers: Numbers,
    ) -> Result<Watched<'w>, PrepareError> {
        let mut portable = Portable::new(Interp.prepare(program)?, program.usage(), pipeline);
        if let Numbers::Triangles = numbers {
            portable.inputs.planes += 1;
        }
        Ok(Watched {
            inputs: Arc::new(portable.inputs.clone()),
            portable,
            watch,
            numbers,
        })
    }

    /// Shades a quad, on `seen.pixels`.
    fn shade_quad(
        &self,
        bindings: &Bindings<'_>,
        batch: &Batch<'_>,
        seen: &mut Seen,
    ) -> Result<(), SpanError> {
        let mut surfaces = seen.pixels.surfaces();
        batch.check(&self.portable.pipeline, &surfaces)?;
        let mut scratch = Scratch {
            quads: QuadBuffer::Extended(vec![ExtendedQuadIo::default()]),
            pending: Vec::new(),
        };
        let mut run = Run {
            portable: &self.portable,
            bindings,
            batch,
            surfaces: &mut surfaces,
            scratch: &mut scratch,
            own: None,
            look: Some(&mut seen.look),
        };
        run.passes()
    }

    /// The number of a span's primitive in its shape.
    fn number(&self, span: &Span, batch: &Batch<'_>) -> u32 {
        match self.numbers {
            Numbers::One => 0,
            Numbers::Listed => span.first,
            Numbers::Triangles => {
                let planes = self.inputs.planes;
                let last = planes * (span.primitive as usize + 1) - 1;
                batch.planes[last].at.to_bits()
            }
        }
    }

    fn interpolation(&self, span: &Span, batch: &Batch<'_>) -> Interpolation {
        let (primitive, count) = (span.primitive as usize, self.inputs.planes);
        Interpolation {
            inputs: Arc::clone(&self.inputs),
            place: [span.x, span.y],
            anchor: batch.anchors[primitive],
            planes: batch.planes[primitive * count..][..count].into(),
        }
    }
}

impl SpanShader for Watched<'_> {
    fn shade(
        &self,
        bindings: &Bindings<'_>,
        batch: &Batch<'_>,
        _: &mut Surfaces<'_>,
    ) -> Result<(), SpanError> {
        let [column, row] = self.watch.quad();
        let mut seen = lock(&self.watch.seen);
        for span in batch.spans {
            let columns = span.x..span.x + 2 * span.quads;
            if span.y != row || !columns.contains(&column) || seen.error.is_some() {
                continue;
            }
            let quad = Span {
                x: column,
                quads: 1,
                first: span.first + (column - span.x) / 2,
                ..*span
            };
            seen.look.primitive = self.number(&quad, batch);
            seen.look.interpolation = Some(self.interpolation(&quad, batch));
            seen.look.samples = self.portable.pipeline.samples().count();
            let one = Batch {
                spans: &[quad],
                ..*batch
            };
            seen.error = self.shade_quad(bindings, &one, &mut seen).err();
            seen.look.finish();
        }
        Ok(())
    }
}

/// The inputs of a quad at any place of its pixels.
#[derive(Clone, Debug)]
pub(in crate::draw) struct Interpolation {
    inputs: Arc<Inputs>,
    place: [u32; 2],
    anchor: [f32; 2],
    planes: Box<[Plane]>,
}

impl InputSource for Interpolation {
    fn evaluate(&self, _: usize, register: u8, offset: Lanes<[i16; 2]>) -> QuadReg {
        let [x, y] = self.place;
        let spot = Spot::at(Place { x, y }, offset);
        let batch = Batch {
            spans: &[],
            coverage: &[],
            positions: SamplePositions::default(),
            anchors: &[self.anchor],
            planes: &self.planes,
            arrays: const { &Registers::all(&[]) },
            alpha_reference: 0.0,
            blend_constant: [0.0; 4],
        };
        self.inputs.register(register.into(), &batch, 0, &spot)
    }
}
