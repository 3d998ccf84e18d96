//! Meshes: triangles whose vertices go through their own program first.
//!
//! ```text
//! indices ─► each vertex once ─► vertex program ─► o0: clip ─► window ─► triangles
//!                                                  o1 … o15 ───────────► i1 … i15 of fragments
//! ```
//!
//! A geometry program may stand between the vertex program and clipping. Its strips are the triangles
//! then.
//!
//! The vertex program is run for many vertices at a time, in columns, by whichever engine it was prepared for. Where the
//! indices are close to each other, it is run for all vertices of their range, unless a texture unit or an attribute source
//! minds which ones it is asked for.
//!
//! Its inputs are those of [machine.md 2.4](crate::docs::machine#24-attilas-register-map):
//!
//! * of a program that fetches its attributes itself (LDA), `i0.x` is the vertex index as raw bits,
//!   `i0.y` that of the instance, and all else is 0;
//! * of any other program, inputs are the attributes of those numbers;
//! * `i63.x` and `i61.x` are the vertex index and `i62.x` that of the instance, as raw bits, and `i58`
//!   to `i60` are 0, unless there are such attributes.
//!
//! Output `o0` is the position in clip space. Output `o1` [is clamped](Mesh::clamp_colour) to [0, 1],
//! as ATTILA's fixed stages do it. Outputs become the fragment inputs of the same numbers; components that the
//! program does not write are 0.

mod clip;
mod places;
mod shading;
mod vertices;
mod viewport;

pub(crate) use vertices::ShadedVertices;
pub use viewport::{ClipDepth, Viewport};

use attila_isa::{FIRST_SYSTEM_VALUE, INPUTS, Stage};
use attila_machine::{Bindings, VertexBuffers};

use super::vertices::{Ends, Indices, VertexError};
use crate::Shader;
use crate::geometry::Geometry;
use viewport::Transform;

/// A mesh, and what its vertices go through.
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'a> {
    shader: &'a Shader,
    bindings: Option<&'a Bindings<'a>>,
    buffers: &'a VertexBuffers<'a>,
    triangles: &'a [[u32; 3]],
    geometry: Option<Geometry<'a>>,
    instance: u32,
    viewport: Option<Viewport>,
    depth: ClipDepth,
    clamp_colour: bool,
}

impl<'a> Mesh<'a> {
    /// Triangles, each given by the indices of its vertices in `buffers`, with a vertex program.
    pub const fn new(
        shader: &'a Shader,
        buffers: &'a VertexBuffers<'a>,
        triangles: &'a [[u32; 3]],
    ) -> Mesh<'a> {
        Mesh {
            shader,
            bindings: None,
            buffers,
            triangles,
            geometry: None,
            instance: 0,
            viewport: None,
            depth: ClipDepth::MinusOneToOne,
            clamp_colour: true,
        }
    }

    /// Constants and textures of the vertex program, and its loop budget. LDA fetches from what is
    /// bound here, or if nothing is, from the mesh's buffers; that costs a copy of all constants.
    #[must_use]
    pub const fn bindings(mut self, bindings: &'a Bindings<'a>) -> Self {
        self.bindings = Some(bindings);
        self
    }

    /// Draws the triangles of the strips that a geometry program makes, instead of the mesh's own. Its
    /// primitives are given by the indices of vertices in the mesh's buffers; LDA fetches the outputs of
    /// the vertex program, by their numbers.
    #[must_use]
    pub const fn geometry(mut self, geometry: Geometry<'a>) -> Self {
        self.geometry = Some(geometry);
        self
    }

    /// Sets the number of the instance: `i0.y` of a program with LDA, and `i62.x` of any. Default: 0.
    #[must_use]
    pub const fn instance(mut self, instance: u32) -> Self {
        self.instance = instance;
        self
    }

    /// Sets the part of the window that clip space maps to. Default: all of the targets.
    #[must_use]
    pub const fn viewport(mut self, viewport: Viewport) -> Self {
        self.viewport = Some(viewport);
        self
    }

    /// Which z are in the view volume.
    #[must_use]
    pub const fn clip_depth(mut self, depth: ClipDepth) -> Self {
        self.depth = depth;
        self
    }

    /// Sets whether output `o1` is clamped to [0, 1], as by ATTILA's fixed stages. Default: true.
    #[must_use]
    pub const fn clamp_colour(mut self, clamp: bool) -> Self {
        self.clamp_colour = clamp;
        self
    }

    /// The indices of the vertices that are shaded.
    fn indices(&self) -> &'a [u32] {
        match &self.geometry {
            Some(geometry) => geometry.input.indices(),
            None => self.triangles.as_flattened(),
        }
    }

    /// From clip space to targets of this size.
    pub(super) fn transform(&self, size: [u32; 2]) -> Transform {
        let viewport = self.viewport.unwrap_or(Viewport::all(size));
        Transform::new(&viewport, self.depth)
    }

    /// Whether the program before the fragment program has output `register`.
    pub(crate) fn gives(&self, register: usize) -> bool {
        match &self.geometry {
            Some(geometry) => geometry.gives(register),
            None => self.shader.program().usage().writes_output(register),
        }
    }

    /// The vertices of a primitive.
    fn corners(&self) -> usize {
        self.geometry
            .map_or(3, |geometry| geometry.input.vertices())
    }

    /// Whether the program fetches its attributes itself.
    fn fetches(&self) -> bool {
        self.shader.program().usage().attributes != 0
    }

    /// Checks that the program can be run for every vertex. Gives the ends of their indices.
    pub(super) fn check(&self) -> Result<Ends, VertexError> {
        let usage = self.shader.program().usage();
        let stage = self.shader.program().program().stage();
        if stage != Stage::Vertex {
            return Err(VertexError::Stage(stage));
        }
        if usage.writes_storage {
            return Err(VertexError::StorageWrites);
        }
        if let Some(index) = self.buffers.beyond() {
            return Err(VertexError::AttributeIndex(index));
        }
        if let Some(geometry) = &self.geometry {
            geometry.check()?;
        }
        if !self.gives(0) {
            return Err(VertexError::NoPosition);
        }
        let indices = Indices::new(self.indices(), self.corners());
        let read = |input: &usize| !usage.inputs[*input].is_empty() && !self.fetches();
        for input in (0..INPUTS).filter(read) {
            let attribute = self.buffers.get(input);
            if attribute.is_none() && input >= FIRST_SYSTEM_VALUE {
                continue;
            }
            let attribute = attribute.ok_or(VertexError::NoBuffer(input))?;
            indices.check(attribute.vertices())?;
        }
        Ok(indices.ends)
    }
}
