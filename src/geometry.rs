//! Geometry programs, which make vertices of primitives.
//!
//! ```text
//! vertices ─► LDA ─► geometry program ─► EMIT, ENDPRIM ─► strips of vertices
//!             a lane is a primitive
//! ```
//!
//! Each lane has an input primitive, and runs once for each invocation. LDA takes the number of a
//! vertex within the primitive, from 0, and the number of an attribute: an output of the vertex
//! program where one comes before. Vertices that the primitive does not have read as 0, 0, 0, 1.
//! `i0.x` is the number of the primitive and `i1.x` that of the invocation, as raw bits; all other
//! inputs are 0.
//!
//! ```
//! use attila_shader::geometry::{Geometry, GeometryInput};
//! use attila_shader::machine::{VertexAttribute, VertexFormat};
//! use attila_shader::{Engine, Program, VertexBuffers};
//!
//! let text = "
//!     .extended geometry
//!     lda r0, i0.y, t0        ; the first vertex of the primitive
//!     mov o0, r0
//!     emit s0
//!     add o0.x, r0.x, 1.0
//!     emit s0
//!     endprim s0";
//! let shader = Engine::auto().prepare(&Program::assemble(text)?.validate()?)?;
//! let positions: Vec<u8> = [3.0f32, 5.0].iter().flat_map(|x| x.to_le_bytes()).collect();
//! let attribute = VertexAttribute::packed(&positions, VertexFormat::Float32, 1);
//! let vertices = VertexBuffers::new().with(0, attribute);
//!
//! let emitted = Geometry::new(&shader, GeometryInput::Points(&[0, 1])).run(&vertices)?;
//! let stream = emitted.stream(0);
//! assert_eq!(stream.strips().count(), 2);
//! assert_eq!(stream.output(3, 0).map(f32::from_bits), [6.0, 0.0, 0.0, 1.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod emitted;
mod sink;

use std::sync::atomic::{AtomicUsize, Ordering};

use attila_isa::Stage;
use attila_machine::{
    AttributeSource, Bindings, DEFAULT_ATTRIBUTE, LANES, LaneMask, Lanes, RunError,
};
use thiserror::Error;

use crate::Shader;
use crate::draw::QuadBuffer;
pub use emitted::{Emitted, Stream, Strip};
use sink::Sink;

/// The most vertices that one invocation may emit: GL_MAX_GEOMETRY_OUTPUT_VERTICES of today's systems.
pub const MAX_VERTICES: usize = 1024;

/// The most invocations of a primitive, as OpenGL has it.
pub const MAX_INVOCATIONS: u32 = 32;

/// The primitives that go into a geometry program, by the indices of their vertices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GeometryInput<'a> {
    /// Points.
    Points(&'a [u32]),
    /// Lines.
    Lines(&'a [[u32; 2]]),
    /// Triangles.
    Triangles(&'a [[u32; 3]]),
}

impl<'a> GeometryInput<'a> {
    /// The number of primitives.
    pub fn len(&self) -> usize {
        self.indices().len() / self.vertices()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.indices().is_empty()
    }

    /// The vertices of a primitive: 1 to 3.
    pub const fn vertices(&self) -> usize {
        match self {
            GeometryInput::Points(_) => 1,
            GeometryInput::Lines(_) => 2,
            GeometryInput::Triangles(_) => 3,
        }
    }

    /// The indices of all vertices, primitive by primitive.
    pub const fn indices(&self) -> &'a [u32] {
        match self {
            GeometryInput::Points(points) => points,
            GeometryInput::Lines(lines) => lines.as_flattened(),
            GeometryInput::Triangles(triangles) => triangles.as_flattened(),
        }
    }
}

/// Why a geometry program could not be run.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// The program is not for primitives.
    #[error("the geometry program is a {0} program")]
    Stage(Stage),
    /// More vertices than any invocation may emit.
    #[error("an invocation may emit {0} vertices; the limit is {MAX_VERTICES}")]
    Vertices(usize),
    /// No invocation, or more than there may be.
    #[error("a primitive has {0} invocations; there may be 1 to {MAX_INVOCATIONS}")]
    Invocations(u32),
    /// A lane took more backward jumps than it may.
    #[error(
        "the jump at instruction {pc} took more than {budget} backward jumps \
         in one of the primitives from {primitive} on"
    )]
    LoopBudget {
        /// Index of the jump that was one too many.
        pc: usize,
        /// The budget.
        budget: u32,
        /// The first of the primitives that are shaded together.
        primitive: usize,
    },
    /// The program stopped for a reason that has nothing to do with a primitive.
    #[error("the geometry program stopped")]
    Run(#[source] RunError),
}

/// A geometry program, and what it is run for.
#[derive(Clone, Copy, Debug)]
pub struct Geometry<'a> {
    shader: &'a Shader,
    bindings: Option<&'a Bindings<'a>>,
    pub(crate) input: GeometryInput<'a>,
    vertices: usize,
    invocations: u32,
}

impl<'a> Geometry<'a> {
    /// A geometry program for these primitives, with one invocation for each and up to
    /// [`MAX_VERTICES`] vertices.
    pub const fn new(shader: &'a Shader, input: GeometryInput<'a>) -> Geometry<'a> {
        Geometry {
            shader,
            bindings: None,
            input,
            vertices: MAX_VERTICES,
            invocations: 1,
        }
    }

    /// Constants, textures and the loop budget of the program. Attributes and the sink for vertices that
    /// are bound here are not used.
    #[must_use]
    pub const fn bindings(mut self, bindings: &'a Bindings<'a>) -> Self {
        self.bindings = Some(bindings);
        self
    }

    /// Drops the vertices of an invocation beyond so many, whichever streams they go to.
    #[must_use]
    pub const fn max_vertices(mut self, vertices: usize) -> Self {
        self.vertices = vertices;
        self
    }

    /// Runs each primitive so many times.
    #[must_use]
    pub const fn invocations(mut self, invocations: u32) -> Self {
        self.invocations = invocations;
        self
    }

    /// The attributes that the program fetches, bit n = attribute n.
    pub(crate) fn fetched(&self) -> u64 {
        self.shader.program().usage().attributes
    }

    /// Whether the program writes output `register`.
    pub(crate) fn gives(&self, register: usize) -> bool {
        self.shader.program().usage().writes_output(register)
    }

    /// Checks the program and its limits.
    pub(crate) fn check(&self) -> Result<(), GeometryError> {
        let stage = self.shader.program().program().stage();
        if stage != Stage::Geometry {
            return Err(GeometryError::Stage(stage));
        }
        if self.vertices > MAX_VERTICES {
            return Err(GeometryError::Vertices(self.vertices));
        }
        if !(1..=MAX_INVOCATIONS).contains(&self.invocations) {
            return Err(GeometryError::Invocations(self.invocations));
        }
        Ok(())
    }

    /// Runs the program for all primitives, the vertices of which have the attributes `vertices`, by
    /// their indices.
    ///
    /// # Errors
    ///
    /// [`GeometryError`].
    ///
    /// # Panics
    ///
    /// If `vertices` or a texture unit does.
    pub fn run(&self, vertices: &dyn AttributeSource) -> Result<Emitted, GeometryError> {
        self.check()?;
        let usage = self.shader.program().usage();
        let source = Primitives {
            input: self.input,
            vertices,
            lanes: [const { AtomicUsize::new(0) }; LANES],
        };
        let sink = Sink::new(self.vertices);
        let bindings = self.bindings.cloned().unwrap_or_default();
        let bindings = bindings.with_attributes(&source).with_vertices(&sink);
        let invocations = self.invocations as usize;
        let count = self.input.len() * invocations;
        let mut quads = QuadBuffer::default();
        quads.resize(usage, 1);
        let mut emitted = Emitted::new(usage);
        for first in (0..count).step_by(LANES) {
            // Lanes beyond the last do what it does, and emit nothing.
            let runs: Lanes<usize> = std::array::from_fn(|lane| (first + lane).min(count - 1));
            let registers = quads.registers(0);
            registers.inputs[0] = [
                runs.map(|run| (run / invocations) as u32),
                [0; 4],
                [0; 4],
                [0; 4],
            ];
            registers.inputs[1] = [
                runs.map(|run| (run % invocations) as u32),
                [0; 4],
                [0; 4],
                [0; 4],
            ];
            for (lane, run) in source.lanes.iter().zip(runs) {
                lane.store(run / invocations, Ordering::Relaxed);
            }
            let run = quads.run(&**self.shader.executable(), &bindings, 1);
            run.map_err(|error| at(error, first / invocations))?;
            for (lane, run) in runs.into_iter().enumerate().take(count - first) {
                let (primitive, invocation) = (run / invocations, run % invocations);
                sink.take(lane, |stream, vertices| {
                    emitted.append(stream, vertices, primitive as u32, invocation as u32);
                });
            }
            // Lanes beyond the last primitive have emitted its vertices once more.
            (count - first..LANES).for_each(|lane| sink.take(lane, |_, _| {}));
        }
        Ok(emitted)
    }
}

/// The error of a quad that begins with this primitive.
fn at(error: RunError, primitive: usize) -> GeometryError {
    if let RunError::LoopBudget { pc, budget, .. } = error {
        return GeometryError::LoopBudget {
            pc,
            budget,
            primitive,
        };
    }
    GeometryError::Run(error)
}

/// The vertices of primitives, as a program fetches them.
struct Primitives<'a> {
    input: GeometryInput<'a>,
    vertices: &'a dyn AttributeSource,
    /// The primitive of each lane. One thread changes them, between runs.
    lanes: Lanes<AtomicUsize>,
}

impl AttributeSource for Primitives<'_> {
    fn fetch(&self, attribute: u8, index: Lanes<u32>, wanted: LaneMask) -> [Lanes<f32>; 4] {
        let count = self.input.vertices();
        let of_lane = |lane: usize| {
            let vertex = usize::try_from(index[lane])
                .ok()
                .filter(|vertex| *vertex < count)?;
            let primitive = self.lanes[lane].load(Ordering::Relaxed);
            self.input
                .indices()
                .get(primitive * count + vertex)
                .copied()
        };
        let vertices: Lanes<Option<u32>> = std::array::from_fn(of_lane);
        let present = LaneMask::from_lanes(vertices.map(|vertex| vertex.is_some())) & wanted;
        let indices = vertices.map(Option::unwrap_or_default);
        let mut values = self.vertices.fetch(attribute, indices, present);
        for (component, default) in values.iter_mut().zip(DEFAULT_ATTRIBUTE) {
            for lane in (0..LANES).filter(|&lane| !present.has(lane)) {
                component[lane] = default;
            }
        }
        values
    }
}
