//! The work around programs in a draw, done with any engine: inputs are filled in, a batch of quads
//! is run, and results are tested, mixed and stored one by one.
//!
//! It is written to be read, and independently of the JIT, so that the agreement of the two means
//! something.

mod blend;
mod depth;
mod evaluate;
mod inputs;
mod pixel;
mod samples;
mod watched;

use std::sync::{Arc, Mutex, PoisonError};

use attila_isa::Usage;
use attila_machine::pipeline::{
    Batch, Compare, DepthSource, Pipeline, Span, SpanError, SpanShader, Surface, Surfaces,
};
use attila_machine::{
    Bindings, Executable, LANES, LaneMask, Lanes, QuadReg, RunError, SampleCount,
};

use blend::blend;
use depth::Depths;
use evaluate::Evaluation;
use inputs::{Inputs, Spot, Spots};
use samples::Alive;

pub(in crate::draw) use depth::stored as stored_depth;
pub(in crate::draw) use pixel::{decoded, encoded, load, number, words};
pub(in crate::draw) use watched::{Interpolation, Watched};

use crate::draw::history::{ColourStep, Fate, Look};
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
    primitive: usize,
    /// The samples of each lane that are left.
    alive: Alive,
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
            own: None,
            look: None,
        };
        let result = run.passes();
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
    /// The sample that the program runs for, if it runs for each.
    own: Option<usize>,
    /// Who wants to know what becomes of a pixel, of one quad alone.
    look: Option<&'r mut Look>,
}

impl Run<'_, '_> {
    /// Shades the spans, or all of them once for each sample: samples have nothing in common.
    fn passes(&mut self) -> Result<(), SpanError> {
        let pipeline = &self.portable.pipeline;
        if !pipeline.multisampling.is_some_and(|it| it.sample_shading) {
            return self.spans();
        }
        for sample in 0..pipeline.samples().count() {
            self.own = Some(sample);
            self.spans()?;
        }
        Ok(())
    }

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

    /// Takes a quad of a span, unless nothing of it is left.
    fn quad(&mut self, span: &Span, index: u32) -> Result<(), SpanError> {
        if self.scratch.pending.len() == BATCH {
            self.flush()?;
        }
        let pipeline = &self.portable.pipeline;
        let first = span.first as usize + index as usize;
        let place = Place {
            x: span.x + 2 * index,
            y: span.y,
        };
        let coverage = Alive::covered(pipeline, self.batch, first);
        let mut alive = match self.own {
            Some(sample) => coverage.only(sample),
            None => coverage,
        };
        let quad = self.scratch.pending.len();
        let registers = self.scratch.quads.registers(quad);
        let primitive = span.primitive as usize;
        let spots = spots(pipeline, self.batch, (place, coverage), self.own);
        if self.portable.usage.samples {
            *registers.samples = coverage.queried(pipeline, &self.batch.positions, self.own);
        }
        let inputs = &self.portable.inputs;
        inputs.fill(registers.inputs, self.batch, primitive, first, &spots);
        if let Some(look) = &mut self.look {
            look.begin(self.scratch.quads.extended(quad), alive.samples(), self.own);
        }
        if self.portable.early {
            self.test_depth(quad, (place, primitive), &mut alive);
            note(&mut self.look, Fate::EarlyDepth, &alive);
        }
        let decided = self.portable.early || self.portable.pipeline.coverage;
        if !(decided && alive.is_empty()) {
            self.scratch.pending.push(Pending {
                place,
                primitive,
                alive,
            });
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
        let evaluation = Evaluation {
            inputs: &self.portable.inputs,
            batch: self.batch,
            pending: &self.scratch.pending,
        };
        let executable = &*self.portable.executable;
        let result = match count {
            0 => Ok(()),
            _ if self.portable.usage.evaluates() => {
                let bindings = self.bindings.clone().with_inputs(&evaluation);
                quads.run(executable, &bindings, count)
            }
            _ => quads.run(executable, self.bindings, count),
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
        let pipeline = &self.portable.pipeline;
        let quad = &self.scratch.quads.view(index);
        let Pending {
            place,
            primitive,
            mut alive,
        } = self.scratch.pending[index];
        if let Some(look) = &mut self.look {
            look.end(self.scratch.quads.extended(index));
        }
        alive.kill(quad.kill, pipeline.samples());
        note(&mut self.look, Fate::Killed, &alive);
        if pipeline.alpha_test != Compare::Always {
            let kept = alpha_kept(pipeline.alpha_test, self.batch.alpha_reference, quad);
            alive.keep(kept);
            note(&mut self.look, Fate::AlphaTest, &alive);
        }
        if pipeline
            .multisampling
            .is_some_and(|it| it.alpha_to_coverage)
        {
            let alphas = quad.outputs[1][3].map(f32::from_bits);
            alive.choose(alphas, pipeline.samples());
            note(&mut self.look, Fate::AlphaToCoverage, &alive);
        }
        if !self.portable.early {
            self.test_depth(index, (place, primitive), &mut alive);
            note(&mut self.look, Fate::Depth, &alive);
        }
        if let Some(look) = &mut self.look {
            look.keep();
        }
        self.store_depth(index, (place, primitive), &alive);
        for sample in 0..pipeline.stored().count() {
            let kept = self.stored(&alive, sample);
            for lane in (0..LANES).filter(|&lane| kept.has(lane)) {
                self.colours(index, lane, (place.lane(lane), sample));
            }
        }
    }

    /// The lanes of which a sample of the targets is kept.
    fn stored(&self, alive: &Alive, sample: usize) -> LaneMask {
        if self.portable.pipeline.stored() == SampleCount::One && self.own.is_none() {
            alive.any()
        } else {
            alive.lanes(sample)
        }
    }

    /// Takes the samples whose depth is not as the test wants it.
    fn test_depth(&mut self, quad: usize, (place, primitive): (Place, usize), alive: &mut Alive) {
        let Some(depths) = &self.portable.depth else {
            return;
        };
        let quad = self.scratch.quads.view(quad);
        for sample in 0..self.portable.pipeline.samples().count() {
            let asked = alive.lanes(sample);
            let plane = self.plane_of_depth(place, primitive, sample);
            let kept = depths.kept((&quad, plane), (place, sample), asked, self.surfaces);
            alive.keep_of(sample, kept);
            if let Some(look) = &mut self.look
                && asked.has(look.lane)
            {
                let tested = (&quad, plane);
                look.depth(depths.step(tested, (place, look.lane, sample), kept, self.surfaces));
            }
        }
    }

    /// Stores the depths of the samples that are left.
    fn store_depth(&mut self, quad: usize, (place, primitive): (Place, usize), alive: &Alive) {
        let Some(depths) = &self.portable.depth else {
            return;
        };
        let quad = self.scratch.quads.view(quad);
        for sample in 0..self.portable.pipeline.samples().count() {
            let plane = self.plane_of_depth(place, primitive, sample);
            let kept = alive.lanes(sample);
            depths.store((&quad, plane), (place, sample), kept, self.surfaces);
        }
    }

    /// The plane of depth at a sample.
    fn plane_of_depth(&self, place: Place, primitive: usize, sample: usize) -> Lanes<f32> {
        let at = self.batch.positions.positions()[sample].map(i16::from);
        let spot = Spot::at(place, [at; LANES]);
        self.portable.inputs.depth(self.batch, primitive, &spot)
    }

    /// Stores the colours of a lane's sample.
    fn colours(&mut self, index: usize, lane: usize, (place, sample): (Place, usize)) {
        let quad = self.scratch.quads.view(index);
        let surfaces = self.surfaces.colours.iter_mut();
        let targets = self.portable.pipeline.targets.iter().zip(surfaces);
        for (number, (target, surface)) in targets.enumerate() {
            let Some(target) = target else { continue };
            let surface = surface.as_mut().expect("every target has a surface");
            let offset = place.offset(surface, target.format.size());
            let bytes = &mut surface.planes[sample][offset..][..target.format.size()];
            let output = &quad.outputs[1 + number];
            let mut colour = output.map(|lanes| f32::from_bits(lanes[lane]));
            let before = self.look.as_ref().map(|_| {
                let there = pixel::load(target.format, bytes);
                (colour, there)
            });
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
            if let (Some(look), Some((output, there))) = (&mut self.look, before) {
                let step = ColourStep {
                    target: number,
                    sample,
                    output,
                    there,
                    blended: target.blend.map(|_| colour),
                    mask: target.mask,
                    stored: pixel::load(target.format, bytes),
                };
                look.colour(lane, step);
            }
        }
    }
}

/// Says which samples have been lost since the last time, and to what.
fn note(look: &mut Option<&mut Look>, fate: Fate, alive: &Alive) {
    if let Some(look) = look {
        look.note(fate, alive.samples());
    }
}

/// The points of a quad's pixels at which inputs are evaluated.
fn spots(
    pipeline: &Pipeline,
    batch: &Batch<'_>,
    (place, coverage): (Place, Alive),
    own: Option<usize>,
) -> Spots {
    let centre = Spot::centre(place);
    match (pipeline.multisampling, own) {
        (None, _) => Spots([centre; 3]),
        (Some(_), Some(sample)) => {
            let at = batch.positions.positions()[sample].map(i16::from);
            Spots([Spot::at(place, [at; LANES]); 3])
        }
        (Some(_), None) => Spots([
            centre,
            Spot::at(place, coverage.centroids(&batch.positions)),
            centre,
        ]),
    }
}

/// The lanes whose `o1.w` is as the alpha test wants it.
fn alpha_kept(compare: Compare, reference: f32, quad: &QuadView<'_>) -> LaneMask {
    let alphas = quad.outputs[1][3].map(f32::from_bits);
    LaneMask::from_lanes(alphas.map(|alpha| compare.holds(alpha, reference)))
}
