//! The work around programs in a draw, done with any engine: inputs are filled in, a batch of quads
//! is run, and results are tested, mixed and stored one by one.
//!
//! It is written to be read, and independently of the JIT, so that the agreement of the two means
//! something.

mod blend;
mod depth;
mod half;
mod inputs;
mod pixel;

use std::sync::{Arc, Mutex, PoisonError};

use attila_isa::Usage;
use attila_machine::pipeline::{
    Batch, Compare, DepthSource, Pipeline, Span, SpanError, SpanShader, Surface, Surfaces,
};
use attila_machine::{Bindings, Executable, LANES, LaneMask, QuadReg, RunError};

use blend::blend;
use depth::Depths;
use inputs::Inputs;

use crate::draw::quads::{QuadBuffer, QuadView};

/// Quads that are run together: enough to make up for what a run costs, few enough to stay in the
/// cache.
const BATCH: usize = 64;

/// A pixel's place.
#[derive(Clone, Copy)]
struct Place {
    x: u32,
    y: u32,
}

impl Place {
    /// The place of a lane of the quad here.
    fn lane(self, lane: usize) -> Place {
        Place {
            x: self.x + (lane as u32 & 1),
            y: self.y + (lane as u32 >> 1),
        }
    }

    /// Where the pixel begins in `surface`, with `size` bytes each.
    fn offset(self, surface: &Surface<'_>, size: usize) -> usize {
        let [left, top] = surface.origin;
        (self.y - top) as usize * surface.pitch + (self.x - left) as usize * size
    }
}

/// A quad that waits to be run, or to be stored.
#[derive(Clone, Copy)]
struct Pending {
    place: Place,
    alive: LaneMask,
}

/// Memory that is used again and again.
struct Scratch {
    quads: QuadBuffer,
    pending: Vec<Pending>,
}

/// A program within a pipeline, run by `executable`.
pub(crate) struct Portable {
    executable: Arc<dyn Executable>,
    usage: Usage,
    pipeline: Pipeline,
    inputs: Inputs,
    depth: Option<Depths>,
    early: bool,
    /// The outputs that the program writes.
    outputs: Vec<usize>,
    scratch: Mutex<Vec<Scratch>>,
}

impl Portable {
    pub(crate) fn new(
        executable: Arc<dyn Executable>,
        usage: &Usage,
        pipeline: &Pipeline,
    ) -> Portable {
        let written = |output: &usize| usage.writes_output(*output);
        Portable {
            executable,
            inputs: Inputs::new(pipeline),
            depth: pipeline.depth.map(|state| Depths {
                state,
                source: DepthSource::of(usage),
            }),
            early: pipeline.tests_early(usage),
            outputs: (0..usage.outputs.len()).filter(written).collect(),
            usage: usage.clone(),
            pipeline: pipeline.clone(),
            scratch: Mutex::default(),
        }
    }
}

impl SpanShader for Portable {
    fn shade(
        &self,
        bindings: &Bindings<'_>,
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
    ) -> Result<(), SpanError> {
        batch.check(&self.pipeline, surfaces)?;
        let pool = || self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = pool().pop();
        let mut scratch = idle.unwrap_or_else(|| {
            let mut quads = QuadBuffer::default();
            quads.resize(&self.usage, BATCH);
            Scratch {
                quads,
                pending: Vec::with_capacity(BATCH),
            }
        });
        scratch.pending.clear();
        let mut run = Run {
            portable: self,
            bindings,
            batch,
            surfaces,
            scratch: &mut scratch,
        };
        let result = run.spans();
        pool().push(scratch);
        result
    }
}

/// A batch of spans on its way.
struct Run<'r, 's> {
    portable: &'r Portable,
    bindings: &'r Bindings<'r>,
    batch: &'r Batch<'r>,
    surfaces: &'r mut Surfaces<'s>,
    scratch: &'r mut Scratch,
}

impl Run<'_, '_> {
    fn spans(&mut self) -> Result<(), SpanError> {
        for span in self.batch.spans {
            // An early test has to see what was stored by the quads before it.
            if self.portable.early && self.is_pending(span) {
                self.flush()?;
            }
            for index in 0..span.quads {
                self.quad(span, index)?;
            }
        }
        self.flush()
    }

    /// Whether a pending quad is one of the span's.
    fn is_pending(&self, span: &Span) -> bool {
        let columns = span.x..span.x + 2 * span.quads;
        let mut places = self.scratch.pending.iter().map(|pending| pending.place);
        places.any(|place| place.y == span.y && columns.contains(&place.x))
    }

    /// Takes a quad of a span, unless none of its fragments is left.
    fn quad(&mut self, span: &Span, index: u32) -> Result<(), SpanError> {
        if self.scratch.pending.len() == BATCH {
            self.flush()?;
        }
        let first = span.first as usize + index as usize;
        let place = Place {
            x: span.x + 2 * index,
            y: span.y,
        };
        let mut alive = LaneMask::all();
        if self.portable.pipeline.coverage {
            alive = LaneMask::from_bits_truncate(self.batch.coverage[first]);
        }
        let quad = self.scratch.pending.len();
        let registers = self.scratch.quads.registers(quad);
        let primitive = span.primitive as usize;
        let inputs = &self.portable.inputs;
        inputs.fill(registers.inputs, self.batch, primitive, first, place);
        if let (Some(depths), true) = (&self.portable.depth, self.portable.early) {
            let quad = self.scratch.quads.view(quad);
            alive &= depths.kept(&quad, place, alive, self.surfaces);
        }
        let decided = self.portable.early || self.portable.pipeline.coverage;
        if !(decided && alive.is_empty()) {
            self.scratch.pending.push(Pending { place, alive });
        }
        Ok(())
    }

    /// Runs and stores the pending quads.
    fn flush(&mut self) -> Result<(), SpanError> {
        let count = self.scratch.pending.len();
        let quads = &mut self.scratch.quads;
        for quad in 0..count {
            let registers = quads.registers(quad);
            for &output in &self.portable.outputs {
                registers.outputs[output] = QuadReg::default();
            }
        }
        let result = match count {
            0 => Ok(()),
            _ => quads.run(&*self.portable.executable, self.bindings, count),
        };
        let (complete, result) = match result {
            Ok(()) => (count, Ok(())),
            Err(RunError::LoopBudget { pc, quad, budget }) => {
                let Place { x, y } = self.scratch.pending[quad].place;
                (quad, Err(SpanError::LoopBudget { pc, budget, x, y }))
            }
            Err(error) => (0, Err(SpanError::Run(error))),
        };
        for index in 0..complete {
            self.finish(index);
        }
        self.scratch.pending.clear();
        result
    }

    /// Stores what is to be kept of a quad that has been run.
    fn finish(&mut self, index: usize) {
        let quad = &self.scratch.quads.view(index);
        let Pending { place, mut alive } = self.scratch.pending[index];
        alive &= !quad.killed();
        if self.portable.pipeline.alpha_test != Compare::Always {
            alive &= alpha_kept(
                self.portable.pipeline.alpha_test,
                self.batch.alpha_reference,
                quad,
            );
        }
        if let Some(depths) = &self.portable.depth {
            if !self.portable.early {
                alive &= depths.kept(quad, place, alive, self.surfaces);
            }
            depths.store(quad, place, alive, self.surfaces);
        }
        for lane in (0..LANES).filter(|&lane| alive.has(lane)) {
            self.colours(index, lane, place.lane(lane));
        }
    }

    /// Stores the colours of a fragment.
    fn colours(&mut self, index: usize, lane: usize, place: Place) {
        let quad = self.scratch.quads.view(index);
        let surfaces = self.surfaces.colours.iter_mut();
        let targets = self.portable.pipeline.targets.iter().zip(surfaces);
        for (number, (target, surface)) in targets.enumerate() {
            let Some(target) = target else { continue };
            let surface = surface.as_mut().expect("every target has a surface");
            let offset = place.offset(surface, target.format.size());
            let bytes = &mut surface.bytes[offset..][..target.format.size()];
            let output = &quad.outputs[1 + number];
            let mut colour = output.map(|lanes| f32::from_bits(lanes[lane]));
            if let Some(equations) = &target.blend {
                let there = pixel::load(target.format, bytes);
                let mut constant = self.batch.blend_constant;
                if target.format.is_normalised() {
                    colour = colour.map(pixel::unit);
                    constant = constant.map(pixel::unit);
                }
                colour = blend(equations, colour, there, constant);
            }
            pixel::store(target.format, target.mask, colour, bytes);
        }
    }
}

/// The lanes whose `o1.w` is as the alpha test wants it.
fn alpha_kept(compare: Compare, reference: f32, quad: &QuadView<'_>) -> LaneMask {
    let alphas = quad.outputs[1][3].map(f32::from_bits);
    LaneMask::from_lanes(alphas.map(|alpha| compare.holds(alpha, reference)))
}
