//! [`Witness`]: an engine that runs no program. It looks at what draws hand to engines, and marks the pixels
//! that it should shade.

use std::sync::{Arc, Mutex, PoisonError};

use attila_shader::isa::{Component, PRIMITIVE_ID, ValidProgram};
use attila_shader::machine::pipeline::{
    Batch, Pipeline, Span, SpanError, SpanShader, Surface, Surfaces,
};
use attila_shader::machine::{
    Backend, Bindings, Executable, ExtendedQuadIo, PrepareError, QuadIo, RunError,
};

use super::values::Given;

/// A pixel that is shaded, and its planes.
pub(super) struct Shaded<'a> {
    pub(super) pixel: [u32; 2],
    /// The number of the triangle; 0 of other shapes.
    pub(super) number: u32,
    pub(super) anchor: [f32; 2],
    /// The pipeline that it is shaded in.
    pub(super) pipeline: &'a Pipeline,
    /// The registers and components of the planes, and the planes.
    pub(super) planes: &'a [((usize, Component), Given)],
}

/// Looks at pixels that are shaded.
pub(super) type Look = dyn Fn(&Shaded<'_>) + Send + Sync;

/// Looks at what all pixels of a batch share.
pub(super) type LookAtBatch = dyn Fn(&Pipeline, &Batch<'_>) + Send + Sync;

/// How a frame's pixels are marked.
pub(super) struct Task {
    /// Whether a quad's mark is its place in the list.
    pub(super) is_list: bool,
    pub(super) size: [u32; 2],
    pub(super) look: Box<Look>,
    pub(super) look_at_batch: Box<LookAtBatch>,
}

/// The engine.
#[derive(Clone)]
pub(super) struct Witness(Arc<Mutex<Option<Arc<Task>>>>);

impl Witness {
    pub(super) fn new() -> Witness {
        Witness(Arc::default())
    }

    /// Has it look at a frame.
    pub(super) fn expect(&self, task: Task) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(task));
    }
}

/// Leaves a mark in the bytes of a pixel. Marks depend on the order.
pub(super) fn mark(pixel: &mut [u8], mark: u32) {
    let [low, high, ..] = mark.to_le_bytes();
    for (n, byte) in pixel.iter_mut().enumerate() {
        let with = if n % 2 == 0 { low } else { high };
        *byte = byte
            .wrapping_mul(5)
            .wrapping_add(with)
            .wrapping_add(n as u8 + 1);
    }
}

impl Backend for Witness {
    fn name(&self) -> &'static str {
        "the witness"
    }

    fn prepare(&self, _: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError> {
        Ok(Arc::new(self.clone()))
    }
}

impl Executable for Witness {
    fn run(&self, _: &Bindings<'_>, _: &mut [QuadIo]) -> Result<(), RunError> {
        Ok(())
    }

    fn run_extended(&self, _: &Bindings<'_>, _: &mut [ExtendedQuadIo]) -> Result<(), RunError> {
        Ok(())
    }

    fn within(
        self: Arc<Self>,
        pipeline: &Pipeline,
        _: &Bindings<'_>,
    ) -> Result<Option<Arc<dyn SpanShader>>, PrepareError> {
        Ok(Some(Arc::new(Marks {
            witness: Witness::clone(&self),
            planes: pipeline.planes().collect(),
            pipeline: pipeline.clone(),
        })))
    }
}

/// The witness within a pipeline.
struct Marks {
    witness: Witness,
    pipeline: Pipeline,
    planes: Vec<(usize, Component)>,
}

impl SpanShader for Marks {
    fn shade(
        &self,
        _: &Bindings<'_>,
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
    ) -> Result<(), SpanError> {
        batch.check(&self.pipeline, surfaces)?;
        let task = self
            .witness
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let Some(task) = task else { return Ok(()) };
        (task.look_at_batch)(&self.pipeline, batch);
        for span in batch.spans {
            self.span(&task, batch, span, surfaces);
        }
        Ok(())
    }
}

impl Marks {
    fn span(&self, task: &Task, batch: &Batch<'_>, span: &Span, surfaces: &mut Surfaces<'_>) {
        let planes = self.given(batch, span.primitive as usize);
        let id = planes
            .iter()
            .find(|(place, _)| *place == (PRIMITIVE_ID, Component::X));
        let number = id.map_or(0, |(_, given)| given.plane.at.to_bits());
        for quad in 0..span.quads {
            let index = span.first + quad;
            let samples = self.covered(batch, index as usize);
            let is_end = quad == 0 || quad + 1 == span.quads;
            for lane in 0..4 {
                let covered = (samples >> (16 * lane)) as u16;
                let pixel = [span.x + 2 * quad + lane % 2, span.y + lane / 2];
                if covered == 0 {
                    continue;
                }
                self.store(
                    surfaces,
                    pixel,
                    covered,
                    if task.is_list { index } else { number },
                );
                let is_there = pixel[0] < task.size[0] && pixel[1] < task.size[1];
                if is_end && is_there {
                    (task.look)(&Shaded {
                        pixel,
                        number,
                        anchor: batch.anchors[span.primitive as usize],
                        pipeline: &self.pipeline,
                        planes: &planes,
                    });
                }
            }
        }
    }

    fn given(&self, batch: &Batch<'_>, primitive: usize) -> Vec<((usize, Component), Given)> {
        let anchor = batch.anchors[primitive];
        let planes = &batch.planes[primitive * self.planes.len()..][..self.planes.len()];
        let given = planes.iter().map(|&plane| Given { plane, anchor });
        self.planes.iter().copied().zip(given).collect()
    }

    /// The covered samples of a quad, 16 bits for each lane.
    fn covered(&self, batch: &Batch<'_>, index: usize) -> u64 {
        let all = self.pipeline.samples().all();
        let of_lanes = |lanes: u8| {
            let lanes = (0..4).filter(|lane| lanes >> lane & 1 != 0);
            lanes.fold(0, |word, lane| word | u64::from(all) << (16 * lane))
        };
        match (self.pipeline.coverage, self.pipeline.multisampling) {
            (false, _) => of_lanes(0b1111),
            (true, None) => of_lanes(batch.coverage[index]),
            (true, Some(_)) => {
                let bytes = batch.coverage[8 * index..].first_chunk();
                u64::from_le_bytes(bytes.copied().unwrap_or_default())
            }
        }
    }

    /// Marks the samples of a pixel in all targets.
    fn store(&self, surfaces: &mut Surfaces<'_>, pixel: [u32; 2], covered: u16, number: u32) {
        let stored = self.pipeline.stored().count();
        let covered = if stored == 1 { 1 } else { covered };
        let colours = surfaces.colours.iter_mut().zip(&self.pipeline.targets);
        let colours = colours.filter_map(|(surface, target)| {
            Some((surface.as_mut()?, target.as_ref()?.format.size()))
        });
        let depth = surfaces.depth.as_mut().zip(self.pipeline.depth);
        let depth = depth.map(|(surface, depth)| (surface, depth.format.size()));
        for (surface, size) in colours.chain(depth) {
            for sample in (0..stored).filter(|sample| covered >> sample & 1 != 0) {
                mark(place(surface, pixel, size, sample), number);
            }
        }
    }
}

/// The bytes of a sample. None of a pixel that overhangs the memory.
fn place<'s>(
    surface: &'s mut Surface<'_>,
    pixel: [u32; 2],
    size: usize,
    sample: usize,
) -> &'s mut [u8] {
    let [x, y] = [0, 1].map(|axis| (pixel[axis] - surface.origin[axis]) as usize);
    let from = y * surface.pitch + x * size;
    surface.planes[sample]
        .get_mut(from..from + size)
        .unwrap_or_default()
}
