//! [`ShadedVertices`]: the vertices of a mesh after their program.

use attila_isa::{INSTANCE_ID, Inputs, OUTPUTS, Outputs, VERTEX_ID, VERTEX_ID_NO_BASE};
use attila_machine::arith::saturate;
use attila_machine::{
    AttributeSource, Bindings, LANES, LaneMask, Lanes, QuadReg, RunError, to_lanes,
};

use super::Mesh;
use super::clip;
use super::places::Places;
use super::viewport::{CUT, Outside, Transform};
use crate::draw::prepared::Taken;
use crate::draw::quads::{QuadBuffer, Registers};
use crate::draw::raster::{PlaneLayout, Primitives, Rules, TO_BACK, Vertex};
use crate::draw::vertices::VertexError;
use crate::geometry::Stream;

/// Vertices that are shaded together: enough to make calls cheap, few enough for their registers to
/// stay in the cache.
const BATCH: usize = 16 * LANES;

/// The output that ATTILA's fixed stages clamp (machine.md 2.4).
const CLAMPED: usize = 1;

/// The outputs that are clamped: the front's primary colour, and the back's where that takes its place.
type Clamped = [Option<usize>; 2];

/// The vertices of a mesh, each shaded once.
#[derive(Default)]
pub(crate) struct ShadedVertices {
    places: Places,
    windows: Vec<Window>,
    /// The outputs in `registers` of each vertex in turn.
    outputs: Vec<[f32; 4]>,
    /// The position, and what fragments take.
    registers: Vec<usize>,
    /// The place of each output among them.
    slots: Outputs<usize>,
    clamped: Clamped,
    quads: QuadBuffer,
    /// The triangles that a geometry program has made.
    emitted: Vec<[u32; 3]>,
}

/// Where a vertex comes to.
#[derive(Clone, Copy, Default)]
struct Window {
    /// Without a meaning if triangles there have to be cut.
    position: [f32; 4],
    /// [`NOWHERE`] if it is no place.
    outside: Outside,
}

/// The outside of a position that has a component that is infinite or NaN.
const NOWHERE: Outside = Outside::MAX;

impl ShadedVertices {
    /// Shades the vertices of `mesh`, which has been checked, on several threads if `threads` says
    /// so. `taken` are the outputs that become attributes.
    pub(crate) fn shade(
        &mut self,
        mesh: &Mesh<'_>,
        taken: &Taken,
        transform: &Transform,
        threads: bool,
    ) -> Result<(), VertexError> {
        self.clamped = match mesh.clamp_colour {
            true => [
                Some(CLAMPED),
                taken.with_backs[CLAMPED].then_some(CLAMPED + TO_BACK),
            ],
            false => [None; 2],
        };
        let wanted = &taken.registers;
        let Some(geometry) = &mesh.geometry else {
            return self.shade_vertices(mesh, wanted, transform, threads);
        };
        let fetched = geometry.fetched();
        let fetched = Inputs::from_fn(|register| fetched >> register & 1 != 0);
        self.shade_vertices(mesh, &fetched, transform, threads)?;
        let emitted = geometry.run(&*self)?;
        self.replace(emitted.stream(0), wanted, transform);
        Ok(())
    }

    /// Makes room for the vertices of `places` with these outputs.
    fn make_room(&mut self, wanted: &Inputs<bool>) {
        self.registers.clear();
        let wanted = (0..OUTPUTS).filter(|&register| register == 0 || wanted[register]);
        self.registers.extend(wanted);
        for (slot, &register) in self.registers.iter().enumerate() {
            self.slots[register] = slot;
        }
        let count = self.places.order().len();
        self.windows.resize(count, Window::default());
        self.outputs.resize(count * self.registers.len(), [0.0; 4]);
    }

    /// Takes the vertices of a geometry program instead.
    fn replace(&mut self, stream: &Stream, wanted: &Inputs<bool>, transform: &Transform) {
        self.emitted.clear();
        self.emitted.extend(stream.triangles());
        self.places.collect(self.emitted.as_flattened());
        self.make_room(wanted);
        let vertices = self.windows.iter_mut().zip(self.places.order());
        let outputs = self.outputs.chunks_mut(self.registers.len());
        for ((window, &vertex), outputs) in vertices.zip(outputs) {
            for (output, &register) in outputs.iter_mut().zip(&self.registers) {
                let value = stream.output(vertex as usize, register);
                *output = fixed_stages(self.clamped, register, value.map(f32::from_bits));
            }
            *window = Window::new(outputs[0], transform);
        }
    }

    /// The triangles between the vertices.
    pub(crate) fn triangles<'t>(&'t self, mesh: &Mesh<'t>) -> &'t [[u32; 3]] {
        match mesh.geometry {
            Some(_) => &self.emitted,
            None => mesh.triangles,
        }
    }

    /// Shades the vertices that `mesh` names.
    fn shade_vertices(
        &mut self,
        mesh: &Mesh<'_>,
        wanted: &Inputs<bool>,
        transform: &Transform,
        threads: bool,
    ) -> Result<(), VertexError> {
        self.places.collect(mesh.indices());
        self.make_room(wanted);
        let own;
        let bindings = match mesh.bindings {
            Some(bindings) if !mesh.fetches() || bindings.attributes().is_some() => bindings,
            others => {
                own = others
                    .cloned()
                    .unwrap_or_default()
                    .with_attributes(mesh.buffers);
                &own
            }
        };
        let stage = Stage {
            mesh,
            bindings,
            transform,
            registers: &self.registers,
            clamped: self.clamped,
        };
        let (windows, outputs) = (&mut self.windows, &mut self.outputs);
        stage.run(
            self.places.order(),
            windows,
            outputs,
            &mut self.quads,
            threads,
        )
    }

    /// Sets up a triangle between three of them, or what is left of it in the view volume.
    pub(crate) fn push(
        &self,
        triangle: [u32; 3],
        transform: &Transform,
        (rules, layout): (&Rules, &PlaneLayout),
        primitives: &mut Primitives,
    ) {
        let places = triangle.map(|index| self.places.of(index));
        let outside = places.map(|place| self.windows[place].outside);
        let [a, b, c] = outside;
        if a & b & c != 0 || outside.contains(&NOWHERE) {
            return;
        }
        let vertices = places.map(|place| Shaded { all: self, place });
        let cut = (a | b | c) & CUT;
        // Distances cut in clip space, too: there, an edge is cut in one place for all its triangles.
        let is_whole = cut == 0 && !rules.distances.divide(vertices.each_ref());
        if is_whole {
            primitives.push(rules, layout, vertices.each_ref());
            return;
        }
        let positions = places.map(|place| self.output(place, 0).map(f64::from));
        let polygon = clip::cut(positions, cut, transform);
        let window = |position| transform.window(position);
        primitives.push_cut(rules, layout, vertices.each_ref(), (polygon, window));
    }

    fn output(&self, place: usize, register: usize) -> [f32; 4] {
        self.outputs[place * self.registers.len() + self.slots[register]]
    }
}

/// The outputs of vertices, as a geometry program fetches them.
impl AttributeSource for ShadedVertices {
    fn fetch(&self, attribute: u8, index: Lanes<u32>, wanted: LaneMask) -> [Lanes<f32>; 4] {
        let register = usize::from(attribute);
        let known = self.registers.contains(&register);
        let lane = |lane: usize| match known && wanted.has(lane) {
            true => self.output(self.places.of(index[lane]), register),
            false => [0.0; 4],
        };
        let lanes: Lanes<[f32; 4]> = std::array::from_fn(lane);
        std::array::from_fn(|component| lanes.map(|value| value[component]))
    }
}

/// A vertex of the mesh. Its place has no meaning if triangles there have to be cut.
struct Shaded<'a> {
    all: &'a ShadedVertices,
    place: usize,
}

impl Vertex for Shaded<'_> {
    fn position(&self) -> [f32; 4] {
        self.all.windows[self.place].position
    }

    fn attribute(&self, register: usize) -> [f32; 4] {
        self.all.output(self.place, register)
    }
}

/// The steps that all vertices go through.
struct Stage<'a> {
    mesh: &'a Mesh<'a>,
    bindings: &'a Bindings<'a>,
    transform: &'a Transform,
    registers: &'a [usize],
    clamped: Clamped,
}

impl Stage<'_> {
    /// Shades vertices, batch by batch; the error is that of the first batch that has one.
    fn run(
        &self,
        order: &[u32],
        windows: &mut [Window],
        outputs: &mut [[f32; 4]],
        quads: &mut QuadBuffer,
        threads: bool,
    ) -> Result<(), VertexError> {
        let size = BATCH * self.registers.len();
        #[cfg(feature = "threads")]
        if threads && order.len() > BATCH {
            use rayon::prelude::*;
            let batches = order.par_chunks(BATCH).zip(windows.par_chunks_mut(BATCH));
            let batches = batches.zip(outputs.par_chunks_mut(size));
            let errors =
                batches.map_init(QuadBuffer::default, |quads, ((order, windows), outputs)| {
                    self.batch(order, windows, outputs, quads).err()
                });
            return errors.find_map_first(|error| error).map_or(Ok(()), Err);
        }
        #[cfg(not(feature = "threads"))]
        let _ = threads;
        let batches = order.chunks(BATCH).zip(windows.chunks_mut(BATCH));
        for ((order, windows), outputs) in batches.zip(outputs.chunks_mut(size)) {
            self.batch(order, windows, outputs, quads)?;
        }
        Ok(())
    }

    fn batch(
        &self,
        order: &[u32],
        windows: &mut [Window],
        outputs: &mut [[f32; 4]],
        quads: &mut QuadBuffer,
    ) -> Result<(), VertexError> {
        let count = order.len().div_ceil(LANES);
        quads.resize(self.mesh.shader.program().usage(), count);
        for (quad, indices) in order.chunks(LANES).enumerate() {
            self.fill(quads.registers(quad), four(indices));
        }
        let run = quads.run(&**self.mesh.shader.executable(), self.bindings, count);
        run.map_err(|error| in_batch(error, order))?;
        let outputs = outputs.chunks_mut(self.registers.len());
        for (index, (window, outputs)) in windows.iter_mut().zip(outputs).enumerate() {
            let quad = quads.view(index / LANES);
            for (output, &register) in outputs.iter_mut().zip(self.registers) {
                *output = to_lanes(&quad.outputs[register])[index % LANES].map(f32::from_bits);
                if self.mesh.geometry.is_none() {
                    *output = fixed_stages(self.clamped, register, *output);
                }
            }
            *window = Window::new(outputs[0], self.transform);
        }
        Ok(())
    }

    /// Sets the inputs of a quad of vertices, and clears what is taken of its outputs.
    fn fill(&self, quad: Registers<'_>, indices: Lanes<u32>) {
        let usage = self.mesh.shader.program().usage();
        let read = usage.inputs.iter().zip(quad.inputs).enumerate();
        let (fetches, buffers) = (self.mesh.fetches(), self.mesh.buffers);
        let (zeros, instance) = ([0; LANES], [self.mesh.instance; LANES]);
        for (index, (_, input)) in read.filter(|(_, (read, _))| !read.is_empty()) {
            *input = match index {
                _ if !fetches && buffers.get(index).is_some() => {
                    let values = buffers.fetch(index as u8, indices, LaneMask::all());
                    values.map(|lanes| lanes.map(f32::to_bits))
                }
                0 if fetches => [indices, instance, zeros, zeros],
                VERTEX_ID | VERTEX_ID_NO_BASE => [indices, zeros, zeros, zeros],
                INSTANCE_ID => [instance, zeros, zeros, zeros],
                _ => QuadReg::default(),
            };
        }
        for &register in self.registers {
            quad.outputs[register] = QuadReg::default();
        }
    }
}

/// An output on its way to the fixed stages.
fn fixed_stages(clamped: Clamped, register: usize, value: [f32; 4]) -> [f32; 4] {
    match clamped.contains(&Some(register)) {
        true => value.map(saturate),
        false => value,
    }
}

impl Window {
    /// The place of a position in clip space.
    fn new(clip: [f32; 4], transform: &Transform) -> Window {
        if !clip.iter().all(|component| component.is_finite()) {
            return Window {
                outside: NOWHERE,
                ..Window::default()
            };
        }
        let position = clip.map(f64::from);
        Window {
            position: transform.window(position),
            outside: transform.outside(position),
        }
    }
}

/// Lanes beyond the last vertex do what it does.
fn four(indices: &[u32]) -> Lanes<u32> {
    std::array::from_fn(|lane| indices[lane.min(indices.len() - 1)])
}

/// The error that stopped a batch of these vertices.
fn in_batch(error: RunError, order: &[u32]) -> VertexError {
    if let RunError::LoopBudget { pc, quad, budget } = error {
        return VertexError::LoopBudget {
            pc,
            budget,
            vertices: four(&order[quad * LANES..]),
        };
    }
    VertexError::Run(error)
}
