//! Vertices through their program: columns of attributes in, columns of outputs out.

use attila_isa::{INSTANCE_ID, OUTPUTS, Outputs, VERTEX_ID, VERTEX_ID_NO_BASE};
use attila_machine::arith::saturate;
use attila_machine::{
    Bindings, Columns, LANES, Lanes, Part, Parts, QuadState, RunError, VertexAttribute,
};
use smallvec::SmallVec;

use super::Mesh;
use super::places::Order;
use super::viewport::{Outside, Transform};
use crate::draw::vertices::{Ends, VertexError};

/// Vertices that are shaded together: enough to make calls cheap, few enough for their columns to stay in the cache.
const STEP: usize = 1024;

/// The vertices of a mesh behind their program, by their places.
#[derive(Default)]
pub(super) struct Shaded {
    /// Positions in clip space, component by component.
    clip: [Vec<f32>; 4],
    /// Where they come to in the window. Without a meaning if triangles there have to be cut.
    pub(super) windows: Vec<[f32; 4]>,
    pub(super) outside: Vec<Outside>,
    /// The outputs that are taken, but for the position.
    registers: Vec<usize>,
    /// The place of each among them.
    slots: Outputs<usize>,
    /// Those of all vertices in turn, register by register.
    outputs: Vec<[f32; 4]>,
    /// Inputs that the mesh's buffers do not hold as floats.
    gathered: Vec<Vec<[f32; 4]>>,
}

impl Shaded {
    /// Makes room for so many vertices with these outputs.
    pub(super) fn make_room(&mut self, vertices: usize, wanted: impl Fn(usize) -> bool) {
        self.registers.clear();
        self.registers.extend((1..OUTPUTS).filter(|&it| wanted(it)));
        for (slot, &register) in self.registers.iter().enumerate() {
            self.slots[register] = slot;
        }
        self.clip
            .iter_mut()
            .for_each(|component| component.resize(vertices, 0.0));
        self.windows.resize(vertices, [0.0; 4]);
        self.outside.resize(vertices, 0);
        self.outputs
            .resize(vertices * self.registers.len(), [0.0; 4]);
    }

    /// Whether there is such an output.
    pub(super) fn has(&self, register: usize) -> bool {
        register == 0 || self.registers.contains(&register)
    }

    /// An output of the vertex at a place.
    #[inline(always)]
    pub(super) fn output(&self, place: usize, register: usize) -> [f32; 4] {
        match register {
            0 => self.clip.each_ref().map(|component| component[place]),
            _ => self.outputs[self.slots[register] * self.windows.len() + place],
        }
    }

    /// An output of all vertices, but for the position.
    #[inline(always)]
    pub(super) fn outputs(&self, register: usize) -> Option<&[[f32; 4]]> {
        let vertices = self.windows.len();
        (register != 0).then(|| &self.outputs[self.slots[register] * vertices..][..vertices])
    }

    /// Sets all outputs to what others are, on their way to the fixed stages.
    pub(super) fn set(
        &mut self,
        transform: &Transform,
        clamped: Clamped,
        output: impl Fn(usize, usize) -> [f32; 4],
    ) {
        let vertices = self.windows.len();
        for place in 0..vertices {
            for (component, value) in self.clip.iter_mut().zip(output(place, 0)) {
                component[place] = value;
            }
        }
        for (slot, &register) in self.registers.iter().enumerate() {
            let outputs = &mut self.outputs[slot * vertices..][..vertices];
            for (place, value) in outputs.iter_mut().enumerate() {
                *value = output(place, register);
            }
            if clamped.contains(&Some(register)) {
                clamp(outputs.as_flattened_mut());
            }
        }
        let clip = self.clip.each_ref().map(Vec::as_slice);
        transform.windows(clip, &mut self.windows, &mut self.outside);
    }
}

/// The outputs that are clamped: the front's primary colour, and the back's where that takes its place.
pub(super) type Clamped = [Option<usize>; 2];

fn clamp(values: &mut [f32]) {
    for value in values {
        *value = saturate(*value);
    }
}

impl<'a> Mesh<'a> {
    /// The state in which the vertex program starts for vertices, given by their indices in the mesh's buffers: for
    /// debuggers. Where LDA fetches from is bound beside it.
    pub fn start(&self, vertices: Lanes<u32>) -> QuadState {
        let mut state = QuadState::default();
        let read = self.shader.program().usage().inputs.iter().enumerate();
        for (register, _) in read.filter(|(_, read)| !read.is_empty()) {
            let inputs = vertices.map(|vertex| self.input(register, vertex));
            state.io.set_input(register, inputs);
        }
        state
    }

    /// The attribute that an input is.
    fn attribute(&self, register: usize) -> Option<&VertexAttribute<'a>> {
        let attribute = self.buffers.get(register);
        attribute.filter(|_| !self.fetches())
    }

    /// An input of a vertex.
    fn input(&self, register: usize, vertex: u32) -> [f32; 4] {
        let [number, instance] = [vertex, self.instance].map(f32::from_bits);
        match (register, self.attribute(register)) {
            (_, Some(attribute)) => attribute.fetch(vertex),
            (0, None) if self.fetches() => [number, instance, 0.0, 0.0],
            (VERTEX_ID | VERTEX_ID_NO_BASE, None) => [number, 0.0, 0.0, 0.0],
            (INSTANCE_ID, None) => [instance, 0.0, 0.0, 0.0],
            (_, None) => [0.0; 4],
        }
    }
}

/// The steps that all vertices go through.
pub(super) struct Stage<'a> {
    pub(super) mesh: &'a Mesh<'a>,
    /// The ends of its indices.
    pub(super) ends: Ends,
    pub(super) bindings: &'a Bindings<'a>,
    pub(super) transform: &'a Transform,
    pub(super) clamped: Clamped,
}

/// Inputs of all vertices: those that are the same for each, and the others.
type Inputs<'a> = (SmallVec<[(usize, [f32; 4]); 8]>, Parts<&'a [f32]>);

/// The columns of some vertices, and where they come to.
struct Step<'a> {
    first: usize,
    columns: Columns<'a>,
    windows: &'a mut [[f32; 4]],
    outside: &'a mut [Outside],
}

impl Stage<'_> {
    /// Shades vertices, step by step; the error is that of the first step that has one.
    pub(super) fn run(
        &self,
        order: &Order<'_>,
        shaded: &mut Shaded,
        threads: bool,
    ) -> Result<(), VertexError> {
        let elements = order.len();
        if elements == 0 {
            return Ok(());
        }
        let Shaded {
            clip,
            windows,
            outside,
            registers,
            slots: _,
            outputs,
            gathered,
        } = shaded;
        let (values, inputs) = self.inputs(order, gathered);
        let steps = steps(
            Columns {
                elements,
                values: &values,
                inputs,
                outputs: self.outputs(clip, registers, outputs.chunks_mut(elements)),
                of_quad: LANES,
                ..Columns::default()
            },
            (windows, outside),
        );
        let shade = |step| self.step(step, order);
        #[cfg(feature = "threads")]
        if threads && elements > STEP {
            use rayon::prelude::*;
            let steps: Vec<_> = steps.collect();
            let errors = steps.into_par_iter().map(|step| shade(step).err());
            return errors.find_map_first(|error| error).map_or(Ok(()), Err);
        }
        #[cfg(not(feature = "threads"))]
        let _ = threads;
        steps.into_iter().try_for_each(shade)
    }

    fn step(&self, mut step: Step<'_>, order: &Order<'_>) -> Result<(), VertexError> {
        let shader = self.mesh.shader;
        let usage = shader.program().usage();
        shader
            .executable()
            .map(usage, self.bindings, &mut step.columns)
            .map_err(|error| in_step(error, step.first, order))?;
        // A geometry program comes before the fixed stages.
        if self.mesh.geometry.is_some() {
            return Ok(());
        }
        let outputs = &mut step.columns.outputs;
        for part in outputs.iter_mut() {
            if self.clamped.contains(&Some(part.register)) {
                clamp(part.values);
            }
        }
        let clip = [0, 1, 2, 3].map(|component: usize| &*outputs[component].values);
        self.transform.windows(clip, step.windows, step.outside);
        Ok(())
    }

    /// The inputs that the program reads. Others than these are 0.
    fn inputs<'m>(&'m self, order: &Order<'_>, gathered: &'m mut Vec<Vec<[f32; 4]>>) -> Inputs<'m> {
        let mesh = self.mesh;
        let usage = mesh.shader.program().usage();
        let (mut values, mut inputs) = (SmallVec::new(), Parts::new());
        let mut others: SmallVec<[usize; 8]> = SmallVec::new();
        let mut gather = |register: usize| {
            if others.len() == gathered.len() {
                gathered.push(Vec::new());
            }
            let values = &mut gathered[others.len()];
            values.clear();
            let places = 0..order.len();
            values.extend(places.map(|place| mesh.input(register, order.index(place))));
            others.push(register);
        };
        let read = usage.inputs.iter().enumerate();
        for (register, _) in read.filter(|(_, read)| !read.is_empty()) {
            match (register, mesh.attribute(register)) {
                (_, Some(attribute)) if attribute.stride == 0 => {
                    values.push((register, attribute.fetch(0)));
                }
                (_, Some(attribute)) => {
                    if let (Some((floats, stride)), Order::Range(range)) =
                        (attribute.floats(), order)
                    {
                        values.push((register, attribute.default));
                        inputs.push(Part {
                            register,
                            component: 0,
                            components: attribute.components.min(4),
                            stride,
                            values: &floats[stride * range.start as usize..],
                        });
                    } else {
                        gather(register);
                    }
                }
                (INSTANCE_ID, None) => values.push((register, mesh.input(register, 0))),
                (0, None) if mesh.fetches() => gather(register),
                (VERTEX_ID | VERTEX_ID_NO_BASE, None) => gather(register),
                (_, None) => {}
            }
        }
        inputs.extend(
            others
                .into_iter()
                .zip(gathered)
                .map(|(register, values)| Part {
                    register,
                    component: 0,
                    components: 4,
                    stride: 4,
                    values: values.as_flattened(),
                }),
        );
        (values, inputs)
    }

    /// The outputs that the program writes: the components of the position, then those of `registers`. Others become 0.
    fn outputs<'m>(
        &self,
        clip: &'m mut [Vec<f32>; 4],
        registers: &[usize],
        outputs: impl Iterator<Item = &'m mut [[f32; 4]]>,
    ) -> Parts<&'m mut [f32]> {
        let clip = clip.iter_mut().enumerate();
        let clip = clip.map(|(component, values)| Part {
            register: 0,
            component,
            components: 1,
            stride: 1,
            values: values.as_mut_slice(),
        });
        let outputs = registers.iter().zip(outputs);
        let outputs = outputs.map(|(&register, values)| Part {
            register,
            component: 0,
            components: 4,
            stride: 4,
            values: values.as_flattened_mut(),
        });
        let usage = self.mesh.shader.program().usage();
        let is_written = |part: &mut Part<&mut [f32]>| {
            let is_written = usage.writes_output(part.register);
            if !is_written {
                part.values.fill(0.0);
            }
            is_written
        };
        let mut parts: Parts<_> = clip.chain(outputs).collect();
        parts.retain(is_written);
        parts
    }
}

/// Cuts the columns of all vertices into steps.
fn steps<'a>(
    mut columns: Columns<'a>,
    (mut windows, mut outside): (&'a mut [[f32; 4]], &'a mut [Outside]),
) -> impl Iterator<Item = Step<'a>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let count = STEP.min(columns.elements);
        let first = next;
        next += count;
        (count > 0).then(|| Step {
            first,
            columns: columns.split_off(count),
            windows: windows.split_off_mut(..count).unwrap_or_default(),
            outside: outside.split_off_mut(..count).unwrap_or_default(),
        })
    })
}

/// The error that stopped a step from the vertex at this place on. Lanes beyond the last vertex do what it does.
fn in_step(error: RunError, first: usize, order: &Order<'_>) -> VertexError {
    if let RunError::LoopBudget { pc, quad, budget } = error {
        let place = |lane: usize| (first + quad * LANES + lane).min(order.len() - 1);
        let vertices: Lanes<u32> = std::array::from_fn(|lane| order.index(place(lane)));
        return VertexError::LoopBudget {
            pc,
            budget,
            vertices,
        };
    }
    VertexError::Run(error)
}
