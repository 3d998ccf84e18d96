//! [`PreparedDraw`]: a draw whose state is settled.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use attila_isa::{Component, Inputs, PRIMITIVE_ID, Slots, Stage};
use attila_machine::pipeline::{
    ColourTarget, DepthSource, DepthTarget, InputKind, Location, Pipeline, Plane, SpanShader,
    TARGETS, TargetName,
};
use attila_machine::{Bindings, PrepareError, SamplePositions};

use super::bands::BAND_ROWS;
use super::error::{DrawError, Unsupported};
use super::frame::Frame;
use super::listed::Listed;
use super::mesh::ShadedVertices;
use super::portable::Portable;
use super::raster::{Cull, Distances, FRONT_COLOURS, FrontFace, PlaneLayout, TO_BACK, Triangles};
use super::sink::Scratch;
use super::targets::Targets;
use super::{DepthState, State, Varying};
use crate::{Shader, threads};

/// A draw whose inputs' kinds, targets' formats and other state are settled: what code is
/// specialised by. [`PreparedDraw::frame`] draws, and allocates nothing from the second time on
/// with one thread, one sample, the JIT, and at most four inputs from arrays.
///
/// Code is made for the kinds of textures that it is first drawn with, and anew, later, for others.
///
/// It owns everything that it keeps, so that it can move to another thread. A clone shares the
/// shader and its code, but not its memory: threads may draw with clones at the same time.
///
/// ```
/// use attila_shader::draw::{ColourImage, Draw, Varying};
/// use attila_shader::machine::pipeline::ColourFormat;
/// use attila_shader::{Bindings, Engine, Program};
///
/// let program = Program::assemble("mov o1, c0")?.validate()?;
/// let shader = Engine::auto().prepare(&program)?;
/// let prepared = Draw::new(&shader).target(0, ColourFormat::Rgba8).prepare()?;
///
/// let thread = std::thread::spawn(move || {
///     let mut draw = prepared;
///     let bindings = Bindings::new().with_constant(0, [1.0, 0.0, 0.0, 1.0]);
///     let mut image = ColourImage::new(ColourFormat::Rgba8, 64, 64);
///     let drawn = draw.frame(&bindings).target(0, &mut image).rect(0..64, 0..64);
///     drawn.map(|()| image)
/// });
/// let image = thread.join().expect("it does not panic")?;
/// assert_eq!(image.pixel::<[u8; 4]>(63, 63), Some([255, 0, 0, 255]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PreparedDraw {
    shader: Shader,
    pub(crate) pipeline: Pipeline,
    /// The planes of [`Varying`]s by their registers, used or not.
    pub(crate) values: Box<[[Plane; 4]]>,
    /// The inputs that are attributes of vertices.
    pub(crate) from_vertices: Inputs<bool>,
    /// Whether [`PRIMITIVE_ID`] is the number of the triangle.
    pub(crate) numbered: bool,
    /// [Snapped](super::anchor::snapped).
    pub(crate) anchor: [f32; 2],
    pub(crate) alpha_reference: f32,
    pub(crate) blend_constant: [f32; 4],
    pub(crate) scissor: Option<(Range<i64>, Range<i64>)>,
    pub(crate) cull: Cull,
    pub(crate) front: FrontFace,
    pub(crate) two_sided: bool,
    pub(crate) distances: Distances,
    /// Components of inputs that go the shorter way round a cylinder.
    pub(crate) wraps: Inputs<Slots>,
    pub(crate) positions: SamplePositions,
    /// The samples that may be drawn to, bit n = sample n.
    pub(crate) sample_mask: u32,
    pub(crate) shaders: Shaders,
    pub(crate) scratch: Vec<Scratch>,
    /// `values` as batches want them.
    pub(crate) planes: Vec<Plane>,
    pub(crate) listed: Listed,
    pub(crate) triangles: Triangles,
    pub(crate) layout: PlaneLayout,
    pub(crate) vertices: ShadedVertices,
}

/// The kinds of primitives, each with its own code.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    /// Rectangles and lists of quads, whose planes are the draw's.
    Rectangles,
    /// Triangles: depth and 1/w are those of their vertices.
    Triangles,
    /// Triangles at whose vertices 1/w is 1, so that nothing has to be divided by it.
    AffineTriangles,
}

/// The shaders that have been made so far, for each [`Purpose`].
#[derive(Clone, Default)]
pub(crate) struct Shaders([ShaderPair; 3]);

/// The shaders of quads all of which is covered, and of those with coverage.
#[derive(Clone, Default)]
pub(crate) struct ShaderPair {
    pub(crate) whole: Option<Arc<dyn SpanShader>>,
    pub(crate) masked: Option<Arc<dyn SpanShader>>,
}

impl Shaders {
    pub(crate) fn of(&self, purpose: Purpose) -> &ShaderPair {
        &self.0[purpose as usize]
    }
}

impl PreparedDraw {
    pub(super) fn new(
        shader: Shader,
        mut varyings: Box<Inputs<Option<Varying<'_>>>>,
        targets: &Targets<'_>,
        state: State,
    ) -> Result<PreparedDraw, DrawError> {
        let stage = shader.program().program().stage();
        if stage != Stage::Fragment {
            return Err(Unsupported::Stage(stage).into());
        }
        if shader.program().usage().writes_storage {
            return Err(Unsupported::StorageWrites.into());
        }
        targets.check()?;
        let mut pipeline = Pipeline {
            alpha_test: state.alpha_test,
            depth: depth_target(targets, state.depth),
            targets: colour_targets(targets, &state)?,
            ..Pipeline::default()
        };
        let numbered = varyings[PRIMITIVE_ID].is_none();
        give_defaults(&mut varyings);
        settle_inputs(&mut pipeline, &shader, &varyings)?;
        let location = |varying: Varying<'_>| varying.location;
        let locations =
            Inputs::from_fn(|input| varyings[input].map_or_else(Location::default, location));
        let usage = shader.program().usage();
        let samples = state
            .samples
            .settle(targets, usage, &pipeline, &locations)?;
        pipeline.multisampling = samples.multisampling;
        pipeline.locations = samples.locations;
        Ok(PreparedDraw {
            shader,
            pipeline,
            values: varyings
                .iter()
                .map(|varying| varying.map_or_else(Default::default, |it| it.planes))
                .collect(),
            from_vertices: Inputs::from_fn(|input| {
                varyings[input].is_some_and(|it| it.from_vertices)
            }),
            numbered,
            anchor: state.anchor,
            alpha_reference: state.alpha_reference,
            blend_constant: state.blend_constant,
            scissor: state.scissor,
            cull: state.cull,
            front: state.front,
            two_sided: state.two_sided,
            distances: state.distances,
            wraps: Inputs::from_fn(|input| varyings[input].map_or(Slots::empty(), |it| it.wraps)),
            positions: samples.positions,
            sample_mask: state.samples.mask,
            shaders: Shaders::default(),
            scratch: scratch(threads::workers(state.threads)),
            planes: Vec::new(),
            listed: Listed::default(),
            triangles: Triangles::default(),
            layout: PlaneLayout::default(),
            vertices: ShadedVertices::default(),
        })
    }

    /// Begins a frame.
    pub fn frame<'a>(&'a mut self, bindings: &'a Bindings<'a>) -> Frame<'a> {
        Frame::new(self, bindings)
    }

    /// The shader that is drawn with.
    pub fn shader(&self) -> &Shader {
        &self.shader
    }

    /// The number of threads that draw a rectangle of so many rows: those that [`Draw::threads`](super::Draw::threads) asked
    /// for, as far as there are processors and rows for them. Within a run it is one.
    pub fn threads(&self, rows: u32) -> usize {
        let bands = rows.div_ceil(BAND_ROWS) as usize;
        self.workers().min(bands.max(1))
    }

    /// The properties that the engine's code is specialised by.
    pub fn pipeline(&self) -> &Pipeline {
        &self.pipeline
    }

    /// Has the engine make its code for rectangles now, instead of when the first is drawn.
    /// Rectangles with odd edges, and very narrow ones, need some more.
    ///
    /// # Errors
    ///
    /// The engine's compiler failed.
    pub fn compile_for_rectangles(&mut self, bindings: &Bindings<'_>) -> Result<(), DrawError> {
        Ok(self.compile(bindings, Purpose::Rectangles, true, false)?)
    }

    /// Has the engine make its code for triangles and meshes now, instead of when the first are drawn: for any
    /// coverage, and for the inside of large ones, which otherwise waits for the first large one. Attributes with
    /// perspective have other code where 1/w is 1 at all vertices, and both is made.
    ///
    /// # Errors
    ///
    /// The engine's compiler failed.
    pub fn compile_for_triangles(&mut self, bindings: &Bindings<'_>) -> Result<(), DrawError> {
        for in_perspective in [true, false] {
            let purpose = self.purpose_of_triangles(in_perspective);
            self.compile(bindings, purpose, true, true)?;
        }
        Ok(())
    }

    /// Whether a fragment's values may depend on the coverage of those beside it, through its derivatives.
    pub(super) fn tells_coverage(&self) -> bool {
        let usage = self.shader.program().usage();
        let at_centroid = self.pipeline.locations.contains(&Location::Centroid);
        usage.samples || usage.evaluates() || at_centroid
    }

    /// The threads that a shape may be drawn on.
    pub(super) fn workers(&self) -> usize {
        threads::free(self.scratch.len())
    }

    /// The code for triangles. `in_perspective` says that 1/w is something else than 1 at any of their vertices.
    pub(crate) fn purpose_of_triangles(&self, in_perspective: bool) -> Purpose {
        if in_perspective || !self.pipeline.has_perspective() {
            Purpose::Triangles
        } else {
            Purpose::AffineTriangles
        }
    }

    /// Sees to it that there are shaders with and without coverage, if they are needed.
    pub(crate) fn compile(
        &mut self,
        bindings: &Bindings<'_>,
        purpose: Purpose,
        whole: bool,
        masked: bool,
    ) -> Result<(), PrepareError> {
        if whole && self.shaders.of(purpose).whole.is_none() {
            let shader = self.compiled(bindings, purpose, false)?;
            self.shaders.0[purpose as usize].whole = Some(shader);
        }
        if masked && self.shaders.of(purpose).masked.is_none() {
            let shader = self.compiled(bindings, purpose, true)?;
            self.shaders.0[purpose as usize].masked = Some(shader);
        }
        Ok(())
    }

    /// The shader of primitives of a kind, with or without coverage.
    fn compiled(
        &self,
        bindings: &Bindings<'_>,
        purpose: Purpose,
        coverage: bool,
    ) -> Result<Arc<dyn SpanShader>, PrepareError> {
        let pipeline = Pipeline {
            coverage,
            ..self.pipeline_for(purpose)
        };
        within(&self.shader, &pipeline, bindings)
    }

    /// The pipeline of primitives of a kind.
    pub(crate) fn pipeline_for(&self, purpose: Purpose) -> Pipeline {
        match purpose {
            Purpose::Rectangles => self.pipeline.clone(),
            Purpose::Triangles => {
                let mut pipeline = self.pipeline.clone();
                for kind in &mut pipeline.inputs[0][2..] {
                    if *kind != InputKind::Unused {
                        *kind = InputKind::Linear;
                    }
                }
                pipeline
            }
            Purpose::AffineTriangles => {
                let mut pipeline = self.pipeline_for(Purpose::Triangles);
                for kind in pipeline.inputs.as_flattened_mut() {
                    // The bits are the same: the plane of 1/w is 1 everywhere.
                    if *kind == InputKind::Perspective {
                        *kind = InputKind::Linear;
                    }
                }
                pipeline
            }
        }
    }

    /// Whether input `register` is read, and an attribute of vertices.
    pub(crate) fn uses_vertices(&self, register: usize) -> bool {
        self.from_vertices[register] && self.pipeline.inputs[register] != [InputKind::Unused; 4]
    }

    /// The attributes that are taken of vertices which have those that `gives` says.
    pub(crate) fn taken(&self, gives: impl Fn(usize) -> bool) -> Taken {
        let mut taken = Taken {
            registers: Inputs::from_fn(|register| self.uses_vertices(register)),
            with_backs: Inputs::default(),
        };
        for register in self.distances.registers() {
            taken.registers[register] = true;
        }
        for front in FRONT_COLOURS.into_iter().filter(|_| self.two_sided) {
            if taken.registers[front] && gives(front + TO_BACK) {
                taken.with_backs[front] = true;
                taken.registers[front + TO_BACK] = true;
            }
        }
        taken
    }
}

/// The attributes that a frame takes of vertices.
pub(crate) struct Taken {
    pub(crate) registers: Inputs<bool>,
    /// The inputs that have other attributes in triangles that show their back.
    pub(crate) with_backs: Inputs<bool>,
}

impl Clone for PreparedDraw {
    fn clone(&self) -> PreparedDraw {
        PreparedDraw {
            shader: self.shader.clone(),
            pipeline: self.pipeline.clone(),
            values: self.values.clone(),
            from_vertices: self.from_vertices,
            numbered: self.numbered,
            anchor: self.anchor,
            alpha_reference: self.alpha_reference,
            blend_constant: self.blend_constant,
            scissor: self.scissor.clone(),
            cull: self.cull,
            front: self.front,
            two_sided: self.two_sided,
            distances: self.distances,
            wraps: self.wraps,
            positions: self.positions,
            sample_mask: self.sample_mask,
            shaders: self.shaders.clone(),
            // Memory, not state.
            scratch: scratch(self.scratch.len()),
            planes: Vec::new(),
            listed: Listed::default(),
            triangles: Triangles::default(),
            layout: PlaneLayout::default(),
            vertices: ShadedVertices::default(),
        }
    }
}

impl fmt::Debug for PreparedDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedDraw")
            .field("shader", &self.shader)
            .field("pipeline", &self.pipeline)
            .finish_non_exhaustive()
    }
}

/// Memory for so many workers.
fn scratch(workers: usize) -> Vec<Scratch> {
    let memory = std::iter::repeat_with(Scratch::default);
    memory.take(workers).collect()
}

/// The program within a pipeline: by the engine itself if it does the work around programs.
fn within(
    shader: &Shader,
    pipeline: &Pipeline,
    bindings: &Bindings<'_>,
) -> Result<Arc<dyn SpanShader>, PrepareError> {
    let executable = shader.executable();
    let own = Arc::clone(executable).within(pipeline, bindings)?;
    Ok(own.unwrap_or_else(|| {
        let usage = shader.program().usage();
        Arc::new(Portable::new(Arc::clone(executable), usage, pipeline))
    }))
}

fn depth_target(targets: &Targets<'_>, state: Option<DepthState>) -> Option<DepthTarget> {
    let DepthState { compare, write } = state?;
    targets.depth.as_ref().map(|buffer| DepthTarget {
        format: buffer.format(),
        compare,
        write,
    })
}

fn colour_targets(
    targets: &Targets<'_>,
    state: &State,
) -> Result<[Option<ColourTarget>; TARGETS], DrawError> {
    let mut settled = [None; TARGETS];
    for (index, target) in settled.iter_mut().enumerate() {
        let (mask, blend) = (state.masks[index], state.blends[index]);
        if let Some(buffer) = &targets.colours[index] {
            *target = Some(ColourTarget {
                format: buffer.format(),
                mask: mask.unwrap_or(Slots::all()),
                blend,
            });
        } else if mask.is_some() || blend.is_some() {
            return Err(DrawError::MissingTarget(TargetName::Colour(index)));
        }
    }
    Ok(settled)
}

/// Adds the inputs that nobody has to give.
fn give_defaults(varyings: &mut Inputs<Option<Varying<'_>>>) {
    varyings[0].get_or_insert(Varying::default_position());
    varyings[15].get_or_insert(Varying::default_face());
    varyings[PRIMITIVE_ID].get_or_insert(Varying::flat([0.0; 4]));
}

/// Says where the inputs come from that the program reads, or that drawing needs.
fn settle_inputs(
    pipeline: &mut Pipeline,
    shader: &Shader,
    varyings: &Inputs<Option<Varying<'_>>>,
) -> Result<(), DrawError> {
    let usage = shader.program().usage();
    for (register, read) in usage.inputs.iter().enumerate() {
        let kinds = varyings[register].map_or_else(Default::default, |varying| varying.kinds);
        let is_missing = |c: &Component| kinds[c.index()] == InputKind::Unused;
        let missing: Slots = read
            .components()
            .filter(is_missing)
            .map(Slots::only)
            .collect();
        if !missing.is_empty() {
            return Err(DrawError::MissingVarying {
                register,
                components: missing,
            });
        }
        for component in read.components() {
            pipeline.inputs[register][component.index()] = kinds[component.index()];
        }
        let mut evaluated = usage.evaluated[register].components();
        if evaluated.any(|c| kinds[c.index()] == InputKind::Array) {
            return Err(Unsupported::EvaluatedArray(register).into());
        }
        let of_vertices = |varying: Varying<'_>| varying.from_vertices || varying.wraps.is_empty();
        if !varyings[register].is_none_or(of_vertices) {
            return Err(Unsupported::WrapWithoutVertices(register).into());
        }
        if register != 0 && pipeline.inputs[register].contains(&InputKind::Position) {
            return Err(Unsupported::PositionElsewhere(register).into());
        }
    }
    let position = varyings[0].map_or_else(Default::default, |varying| varying.kinds);
    let plane = |component: Component, otherwise: Unsupported| {
        let kind = position[component.index()];
        let is_plane = matches!(kind, InputKind::Flat | InputKind::Linear);
        is_plane.then_some(kind).ok_or(otherwise)
    };
    if pipeline.depth.is_some() && DepthSource::of(usage) == DepthSource::Plane {
        pipeline.inputs[0][2] = plane(Component::Z, Unsupported::DepthWithoutPlane)?;
    }
    if pipeline.has_perspective() {
        pipeline.inputs[0][3] = plane(Component::W, Unsupported::PerspectiveWithoutPlane)?;
    }
    Ok(())
}
